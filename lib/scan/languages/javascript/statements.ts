// JavaScript and TypeScript, statements: syntax tree → code.
import type {
  ClassStatement,
  DeclaredField,
  Expression,
  FunctionCode,
  Handler,
  Statement,
} from "../../flow/code.ts";
import { createBlockReader, each, keyText, nameAt, readContinue } from "../reading.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { readBlocksWith, readExpression, readFunction, readPattern, readType } from "./expressions.ts";

const functionKinds = /^(arrow_function|function_expression|generator_function)$/;

/** A function without a name of its own is known by what it is given to. */
const withName = (value: SyntaxNode | null, name: string): Expression =>
  value && functionKinds.test(String(value.kind()))
    ? { kind: "function", code: readFunction(value, name), line: lineOf(value) }
    : readExpression(value);

const readDeclaration = (node: SyntaxNode): Statement[] =>
  partsOf(node)
    .filter((child) => child.kind() === "variable_declarator")
    .map((child) => {
      const name = child.field("name");
      const into = readPattern(name, true, readType(child.field("type")));
      return {
        kind: "bind",
        into,
        value: withName(child.field("value"), name?.text() ?? ""),
        line: lineOf(child),
      };
    });

type Name = { imported: string; local: string };

/** `a` and `a as b` in the braces of an import or an export. */
const readNames = (clause: SyntaxNode | undefined): Name[] =>
  (clause ? partsOf(clause) : []).map((item) => {
    const imported = keyText(item.field("name"));
    return { imported, local: item.field("alias")?.text() ?? imported };
  });

function readImport(node: SyntaxNode, line: number): Statement[] {
  const clause = partsOf(node).find((child) => child.kind() === "import_clause");
  const names = (clause ? partsOf(clause) : []).flatMap((child): Name[] => {
    if (child.kind() === "identifier") return [{ imported: "default", local: child.text() }];
    if (child.kind() !== "namespace_import") return readNames(child);
    return [{ imported: "*", local: partsOf(child)[0]?.text() ?? "" }];
  });
  return [{ kind: "import", from: keyText(node.field("source")), names, line }];
}

function readExport(node: SyntaxNode, line: number): Statement[] {
  const source = node.field("source");
  const part = (kind: string) => partsOf(node).find((child) => child.kind() === kind);
  const clause = part("export_clause");
  const names = readNames(clause);
  const exportOf = (name: string, value: Expression): Statement => ({ kind: "export", name, value, line });
  if (source) {
    const whole = part("namespace_export");
    const all = { imported: "*", local: whole ? (partsOf(whole)[0]?.text() ?? "") : "*" };
    return [{ kind: "import", from: keyText(source), names: clause ? names : [all], line }];
  }
  if (clause)
    return names
      .filter(({ imported, local }) => imported !== local)
      .map(({ imported, local }) => exportOf(local, nameAt(imported, line)));
  const declaration = node.field("declaration");
  if (declaration) {
    const named = declaration.field("name")?.text();
    const isDefault = node.children().some((child) => child.kind() === "default");
    const statements = readStatements(declaration);
    return isDefault && named ? [...statements, exportOf("default", nameAt(named, line))] : statements;
  }
  const value = node.field("value");
  return value ? [exportOf("default", withName(value, "default"))] : [];
}

function readTry(node: SyntaxNode, line: number): Statement[] {
  const handler = node.field("handler");
  const read = (clause: SyntaxNode): Handler => ({
    caught: readPattern(clause.field("parameter"), true),
    body: readStatements(clause.field("body")),
    line: lineOf(clause),
  });
  const body = readStatements(node.field("body"));
  const after = readStatements(node.field("finalizer")?.field("body"));
  return [{ kind: "try", body, handlers: handler ? [read(handler)] : [], after, line }];
}

function readLoop(node: SyntaxNode, line: number): Statement[] {
  const over = readExpression(node.field("right"));
  const into = readPattern(node.field("left"), true);
  return [{ kind: "loop", into, over, body: readStatements(node.field("body")), line }];
}

function readBranch(node: SyntaxNode, line: number): Statement[] {
  return [
    {
      ...{ kind: "branch", test: readExpression(node.field("condition")), line },
      yes: readStatements(node.field("consequence")),
      no: readStatements(node.field("alternative")),
    },
  ];
}

