// Go, expressions, patterns and functions: syntax tree → code.
import {
  type Entry,
  type Expression,
  type FunctionCode,
  namesIn,
  type Parameter,
  type Pattern,
  type Statement,
} from "../../flow/code.ts";
import {
  callOf,
  createReader,
  each,
  memberOf,
  type Node,
  nameAt,
  operationOf,
  readConstant,
  readName,
  readNull,
} from "../reading.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { readType } from "./types.ts";

export const unquote = (node: SyntaxNode): string => node.text().slice(1, -1);

const plainType = (type: Node): Node => (type?.kind() === "pointer_type" ? partsOf(type)[0] : type);

/** `T{…}`; what a list or a map holds may leave its own type out. */
function readLiteral(type: Node, body: SyntaxNode | null, line: number): Expression {
  const children = body ? partsOf(body) : [];
  const held = plainType(type?.field("element") ?? type?.field("value"));
  const inner = (element: SyntaxNode | undefined): Expression => {
    const part = element && partsOf(element)[0];
    return part?.kind() === "literal_value" ? readLiteral(held, part, lineOf(part)) : readExpression(part);
  };
  const isKeyed = (child: SyntaxNode) => child.kind() === "keyed_element";
  if (!children.every(isKeyed)) {
    const items = children.map((child) => inner(isKeyed(child) ? partsOf(child)[1] : child));
    return { kind: "list", items, type: readType(type), line };
  }
  const entries = children.map((child) => {
    const [key, value] = partsOf(child);
    return { key: key?.text().replace(/^["`]|["`]$/g, ""), value: inner(value) };
  });
  if (type?.text() === "url.URL") return readUrl(entries, line);
  return { kind: "object", entries, type: readType(type), line };
}

/** `url.URL{Host: …, Path: …}` is the text that its String gives. */
function readUrl(entries: readonly Entry[], line: number): Expression {
  const parts = ["Host", "Path"].flatMap((key) => entries.filter((entry) => entry.key === key));
  return callOf(
    nameAt("JoinPath", line),
    parts.map(({ value }) => value),
    line,
  );
}

/** A generic type with the types that it is given; a struct without a name by the name that stands for it. */
const readAsked = (node: Node): string | undefined =>
  node && /\[\w/.test(node.text()) && !node.text().includes("struct") ? node.text() : readType(node);

function readCall(node: SyntaxNode): Expression {
  const list = node.field("arguments");
  const given = list ? partsOf(list) : [];
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
  return { ...callOf(readExpression(callee), given.map(readExpression), line), as };
}

/** `f[T](x)` reads as a conversion to a generic type; it is a call all the same. */
function readConversion(node: SyntaxNode, line: number): Expression {
  const type = node.field("type");
  const value = readExpression(node.field("operand"));
  const [owner, name] = (readType(type) ?? "").split(".");
  if (!owner || owner.startsWith("[]")) return value;
  const first = nameAt(owner, line);
  const callee: Expression = name ? { kind: "member", of: first, key: name, line } : first;
  const isGeneric = type?.kind() === "generic_type";
  const [argument] = isGeneric ? partsOf(type!.field("type_arguments") ?? type!) : [];
  return { ...callOf(callee, [value], line), as: readAsked(argument) };
}

function readUnary(node: SyntaxNode, line: number): Expression {
  const operand = readExpression(node.field("operand"));
  const operator = node.field("operator")?.text();
  const isUrl = operand.kind === "call" && node.field("operand")?.kind() === "composite_literal";
  if (operator === "*" || (operator === "&" && isUrl)) return operand;
  if (operator === "&") return { kind: "reference", of: operand, line };
  if (operator === "<-") return { kind: "element", of: operand, index: undefined, line };
  return { kind: "other", parts: [operand], line };
}

const readText = (node: SyntaxNode, line: number): Expression => ({
  ...{ kind: "text", parts: [unquote(node)], line },
});

export const readExpression = createReader({
  ...each("identifier type_identifier", readName),
  ...each("interpreted_string_literal raw_string_literal", readText),
  ...each("int_literal float_literal true false", readConstant),
  nil: readNull,
  selector_expression: (node, line) =>
    memberOf(readExpression(node.field("operand")), node.field("field"), line),
  index_expression: (node, line) => {
    const key = node.field("index");
    const [of, index] = [readExpression(node.field("operand")), readExpression(key)];
    return { kind: "element", of, index, line: key ? lineOf(key) : line };
  },
  slice_expression: (node) => readExpression(node.field("operand")),
  type_assertion_expression: (node) => {
    const of = readExpression(node.field("operand"));
    return { kind: "cast", of, type: readType(node.field("type")), line: of.line };
  },
  parenthesized_expression: (node) => readExpression(partsOf(node)[0]),
  call_expression: readCall,
  type_conversion_expression: readConversion,
  type_instantiation_expression: (node) => readExpression(node.field("type")),
  func_literal: (node, line) => ({ kind: "function", code: readFunction(node), line }),
  composite_literal: (node, line) => readLiteral(node.field("type"), node.field("body"), line),
  unary_expression: readUnary,
  variadic_argument: (node) => {
    const of = readExpression(partsOf(node)[0]);
    return { kind: "spread", of, line: of.line };
  },
  binary_expression: (node, line) => {
    const [left, right] = [readExpression(node.field("left")), readExpression(node.field("right"))];
    return operationOf(node.field("operator")?.text() ?? "", left, right, line);
  },
  expression_list: (node, line) => {
    const items = partsOf(node).map(readExpression);
    return items.length === 1 ? items[0]! : { kind: "list", items, line };
  },
});

export function readPattern(node: Node, declares: boolean): Pattern {
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

const readParameters = (node: SyntaxNode | null): Parameter[] =>
  (node ? partsOf(node) : []).flatMap((declaration) => {
    const type = readType(declaration.field("type"));
    const names = declaration.fieldChildren("name").filter((child) => child.kind() === "identifier");
    const isRest = declaration.kind() === "variadic_parameter_declaration";
    return (names.length > 0 ? names : [undefined]).map((name) => ({
      ...{ into: readPattern(name, true), name: name?.text(), isRest },
      type: isRest ? `[]${type ?? ""}` : type,
    }));
  });

export function readFunction(node: SyntaxNode): FunctionCode {
  const receiver = node.field("receiver");
  const [self] = receiver ? readParameters(receiver) : [];
  const result = node.field("result");
  const isList = result?.kind() === "parameter_list";
  // Results with names begin empty.
  const begun = isList ? readBlock(result) : [];
  const returned = isList ? partsOf(result).at(-1)?.field("type") : result;
  const body = node.field("body");
  return {
    name: node.field("name")?.text(),
    params: readParameters(node.field("parameters")),
    body: [...begun, ...(body ? readBlock(body) : [])],
    line: lineOf(node),
    receiver: receiver ? { name: self?.name ?? "", type: self?.type ?? "" } : undefined,
    results: begun.flatMap((one) => (one.kind === "bind" ? namesIn(one.into) : [])),
    fails: returned?.text() === "error",
  };
}
