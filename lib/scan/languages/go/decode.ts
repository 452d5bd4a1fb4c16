// Go: responses that are decoded into declared types.

import { clientWith } from "../../flow/calls/requests.ts";
import type { Expression, Pattern, Statement } from "../../flow/code.ts";
import { type Frame, type Invocation, tellEndpointHazard, tellHazard } from "../../flow/frame.ts";
import { calleeName, isEmptyDefault, leavesDefault, returnsDefault, swallows } from "../../flow/hazards.ts";
import { findPlace } from "../../flow/statements/binding.ts";
import { type Cell, type FunctionAtom, type Met, metOf, type Value } from "../../flow/values/atoms.ts";
import { findClass, learnShape } from "../../flow/values/types.ts";
import { dataOf, dereference, fill, isBody, itemAt, join, ofKind } from "../../flow/values/values.ts";
import { findMethods } from "./types.ts";

export const decoders =
  /^(Decode|Unmarshal|SetResult|SetSuccessResult|ShouldBind\w*|BindJSON|ReadJSON|Receive(Success)?|Into|ToJSON|Scan|UnmarshalRead|UnmarshalFromString|DecodeJSON|JSON)$/;
/** Those of a request that is not sent yet. */
const builders = /^(Set(Success)?Result|Into|ToJSON)$/;
const resultKey = "<result>";

/** What an answer is decoded into has V1's shape from then on. */
function fillDecoded(cell: Cell, given: Value, frame: Frame): void {
  const objects = ofKind(dereference(cell.value), "object");
  const types = objects.flatMap(({ type }) => type ?? []);
  // A decoder that was led to the list by its tokens gives the list's items.
  const data = given.map((atom) => {
    if (atom.kind !== "data" || !isBody(atom)) return atom;
    const structs = objects.flatMap(({ type, beneath }) => (type && beneath.length > 0 ? [type] : []));
    const [place] = structs.flatMap((_type) => []);
    return place ? { ...atom, node: place } : atom;
  });
  for (const atom of dataOf(data)) {
    if (atom.basis === "flow") for (const type of types) learnShape(type, atom, frame);
  }
  // `map[string]any{"passport": &p}`
  for (const { fields, type } of objects) {
    for (const [name, inner] of fields) {
      const key = type?.declared.find((field) => field.name === name)?.key ?? name;
      const children = dataOf(data).flatMap((atom) => {
        const node = atom.node.children.get(key) ?? atom.node.children.get(key.toLowerCase());
        return node ? [{ ...atom, node }] : [];
      });
      for (const pointer of children.length > 0 ? ofKind(inner.value, "reference") : [])
        fillDecoded(pointer.cell, children, frame);
    }
  }
  fill(cell, data);
}

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
  { callee, name, receiver = [], args }: Invocation,
  source: readonly Expression[],
  frame: Frame,
): Value | undefined {
  if (!decoders.test(name)) return undefined;
  const cells = cellsOf(args.positional.at(-1) ?? [], source.at(-1), frame);
  const bytes = args.positional.length > 1 ? (args.positional[0] ?? []) : receiver;
  const held = dereference(bytes);
  const data = held.filter(({ kind }) => kind === "data" || kind === "foreign");
  for (const atom of dataOf(data)) frame.touched.add(metOf(atom));
  for (const cell of cells) fillDecoded(cell, data, frame);
  if (held.some(({ kind }) => kind === "data" || kind === "foreign")) return receiver;
  return builders.test(name) && callee.kind === "member"
    ? expect(callee.of, receiver, cells, frame)
    : undefined;
}

/** A request that is told where to put its answer, and is sent later; of the client itself nothing need be known. */
function expect(of: Expression, receiver: Value, cells: readonly Cell[], frame: Frame): Value {
  const results: Value = cells.map((cell) => ({ kind: "reference", cell }));
  const known = ofKind(dereference(receiver), "object");
  const requests = (known.length > 0 ? known : ofKind(clientWith([]), "object")).map((request) => ({
    ...request,
    fields: new Map([...request.fields, [resultKey, { value: results }]]),
  }));
  const place = of.kind === "name" ? findPlace(of, frame) : undefined;
  if (place) place.value = requests;
  return requests;
}

/** An answer to a client that was told where to put it. */
export function fillResult(receiver: Value, answers: Value, frame: Frame): void {
  for (const held of ofKind(dereference(receiver), "object")) {
    for (const { cell } of ofKind(held.fields.get(resultKey)?.value ?? [], "reference"))
      fillDecoded(cell, answers, frame);
  }
}

