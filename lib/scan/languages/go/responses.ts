// Go: responses that are decoded into declared types, errors that nobody looks at, and zeros in the place of what V1 did
// not send.
import { resultKey } from "../../flow/calls/calls.ts";
import { clientWith } from "../../flow/calls/requests.ts";
import { type Expression, isNull, namesIn, type Pattern, type Statement, walk } from "../../flow/code.ts";
import { tellEndpointHazard } from "../../flow/frame.ts";
import { calleeName, leavesDefault, swallows } from "../../flow/hazards.ts";
import { findPlace } from "../../flow/statements/binding.ts";
import {
  type Cell,
  type Frame,
  type FunctionAtom,
  type Hook,
  type Invocation,
  type Met,
  metOf,
  type Value,
} from "../../flow/values/atoms.ts";
import { decodeAnswer } from "../../flow/values/types.ts";
import { dataOf, dereference, isBody, itemAt, ofKind } from "../../flow/values/values.ts";
import { findMethods } from "./types.ts";

export const decoders =
  /^(Decode|Unmarshal|SetResult|SetSuccessResult|ShouldBind\w*|BindJSON|ReadJSON|Receive(Success)?|Into|ToJSON|Scan|UnmarshalRead|UnmarshalFromString|DecodeJSON|JSON)$/;
/** Those of a request that is not sent yet. */
const builders = /^(Set(Success)?Result|Into|ToJSON)$/;

/** What is filled through a pointer, or by its name. */
export const cellsOf = (value: Value, source: Expression | undefined, frame: Frame): Cell[] => {
  const cells = ofKind(value, "reference").map(({ cell }) => cell);
  if (cells.length > 0) return cells;
  const own = source?.kind === "name" ? findPlace(source, frame) : undefined;
  // `SetResult(Envelope{})`
  const made = ofKind(value, "object").some(({ type }) => type) ? { value } : undefined;
  return [own ?? made ?? []].flat();
};

/** The answer goes into what a pointer points at. */
export function decode(
  { callee, name, receiver = [], args, source }: Invocation,
  frame: Frame,
): Value | undefined {
  if (!decoders.test(name)) return undefined;
  const cells = cellsOf(args.positional.at(-1) ?? [], source.at(-1), frame);
  const bytes = args.positional.length > 1 ? (args.positional[0] ?? []) : receiver;
  const held = dereference(bytes);
  const data = held.filter(({ kind }) => kind === "data" || kind === "foreign");
  for (const atom of dataOf(data)) frame.touched.add(metOf(atom));
  for (const cell of cells) decodeAnswer(cell, data, frame);
  if (held.some(({ kind }) => kind === "data" || kind === "foreign")) return receiver;
  return builders.test(name) && callee.kind === "member"
    ? expect(callee.of, receiver, cells, frame)
    : undefined;
}

/** A request that gets the place for its response and is sent later; nothing needs to be known about the client. */
function expect(of: Expression, receiver: Value, cells: readonly Cell[], frame: Frame): Value {
  const results: Value = cells.map((cell) => ({ kind: "reference", cell }));
  const known = ofKind(receiver, "object");
  const requests = (known.length > 0 ? known : ofKind(clientWith([]), "object")).map((request) => ({
    ...request,
    fields: new Map([...request.fields, [resultKey, { value: results }]]),
  }));
  const place = of.kind === "name" ? findPlace(of, frame) : undefined;
  if (place) place.value = requests;
  return requests;
}

/** A request that was not sent cannot fail V1. */
const harmless = /^(NewRequest\w*|Parse|JoinPath|Close|Copy|Fprint\w*|Write\w*|Encode|Marshal\w*)$/;

const dropsLast = (into: Pattern): boolean =>
  into.kind === "nothing" || (into.kind === "items" && (into.items.at(-1)?.kind ?? "nothing") === "nothing");

function targetsOf(callee: Expression, frame: Frame): FunctionAtom[] {
  const own = ofKind(frame.flow.evaluate(callee, frame), "function");
  if (own.length > 0 || callee.kind !== "member") return own;
  if (callee.of.kind === "name" && frame.module.outside.has(callee.of.name)) return [];
  return ofKind(findMethods(callee.key, frame.flow.evaluate(callee.of, frame), frame.module), "function");
}

/** Endpoints whose failure is in an expression's error; to parse a field of theirs can fail without them. */
function failuresIn(call: Expression, value: Value, met: ReadonlySet<Met>, frame: Frame): ReadonlySet<Met> {
  if (met.size === 0) return met;
  // `loc := person.Location` can be nil without an error.
  if (call.kind === "member" && !/err/i.test(call.key)) return new Set();
  if (call.kind !== "call") return met;
  const name = calleeName(call.callee);
  if (decoders.test(name)) return met;
  const own = targetsOf(call.callee, frame);
  if (own.length > 0) return own.some(({ code }) => code.fails) ? met : new Set();
  const given = [value, itemAt(value, 0), ...call.args.map((one) => frame.flow.evaluate(one.value, frame))];
  const answers = given.flatMap((one) => dataOf(one).filter(isBody));
  return new Set(answers.map(({ node }) => node.endpoint));
}

