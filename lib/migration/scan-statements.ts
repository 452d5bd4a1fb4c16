// Running statements in their order, each branch as if it could happen.
import type { EndpointId } from "../contract/endpoints.ts";
import { orderedItems } from "./scan-access.ts";
import { bindPattern, declaringScope } from "./scan-binding.ts";
import { decorate, decorateMethod, iterate } from "./scan-classes.ts";
import type { Expression, FunctionCode, Pattern, Statement } from "./scan-code.ts";
import { hoist } from "./scan-declarations.ts";
import { collectTouched, type Flow, type Frame, newFrame, tellEndpointHazard } from "./scan-frame.ts";
import {
  checkDropped,
  checkMissing,
  failuresIn,
  noteBlank,
  returnsBlank,
  swallowsError,
} from "./scan-go-errors.ts";
import { returnsDefault, swallows } from "./scan-hazards.ts";
import { bindImport } from "./scan-imports.ts";
import { tupleOf } from "./scan-lists.ts";
import { dereference, fill, findCell, newObject, ofKind, type Value } from "./scan-values.ts";

type Of<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;

/** Endpoints whose answer's status a test looks at. */
function statusTested(test: Expression, frame: Frame, flow: Flow): EndpointId[] {
  switch (test.kind) {
    case "name":
    case "member": {
      const found = ofKind(dereference(flow.evaluate(test, frame)), "status");
      if (found.length > 0 || test.kind === "name") return found.map(({ endpoint }) => endpoint);
      return statusTested(test.of, frame, flow);
    }
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
  (test.kind === "member" && !/err/i.test(test.key)) ||
  (test.kind === "name" && !/err/i.test(test.name)) ||
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

/** Go: the error's name in `err != nil`. */
function errorNamed(test: Expression): Pattern | undefined {
  if (test.kind !== "operation") return undefined;
  if (test.operator === "||" || test.operator === "&&")
    return errorNamed(test.left) ?? errorNamed(test.right);
  return test.left.kind === "name" ? { kind: "name", name: test.left.name, declares: false } : undefined;
}

/** `if ident is None`, where the call says whether there is one. */
function isTaken(test: Expression, { given }: Frame): boolean | undefined {
  if (test.kind === "name") return given?.get(test.name);
  if (test.kind !== "operation" || test.left.kind !== "name" || test.right.kind !== "constant")
    return undefined;
  const isGiven = test.right.value === "null" ? given?.get(test.left.name) : undefined;
  if (isGiven === undefined || !/^is( not)?$/.test(test.operator)) return undefined;
  return test.operator === "is not" ? isGiven : !isGiven;
}

function runBranch(statement: Of<"branch">, rest: readonly Statement[], frame: Frame, flow: Flow): void {
  const { test, yes, no, line } = statement;
  const met = collectTouched(frame, () => flow.evaluate(test, frame));
  checkMissing(statement, rest, frame, flow);
  if (frame.module.language === "go" && swallowsError(yes, errorNamed(test), frame)) {
    tellEndpointHazard(flow, frame, line, "catch-default", errorsTested(test, met, frame));
  }
  const otherwise = no.length > 0 ? no : yes.some(({ kind }) => kind === "return") ? rest : [];
  if (isSuccessTest(test) ? returnsDefault(otherwise) : returnsBlank(yes, frame)) {
    tellEndpointHazard(flow, frame, line, "status-default", statusTested(test, frame, flow));
  }
  const taken = isTaken(test, frame);
  if (taken !== undefined) {
    const body = taken ? yes : no;
    flow.run(body, frame);
    if (frame.branches === 0 && /^(return|throw)$/.test(body.at(-1)?.kind ?? "")) frame.isOver = true;
    return;
  }
  frame.branches += 1;
  flow.run(yes, frame);
  flow.run(no, frame);
  frame.branches -= 1;
}

function runTry(statement: Of<"try">, frame: Frame, flow: Flow): void {
  const met = collectTouched(frame, () => flow.run(statement.body, frame));
  frame.branches += 1;
  for (const { caught, body, line, isUnrelated } of statement.handlers) {
    if (!isUnrelated && swallows(body, caught, false))
      tellEndpointHazard(flow, frame, line, "catch-default", met);
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
    const tuple = { ...newObject(true), isMany: true };
    // A later value may fill an earlier one: `return out, decode(&out)`.
    for (const value of values) flow.evaluate(value, frame);
    for (const [index, value] of values.entries()) {
      tuple.fields.set(String(index), { value: flow.evaluate(value, frame) });
    }
    fill(frame.returned, [tuple]);
  } else {
    const named = frame.code?.results ?? [];
    const tuple = { ...newObject(true), isMany: true };
    for (const [index, { name }] of named.entries()) {
      tuple.fields.set(String(index), { value: findCell(frame.scope, name)?.value ?? [] });
    }
    if (named.length > 0)
      fill(frame.returned, named.length === 1 ? (tuple.fields.get("0")?.value ?? []) : [tuple]);
  }
}

const visitors = new WeakMap<Statement, FunctionCode>();

/** Go: the body of a loop over an iterator is the function that the iterator calls. */
function visitorOf(statement: Of<"loop">): FunctionCode {
  const { into, key = { kind: "nothing" }, body, line } = statement;
  const params = [key, into].map((pattern) => ({
    ...{ into: pattern, name: undefined, type: undefined, instead: undefined, isField: false },
  }));
  const code = visitors.get(statement) ?? { name: undefined, params, body, isGenerator: false, line };
  visitors.set(statement, code);
  return code;
}

const maxSteps = 8;
const isText = (value: Value) => value.length > 0 && value.every(({ kind }) => kind === "text");

function runLoop(statement: Of<"loop">, frame: Frame, flow: Flow): void {
  const { into, key, over, body, line } = statement;
  const value = dereference(flow.evaluate(over, frame));
  const iterators = key ? ofKind(value, "function") : [];
  for (const iterator of iterators) {
    const visit = flow.makeFunction(visitorOf(statement), frame);
    flow.apply(iterator, { positional: [[visit]], named: new Map() }, frame, line);
  }
  if (iterators.length > 0) return;
  const isChannel = ofKind(value, "object").some((atom) => atom.isChannel);
  const items = iterate(value, frame, line, flow);
  // The steps of a path, each from where the one before led.
  const steps = body.length > 0 ? (orderedItems(value) ?? []) : [];
  if (steps.length > 1 && steps.length <= maxSteps && steps.every(isText)) {
    for (const step of steps) {
      bindPattern(into, step, frame, flow);
      flow.run(body, frame);
    }
    return;
  }
  // `for (const [id, person] of byId)`: a map's entries.
  const isMap = into.kind === "items" && ofKind(value, "object").some((atom) => atom.isWrapped);
  bindPattern(
    key && isChannel && into.kind === "nothing" ? key : into,
    isMap ? tupleOf([], items) : items,
    frame,
    flow,
  );
  flow.run(body, frame);
}

function runStatement(statement: Statement, rest: readonly Statement[], frame: Frame, flow: Flow): void {
  switch (statement.kind) {
    case "bind": {
      let value: Value = [];
      for (const name of namesIn(statement.into)) frame.given?.delete(name);
      const met = collectTouched(frame, () => {
        value = flow.evaluate(statement.value, frame);
        bindPattern(statement.into, value, frame, flow);
      });
      const failures = failuresIn(statement.value, value, met, frame, flow);
      for (const name of namesIn(statement.into)) frame.errors.set(name, failures);
      noteBlank(statement.into, statement.value, frame);
      checkDropped(statement.into, statement.value, failures, frame, flow);
      return;
    }
    case "loop":
      runLoop(statement, frame, flow);
      return;
    case "do": {
      let value: Value = [];
      const met = collectTouched(frame, () => {
        value = flow.evaluate(statement.value, frame);
      });
      const failures = failuresIn(statement.value, value, met, frame, flow);
      checkDropped(undefined, statement.value, failures, frame, flow);
      return;
    }
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
      if (statement.decorators) decorate([atom], statement.decorators, frame, flow);
      for (const { name = "", decorators } of statement.methods) {
        const cell = atom.instance.fields.get(name);
        if (decorators && cell)
          cell.value = decorateMethod(cell.value, decorators, atom.instance, frame, flow);
      }
      return;
    }
    case "function": {
      const { name = "", decorators } = statement.code;
      const cell = decorators && declaringScope(frame).names.get(name);
      if (cell) cell.value = decorate(cell.value, decorators, frame, flow);
      return;
    }
    case "outer":
      for (const name of statement.names) {
        const { names } = frame.module.exported;
        const cell = (frame.scope.parent && findCell(frame.scope.parent, name)) ??
          names.get(name) ?? { value: [] };
        if (!names.has(name) && !frame.scope.parent) names.set(name, cell);
        frame.scope.names.set(name, cell);
      }
      return;
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
    if (frame.isOver) return;
    // Only a branch asks what comes after it.
    const rest = statement.kind === "branch" ? statements.slice(index + 1) : [];
    runStatement(statement, rest, frame, flow);
  }
}
