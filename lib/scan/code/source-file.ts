// One file: its statements, what it declares, imports and exports, and the table of its names: which name is which part of
// V1's response.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { FieldNode } from "../names/fields.ts";
import { codeOf } from "./markup.ts";
import {
  classKinds,
  functionKinds,
  type Language,
  languageOf,
  parseCode,
  rootKinds,
  type SyntaxNode,
} from "./syntax.ts";

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

type Import = { name: string; specifiers: readonly string[] };

/** The whole module, under a name of its own. */
export const wholeModule = "*";

export class SourceFile {
  readonly path: string;
  readonly language: Language;
  readonly text: string;
  readonly root: SyntaxNode;
  readonly statements: Statement[] = [];
  /** What is declared at the top of the file. */
  readonly declarations = new Map<string, SyntaxNode[]>();
  readonly types = new Map<string, SyntaxNode>();
  readonly methods = new Map<string, SyntaxNode[]>();
  readonly imports = new Map<string, Import>();
  /** `export { a as b }`, `export { a } from "./c"`: what is known outside under another name. */
  readonly exports = new Map<string, { name: string; specifier: string | undefined }>();
  /** `export * from "./b"`. */
  readonly passedOn: string[] = [];
  readonly names = new Map<SyntaxNode, Map<string, Value>>();
  readonly texts = new Map<SyntaxNode, Map<string, Text>>();
  /** `const [state, setState] = useState()`: the state that a setter sets. */
  readonly setters = new Map<SyntaxNode, Map<string, string>>();
  readonly requests = new Map<SyntaxNode, Request>();
  readonly shapes = new Map<string, Shape | undefined>();
  /** What a parameter that is taken apart in its place was given. */
  readonly given = new Map<SyntaxNode, Value>();
  /** Names and methods that have to do with V1: a statement with one of them in it is looked at. */
  readonly hotNames = new Set<string>();
  readonly hotMethods = new Set<string>();
  /** Near V1's names, so that a name alone is evidence. */
  readonly isNear: boolean;
  /** Whether an address outside the code may be V1's. */
  readonly isUnaddressed: boolean;

  constructor(path: string, text: string, facts: { isNear: boolean; isUnaddressed: boolean }) {
    this.path = path;
    this.text = text;
    this.language = languageOf(path)!;
    this.isNear = facts.isNear;
    this.isUnaddressed = facts.isUnaddressed;
    const code = codeOf(path, text);
    this.root = parseCode(path, code);
    for (const node of this.root.children) {
      this.index(node);
      if (!/^(import_statement|import_from_statement|import_declaration|package_clause)$/.test(node.kind))
        this.statements.push({ node, text: code.slice(...node.span), isLive: false });
    }
  }

  private add(name: SyntaxNode | string | undefined, node: SyntaxNode): void {
    if (name === undefined) return;
    const text = typeof name === "string" ? name : name.text;
    this.declarations.set(text, [...(this.declarations.get(text) ?? []), node]);
  }

  private index(node: SyntaxNode): void {
    const { kind } = node;
    if (kind === "export_statement") {
      const inner = node.field("declaration");
      if (/^export\s+default\b/.test(node.text)) this.add("default", inner ?? node.field("value") ?? node);
      if (inner) this.index(inner);
    } else if (kind === "method_declaration") this.addMethod(node);
    else if (functionKinds.has(kind)) this.add(node.fieldText("name"), node);
    else if (classKinds.has(kind)) this.declareClass(node);
    else if (kind === "decorated_definition") this.declareParts([node.field("definition")]);
    else if (kind === "variable_declarator" || kind === "assignment") {
      for (const name of namesIn(node.field("name") ?? node.field("left"))) this.add(name, node);
    } else if (kind === "assignment_expression") this.declareExport(node);
    else if (kind === "var_spec" || kind === "const_spec") {
      for (const name of node.children) if (name.kind === "identifier") this.add(name, node);
    } else if (/^(interface_declaration|type_alias_declaration|type_spec|type_alias)$/.test(kind)) {
      const name = node.field("name")?.text;
      if (name) this.types.set(name, node);
    } else if (
      /^(lexical_declaration|variable_declaration|type_declaration|(var|const)_(declaration|spec_list)|expression_statement|if_statement|else_clause|try_statement|except_clause|with_statement|block|statement_block|ambient_declaration)$/.test(
        kind,
      )
    )
      this.declareParts(node.children);
  }

  private declareParts(nodes: readonly (SyntaxNode | undefined)[]): void {
    for (const node of nodes) if (node) this.index(node);
  }

  /** `exports.load = …`, `module.exports.load = …`, `module.exports = …`. */
  private declareExport(node: SyntaxNode): void {
    const [, name] = /^(?:module\.)?exports\.(\w+)$/.exec(node.field("left")?.text ?? "") ?? [];
    if (name) this.add(name, node);
    else if (node.field("left")?.text === "module.exports") this.add("default", node);
  }

  private declareClass(node: SyntaxNode): void {
    const name = node.field("name");
    this.add(name, node);
    if (name) this.types.set(name.text, node);
    for (const member of node.field("body")?.children ?? [])
      this.addMethod(member.kind === "decorated_definition" ? member.field("definition") : member);
  }

  private addMethod(member: SyntaxNode | undefined): void {
    const name = member?.fieldText("name");
    const isFunction = member !== undefined && functionKinds.has(member.kind);
    const value = isFunction ? undefined : member?.field("value");
    const fn =
      member && functionKinds.has(member.kind)
        ? member
        : value && functionKinds.has(value.kind)
          ? value
          : undefined;
    if (name && fn) this.methods.set(name, [...(this.methods.get(name) ?? []), fn]);
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
    while (top.parent && !rootKinds.has(top.parent.kind)) top = top.parent;
    return this.statements.find((statement) => statement.node === top);
  }
}

/** The names in a pattern. */
function namesIn(pattern: SyntaxNode | undefined): string[] {
  if (!pattern) return [];
  if (/^(identifier|shorthand_property_identifier_pattern)$/.test(pattern.kind)) return [pattern.text];
  return /pattern|^(pattern_list|tuple|expression_list)$/.test(pattern.kind)
    ? pattern.children.flatMap((part) => namesIn(part))
    : [];
}
