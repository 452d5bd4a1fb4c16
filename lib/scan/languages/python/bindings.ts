// Python: assignments and imports. Syntax tree → code.
import type { DeclaredField, Expression, FunctionCode, Statement } from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { readExpression, readPattern } from "./expressions.ts";
import { type Read, readType } from "./patterns.ts";

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

// Python, what decorators and field declarations say about a function or a class.
export type Decorated = Pick<FunctionCode, "decorators" | "isGetter" | "isOfClass" | "yieldsOnce">;

const nameOf = (text: string) => text.replace(/\(.*$/s, "").replace(/^.*\./s, "");

const plain =
  /^(property|cached_property|computed_field|hybrid_property|classmethod|staticmethod|wraps|setter|abstractmethod|override)$/;

/** A decorator that names a path declares a route; only the tree's own ones are looked into later. */
export function readDecorators(node: SyntaxNode, read: Read): Decorated {
  if (node.kind() !== "decorated_definition") return {};
  const decorators = partsOf(node).filter((child) => child.kind() === "decorator");
  const names = decorators.map((child) => nameOf(partsOf(child)[0]?.text() ?? ""));
  const others = decorators.filter((_, index) => !plain.test(names[index] ?? ""));
  return {
    ...(others.length > 0 && { decorators: others.map((child) => read(partsOf(child)[0])) }),
    ...(names.some((name) => /^(cached_|hybrid_)?property$/.test(name)) && { isGetter: true }),
    ...(names.includes("classmethod") && { isOfClass: true }),
    ...(names.some((name) => /^(async)?contextmanager$/.test(name)) && { yieldsOnce: true }),
  };
}

const alias = /\b(?:validation_alias|alias|data_key|field_name|rename)\s*=\s*["']([^"']+)["']/;

/** msgspec's way. */
const fieldName = /\bfield\([^)]*\bname\s*=\s*["']([^"']+)["']/;

/** `id: int = Field(alias="passport_id")`: the name that the code uses, and the key that V1 sends. */
export function declaredField(assignment: SyntaxNode): DeclaredField | undefined {
  const name = assignment.field("left")?.text() ?? "";
  const type = readType(assignment.field("type"));
  if (type === undefined) return undefined;
  const said = `${assignment.field("right")?.text() ?? ""} ${/\bAnnotated\[/.test(type) ? type : ""}`;
  return {
    key: (alias.exec(said) ?? fieldName.exec(said))?.[1] ?? name,
    name,
    type,
    line: lineOf(assignment),
  };
}

/** Classes that code fills by hand; a model that decodes a body by itself has V1's shape for sure. */
export const isHandMade = (decorators: string, bases: string): boolean =>
  /@(\w+\.)?(dataclass|define|frozen|attrs|attr\.s|s)\b/.test(decorators) ||
  /\b(NamedTuple|Enum)\b/.test(bases);
