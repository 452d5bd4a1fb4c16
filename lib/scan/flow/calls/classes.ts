// Class instances: construction, callable objects, decorators and iteration.

import type { Expression } from "../code.ts";
import { enter } from "../values/access.ts";
import type { Arguments, Cell, ClassAtom, Frame, ObjectAtom, SetterAtom, Value } from "../values/atoms.ts";
import { learnType } from "../values/types.ts";
import {
  dataOf,
  dereference,
  fill,
  fillField,
  given,
  join,
  newObject,
  ofKind,
  remember,
} from "../values/values.ts";
import { addDecoratedRoute } from "./routes.ts";

/** `Model.model_validate(body)`, `structure(body, Model)`: what a decoder makes of an answer, if it is one. */
export function decodeInto(receiver: Value, { positional, named }: Arguments, frame: Frame): Value {
  const values = [...positional, ...named.values()].map(dereference);
  const models = [receiver, ...values].flatMap((value) => ofKind(value, "class"));
  const data = values.flatMap(dataOf).filter(({ node }) => node.element || node.children.size > 0);
  for (const model of models.filter(({ declared }) => declared.length > 0))
    for (const atom of data) learnType(model, atom, frame);
  return models.length > 0 ? data : [];
}

const instances = new WeakMap<ObjectAtom, Map<Expression, ObjectAtom>>();
/** Made in more places than this, a class is no client with a base of its own. */
const maxInstances = 8;

/** One for each place that makes one with something known; else the one that stands for all. */
function instanceAt(place: Expression, instance: ObjectAtom, args: Arguments): ObjectAtom {
  const known = remember(instances, instance, () => new Map());
  const isGiven = [...args.positional, ...args.named.values()].some((value) => value.length > 0);
  if (!isGiven || (!known.has(place) && known.size >= maxInstances)) return instance;
  return remember(known, place, () => ({ ...newObject(), beneath: [instance] }));
}

/** `new Client(…)`, `Holder(**body)`: constructors run, and a spread record is read field by field. */
function construct(target: ClassAtom, args: Arguments, place: Expression, frame: Frame, line: number): Value {
  const { instance } = target;
  const spread = dataOf(args.named.get("**") ?? []);
  for (const atom of spread) learnType(target, atom, frame);
  if (spread.length > 0) return spread;
  const made = instanceAt(place, instance, args);
  // What any of them was given, one of unknown origin may have.
  for (const self of new Set([instance, made])) {
    for (const name of frame.module.language.methods.constructors)
      for (const method of ofKind(enter([self], name, frame, line), "function"))
        frame.flow.apply(method, args, frame, line);
  }
  frame.module.language.construct?.(target, made, args, frame, line);
  return [made];
}

const states = new WeakMap<Cell, ObjectAtom>();

/** All objects that a state is set to are one: a reducer makes another one with each message. */
function keep(cell: Cell, value: Value): void {
  for (const atom of value) {
    if (atom.kind !== "object" || atom.isTuple || atom.isWrapped || atom.type) {
      fill(cell, [atom]);
      continue;
    }
    const state = remember(states, cell, () => newObject());
    for (const [key, held] of atom.fields) fillField(state, key, held.value);
    fill(state.element, atom.element.value);
    state.beneath = join(
      state.beneath,
      atom.beneath.filter((inner) => inner !== state),
    );
    fill(cell, [state]);
  }
}

/** A new value, a function from the old value to the new one, or a message to a reducer. */
function set({ cell, through }: SetterAtom, value: Value, frame: Frame, line: number): void {
  const before = given(cell.value, ...(through ? [value] : []));
  const functions = ofKind(through ?? value, "function");
  keep(cell, through ? [] : value.filter(({ kind }) => kind !== "function"));
  for (const target of functions) keep(cell, frame.flow.apply(target, before, frame, line));
}

export const isTarget = ({ kind }: Value[number]): boolean =>
  kind === "function" || kind === "class" || kind === "setter";

/** Objects that can be called are functions with another name. */
export const callablesOf = (value: Value, frame: Frame, line: number): Value =>
  value.flatMap((atom): Value => {
    if (atom.kind !== "object") return [atom];
    const { call } = frame.module.language.methods;
    const inner = call.flatMap((name) => enter([atom], name, frame, line)).filter(isTarget);
    return inner.length > 0 ? inner : [atom];
  });

export function callTargets(
  targets: Value,
  args: Arguments,
  place: Expression,
  frame: Frame,
  line: number,
): Value {
  return join(
    ...targets.map((target): Value => {
      if (target.kind === "function") return frame.flow.apply(target, args, frame, line);
      if (target.kind === "class") return construct(target, args, place, frame, line);
      if (target.kind === "setter") set(target, args.positional[0] ?? [], frame, line);
      return [];
    }),
  );
}

/** A function within its decorators. Those from outside the tree leave it as it is, and so do routes. */
export function decorate(value: Value, decorators: readonly Expression[], frame: Frame): Value {
  let wrapped = value;
  for (const decorator of decorators.toReversed()) {
    const { line } = decorator;
    addDecoratedRoute(decorator, value, frame.flow);
    const named = frame.flow.evaluate(decorator.kind === "call" ? decorator.callee : decorator, frame);
    if (!named.some(isTarget)) continue;
    const targets = callablesOf(frame.flow.evaluate(decorator, frame), frame, line).filter(isTarget);
    const made = callTargets(targets, given(wrapped), decorator, frame, line);
    const kept = made.filter((atom) => isTarget(atom) || atom.kind === "object");
    if (kept.length > 0) wrapped = kept;
  }
  return wrapped;
}