const decodesError = ({ args }: Extract<Expression, { kind: "call" }>, frame: Frame): boolean =>
  args.some(({ value }) =>
    ofKind(dereference(frame.flow.evaluate(value, frame)), "object").some(({ type }) =>
      /err|problem|fail/i.test(type?.name ?? ""),
    ),
  );

/** `resp, _ := http.Get(…)`, `_ = dec.Decode(&x)`, and a decoder whose result nobody takes. */
function checkDropped(
  into: Pattern | undefined,
  call: Expression,
  failures: ReadonlySet<Met>,
  frame: Frame,
): void {
  if (call.kind !== "call") return;
  const name = calleeName(call.callee);
  if ((into && !dropsLast(into)) || harmless.test(name) || /^(Set|Scan)/.test(name)) return;
  // `c.JSON(200, …)` answers; it decodes nothing.
  if (name === "JSON" && call.args.length > 1) return;
  // `v, err, _ := group.Do(…)`, and the body of an error that is reported anyway.
  if ((into && namesIn(into).some((one) => /err/i.test(one))) || decodesError(call, frame)) return;
  const isOwn = targetsOf(call.callee, frame).length > 0;
  if (into?.kind === "items" || isOwn || decoders.test(name))
    tellEndpointHazard(frame, call.line, "catch-default", failures);
}

/** `if err != nil { return 0 }`, and `return r, nil` where the last result is the error. */
function swallowsError(body: readonly Statement[], caught: Pattern | undefined, frame: Frame): boolean {
  const { code } = frame;
  return swallows(
    body,
    caught,
    (code?.results?.length ?? 0) > 0 && code?.fails === true,
    (values) =>
      values.every(leavesDefault) || (code?.fails === true && values.length > 1 && isNull(values.at(-1))),
  );
}

/** Go: the endpoints behind `err != nil`, or `err == nil`. */
function errorsTested(
  test: Expression,
  operator: "!=" | "==",
  met: ReadonlySet<Met>,
  frame: Frame,
): Iterable<Met> {
  if (test.kind === "operation" && test.operator === "||")
    return [test.left, test.right].flatMap((side) => [...errorsTested(side, operator, met, frame)]);
  if (test.kind !== "operation" || test.operator !== operator || test.right.kind !== "constant") return [];
  if (test.left.kind === "name") return frame.errors.get(test.left.name) ?? [];
  return test.left.kind === "call" ? met : [];
}

/** Go: the error's name in `err != nil`. */
function errorNamed(test: Expression): Pattern | undefined {
  if (test.kind !== "operation") return undefined;
  return test.left.kind === "name" ? { kind: "name", name: test.left.name, declares: false } : undefined;
}

type Branch = Extract<Statement, { kind: "branch" }>;

/** Failures of functions that give nothing but an error: without a return, nothing takes the place of a value. */
const bare = new WeakSet<object>();

function isBare({ into, value }: Extract<Statement, { kind: "bind" }>, frame: Frame): boolean {
  if (into.kind !== "name" || value.kind !== "call" || targetsOf(value.callee, frame).length === 0)
    return false;
  return value.args.every((one) => one.value.kind !== "reference");
}

export const checkStep: Hook<"checkStep"> = (step, value, met, frame) => {
  const failures = new Set(failuresIn(step.value, value, met, frame));
  if (step.kind === "bind") {
    if (failures.size > 0 && isBare(step, frame)) bare.add(failures);
    for (const name of namesIn(step.into)) frame.errors.set(name, failures);
  }
  checkDropped(step.kind === "bind" ? step.into : undefined, step.value, failures, frame);
};

/** `total := 0.0; if err == nil { total = … }`, where nobody returns the error: after a failure it stays what it was. */
function keepsDefault({ test, yes, no }: Branch, { code }: Frame): boolean {
  if (no.length > 0 || test.kind !== "operation" || test.left.kind !== "name") return false;
  const { name } = test.left;
  let isReturned = false;
  walk(code?.body, (one) => {
    if (one.kind === "return" && one.values.some((value) => value.kind === "name" && value.name === name))
      isReturned = true;
  });
  return !isReturned && yes.some(({ kind }) => kind === "bind") && yes.at(-1)?.kind !== "return";
}

export const checkBranch: Hook<"checkBranch"> = (branch, met, frame) => {
  const { test, yes, line } = branch;
  const tested = errorsTested(test, "!=", met, frame);
  if (swallowsError(yes, errorNamed(test), frame)) {
    const isReturned = yes.some(({ kind }) => kind === "return");
    if (isReturned || !bare.has(tested)) tellEndpointHazard(frame, line, "catch-default", tested);
  }
  if (keepsDefault(branch, frame))
    tellEndpointHazard(frame, line, "catch-default", errorsTested(test, "==", met, frame));
};
