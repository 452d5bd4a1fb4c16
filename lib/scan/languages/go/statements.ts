// Go, statements: syntax tree → code.
import { type Expression, nothing, type Pattern, type Statement } from "../../flow/code.ts";
import { lineOf, partsOf, type SyntaxNode, triesAgain } from "../syntax.ts";
import { readBlocksWith, readExpression, readFunction, readPattern, unquote } from "./expressions.ts";
import { emptyValue, readStructsIn, readTypeSpec } from "./types.ts";

function readVariables(node: SyntaxNode): Statement[] {
  const specs = partsOf(node).flatMap((child) =>
    child.kind() === "var_spec_list" ? partsOf(child) : [child],
  );
  return specs.flatMap((spec) => {
    const line = lineOf(spec);
    const names = spec.fieldChildren("name").filter((child) => child.kind() === "identifier");
    const type = spec.field("type");
    const value = spec.field("value");
    const values = value ? partsOf(value) : [];
    const binds = names.map(
      (name, index): Statement => ({
        kind: "bind",
        into: readPattern(name, true),
        value: values[index] ? readExpression(values[index]) : emptyValue(type, line),
        line,
      }),
    );
    if (values.length === 1 && names.length > 1) {
      const items = names.map((name) => readPattern(name, true));
      return [
        { kind: "bind", into: { kind: "items", items, rest: false }, value: readExpression(values[0]), line },
      ];
    }
    return [...readStructsIn(type), ...values.flatMap(readStructsIn), ...binds];
  });
}

const numeric = /^(u?int(8|16|32|64)?|float(32|64))$/;

/** `v, ok := m[k]`, `v, ok := x.(T)`, `v, ok := <-ch`: one value, and whether it is there. */
function readCommaOk(targets: readonly SyntaxNode[], source: SyntaxNode): Expression | undefined {
  const inner = source.kind() === "parenthesized_expression" ? partsOf(source)[0]! : source;
  const kind = String(inner.kind());
  const isReceive = kind === "unary_expression" && inner.field("operator")?.text() === "<-";
  if (targets.length !== 2 || !(/^(index|type_assertion)_expression$/.test(kind) || isReceive))
    return undefined;
  const value = readExpression(inner);
  const type = inner.field("type")?.text() ?? "";
  // Whoever does not ask gets a zero.
  const isZero = targets[1]?.text() === "_" && numeric.test(type);
  const line = lineOf(source);
  return isZero
    ? { kind: "fallback", of: value, instead: { kind: "constant", value: "0", line }, line }
    : value;
}

function readAssignment(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const left = node.field("left");
  const right = node.field("right");
  const operator = node.field("operator")?.text() ?? ":=";
  const targets = left ? partsOf(left) : [];
  const values = !right ? [] : right.kind() === "expression_list" ? partsOf(right) : [right];
  const declares = node.kind() !== "assignment_statement";
  const structs = values.flatMap(readStructsIn);
  if (/^[-+*/|]=$/.test(operator)) {
    const value: Expression = {
      kind: "operation",
      operator: operator[0]!,
      left: readExpression(targets[0]),
      right: readExpression(values[0]),
      line,
    };
    return [{ kind: "bind", into: readPattern(targets[0], false), value, line }];
  }
  if (values.length === targets.length) {
    return [
      ...structs,
      ...targets.map(
        (target, index): Statement => ({
          kind: "bind",
          into: readPattern(target, declares),
          value: readExpression(values[index]),
          line,
        }),
      ),
    ];
  }
  const present = values[0] && readCommaOk(targets, values[0]);
  const into = readPattern(present ? targets[0] : left, declares);
  return [...structs, { kind: "bind", into, value: present ?? readExpression(values[0]), line }];
}

function readImports(node: SyntaxNode): Statement[] {
  const specs = partsOf(node).flatMap((child) =>
    child.kind() === "import_spec_list" ? partsOf(child) : [child],
  );
  return specs.map((spec) => {
    const path = spec.field("path");
    const from = path ? unquote(path) : "";
    const local =
      spec.field("name")?.text() ??
      from
        .replace(/\/v\d+$/, "")
        .split("/")
        .at(-1)!;
    return { kind: "import", from, names: [{ imported: "*", local }], line: lineOf(spec) };
  });
}

