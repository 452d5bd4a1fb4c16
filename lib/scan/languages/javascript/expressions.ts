// JavaScript and TypeScript, expressions: syntax tree → code.
import {
  type Argument,
  type Entry,
  type Expression,
  type FunctionCode,
  nothing,
  type Parameter,
  type Pattern,
  type Statement,
} from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { nameOfKey, patternOf } from "./patterns.ts";

const assignmentOperator = /^(\|\||\?\?|&&|[-+*/%])=$/;

function readText(node: SyntaxNode): Expression {
  const parts = node
    .children()
    .filter((child) => child.isNamed())
    .map((child) =>
      child.kind() === "template_substitution" ? readExpression(partsOf(child)[0]) : child.text(),
    );
  return { kind: "text", parts, line: lineOf(node) };
}

export function readArguments(node: SyntaxNode | null): Argument[] {
  if (!node) return [];
  if (node.kind() === "template_string") return [{ name: undefined, value: readText(node) }];
  return partsOf(node).map((child) => ({ name: undefined, value: readExpression(child) }));
}

function readCall(node: SyntaxNode): Expression {
  const named = node.field("function") ?? node.field("constructor");
  const callee: Expression =
    named?.kind() === "import"
      ? { kind: "name", name: "require", line: lineOf(named) }
      : readExpression(named);
  const list = node.field("arguments");
  return { kind: "call", callee, args: readArguments(list), line: lineOf(list ?? node), start: lineOf(node) };
}

function readObject(node: SyntaxNode): Expression {
  const entries = partsOf(node).map((child) => {
    const line = lineOf(child);
    switch (child.kind()) {
      case "pair": {
        const computed = child.field("key");
        if (computed?.kind() === "computed_property_name") {
          const at = readExpression(partsOf(computed)[0]);
          return { key: undefined, value: readExpression(child.field("value")), at };
        }
        return { key: nameOfKey(child.field("key")), value: readExpression(child.field("value")) };
      }
      case "shorthand_property_identifier":
        return { key: child.text(), value: { kind: "name" as const, name: child.text(), line } };
      case "method_definition": {
        const code = readFunction(child);
        return { key: code.name ?? "", value: { kind: "function" as const, code, line } };
      }
      default:
        return { key: undefined, value: readExpression(partsOf(child)[0]) };
    }
  });
  return { kind: "object", entries, type: undefined, line: lineOf(node) };
}

function readBinary(node: SyntaxNode): Expression {
  const operator = node.field("operator")?.text() ?? "";
  const left = readExpression(node.field("left"));
  const right = readExpression(node.field("right"));
  const line = right.line;
  if (operator === "||" || operator === "??") return { kind: "fallback", of: left, instead: right, line };
  if (operator === "&&") return { kind: "choice", test: left, yes: right, no: nothing(line), line };
  return { kind: "operation", operator, left, right, line };
}

function readAssignment(node: SyntaxNode): Expression {
  const line = lineOf(node);
  const left = node.field("left")!;
  const value = readExpression(node.field("right"));
  const operator = assignmentOperator.exec(node.field("operator")?.text() ?? "")?.[1];
  const into = readPattern(left, false);
  if (!operator) return { kind: "assignment", into, value, line };
  const before = readExpression(left);
  const joined: Expression =
    operator === "||" || operator === "??"
      ? {
          kind: "fallback",
          of: before,
          instead: value,
          isGroup: left.kind() === "subscript_expression",
          line,
        }
      : { kind: "operation", operator, left: before, right: value, line };
  return { kind: "assignment", into, value: joined, line };
}

const constants: Record<string, string> = { null: "null", undefined: "null", true: "true", false: "false" };

