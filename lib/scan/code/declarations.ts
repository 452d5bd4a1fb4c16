// What a file declares at its top: names, types, and the methods of its classes.
import { classKinds, functionKinds, methodOf, type SyntaxNode } from "./syntax.ts";

export type Declarations = {
  names: Map<string, SyntaxNode[]>;
  types: Map<string, SyntaxNode>;
  methods: Map<string, SyntaxNode[]>;
};

const typeKinds = /^(interface_declaration|type_alias_declaration|type_spec|type_alias)$/;
/** Statements and lists in which declarations of the file may be. */
const holderKinds =
  /^(lexical_declaration|variable_declaration|type_declaration|(var|const)_(declaration|spec_list)|expression_statement|decorated_definition|if_statement|else_clause|try_statement|except_clause|with_statement|block|statement_block|ambient_declaration)$/;

export function readDeclarations(root: SyntaxNode): Declarations {
  const found: Declarations = { names: new Map(), types: new Map(), methods: new Map() };
  for (const node of root.children) declare(found, node);
  return found;
}

const add = (known: Map<string, SyntaxNode[]>, name: string | undefined, node: SyntaxNode) => {
  if (name !== undefined) known.set(name, [...(known.get(name) ?? []), node]);
};

function declare(found: Declarations, node: SyntaxNode): void {
  const { kind } = node;
  const name = () => node.fieldText("name");
  if (kind === "export_statement") {
    const inner = node.field("declaration");
    if (/^export\s+default\b/.test(node.text))
      add(found.names, "default", inner ?? node.field("value") ?? node);
    if (inner) declare(found, inner);
  } else if (kind === "method_declaration") declareMethod(found, node);
  else if (functionKinds.has(kind)) add(found.names, name(), node);
  else if (classKinds.has(kind)) {
    add(found.names, name(), node);
    declareType(found, node);
    for (const member of node.field("body")?.children ?? []) declareMethod(found, member);
  } else if (kind === "variable_declarator" || kind === "assignment") {
    for (const one of namesIn(node.field("name") ?? node.field("left"))) add(found.names, one, node);
  } else if (kind === "assignment_expression")
    add(found.names, exportedName(node.field("left")?.text ?? ""), node);
  else if (kind === "var_spec" || kind === "const_spec") {
    for (const one of node.children) if (one.kind === "identifier") add(found.names, one.text, node);
  } else if (typeKinds.test(kind)) declareType(found, node);
  else if (holderKinds.test(kind)) for (const part of node.children) declare(found, part);
}

function declareType(found: Declarations, node: SyntaxNode): void {
  const name = node.field("name");
  if (name) found.types.set(name.text, node);
}

function declareMethod(found: Declarations, member: SyntaxNode): void {
  const method = methodOf(member);
  if (method) add(found.methods, method.name, method.fn);
}

/** `load` of `exports.load` and `module.exports.load`; `default` of `module.exports`. */
function exportedName(target: string): string | undefined {
  if (target === "module.exports") return "default";
  return /^(?:module\.)?exports\.(\w+)$/.exec(target)?.[1];
}

/** The names in a pattern. */
function namesIn(pattern: SyntaxNode | undefined): string[] {
  if (!pattern) return [];
  if (/^(identifier|shorthand_property_identifier_pattern)$/.test(pattern.kind)) return [pattern.text];
  return /pattern|^(pattern_list|tuple|expression_list)$/.test(pattern.kind)
    ? pattern.children.flatMap((part) => namesIn(part))
    : [];
}
