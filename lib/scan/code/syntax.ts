// Syntax trees of three languages, by ast-grep with the prebuilt grammars of its npm packages. A tree is made node by node
// where somebody looks at it: most of a file is never looked at.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { SgNode } from "@ast-grep/napi";

export type Language = "javascript" | "python" | "go";

const registered = Symbol.for("v1watch/grammars");

let parse: typeof import("@ast-grep/napi").parse | undefined;

/** The packages are optional: false where they are not installed. Called before anything is parsed. */
export async function loadParser(): Promise<boolean> {
  try {
    const [parser, python, go] = await Promise.all([
      import("@ast-grep/napi"),
      import("@ast-grep/lang-python"),
      import("@ast-grep/lang-go"),
    ]);
    // The parser takes further grammars once a process, and this module may be loaded twice in one.
    const marks = globalThis as { [registered]?: true };
    if (!marks[registered]) parser.registerDynamicLanguage({ python: python.default, go: go.default });
    marks[registered] = true;
    parse = parser.parse;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    return false;
  }
}

const languageByExtension: Record<string, Language> = {
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascript",
  ".ts": "javascript",
  ".mts": "javascript",
  ".cts": "javascript",
  ".tsx": "javascript",
  ".vue": "javascript",
  ".svelte": "javascript",
  ".astro": "javascript",
  ".html": "javascript",
  ".htm": "javascript",
  ".gs": "javascript",
  ".py": "python",
  ".pyw": "python",
  ".ipynb": "python",
  ".go": "go",
};

const extensionOf = (file: string) => file.slice(file.lastIndexOf(".")).toLowerCase();

export const languageOf = (file: string): Language | undefined => languageByExtension[extensionOf(file)];

/** In a .ts file `<T>x` is a cast, in a .tsx file it is markup. */
function grammarOf(file: string): string {
  const extension = extensionOf(file);
  const language = languageByExtension[extension];
  if (language && language !== "javascript") return language;
  return [".ts", ".mts", ".cts", ".vue", ".svelte"].includes(extension) ? "TypeScript" : "Tsx";
}

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

export const functionKinds = wordSet(
  "arrow_function function_declaration function_expression generator_function generator_function_declaration method_definition function_definition lambda method_declaration func_literal",
);
/** Go's parser takes `get[Passport](path)` for the conversion of a value. */
export const callKinds = wordSet("call_expression call new_expression type_conversion_expression");
export const classKinds = wordSet("class_declaration class abstract_class_declaration class_definition");
export const objectKinds = wordSet("object dictionary");
export const listKinds = wordSet("array list tuple set");
/** Of the root, whatever the grammar calls it: of code that makes no program, its root is an error. */
const rootKind = "program";
const scopeKinds = new Set([...functionKinds, rootKind]);
const boundaryKinds = new Set([...scopeKinds, ...classKinds, "class_body"]);

const maxKeptText = 300;

/** `line` and `index`: where the statement starts in its file, if it is parsed by itself. */
type StatementSource = { line: number; index: number; parse(): SgNode };

/** A named node of a syntax tree; comments are left out. */
export class SyntaxNode {
  readonly kind: string;
  readonly parent: SyntaxNode | undefined;
  /** The nearest function, class or file around it: names are known in these. */
  readonly scope: SyntaxNode | undefined;
  /** The parser's node. It holds the tree of all that was parsed with it, until it is let go. */
  private held: SgNode | undefined;
  /** Its place among the named children of its parent, comments included. */
  private readonly place: number;
  /** How a statement that was let go is parsed again, and where it starts. */
  private source: StatementSource | undefined;
  private isHeapOfParts: boolean | undefined;
  private readonly fields = new Map<string, SyntaxNode | undefined>();
  private keptText: string | undefined;
  private keptLine = 0;
  private keptOperator: string | undefined;
  private keptChildren: SyntaxNode[] | undefined;

  constructor(sg: SgNode, parent: SyntaxNode | undefined, place = 0) {
    this.held = sg;
    this.parent = parent;
    this.place = place;
    this.scope = parent && boundaryKinds.has(parent.kind) ? parent : parent?.scope;
    this.kind = parent ? String(sg.kind()) : rootKind;
  }

