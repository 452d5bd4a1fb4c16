// The intermediate representation of the data-flow analysis. Each language's reader lowers its syntax tree to
// it, so that the analysis itself is language-independent.

export type Argument = { name?: string | undefined; value: Expression };
/** An entry without a key is a spread. */
export type Entry = {
  key?: string | undefined;
  value: Expression;
  /** A key that is computed. */
  at?: Expression | undefined;
};

export type Expression = { line: number } & (
  | { kind: "text"; parts: readonly (string | Expression)[] }
  /** `0`, `1`, `null`, `true`, `false`, `""`. */
  | { kind: "constant"; value: string }
  | { kind: "name"; name: string }
  | { kind: "member"; of: Expression; key: string }
  | { kind: "element"; of: Expression; index: Expression | undefined }
  /** `as`: the type that a generic function is asked for. */
  | {
      kind: "call";
      callee: Expression;
      args: readonly Argument[];
      as?: string | undefined;
    }
  | { kind: "function"; code: FunctionCode }
  | { kind: "object"; entries: readonly Entry[]; type?: string | undefined }
  /** With a type: a list of it, or a struct with its fields in their order. */
  | {
      kind: "list";
      items: readonly Expression[];
      type?: string | undefined;
      isChannel?: boolean;
      /** The length arguments of `make`. */
      sizes?: readonly Expression[];
    }
  | { kind: "spread"; of: Expression }
  /** `of`, or `instead` where `of` is missing: `||`, `??`, `or`. An empty group, for what is sorted into it, hides nothing. */
  | { kind: "fallback"; of: Expression; instead: Expression; isGroup?: boolean }
  | { kind: "choice"; test: Expression; yes: Expression; no: Expression }
  | { kind: "operation"; operator: string; left: Expression; right: Expression }
  /** `&x`: whoever gets it may fill `x`. */
  | { kind: "reference"; of: Expression }
  /** `x.(T)`, which says what a value of unknown origin is. */
  | { kind: "cast"; of: Expression; type: string | undefined }
  | { kind: "assignment"; into: Pattern; value: Expression }
  /** A comprehension: statements, then the value of each round. */
  | { kind: "collect"; body: readonly Statement[]; value: Expression; key?: Expression }
  | { kind: "yield"; of: Expression; each: boolean }
  /** `<Row person={person} />`: a component and its properties. */
  | { kind: "markup"; of: Expression; props: Expression }
  | { kind: "other"; parts: readonly Expression[] }
);

export type Pattern =
  | { kind: "name"; name: string; declares: boolean; type?: string | undefined }
  | { kind: "place"; place: Expression }
  | {
      kind: "fields";
      fields: readonly { key: string; into: Pattern; instead?: Expression | undefined; line: number }[];
      rest: Pattern | undefined;
    }
  /** `rest` marks the last item as the remainder. */
  | { kind: "items"; items: readonly (Pattern | undefined)[]; rest: boolean }
  | { kind: "nothing" };

export type Parameter = {
  into: Pattern;
  /** The argument's name, where callers may use it. */
  name?: string | undefined;
  type?: string | undefined;
  instead?: Expression | undefined;
  /** Written before a parameter that is kept as a field of the instance. */
  isField?: boolean;
  /** Gets the object that a method belongs to. */
  isSelf?: boolean;
  /** Takes all the arguments that are left, as a list. */
  isRest?: boolean;
  /** Takes all the named arguments that are left, as an object. */
  isNamedRest?: boolean;
};

export type FunctionCode = {
  name?: string | undefined;
  params: readonly Parameter[];
  body: readonly Statement[];
  isGenerator?: boolean;
  line: number;
  /** What is wrapped around it, the innermost last. */
  decorators?: readonly Expression[];
  /** Its self is the class. */
  isOfClass?: boolean;
  /** A context manager, which gives what it yields. */
  yieldsOnce?: boolean;
  /** The type that a method belongs to, and its name inside. */
  receiver?: { name: string; type: string } | undefined;
  /** Results with names, which a bare return returns. */
  results?: readonly string[];
  /** `this` is whatever it is a method of. */
  hasThis?: boolean;
  /** Read like a field. */
  isGetter?: boolean;
  /** Its last result is an error. */
  fails?: boolean;
};

export type DeclaredField = {
  key: string;
  name: string;
  type: string;
  line: number;
  /** Its own fields and methods are the struct's too. */
  isEmbedded?: boolean;
};

export type Statement =
  | { kind: "bind"; into: Pattern; value: Expression; line: number }
  /** `key`: the first of two variables, an index, or the item itself of a channel or an iterator. */
  | {
      kind: "loop";
      into: Pattern;
      key?: Pattern;
      over: Expression;
      body: readonly Statement[];
      line: number;
    }
  | { kind: "do"; value: Expression; line: number }
  | { kind: "return"; values: readonly Expression[]; line: number }
  | { kind: "throw"; value?: Expression; line: number }
  | {
      kind: "branch";
      test: Expression;
      yes: readonly Statement[];
      no: readonly Statement[];
      line: number;
    }
  | {
      kind: "try";
      body: readonly Statement[];
      handlers: readonly Handler[];
      after: readonly Statement[];
      line: number;
    }
  | { kind: "function"; code: FunctionCode; line: number }
  | ClassStatement
  | TypeStatement
  | ImportStatement
  | { kind: "export"; name: string; value: Expression; line: number }
  /** Names that are an outer scope's here. */
  | { kind: "outer"; names: readonly string[]; line: number };

export type Handler = {
  caught: Pattern | undefined;
  body: readonly Statement[];
  line: number;
  /** Of an error that no answer of V1 makes: an empty iterator, a missing file. */
  isUnrelated?: boolean;
};

export type ClassStatement = {
  kind: "class";
  name: string;
  bases: readonly string[];
  methods: readonly FunctionCode[];
  fields: readonly { name: string; value: Expression }[];
  declared: readonly DeclaredField[];
  /** Code fills it, not a decoder: its fields are the team's own, whatever they are called. */
  isHandMade?: boolean;
  decorators?: readonly Expression[];
  line: number;
};

export type TypeStatement = {
  kind: "type";
  name: string;
  fields: readonly DeclaredField[];
  /** Another name for a type. */
  same?: string;
  /** Whoever has its methods is one. */
  isInterface?: boolean;
  /** A decoder checks it: it is no type for a type checker only. */
  isChecked?: boolean;
  line: number;
};

export type ImportStatement = {
  kind: "import";
  from: string;
  /** `*` is the module itself; a local `*` spills all of its names here. `module`: what else the name may be. */
  names: readonly { imported: string; local: string; module?: string }[];
  line: number;
};

/** The name of a type that has none begins with it; its place follows. */
export const unnamed = "struct$";

export const nothing = (line: number): Expression => ({ kind: "other", parts: [], line });

export const isNull = (value: Expression | undefined): boolean =>
  value?.kind === "constant" && value.value === "null";

export const namesIn = (pattern: Pattern): string[] => {
  if (pattern.kind === "name") return [pattern.name];
  return pattern.kind === "items" ? pattern.items.flatMap((item) => (item ? namesIn(item) : [])) : [];
};

/** Visits everything inside an expression or a statement; where the visitor returns false, the inside is left out. */
export function walk(part: unknown, visit: (one: Expression | Statement) => unknown): void {
  if (typeof part !== "object" || part === null) return;
  if ("kind" in part && visit(part as Expression | Statement) === false) return;
  for (const inner of Object.values(part)) walk(inner, visit);
}
