// The files that are looked into, and what their names stand for. A file is opened when it is asked for, and of a file only
// the statements that may have to do with V1 are looked at.
import { posix } from "node:path";
import type { EndpointId } from "../../contract/endpoints.ts";
import { type AddressMatcher, hole } from "../names/addresses.ts";
import { resolveImport, type SourceTree } from "../tree/imports.ts";
import { readClauses } from "./import-clauses.ts";
import { type FunctionRef, SourceFile, type Text, type Value } from "./source-file.ts";
import type { SyntaxNode } from "./syntax.ts";
import { carriesV1 } from "./values.ts";

/** In characters; some 400,000 lines. */
const maxOpenedLength = 15_000_000;

export type ProgramFacts = {
  tree: SourceTree;
  matcher: AddressMatcher;
  environment: ReadonlyMap<string, string>;
  near: ReadonlySet<string>;
  unaddressed: ReadonlySet<string>;
  /** Whether the tree serves V1's paths itself: a request without a host may be to its own server. */
  servesPath: boolean;
};

/** Rules of other files, which need the program themselves. */
export type LateRules = {
  /** Declares what a node at the top of a file declares. */
  declare(program: Program, file: SourceFile, node: SyntaxNode): void;
  /** What a call gives. */
  callResult(program: Program, file: SourceFile, call: SyntaxNode): Value | undefined;
};

