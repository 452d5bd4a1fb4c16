// Go, statements: syntax tree → code.
import { type Expression, nothing, type Pattern, type Statement } from "../../flow/code.ts";
import { constantAt, createBlockReader, each, nameAt, operationOf, readContinue } from "../reading.ts";
import { lineOf, partsOf, type SyntaxNode } from "../syntax.ts";
import { readBlocksWith, readExpression, readFunction, readPattern, unquote } from "./expressions.ts";
import { emptyValue, readType, readTypeSpec, readUnnamedStructs } from "./types.ts";

/** The specifications in `import (…)` and `var (…)`, or the only one. */
const specsOf = (node: SyntaxNode): SyntaxNode[] =>
  partsOf(node).flatMap((child) => (/_spec_list$/.test(String(child.kind())) ? partsOf(child) : [child]));

const readVariables = (node: SyntaxNode): Statement[] =>
  specsOf(node).flatMap((spec): Statement[] => {
    const line = lineOf(spec);
    const names = spec.fieldChildren("name").filter((child) => child.kind() === "identifier");
    const items = names.map((name) => readPattern(name, true));
    const type = spec.field("type");
    const value = spec.field("value");
    const values = value ? partsOf(value) : [];
    const valueAt = (index: number) =>
      values[index] ? readExpression(values[index]) : emptyValue(type, line);
    return items.map((into, index): Statement => ({ kind: "bind", into, value: valueAt(index), line }));
  });

const numeric = /^(u?int(8|16|32|64)?|float(32|64))$/;

/** `v, ok := m[k]`, `v, ok := x.(T)`, `v, ok := <-ch`: one value, and whether it is there, which is bound to the same. */
function readCommaOk(targets: readonly SyntaxNode[], source: SyntaxNode): Expression | undefined {
  const isReceive = source.field("operator")?.text() === "<-";
  const isFound = isReceive || /^(index|type_assertion)_expression$/.test(String(source.kind()));
  if (targets.length !== 2 || !isFound) return undefined;
  const of = readExpression(source);
  // Whoever does not ask gets a zero.
  const isZero = targets[1]?.text() === "_" && numeric.test(source.field("type")?.text() ?? "");
  const line = lineOf(source);
  return isZero ? { kind: "fallback", of, instead: constantAt("0", line), line } : of;
}

function readAssignment(node: SyntaxNode, line: number): Statement[] {
  const left = node.field("left");
  const right = node.field("right");
  const operator = node.field("operator")?.text() ?? ":=";
  const targets = left ? partsOf(left) : [];
  const values = !right ? [] : right.kind() === "expression_list" ? partsOf(right) : [right];
  const declares = node.kind() !== "assignment_statement";
  const bind = (target: SyntaxNode | null | undefined, value: Expression): Statement => ({
    ...{ kind: "bind", into: readPattern(target, declares), value, line },
  });
  if (/^[-+*/|]=$/.test(operator)) {
    const [before, value] = [readExpression(targets[0]), readExpression(values[0])];
    return [bind(targets[0], operationOf(operator[0]!, before, value, line))];
  }
  if (values.length === targets.length)
    return targets.map((target, index) => bind(target, readExpression(values[index])));
  const present = values[0] && readCommaOk(targets, values[0]);
  if (present) return targets.map((target) => bind(target, present));
  return [bind(left, readExpression(values[0]))];
}

const readImports = (node: SyntaxNode): Statement[] =>
  specsOf(node).map((spec) => {
    const path = spec.field("path");
    const from = path ? unquote(path) : "";
    const [, last = ""] = /([^/]*)$/.exec(from.replace(/\/v\d+$/, "")) ?? [];
    const local = spec.field("name")?.text() ?? last;
    return { kind: "import", from, names: [{ imported: "*", local }], line: lineOf(spec) };
  });

const readBranch = (node: SyntaxNode, line: number): Statement[] => [
  ...readStatements(node.field("initializer")),
  {
    ...{ kind: "branch", test: readExpression(node.field("condition")), line },
    yes: readStatements(node.field("consequence")),
    no: readStatements(node.field("alternative")),
  },
];

