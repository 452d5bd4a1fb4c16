// Go: what its own library and its JSON packages do with an answer.
import { isStringNumber } from "./consumer-fields.ts";
import { elementsOf, enter, itemAt } from "./scan-access.ts";
import { findPlace } from "./scan-binding.ts";
import type { Argument, Expression } from "./scan-code.ts";
import type { Invocation } from "./scan-frame.ts";
import { type Arguments, type Flow, type Frame, tellHazard } from "./scan-frame.ts";
import { clientWith, isClient } from "./scan-requests.ts";
import { formatText } from "./scan-texts.ts";
import { findClass, learnShape } from "./scan-types.ts";
import {
  type Cell,
  concatenate,
  dataOf,
  dereference,
  fill,
  join,
  newObject,
  ofKind,
  plainText,
  type Value,
} from "./scan-values.ts";

export const decoders =
  /^(Decode|Unmarshal|SetResult|SetSuccessResult|ShouldBind\w*|BindJSON|ReadJSON|Receive(Success)?|Into|ToJSON|Scan|UnmarshalRead|UnmarshalFromString|DecodeJSON|JSON)$/;
/** Those of a request that is not sent yet. */
const builders = /^(Set(Success)?Result|Into|ToJSON)$/;
export const resultKey = "<result>";

/** What an answer is decoded into has V1's shape from then on. */
function fillDecoded(cell: Cell, data: Value, frame: Frame): void {
  const types = ofKind(dereference(cell.value), "object").flatMap(({ type }) => type ?? []);
  for (const { node, basis } of dataOf(data)) {
    if (basis === "flow") for (const type of types) learnShape(type, node, frame);
  }
  fill(cell, data);
}

const cellsOf = (value: Value, source: Expression | undefined, frame: Frame, flow: Flow): Cell[] => {
  const cells = ofKind(value, "reference").map(({ cell }) => cell);
  if (cells.length > 0) return cells;
  const own = source?.kind === "name" ? findPlace(source, frame, flow) : undefined;
  // `SetResult(Envelope{})`
  const made = ofKind(value, "object").some(({ type }) => type) ? { value } : undefined;
  return [own ?? made ?? []].flat();
};

