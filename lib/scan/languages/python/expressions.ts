// Python, expressions, patterns and parameters: syntax tree → code.
import {
  type Argument,
  type Expression,
  nothing,
  type Parameter,
  type Pattern,
  type Statement,
} from "../../flow/code.ts";
import {
  type Call,
  constantAt,
  createReader,
  each,
  keyText,
  memberOf,
  type Node,
  nameAt,
  operationOf,
  readConstant,
  readName,
  readNull,
} from "../reading.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";

function readText(node: SyntaxNode, line: number): Expression {
  const parts = partsOf(node).flatMap((child): (string | Expression)[] => {
    if (child.kind() === "interpolation") return [readExpression(partsOf(child)[0])];
    return child.kind() === "string_content" ? [child.text()] : [];
  });
  return { kind: "text", parts, line };
}

function readArgument(node: SyntaxNode): Argument {
  if (node.kind() === "keyword_argument")
    return { name: node.field("name")?.text(), value: readExpression(node.field("value")) };
  const isSplat = node.kind() === "dictionary_splat";
  return isSplat ? { name: "**", value: readExpression(partsOf(node)[0]) } : { value: readExpression(node) };
}

// Calls that are syntax by another name: itemgetter makes a function, dict an object.
/** `it[key]`, for each key where there is a list of them. */
function readKey(key: Expression, it: Expression): Expression {
  const { line } = key;
  if (key.kind !== "spread") return { kind: "element", of: it, index: key, line };
  const into = { kind: "name" as const, name: "key", declares: true };
  const value: Expression = { kind: "element", of: it, index: nameAt("key", line), line };
  const body = [{ kind: "loop" as const, into, over: key.of, body: [], line }];
  return { kind: "spread", of: { kind: "collect", body, value, line }, line };
}

/** `itemgetter("a", *others)` is `lambda it: (it["a"], …)`. */
function readGetter({ args, line }: Call): Expression {
  const it = nameAt("it", line);
  const items = args.map(({ value: key }) => readKey(key, it));
  const isOne = items.length === 1 && items[0]?.kind !== "spread";
  const value: Expression = isOne ? items[0]! : { kind: "list", items, line };
  const params = [{ into: { kind: "name" as const, name: "it", declares: true }, name: "it" }];
  return {
    kind: "function",
    code: { params, body: [{ kind: "return", values: [value], line }], line },
    line,
  };
}

function lowerCall(call: Call): Expression {
  const { callee, args, line } = call;
  const name = callee.kind === "name" ? callee.name : callee.kind === "member" ? callee.key : "";
  if (/^(item|attr)getter$/.test(name) && args.length > 0) return readGetter(call);
  if (callee.kind !== "name") return call;
  const isDict = /^(dict|SimpleNamespace)$/.test(name) && args.length > 0 && args.every((one) => one.name);
  if (!isDict) return call;
  const entries = args.map((one) =>
    one.name === "**" ? { value: one.value } : { key: one.name, value: one.value },
  );
  return { kind: "object", entries, line };
}

function readCall(node: SyntaxNode): Expression {
  const list = node.field("arguments");
  const isComprehension = list?.kind() === "generator_expression";
  const given = isComprehension ? [list!] : list ? partsOf(list) : [];
  const callee = readExpression(node.field("function"));
  return lowerCall({
    ...{ kind: "call", callee, args: given.map(readArgument) },
    line: lineOf(list ?? node),
  });
}

/** `[value for pattern in list if test]`, in any of its brackets. */
function readComprehension(node: SyntaxNode, line: number): Expression {
  const [head, ...clauses] = partsOf(node);
  const body = clauses.map((clause): Statement => {
    if (clause.kind() === "if_clause") return { kind: "do", value: readExpression(partsOf(clause)[0]), line };
    const into = readPattern(clause.field("left"));
    return {
      kind: "loop",
      into,
      over: readExpression(clause.field("right")),
      body: [],
      line: lineOf(clause),
    };
  });
  if (head?.kind() !== "pair") return { kind: "collect", body, value: readExpression(head), line };
  const key = readExpression(head.field("key"));
  return { kind: "collect", body, value: readExpression(head.field("value")), key, line };
}

function readComparison(node: SyntaxNode, line: number): Expression {
  const sides = partsOf(node).map(readExpression);
  const operators = node.fieldChildren("operators").map((operator) => operator.text());
  const pairs = sides
    .slice(1)
    .map((right, index) => operationOf(operators[index] ?? "", sides[index]!, right));
  return pairs.length === 1 ? pairs[0]! : { kind: "other", parts: pairs, line };
}

function readSubscript(node: SyntaxNode, line: number): Expression {
  const [index, ...more] = node.fieldChildren("subscript");
  const of = readExpression(node.field("value"));
  // A type as a value: `Client = Annotated[PassportClient, Depends(get_client)]`, `structure(body, list[Credential])`.
  if (
    of.kind === "name" &&
    /^(Annotated|Optional|[Ll]ist)$/.test(of.name) &&
    /^[A-Z]/.test(index?.text() ?? "")
  )
    return readExpression(index);
  if (more.length > 0) {
    const items = [index, ...more].map(readExpression);
    return { kind: "element", of, index: { kind: "list", items, line }, line };
  }
  if (index?.kind() === "slice") return of;
  const key = readExpression(index);
  return index?.kind() === "string" && key.kind === "text" && typeof key.parts[0] === "string"
    ? { kind: "member", of, key: key.parts[0], line: key.line }
    : { kind: "element", of, index: key, line };
}