/** `get[page[row]](…)`: the types that were asked for. */
export function learnAsked(as: string | undefined, value: Value, frame: Frame): void {
  const known = (as?.match(/[\w$.]+/g) ?? []).flatMap((name) => findClass(name, frame) ?? []);
  for (const atom of known.length > 0 ? dataOf(join(value, itemAt(value, 0))) : [])
    if (atom.basis === "flow") for (const type of known) learnShape(type, atom, frame);
}

// Go: errors that nobody looks at, and zeros in the place of what V1 did not send.
/** A request that was not sent cannot fail V1. */
const harmless = /^(NewRequest\w*|Parse|JoinPath|Close|Copy|Fprint\w*|Write\w*|Encode|Marshal\w*)$/;

const dropsLast = (into: Pattern): boolean =>
  into.kind === "nothing" || (into.kind === "items" && (into.items.at(-1)?.kind ?? "nothing") === "nothing");

function targetsOf(callee: Expression, frame: Frame): FunctionAtom[] {
  const own = ofKind(frame.flow.evaluate(callee, frame), "function");
  if (own.length > 0 || callee.kind !== "member") return own;
  return ofKind(findMethods(callee, frame.flow.evaluate(callee.of, frame), frame), "function");
}

/** Endpoints whose failure is in an expression's error; to parse a field of theirs can fail without them. */
export function failuresIn(
  call: Expression,
  value: Value,
  met: ReadonlySet<Met>,
  frame: Frame,
): ReadonlySet<Met> {
  if (frame.module.language !== "go" || met.size === 0) return met;
  // `loc := person.Location` can be nil without an error.
  if (call.kind === "member" && !/err/i.test(call.key)) return new Set();
  if (call.kind !== "call") return met;
  const name = calleeName(call.callee);
  if (decoders.test(name)) return met;
  const own = targetsOf(call.callee, frame);
  if (own.length > 0) return own.some(({ code }) => code.fails) ? met : new Set();
  const given = [value, itemAt(value, 0), ...call.args.map((one) => frame.flow.evaluate(one.value, frame))];
  const answers = given.flatMap((one) => dataOf(dereference(one)).filter(isBody));
  return new Set(answers.map(({ node }) => node.endpoint));
}

/** `resp, _ := http.Get(…)`, `_ = dec.Decode(&x)`, and a decoder whose result nobody takes. */
export function checkDropped(
  into: Pattern | undefined,
  call: Expression,
  failures: ReadonlySet<Met>,
  frame: Frame,
): void {
  if (frame.module.language !== "go" || call.kind !== "call") return;
  const name = calleeName(call.callee);
  if ((into && !dropsLast(into)) || harmless.test(name) || /^(Set|Scan)/.test(name)) return;
  // `c.JSON(200, …)` answers; it decodes nothing.
  if (name === "JSON" && call.args.length > 1) return;
  const isOwn = targetsOf(call.callee, frame).length > 0;
  if (into?.kind === "items" || isOwn || decoders.test(name))
    tellEndpointHazard(frame, call.line, "catch-default", failures);
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
function comparedWithNothing(test: Expression, frame: Frame): { value: Value; isMissing: boolean }[] {
  // `!score`
  if (test.kind === "other" && test.parts.length === 1)
    return [{ value: frame.flow.evaluate(test.parts[0]!, frame), isMissing: true }];
  if (test.kind !== "operation") return [];
  if (/^(&&|\|\||and|or)$/.test(test.operator))
    return [test.left, test.right].flatMap((side) => comparedWithNothing(side, frame));
  const isNothing = test.right.kind === "constant" && test.right.value === "null";
  if (!isNothing || !/^([=!]==?|is|is not)$/.test(test.operator)) return [];
  return [{ value: frame.flow.evaluate(test.left, frame), isMissing: /^(=|is$)/.test(test.operator) }];
}

/** `if p.Score == nil { return 0 }` */
export function checkMissing(
  { test, yes, no, line }: Extract<Statement, { kind: "branch" }>,
  rest: readonly Statement[],
  frame: Frame,
): void {
  for (const { value, isMissing } of comparedWithNothing(test, frame)) {
    const hidden = dataOf(dereference(value)).filter(
      ({ node }) => node.type === "number" || (node.type === "object" && node.path !== ""),
    );
    const instead = isMissing ? yes : no.length > 0 ? no : rest;
    if (hidden.length > 0 && returnsZero(instead)) tellHazard(frame, line, "fallback-default", hidden);
  }
}
