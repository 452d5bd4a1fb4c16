// Running statements in their order, each branch as if it could happen.
import type { EndpointId } from "../contract/endpoints.ts";
import { elementsOf } from "./scan-access.ts";
import { bindPattern } from "./scan-binding.ts";
import type { Expression, Pattern, Statement } from "./scan-code.ts";
import { hoist } from "./scan-declarations.ts";
import { collectTouched, type Flow, type Frame, newFrame, tellEndpointHazard } from "./scan-frame.ts";
import { returnsDefault, swallows } from "./scan-hazards.ts";
import { bindImport } from "./scan-imports.ts";
import { dataOf, dereference, fill, findCell, isBody, newObject, ofKind, type Value } from "./scan-values.ts";

type Of<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;

const statusKeys = /^(ok|status|status_code|StatusCode|statusCode|is_success|is_error|IsError|IsSuccess)$/;

/** Endpoints whose answer's status a test looks at. */
function statusTested(test: Expression, frame: Frame, flow: Flow): EndpointId[] {
  switch (test.kind) {
    case "member":
      if (!statusKeys.test(test.key)) return statusTested(test.of, frame, flow);
      return dataOf(dereference(flow.evaluate(test.of, frame)))
        .filter(isBody)
        .map(({ node }) => node.endpoint);
    case "operation":
      return [...statusTested(test.left, frame, flow), ...statusTested(test.right, frame, flow)];
    case "fallback":
      return [...statusTested(test.of, frame, flow), ...statusTested(test.instead, frame, flow)];
    case "call":
      return statusTested(test.callee, frame, flow);
    case "other":
      return test.parts.flatMap((part) => statusTested(part, frame, flow));
    default:
      return [];
  }
}

const isSuccessTest = (test: Expression): boolean =>
  test.kind === "member" ||
  (test.kind === "operation" &&
    /^===?$/.test(test.operator) &&
    [test.left, test.right].some((side) =>
      side.kind === "constant"
        ? side.value === "200"
        : side.kind === "member" && /^(StatusOK|ok|OK|HTTP_200_OK)$/.test(side.key),
    ));

/** Go: the endpoints behind `err != nil`. */
function errorsTested(test: Expression, met: ReadonlySet<EndpointId>, frame: Frame): Iterable<EndpointId> {
  if (test.kind === "operation" && test.operator === "||") {
    return [...errorsTested(test.left, met, frame), ...errorsTested(test.right, met, frame)];
  }
  if (test.kind !== "operation" || test.operator !== "!=" || test.right.kind !== "constant") return [];
  if (test.left.kind === "name") return frame.errors.get(test.left.name) ?? [];
  return test.left.kind === "call" ? met : [];
}

function runBranch(statement: Of<"branch">, rest: readonly Statement[], frame: Frame, flow: Flow): void {
  const { test, yes, no, line } = statement;
  const met = collectTouched(frame, () => flow.evaluate(test, frame));
  const hasNamedResults = (frame.code?.results?.length ?? 0) > 0;
  if (frame.module.language === "go" && swallows(yes, undefined, hasNamedResults)) {
    tellEndpointHazard(flow, frame, line, "catch-default", errorsTested(test, met, frame));
  }
  const otherwise = no.length > 0 ? no : yes.some(({ kind }) => kind === "return") ? rest : [];
  if (returnsDefault(isSuccessTest(test) ? otherwise : yes)) {
    tellEndpointHazard(flow, frame, line, "status-default", statusTested(test, frame, flow));
  }
  frame.branches += 1;
  flow.run(yes, frame);
  flow.run(no, frame);
  frame.branches -= 1;
}

function runTry(statement: Of<"try">, frame: Frame, flow: Flow): void {
  const met = collectTouched(frame, () => flow.run(statement.body, frame));
  frame.branches += 1;
  for (const { caught, body, line } of statement.handlers) {
    if (swallows(body, caught, false)) tellEndpointHazard(flow, frame, line, "catch-default", met);
    if (caught) bindPattern(caught, [], frame, flow);
    flow.run(body, frame);
  }
  frame.branches -= 1;
  flow.run(statement.after, frame);
}

const namesIn = (pattern: Pattern): string[] => {
  if (pattern.kind === "name") return [pattern.name];
  return pattern.kind === "items" ? pattern.items.flatMap((item) => (item ? namesIn(item) : [])) : [];
};

function runReturn({ values }: Of<"return">, frame: Frame, flow: Flow): void {
  if (values.length === 1) fill(frame.returned, flow.evaluate(values[0]!, frame));
  else if (values.length > 1) {
    const tuple = newObject(true);
    // A later value may fill an earlier one: `return out, decode(&out)`.
    for (const value of values) flow.evaluate(value, frame);
    for (const [index, value] of values.entries()) {
      tuple.fields.set(String(index), { value: flow.evaluate(value, frame) });
    }
    fill(frame.returned, [tuple]);
  } else {
    const named = frame.code?.results ?? [];
    const tuple = newObject(true);
    for (const [index, name] of named.entries()) {
      tuple.fields.set(String(index), { value: findCell(frame.scope, name)?.value ?? [] });
    }
    if (named.length > 0)
      fill(frame.returned, named.length === 1 ? (tuple.fields.get("0")?.value ?? []) : [tuple]);
  }
}

function runStatement(statement: Statement, rest: readonly Statement[], frame: Frame, flow: Flow): void {
  switch (statement.kind) {
    case "bind": {
      let value: Value = [];
      const met = collectTouched(frame, () => {
        value = flow.evaluate(statement.value, frame);
        bindPattern(statement.into, value, frame, flow);
      });
      for (const name of namesIn(statement.into)) frame.errors.set(name, met);
      return;
    }
    case "loop":
      bindPattern(statement.into, elementsOf(flow.evaluate(statement.over, frame)), frame, flow);
      flow.run(statement.body, frame);
      return;
    case "do":
      flow.evaluate(statement.value, frame);
      return;
    case "return":
      runReturn(statement, frame, flow);
      return;
    case "throw":
      if (statement.value) flow.evaluate(statement.value, frame);
      return;
    case "branch":
      runBranch(statement, rest, frame, flow);
      return;
    case "block":
      flow.run(statement.body, frame);
      return;
    case "try":
      runTry(statement, frame, flow);
      return;
    case "class": {
      const [atom] = ofKind(findCell(frame.scope, statement.name)?.value ?? [], "class");
      if (!atom) return;
      const inner = {
        ...newFrame(frame.module, frame.scope, frame),
        self: [atom.instance],
        inside: statement.name,
        made: frame.made,
      };
      for (const { name, value } of statement.fields) {
        const cell = atom.instance.fields.get(name) ?? { value: [] };
        atom.instance.fields.set(name, cell);
        fill(cell, flow.evaluate(value, inner));
      }
      return;
    }
    case "import":
      bindImport(statement, frame, flow);
      return;
    case "export":
      frame.module.exported.names.set(statement.name, { value: flow.evaluate(statement.value, frame) });
      return;
    default:
  }
}

export function runStatements(statements: readonly Statement[], frame: Frame, flow: Flow): void {
  if (frame !== frame.module.frame) hoist(statements, frame, flow);
  for (const [index, statement] of statements.entries()) {
    runStatement(statement, statements.slice(index + 1), frame, flow);
  }
}
