// Class instances: construction, callable objects, decorators and iteration.

import { convert } from "../../languages/go/types.ts";
import type { Expression } from "../code.ts";
import {
  type Arguments,
  type Flow,
  type Frame,
  type Invocation,
  noArguments,
  tellDecoded,
} from "../frame.ts";
import { rootName } from "../hazards.ts";
import { enter } from "../values/access.ts";
import type { ClassAtom, DataAtom, ObjectAtom, SetterAtom, Value } from "../values/atoms.ts";
import { bindTo, prototypeOf } from "../values/types.ts";
import {
  dataOf,
  dereference,
  elementsOf,
  fill,
  findCell,
  join,
  newObject,
  ofKind,
} from "../values/values.ts";
import { addDecoratedRoute } from "./routes.ts";

/** A class that V1's values are decoded into, and the classes of its fields. */
export function learnModel(target: ClassAtom, atom: DataAtom, flow: Flow): void {
  const { node } = atom;
  const known = flow.models.get(node) ?? new Set<ClassAtom>();
  if (known.has(target)) return;
  flow.models.set(node, known.add(target));
  target.shape ??= node;
  tellDecoded(flow, target, atom);
  for (const { key, type, of = [] } of target.declared) {
    const child = node.children.get(key);
    if (!child) continue;
    const { scope } = target;
    const named = scope
      ? [...type.matchAll(/[A-Za-z_]\w*/g)].flatMap(([name]) =>
          ofKind(findCell(scope, name)?.value ?? [], "class"),
        )
      : [];
    for (const inner of [...of, ...named]) learnModel(inner, { ...atom, node: child.element ?? child }, flow);
  }
}

/** `Model.model_validate(body)`, `structure(body, Model)`: what a decoder makes of an answer, if it is one. */
export function decodeInto(receiver: Value, { positional, named }: Arguments, flow: Flow): Value {
  const given = [...positional, ...named.values()].map(dereference);
  const models = [receiver, ...given].flatMap((value) => ofKind(value, "class"));
  const data = given.flatMap(dataOf).filter(({ node }) => node.children.size > 0);
  for (const model of models.filter(({ declared }) => declared.length > 0))
    for (const atom of data) learnModel(model, atom, flow);
  return models.length > 0 ? data : [];
}

const schemas = new WeakMap<Expression, ClassAtom>();
const builders = /^(z|zod|v|yup|Joi|t|S|Schema|Type)$/;

/** zod and its like: `z.object({ … })` is a type that a response is decoded into; `z.array(schema)` is made of it. */
export function makeSchema(
  { callee, name, receiver = [], args, line }: Invocation,
  frame: Frame,
): Value | undefined {
  if (frame.module.language !== "javascript") return undefined;
  const held = [receiver, ...args.positional].flatMap((value) => ofKind(value, "class"));
  const [shape] = ofKind(args.positional.at(0) ?? [], "object");
  const isBuilder = builders.test(rootName(callee));
  const makes = isBuilder && /^(object|strictObject|looseObject|type|Struct|interface|Object)$/.test(name);
  if (makes && shape) {
    const declared = [...shape.fields].map(([key, cell]) => ({
      ...{ key, name: key, type: "schema", line: cell.site?.line ?? line, of: ofKind(cell.value, "class") },
    }));
    const known: ClassAtom = schemas.get(callee) ?? {
      ...{
        kind: "class",
        name: "",
        file: frame.module.file,
        isChecked: true,
        instance: newObject(),
        shape: undefined,
        declared,
      },
    };
    schemas.set(callee, known);
    return [known];
  }
  const passes =
    isBuilder ||
    /^(optional|nullable|nullish|partial|passthrough|strip|strict|array|default|catch|loose)$/.test(name);
  return passes && held.length > 0 && !/[pP]arse|decode|validate|transform/.test(name) ? held : undefined;
}

const instances = new WeakMap<ObjectAtom, Map<Expression, ObjectAtom>>();
/** Made in more places than this, a class is no client with a base of its own. */
const maxInstances = 8;

/** One for each place that makes one with something known; else the one that stands for all. */
function instanceAt(place: Expression, instance: ObjectAtom, args: Arguments): ObjectAtom {
  const known = instances.get(instance) ?? new Map<Expression, ObjectAtom>();
  instances.set(instance, known);
  const isGiven = [...args.positional, ...args.named.values()].some((value) => value.length > 0);
  if (!isGiven || (!known.has(place) && known.size >= maxInstances)) return instance;
  const made = known.get(place) ?? { ...newObject(), beneath: [instance] };
  known.set(place, made);
  return made;
}

