// The abstract values (atoms) of the data-flow analysis. An empty list means a value unrelated to V1.
import type { EndpointId } from "../../../contract/endpoints.ts";
import type { AddressBook } from "../../names/addresses.ts";
import type { FieldNode } from "../../names/fields.ts";
import type { DeclaredField, Expression, FunctionCode, Language, Statement } from "../code.ts";

export type Cell = {
  value: Value;
  /** Where a literal's entry is written. */
  site?: Site;
};
export type Scope = { names: Map<string, Cell>; parent: Scope | undefined };

export type Site = { file: string; line: number; inside: string };

/** A V1 path written in the source; one that reaches no call is reported with less confidence. */
export type Literal = Site & { text: string; isUsed: boolean };

export type TextAtom = {
  kind: "text";
  text: string;
  /** Where the path was handed to a wrapper: the call that chose the endpoint. */
  via: Site | undefined;
  literals: readonly Literal[];
};

/** How a value is known to be V1's: followed from a call, declared as its shape, or only named like it. */
export type Basis = "flow" | "type" | "name";

/** A value out of a V1 answer, or the answer itself at the body's node. */
export type DataAtom = {
  kind: "data";
  node: FieldNode;
  basis: Basis;
  /** The uncertain call that it came from: it is V1's only if something is read that only V1 has. */
  guess: string | undefined;
  /** Inside something of a library's making, such as a query's result: `.data` and the like lead to it. */
  isWrapped?: boolean;
};

/** An endpoint that was asked for, with the call if that is uncertain. */
export type Met = EndpointId | `${EndpointId} ${string}`;

export const metOf = ({ node, guess }: DataAtom): Met =>
  guess === undefined ? node.endpoint : `${node.endpoint} ${guess}`;

export type ObjectAtom = {
  kind: "object";
  fields: Map<string, Cell>;
  /** What lists and dictionaries hold under keys that are not known. */
  element: Cell;
  /** Spread into it, or the prototype of it. */
  beneath: Value;
  isTuple: boolean;
  /** More items than are known follow. */
  isOpen?: boolean;
  /** A data frame: its columns are its records' fields. */
  isTable?: boolean;
  /** Go: the struct that it is, or that a list holds. */
  type?: ClassAtom;
  isChannel?: boolean;
  /** Go: the results of one call, which another may take as its arguments. */
  isMany?: boolean;
  /** Of a class of the tree. */
  isInstance?: boolean;
  /** The state of an application: any name may be a part of it. */
  isState?: boolean;
  /** As with data; a box such as a store or a subject holds what it was given as its element. */
  isWrapped?: boolean;
};

export type FunctionAtom = {
  kind: "function";
  code: FunctionCode;
  scope: Scope;
  self: Value;
  inside: string;
  module: Module;
  memo: Map<string, { value: Value; touched: ReadonlySet<Met> }>;
  /** Was called with an answer: what it does with anything unknown says nothing more. */
  isFed: boolean;
  /** Arguments that it already has: Python's partial. */
  given?: { positional: readonly Value[]; named: ReadonlyMap<string, Value> };
};

export type ClassAtom = {
  kind: "class";
  name: string;
  /** Where it is declared. */
  file: string;
  /** A decoder checks it: unlike an interface or a TypedDict, which exist for the type checker only. */
  isChecked?: boolean;
  /** One for all: what any of them was given, each may have. */
  instance: ObjectAtom;
  /** The part of V1's bodies that its declared fields describe. */
  shape: FieldNode | undefined;
  /** `of`: types that are written in place of a name. */
  declared: readonly (DeclaredField & { of?: readonly ClassAtom[] })[];
  /** Where the types of its fields are looked up. */
  scope?: Scope;
  /** Go: what it is another name for. */
  same?: string | undefined;
  isInterface?: boolean | undefined;
  /** An answer of V1 was decoded into it. */
  learned?: boolean;
};
export type ReferenceAtom = { kind: "reference"; cell: Cell };
/** The second half of `useState`: to call it is to fill the cell, with what a reducer makes of it. */
export type SetterAtom = { kind: "setter"; cell: Cell; through?: Value };
/** Whether an answer is one: `ok`, `status`. */
export type StatusAtom = { kind: "status"; of: Met };
/** An answer of another service: whatever its fields are called, they are not V1's. */
export type ForeignAtom = { kind: "foreign" };

