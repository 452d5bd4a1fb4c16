// Declared types: the class that a type names, its possible values, and its fields in V1's responses.
import { childFor, type FieldNode, recordWith, tellingNames } from "../../names/fields.ts";
import { type DeclaredField, type Expression, type Statement, walk } from "../code.ts";
import { learnedGuess, noArguments, tellDecoded } from "../frame.ts";
import type {
  Atom,
  Cell,
  ClassAtom,
  DataAtom,
  Frame,
  FunctionAtom,
  ObjectAtom,
  Scope,
  Value,
} from "./atoms.ts";
import {
  dataOf,
  fill,
  findCell,
  itemAt,
  join,
  keyOf,
  newData,
  newObject,
  ofKind,
  remember,
} from "./values.ts";

const names = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;

function findNamed(path: string, scope: Scope): ClassAtom | undefined {
  const [first = "", ...rest] = path.split(".");
  let value = findCell(scope, first)?.value ?? [];
  for (const name of rest)
    value = ofKind(value, "object").flatMap(({ fields }) => fields.get(name)?.value ?? []);
  return ofKind(value, "class")[0];
}

/** The first class that a type's text names: `[]*rep.Passport`, `Promise<Passport>`, `list[Passport]`. */
export function findClass(type: string | undefined, { scope }: Frame, from = scope): ClassAtom | undefined {
  if (!type || type.length > 200) return undefined;
  for (const [path] of type.matchAll(names)) {
    const known = findNamed(path, from);
    if (known) return known;
  }
  return undefined;
}

const isList = (type: string) => /\[\]|\b(Array|list|List|Sequence|Iterable)\b/.test(type);

/** `{ dataSources: Sources; passport?: Passport | null }` */
function recordOf(type: string, frame: Frame, from: Scope): Value {
  const object = newObject();
  for (const [, key = "", of] of type.matchAll(/(\w+)\??:\s*([^{};,]+)/g)) {
    const value = typedValue(of, frame, from);
    if (value.length > 0) object.fields.set(key, { value });
  }
  return object.fields.size > 0 ? [object] : [];
}

/** What a declared type says of a value that came from nowhere we know. */
export function typedValue(type: string | undefined, frame: Frame, from = frame.scope, depth = 0): Value {
  if (type?.startsWith("{")) return recordOf(type, frame, from);
  const [, maker] = /\bReturnType<typeof (\w+)>/.exec(type ?? "") ?? [];
  const makers = maker ? ofKind(findCell(from, maker)?.value ?? [], "function") : [];
  if (makers.length > 0)
    return join(...makers.map((target) => frame.flow.apply(target, noArguments, frame, target.code.line)));
  const known = findClass(type, frame, from);
  if (!known) return [];
  if (known.same && known.scope)
    return depth > 3 ? [] : typedValue(known.same, frame, known.scope, depth + 1);
  const one: Value = [known.shape ? newData(known.shape, "type", known.guess) : known.instance];
  if (!isList(type!) || (!known.shape && frame.module.language.keys !== "any-case")) return one;
  const list = newObject();
  list.element.value = one;
  list.type = known;
  return [list];
}

const keysByVariable = new WeakMap<object, Map<string, Set<string>>>();

/** The keys that code reads from each of its variables: `p.score`, `p["score"]`, `p.get("score")`, `{ score } = p`. */
function keysReadIn(body: readonly Statement[]): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>();
  const add = (of: Expression, key: unknown) => {
    if (of.kind === "name" && typeof key === "string")
      keys.set(of.name, (keys.get(of.name) ?? new Set()).add(key));
  };
  const textOf = (one: Expression | undefined) => (one?.kind === "text" ? one.parts[0] : undefined);
  walk(body, (one) => {
    if (one.kind === "member") add(one.of, one.key);
    else if (one.kind === "element") add(one.of, textOf(one.index));
    else if (one.kind === "call" && one.callee.kind === "member" && one.callee.key === "get")
      add(one.callee.of, textOf(one.args[0]?.value));
    else if (one.kind === "bind" && one.into.kind === "fields")
      for (const { key } of one.into.fields) add(one.value, key);
  });
  return keys;
}

/** A variable of unknown origin is a record of V1 by a name that only V1 has, near V1's names. */
export function namedRecord(variable: string, { flow, module, code }: Frame): Value {
  const { keys: naming } = module.language;
  // Where fields are renamed, rows of the team's own database look the same.
  const files = naming === "exact" ? flow.near : flow.unaddressed;
  if (flow.round === 0 || naming === "any-case" || !files.has(module.file)) return [];
  const body = code?.body ?? module.statements;
  const keys = remember(keysByVariable, body, () => keysReadIn(body)).get(variable);
  const node = keys && recordWith([...keys], tellingNames, new Set());
  return node ? [newData(node, "name")] : [];
}