function readBranch(node: SyntaxNode): Statement[] {
  const first = node.field("initializer");
  const no = node.field("alternative");
  return [
    ...readStatements(first),
    {
      kind: "branch",
      test: readExpression(node.field("condition")),
      yes: readStatements(node.field("consequence")),
      no: readStatements(no),
      line: lineOf(node),
    },
  ];
}

function readFor(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const body = readStatements(node.field("body"));
  const clause = partsOf(node).find((child) => /_clause$/.test(String(child.kind())));
  if (clause?.kind() === "range_clause") {
    const left = clause.field("left");
    const [key, item] = left ? partsOf(left) : [];
    return [
      {
        kind: "loop",
        into: readPattern(item, true),
        key: readPattern(key, true),
        over: readExpression(clause.field("right")),
        body,
        line,
      },
    ];
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

/** The cases of a switch, each of which may happen. */
function readSwitch(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const tag = node.field("value");
  const alias = node.field("alias");
  const isTypes = node.kind() === "type_switch_statement";
  const subject = tag ? readExpression(tag) : undefined;
  const isEqual = (value: Expression): Expression =>
    subject ? { kind: "operation", operator: "==", left: subject, right: value, line: value.line } : value;
  const cases = partsOf(node).filter((child) => /_case$/.test(String(child.kind())));
  let otherwise: Statement[] = [];
  for (const one of cases.toReversed()) {
    const value = one.field("value");
    const tests = !value || isTypes ? [] : partsOf(value).map((part) => isEqual(readExpression(part)));
    const yes = partsOf(one)
      .filter((child) => child.kind() === "statement_list")
      .flatMap(readStatement);
    if (one.kind() === "default_case") {
      otherwise = [...otherwise, ...yes];
      continue;
    }
    const [first = nothing(lineOf(one)), ...rest] = tests;
    const test = rest.reduce<Expression>(
      (left, right) => ({ kind: "operation", operator: "||", left, right, line: right.line }),
      first,
    );
    otherwise = [{ kind: "branch", test, yes, no: otherwise, line: lineOf(one) }];
  }
  const before = readStatements(node.field("initializer"));
  const bound: Statement[] =
    alias && subject ? [{ kind: "bind", into: readPattern(alias, true), value: subject, line }] : [];
  const looked: Statement[] = subject && !alias ? [{ kind: "do", value: subject, line }] : [];
  return [...before, ...bound, ...looked, ...otherwise];
}

/** What goes into a channel is what comes out of it. */
function readSend(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  const [channel, value] = partsOf(node);
  const place: Expression = { kind: "element", of: readExpression(channel), index: undefined, line };
  const into: Pattern = { kind: "place", place };
  return [{ kind: "bind", into, value: readExpression(value), line }];
}

function readStatement(node: SyntaxNode): Statement[] {
  const line = lineOf(node);
  switch (node.kind()) {
    case "import_declaration":
      return readImports(node);
    case "const_declaration":
    case "var_declaration":
      return readVariables(node);
    case "short_var_declaration":
    case "assignment_statement":
    case "receive_statement":
      return readAssignment(node);
    case "send_statement":
      return readSend(node);
    case "expression_switch_statement":
    case "type_switch_statement":
      return readSwitch(node);
    case "type_declaration":
      return partsOf(node).flatMap(readTypeSpec);
    case "function_declaration":
    case "method_declaration":
      return [{ kind: "function", code: readFunction(node), line }];
    case "if_statement":
      return readBranch(node);
    case "for_statement":
      return readFor(node);
    case "continue_statement":
      return triesAgain(node) ? [{ kind: "throw", value: undefined, line }] : [];
    case "return_statement": {
      const [list] = partsOf(node);
      return [{ kind: "return", values: list ? partsOf(list).map(readExpression) : [], line }];
    }
    case "expression_statement":
      return [{ kind: "do", value: readExpression(partsOf(node)[0]), line }];
    case "go_statement":
    case "defer_statement":
      return [{ kind: "do", value: { kind: "other", parts: partsOf(node).map(readExpression), line }, line }];
    case "block":
    case "source_file":
    case "statement_list":
    case "select_statement":
    case "default_case":
    case "communication_case":
    case "labeled_statement":
      return partsOf(node).flatMap(readStatement);
    default:
      return [{ kind: "do", value: readExpression(node), line }];
  }
}

export function readStatements(node: SyntaxNode | null | undefined): Statement[] {
  return node ? readStatement(node) : [];
}

readBlocksWith(readStatements);
