// Python, statements that give names: assignments and imports. Syntax tree → code.
import type { Expression, Statement } from "./scan-code.ts";
import { readExpression, readPattern } from "./scan-python.ts";
import { readType } from "./scan-python-patterns.ts";
import { lineOf, partsOf, type SyntaxNode } from "./scan-syntax.ts";

export function readAssignment(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const left = node.field("left");
  const right = node.field("right");
  if (!right) return [];
  if (node.kind() === "augmented_assignment") {
    const operator = (node.field("operator")?.text() ?? "").replace("=", "");
    const value: Expression = {
      kind: "operation",
      operator,
      left: readExpression(left),
      right: readExpression(right),
      line,
    };
    return [{ kind: "bind", into: readPattern(left), value, line }];
  }
  const into = readPattern(left, readType(node.field("type")));
  if (right.kind() === "assignment") {
    const inner = readAssignment(right);
    return [...inner, { kind: "bind", into, value: readExpression(right.field("left")), line }];
  }
  return [{ kind: "bind", into, value: readExpression(right), line }];
}

export function readImport(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const isFrom = node.kind() === "import_from_statement";
  const names = node.fieldChildren("name").map((child) => {
    const imported = (child.field("name") ?? child).text();
    return { imported, alias: child.field("alias")?.text() };
  });
  if (isFrom) {
    const from = node.field("module_name")?.text() ?? "";
    const isAll = partsOf(node).some((child) => child.kind() === "wildcard_import");
    const pairs = names.map(({ imported, alias }) => ({ imported, local: alias ?? imported }));
    return [{ kind: "import", from, names: isAll ? [{ imported: "*", local: "*" }] : pairs, line }];
  }
  return names.map(({ imported, alias }) => ({
    kind: "import",
    from: imported,
    names: [{ imported: "*", local: alias ?? imported }],
    line,
  }));
}
