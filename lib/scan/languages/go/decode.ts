// Go: responses that are decoded into declared types.

import { resultKey } from "../../flow/calls/calls.ts";
import { clientWith } from "../../flow/calls/requests.ts";
import type { Expression } from "../../flow/code.ts";
import { findPlace } from "../../flow/statements/binding.ts";
import { type Cell, type Frame, type Invocation, metOf, type Value } from "../../flow/values/atoms.ts";
import { decodeAnswer } from "../../flow/values/types.ts";
import { dataOf, dereference, ofKind } from "../../flow/values/values.ts";

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
  const known = ofKind(dereference(receiver), "object");
  const requests = (known.length > 0 ? known : ofKind(clientWith([]), "object")).map((request) => ({
    ...request,
    fields: new Map([...request.fields, [resultKey, { value: results }]]),
  }));
  const place = of.kind === "name" ? findPlace(of, frame) : undefined;
  if (place) place.value = requests;
  return requests;
}
