// Containers that store a value for later: state, references, subjects, contexts, maps.

import { callEach, give } from "../../flow/calls/callbacks.ts";
import type { Expression } from "../../flow/code.ts";
import type { Arguments, Cell, Frame, Invocation, ObjectAtom, Value } from "../../flow/values/atoms.ts";
import {
  elementsOf,
  fill,
  fillField,
  given,
  itemAt,
  join,
  newObject,
  ofKind,
  remember,
} from "../../flow/values/values.ts";

const pairs = /^(useState|createSignal|useReducer|useStateWithCallback|useAtom)$/;
const boxes =
  /^(ref|reactive|shallowRef|useRef|createRef|signal|writable|atom|createContext|(Behavior|Replay|Async)?Subject|EventEmitter|LRUCache|QuickLRU|NodeCache)$/;
const maps = /^(Map|WeakMap|fromEntries)$/;
const gives = /^(next|set|emit|update|put|add)$/;

function openPair({ callee, name, args, line }: Invocation, frame: Frame): Value {
  const [first = [], second = []] = args.positional;
  const reduces = name === "useReducer";
  const cell = boxAt(callee, frame).element;
  const initial = reduces ? second : first;
  for (const target of ofKind(initial, "function")) fill(cell, frame.flow.apply(target, args, frame, line));
  fill(
    cell,
    initial.filter(({ kind }) => kind !== "function"),
  );
  const pair = newObject(true);
  pair.fields.set("0", cell);
  pair.fields.set("1", { value: [{ kind: "setter", cell, ...(reduces ? { through: first } : {}) }] });
  return [pair];
}

/** Vue and Pinia: what a component or a store has under the names of its methods and of what it computes. */
export function openComponent(object: ObjectAtom, frame: Frame, line: number): void {
  const { fields } = object;
  if (!["methods", "actions", "computed", "getters"].some((key) => fields.has(key))) return;
  const store = remember(stores, object, () => ({ ...newObject(), isWrapped: true, beneath: [object] }));
  for (const key of ["state", "data"])
    object.beneath = join(object.beneath, callEach(fields.get(key)?.value ?? [], [], frame, line));
  for (const key of ["actions", "methods"])
    store.beneath = join(store.beneath, ofKind(fields.get(key)?.value ?? [], "object"));
  // What is computed is read like a field.
  for (const key of ["getters", "computed"]) {
    for (const getters of ofKind(fields.get(key)?.value ?? [], "object")) {
      object.beneath = join(object.beneath, getters.beneath);
      for (const [name, { value }] of getters.fields) {
        const computed = callEach(value, key === "getters" ? [[object]] : [], frame, line);
        for (const owner of [store, object]) fillField(owner, name, computed);
      }
    }
  }
}

const stores = new WeakMap<ObjectAtom, ObjectAtom>();

/** `defineStore("passport", { state, actions })`: what its actions set, who uses the store finds there. */
const openedStores = ({ args }: Invocation): Value =>
  args.positional.flatMap((value) => ofKind(value, "object").flatMap((atom) => stores.get(atom) ?? []));

/** What a call that opens, fills or reads a store gives; undefined for any other call. */
export function keepValue(invocation: Invocation, frame: Frame): Value | undefined {
  const { callee, name, receiver = [], args } = invocation;
  const [first = []] = args.positional;
  if (pairs.test(name)) return openPair(invocation, frame);
  if (boxes.test(name) || maps.test(name)) {
    const box = boxAt(callee, frame);
    const values = maps.test(name) ? elementsOf(first).flatMap((entry) => itemAt([entry], 1)) : first;
    fill(box.element, values);
    return [box];
  }
  const opened = openedStores(invocation);
  if (opened.length > 0) return opened;
  const held = ofKind(receiver, "object").filter(({ isWrapped }) => isWrapped);
  if (held.length === 0) return undefined;
  if (gives.test(name)) {
    // The last is the value; a map's key and an event's name come before it.
    const last = (args.positional.at(-1) ?? []).filter(({ kind }) => kind !== "function");
    for (const { element } of held) fill(element, last);
    return held;
  }
  if (/^get(State|Snapshot)$/.test(name)) return held;
  if (!/^(get|getValue|load)$/.test(name)) return undefined;
  return join(...held.flatMap(({ element, beneath }) => [element.value, beneath]), elementsOf(held));
}

/** One box for each place that makes one; a hook has its own for each of its callers. */
export function boxAt(place: Expression, frame: Frame): ObjectAtom {
  const { made } = /^use[A-Z]/.test(frame.code?.name ?? "") ? frame : frame.module.frame;
  return remember(made, place, () => ({ ...newObject(), isWrapped: true }));
}

/** `new Promise((resolve) => …)` is what is resolved. */
export function settle(args: Arguments, frame: Frame, line: number): Value {
  const cell: Cell = { value: [] };
  for (const target of ofKind(args.positional[0] ?? [], "function"))
    frame.flow.apply(target, given([{ kind: "setter", cell }]), frame, line);
  return cell.value;
}

/** `create((set) => ({ … }))`: a store is what the function returns, and all that is ever set. */
export function openStore(place: Expression, args: Arguments, frame: Frame, line: number): Value | undefined {
  const makers = ofKind(args.positional[0] ?? [], "function").filter(
    ({ code }) => code.params[0]?.name === "set",
  );
  if (makers.length === 0) return undefined;
  const box = boxAt(place, frame);
  const setter: Value = [{ kind: "setter", cell: box.element }];
  for (const target of makers)
    box.beneath = join(box.beneath, frame.flow.apply(target, given(setter, [box]), frame, line));
  return [box];
}

/** `passport()` of a signal, `useStore((state) => state.passport)`: a call of a value that is no function. */
export function readAccessor(value: Value, args: Arguments, frame: Frame, line: number): Value | undefined {
  const held = value.filter((atom) => (atom.kind === "data" || atom.kind === "object") && atom.isWrapped);
  if (held.length === 0) return undefined;
  const selectors = ofKind(args.positional[0] ?? [], "function");
  if (selectors.length === 0) return held;
  return join(...selectors.map((target) => give(target, held, frame, line)));
}