export class Program {
  readonly files = new Map<string, SourceFile>();
  readonly facts: ProgramFacts;
  /** Files that could not be parsed, or whose code is nested too deeply. */
  readonly tangled = new Set<string>();
  /** Files that were not opened because of the limit. */
  readonly unopened = new Set<string>();
  /** The endpoints that are asked for. */
  readonly asked = new Set<EndpointId>();
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
  private readonly resolved = new Map<string, string | undefined>();
  readonly rules: LateRules;
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
    const { tree, near, unaddressed } = this.facts;
    const text = tree.read(path);
    this.openedLength += text.length;
    try {
      const file = new SourceFile(path, text, {
        isNear: near.has(path),
        isUnaddressed: unaddressed.has(path),
      });
      readClauses(file);
      this.files.set(path, file);
      return file;
    } catch (error) {
      // Code nested a thousand levels deep is nobody's; it ends its own file's analysis, not the scan.
      if (!(error instanceof RangeError)) throw error;
      this.tangled.add(path);
      return undefined;
    }
  }

  /** The files that an import means; of Go all files of the package. */
  resolve(file: SourceFile, specifiers: readonly string[]): SourceFile[] {
    const { tree } = this.facts;
    const paths = specifiers.flatMap((specifier) => this.pathOf(file, specifier) ?? []);
    const all =
      file.language === "go"
        ? paths.flatMap((path) => tree.packages.get(posix.dirname(path)) ?? path)
        : paths;
    return [...new Set(all)].flatMap((path) => this.open(path) ?? []);
  }

  /** The file of the tree that an import means. */
  pathOf({ path }: SourceFile, specifier: string): string | undefined {
    const key = `${path}\0${specifier}`;
    if (!this.resolved.has(key)) this.resolved.set(key, resolveImport(path, specifier, this.facts.tree));
    return this.resolved.get(key);
  }

  /** The other files of a Go package: their names are known in each of them. */
  packageOf(file: SourceFile): SourceFile[] {
    if (file.language !== "go") return [];
    const paths = this.facts.tree.packages.get(posix.dirname(file.path)) ?? [];
    return paths.flatMap((path) => (path === file.path ? [] : (this.open(path) ?? [])));
  }

  // Names.

  bind(file: SourceFile, scope: SyntaxNode, name: string, value: Value | undefined): void {
    if (!value || name === "_") return;
    const names = file.names.get(scope) ?? new Map<string, Value>();
    file.names.set(scope, names);
    const before = names.get(name);
    const merged = before ? mergeValues(before, value) : value;
    if (merged === before) return;
    names.set(name, merged);
    this.isChanged = true;
    if (!carriesV1(merged)) return;
    const statement = scope === file.root ? undefined : file.statementOf(scope);
    if (statement) statement.isLive = true;
    else file.hotNames.add(name);
  }

  lookup(file: SourceFile, at: SyntaxNode, name: string): Value | undefined {
    for (let scope: SyntaxNode | undefined = at; scope; scope = scope.scope) {
      const found = file.names.get(scope)?.get(name);
      if (found) return found;
    }
    return this.declared(file, name) ?? this.imported(file, name);
  }

  /** What is declared under a name at the top of a file. */
  declared(file: SourceFile, name: string): Value | undefined {
    const known = file.names.get(file.root)?.get(name);
    if (known) return known;
    for (const node of file.declarations.get(name) ?? []) {
      if (this.running.has(node)) continue;
      this.running.add(node);
      try {
        this.rules.declare(this, file, node);
      } finally {
        this.running.delete(node);
      }
    }
    return file.names.get(file.root)?.get(name);
  }

  private imported(file: SourceFile, name: string): Value | undefined {
    const from = file.imports.get(name);
    for (const other of from ? this.resolve(file, from.specifiers) : []) {
      const found =
        this.exported(other, from!.name) ??
        (from!.name === "default" ? this.exported(other, name) : undefined);
      if (found) return found;
    }
    for (const other of this.packageOf(file)) {
      const found = this.declared(other, name);
      if (found) return found;
    }
    // `from client import *`
    for (const other of file.language === "python" ? this.resolve(file, file.passedOn) : []) {
      const found = this.exported(other, name);
      if (found) return found;
    }
    return undefined;
  }

  /** What a file hands to others under a name. */
  exported(file: SourceFile, name: string, depth = 0): Value | undefined {
    const renamed = file.exports.get(name);
    const own = renamed?.specifier === undefined ? this.declared(file, renamed?.name ?? name) : undefined;
    if (own || depth > 3) return own;
    const others = this.resolve(file, renamed?.specifier ? [renamed.specifier] : file.passedOn);
    for (const other of others) {
      const found = this.exported(other, renamed?.name ?? name, depth + 1);
      if (found) return found;
    }
    const imported = file.imports.get(name);
    for (const other of imported ? this.resolve(file, imported.specifiers) : []) {
      const found = this.exported(other, imported!.name, depth + 1);
      if (found) return found;
    }
    if (name === "default") return undefined;
    return this.declared(file, "default")?.members?.get(name);
  }

  /** A name of an imported module: `client.load`, where `client` is the module. */
  memberOfModule(file: SourceFile, module: string, name: string): Value | undefined {
    const from = file.imports.get(module);
    for (const other of from ? this.resolve(file, from.specifiers) : []) {
      const found = this.exported(other, name);
      if (found) return found;
    }
    return undefined;
  }

  /** A method by its name alone, in this file or in one that it imports. */
  method(file: SourceFile, name: string): FunctionRef | undefined {
    const [own] = file.methods.get(name) ?? [];
    if (own) return { file, node: own };
    if (commonMethods.has(name)) return undefined;
    const specifiers = [...file.imports.values()].flatMap((imported) => imported.specifiers);
    for (const other of [...this.resolve(file, specifiers), ...this.packageOf(file)]) {
      const [node] = other.methods.get(name) ?? [];
      if (node) return { file: other, node };
    }
    return undefined;
  }

  bindText(file: SourceFile, scope: SyntaxNode, name: string, text: Text | undefined): void {
    if (!text || !/[\w/]/.test(text.text)) return;
    const texts = file.texts.get(scope) ?? new Map<string, Text>();
    file.texts.set(scope, texts);
    if (texts.get(name)?.text === text.text || (texts.has(name) && !texts.get(name)!.text.startsWith(hole)))
      return;
    texts.set(name, text);
    this.isChanged = true;
  }
}

/** Names of methods that every library has. */
const commonMethods = new Set(
  "get post put set push then find map filter json parse add delete create request fetch call send read load".split(
    " ",
  ),
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