/** `new Client(…)`, `Holder(**body)`: constructors run, and a spread record is read field by field. */
function construct(target: ClassAtom, args: Arguments, place: Expression, frame: Frame, line: number): Value {
  const { instance } = target;
  const spread = dataOf(dereference(args.named.get("**") ?? []));
  for (const atom of spread) learnModel(target, atom, frame.flow);
  if (spread.length > 0) return spread;
  const made = instanceAt(place, instance, args);
  // What any of them was given, one of unknown origin may have.
  for (const self of new Set([instance, made])) {
    for (const name of ["constructor", "__init__", "__post_init__"]) {
      for (const method of ofKind(enter([self], name, frame, line), "function"))
        frame.flow.apply(method, name === "__post_init__" ? noArguments : args, frame, line);
    }
  }
  const give = (name: string, value: Value) => {
    const cell = made.fields.get(name) ?? { value: [] };
    made.fields.set(name, cell);
    fill(cell, value);
  };
  const [first = []] = args.positional;
  // A list or a dictionary with a name of its own holds what it is given.
  if (frame.module.language === "python" && enter([made], "__init__", frame, line).length === 0) {
    fill(made.element, elementsOf(dataOf(dereference(first)).filter(({ node }) => node.element)));
    made.beneath = join(
      made.beneath,
      dataOf(dereference(first)).filter(({ node }) => node.children.size > 0),
    );
  }
  if (target.declared.length === 0 || frame.module.language === "javascript") return [made];
  for (const [name, value] of args.named) give(name, value);
  target.declared.forEach(({ name }, index) => {
    const value = args.positional[index] ?? args.named.get(name);
    if (!value) return;
    give(name, value);
    // A tuple with names is taken apart by position too.
    if (frame.module.language === "python") give(String(index), value);
  });
  made.isTuple = frame.module.language === "python" && made !== instance;
  return [made];
}

/** A new value, a function from the old value to the new one, or a message to a reducer. */
function set({ cell, through }: SetterAtom, given: Value, frame: Frame, line: number): void {
  const before = { positional: [cell.value, ...(through ? [given] : [])], named: new Map() };
  const functions = ofKind(through ?? given, "function");
  fill(cell, through ? [] : given.filter(({ kind }) => kind !== "function"));
  for (const target of functions) fill(cell, frame.flow.apply(target, before, frame, line));
}

export const isTarget = ({ kind }: Value[number]): boolean =>
  kind === "function" || kind === "class" || kind === "setter";

/** Objects that can be called are functions with another name. */
export const callablesOf = (value: Value, frame: Frame, line: number): Value =>
  value.flatMap((atom): Value => {
    if (atom.kind !== "object" || frame.module.language !== "python") return [atom];
    const inner = enter([atom], "__call__", frame, line).filter(isTarget);
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
      if (target.kind === "function") {
        const prototype = prototypeOf(target);
        if (!prototype) return frame.flow.apply(target, args, frame, line);
        return [...frame.flow.apply(bindTo(target, prototype), args, frame, line), prototype];
      }
      if (target.kind === "class" && frame.module.language === "go")
        return convert(target, args.positional[0] ?? []);
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
    const args: Arguments = { positional: [wrapped], named: new Map() };
    const made = callTargets(targets, args, decorator, frame, line);
    const kept = made.filter((atom) => isTarget(atom) || atom.kind === "object");
    if (kept.length > 0) wrapped = kept;
  }
  return wrapped;
}

/** A decorated method, which still belongs to its class. */
export const decorateMethod = (
  method: Value,
  decorators: readonly Expression[],
  instance: ObjectAtom,
  frame: Frame,
): Value =>
  decorate(method, decorators, frame).map((atom) =>
    atom.kind === "function" && atom.self[0] !== instance && !atom.code.isOfClass
      ? bindTo(atom, instance)
      : atom,
  );

/** What a loop goes through: a list's items, or what an object's own iterator gives. */
export function iterate(value: Value, frame: Frame, line: number): Value {
  return join(
    ...dereference(value).map((atom): Value => {
      if (atom.kind !== "object" || frame.module.language !== "python") return elementsOf([atom]);
      for (const name of ["__iter__", "__aiter__", "__next__", "__anext__", "__getitem__"]) {
        const methods = ofKind(enter([atom], name, frame, line), "function");
        const given = methods.map((method) => frame.flow.apply(method, noArguments, frame, line));
        const found = join(...given);
        const items = /iter/.test(name) ? elementsOf(found.filter((item) => item !== atom)) : found;
        if (items.length > 0) return items;
      }
      return elementsOf([atom]);
    }),
  );
}
