// Declared types: which class a text names, what a value of it may be, and what V1's answers make of it.
import type { FieldNode } from "./consumer-fields.ts";
import type { DeclaredField } from "./scan-code.ts";
import type { Frame } from "./scan-frame.ts";
import {
  type ClassAtom,
  findCell,
  newObject,
  type ObjectAtom,
  ofKind,
  type Scope,
  type Value,
} from "./scan-values.ts";

const names = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;

function findNamed(path: string, scope: Scope): ClassAtom | undefined {
  const [first = "", ...rest] = path.split(".");
  let value = findCell(scope, first)?.value ?? [];
  for (const name of rest)
    value = ofKind(value, "object").flatMap(({ fields }) => fields.get(name)?.value ?? []);
  return ofKind(value, "class")[0];
}

/** The first class that a type's text names: `[]*rep.Passport`, `Promise<Passport>`, `list[Passport]`. */
export function findClass(
  type: string | undefined,
  { module, scope }: Frame,
  from = scope,
): ClassAtom | undefined {
  if (!type || type.length > 200) return undefined;
  for (const [path] of type.matchAll(names)) {
    const last = path.slice(path.lastIndexOf(".") + 1);
    // Go's names are exact; elsewhere a name may have come in by another way.
    const known = findNamed(path, from) ?? (module.language === "go" ? undefined : findNamed(last, from));
    if (known) return known;
  }
  return undefined;
}

const isList = (type: string) => /\[\]|\b(Array|list|List|Sequence|Iterable)\b/.test(type);

/** What a declared type says of a value that came from nowhere we know. */
export function typedValue(type: string | undefined, frame: Frame, from = frame.scope): Value {
  const known = findClass(type, frame, from);
  if (!known) return [];
  if (known.same && known.scope) return typedValue(known.same, frame, known.scope);
  const one: Value = known.shape
    ? [{ kind: "data", node: known.shape, isSure: true, basis: "type" }]
    : [known.instance];
  if (!isList(type!) || (!known.shape && frame.module.language !== "go")) return one;
  const list = newObject();
  list.element.value = one;
  list.type = known;
  return [list];
}

/** Go: a variable of this type before anything is put into it. */
export function emptyOf(type: string | undefined, frame: Frame): Value {
  const known = findClass(type, frame);
  if (!known) return [];
  const object = newObject();
  object.type = known;
  if (!isList(type!) && !known.same) object.beneath = [known.instance];
  return [object];
}

/** Embedded structs lend their fields and methods; a field that nobody filled is what its type says. */
export function declaredFields({ type }: ObjectAtom, key: string): readonly DeclaredField[] {
  const own = type?.declared.filter(({ name }) => name === key) ?? [];
  return own.length > 0 ? own : (type?.declared.filter(({ isEmbedded }) => isEmbedded) ?? []);
}

const childOf = (node: FieldNode, { key, name }: DeclaredField): FieldNode | undefined =>
  node.children.get(key) ?? (key === name ? node.children.get(key.toLowerCase()) : undefined);

const overlap = (known: ClassAtom, node: FieldNode): number =>
  known.declared.filter((field) => field.isEmbedded || childOf(node, field)).length;

/** Into a list or a map of it goes what the answer's own lists and records hold. */
function placeOf(known: ClassAtom, node: FieldNode): FieldNode | undefined {
  const record = node.element ?? node;
  if (overlap(known, record) > 0) return record;
  const inside = [...node.children.values()].map((child) => child.element ?? child);
  return inside.find((child) => overlap(known, child) > 0);
}

/** Whether a value of V1 can be of this type. */
export const fitsType = (known: ClassAtom, node: FieldNode): boolean =>
  known.same
    ? isList(known.same) === (node.element !== undefined)
    : known.declared.some((field) => !field.isEmbedded && childOf(node, field) !== undefined);

/** A type that an answer of V1 was decoded into is V1's, and so are the types of its fields. */
export function learnShape(known: ClassAtom, node: FieldNode, frame: Frame, depth = 0): void {
  const place = placeOf(known, node);
  if (!place || depth > 6 || known.same || known.learned) return;
  known.learned = true;
  known.shape ??= place;
  for (const field of known.declared) {
    const child = field.isEmbedded ? place : childOf(place, field);
    const inner = child && findClass(field.type, frame, known.scope);
    if (child && inner) learnShape(inner, child, frame, depth + 1);
  }
}
