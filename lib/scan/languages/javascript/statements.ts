// JavaScript and TypeScript, statements: syntax tree → code.
import type { Expression, Handler, Statement } from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode, triesAgain } from "../syntax.ts";
import { readAlias, readClass, readDeclaredFields, readEnum, withName } from "./classes.ts";
import { readBlocksWith, readExpression, readFunction, readPattern, readType } from "./expressions.ts";
import { nameOfKey } from "./patterns.ts";

function readDeclaration(node: SyntaxNode): Statement[] {
  return partsOf(node)
    .filter((child) => child.kind() === "variable_declarator")
    .map((child) => {
      const name = child.field("name");
      return {
        kind: "bind",
        into: readPattern(name, true, readType(child.field("type"))),
        value: withName(child.field("value"), name?.text() ?? ""),
        line: lineOf(child),
      };
    });
}

function readImport(node: SyntaxNode): Statement[] {
  const names: { imported: string; local: string }[] = [];
  const clause = partsOf(node).find((child) => child.kind() === "import_clause");
  for (const child of clause ? partsOf(clause) : []) {
    if (child.kind() === "identifier") names.push({ imported: "default", local: child.text() });
    else if (child.kind() === "namespace_import")
      names.push({ imported: "*", local: partsOf(child)[0]?.text() ?? "" });
    else {
      for (const item of partsOf(child)) {
        const imported = nameOfKey(item.field("name"));
        names.push({ imported, local: item.field("alias")?.text() ?? imported });
      }
    }
  }
  return [{ kind: "import", from: nameOfKey(node.field("source")), names, line: lineOf(node) }];
}

function readExport(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const source = node.field("source");
  const clause = partsOf(node).find((child) => child.kind() === "export_clause");
  const pairs = (clause ? partsOf(clause) : []).map((item) => {
    const name = nameOfKey(item.field("name"));
    return { name, alias: item.field("alias")?.text() ?? name };
  });
  const whole = partsOf(node).find((child) => child.kind() === "namespace_export");
  if (source && whole) {
    const names = [{ imported: "*", local: partsOf(whole)[0]?.text() ?? "" }];
    return [{ kind: "import", from: nameOfKey(source), names, line }];
  }
  if (source) {
    const names = clause
      ? pairs.map(({ name, alias }) => ({ imported: name, local: alias }))
      : [{ imported: "*", local: "*" }];
    return [{ kind: "import", from: nameOfKey(source), names, line }];
  }
  if (clause) {
    return pairs
      .filter(({ name, alias }) => name !== alias)
      .map(({ name, alias }) => ({ kind: "export", name: alias, value: { kind: "name", name, line }, line }));
  }
  const declaration = node.field("declaration");
  if (declaration) {
    const statements = readStatement(declaration);
    const named = declaration.field("name")?.text();
    const isDefault = node.children().some((child) => child.kind() === "default");
    return isDefault && named
      ? [...statements, { kind: "export", name: "default", value: { kind: "name", name: named, line }, line }]
      : statements;
  }
  const value = node.field("value");
  return value ? [{ kind: "export", name: "default", value: withName(value, "default"), line }] : [];
}

function readTry(node: SyntaxNode): Statement {
  const handler = node.field("handler");
  const handlers: Handler[] = handler
    ? [
        {
          caught: readPattern(handler.field("parameter"), true),
          body: readStatements(handler.field("body")),
          line: lineOf(handler),
        },
      ]
    : [];
  const after = node.field("finalizer");
  return {
    kind: "try",
    body: readStatements(node.field("body")),
    handlers,
    after: after ? readStatements(after.field("body")) : [],
    line: lineOf(node),
  };
}

/** `for (const key in labels)`. */
const keysOf = (node: SyntaxNode): Expression => {
  const line = lineOf(node);
  const callee: Expression = {
    kind: "member",
    of: { kind: "name", name: "Object", line },
    key: "keys",
    line,
  };
  return {
    kind: "call",
    callee,
    args: [{ name: undefined, value: readExpression(node.field("right")) }],
    line,
  };
};

function readStatement(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  switch (node.kind()) {
    case "lexical_declaration":
    case "variable_declaration":
      return readDeclaration(node);
    case "expression_statement":
      return [{ kind: "do", value: readExpression(partsOf(node)[0]), line }];
    case "return_statement": {
      const value = partsOf(node)[0];
      return [{ kind: "return", values: value ? [readExpression(value)] : [], line }];
    }
    case "continue_statement":
      return triesAgain(node) ? [{ kind: "throw", value: undefined, line }] : [];
    case "throw_statement":
      return [{ kind: "throw", value: readExpression(partsOf(node)[0]), line }];
    case "if_statement": {
      const no = node.field("alternative");
      return [
        {
          kind: "branch",
          test: readExpression(node.field("condition")),
          yes: readStatements(node.field("consequence")),
          no: no ? partsOf(no).flatMap(readStatement) : [],
          line,
        },
      ];
    }
    case "for_in_statement":
      return [
        {
          kind: "loop",
          into: readPattern(node.field("left"), true),
          over: node.field("operator")?.text() === "in" ? keysOf(node) : readExpression(node.field("right")),
          body: readStatements(node.field("body")),
          line,
        },
      ];
    case "try_statement":
      return [readTry(node)];
    case "function_declaration":
    case "generator_function_declaration":
      return [{ kind: "function", code: readFunction(node), line }];
    case "class_declaration":
    case "abstract_class_declaration":
      return [readClass(node)];
    case "interface_declaration":
    case "type_alias_declaration":
      return [
        {
          kind: "type",
          name: node.field("name")?.text() ?? "",
          fields: readDeclaredFields(node.field("body") ?? node.field("value")),
          ...readAlias(node.field("value")),
          line,
        },
      ];
    case "enum_declaration":
      return [readEnum(node)];
    case "import_statement":
      return readImport(node);
    case "export_statement":
      return readExport(node);
    case "comment":
    case "empty_statement":
      return [];
    default:
      return readOther(node, line);
  }
}

const isStatement = (node: SyntaxNode) =>
  /(_statement|_declaration|statement_block|switch_body|switch_case|switch_default|else_clause|do)$/.test(
    String(node.kind()),
  );

/** Loops, switches, blocks: their parts in order. */
function readOther(node: SyntaxNode, line: number): Statement[] {
  const kind = String(node.kind());
  if (!isStatement(node)) return [{ kind: "do", value: readExpression(node), line }];
  const body = partsOf(node).flatMap(readStatement);
  return kind === "statement_block" ? [{ kind: "block", body, line }] : body;
}

export function readStatements(node: SyntaxNode | null | undefined): Statement[] {
  if (!node) return [];
  if (node.kind() !== "statement_block" && node.kind() !== "program") return readStatement(node);
  return partsOf(node).flatMap(readStatement);
}

readBlocksWith(readStatements);
