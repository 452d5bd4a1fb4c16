// What one pass over a body counts, in fixed slots: a flood of violations costs no more than the body.
import { type BoundedCount, countWord, createBoundedCount, emptyBoundedCount } from "./bounded-count.ts";
import type { Shape } from "./shape.ts";
import { nameDateFormat, parseDateTime } from "./timestamp.ts";

export const jsonTypes = ["null", "object", "array", "string", "number", "boolean"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** Slots of one node: its objects or elements met, how often it was absent or had each other JSON type. */
export const slots = { visited: 0, missing: 1, wrong: 2, nonInteger: 8, true: 9, size: 10 } as const;

/** Lower bounds of the magnitude classes: coarse on purpose, a score is a person's. */
const decades = [0, 1, 10, 100, 1000, 10_000, 100_000] as const;
const maxDecimals = 6;

/** Further slots of a numeric node, behind those of all nodes: signs, then decades, then decimals. */
export const numberSlots = { negative: 0, zero: 1, decades: 2, decimals: 9, size: 16 } as const;

export type Tally = {
  shape: Shape;
  counts: Int32Array;
  /** Object keys met on the walk; fewer than the text holds means a key came twice or an extra is nested. */
  keys: number;
  /** Each slot of `counts` that holds a problem, once: few, even where the problems are many. */
  hits: number[];
  /** By node, like the rest; only of those nodes that have any. */
  extras: Map<number, BoundedCount>;
  formats: Map<number, BoundedCount>;
  values: (BoundedCount | undefined)[];
  /** Where the number slots of a node start. */
  numbersAt: readonly number[];
  /** Milliseconds since 1970 of each readable timestamp. */
  timestamps: number[];
};

const maxExtrasPerObject = 16;
/** More than nameDateFormat and the number checks have names for. */
const maxFormats = 16;
/** The field has seen 75 values of type. */
const maxValues = 96;

export function jsonTypeIndex(value: unknown): number {
  if (value === null) return 0;
  switch (typeof value) {
    case "object":
      return Array.isArray(value) ? 2 : 1;
    case "string":
      return 3;
    case "number":
      return 4;
    default:
      return 5;
  }
}

export const jsonType = (value: unknown): JsonType => jsonTypes[jsonTypeIndex(value)]!;

/** A key that reads like a programmer's word; ids, addresses and tokens do not, and become <dynamic>. */
export function isPlainKey(key: string): boolean {
  return (
    key.length <= 40 && /^[A-Za-z]{1,20}(?:_[A-Za-z]{1,20}){0,5}(?:_?[0-9]{1,2}(?:_[a-z]{1,20})?)?$/.test(key)
  );
}

/** A value of source, category or type that reads like a label. */
export function isPlainValue(value: string): boolean {
  return (
    value.length <= 40 &&
    /^[A-Za-z][A-Za-z0-9]*(?:[ _.:-][A-Za-z0-9]+)*$/.test(value) &&
    !/[0-9]{5}/.test(value)
  );
}

const always = () => true;

function boundedAt(byNode: Map<number, BoundedCount>, index: number, max: number): BoundedCount {
  let bounded = byNode.get(index);
  if (!bounded) {
    bounded = createBoundedCount(max);
    byNode.set(index, bounded);
  }
  return bounded;
}

export function countProblem(tally: Tally, slot: number): void {
  if (tally.counts[slot]!++ === 0) tally.hits.push(slot);
}

export function countExtras(tally: Tally, index: number, record: Record<string, unknown>): void {
  const { fields, known } = tally.shape.nodes[index]!;
  const extras = boundedAt(tally.extras, index, maxExtrasPerObject);
  // Rows tend to keep the documented order, so the next documented name is tried before the set.
  let expected = 0;
  for (const key in record) {
    if (expected < fields.length && fields[expected]!.name === key) expected++;
    else if (!known.has(key)) countWord(extras, key, isPlainKey, jsonTypeIndex(record[key]));
  }
}

function countFormat(tally: Tally, index: number, name: string): void {
  countWord(boundedAt(tally.formats, index, maxFormats), name, always, 0);
}

function countMagnitude(value: number, counts: Int32Array, at: number): void {
  if (value < 0) counts[at + numberSlots.negative]!++;
  else if (value === 0) counts[at + numberSlots.zero]!++;
  else {
    let decade = 0;
    while (decade < decades.length - 1 && value >= decades[decade + 1]!) decade++;
    counts[at + numberSlots.decades + decade]!++;
  }
  let decimals = 0;
  // Rounded and divided again: 0.07 * 100 is 7.000000000000001, but 7 / 100 is 0.07.
  for (let scale = 1; decimals < maxDecimals && Math.round(value * scale) / scale !== value; decimals++)
    scale *= 10;
  counts[at + numberSlots.decimals + decimals]!++;
}

export function countWrongType(tally: Tally, index: number, value: unknown): void {
  countProblem(tally, index * slots.size + slots.wrong + jsonTypeIndex(value));
}

export function countValue(tally: Tally, index: number, value: string): void {
  countWord(tally.values[index]!, value, isPlainValue, 0);
}

export function countDateFormat(tally: Tally, index: number, text: string): void {
  // The new validation names every format exactly, where the walker only looked at the punctuation.
  countWord(tally.values[index]!, nameDateFormat(text), always, 0);
}

export function countNumber(tally: Tally, index: number, value: number): void {
  if (!Number.isFinite(value)) countFormat(tally, index, "non-finite");
  else countMagnitude(value, tally.counts, tally.numbersAt[index]!);
}

export function countInteger(tally: Tally, index: number, value: number): void {
  if (Number.isSafeInteger(value)) return;
  if (!Number.isFinite(value)) countFormat(tally, index, "non-finite");
  else if (Number.isInteger(value)) countFormat(tally, index, "unsafe-integer");
  else countProblem(tally, index * slots.size + slots.nonInteger);
}

export function countTimestamp(tally: Tally, index: number, text: string): void {
  const at = parseDateTime(text);
  if (Number.isNaN(at)) countFormat(tally, index, nameDateFormat(text));
  else tally.timestamps.push(at);
}

export function createTally(shape: Shape): Tally {
  const { nodes, numeric } = shape;
  const size = nodes.length * slots.size;
  return {
    shape,
    counts: new Int32Array(size + numeric.length * numberSlots.size),
    keys: 0,
    hits: [],
    extras: new Map(),
    formats: new Map(),
    values: nodes.map(({ collects }) =>
      collects === "values" || collects === "format" ? createBoundedCount(maxValues) : undefined,
    ),
    numbersAt: nodes.map((node) => size + numeric.indexOf(node) * numberSlots.size),
    timestamps: [],
  };
}

/** As new, for a fraction of the price: a single passport is small, and creating was a sixth of its analysis. */
export function emptyTally(tally: Tally): void {
  tally.counts.fill(0);
  tally.keys = 0;
  tally.hits.length = 0;
  tally.timestamps.length = 0;
  if (tally.extras.size > 0) tally.extras.clear();
  if (tally.formats.size > 0) tally.formats.clear();
  for (const { index } of tally.shape.worded) emptyBoundedCount(tally.values[index]!);
}