export function readExpression(node: SyntaxNode | null | undefined): Expression {
  if (!node) return nothing(0);
  const line = lineOf(node);
  switch (node.kind()) {
    case "identifier":
    case "this":
    case "super":
      return node.text() === "undefined"
        ? { kind: "constant", value: "null", line }
        : { kind: "name", name: node.text(), line };
    case "string":
    case "template_string":
      return readText(node);
    case "number":
      return { kind: "constant", value: node.text(), line };
    case "null":
    case "undefined":
    case "true":
    case "false":
      return { kind: "constant", value: constants[String(node.kind())]!, line };
    case "member_expression": {
      const property = node.field("property");
      return {
        kind: "member",
        of: readExpression(node.field("object")),
        key: nameOfKey(property),
        line: property ? lineOf(property) : line,
      };
    }
    case "subscript_expression": {
      const index = node.field("index");
      const of = readExpression(node.field("object"));
      return index?.kind() === "string"
        ? { kind: "member", of, key: nameOfKey(index), line: lineOf(index) }
        : { kind: "element", of, index: readExpression(index), line };
    }
    case "jsx_element":
    case "jsx_self_closing_element":
      return readMarkup(node, readExpression);
    case "call_expression":
    case "new_expression":
      return readCall(node);
    case "arrow_function":
    case "function_expression":
    case "generator_function":
      return { kind: "function", code: readFunction(node), line };
    case "object":
      return readObject(node);
    case "array":
      return { kind: "list", items: partsOf(node).map(readExpression), line };
    case "spread_element":
      return { kind: "spread", of: readExpression(partsOf(node)[0]), line };
    case "binary_expression":
      return readBinary(node);
    case "unary_expression": {
      const value = readExpression(node.field("argument"));
      const callee: Expression = { kind: "name", name: "Number", line };
      return node.field("operator")?.text() === "+"
        ? { kind: "call", callee, args: [{ name: undefined, value }], line }
        : { kind: "other", parts: [value], line };
    }
    case "ternary_expression":
      return {
        kind: "choice",
        test: readExpression(node.field("condition")),
        yes: readExpression(node.field("consequence")),
        no: readExpression(node.field("alternative")),
        line,
      };
    case "assignment_expression":
    case "augmented_assignment_expression":
      return readAssignment(node);
    case "yield_expression":
      return {
        kind: "yield",
        of: readExpression(partsOf(node)[0]),
        each: node.text().startsWith("yield*"),
        line,
      };
    case "await_expression":
    case "parenthesized_expression":
    case "as_expression":
    case "satisfies_expression":
    case "non_null_expression":
    case "type_assertion":
    case "jsx_expression": {
      const parts = partsOf(node);
      return readExpression(node.kind() === "type_assertion" ? parts.at(-1) : parts[0]);
    }
    default:
      return { kind: "other", parts: partsOf(node).map(readExpression), line };
  }
}

export const readPattern = (node: SyntaxNode | null | undefined, declares: boolean, type?: string): Pattern =>
  patternOf(node, declares, readExpression, type);

/** `: Promise<Passport[]>` → `Passport[]`; types are compared by name only. */
export const readType = (node: SyntaxNode | null): string | undefined => node?.text().replace(/^:\s*/, "");

function readParameter(node: SyntaxNode): Parameter {
  const inner = node.field("pattern") ?? node.field("left") ?? node;
  const plain = inner.kind() === "rest_pattern" ? partsOf(inner)[0]! : inner;
  const value = node.field("value") ?? (node.kind() === "assignment_pattern" ? node.field("right") : null);
  return {
    into: readPattern(plain, true),
    name: plain.kind() === "identifier" ? plain.text() : undefined,
    type: readType(node.field("type")),
    instead: value ? readExpression(value) : undefined,
    ...(plain !== inner && { isRest: true }),
    isField:
      node !== plain &&
      node.children().some((child) => ["accessibility_modifier", "readonly"].includes(String(child.kind()))),
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
  const line = lineOf(node);
  return {
    name: nameOfKey(node.field("name")) || givenName,
    params: params.map(readParameter),
    body: body ? readBody(body) : [],
    hasThis: node.kind() !== "arrow_function",
    isGetter: node.kind() === "method_definition" && node.children().some((child) => child.kind() === "get"),
    isGenerator: node.children().some((child) => ["*", "generator_function"].includes(String(child.kind()))),
    line,
  };
}

// JSX: syntax tree → code.
type Read = (node: SyntaxNode | null | undefined) => Expression;

/** A name with a capital is a component; others are the browser's own. */
export function readMarkup(node: SyntaxNode, read: Read): Expression {
  const opening = node.kind() === "jsx_element" ? partsOf(node)[0]! : node;
  const [name, ...attributes] = partsOf(opening);
  const line = lineOf(node);
  const children = node === opening ? [] : partsOf(node).slice(1, -1).map(read);
  const entries = attributes.flatMap((attribute): Entry[] => {
    if (attribute.kind() === "jsx_expression")
      return [{ key: undefined, value: read(partsOf(partsOf(attribute)[0] ?? attribute)[0]) }];
    const [key, value] = partsOf(attribute);
    return key && value ? [{ key: key.text(), value: read(value) }] : [];
  });
  if (!name || /^[a-z][^.]*$/.test(name.text()))
    return { kind: "other", parts: [...entries.map(({ value }) => value), ...children], line };
  const held: Entry = { key: "children", value: { kind: "list", items: children, line } };
  const props: Expression = { kind: "object", entries: [...entries, held], type: undefined, line };
  return { kind: "markup", of: read(name), props, line };
}
