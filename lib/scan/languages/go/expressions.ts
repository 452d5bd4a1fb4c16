// Go, expressions: syntax tree → code.
import {
  type Entry,
  type Expression,
  type FunctionCode,
  nothing,
  type Parameter,
  type Pattern,
  type Statement,
} from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { readType } from "./types.ts";

export const unquote = (node: SyntaxNode): string => node.text().slice(1, -1);

const isListType = (type: SyntaxNode | null | undefined) =>
  type?.kind() === "slice_type" ||
  type?.kind() === "array_type" ||
  type?.kind() === "implicit_length_array_type";

const plainType = (type: SyntaxNode | null | undefined): SyntaxNode | null | undefined =>
  type?.kind() === "pointer_type" ? partsOf(type)[0] : type;

/** `T{…}`; what a list or a map holds may leave its own type out. */
function readLiteral(type: SyntaxNode | null | undefined, body: SyntaxNode | null, line: number): Expression {
  const children = body ? partsOf(body) : [];
  const held = plainType(type?.field("element") ?? type?.field("value"));
  const inner = (element: SyntaxNode | undefined): Expression => {
    const part = element && partsOf(element)[0];
    return part?.kind() === "literal_value" ? readLiteral(held, part, lineOf(part)) : readExpression(part);
  };
  const named = readType(type);
  if (isListType(type) || children.some((child) => child.kind() !== "keyed_element")) {
    const items = children.map((child) =>
      inner(child.kind() === "keyed_element" ? partsOf(child)[1] : child),
    );
    return { kind: "list", items, type: named, line };
  }
  const entries = children.map((child) => {
    const [key, value] = partsOf(child);
    return { key: key?.text().replace(/^["`]|["`]$/g, ""), value: inner(value) };
  });
  return type?.text() === "url.URL" ? readUrl(entries, line) : { kind: "object", entries, type: named, line };
}

/** `url.URL{Host: …, Path: …}` is the text that its String gives. */
function readUrl(entries: readonly Entry[], line: number): Expression {
  const parts = ["Host", "Path"].flatMap((key) => entries.filter((entry) => entry.key === key));
  const args = parts.map(({ value }) => ({ name: undefined, value }));
  return { kind: "call", callee: { kind: "name", name: "JoinPath", line }, args, line };
}

/** A generic type with the types that it is given; a struct without a name by the name that stands for it. */
const readAsked = (node: SyntaxNode | null | undefined): string | undefined =>
  node && /\[\w/.test(node.text()) && !node.text().includes("struct") ? node.text() : readType(node);

const isGenericType = (node: SyntaxNode | null | undefined) => node?.kind() === "generic_type";

function readCall(node: SyntaxNode): Expression {
  const list = node.field("arguments");
  const given = list ? partsOf(list) : [];
  const args = given.map((child) => {
    const isSpread = child.kind() === "variadic_argument";
    const value = readExpression(isSpread ? partsOf(child)[0] : child);
    return {
      name: undefined,
      value: isSpread ? ({ kind: "spread", of: value, line: value.line } as const) : value,
    };
  });
  const callee = node.field("function");
  const line = lineOf(list ?? node);
  // new(T) and make(T) take a type; what they give is empty and may be filled.
  const made = callee?.text();
  if (made === "new")
    return { kind: "reference", of: { kind: "object", entries: [], type: readType(given[0]), line }, line };
  if (made === "make") {
    const isChannel = given[0]?.kind() === "channel_type";
    const sizes = given.slice(1).map(readExpression);
    return { kind: "list", items: [], type: readType(given[0]), isChannel, sizes, line };
  }
  const as = readAsked(callee?.field("index") ?? node.field("type_arguments")?.namedChildren()[0]);
  return { kind: "call", callee: readExpression(callee), args, as, line, start: lineOf(node) };
}

/** `f[T](x)` reads as a conversion to a generic type; it is a call all the same. */
function readConversion(node: SyntaxNode): Expression {
  const line = lineOf(node);
  const type = node.field("type");
  const value = readExpression(node.field("operand"));
  const [owner, name] = (readType(type) ?? "").split(".");
  if (!owner || owner.startsWith("[]")) return value;
  const first: Expression = { kind: "name", name: owner, line };
  const callee: Expression = name ? { kind: "member", of: first, key: name, line } : first;
  const [argument] = isGenericType(type) ? partsOf(type!.field("type_arguments") ?? type!) : [];
  return { kind: "call", callee, args: [{ name: undefined, value }], as: readAsked(argument), line };
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
      return { kind: "element", of, index: readExpression(index), line: index ? lineOf(index) : line };
    }
    case "slice_expression":
      return readExpression(node.field("operand"));
    case "type_assertion_expression": {
      const of = readExpression(node.field("operand"));
      return { kind: "cast", of, type: readType(node.field("type")), line: of.line };
    }
    case "parenthesized_expression":
      return readExpression(partsOf(node)[0]);
    case "call_expression":
      return readCall(node);
    case "type_conversion_expression":
      return readConversion(node);
    case "type_instantiation_expression":
      return readExpression(node.field("type"));
    case "func_literal":
      return { kind: "function", code: readFunction(node), line };
    case "composite_literal":
      return readLiteral(node.field("type"), node.field("body"), line);
    case "unary_expression": {
      const operand = readExpression(node.field("operand"));
      const operator = node.field("operator")?.text();
      const isUrl = operand.kind === "call" && node.field("operand")?.kind() === "composite_literal";
      if (operator === "&") return isUrl ? operand : { kind: "reference", of: operand, line };
      if (operator === "<-") return { kind: "element", of: operand, index: undefined, line };
      return operator === "*" ? operand : { kind: "other", parts: [operand], line };
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
      into: name ? readPattern(name, true) : ({ kind: "nothing" } as const),
      name: name?.text(),
      type: isVariadic ? `[]${type ?? ""}` : type,
      instead: undefined,
      isField: false,
      ...(isVariadic && { isRest: true }),
    }));
  });
}

export function readFunction(node: SyntaxNode): FunctionCode {
  const receiver = node.field("receiver");
  const [self] = receiver ? readParameters(receiver) : [];
  const result = node.field("result");
  const named = result?.kind() === "parameter_list" ? readParameters(result).filter(({ name }) => name) : [];
  const body = node.field("body");
  const returned = result?.kind() === "parameter_list" ? partsOf(result).at(-1)?.field("type") : result;
  return {
    name: node.field("name")?.text(),
    params: readParameters(node.field("parameters")),
    body: body ? readBlock(body) : [],
    isGenerator: false,
    line: lineOf(node),
    receiver: receiver ? { name: self?.name ?? "", type: self?.type ?? "" } : undefined,
    results: named.map(({ name, type }) => ({ name: name!, type })),
    fails: returned?.text() === "error",
  };
}
