// JavaScript and TypeScript, expressions, patterns and functions: syntax tree → code.
import {
  type Entry,
  type Expression,
  type FunctionCode,
  nothing,
  type Parameter,
  type Pattern,
  type Statement,
} from "../../flow/code.ts";
import {
  callOf,
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

function readText(node: SyntaxNode): Expression {
  const pieces = node.children().filter((child) => child.isNamed());
  const parts = pieces.map((child) =>
    child.kind() === "template_substitution" ? readExpression(partsOf(child)[0]) : child.text(),
  );
  return { kind: "text", parts, line: lineOf(node) };
}

function readCall(node: SyntaxNode): Expression {
  const named = node.field("function") ?? node.field("constructor");
  const callee = named?.kind() === "import" ? nameAt("require", lineOf(named)) : readExpression(named);
  const list = node.field("arguments");
  const values = list?.kind() === "template_string" ? [list] : list ? partsOf(list) : [];
  return callOf(callee, values.map(readExpression), lineOf(list ?? node));
}

function readEntry(child: SyntaxNode): Entry {
  const line = lineOf(child);
  const key = child.field("key");
  const kind = child.kind();
  if (kind === "shorthand_property_identifier")
    return { key: child.text(), value: nameAt(child.text(), line) };
  if (kind === "method_definition") {
    const code = readFunction(child);
    return { key: code.name ?? "", value: { kind: "function", code, line } };
  }
  if (kind !== "pair") return { value: readExpression(partsOf(child)[0]) };
  const value = readExpression(child.field("value"));
  const isComputed = key?.kind() === "computed_property_name";
  return isComputed ? { value, at: readExpression(partsOf(key!)[0]) } : { key: keyText(key), value };
}

const isFallback = (operator: string | undefined) => operator === "||" || operator === "??";

function readBinary(node: SyntaxNode): Expression {
  const operator = node.field("operator")?.text() ?? "";
  const left = readExpression(node.field("left"));
  const right = readExpression(node.field("right"));
  const { line } = right;
  if (isFallback(operator)) return { kind: "fallback", of: left, instead: right, line };
  if (operator === "&&") return { kind: "choice", test: left, yes: right, no: nothing(line), line };
  return operationOf(operator, left, right);
}

function readAssignment(node: SyntaxNode, line: number): Expression {
  const left = node.field("left")!;
  const value = readExpression(node.field("right"));
  const [, operator] = /^(\|\||\?\?|&&|[-+*/%])=$/.exec(node.field("operator")?.text() ?? "") ?? [];
  const into = readPattern(left, false);
  if (!operator) return { kind: "assignment", into, value, line };
  const of = readExpression(left);
  const isGroup = left.kind() === "subscript_expression";
  const joined: Expression = isFallback(operator)
    ? { kind: "fallback", of, instead: value, isGroup, line }
    : operationOf(operator, of, value, line);
  return { kind: "assignment", into, value: joined, line };
}

/** A name with a capital is a component; others are the browser's own. */
function readMarkup(node: SyntaxNode, line: number): Expression {
  const opening = node.kind() === "jsx_element" ? partsOf(node)[0]! : node;
  const [name, ...attributes] = partsOf(opening);
  const children = node === opening ? [] : partsOf(node).slice(1, -1).map(readExpression);
  const entries = attributes.flatMap((attribute): Entry[] => {
    const [key, value] = partsOf(attribute);
    return key && value ? [{ key: key.text(), value: readExpression(value) }] : [];
  });
  if (!name || /^[a-z][^.]*$/.test(name.text()))
    return { kind: "other", parts: [...entries.map(({ value }) => value), ...children], line };
  const held: Entry = { key: "children", value: { kind: "list", items: children, line } };
  const props: Expression = { kind: "object", entries: [...entries, held], line };
  return { kind: "markup", of: readExpression(name), props, line };
}

function readSubscript(node: SyntaxNode, line: number): Expression {
  const index = node.field("index");
  const of = readExpression(node.field("object"));
  return index?.kind() === "string"
    ? memberOf(of, index, line)
    : { kind: "element", of, index: readExpression(index), line };
}

function readUnary(node: SyntaxNode, line: number): Expression {
  const value = readExpression(node.field("argument"));
  const isNumber = node.field("operator")?.text() === "+";
  return isNumber ? callOf(nameAt("Number", line), [value], line) : { kind: "other", parts: [value], line };
}

/** `[...(groups.get(key) ?? []), item]`: an empty group, for what is sorted into it. */
const readGroup = (item: Expression, _: number, { length }: readonly Expression[]): Expression =>
  item.kind === "spread" && item.of.kind === "fallback" && length > 1
    ? { ...item, of: { ...item.of, isGroup: true } }
    : item;

export const readExpression = createReader({
  ...each("this super", readName),
  identifier: (node, line) => (node.text() === "undefined" ? readNull : readName)(node, line),
  ...each("string template_string", readText),
  ...each("number true false", readConstant),
  ...each("null undefined", readNull),
  member_expression: (node, line) =>
    memberOf(readExpression(node.field("object")), node.field("property"), line),
  subscript_expression: readSubscript,
  ...each("jsx_element jsx_self_closing_element", readMarkup),
  ...each("call_expression new_expression", readCall),
  ...each("arrow_function function_expression generator_function", (node: SyntaxNode, line: number) => ({
    ...{ kind: "function", code: readFunction(node), line },
  })),
  object: (node, line) => ({ kind: "object", entries: partsOf(node).map(readEntry), line }),
  array: (node, line) => ({ kind: "list", items: partsOf(node).map(readExpression).map(readGroup), line }),
  spread_element: (node, line) => ({ kind: "spread", of: readExpression(partsOf(node)[0]), line }),
  binary_expression: readBinary,
  unary_expression: readUnary,
  ternary_expression: (node, line) => ({
    ...{ kind: "choice", test: readExpression(node.field("condition")), line },
    yes: readExpression(node.field("consequence")),
    no: readExpression(node.field("alternative")),
  }),
  ...each("assignment_expression augmented_assignment_expression", readAssignment),
  yield_expression: (node, line) => ({
    ...{ kind: "yield", of: readExpression(partsOf(node)[0]), line },
    each: node.text().startsWith("yield*"),
  }),
  ...each(
    "await_expression parenthesized_expression as_expression satisfies_expression non_null_expression jsx_expression",
    (node: SyntaxNode) => readExpression(partsOf(node)[0]),
  ),
  type_assertion: (node) => readExpression(partsOf(node).at(-1)),
});

export function readPattern(node: Node, declares: boolean, type?: string): Pattern {
  switch (node?.kind()) {
    case undefined:
      return { kind: "nothing" };
    case "identifier":
      return { kind: "name", name: node!.text(), declares, type };
    case "array_pattern":
      return readItems(node!, declares);
    case "assignment_pattern":
      return readPattern(node!.field("left"), declares);
    case "object_pattern":
      return readFields(node!, declares);
    default:
      return { kind: "place", place: readExpression(node) };
  }
}

/** A comma without an item before it leaves one out. */
function readItems(node: SyntaxNode, declares: boolean): Pattern {
  const items: (Pattern | undefined)[] = [];
  let rest = false;
  let isExpected = true;
  for (const child of node.children()) {
    if (child.isNamed()) {
      rest = child.kind() === "rest_pattern";
      items.push(readPattern(rest ? partsOf(child)[0] : child, declares));
      isExpected = false;
    } else if (child.text() === ",") {
      if (isExpected) items.push(undefined);
      isExpected = true;
    }
  }
  return { kind: "items", items, rest };
}

function readFields(node: SyntaxNode, declares: boolean): Pattern {
  const parts = partsOf(node);
  const rest = parts.find((child) => child.kind() === "rest_pattern");
  const fields = parts.flatMap((child) => {
    const line = lineOf(child);
    if (child === rest) return [];
    const isPair = child.kind() === "pair_pattern";
    const target = isPair ? child.field("value") : child;
    const hasDefault = /assignment_pattern$/.test(String(target?.kind()));
    const instead = hasDefault ? readExpression(target!.field("right")) : undefined;
    if (isPair)
      return [{ key: keyText(child.field("key")), into: readPattern(target, declares), instead, line }];
    const name = (hasDefault ? child.field("left") : child)?.text() ?? "";
    return [{ key: name, into: { kind: "name" as const, name, declares }, instead, line }];
  });
  return { kind: "fields", fields, rest: rest && readPattern(partsOf(rest)[0], declares) };
}

/** `: Promise<Passport[]>` → `Passport[]`; types are compared by name only. */
export const readType = (node: SyntaxNode | null): string | undefined => node?.text().replace(/^:\s*/, "");

function readParameter(node: SyntaxNode): Parameter {
  const inner = node.field("pattern") ?? node.field("left") ?? node;
  const plain = inner.kind() === "rest_pattern" ? partsOf(inner)[0]! : inner;
  const value = node.field("value") ?? (node.kind() === "assignment_pattern" ? node.field("right") : null);
  const isModifier = (child: SyntaxNode) => /^(accessibility_modifier|readonly)$/.test(String(child.kind()));
  return {
    into: readPattern(plain, true),
    name: plain.kind() === "identifier" ? plain.text() : undefined,
    type: readType(node.field("type")),
    instead: value ? readExpression(value) : undefined,
    isRest: plain !== inner,
    isField: node !== plain && node.children().some(isModifier),
  };
}

let readBlock: (block: SyntaxNode) => Statement[] = () => [];

/** Functions are expressions that hold statements, which another file reads. */
export function readBlocksWith(reader: (block: SyntaxNode) => Statement[]): void {
  readBlock = reader;
}

const readBody = (body: SyntaxNode): Statement[] =>
  body.kind() === "statement_block"
    ? readBlock(body)
    : [{ kind: "return", values: [readExpression(body)], line: lineOf(body) }];

export function readFunction(node: SyntaxNode, givenName?: string): FunctionCode {
  const single = node.field("parameter");
  const list = node.field("parameters");
  const isSelf = (param: SyntaxNode) => param.field("pattern")?.kind() === "this";
  const params = single ? [single] : list ? partsOf(list).filter((param) => !isSelf(param)) : [];
  const body = node.field("body");
  const has = (kind: string) => node.children().some((child) => child.kind() === kind);
  return {
    name: keyText(node.field("name")) || givenName,
    params: params.map(readParameter),
    body: body ? readBody(body) : [],
    hasThis: node.kind() !== "arrow_function",
    isGetter: node.kind() === "method_definition" && has("get"),
    isGenerator: has("*"),
    line: lineOf(node),
  };
}
