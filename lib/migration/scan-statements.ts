// Running statements in their order, each branch as if it could happen.
import type { EndpointId } from "../contract/endpoints.ts";
import { isIntegerId, isStringNumber, matchShape } from "./consumer-fields.ts";
import { elementsOf } from "./scan-access.ts";
import { bindPattern, declaringScope } from "./scan-binding.ts";
import type { ClassStatement, DeclaredField, Expression, FunctionCode, Pattern, Statement } from "./scan-code.ts";
import { collectTouched, type Flow, type Frame, newFrame, siteOf, tellEndpointHazard } from "./scan-frame.ts";
import { returnsDefault, swallows } from "./scan-hazards.ts";
import { bindImport } from "./scan-imports.ts";
import { type ClassAtom, dataOf, dereference, fill, findCell, isBody, join, newObject, ofKind, type Value } from "./scan-values.ts";

type Of<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;

const classes = new WeakMap<object, ClassAtom>();

/** A declared type that calls V1's texts numbers, or builds on ids that are numbers. */
function checkDeclared(shape: NonNullable<ClassAtom["shape"]>, fields: readonly DeclaredField[], name: string, frame: Frame, flow: Flow): void {
  for (const { key, type, line } of fields) {
    const child = shape.children.get(key);
    if (!child || !/^(number|u?int(8|16|32|64)?|float(32|64)?|bigint)\b/.test(type)) continue;
    const rule = isStringNumber(child) ? "string-number" : isIntegerId(child) ? "integer-id" : undefined;
    const at = { ...siteOf(frame, line), inside: name || frame.inside };
    if (rule) flow.tell({ kind: "hazard", ...at, endpoint: child.endpoint, rule, isSure: true, basis: "type" });
  }
}

function declareType(statement: { name: string; fields: readonly DeclaredField[] }, frame: Frame, flow: Flow): ClassAtom {
  const known = classes.get(statement);
  const { name, fields } = statement;
  const shape = known ? known.shape : matchShape(fields);
  const scope = declaringScope(frame);
  // Go: a method may have been seen before its type.
  const earlier = ofKind(scope.names.get(name)?.value ?? [], "class")[0];
  const atom = known ?? { kind: "class", name, instance: earlier?.instance ?? newObject(), shape, declared: [] };
  classes.set(statement, atom);
  for (const field of fields) {
    for (const tags of [frame.module.tags, frame.module.allTags]) {
      tags.set(field.name, (tags.get(field.name) ?? new Set()).add(field.key));
    }
  }
  if (shape && frame.module.language !== "python") checkDeclared(shape, fields, name, frame, flow);
  if (name) scope.names.set(name, { value: [atom] });
  return atom;
}

function declareMethod(code: FunctionCode, frame: Frame, flow: Flow): void {
  const { type } = code.receiver!;
  const scope = declaringScope(frame);
  let [owner] = ofKind(scope.names.get(type)?.value ?? [], "class");
  if (!owner) {
    owner = { kind: "class", name: type, instance: newObject(), shape: undefined, declared: [] };
    scope.names.set(type, { value: [owner] });
  }
  const method = flow.makeFunction(code, frame, [owner.instance], `${type}.${code.name}`);
  const name = code.name ?? "";
  owner.instance.fields.set(name, { value: [method] });
  const { methods } = frame.module;
  const others = (methods.get(name) ?? []).filter((other) => other.code !== code);
  methods.set(name, [...others, method]);
}

function declareClass(statement: ClassStatement, frame: Frame, flow: Flow): void {
  const shape = matchShape(statement.declared);
  const atom: ClassAtom = classes.get(statement) ?? {
    kind: "class",
    name: statement.name,
    instance: newObject(),
    shape,
    declared: statement.declared,
  };
  classes.set(statement, atom);
  const bases = statement.bases.map((base) => findCell(frame.scope, base)?.value ?? []);
  atom.instance.beneath = join(...bases.map((base) => ofKind(base, "class").map(({ instance }) => instance)));
  for (const code of statement.methods) {
    const method = flow.makeFunction(code, frame, [atom.instance], `${statement.name}.${code.name}`);
    atom.instance.fields.set(code.name ?? "", { value: [method] });
  }
  declaringScope(frame).names.set(statement.name, { value: [atom] });
}

/** Functions and types are known before the first statement runs. */
export function hoist(statements: readonly Statement[], frame: Frame, flow: Flow): void {
  for (const statement of statements) {
    if (statement.kind === "type") declareType(statement, frame, flow);
    else if (statement.kind === "class") declareClass(statement, frame, flow);
    else if (statement.kind === "function") {
      if (statement.code.receiver) declareMethod(statement.code, frame, flow);
      else declaringScope(frame).names.set(statement.code.name ?? "", { value: [flow.makeFunction(statement.code, frame)] });
    }
  }
}

const statusKeys = /^(ok|status|status_code|StatusCode|statusCode|is_success|is_error|IsError|IsSuccess)$/;

/** Endpoints whose answer's status a test looks at. */
function statusTested(test: Expression, frame: Frame, flow: Flow): EndpointId[] {
  switch (test.kind) {
    case "member":
      if (!statusKeys.test(test.key)) return statusTested(test.of, frame, flow);
      return dataOf(dereference(flow.evaluate(test.of, frame))).filter(isBody).map(({ node }) => node.endpoint);
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
  (test.kind === "operation" && /^===?$/.test(test.operator) && [test.left, test.right].some((side) => side.kind === "constant" ? side.value === "200" : side.kind === "member" && /^(StatusOK|ok|OK|HTTP_200_OK)$/.test(side.key)));

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
    values.forEach((value, index) => tuple.fields.set(String(index), { value: flow.evaluate(value, frame) }));
    fill(frame.returned, [tuple]);
  } else {
    const named = frame.code?.results ?? [];
    const tuple = newObject(true);
    named.forEach((name, index) => tuple.fields.set(String(index), { value: findCell(frame.scope, name)?.value ?? [] }));
    if (named.length > 0) fill(frame.returned, named.length === 1 ? (tuple.fields.get("0")?.value ?? []) : [tuple]);
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
      const inner = { ...newFrame(frame.module, frame.scope, frame), self: [atom.instance], inside: statement.name, made: frame.made };
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
  statements.forEach((statement, index) => runStatement(statement, statements.slice(index + 1), frame, flow));
}