  private get sg(): SgNode {
    this.held ??= this.source ? this.source.parse() : this.parent!.sg.namedChildren()[this.place]!;
    return this.held;
  }

  /**
   * Of a root: lets the parser's tree go, which takes 45 times the memory of its text, because most statements are never looked at
   * again. One that is is parsed by itself, and where that gives something else, with its file.
   */
  letGo(file: string, code: string): void {
    const whole = () => parseWith(file, code);
    this.isHeapOfParts = this.isHeap;
    for (const statement of this.children) statement.source = sourceOf(statement, { file, code, whole });
    this.source = { line: 0, index: 0, parse: whole };
    const open: SyntaxNode[] = [this];
    for (let node = open.pop(); node; node = open.pop()) {
      node.held = undefined;
      open.push(...(node.keptChildren ?? []));
    }
  }

  /** The node of its statement in a tree of the whole file. */
  inWhole(root: SgNode): SgNode {
    return root.namedChildren()[this.place]!;
  }

  /** What its statement's place adds to the positions of its own parser. */
  private get start(): Pick<StatementSource, "line" | "index"> {
    for (let node: SyntaxNode | undefined = this; node; node = node.parent)
      if (node.source) return node.source;
    return { line: 0, index: 0 };
  }

  get text(): string {
    const text = this.keptText ?? this.sg.text();
    if (text.length <= maxKeptText) this.keptText = text;
    return text;
  }

  /** Of a root: whether the parser could make no program of the code, but only a heap of its parts. */
  get isHeap(): boolean {
    return this.isHeapOfParts ?? this.sg.kind() === "ERROR";
  }

  /** Where it starts and ends in the text that was parsed. */
  get span(): readonly [start: number, end: number] {
    const { start, end } = this.sg.range();
    const { index } = this.start;
    return [index + start.index, index + end.index];
  }

  get line(): number {
    this.keptLine ||= this.sg.range().start.line + 1 + this.start.line;
    return this.keptLine;
  }

  get children(): readonly SyntaxNode[] {
    this.keptChildren ??= this.sg.namedChildren().flatMap((child, place) => {
      const node = new SyntaxNode(child, this, place);
      return node.kind === "comment" ? [] : [node];
    });
    return this.keptChildren;
  }

  field(name: string): SyntaxNode | undefined {
    if (this.fields.has(name)) return this.fields.get(name);
    const id = this.sg.field(name)?.id();
    const found = id === undefined ? undefined : this.children.find((child) => child.sg.id() === id);
    this.fields.set(name, found);
    return found;
  }

  /** The text of a field, without making nodes of what is in this one: most functions are never looked into. */
  fieldText(name: string): string | undefined {
    return this.sg.field(name)?.text();
  }

  /** The operator between two operands, which is no named child. */
  get operator(): string {
    this.keptOperator ??= this.sg.field("operator")?.text() ?? "";
    return this.keptOperator;
  }

  /** This node and everything in it, each before its parts. */
  *walk(): Generator<SyntaxNode> {
    const open: SyntaxNode[] = [this];
    for (let node = open.pop(); node; node = open.pop()) {
      yield node;
      for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at]!);
    }
  }

  /** The nearest node above of one of these kinds. */
  above(kinds: ReadonlySet<string>): SyntaxNode | undefined {
    for (let node = this.parent; node; node = node.parent) if (kinds.has(node.kind)) return node;
    return undefined;
  }

  isInside(outer: SyntaxNode): boolean {
    for (let node: SyntaxNode | undefined = this; node; node = node.parent) if (node === outer) return true;
    return false;
  }
}

/** `code`: the source, or of markup the code in it. */
export function parseCode(file: string, code: string): SyntaxNode {
  return new SyntaxNode(parseWith(file, code), undefined);
}

function parseWith(file: string, code: string): SgNode {
  if (!parse) throw new Error("the parser is not loaded");
  parsedLength += code.length;
  return parse(grammarOf(file), code).root();
}

type ParsedFile = { file: string; code: string; whole(): SgNode };

