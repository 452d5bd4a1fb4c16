// Things that keep a value for later: state, references, subjects, contexts, maps.
import { elementsOf, itemAt } from "./scan-access.ts";
import { argumentsFor, boxAt } from "./scan-callbacks.ts";
import type { Flow, Frame, Invocation } from "./scan-frame.ts";
import {
  dereference,
  fill,
  join,
  newObject,
  type ObjectAtom,
  ofKind,
  type Value,
  wrap,
} from "./scan-values.ts";

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
  if (!["methods", "actions", "computed", "getters"].some((key) => fields.has(key))) return;
  const apply = (value: Value, given: Value): Value =>
    join(
      ...ofKind(value, "function").map((target) =>
        flow.apply(target, { positional: [given], named: new Map() }, frame, target.code.line),
      ),
    );
  for (const key of ["data", "state", "setup"])
    object.beneath = join(object.beneath, apply(fields.get(key)?.value ?? [], []));
  for (const getters of ofKind(fields.get("getters")?.value ?? [], "object"))
    for (const { value } of getters.fields.values()) apply(value, [object]);
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
  if (name !== "get" && name !== "getValue") return undefined;
  return join(
    ...held.map(
      ({ element, beneath, fields }) =>
        (key && fields.get(key.text)?.value) ?? join(element.value, beneath, key ? [] : elementsOf(held)),
    ),
  );
}
