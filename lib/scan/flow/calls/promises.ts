// Promises and observables: follows rejections, and values through operators.

import type { Expression } from "../code.ts";
import type { Invocation } from "../frame.ts";
import { type Frame, tellEndpointHazard } from "../frame.ts";
import { swallows } from "../hazards.ts";
import type { Value } from "../values/atoms.ts";
import { dataOf, join } from "../values/values.ts";
import { callEach } from "./callbacks.ts";

/** `.catch(() => [])`: the promise's own error handler. */
export function handleRejection(invocation: Invocation, handler: Expression | undefined, frame: Frame): void {
  if (!handler) return;
  const isSilent =
    handler.kind === "function"
      ? swallows(handler.code.body, handler.code.params[0]?.into, false)
      : handler.kind === "member" &&
        /^(console|log|logger)$/.test(handler.of.kind === "name" ? handler.of.name : "");
  const line = handler.line;
  const given = dataOf(invocation.receiver ?? []).map(({ node }) => node.endpoint);
  const endpoints = new Set([...given, ...invocation.met]);
  if (isSilent) tellEndpointHazard(frame, line, "catch-default", endpoints);
}

/** rxjs: each operator takes what the one before gives. */
export function pipe(invocation: Invocation, operators: readonly Expression[], frame: Frame): Value {
  let value = invocation.receiver ?? [];
  for (const operator of operators) {
    if (operator.kind !== "call") continue;
    const [handler] = operator.args;
    const name = operator.callee.kind === "name" ? operator.callee.name : "";
    if (!handler) continue;
    const given = frame.flow.evaluate(handler.value, frame);
    if (/^(map|switchMap|mergeMap|concatMap|exhaustMap|pluck)$/.test(name))
      value = callEach(given, [value], frame, operator.line);
    else if (name === "catchError") {
      handleRejection({ ...invocation, receiver: value }, handler.value, frame);
      value = join(value, callEach(given, [], frame, operator.line));
    } else callEach(given, [value], frame, operator.line);
  }
  return value;
}