function readFor(node: SyntaxNode, line: number): Statement[] {
  const body = readStatements(node.field("body"));
  const clause = partsOf(node).find((child) => /_clause$/.test(String(child.kind())));
  if (clause?.kind() === "range_clause") {
    const left = clause.field("left");
    const [key, into] = (left ? partsOf(left) : []).map((name) => readPattern(name, true));
    const none = { kind: "nothing" } as const;
    const over = readExpression(clause.field("right"));
    return [{ kind: "loop", into: into ?? none, key: key ?? none, over, body, line }];
  }
  const test =
    clause?.field("condition") ?? partsOf(node).find((child) => /expression$/.test(String(child.kind())));
  return [
    ...readStatements(clause?.field("initializer")),
    { kind: "do", value: readExpression(test), line },
    ...body,
    ...readStatements(clause?.field("update")),
  ];
}

/** What a switch is about; no source code can have such a name. */
const switched = "<switched>";

/** The cases of a switch, each of which may happen. */
function readSwitch(node: SyntaxNode, line: number): Statement[] {
  const tag = node.field("value");
  const isTypes = node.kind() === "type_switch_statement";
  const subject = tag ? readExpression(tag) : undefined;
  const cases = partsOf(node).filter((child) => /_case$/.test(String(child.kind())));
  const into = readPattern(node.field("alias"), true);
  let otherwise: Statement[] = [];
  for (const one of cases.toReversed()) {
    const body = partsOf(one)
      .filter((child) => child.kind() === "statement_list")
      .flatMap(readStatements);
    // `case detailMsg:` says what the value is.
    const type = readType(one.field("type"));
    const cast: Expression = { kind: "cast", of: nameAt(switched, line), type, line };
    const yes: Statement[] = type ? [{ kind: "bind", into, value: cast, line }, ...body] : body;
    const value = one.field("value");
    const values = !value || isTypes ? [] : partsOf(value).map(readExpression);
    const tests = values.map((right) => (subject ? operationOf("==", subject, right) : right));
    const [first = nothing(lineOf(one)), ...rest] = tests;
    const test = rest.reduce((left, right) => operationOf("||", left, right), first);
    otherwise = [{ kind: "branch", test, yes, no: otherwise, line: lineOf(one) }];
  }
  const held: Pattern = { kind: "name", name: switched, declares: true };
  const bound = (subject ? [held, into] : []).map(
    (pattern): Statement => ({ kind: "bind", into: pattern, value: subject!, line }),
  );
  return [...readStatements(node.field("initializer")), ...bound, ...otherwise];
}

/** What goes into a channel is what comes out of it. */
function readSend(node: SyntaxNode, line: number): Statement[] {
  const [channel, value] = partsOf(node).map(readExpression);
  const place: Expression = { kind: "element", of: channel!, index: undefined, line };
  return [{ kind: "bind", into: { kind: "place", place }, value: value!, line }];
}

const readParts = (node: SyntaxNode): Statement[] => partsOf(node).flatMap(readStatements);

const readLater = (node: SyntaxNode, line: number): Statement[] => [
  { kind: "do", value: { kind: "other", parts: partsOf(node).map(readExpression), line }, line },
];

const readFunctionStatement = (node: SyntaxNode, line: number): Statement[] => [
  { kind: "function", code: readFunction(node), line },
];

export const readStatements = createBlockReader(
  {
    import_declaration: readImports,
    ...each("const_declaration var_declaration parameter_list", readVariables),
    ...each("short_var_declaration assignment_statement receive_statement", readAssignment),
    send_statement: readSend,
    ...each("expression_switch_statement type_switch_statement", readSwitch),
    type_declaration: (node) => partsOf(node).flatMap(readTypeSpec),
    ...each("function_declaration method_declaration", readFunctionStatement),
    if_statement: readBranch,
    for_statement: readFor,
    continue_statement: readContinue,
    return_statement: (node, line) => {
      const [list] = partsOf(node);
      return [{ kind: "return", values: list ? partsOf(list).map(readExpression) : [], line }];
    },
    expression_statement: (node, line) => [{ kind: "do", value: readExpression(partsOf(node)[0]), line }],
    ...each("go_statement defer_statement", readLater),
    source_file: (node) => [...readUnnamedStructs(node), ...readParts(node)],
    ...each("block statement_list select_statement", readParts),
    ...each("default_case communication_case labeled_statement", readParts),
  },
  (node, line) => [{ kind: "do", value: readExpression(node), line }],
);

readBlocksWith(readStatements);
