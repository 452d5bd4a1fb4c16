// Operations on abstract values: join, wrap, filter by kind, concatenate strings.
import { hole } from "../../names/addresses.ts";
import type { FieldNode } from "../../names/fields.ts";
import type {
  Arguments,
  Atom,
  Basis,
  Cell,
  ClassAtom,
  DataAtom,
  ForeignAtom,
  Frame,
  ObjectAtom,
  Scope,
  TextAtom,
  Value,
} from "./atoms.ts";

const maxAtoms = 8;
const maxTextLength = 500;

function isSame(a: Atom, b: Atom): boolean {
  if (a.kind === "text" && b.kind === "text") return a.text === b.text && a.via === b.via;
  if (a.kind === "data" && b.kind === "data")
    return a.node === b.node && a.guess === b.guess && a.basis === b.basis && a.isWrapped === b.isWrapped;
  if (a.kind === "function" && b.kind === "function") return a.code === b.code && a.self[0] === b.self[0];
  if (a.kind === "reference" && b.kind === "reference") return a.cell === b.cell;
  if (a.kind === "status" && b.kind === "status") return a.of === b.of;
  return a === b;
}

export function join(...values: readonly Value[]): Value {
  const joined: Atom[] = [];
  for (const value of values) {
    for (const atom of value) {
      if (joined.length < maxAtoms && !joined.some((other) => isSame(other, atom))) joined.push(atom);
    }
  }
  return joined;
}

export const fill = (cell: Cell, value: Value): void => {
  cell.value = join(cell.value, value);
};

