// The abstract values (atoms) of the data-flow analysis. An empty list means a value unrelated to V1.
import type { EndpointId } from "../../../contract/endpoints.ts";
import type { AddressMatcher } from "../../names/addresses.ts";
import type { FieldNode } from "../../names/fields.ts";
import type { DeclaredField, Expression, FunctionCode, Statement } from "../code.ts";

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
  /** The struct that it is, or that a list holds. */
  type?: ClassAtom;
  isChannel?: boolean;
  /** The results of one call, which another may take as its arguments. */
  isMany?: boolean;
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
  /** The uncertain call that showed the shape. */
  guess?: string | undefined;
  /** `of`: types that are written in place of a name. */
  declared: readonly (DeclaredField & { of?: readonly ClassAtom[] })[];
  /** Where the types of its fields are looked up. */
  scope?: Scope;
  /** What it is another name for. */
  same?: string | undefined;
  isInterface?: boolean | undefined;
  /** The parts of V1's answers that were decoded into it. */
  learned?: Set<FieldNode>;
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
  /** Names that other modules see; in some languages those of the whole package. */
  exported: Scope;
  frame: Frame;
  /** The JSON keys behind a field's name, in the package. */
  tags: Map<string, Set<string>>;
  /** The same for the whole tree, for types of other packages. */
  allTags: Map<string, Set<string>>;
  /** Methods by name, for receivers of unknown type. */
  methods: Map<string, FunctionAtom[]>;
  /** The same for the whole tree, for interfaces and V1's own values. */
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
  /** Which endpoints stand behind an error's name. */
  errors: Map<string, ReadonlySet<Met>>;
  depth: number;
  /** Above 0 an assignment may not happen, and adds instead of replacing. */
  branches: number;
  /** One object for each place that makes one. */
  made: Map<Expression, ObjectAtom>;
};

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
    | { kind: "proof" }
    /** `through`: where the request is sent, which may be inside a wrapper. */
    | { kind: "call"; through?: string }
    | { kind: "read" | "decode" | "undocumented"; field: string; name: string }
    | { kind: "hazard"; rule: HazardRule }
  );

export type Template = { file: string; text: string };

/** Everything mutual: the parts call each other through it. */
export type Flow = {
  evaluate(expression: Expression, frame: Frame): Value;
  run(statements: readonly Statement[], frame: Frame): void;
  apply(target: FunctionAtom, args: Arguments, frame: Frame, line: number): Value;
  /** The module of the tree that a file imports. */
  importModule(module: Module, specifier: string): Module | undefined;
  /** The template of the tree that a program names. */
  findTemplate(name: string): Template | undefined;
  tell(sighting: Sighting): void;
  matcher: AddressMatcher;
  /** Whether the tree serves `/api/v1/passports` itself. */
  servesPath: boolean;
  /** Files that read names of V1 from something else, such as another service. */
  others: Set<string>;
  /** Files that name V1, and their neighbours. */
  near: ReadonlySet<string>;
  /** Those without a V1 path around them: a request to an unknown address may be one to V1. */
  unaddressed: ReadonlySet<string>;
  makeFunction(code: FunctionCode, frame: Frame, self?: Value, inside?: string): FunctionAtom;
  literals: Literal[];
  /** The functions that are being called, the innermost last. */
  running: FunctionCode[];
  /** Objects of the tree that were put under a name into something of a framework's: `app.passports = Client()`. */
  attributes: Map<string, Cell>;
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

export type Invocation = {
  callee: Expression;
  name: string;
  receiver: Value | undefined;
  args: Arguments;
  /** Endpoints met on the way to the receiver: a chain's rejection is theirs. */
  met: ReadonlySet<Met>;
  line: number;
  /** The call as it is written, and the expressions of its arguments. */
  call: Extract<Expression, { kind: "call" }>;
  source: readonly Expression[];
  /** What the callee may be. */
  targets: Value;
};

// What the interpreter asks a language. Everything that is a language's own stands in its folder.
type Branch = Extract<Statement, { kind: "branch" }>;
type Step = Extract<Statement, { kind: "bind" | "do" }>;

export type Language = {
  id: string;
  /** How a field's name in code stands for V1's key: by the key itself, by an alias, or in any case of letters. */
  keys: "exact" | "alias" | "any-case";
  /** What was put into a dictionary under an unknown key may be under any. */
  readsAnyKey: boolean;
  /** Names of methods that the language calls by itself. */
  methods: {
    constructors: readonly string[];
    call: readonly string[];
    get: readonly string[];
  };
  /** Methods of a response that give the response again. */
  answerMethods: RegExp;
  /** Functions whose result has the value inside, under a name such as `.data`. */
  boxedBy?: RegExp;
  /** How deep in objects a library looks for callbacks. */
  callbackDepth: number;
  /** A call that means something in this language, before and after it is looked at as a request. */
  callFirst?(invocation: Invocation, frame: Frame): Value | undefined;
  callLast?(invocation: Invocation, frame: Frame): Value | undefined;
  /** Methods by their name, for a receiver whose type has them elsewhere. */
  findMethods?(key: string, receiver: Value, module: Module): Value;
  /** What becomes of an instance beside running its constructor. */
  construct?(type: ClassAtom, made: ObjectAtom, args: Arguments, frame: Frame, line: number): void;
  /** What a framework gives to a parameter for which there is no argument. */
  parameter?(code: FunctionCode, index: number, flow: Flow): Value;
  /** A component with its properties. */
  render?(markup: Extract<Expression, { kind: "markup" }>, frame: Frame): void;
  /** An element of a value that has columns instead of items. */
  readElement?(value: Value, index: Value, frame: Frame, line: number): Value | undefined;
  openObject?(object: ObjectAtom, frame: Frame, line: number): void;
  beginModule?(module: Module, flow: Flow): void;
  /** Hazards of the language's own way to hand errors over. */
  checkStep?(step: Step, value: Value, met: ReadonlySet<Met>, frame: Frame): void;
  checkBranch?(branch: Branch, met: ReadonlySet<Met>, frame: Frame): void;
};

export type Hook<K extends keyof Language> = NonNullable<Language[K]>;