const readDeclaredFields = (node: SyntaxNode | null): DeclaredField[] =>
  (node ? partsOf(node) : [])
    .filter((child) => child.kind() === "property_signature")
    .map((child) => {
      const key = keyText(child.field("name"));
      return { key, name: key, type: readType(child.field("type")) ?? "", line: lineOf(child) };
    });

/** Decorators of classes that a database fills. */
const stored = /@(Entity|Column|PrimaryColumn|PrimaryGeneratedColumn|Prop|Field|ObjectType|Property|Table)\b/;

function readClass(node: SyntaxNode, line: number): ClassStatement {
  const methods: FunctionCode[] = [];
  const fields: { name: string; value: Expression }[] = [];
  const declared: DeclaredField[] = [];
  const body = node.field("body");
  for (const child of body ? partsOf(body) : []) {
    const name = keyText(child.field("name") ?? child.field("property"));
    if (child.kind() === "method_definition") methods.push(readFunction(child));
    else if (/field_definition$/.test(String(child.kind()))) {
      const value = child.field("value");
      const type = readType(child.field("type"));
      if (value) fields.push({ name, value: withName(value, name) });
      else if (type) declared.push({ key: name, name, type, line: lineOf(child) });
    }
  }
  const heritage = partsOf(node).find((child) => child.kind() === "class_heritage");
  const base = /^extends\s+([\w$]+)/.exec(heritage?.text() ?? "")?.[1];
  return {
    ...{ kind: "class", name: keyText(node.field("name")), methods, fields, declared, line },
    bases: base ? [base] : [],
    // What has a constructor or is a database's row is filled by the team's own code.
    isHandMade: methods.some(({ name }) => name === "constructor") || stored.test(body?.text() ?? ""),
  };
}

function readTypeDeclaration(node: SyntaxNode, line: number): Statement[] {
  const value = node.field("value");
  const fields = readDeclaredFields(node.field("body") ?? value);
  // `type Client = ReturnType<typeof createClient>`: another name, where no fields are listed.
  const isAlias =
    /^(generic_type|type_query|type_identifier)$/.test(String(value?.kind())) ||
    (fields.length === 0 && /^(intersection|union)_type$/.test(String(value?.kind())));
  const name = node.field("name")?.text() ?? "";
  return [{ kind: "type", name, fields, ...(isAlias && { same: value!.text() }), line }];
}

function readEnum(node: SyntaxNode, line: number): Statement[] {
  const body = node.field("body");
  const entries = (body ? partsOf(body) : []).map((member) => ({
    key: keyText(member.field("name")),
    value: readExpression(member.field("value")),
  }));
  const into = readPattern(node.field("name"), true);
  return [{ kind: "bind", into, value: { kind: "object", entries, line }, line }];
}

const isStatement =
  /(_statement|_declaration|statement_block|program|switch_body|switch_case|switch_default|else_clause|do)$/;

/** Loops, switches, blocks: their parts in order. */
const readOther = (node: SyntaxNode, line: number): Statement[] =>
  isStatement.test(String(node.kind()))
    ? partsOf(node).flatMap(readStatements)
    : [{ kind: "do", value: readExpression(node), line }];

const readFunctionStatement = (node: SyntaxNode, line: number): Statement[] => [
  { kind: "function", code: readFunction(node), line },
];

export const readStatements = createBlockReader(
  {
    ...each("lexical_declaration variable_declaration", readDeclaration),
    expression_statement: (node, line) => [{ kind: "do", value: readExpression(partsOf(node)[0]), line }],
    return_statement: (node, line) => [
      { kind: "return", values: partsOf(node).slice(0, 1).map(readExpression), line },
    ],
    continue_statement: readContinue,
    throw_statement: (node, line) => [{ kind: "throw", value: readExpression(partsOf(node)[0]), line }],
    if_statement: readBranch,
    for_in_statement: readLoop,
    try_statement: readTry,
    ...each("function_declaration generator_function_declaration", readFunctionStatement),
    ...each("class_declaration abstract_class_declaration", (node: SyntaxNode, line: number) => [
      readClass(node, line),
    ]),
    ...each("interface_declaration type_alias_declaration", readTypeDeclaration),
    enum_declaration: readEnum,
    import_statement: readImport,
    export_statement: readExport,
    ...each("comment empty_statement", () => []),
  },
  readOther,
);

readBlocksWith(readStatements);
