// The files that are looked into, and what their names stand for. A file is opened when it is asked for, and of a file only
// the statements that may have to do with V1 are looked at.
import { posix } from "node:path";
import type { EndpointId } from "../../contract/endpoints.ts";
import { type AddressMatcher, hole } from "../names/addresses.ts";
import { type FieldNode, toSnakeCase } from "../names/fields.ts";
import { resolveImport, type SourceTree } from "../tree/imports.ts";
import { type Declarations, readDeclarations } from "./declarations.ts";
import { type Clauses, readClauses } from "./import-clauses.ts";
import { codeOf } from "./markup.ts";
import { type Language, languageOf, parseCode, type SyntaxNode, wordSet } from "./syntax.ts";

/** Why a value is taken for a part of V1's response: followed from a call, declared as such, or read like one. */
export type Origin =
  | { by: "call"; request: Request }
  | { by: "type"; name: string }
  | { by: "name"; name: string };

export type FunctionRef = { file: SourceFile; node: SyntaxNode };

/** A declared type: the code's own names of the members, V1's keys for them, and their types. */
export type Shape = {
  name: string;
  file: SourceFile;
  members: ReadonlyMap<string, ShapeMember>;
  /** The object of V1 that it describes by its keys. */
  node: FieldNode | undefined;
  /** Whether a response that does not fit is refused: a struct of Go, a schema, a model. */
  isDecoder: boolean;
};
export type ShapeMember = { key: string; line: number; at: SyntaxNode; type: () => Value | undefined };

export type Value = {
  /** The part of V1's response that it is. */
  node?: FieldNode | undefined;
  origin?: Origin | undefined;
  shape?: Shape | undefined;
  /** An object of the code's own. */
  members?: Map<string, Value> | undefined;
  spread?: Value | undefined;
  /** A list whose items are known one by one, or all alike. */
  items?: readonly (Value | undefined)[] | undefined;
  list?: Value | undefined;
  fn?: FunctionRef | undefined;
  /** Of another API: what is read from it is not V1's, whatever its name. */
  isForeign?: boolean | undefined;
};

/** A call of V1. */
export type Request = {
  endpoint: EndpointId;
  isSure: boolean;
  assumesInteger: boolean;
  file: SourceFile;
  /** The text that has the address, if it is in the same function, else the argument. */
  at: SyntaxNode;
};

/** A text with holes, and the literals that it is made of. */
export type Text = { text: string; at: SyntaxNode; literals: readonly SyntaxNode[]; source?: SyntaxNode };

export type Statement = { node: SyntaxNode; text: string; isLive: boolean };

export class SourceFile {
  readonly program: Program;
  readonly path: string;
  readonly language: Language;
  readonly text: string;
  readonly root: SyntaxNode;
  readonly statements: Statement[] = [];
  readonly declarations: Declarations["names"];
  readonly types: Declarations["types"];
  readonly methods: Declarations["methods"];
  readonly imports: Clauses["imports"];
  readonly exports: Clauses["exports"];
  readonly passedOn: Clauses["passedOn"];
  private readonly resolved = new Map<string, string | undefined>();
  readonly names = new Map<SyntaxNode, Map<string, Value>>();
  readonly texts = new Map<SyntaxNode, Map<string, Text>>();
  /** `const [state, setState] = useState()`: the state that a setter sets. */
  readonly setters = new Map<SyntaxNode, Map<string, string>>();
  readonly requests = new Map<SyntaxNode, Request>();
  readonly shapes = new Map<string, Shape | undefined>();
  /** What a parameter that is taken apart in its place was given. */
  readonly given = new Map<SyntaxNode, Value>();
  /** Names that have to do with V1: a statement with one of them in it is looked at. */
  readonly hotNames = new Set<string>();
  /** Near V1's names, so that a name alone is evidence. */
  readonly isNear: boolean;
  /** Whether an address outside the code may be V1's. */
  readonly isUnaddressed: boolean;

  constructor(program: Program, path: string, text: string) {
    const { near, unaddressed } = program.facts;
    this.program = program;
    this.path = path;
    this.text = text;
    this.language = languageOf(path)!;
    this.isNear = near.has(path);
    this.isUnaddressed = unaddressed.has(path);
    const code = codeOf(path, text);
    this.root = parseCode(path, code);
    const { names, types, methods } = readDeclarations(this.root);
    this.declarations = names;
    this.types = types;
    this.methods = methods;
    const { imports, exports, passedOn } = readClauses(this.language, text);
    this.imports = imports;
    this.exports = exports;
    this.passedOn = passedOn;
    for (const node of this.root.children)
      if (!/^(import_statement|import_from_statement|import_declaration|package_clause)$/.test(node.kind))
        this.statements.push({ node, text: code.slice(...node.span), isLive: false });
    this.root.letGo(path, code);
  }