function sourceOf(statement: SyntaxNode, { file, code, whole }: ParsedFile): StatementSource {
  const { kind, line, span } = statement;
  const [start, end] = span;
  const source: StatementSource = {
    line: line - 1,
    index: start,
    parse() {
      const text = code.slice(start, end);
      const root = parseWith(file, text);
      const [only, ...others] = root.namedChildren();
      const isSame = others.length === 0 && root.kind() !== "ERROR" && String(only?.kind()) === kind;
      if (only && isSame && only.text() === text) return only;
      source.line = 0;
      source.index = 0;
      return statement.inWhole(whole());
    },
  };
  return source;
}

let parsedLength = 0;
let collect: (() => void) | undefined;
const collectAfter = 2 ** 19;

/**
 * The memory of the parser's trees is not that of the heap, so that nobody collects what was let go: that is done here, after each
 * half of a megabyte of text.
 */
export function collectTrees(): void {
  if (parsedLength < collectAfter) return;
  parsedLength = 0;
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}

/** The function, or the file, that a node belongs to. */
export function scopeOf(node: SyntaxNode): SyntaxNode {
  let { scope } = node;
  while (scope && !scopeKinds.has(scope.kind)) scope = scope.scope;
  return scope ?? node;
}

export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  const operand = call.kind === "type_conversion_expression" ? call.field("operand") : undefined;
  return operand ? [operand] : (call.field("arguments")?.children ?? []);
}

/** `name` and the value of `name=value`. */
export const keywordOf = (argument: SyntaxNode): { name: string; value: SyntaxNode } | undefined => {
  const [name, value] = [argument.field("name"), argument.field("value")];
  return argument.kind === "keyword_argument" && name && value ? { name: name.text, value } : undefined;
};

export function calleeOf(call: SyntaxNode): SyntaxNode | undefined {
  const type = call.kind === "type_conversion_expression" ? call.field("type") : undefined;
  if (type?.kind === "generic_type") return type.children[0];
  const callee = call.field("function") ?? call.field("constructor");
  // `get[Passport](…)` of Go.
  return callee?.kind === "index_expression" ? callee.children[0] : callee;
}

/** `get` of `axios.get(…)`, of `get<T>(…)` and of `get(…)`. */
export function calleeName(call: SyntaxNode): string {
  const callee = calleeOf(call);
  if (!callee) return "";
  const last = memberOf(callee)?.key;
  if (last !== undefined) return last;
  return /identifier$/.test(callee.kind) ? callee.text : "";
}

export type Member = {
  of: SyntaxNode;
  /** Undefined for `a[0]` and `a[name]`. */
  key: string | undefined;
  at: SyntaxNode;
};

const memberFields: Record<string, readonly [of: string, key: string]> = {
  member_expression: ["object", "property"],
  attribute: ["object", "attribute"],
  selector_expression: ["operand", "field"],
  subscript_expression: ["object", "index"],
  subscript: ["value", "subscript"],
  index_expression: ["operand", "index"],
};

/** The receiver and the key of `a.b`, `a?.b`, `a["b"]`, and of Python's `a.get("b")`. */
export function memberOf(node: SyntaxNode): Member | undefined {
  const names = memberFields[node.kind];
  if (names) {
    const [of, key] = [node.field(names[0]), node.field(names[1])];
    if (!of || !key) return undefined;
    const isName = /identifier$/.test(key.kind) && !/^(subscript|index)/.test(node.kind);
    return { of, key: isName ? key.text : literalOf(key), at: key };
  }
  const callee = node.kind === "call" ? node.field("function") : undefined;
  if (callee?.kind !== "attribute" || !/^(get|pop)$/.test(callee.field("attribute")?.text ?? ""))
    return undefined;
  const [first] = argumentsOf(node);
  const literal = first && literalOf(first);
  const of = callee.field("object");
  return literal !== undefined && of ? { of, key: literal, at: first! } : undefined;
}

const stringKinds = wordSet(
  "string template_string interpreted_string_literal raw_string_literal concatenated_string",
);