/** Embedded structs lend their fields and methods; a field that nobody filled is what its type says. */
export function declaredFields({ type }: ObjectAtom, key: string): readonly DeclaredField[] {
  const own = type?.declared.filter(({ name }) => name === key) ?? [];
  return own.length > 0 ? own : (type?.declared.filter(({ isEmbedded }) => isEmbedded) ?? []);
}

const overlap = (known: ClassAtom, node: FieldNode): number =>
  known.declared.filter((field) => field.isEmbedded || childFor(node, field.key, field.name)).length;

/** Into a list or a map of it goes what the answer's own lists and records hold. */
function placeOf(known: ClassAtom, node: FieldNode): FieldNode | undefined {
  const record = node.element ?? node;
  if (overlap(known, record) > 0) return record;
  const inside = [...node.children.values()].map((child) => child.element ?? child);
  return inside.find((child) => overlap(known, child) > 0);
}

/** Whether a value of V1 can be of this type. */
export function fitsType(known: ClassAtom | undefined, node: FieldNode): boolean {
  if (!known) return false;
  if (known.same !== undefined) return isList(known.same) && node.element !== undefined;
  return known.declared.some(
    ({ key, name, isEmbedded }) => !isEmbedded && childFor(node, key, name) !== undefined,
  );
}

/** A type that an answer of V1 was decoded into is V1's, and so are the types of its fields. */
export function learnType(known: ClassAtom, atom: DataAtom, frame: Frame): void {
  const place = placeOf(known, atom.node);
  known.learned ??= new Set();
  if (!place || known.same || known.learned.has(place)) return;
  known.learned.add(place);
  if (!known.shape) Object.assign(known, { shape: place, guess: atom.guess && learnedGuess + atom.guess });
  else if (!atom.guess) known.guess = undefined;
  const { models } = frame.flow;
  if (frame.module.language.keys !== "any-case")
    models.set(place, (models.get(place) ?? new Set()).add(known));
  tellDecoded(frame.flow, known, { ...atom, node: place });
  for (const field of known.declared) {
    const child = field.isEmbedded ? place : childFor(place, field.key, field.name);
    const named = findClass(field.type, frame, known.scope);
    for (const inner of child ? [...(field.of ?? []), ...(named ? [named] : [])] : [])
      learnType(inner, { ...atom, node: child! }, frame);
  }
}

/** What an answer is decoded into has V1's shape from then on. */
export function decodeAnswer(cell: Cell, data: Value, frame: Frame): void {
  const objects = ofKind(cell.value, "object");
  const types = objects.flatMap(({ type }) => type ?? []);
  for (const atom of dataOf(data)) {
    if (atom.basis === "flow") for (const type of types) learnType(type, atom, frame);
  }
  // `map[string]any{"passport": &p}`
  for (const { fields, type } of objects) {
    for (const [name, inner] of fields) {
      const key = type?.declared.find((field) => field.name === name)?.key ?? name;
      const children = dataOf(data).flatMap((atom) => {
        const node = childFor(atom.node, key, key);
        return node ? [{ ...atom, node }] : [];
      });
      for (const pointer of children.length > 0 ? ofKind(inner.value, "reference") : [])
        decodeAnswer(pointer.cell, children, frame);
    }
  }
  fill(cell, data);
}

/** `get[page[row]](…)`: the types that were asked for. */
export function learnAsked(as: string | undefined, value: Value, frame: Frame): void {
  const known = (as?.match(/[\w$.]+/g) ?? []).flatMap((name) => findClass(name, frame) ?? []);
  for (const atom of known.length > 0 ? dataOf(join(value, itemAt(value, 0))) : [])
    if (atom.basis === "flow") for (const type of known) learnType(type, atom, frame);
}

// Methods: a function of a class, bound to its receiver.
const bound = new WeakMap<FunctionAtom, Map<string, FunctionAtom>>();

/** One for each value, so that what it gave is remembered. */
export const bindTo = (method: FunctionAtom, self: Atom): FunctionAtom =>
  remember(
    remember(bound, method, () => new Map()),
    keyOf([self]),
    () => ({ ...method, self: [self], memo: new Map() }),
  );

const isOwnedBy = ({ self: [owner] }: FunctionAtom, instance: ObjectAtom): boolean =>
  owner === instance || (owner?.kind === "class" && owner.instance === instance);

/** An inherited method works on the heir, and a model's on what was decoded. */
export const bindMethods = (value: Value, owner: ObjectAtom, self: Atom): Value =>
  self === owner
    ? value
    : value.map((atom) => {
        if (atom.kind !== "function" || !isOwnedBy(atom, owner)) return atom;
        const takesClass = atom.code.isOfClass === true;
        return takesClass === (self.kind === "class") ? bindTo(atom, self) : atom;
      });