function readBoolean(node: SyntaxNode, line: number): Expression {
  const left = readExpression(node.field("left"));
  const right = readExpression(node.field("right"));
  return node.field("operator")?.text() === "or"
    ? { kind: "fallback", of: left, instead: right, line: right.line }
    : { kind: "choice", test: left, yes: right, no: nothing(line), line };
}

function readDictionary(node: SyntaxNode, line: number): Expression {
  const entries = partsOf(node).map((child) =>
    child.kind() === "pair"
      ? { key: keyText(child.field("key")), value: readExpression(child.field("value")) }
      : { value: readExpression(partsOf(child)[0]) },
  );
  return { kind: "object", entries, line };
}

function readLambda(node: SyntaxNode, line: number): Expression {
  const params = readParameters(node.field("parameters"));
  const values = [readExpression(node.field("body"))];
  return { kind: "function", code: { params, body: [{ kind: "return", values, line }], line }, line };
}

export const readExpression = createReader({
  identifier: readName,
  string: readText,
  concatenated_string: (node, line) => ({ kind: "text", parts: partsOf(node).map(readExpression), line }),
  ...each("integer float", readConstant),
  none: readNull,
  true: (_, line) => constantAt("true", line),
  false: (_, line) => constantAt("false", line),
  attribute: (node, line) => memberOf(readExpression(node.field("object")), node.field("attribute"), line),
  subscript: readSubscript,
  call: readCall,
  lambda: readLambda,
  dictionary: readDictionary,
  ...each("list tuple set expression_list", (node: SyntaxNode, line: number) => ({
    ...{ kind: "list", items: partsOf(node).map(readExpression), line },
  })),
  list_splat: (node, line) => ({ kind: "spread", of: readExpression(partsOf(node)[0]), line }),
  ...each("list_comprehension set_comprehension dictionary_comprehension", readComprehension),
  generator_expression: readComprehension,
  boolean_operator: readBoolean,
  binary_operator: (node, line) => {
    const [left, right] = [readExpression(node.field("left")), readExpression(node.field("right"))];
    return operationOf(node.field("operator")?.text() ?? "", left, right, line);
  },
  comparison_operator: readComparison,
  conditional_expression: (node, line) => {
    const [yes, test, no] = partsOf(node).map(readExpression);
    return { kind: "choice", test: test!, yes: yes!, no: no!, line };
  },
  named_expression: (node, line) => ({
    ...{ kind: "assignment", into: readPattern(node.field("name")), line },
    value: readExpression(node.field("value")),
  }),
  yield: (node, line) => ({
    ...{ kind: "yield", of: readExpression(partsOf(node)[0]), line },
    each: node.children().some((child) => child.kind() === "from"),
  }),
  ...each("await parenthesized_expression", (node: SyntaxNode) => readExpression(partsOf(node)[0])),
});

// Patterns: assignment targets, and the cases of a match.
const isSplat = (node: SyntaxNode | undefined) => node?.kind() === "list_splat_pattern";

export function readPattern(node: Node, type?: string): Pattern {
  switch (node?.kind()) {
    case undefined:
      return { kind: "nothing" };
    case "identifier":
      return { kind: "name", name: node!.text(), declares: true, type };
    case "pattern_list":
    case "tuple_pattern":
    case "list_pattern":
    case "tuple":
    case "list": {
      const parts = partsOf(node!);
      const items = parts.map((child) => readPattern(isSplat(child) ? partsOf(child)[0] : child));
      return { kind: "items", items, rest: isSplat(parts.at(-1)) };
    }
    case "as_pattern_target":
      return readPattern(partsOf(node!)[0]);
    default:
      return { kind: "place", place: readExpression(node) };
  }
}

/** `case {"passport": {"score": score}}`: what a case takes apart. */
export function readCase(node: SyntaxNode | undefined): Pattern[] {
  const parts = node ? partsOf(node) : [];
  if (node?.kind() === "case_pattern") return parts.flatMap(readCase);
  if (node?.kind() === "dotted_name" && parts.length === 1)
    return [{ kind: "name", name: node.text(), declares: true }];
  if (node?.kind() !== "dict_pattern") return [];
  const fields = parts.flatMap((part, index) => {
    const inner =
      part.kind() === "string" ? [...readCase(parts[index + 1]), { kind: "nothing" } as const] : [];
    return inner.map((into) => ({ key: keyText(part), into, line: lineOf(part) }));
  });
  return [{ kind: "fields", fields, rest: undefined }];
}

export const readType = (node: Node): string | undefined => node?.text().replace(/^["']|["']$/g, "");

function readParameter(child: SyntaxNode): Parameter {
  const holder = child.kind() === "typed_parameter" ? partsOf(child)[0]! : child;
  const isRest = holder.kind() === "list_splat_pattern";
  const isNamedRest = holder.kind() === "dictionary_splat_pattern";
  const name = holder.kind() === "identifier" ? holder : (holder.field("name") ?? partsOf(holder)[0]);
  const into = readPattern(name);
  if (isRest || isNamedRest) return { into, isRest, isNamedRest };
  const value = child.field("value");
  const instead = value ? readExpression(value) : undefined;
  const type = readType(child.field("type"));
  const isSelf = type === undefined && /^(self|cls)$/.test(name?.text() ?? "");
  return { into, name: name?.text(), type, instead, isSelf };
}

export const readParameters = (node: SyntaxNode | null): Parameter[] =>
  (node ? partsOf(node) : [])
    .filter((child) => !/^(keyword|positional)_separator$/.test(String(child.kind())))
    .map(readParameter);
