// Running statements in their order, each branch as if it could happen.
import type { Value } from "./scan-atoms.ts";
import { bindPattern, declaringScope } from "./scan-binding.ts";
import { runBranch } from "./scan-branches.ts";
import { decorate, decorateMethod } from "./scan-classes.ts";
import type { Pattern, Statement } from "./scan-code.ts";
import { hoist } from "./scan-declarations.ts";
import { collectTouched, type Flow, type Frame, newFrame, tellEndpointHazard } from "./scan-frame.ts";
import { checkDropped, failuresIn, noteBlank } from "./scan-go-errors.ts";
import { swallows } from "./scan-hazards.ts";
import { bindImport } from "./scan-imports.ts";
import { runLoop } from "./scan-loops.ts";
import { fill, findCell, newObject, ofKind } from "./scan-values.ts";

type Of<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;

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
