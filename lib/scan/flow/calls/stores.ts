// Containers that store a value for later: state, references, subjects, contexts, maps.

import type { Flow, Frame, Invocation } from "../frame.ts";
import { enter } from "../values/access.ts";
import type { ObjectAtom, Value } from "../values/atoms.ts";
import { dereference, elementsOf, fill, itemAt, join, newObject, ofKind, wrap } from "../values/values.ts";
import { argumentsFor, boxAt, callEach } from "./callbacks.ts";

const pairs = /^(useState|createSignal|useReducer|useStateWithCallback|useAtom)$/;
const boxes =
  /^(ref|reactive|shallowRef|useRef|createRef|signal|writable|atom|createContext|(Behavior|Replay|Async)?Subject|EventEmitter|LRUCache|QuickLRU|NodeCache)$/;
const maps = /^(Map|WeakMap|fromEntries)$/;
const gives = /^(next|set|emit|update|put|add)$/;

function openPair({ callee, name, args, line }: Invocation, frame: Frame, flow: Flow): Value {
  const [first = [], second = []] = args.positional;
  const reduces = name === "useReducer";
  const cell = boxAt(callee, frame).element;
  const initial = reduces ? second : first;
  for (const target of ofKind(initial, "function")) fill(cell, flow.apply(target, args, frame, line));
  fill(
    cell,
    initial.filter(({ kind }) => kind !== "function"),
  );
  const pair = newObject(true);
  pair.fields.set("0", cell);
  pair.fields.set("1", { value: [{ kind: "setter", cell, ...(reduces ? { through: first } : {}) }] });
  return [pair];
}

/** `this.setState({ passport })` adds to `this.state`. */
function addState({ receiver = [], args }: Invocation): void {
  for (const { fields } of ofKind(dereference(receiver), "object")) {
    const cell = fields.get("state") ?? { value: [] };
    fields.set("state", cell);
    fill(cell, ofKind(args.positional[0] ?? [], "object"));
  }
}

/** Vue and Pinia: what `data` or `state` returns is the component's own, and getters are given it. */
export function openComponent(object: ObjectAtom, frame: Frame, flow: Flow): void {
  const { fields } = object;
  if (!["methods", "actions", "computed", "getters", "mutations"].some((key) => fields.has(key))) return;
  const apply = (value: Value, given: Value): Value =>
    join(
      ...ofKind(value, "function").map((target) =>
        flow.apply(target, { positional: [given], named: new Map() }, frame, target.code.line),
      ),
    );
  const keeps = ["data", "state", "setup"].filter((key) => fields.has(key));
  for (const key of keeps) {
    const begun = fields.get(key)!.value;
    object.beneath = join(object.beneath, apply(begun, []), ofKind(begun, "object"));
  }
  const store = stores.get(object) ?? { ...newObject(), isWrapped: true, beneath: [object] };
  if (keeps.length > 0) stores.set(object, store);
  if (fields.has("mutations")) shareStore(object, store, flow);
  else if (sharedStores(flow).length > 0) fields.set("$store", { value: sharedStores(flow) });
  for (const key of ["actions", "methods"])
    store.beneath = join(store.beneath, ofKind(fields.get(key)?.value ?? [], "object"));
  // What is computed is read like a field.
  for (const key of ["getters", "computed"]) {
    for (const getters of ofKind(fields.get(key)?.value ?? [], "object")) {
      object.beneath = join(object.beneath, getters.beneath);
      for (const [name, { value }] of getters.fields) {
        const given = apply(value, key === "getters" ? [object] : []);
        for (const { fields: own } of [store, object]) {
          const cell = own.get(name) ?? { value: [] };
          own.set(name, cell);
          fill(cell, given);
        }
      }
    }
  }
}

const stores = new WeakMap<ObjectAtom, ObjectAtom>();

/** `defineStore("passport", { state, actions })`: what its actions set, who uses the store finds there. */
const openedStores = ({ args }: Invocation): Value =>
  args.positional.flatMap((value) => ofKind(value, "object").flatMap((atom) => stores.get(atom) ?? []));

const shared = new WeakMap<Flow, Map<ObjectAtom, ObjectAtom>>();

const sharedStores = (flow: Flow): Value => [...(shared.get(flow)?.values() ?? [])];

/** Vuex: one store for all components, whose `state` is what its mutations set. */
function shareStore(object: ObjectAtom, store: ObjectAtom, flow: Flow): void {
  const known = shared.get(flow) ?? new Map<ObjectAtom, ObjectAtom>();
  shared.set(flow, known.set(object, store));
  store.fields.set("state", { value: [object] });
  store.fields.set("getters", { value: [store] });
}

/** `commit("setPassport", passport)`: the mutation of that name is given the state and the value. */
function commit({ args, line }: Invocation, frame: Frame, flow: Flow): void {
  const [first = [], given = []] = args.positional;
  for (const { text } of ofKind(first, "text")) {
    for (const [object] of shared.get(flow) ?? []) {
      for (const { fields } of ofKind(object.fields.get("mutations")?.value ?? [], "object"))
        callEach(
          fields.get(text.slice(text.lastIndexOf("/") + 1))?.value ?? [],
          [[object], given],
          frame,
          line,
          flow,
        );
    }
  }
}

