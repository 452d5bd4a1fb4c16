// Go: answers that are decoded into what the code declared.
import type { Cell, Value } from "./scan-atoms.ts";
import { findPlace } from "./scan-binding.ts";
import type { Expression } from "./scan-code.ts";
import type { Flow, Frame, Invocation } from "./scan-frame.ts";
import { itemAt } from "./scan-items.ts";
import { clientWith } from "./scan-requests.ts";
import { findClass, itemOf, learnShape } from "./scan-types.ts";
import { dataOf, dereference, fill, isBody, join, ofKind } from "./scan-values.ts";

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
    const [place] = structs.flatMap((type) => itemOf(type, atom.node) ?? []);
    return place ? { ...atom, node: place } : atom;
  });
  for (const { node, basis } of dataOf(data)) {
    if (basis === "flow") for (const type of types) learnShape(type, node, frame);
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
export const cellsOf = (value: Value, source: Expression | undefined, frame: Frame, flow: Flow): Cell[] => {
  const cells = ofKind(value, "reference").map(({ cell }) => cell);
  if (cells.length > 0) return cells;
  const own = source?.kind === "name" ? findPlace(source, frame, flow) : undefined;
  // `SetResult(Envelope{})`
  const made = ofKind(value, "object").some(({ type }) => type) ? { value } : undefined;
  return [own ?? made ?? []].flat();
};

/** The answer goes into what a pointer points at. */
export function decode(
  { callee, name, receiver = [], args }: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  if (!decoders.test(name)) return undefined;
  const cells = cellsOf(args.positional.at(-1) ?? [], source.at(-1), frame, flow);
  const bytes = args.positional.length > 1 ? (args.positional[0] ?? []) : receiver;
  const held = dereference(bytes);
  const data = held.filter(({ kind }) => kind === "data" || kind === "foreign");
  for (const { node } of dataOf(data)) frame.touched.add(node.endpoint);
  for (const cell of cells) fillDecoded(cell, data, frame);
  if (held.some(({ kind }) => kind === "data" || kind === "foreign")) return receiver;
  return builders.test(name) && callee.kind === "member"
    ? expect(callee.of, receiver, cells, frame, flow)
    : undefined;
}

/** A request that is told where to put its answer, and is sent later; of the client itself nothing need be known. */
function expect(of: Expression, receiver: Value, cells: readonly Cell[], frame: Frame, flow: Flow): Value {
  const results: Value = cells.map((cell) => ({ kind: "reference", cell }));
  const known = ofKind(dereference(receiver), "object");
  const requests = (known.length > 0 ? known : ofKind(clientWith([]), "object")).map((request) => ({
    ...request,
    fields: new Map([...request.fields, [resultKey, { value: results }]]),
  }));
  const place = of.kind === "name" ? findPlace(of, frame, flow) : undefined;
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
  for (const { node, basis } of known.length > 0 ? dataOf(join(value, itemAt(value, 0))) : [])
    if (basis === "flow") for (const type of known) learnShape(type, node, frame);
}
