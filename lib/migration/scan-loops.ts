// Loops: over items, over the steps of a path, over an iterator.
import type { Value } from "./scan-atoms.ts";
import { bindPattern } from "./scan-binding.ts";
import { iterate } from "./scan-classes.ts";
import type { FunctionCode, Statement } from "./scan-code.ts";
import type { Flow, Frame } from "./scan-frame.ts";
import { orderedItems } from "./scan-items.ts";
import { tupleOf } from "./scan-lists.ts";
import { dereference, ofKind } from "./scan-values.ts";

type Loop = Extract<Statement, { kind: "loop" }>;

const visitors = new WeakMap<Statement, FunctionCode>();

/** Go: the body of a loop over an iterator is the function that the iterator calls. */
function visitorOf(statement: Loop): FunctionCode {
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

export function runLoop(statement: Loop, frame: Frame, flow: Flow): void {
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
