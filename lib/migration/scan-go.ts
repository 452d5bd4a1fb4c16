// Go, expressions: syntax tree → code.
import {
  type Expression,
  type FunctionCode,
  nothing,
  type Parameter,
  type Pattern,
  type Statement,
} from "./scan-code.ts";
import { lineOf, partsOf, type SyntaxNode } from "./scan-syntax.ts";

const isString = (node: SyntaxNode | null | undefined) => /string_literal$/.test(String(node?.kind()));
export const unquote = (node: SyntaxNode): string => node.text().slice(1, -1);

/** `*pkg.Type[T]` → `Type`; lists keep their brackets. */
export function readType(node: SyntaxNode | null | undefined): string | undefined {
  if (!node) return undefined;
  if (node.kind() === "slice_type" || node.kind() === "array_type") {
    return `[]${readType(node.field("element")) ?? ""}`;
  }
  if (["struct_type", "map_type", "function_type", "interface_type"].includes(String(node.kind()))) return "";
  return /([A-Za-z_]\w*)(?:\[.*\])?$/s.exec(node.text())?.[1] ?? "";
}

function readComposite(node: SyntaxNode): Expression {
  const line = lineOf(node);
  const type = node.field("type");
  const body = node.field("body");
  const inner = (element: SyntaxNode | undefined) => readExpression(element && partsOf(element)[0]);
  const children = body ? partsOf(body) : [];
  const isList = type?.kind() === "slice_type" || type?.kind() === "array_type";
  if (isList || children.some((child) => child.kind() !== "keyed_element")) {
    return {
      kind: "list",
      items: children.map((child) => inner(child.kind() === "keyed_element" ? partsOf(child)[1] : child)),
      line,
    };
  }
  const entries = children.map((child) => {
    const [key, value] = partsOf(child);
    return { key: key?.text().replace(/^["`]|["`]$/g, ""), value: inner(value) };
  });
  return { kind: "object", entries, type: readType(type), line };
}

function readCall(node: SyntaxNode): Expression {
  const list = node.field("arguments");
  const args = (list ? partsOf(list) : []).map((child) => {
    const isSpread = child.kind() === "variadic_argument";
    const value = readExpression(isSpread ? partsOf(child)[0] : child);
    return {
      name: undefined,
      value: isSpread ? ({ kind: "spread", of: value, line: value.line } as const) : value,
    };
  });
  const callee = node.field("function");
  // new(T) and make(T) take a type; what they give is empty and may be filled.
  const made = callee?.text();
  if (made === "new") {
    const line = lineOf(node);
    const type = readType(list ? partsOf(list)[0] : undefined);
    return { kind: "reference", of: { kind: "object", entries: [], type, line }, line };
  }
  if (made === "make") return { kind: "list", items: [], line: lineOf(node) };
  return { kind: "call", callee: readExpression(callee), args, line: lineOf(list ?? node) };
}

export function readExpression(node: SyntaxNode | null | undefined): Expression {
  if (!node) return nothing(0);
  const line = lineOf(node);
  switch (node.kind()) {
    case "identifier":
    case "type_identifier":
      return { kind: "name", name: node.text(), line };
    case "interpreted_string_literal":
    case "raw_string_literal":
      return { kind: "text", parts: [unquote(node)], line };
    case "int_literal":
    case "float_literal":
      return { kind: "constant", value: node.text(), line };
    case "nil":
      return { kind: "constant", value: "null", line };
    case "true":
    case "false":
      return { kind: "constant", value: node.text(), line };
    case "selector_expression": {
      const field = node.field("field");
      return {
        kind: "member",
        of: readExpression(node.field("operand")),
        key: field?.text() ?? "",
        line: field ? lineOf(field) : line,
      };
    }
    case "index_expression": {
      const index = node.field("index");
      const of = readExpression(node.field("operand"));
      return isString(index)
        ? { kind: "member", of, key: unquote(index!), line: lineOf(index!) }
        : { kind: "element", of, index: readExpression(index), line };
    }
    case "slice_expression":
    case "type_assertion_expression":
      return readExpression(node.field("operand"));
    case "parenthesized_expression":
      return readExpression(partsOf(node)[0]);
    case "call_expression":
      return readCall(node);
    case "type_conversion_expression": {
      // `f[T](x)` reads as a conversion to a generic type; it is a call all the same.
      const name = readType(node.field("type")?.field("type") ?? node.field("type")) ?? "";
      const value = readExpression(node.field("operand"));
      return { kind: "call", callee: { kind: "name", name, line }, args: [{ name: undefined, value }], line };
    }
    case "func_literal":
      return { kind: "function", code: readFunction(node), line };
    case "composite_literal":
      return readComposite(node);
    case "literal_value":
      return { kind: "list", items: partsOf(node).map((child) => readExpression(partsOf(child)[0])), line };
    case "unary_expression": {
      const operand = readExpression(node.field("operand"));
      const operator = node.field("operator")?.text();
      if (operator === "&") return { kind: "reference", of: operand, line };
      return operator === "*" || operator === "<-" ? operand : { kind: "other", parts: [operand], line };
    }
    case "binary_expression":
      return {
        kind: "operation",
        operator: node.field("operator")?.text() ?? "",
        left: readExpression(node.field("left")),
        right: readExpression(node.field("right")),
        line,
      };
    case "expression_list": {
      const items = partsOf(node).map(readExpression);
      return items.length === 1 ? items[0]! : { kind: "list", items, line };
    }
    default:
      return { kind: "other", parts: partsOf(node).map(readExpression), line };
  }
}

export function readPattern(node: SyntaxNode | null | undefined, declares: boolean): Pattern {
  if (!node || node.text() === "_") return { kind: "nothing" };
  if (node.kind() === "identifier") return { kind: "name", name: node.text(), declares };
  if (node.kind() === "expression_list") {
    const items = partsOf(node).map((child) => readPattern(child, declares));
    return items.length === 1 ? items[0]! : { kind: "items", items, rest: false };
  }
  return { kind: "place", place: readExpression(node) };
}

let readBlock: (block: SyntaxNode) => Statement[] = () => [];

/** Functions are expressions that hold statements, which another file reads. */
export function readBlocksWith(reader: (block: SyntaxNode) => Statement[]): void {
  readBlock = reader;
}

function readParameters(node: SyntaxNode | null): Parameter[] {
  if (!node) return [];
  return partsOf(node).flatMap((declaration) => {
    const type = readType(declaration.field("type"));
    const names = declaration.fieldChildren("name").filter((child) => child.kind() === "identifier");
    const isVariadic = declaration.kind() === "variadic_parameter_declaration";
    return (names.length > 0 ? names : [undefined]).map((name) => ({
      into: name && !isVariadic ? readPattern(name, true) : ({ kind: "nothing" } as const),
      name: name?.text(),
      type,
      instead: undefined,
      isField: false,
    }));
  });
}

export function readFunction(node: SyntaxNode): FunctionCode {
  const receiver = node.field("receiver");
  const [self] = receiver ? readParameters(receiver) : [];
  const result = node.field("result");
  const results =
    result?.kind() === "parameter_list" ? readParameters(result).flatMap(({ name }) => name ?? []) : [];
  const body = node.field("body");
  return {
    name: node.field("name")?.text(),
    params: readParameters(node.field("parameters")),
    body: body ? readBlock(body) : [],
    isGenerator: false,
    line: lineOf(node),
    receiver: receiver ? { name: self?.name ?? "", type: self?.type ?? "" } : undefined,
    results,
  };
}
