// Go: errors that nobody looks at, and zeros in the place of what V1 did not send.
import type { EndpointId } from "../contract/endpoints.ts";
import type { FunctionAtom, Value } from "./scan-atoms.ts";
import type { Expression, Pattern, Statement } from "./scan-code.ts";
import { type Flow, type Frame, tellEndpointHazard, tellHazard } from "./scan-frame.ts";
import { decoders } from "./scan-go-decode.ts";
import { findMethods } from "./scan-go-methods.ts";
import { calleeName, isEmptyDefault, leavesDefault, returnsDefault, swallows } from "./scan-hazards.ts";
import { itemAt } from "./scan-items.ts";
import { dataOf, dereference, isBody, ofKind } from "./scan-values.ts";

/** A request that was not sent cannot fail V1. */
const harmless = /^(NewRequest\w*|Parse|JoinPath|Close|Copy|Fprint\w*|Write\w*|Encode|Marshal\w*)$/;

const dropsLast = (into: Pattern): boolean =>
  into.kind === "nothing" || (into.kind === "items" && (into.items.at(-1)?.kind ?? "nothing") === "nothing");

function targetsOf(callee: Expression, frame: Frame, flow: Flow): FunctionAtom[] {
  const own = ofKind(flow.evaluate(callee, frame), "function");
  if (own.length > 0 || callee.kind !== "member") return own;
  return ofKind(findMethods(callee, flow.evaluate(callee.of, frame), frame), "function");
}

/** Endpoints whose failure is in an expression's error; to parse a field of theirs can fail without them. */
export function failuresIn(
  call: Expression,
  value: Value,
  met: ReadonlySet<EndpointId>,
  frame: Frame,
  flow: Flow,
): ReadonlySet<EndpointId> {
  if (frame.module.language !== "go" || met.size === 0) return met;
  // `loc := person.Location` can be nil without an error.
  if (call.kind === "member" && !/err/i.test(call.key)) return new Set();
  if (call.kind !== "call") return met;
  const name = calleeName(call.callee);
  if (decoders.test(name)) return met;
  const own = targetsOf(call.callee, frame, flow);
  if (own.length > 0) return own.some(({ code }) => code.fails) ? met : new Set();
  const given = [value, itemAt(value, 0), ...call.args.map((one) => flow.evaluate(one.value, frame))];
  const answers = given.flatMap((one) => dataOf(dereference(one)).filter(isBody));
  return new Set(answers.map(({ node }) => node.endpoint));
}

/** `resp, _ := http.Get(…)`, `_ = dec.Decode(&x)`, and a decoder whose result nobody takes. */
export function checkDropped(
  into: Pattern | undefined,
  call: Expression,
  failures: ReadonlySet<EndpointId>,
  frame: Frame,
  flow: Flow,
): void {
  if (frame.module.language !== "go" || call.kind !== "call") return;
  const name = calleeName(call.callee);
  if ((into && !dropsLast(into)) || harmless.test(name) || /^(Set|Scan)/.test(name)) return;
  // `c.JSON(200, …)` answers; it decodes nothing.
  if (name === "JSON" && call.args.length > 1) return;
  const isOwn = targetsOf(call.callee, frame, flow).length > 0;
  if (into?.kind === "items" || isOwn || decoders.test(name))
    tellEndpointHazard(flow, frame, call.line, "catch-default", failures);
}

/** Which variables are still as they were declared: to return one is to return nothing. */
export function noteBlank(into: Pattern, value: Expression, frame: Frame): void {
  if (frame.module.language !== "go") return;
  if (into.kind === "items") for (const item of into.items) if (item) noteBlank(item, value, frame);
  if (into.kind !== "name") return;
  frame.blank ??= new Set();
  const isBlank = isEmptyDefault(value) || (value.kind === "other" && value.parts.length === 0);
  if (isBlank) frame.blank.add(into.name);
  else frame.blank.delete(into.name);
}

const isBlank = (value: Expression, { blank }: Frame): boolean =>
  value.kind === "name" && blank?.has(value.name) === true;

/** `if resp.StatusCode != 200 { return sums, nil }` */
export const returnsBlank = (body: readonly Statement[], frame: Frame): boolean =>
  returnsDefault(body, (value) => isEmptyDefault(value) || isBlank(value, frame));

/** `if err != nil { return sums }`, and `return r, nil` where the last result is the error. */
export function swallowsError(
  body: readonly Statement[],
  caught: Pattern | undefined,
  frame: Frame,
): boolean {
  const { code } = frame;
  const saysNone = (value: Expression | undefined) => value?.kind === "constant" && value.value === "null";
  return swallows(
    body,
    caught,
    (code?.results?.length ?? 0) > 0 && code?.fails === true,
    (values) =>
      values.every((value) => leavesDefault(value) || isBlank(value, frame)) ||
      (code?.fails === true && values.length > 1 && saysNone(values.at(-1))),
  );
}

const isZero = (value: Expression): boolean => value.kind === "constant" && /^0(\.0)?$/.test(value.value);

const returnsZero = (body: readonly Statement[]): boolean =>
  body.some((one) => one.kind === "return" && one.values.some(isZero));

/** The values of V1 that a test compares with nothing, and whether it wants them missing. */
function comparedWithNothing(
  test: Expression,
  frame: Frame,
  flow: Flow,
): { value: Value; isMissing: boolean }[] {
  // `!score`
  if (test.kind === "other" && test.parts.length === 1)
    return [{ value: flow.evaluate(test.parts[0]!, frame), isMissing: true }];
  if (test.kind !== "operation") return [];
  if (/^(&&|\|\||and|or)$/.test(test.operator))
    return [test.left, test.right].flatMap((side) => comparedWithNothing(side, frame, flow));
  const isNothing = test.right.kind === "constant" && test.right.value === "null";
  if (!isNothing || !/^[=!]==?$/.test(test.operator)) return [];
  return [{ value: flow.evaluate(test.left, frame), isMissing: test.operator.startsWith("=") }];
}

/** `if p.Score == nil { return 0 }` */
export function checkMissing(
  { test, yes, no, line }: Extract<Statement, { kind: "branch" }>,
  rest: readonly Statement[],
  frame: Frame,
  flow: Flow,
): void {
  if (frame.module.language === "python") return;
  for (const { value, isMissing } of comparedWithNothing(test, frame, flow)) {
    const numbers = dataOf(dereference(value)).filter(({ node }) => node.type === "number");
    const instead = isMissing ? yes : no.length > 0 ? no : rest;
    if (numbers.length > 0 && returnsZero(instead))
      tellHazard(flow, frame, line, "fallback-default", numbers);
  }
}
