// What three languages have in common, as far as following a value needs it. Each language's reader
// lowers its syntax tree to this; everything after it knows one language only.

export type Argument = { name: string | undefined; value: Expression };
/** An entry without a key is a spread. */
export type Entry = { key: string | undefined; value: Expression };

export type Expression = { line: number } & (
  | { kind: "text"; parts: readonly (string | Expression)[] }
  /** `0`, `1`, `null`, `true`, `false`, `""`. */
  | { kind: "constant"; value: string }
  | { kind: "name"; name: string }
  | { kind: "member"; of: Expression; key: string }
  | { kind: "element"; of: Expression; index: Expression | undefined }
  | { kind: "call"; callee: Expression; args: readonly Argument[] }
  | { kind: "function"; code: FunctionCode }
  | { kind: "object"; entries: readonly Entry[]; type: string | undefined }
  | { kind: "list"; items: readonly Expression[] }
  | { kind: "spread"; of: Expression }
  /** `of`, or `instead` where `of` is missing: `||`, `??`, `or`. */
  | { kind: "fallback"; of: Expression; instead: Expression }
  | { kind: "choice"; test: Expression; yes: Expression; no: Expression }
  | { kind: "operation"; operator: string; left: Expression; right: Expression }
  /** `&x`: whoever gets it may fill `x`. */
  | { kind: "reference"; of: Expression }
  | { kind: "assignment"; into: Pattern; value: Expression }
  /** A comprehension: statements, then the value of each round. */
  | { kind: "collect"; body: readonly Statement[]; value: Expression }
  | { kind: "yield"; of: Expression; each: boolean }
  | { kind: "other"; parts: readonly Expression[] }
);

export type Pattern =
  | { kind: "name"; name: string; declares: boolean; type?: string | undefined }
  | { kind: "place"; place: Expression }
  | {
      kind: "fields";
      fields: readonly { key: string; into: Pattern; instead: Expression | undefined; line: number }[];
      rest: Pattern | undefined;
    }
  /** `rest` marks the last item as the remainder. */
  | { kind: "items"; items: readonly (Pattern | undefined)[]; rest: boolean }
  | { kind: "nothing" };

export type Parameter = {
  into: Pattern;
  /** The argument's name, where callers may use it. */
  name: string | undefined;
  type: string | undefined;
  instead: Expression | undefined;
  /** Written before a parameter that is kept as a field of the instance. */
  isField: boolean;
};

export type FunctionCode = {
  name: string | undefined;
  params: readonly Parameter[];
  body: readonly Statement[];
  isGenerator: boolean;
  line: number;
  /** Go: the type that a method belongs to, and its name inside. */
  receiver?: { name: string; type: string } | undefined;
  /** Go: results with names, which a bare return returns. */
  results?: readonly string[];
};

export type DeclaredField = { key: string; name: string; type: string; line: number };

export type Statement =
  | { kind: "bind"; into: Pattern; value: Expression; line: number }
  | { kind: "loop"; into: Pattern; over: Expression; body: readonly Statement[]; line: number }
  | { kind: "do"; value: Expression; line: number }
  | { kind: "return"; values: readonly Expression[]; line: number }
  | { kind: "throw"; value: Expression | undefined; line: number }
  | {
      kind: "branch";
      test: Expression;
      yes: readonly Statement[];
      no: readonly Statement[];
      line: number;
    }
  | { kind: "block"; body: readonly Statement[]; line: number }
  | {
      kind: "try";
      body: readonly Statement[];
      handlers: readonly Handler[];
      after: readonly Statement[];
      line: number;
    }
  | { kind: "function"; code: FunctionCode; line: number }
  | ClassStatement
  | { kind: "type"; name: string; fields: readonly DeclaredField[]; line: number }
  | ImportStatement
  | { kind: "export"; name: string; value: Expression; line: number };

export type Handler = { caught: Pattern | undefined; body: readonly Statement[]; line: number };

export type ClassStatement = {
  kind: "class";
  name: string;
  bases: readonly string[];
  methods: readonly FunctionCode[];
  fields: readonly { name: string; value: Expression }[];
  declared: readonly DeclaredField[];
  line: number;
};

export type ImportStatement = {
  kind: "import";
  from: string;
  /** `*` is the module itself; a local `*` spills all of its names here. */
  names: readonly { imported: string; local: string }[];
  line: number;
};

export const languages = ["javascript", "python", "go"] as const;
export type Language = (typeof languages)[number];

export const nothing = (line: number): Expression => ({ kind: "other", parts: [], line });
