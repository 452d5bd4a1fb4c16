// Python, expressions: syntax tree → code.
import {
  type Argument,
  type Expression,
  nothing,
  type Parameter,
  type Pattern,
  type Statement,
} from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { lowerCall } from "./calls.ts";
import { parametersOf, patternOf } from "./patterns.ts";

function readText(node: SyntaxNode): Expression {
  const parts = partsOf(node).flatMap((child): (string | Expression)[] => {
    if (child.kind() === "interpolation") return [readExpression(partsOf(child)[0])];
    return child.kind() === "string_content" ? [child.text()] : [];
  });
  return { kind: "text", parts, line: lineOf(node) };
}

function readArgument(node: SyntaxNode): Argument {
  switch (node.kind()) {
    case "keyword_argument":
      return { name: node.field("name")?.text(), value: readExpression(node.field("value")) };
    case "dictionary_splat":
      return { name: "**", value: readExpression(partsOf(node)[0]) };
    default:
      return { name: undefined, value: readExpression(node) };
  }
}

function readCall(node: SyntaxNode): Expression {
  const list = node.field("arguments");
  const isComprehension = list?.kind() === "generator_expression";
  const args = !list
    ? []
    : isComprehension
      ? [{ name: undefined, value: readExpression(list) }]
      : partsOf(list).map(readArgument);
  const callee = readExpression(node.field("function"));
  return lowerCall({ kind: "call", callee, args, line: lineOf(list ?? node), start: lineOf(node) });
}

/** `[value for pattern in list if test]`, in any of its brackets. */
function readComprehension(node: SyntaxNode): Expression {
  const [head, ...clauses] = partsOf(node);
  const line = lineOf(node);
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

function readComparison(node: SyntaxNode): Expression {
  const [first, ...rest] = partsOf(node).map(readExpression);
  const operators = node.fieldChildren("operators").map((operator) => operator.text());
  let left = first ?? nothing(lineOf(node));
  const pairs = rest.map((right, index): Expression => {
    const pair: Expression = {
      kind: "operation",
      operator: operators[index] ?? "",
      left,
      right,
      line: right.line,
    };
    left = right;
    return pair;
  });
  return pairs.length === 1 ? pairs[0]! : { kind: "other", parts: pairs, line: lineOf(node) };
}

const constants: Record<string, string> = { none: "null", true: "true", false: "false" };

export function readExpression(node: SyntaxNode | null | undefined): Expression {
  if (!node) return nothing(0);
  const line = lineOf(node);
  switch (node.kind()) {
    case "identifier":
      return { kind: "name", name: node.text(), line };
    case "string":
      return readText(node);
    case "concatenated_string":
      return { kind: "text", parts: partsOf(node).map(readText), line };
    case "integer":
    case "float":
      return { kind: "constant", value: node.text(), line };
    case "none":
    case "true":
    case "false":
      return { kind: "constant", value: constants[String(node.kind())]!, line };
    case "attribute": {
      const key = node.field("attribute");
      return {
        kind: "member",
        of: readExpression(node.field("object")),
        key: key?.text() ?? "",
        line: key ? lineOf(key) : line,
      };
    }
    case "subscript": {
      const [index, ...more] = node.fieldChildren("subscript");
      const of = readExpression(node.field("value"));
      if (more.length > 0) {
        const items = [index, ...more].map(readExpression);
        return { kind: "element", of, index: { kind: "list", items, line }, line };
      }
      if (index?.kind() === "slice") return of;
      const key = index?.kind() === "string" ? readText(index) : undefined;
      return key?.kind === "text" && typeof key.parts[0] === "string"
        ? { kind: "member", of, key: key.parts[0], line: key.line }
        : { kind: "element", of, index: readExpression(index), line };
    }
    case "call":
      return readCall(node);
    case "lambda": {
      const body = readExpression(node.field("body"));
      const params = readParameters(node.field("parameters"));
      const code = {
        name: undefined,
        params,
        body: [{ kind: "return" as const, values: [body], line }],
        isGenerator: false,
        line,
      };
      return { kind: "function", code, line };
    }
    case "dictionary": {
      const entries = partsOf(node).map((child) =>
        child.kind() === "pair"
          ? {
              key: child
                .field("key")
                ?.text()
                .replace(/^["']|["']$/g, ""),
              value: readExpression(child.field("value")),
            }
          : { key: undefined, value: readExpression(partsOf(child)[0]) },
      );
      return { kind: "object", entries, type: undefined, line };
    }
    case "list":
    case "tuple":
    case "set":
    case "expression_list":
      return { kind: "list", items: partsOf(node).map(readExpression), line };
    case "list_splat":
      return { kind: "spread", of: readExpression(partsOf(node)[0]), line };
    case "list_comprehension":
    case "set_comprehension":
    case "dictionary_comprehension":
    case "generator_expression":
      return readComprehension(node);
    case "boolean_operator": {
      const left = readExpression(node.field("left"));
      const right = readExpression(node.field("right"));
      return node.field("operator")?.text() === "or"
        ? { kind: "fallback", of: left, instead: right, line: right.line }
        : { kind: "choice", test: left, yes: right, no: nothing(line), line };
    }
    case "binary_operator":
      return {
        kind: "operation",
        operator: node.field("operator")?.text() ?? "",
        left: readExpression(node.field("left")),
        right: readExpression(node.field("right")),
        line,
      };
    case "comparison_operator":
      return readComparison(node);
    case "conditional_expression": {
      const [yes, test, no] = partsOf(node).map(readExpression);
      return { kind: "choice", test: test!, yes: yes!, no: no!, line };
    }
    case "named_expression":
      return {
        kind: "assignment",
        into: readPattern(node.field("name")),
        value: readExpression(node.field("value")),
        line,
      };
    case "yield": {
      const each = node.children().some((child) => child.kind() === "from");
      return { kind: "yield", of: readExpression(partsOf(node)[0]), each, line };
    }
    case "await":
    case "parenthesized_expression":
      return readExpression(partsOf(node)[0]);
    default:
      return { kind: "other", parts: partsOf(node).map(readExpression), line };
  }
}

export const readPattern = (node: SyntaxNode | null | undefined, type?: string): Pattern =>
  patternOf(node, readExpression, type);

export const readParameters = (node: SyntaxNode | null): Parameter[] => parametersOf(node, readExpression);
