// Evaluates statements in order; every branch is assumed to be possible.

import { decorate } from "../calls/classes.ts";
import { type ImportStatement, namesIn, type Statement } from "../code.ts";
import { collectTouched, newFrame, tellEndpointHazard } from "../frame.ts";
import { swallows } from "../hazards.ts";
import type { Cell, Frame, Module, Value } from "../values/atoms.ts";
import {
  dereference,
  elementsOf,
  fill,
  fillField,
  findCell,
  given,
  join,
  newObject,
  ofKind,
  orderedTexts,
  tupleOf,
} from "../values/values.ts";
import { bindPattern, declaringScope } from "./binding.ts";
import { runBranch } from "./branches.ts";
import { hoist } from "./declarations.ts";

type Of<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;

function runTry(statement: Of<"try">, frame: Frame): void {
  const met = collectTouched(frame, () => frame.flow.run(statement.body, frame));
  frame.branches += 1;
  for (const { caught, body, line, isUnrelated } of statement.handlers) {
    if (!isUnrelated && swallows(body, caught, false)) tellEndpointHazard(frame, line, "catch-default", met);
    if (caught) bindPattern(caught, [], frame);
    frame.flow.run(body, frame);
  }
  frame.branches -= 1;
  frame.flow.run(statement.after, frame);
}

/** The results of one call, which another call may take as its arguments. */
const resultsOf = (values: readonly Value[]): Value =>
  ofKind(tupleOf(...values), "object").map((tuple) => ({ ...tuple, isMany: true }));

function runReturn({ values }: Of<"return">, frame: Frame): void {
  if (values.length === 1) fill(frame.returned, frame.flow.evaluate(values[0]!, frame));
  else if (values.length > 1) {
    // A later value may fill an earlier one: `return out, decode(&out)`.
    for (const value of values) frame.flow.evaluate(value, frame);
    fill(frame.returned, resultsOf(values.map((value) => frame.flow.evaluate(value, frame))));
  } else {
    const named = (frame.code?.results ?? []).map((name) => findCell(frame.scope, name)?.value ?? []);
    fill(frame.returned, named.length > 1 ? resultsOf(named) : named.flat());
  }
}

function runStatement(statement: Statement, rest: readonly Statement[], frame: Frame): void {
  switch (statement.kind) {
    case "bind":
    case "do": {
      const into = statement.kind === "bind" ? statement.into : undefined;
      let value: Value = [];
      const met = collectTouched(frame, () => {
        value = frame.flow.evaluate(statement.value, frame);
        if (into) bindPattern(into, value, frame);
      });
      for (const name of into ? namesIn(into) : []) frame.errors.set(name, met);
      frame.module.language.checkStep?.(statement, value, met, frame);
      return;
    }
    case "loop":
      runLoop(statement, frame);
      return;
    case "return":
      runReturn(statement, frame);
      return;
    case "throw":
      if (statement.value) frame.flow.evaluate(statement.value, frame);
      return;
    case "branch":
      runBranch(statement, rest, frame);
      return;
    case "try":
      runTry(statement, frame);
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
      for (const { name, value } of statement.fields)
        fillField(atom.instance, name, frame.flow.evaluate(value, inner));
      if (statement.decorators) decorate([atom], statement.decorators, frame);
      return;
    }
    case "function": {
      const { name = "", decorators } = statement.code;
      const cell = decorators && declaringScope(frame).names.get(name);
      if (cell) cell.value = decorate(cell.value, decorators, frame);
      return;
    }
    case "outer":
      for (const name of statement.names) {
        const cell = frame.scope.parent && findCell(frame.scope.parent, name);
        if (cell) frame.scope.names.set(name, cell);
      }
      return;
    case "import":
      bindImport(statement, frame);
      return;
    case "export":
      frame.module.exported.names.set(statement.name, { value: frame.flow.evaluate(statement.value, frame) });
      return;
    default:
  }
}

export function runStatements(statements: readonly Statement[], frame: Frame): void {
  if (frame !== frame.module.frame) hoist([{ statements, frame }]);
  for (const [index, statement] of statements.entries()) {
    // Only a branch asks what comes after it.
    const rest = statement.kind === "branch" ? statements.slice(index + 1) : [];
    runStatement(statement, rest, frame);
  }
}

// Loops: over items, and over the steps of a path.
type Loop = Extract<Statement, { kind: "loop" }>;

const maxSteps = 8;

export function runLoop(statement: Loop, frame: Frame): void {
  const { into, key, over, body, line } = statement;
  const value = dereference(frame.flow.evaluate(over, frame));
  const isChannel = ofKind(value, "object").some((atom) => atom.isChannel);
  // `for p, err := range client.All()`: an item is what the function yields.
  const iterators = ofKind(value, "function");
  const yielded: Cell = { value: [] };
  for (const target of iterators)
    frame.flow.apply(target, given([{ kind: "setter", cell: yielded }]), frame, line);
  const items = join(elementsOf(value), yielded.value);
  // The steps of a path, each from where the one before led.
  const steps = body.length > 0 ? orderedTexts(value) : [];
  if (steps.length > 1 && steps.length <= maxSteps) {
    for (const step of steps) {
      bindPattern(into, step, frame);
      frame.flow.run(body, frame);
    }
    return;
  }
  // `for (const [id, person] of byId)`: a map's entries.
  const isMap = into.kind === "items" && ofKind(value, "object").some((atom) => atom.isWrapped);
  bindPattern(
    key && (iterators.length > 0 || (isChannel && into.kind === "nothing")) ? key : into,
    isMap ? tupleOf([], items) : items,
    frame,
  );
  frame.flow.run(body, frame);
}

// Names from other modules of the tree.
const namespaceOf = (module: Module): Value => [{ ...newObject(), fields: module.exported.names }];

function importedCell(module: Module, name: string): Cell | undefined {
  const own = module.exported.names.get(name);
  return own ?? (name === "default" ? { value: namespaceOf(module) } : undefined);
}

export function bindImport(statement: ImportStatement, frame: Frame): void {
  const { from, names } = statement;
  const module = frame.flow.importModule(frame.module, from);
  for (const { imported, local, module: inside } of names) {
    if (local === "*") {
      frame.module.carries = true;
      for (const [name, cell] of module?.exported.names ?? []) frame.module.exported.names.set(name, cell);
    } else if (imported === "*") {
      if (module) frame.scope.names.set(local, { value: namespaceOf(module) });
      else frame.module.outside.add(local);
    } else {
      const inner = inside === undefined ? undefined : frame.flow.importModule(frame.module, inside);
      const cell = (module && importedCell(module, imported)) ?? (inner && { value: namespaceOf(inner) });
      if (cell) frame.scope.names.set(local, cell);
      else if (!frame.scope.names.has(local)) {
        frame.module.outside.add(local);
        if (imported !== local && imported !== "default") frame.module.aliases.set(local, imported);
      }
    }
  }
}