/** What is kept under a key; made the first time. */
export function remember<K, V>(
  kept: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

export const cellAt = ({ fields }: Pick<ObjectAtom, "fields">, key: string): Cell =>
  remember(fields, key, () => ({ value: [] }));

export const fillField = (object: Pick<ObjectAtom, "fields">, key: string, value: Value): void =>
  fill(cellAt(object, key), value);

export const newObject = (isTuple = false): ObjectAtom => ({
  kind: "object",
  fields: new Map(),
  element: { value: [] },
  beneath: [],
  isTuple,
});

export const newData = (node: FieldNode, basis: Basis, guess?: string): DataAtom => ({
  ...{ kind: "data", node, basis, guess },
});

/** A class that nothing is known of but its name, its fields and where it is declared. */
export const newClass = (name: string, declared: ClassAtom["declared"], frame: Frame): ClassAtom => ({
  ...{ kind: "class", name, file: frame.module.file, declared, scope: frame.scope },
  ...{ instance: newObject(), shape: undefined },
});

/** A list or a dictionary of items like this one. */
export const listOf = (element: Value, more: Partial<ObjectAtom> = {}): Value => [
  { ...newObject(), ...more, element: { value: element } },
];

export function tupleOf(...items: readonly Value[]): Value {
  const tuple = newObject(true);
  for (const [index, value] of items.entries()) tuple.fields.set(String(index), { value });
  return [tuple];
}

/** Arguments without names. */
export const given = (...positional: readonly Value[]): Arguments => ({ positional, named: new Map() });

export const foreign: ForeignAtom = { kind: "foreign" };

const wrappedObjects = new WeakMap<Map<string, Cell>, ObjectAtom>();

/** What a library gives back for what it was given: the same, in a wrapping of its own. */
export const wrap = (value: Value): Value =>
  value.map((atom): Atom => {
    if (atom.kind === "data") return { ...atom, isWrapped: true };
    if (atom.kind !== "object" || atom.isWrapped) return atom;
    return remember(wrappedObjects, atom.fields, () => ({ ...atom, isWrapped: true }));
  });

export const newScope = (parent?: Scope): Scope => ({ names: new Map(), parent });

export function findCell(from: Scope, name: string): Cell | undefined {
  for (let scope: Scope | undefined = from; scope; scope = scope.parent) {
    const cell = scope.names.get(name);
    if (cell) return cell;
  }
  return undefined;
}

export const ofKind = <K extends Atom["kind"]>(value: Value, kind: K): Extract<Atom, { kind: K }>[] =>
  (kind === "reference" ? value : dereference(value)).filter(
    (atom): atom is Extract<Atom, { kind: K }> => atom.kind === kind,
  );

export const dataOf = (value: Value): DataAtom[] => ofKind(value, "data");
export const isBody = ({ node }: DataAtom): boolean => node.path === "";

/** What stands behind references. */
export const dereference = (value: Value): Value =>
  value.some(({ kind }) => kind === "reference")
    ? value.flatMap((atom): Value => (atom.kind === "reference" ? atom.cell.value : [atom]))
    : value;

export const plainText = (text: string): TextAtom => ({ kind: "text", text, via: undefined, literals: [] });

/** Where nothing is known of a part there is a hole. */
export const textsOf = (value: Value): readonly TextAtom[] => {
  const texts = ofKind(value, "text");
  return texts.length > 0 ? texts : [plainText(hole)];
};

/** A word of its own after `passports/` is somebody's id; only a path written in one piece names another resource. */
const idOr = (left: string, right: string): string =>
  left.endsWith("/passports/") && /^\w+$/.test(right) ? hole : right;

export function concatenate(
  parts: readonly Value[],
  glue = (left: string, right: string) => left + right,
): Value {
  let texts: readonly TextAtom[] = [plainText("")];
  for (const part of parts) {
    texts = texts
      .flatMap((left) =>
        textsOf(part).map(
          (right): TextAtom => ({
            kind: "text",
            text: glue(left.text, idOr(left.text, right.text)).slice(0, maxTextLength),
            via: left.via ?? right.via,
            literals: [...left.literals, ...right.literals],
          }),
        ),
      )
      .slice(0, maxAtoms);
  }
  return texts;
}

// The items of a value: all, in their order, or the one at a position.
/** What a list or dictionary holds. A single record stays itself: a body is often wrapped once more. */
export function elementsOf(value: Value): Value {
  return join(
    ...dereference(value).map((atom): Value => {
      if (atom.kind === "data") {
        if (atom.node.element) return [{ ...atom, node: atom.node.element }];
        return isBody(atom) || atom.isWrapped ? [atom] : [];
      }
      if (atom.kind === "foreign") return [atom];
      if (atom.kind !== "object") return [];
      const beneath = atom.isWrapped ? elementsOf(atom.beneath) : [];
      return join(atom.element.value, ...[...atom.fields.values()].map((cell) => cell.value), beneath);
    }),
  );
}

/** All items in their order, where each is a text, such as the steps of a path. */
export function orderedTexts(value: Value): Value[] {
  const items = orderedItems(value) ?? [];
  const isText = (item: Value) => item.length > 0 && item.every(({ kind }) => kind === "text");
  return items.every(isText) ? items : [];
}

/** All items in their order; undefined where that is not known. */
export function orderedItems(value: Value): Value[] | undefined {
  const atoms = dereference(value);
  const [list] = atoms;
  if (atoms.length !== 1 || list?.kind !== "object" || !list.isTuple || list.isOpen) return undefined;
  if (list.element.value.length > 0 || list.beneath.length > 0) return undefined;
  return [...list.fields.values()].map((cell) => cell.value);
}

/** The item at a position, where positions are known. */
export function itemAt(value: Value, index: number): Value {
  return join(
    ...dereference(value).map((atom): Value => {
      if (atom.kind === "object" && atom.isTuple)
        return atom.fields.get(String(index))?.value ?? atom.element.value;
      // `resp, err := call()`: the answer is the first, the error says nothing.
      if (atom.kind === "data" && !atom.node.element) return index === 0 ? [atom] : [];
      if (atom.kind === "foreign") return [atom];
      if (atom.kind === "text" || atom.kind === "class") return index === 0 ? [atom] : [];
      if (atom.kind === "object" && atom.element.value.length === 0) return index === 0 ? [atom] : [];
      return elementsOf([atom]);
    }),
  );
}

// Values as keys, for remembering what was done with them.
let identities = 0;
const identity = new WeakMap<object, number>();
const identify = (thing: object): number => remember(identity, thing, () => ++identities);

const keyOfAtom = (atom: Atom): string => {
  if (atom.kind === "text") return `t${atom.text}${atom.via ? `@${atom.via.file}:${atom.via.line}` : ""}`;
  if (atom.kind === "data")
    return `d${identify(atom.node)}${atom.guess ?? ""}${atom.basis}${atom.isWrapped ? "w" : ""}`;
  if (atom.kind === "status") return `s${atom.of}`;
  if (atom.kind === "reference" || atom.kind === "setter") return `r${identify(atom.cell)}`;
  return `o${identify(atom)}`;
};

/** The same key, the same value: for remembering what a function gave. */
export const keyOf = (value: Value): string => value.map(keyOfAtom).join("|");