export type Atom =
  | TextAtom
  | DataAtom
  | ObjectAtom
  | FunctionAtom
  | ClassAtom
  | ReferenceAtom
  | SetterAtom
  | StatusAtom
  | ForeignAtom;
export type Value = readonly Atom[];

export type Module = {
  flow: Flow;
  file: string;
  language: Language;
  statements: readonly Statement[];
  /** Names that other modules see; in Go those of the whole package. */
  exported: Scope;
  frame: Frame;
  /** Go: the JSON keys behind a field's name, in the package. */
  tags: Map<string, Set<string>>;
  /** Go: the same for the whole tree, for types of other packages. */
  allTags: Map<string, Set<string>>;
  /** Go: methods by name, for receivers of unknown type. */
  methods: Map<string, FunctionAtom[]>;
  /** Go: the same for the whole tree, for interfaces and V1's own values. */
  allMethods: Map<string, FunctionAtom[]>;
  /** Imported names that stand for something outside the tree. */
  outside: Set<string>;
  /** The names that others gave to what is imported here under another name. */
  aliases: Map<string, string>;
  /** Functions not yet looked into for their own sake. */
  pending: Map<FunctionCode, FunctionAtom[]>;
  /** V1's values or names pass through it to whoever imports it. */
  carries: boolean;
};

export type Frame = {
  flow: Flow;
  module: Module;
  scope: Scope;
  self: Value;
  inside: string;
  code: FunctionCode | undefined;
  returned: Cell;
  yielded: Cell;
  /** Endpoints met so far, to know what an error handler handles. */
  touched: Set<Met>;
  /** Go: which endpoints stand behind an error's name. */
  errors: Map<string, ReadonlySet<Met>>;
  /** Go: variables that were given nothing so far. */
  blank?: Set<string>;
  depth: number;
  /** Python: parameters that are None unless given, and whether this call gives them. */
  given?: Map<string, boolean>;
  /** A branch that this call surely takes has returned. */
  isOver?: boolean;
  /** Above 0 an assignment may not happen, and adds instead of replacing. */
  branches: number;
  /** One object for each place that makes one. */
  made: Map<Expression, ObjectAtom>;
};

// Values as keys, for remembering what was done with them.
let identities = 0;
const identity = new WeakMap<object, number>();
const identify = (thing: object): number => {
  const known = identity.get(thing);
  if (known !== undefined) return known;
  identities += 1;
  identity.set(thing, identities);
  return identities;
};

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

// The analysis itself: what its parts share, and what they report.
export const hazardRules = [
  "fallback-default",
  "catch-default",
  "status-default",
  "string-number",
  "integer-id",
] as const;
export type HazardRule = (typeof hazardRules)[number];

export type Sighting = Site & {
  endpoint: EndpointId;
  basis: Basis;
  /** The call that is one to V1 only if a proof is found among what is read from it. */
  guess: string | undefined;
} & (
    | { kind: "call" | "proof" }
    | { kind: "read" | "decode" | "undocumented"; field: string; name: string }
    | { kind: "hazard"; rule: HazardRule }
  );

/** Everything mutual: the parts call each other through it. */
export type Flow = {
  evaluate(expression: Expression, frame: Frame): Value;
  run(statements: readonly Statement[], frame: Frame): void;
  apply(target: FunctionAtom, args: Arguments, frame: Frame, line: number): Value;
  /** The module of the tree that a file imports. */
  importModule(module: Module, specifier: string): Module | undefined;
  tell(sighting: Sighting): void;
  book: AddressBook;
  /** Files that read names of V1 from something else, such as another service. */
  others: Set<string>;
  /** Files in which a request to an unknown address may be one to V1. */
  near: ReadonlySet<string>;
  makeFunction(code: FunctionCode, frame: Frame, self?: Value, inside?: string): FunctionAtom;
  literals: Literal[];
  /** The functions that are being called, the innermost last. */
  running: FunctionCode[];
  /** Classes that V1's values are decoded into. */
  models: Map<FieldNode, Set<ClassAtom>>;
  steps: number;
  stepLimit: number;
  /** The file from which values are being followed, and those where the steps ran out. */
  start: string;
  cut: Set<string>;
  /** Modules run twice: what one learns late, another knows the second time. */
  round: number;
};

export type Arguments = {
  positional: readonly Value[];
  named: ReadonlyMap<string, Value>;
  /** What a spread of unknown length may give to every further parameter. */
  rest?: Value;
};