  /** Statements that mention one of the words are looked at from now on. */
  enliven(words: RegExp): boolean {
    let isChanged = false;
    for (const statement of this.statements)
      if (!statement.isLive && words.test(statement.text)) {
        statement.isLive = true;
        isChanged = true;
      }
    return isChanged;
  }

  /** The statement at the top of the file that a node is in. */
  statementOf(node: SyntaxNode): Statement | undefined {
    let top = node;
    while (top.parent?.parent) top = top.parent;
    return this.statements.find((statement) => statement.node === top);
  }

  // What names stand for. A name is declared in the file itself or in one that it takes the name from.

  bind(scope: SyntaxNode, name: string, value: Value | undefined): void {
    if (!value || name === "_") return;
    const names = this.names.get(scope) ?? new Map<string, Value>();
    this.names.set(scope, names);
    const before = names.get(name);
    const merged = before ? mergeValues(before, value) : value;
    if (merged === before) return;
    names.set(name, merged);
    this.program.isChanged = true;
    if (!carriesV1(merged)) return;
    const statement = scope === this.root ? undefined : this.statementOf(scope);
    if (statement) statement.isLive = true;
    else this.hotNames.add(name);
  }

  lookup(at: SyntaxNode, name: string): Value | undefined {
    for (let scope: SyntaxNode | undefined = at; scope; scope = scope.scope) {
      const found = this.names.get(scope)?.get(name);
      if (found) return found;
    }
    return this.declared(name) ?? firstOf(this.placesOfImport(name), valueAt);
  }

  /** What is declared under a name at the top of the file. */
  declared(name: string): Value | undefined {
    const names = () => this.names.get(this.root)?.get(name);
    if (names()) return names();
    const { running, rules } = this.program;
    for (const node of this.declarations.get(name) ?? []) {
      if (running.has(node)) continue;
      running.add(node);
      try {
        rules.declare(this, node);
      } finally {
        running.delete(node);
      }
    }
    return names();
  }

  /** Where a name that the file hands to others may be declared. */
  *placesOfExport(name: string, depth = 0): Generator<Place> {
    const { name: own, specifier } = this.exports.get(name) ?? { name, specifier: undefined };
    if (specifier === undefined) yield { file: this, path: [own] };
    if (depth > 3) return;
    for (const other of this.resolve(specifier === undefined ? this.passedOn : [specifier]))
      yield* other.placesOfExport(own, depth + 1);
    const from = this.imports.get(name);
    for (const other of from ? this.resolve(from.specifiers) : [])
      yield* other.placesOfExport(from!.name, depth + 1);
    // `module.exports = { name: … }`
    if (name !== "default") yield { file: this, path: ["default", name] };
  }

  /** Where a name that the file does not declare itself may be declared. */
  *placesOfImport(name: string): Generator<Place> {
    const from = this.imports.get(name);
    for (const other of from ? this.resolve(from.specifiers) : []) {
      yield* other.placesOfExport(from!.name);
      if (from!.name === "default") yield* other.placesOfExport(name);
    }
    for (const other of this.restOfPackage()) yield { file: other, path: [name] };
    // `from client import *`
    for (const other of this.language === "python" ? this.resolve(this.passedOn) : [])
      yield* other.placesOfExport(name);
  }

  /** Where a name of an imported module may be declared: `client.load`, where `client` is the module. */
  *placesOfMember(module: string, name: string): Generator<Place> {
    const from = this.imports.get(module);
    for (const other of from ? this.resolve(from.specifiers) : []) yield* other.placesOfExport(name);
  }

  /** The files that an import means; of Go all files of the package. */
  resolve(specifiers: readonly string[]): SourceFile[] {
    const paths = specifiers.flatMap((specifier) => this.pathOf(specifier) ?? []);
    const { packages } = this.program.facts.tree;
    const all =
      this.language === "go" ? paths.flatMap((path) => packages.get(posix.dirname(path)) ?? path) : paths;
    return [...new Set(all)].flatMap((path) => this.program.open(path) ?? []);
  }

  /** The file of the tree that an import means. */
  pathOf(specifier: string): string | undefined {
    if (!this.resolved.has(specifier))
      this.resolved.set(specifier, resolveImport(this.path, specifier, this.program.facts.tree));
    return this.resolved.get(specifier);
  }

  /** The other files of a Go package: their names are known in each of them. */
  restOfPackage(): SourceFile[] {
    if (this.language !== "go") return [];
    const paths = this.program.facts.tree.packages.get(posix.dirname(this.path)) ?? [];
    return paths.flatMap((path) => (path === this.path ? [] : (this.program.open(path) ?? [])));
  }