/** The answer goes into what a pointer points at. */
function decode(
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
  return builders.test(name) && callee.kind === "member" ? expect(callee.of, receiver, cells, frame, flow) : undefined;
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

/** `get[page](…)`: the type that was asked for. */
export function learnAsked(as: string | undefined, value: Value, frame: Frame): void {
  const known = as ? findClass(as, frame) : undefined;
  if (!known) return;
  for (const { node, basis } of dataOf(join(value, itemAt(value, 0)))) {
    if (basis === "flow") learnShape(known, node, frame);
  }
}

/** Texts and answers that are written piece by piece: strings.Builder, bytes.Buffer, io.Copy. */
function write(
  invocation: Invocation,
  source: readonly Expression[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  const { callee, name, args } = invocation;
  const [first = [], ...rest] = args.positional;
  if (/^(Copy|CopyN|ReadFrom|Fprint(f|ln)?)$/.test(name) && name !== "ReadFrom") {
    const isText = name.startsWith("F");
    const made = name === "Fprintf" ? formatText(rest[0] ?? [], rest.slice(1), new Map()) : concatenate(rest);
    for (const cell of cellsOf(first, source[0], frame, flow)) {
      if (isText) append(cell, made);
      else fill(cell, dataOf(dereference(rest[0] ?? [])));
    }
    return undefined;
  }
  if (callee.kind !== "member" || !/^(Write(String|Byte|Rune)?|ReadFrom)$/.test(name)) return undefined;
  const cell = findPlace(callee.of, frame, flow);
  if (!cell) return undefined;
  if (name === "ReadFrom") fill(cell, dataOf(dereference(first)));
  else append(cell, first);
  return [];
}

function append(cell: Cell, text: Value): void {
  const before = ofKind(cell.value, "text");
  cell.value = concatenate([before.length > 0 ? before : [plainText("")], text]);
}

const readers =
  /^(Get\w*|Must\w*|Path|PathExists|Search|Lookup\w*|Query|Exists|Array\w*|Each|ForEach|Map|Value|At|Index|Interface|ObjectEach|Children\w*|S|Data)$/;

/** gjson, jsonparser, gabs and their like: `Get(body, "passport.score")`, `body.Get("passport").Get("score")`. */
function readPaths(invocation: Invocation, frame: Frame, flow: Flow): Value | undefined {
  const { name, receiver = [], args, line } = invocation;
  const subjects = [receiver, ...args.positional].map((value) => dataOf(dereference(value)));
  const data = subjects.find((atoms) => atoms.length > 0);
  if (!data || !readers.test(name)) return undefined;
  const texts = args.positional.map((value) => ofKind(value, "text")[0]?.text);
  const keys = texts.flatMap((text) => (text === undefined ? [] : [text.replace(/^\$\./, "")]));
  const step = (value: Value, part: string): Value => {
    if (/^(#|\*|\d+|\[?\]?)$/.test(part) || part.startsWith("#(")) return elementsOf(value);
    const inner = enter(value, part, frame, line, flow);
    return inner.length > 0 ? inner : enter(elementsOf(value), part, frame, line, flow);
  };
  const walk = (value: Value, key: string): Value => key.split(/[./]/).filter(Boolean).reduce(step, value);
  const isMany = /^GetMany/.test(name);
  const found = isMany ? join(...keys.map((key) => walk(data, key))) : keys.reduce(walk, data);
  const functions = args.positional.flatMap((value) => ofKind(value, "function"));
  for (const target of functions) {
    const items = elementsOf(found);
    const given = { positional: target.code.params.map(() => items), named: new Map() };
    flow.apply(target, given, frame, line);
  }
  return found;
}

/** sync.Map, atomic.Value, caches: what one call stores, another loads. */
function store(
  { callee, name, receiver = [], args }: Invocation,
  frame: Frame,
  flow: Flow,
): Value | undefined {
  if (callee.kind !== "member") return undefined;
  const boxes = ofKind(dereference(receiver), "object").filter(({ isWrapped }) => isWrapped);
  if (/^(Load\w*|Get\w*|Peek|Pop\w*|Swap|Value|Range)$/.test(name) && boxes.length > 0)
    return elementsOf(boxes);
  const given = args.positional.flatMap((value) =>
    dereference(value).filter((atom) => atom.kind === "data" || (atom.kind === "object" && atom.type)),
  );
  const isStored = /^(Store|Set\w*|Add|Put|Push\w*|LoadOrStore|Swap|Insert)$/.test(name) && given.length > 0;
  const cell = isStored && !isClient(receiver) ? findPlace(callee.of, frame, flow) : undefined;
  if (!cell || dataOf(dereference(cell.value)).length > 0) return undefined;
  const [box] = boxes.length > 0 ? boxes : [{ ...newObject(), isWrapped: true }];
  fill(box!.element, given);
  fill(cell, [box!]);
  return [];
}

const parsers = /^(Atoi|Parse(Int|Uint|Float)|Sscanf?|Sscanln|To(Int|Uint|Float)(32|64)?|NewFromString|SetString)$/;
const numberMethods = /^(Int|Uint|Float)(32|64)?$/;

/** `strconv.Atoi(s.FollowerCount)`, `social.Get("follower_count").Int()` */
function checkDigits({ name, receiver = [], args, line }: Invocation, frame: Frame, flow: Flow): void {
  const parsed = parsers.test(name) ? (args.positional[0] ?? []) : numberMethods.test(name) ? receiver : [];
  const digits = dataOf(dereference(parsed)).filter(({ node }) => isStringNumber(node));
  tellHazard(flow, frame, line, "string-number", digits);
}

const conversions = /^(string|any|RawMessage|Number)$/;

/** Undefined where the call means nothing of its own in Go. */
export function callGo(
  invocation: Invocation,
  source: readonly Argument[],
  frame: Frame,
  flow: Flow,
): Value | undefined {
  if (frame.module.language !== "go") return undefined;
  const { callee, name, args } = invocation;
  const values = source.map(({ value }) => value);
  const [first = []] = args.positional;
  if (conversions.test(name) && args.positional.length === 1 && callee.kind === "name")
    return dereference(first);
  if (name === "append" && values[0]?.kind === "list" && args.positional.length > 1)
    return lengthen(args.positional);
  checkDigits(invocation, frame, flow);
  return (
    decode(invocation, values, frame, flow) ??
    write(invocation, values, frame, flow) ??
    store(invocation, frame, flow) ??
    readPaths(invocation, frame, flow)
  );
}

/** `append([]string{"api", "v1"}, parts...)`: in their order. */
function lengthen([first = [], ...rest]: readonly Value[]): Value {
  const list = newObject(true);
  const items = ofKind(first, "object").flatMap(({ fields }) =>
    [...fields.values()].map(({ value }) => value),
  );
  for (const [index, value] of [...items, ...rest].entries()) list.fields.set(String(index), { value });
  return [list];
}

/** `f(g())`: the results of one call are the arguments of the other. */
export function spreadResults(args: Arguments): Arguments {
  const [only = []] = args.positional;
  const [many] = args.positional.length === 1 ? ofKind(only, "object").filter(({ isMany }) => isMany) : [];
  if (!many) return args;
  return { ...args, positional: [...many.fields.keys()].map((_, index) => itemAt(only, index)) };
}