/** The text of a string without unknown parts. */
export function literalOf(node: SyntaxNode): string | undefined {
  if (!stringKinds.has(node.kind) || node.kind === "concatenated_string") return undefined;
  if (node.children.some(({ kind }) => kind === "template_substitution" || kind === "interpolation"))
    return undefined;
  return node.text.replace(/^[a-zA-Z]*("""|'''|["'`])/, "").replace(/("""|'''|["'`])$/, "");
}

/** The key and the value of an entry of an object: `a: b`, `"a": b`, `a`, `a() {}`. */
export function entryOf(pair: SyntaxNode): { key: string; value: SyntaxNode } | undefined {
  if (pair.kind === "shorthand_property_identifier") return { key: pair.text, value: pair };
  if (pair.kind === "method_definition") return { key: pair.field("name")?.text ?? "", value: pair };
  const [key, value] = [pair.field("key"), pair.field("value")];
  return key && value ? { key: literalOf(key) ?? key.text, value } : undefined;
}

/** The key and the pattern of a part of `{ a, b: c, d = 1 }`. */
export function patternEntryOf(part: SyntaxNode): { key: string; pattern: SyntaxNode } | undefined {
  if (part.kind === "shorthand_property_identifier_pattern") return { key: part.text, pattern: part };
  if (part.kind === "object_assignment_pattern") {
    const left = part.field("left");
    return left && { key: left.text, pattern: left };
  }
  const [key, value] = [part.field("key"), part.field("value")];
  return part.kind === "pair_pattern" && key && value
    ? { key: literalOf(key) ?? key.text, pattern: value }
    : undefined;
}

/** The parameters of a function, one for each name or pattern, without `self`. */
export function parametersOf(fn: SyntaxNode): SyntaxNode[] {
  const single = fn.field("parameter");
  const all = single ? [single] : (fn.field("parameters")?.children ?? []);
  return all
    .flatMap((parameter) =>
      parameter.kind === "parameter_declaration"
        ? parameter.children.filter(({ kind }) => kind === "identifier")
        : [parameter],
    )
    .filter(({ text, kind }) => !/^(self|cls|this)$/.test(text) && !/separator$/.test(kind));
}

/** What a parameter is called in a call by keyword. */
export const parameterName = (parameter: SyntaxNode): string =>
  (parameter.field("name") ?? parameter.field("pattern") ?? parameter.children[0] ?? parameter).text;

const holderKinds = wordSet("variable_declarator pair public_field_definition field_definition");

/** The name of a function, or of what it is given to: `const load = () => …`. */
export function functionName(fn: SyntaxNode): string {
  const own = fn.field("name")?.text;
  if (own) return own;
  // `const load = useCallback(() => …)`, `export const load = cache(async () => …)`
  const { parent } = fn;
  const holder = parent?.kind === "arguments" ? parent.parent?.parent : parent;
  if (!holder || !holderKinds.has(holder.kind)) return "";
  const name = holder.field("name") ?? holder.field("key") ?? holder.field("property");
  return name && /identifier$/.test(name.kind) ? name.text : "";
}

/** The named function that a node is in; "" at the top of a file. */
export function insideOf(node: SyntaxNode): string {
  for (let at: SyntaxNode | undefined = node; at; at = at.parent) {
    const name = functionKinds.has(at.kind) ? functionName(at) : "";
    if (name) return name;
  }
  return "";
}

/** A method of a class: `load() {}`, `load = () => …`. */
export function methodOf(part: SyntaxNode): { name: string; fn: SyntaxNode } | undefined {
  const member = part.kind === "decorated_definition" ? part.field("definition") : part;
  const name = (member?.field("name") ?? member?.field("property"))?.text;
  const fn = [member, member?.field("value")].find((node) => node && functionKinds.has(node.kind));
  return name && fn ? { name, fn } : undefined;
}

/** The values that a function returns, without those of functions in it. */
export function* returnsOf(fn: SyntaxNode): Generator<SyntaxNode> {
  const body = fn.field("body");
  if (!body) return;
  if (!/block$/.test(body.kind)) {
    yield body;
    return;
  }
  const open = [body];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === "return_statement" || node.kind === "yield") {
      if (node.children[0]) yield node.children[0];
      continue;
    }
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]!;
      if (!functionKinds.has(child.kind) && !classKinds.has(child.kind)) open.push(child);
    }
  }
}