  /** A method by its name alone, in this file or in one that it imports. */
  method(name: string): FunctionRef | undefined {
    const [own] = this.methods.get(name) ?? [];
    if (own) return { file: this, node: own };
    if (commonMethods.has(name)) return undefined;
    const specifiers = [...this.imports.values()].flatMap((imported) => imported.specifiers);
    for (const other of [...this.resolve(specifiers), ...this.restOfPackage()]) {
      const [node] = other.methods.get(name) ?? [];
      if (node) return { file: other, node };
    }
    return undefined;
  }

  bindText(scope: SyntaxNode, name: string, text: Text | undefined): void {
    if (!text || !/[\w/]/.test(text.text)) return;
    const texts = this.texts.get(scope) ?? new Map<string, Text>();
    this.texts.set(scope, texts);
    const known = texts.get(name)?.text;
    if (known === text.text || (known !== undefined && !known.startsWith(hole))) return;
    texts.set(name, text);
    this.program.isChanged = true;
  }
}

/** A name at the top of a file, or a member of what it stands for. */
export type Place = { file: SourceFile; path: readonly [name: string, member?: string] };

/** What is found in the first place that has something. */
export function firstOf<T>(places: Iterable<Place>, find: (place: Place) => T | undefined): T | undefined {
  for (const place of places) {
    const found = find(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value in a place. */
export function valueAt({ file, path: [name, member] }: Place): Value | undefined {
  const value = file.declared(name);
  return member === undefined ? value : value?.members?.get(member);
}

/** In characters; some 400,000 lines. */
const maxOpenedLength = 15_000_000;

export type ProgramFacts = {
  tree: SourceTree;
  matcher: AddressMatcher;
  environment: ReadonlyMap<string, string>;
  near: ReadonlySet<string>;
  unaddressed: ReadonlySet<string>;
  /** Told before work on a file. */
  begin(path: string): void;
};

/** Rules of other files, which need the program themselves. */
export type LateRules = {
  /** Declares what a node at the top of a file declares. */
  declare(file: SourceFile, node: SyntaxNode): void;
  /** What a call gives. */
  callResult(file: SourceFile, call: SyntaxNode): Value | undefined;
};

export class Program {
  readonly files = new Map<string, SourceFile>();
  readonly facts: ProgramFacts;
  readonly rules: LateRules;
  /** Files that could not be parsed, or whose code is nested too deeply. */
  readonly tangled = new Set<string>();
  /** Files that were not opened because of the limit. */
  readonly unopened = new Set<string>();
  /** The endpoints that are asked for. */
  readonly asked = new Set<EndpointId>();
  /** Functions that ask V1, themselves or by a function that they call. */
  readonly askingFunctions = new Set<SyntaxNode>();
  isChanged = false;
  /** What expressions stand for in this round. */
  values = new Map<SyntaxNode, Value | undefined>();
  textValues = new Map<SyntaxNode, Text | undefined>();
  /** What functions return in this round. */
  returned = new Map<SyntaxNode, Value | undefined>();
  /** What is being found out, against endless recursion. */
  readonly running = new Set<SyntaxNode>();
  readonly returning = new Set<SyntaxNode>();
  /** Texts with V1's paths that a request has. */
  readonly usedLiterals = new Set<SyntaxNode>();
  private openedLength = 0;
  private askedBefore = 0;

  constructor(facts: ProgramFacts, rules: LateRules) {
    this.facts = facts;
    this.rules = rules;
  }

  startRound(): void {
    this.isChanged = false;
    // What a type describes depends on which endpoints are asked for.
    if (this.askedBefore !== this.asked.size) for (const file of this.files.values()) file.shapes.clear();
    this.askedBefore = this.asked.size;
    this.values = new Map();
    this.textValues = new Map();
    this.returned = new Map();
  }

  /** Files that name V1's paths are opened whatever it takes. */
  open(path: string, isNeeded = false): SourceFile | undefined {
    const known = this.files.get(path);
    if (known || this.tangled.has(path)) return known;
    if (this.openedLength > maxOpenedLength && !isNeeded) {
      this.unopened.add(path);
      return undefined;
    }
    this.facts.begin(path);
    const text = this.facts.tree.read(path);
    this.openedLength += text.length;
    try {
      const file = new SourceFile(this, path, text);
      this.files.set(path, file);
      if (file.root.isHeap) this.tangled.add(path);
      return file;
    } catch (error) {
      // Code nested a thousand levels deep is nobody's; it ends its own file's analysis, not the scan.
      if (!(error instanceof RangeError)) throw error;
      this.tangled.add(path);
      return undefined;
    }
  }
}

/** Names of methods that every library has. */
const commonMethods = wordSet(
  "get post put set push then find map filter json parse add delete create request fetch call send read load",
);

/** One value for a name: a part of V1's response wins, and objects are joined. */
function mergeValues(before: Value, value: Value): Value {
  if (before.members && value.members && before.node === value.node) {
    const added = [...value.members].filter(([key, inner]) => {
      const known = before.members!.get(key);
      return !known || (!carriesV1(known) && carriesV1(inner));
    });
    if (added.length === 0) return before;
    return { ...before, members: new Map([...before.members, ...added]) };
  }
  const rank = ({ node, origin }: Value) => (node ? (origin?.by === "call" ? 3 : 2) : 0);
  if (rank(value) > rank(before)) return { ...value, fn: value.fn ?? before.fn };
  if (before.node || before.fn) return before;
  return carriesV1(value) && !carriesV1(before) ? value : before;
}

// What can be read from a value, and whether V1's data is in it.

/** Keys under which libraries hand on the body of a response, or the value of a state. */
const wrapperKeys = wordSet(
  "data body json value current result results payload response Body content props attributes state latest text",
);

/** A part of V1's response, with what its declared type says about its names. */
function partOf(node: FieldNode, origin: Origin | undefined, declared: Value | undefined): Value {
  const list =
    declared?.list && node.element
      ? { node: node.element, origin, shape: declared.list.shape, list: declared.list.list }
      : undefined;
  return { node, origin, shape: declared?.shape, list };
}

/** What is known from the flow, with the names of a declared type. */
export function withShape(value: Value | undefined, declared: Value | undefined): Value | undefined {
  if (!declared) return value;
  if (!value) return declared;
  if (value.node) return declared.shape || declared.list ? partOf(value.node, value.origin, declared) : value;
  if (value.list?.node && declared.list)
    return { list: partOf(value.list.node, value.list.origin, declared.list) };
  const isKnown = value.members || value.items || value.list || value.fn;
  return isKnown && !((value.members || value.fn) && carriesV1(declared)) ? value : declared;
}

function childOf({ node, origin, shape }: Value, key: string): Value | undefined {
  const member = shape?.members.get(key);
  const declared = member?.type();
  const children = node?.children;
  // Decoders and libraries rename keys to the language's own style.
  const child =
    children?.get(member?.key ?? key) ?? (/[A-Z]/.test(key) ? children?.get(toSnakeCase(key)) : undefined);
  if (child) return partOf(child, origin, declared);
  return declared;
}

/** The value under a key. */
export function access(value: Value | undefined, key: string): Value | undefined {
  if (!value || value.isForeign) return value;
  const own = value.members?.get(key) ?? access(value.spread, key);
  if (own) return own;
  const child = childOf(value, key);
  if (child) return child;
  const { node, origin } = value;
  // A wrapper may have taken the record out of the body.
  if (node?.path === "")
    for (const envelope of node.children.values())
      if (envelope.isEnvelope && envelope.children.size > 0) {
        const unwrapped = childOf({ node: envelope, origin }, key);
        if (unwrapped) return unwrapped;
      }
  const isHandedOn = node?.children.size !== 0 || value.list !== undefined || value.items !== undefined;
  return wrapperKeys.has(key) && isHandedOn && (node || value.list || value.items) ? value : undefined;
}

/** An item of a list. */
export function elementOf(value: Value | undefined): Value | undefined {
  if (!value || value.isForeign) return value;
  if (value.list) return value.list;
  if (value.items) return value.items.find((item) => item !== undefined);
  const { node, origin } = value;
  // A wrapper may have taken the list out of the body.
  const list =
    node?.path === "" && !node.element ? [...node.children.values()].find(({ element }) => element) : node;
  return list?.element && { node: list.element, origin };
}

const maxDepth = 4;

/** Whether V1's data is in a value. */
export function carriesV1(value: Value | undefined, depth = 0): boolean {
  if (!value || depth > maxDepth) return false;
  if (value.node) return true;
  return (
    carriesV1(value.list, depth + 1) ||
    carriesV1(value.spread, depth + 1) ||
    (value.items ?? []).some((item) => carriesV1(item, depth + 1)) ||
    [...(value.members?.values() ?? [])].some((member) => carriesV1(member, depth + 1))
  );
}

/** The part of V1's response that a value is, or that it is a list of. */
export const nodeOf = (value: Value | undefined): Value | undefined =>
  value?.node ? value : value?.list?.node ? value.list : undefined;