/** `mapState(useStore, ["passport"])`, `mapState({ mine: (state) => state.passport })`: parts of a store, by names. */
function mapParts({ args, line }: Invocation, frame: Frame, flow: Flow): Value {
  const [first = [], second = first] = args.positional;
  const boxed = ofKind(first, "object").filter(({ isWrapped }) => isWrapped);
  const from =
    boxed.length > 0
      ? boxed
      : sharedStores(flow).flatMap((atom) => enter([atom], "state", frame, line, flow));
  const parts = newObject();
  const give = (name: string, value: Value) => parts.fields.set(name, { value });
  for (const { fields, isTuple } of ofKind(second, "object")) {
    for (const [key, { value }] of fields) {
      for (const { text } of ofKind(value, "text"))
        give(isTuple ? text : key, enter(from, text, frame, line, flow));
      if (ofKind(value, "function").length > 0) give(key, callEach(value, [from], frame, line, flow));
    }
  }
  return [parts];
}

/** `store.$patch({ passport })`, `store.$patch((state) => { … })`. */
function patch({ receiver = [], args, line }: Invocation, frame: Frame, flow: Flow): void {
  const [first = []] = args.positional;
  for (const object of ofKind(dereference(receiver), "object")) {
    for (const { fields } of ofKind(first, "object")) {
      for (const [key, { value }] of fields) {
        const cell = object.fields.get(key) ?? { value: [] };
        object.fields.set(key, cell);
        fill(cell, value);
      }
    }
    for (const target of ofKind(first, "function"))
      flow.apply(target, { positional: [[object]], named: new Map() }, frame, line);
  }
}

/** No source code can have such a key. */
const reshapeKey = "<transform>";

/** zod: `schema.transform(f)`, whose `parse` gives what the function makes of an answer. */
function reshape(
  { name, receiver = [], args, line }: Invocation,
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const [first = []] = args.positional;
  const held = dereference(receiver);
  if (
    name === "transform" &&
    frame.module.language === "javascript" &&
    ofKind(first, "function").length > 0
  ) {
    if (held.some(({ kind }) => kind === "data")) return undefined;
    const schema = newObject();
    schema.fields.set(reshapeKey, { value: ofKind(first, "function") });
    return [schema];
  }
  if (!/^(safeP|p)arse(Async)?$/.test(name) || first.length === 0) return undefined;
  const functions = ofKind(held, "object").flatMap(({ fields }) => fields.get(reshapeKey)?.value ?? []);
  if (functions.length === 0) return undefined;
  const given = { positional: [first], named: new Map() };
  const made = join(...ofKind(functions, "function").map((target) => flow.apply(target, given, frame, line)));
  return name.startsWith("safe") ? wrap(made) : made;
}

/** What a call that opens, fills or reads a store gives; undefined for any other call. */
export function keepValue(invocation: Invocation, frame: Frame, flow: Flow): Value | undefined {
  const { callee, name, receiver = [], args, line } = invocation;
  const [first = []] = args.positional;
  if (pairs.test(name)) return openPair(invocation, frame, flow);
  if (boxes.test(name) || maps.test(name)) {
    const box = boxAt(callee, frame);
    const values = maps.test(name) ? elementsOf(first).flatMap((entry) => itemAt([entry], 1)) : first;
    fill(box.element, values);
    return [box];
  }
  if (name === "setState") addState(invocation);
  if (name === "$patch") patch(invocation, frame, flow);
  if (name === "commit") commit(invocation, frame, flow);
  if (/^map(WritableState|State|Getters)$/.test(name)) return mapParts(invocation, frame, flow);
  if (name === "useStore" && sharedStores(flow).length > 0) return sharedStores(flow);
  const opened = openedStores(invocation);
  if (opened.length > 0) return opened;
  const reshaped = reshape(invocation, frame, flow);
  if (reshaped) return reshaped;
  const held = ofKind(dereference(receiver), "object").filter(({ isWrapped }) => isWrapped);
  if (held.length === 0) return undefined;
  // `c.set("passport", body)`: under a name of its own.
  const [key] = frame.module.language === "javascript" ? ofKind(first, "text") : [];
  if (key && /^(set|put)$/.test(name) && args.positional.length > 1) {
    for (const { fields } of held) {
      const cell = fields.get(key.text) ?? { value: [] };
      fields.set(key.text, cell);
      fill(cell, args.positional[1]!);
    }
    return held;
  }
  if (name === "$subscribe") return callEach(first, [[], held], frame, line, flow);
  if (gives.test(name)) {
    for (const { element } of held) {
      // The last is the value; a map's key and an event's name come before it.
      const given = args.positional.at(-1) ?? [];
      fill(
        element,
        given.filter(({ kind }) => kind !== "function"),
      );
      for (const target of ofKind(first, "function"))
        fill(element, flow.apply(target, argumentsFor(target, element.value), frame, line));
    }
    return held;
  }
  if (/^get(State|Snapshot)$/.test(name)) return held;
  if (name !== "get" && name !== "getValue") return undefined;
  return join(
    ...held.map(
      ({ element, beneath, fields }) =>
        (key && fields.get(key.text)?.value) ?? join(element.value, beneath, key ? [] : elementsOf(held)),
    ),
  );
}
