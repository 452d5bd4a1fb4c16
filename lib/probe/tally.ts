// What one pass over a body counts, in fixed slots: a flood of violations costs no more than the body.
import { type BoundedCount, countWord, createBoundedCount } from "./bounded-count.ts";
import type { Shape } from "./shape.ts";
import { hasDateTimeMarks, nameDateFormat, parseDateTime } from "./timestamp.ts";

export const jsonTypes = ["null", "object", "array", "string", "number", "boolean"] as const;
export type JsonType = (typeof jsonTypes)[number];

/** Slots of one node: its objects or elements met, how often it was absent or had each other JSON type. */
export const slots = { visited: 0, missing: 1, wrong: 2, nonInteger: 8, true: 9, size: 10 } as const;

/** Lower bounds of the magnitude classes: coarse on purpose, a score is a person's. */
export const decades = [0, 1, 10, 100, 1000, 10_000, 100_000] as const;
const maxDecimals = 6;

export type NumberTally = { negative: number; zero: number; byDecade: number[]; byDecimals: number[] };

export type Tally = {
  shape: Shape;
  counts: Int32Array;
  /** Object keys met on the walk; fewer than the text holds means a key came twice or an extra is nested. */
  keys: number;
  extras: (BoundedCount | undefined)[];
  formats: (BoundedCount | undefined)[];
  values: (BoundedCount | undefined)[];
  numbers: (NumberTally | undefined)[];
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

export function countExtras(tally: Tally, index: number, record: Record<string, unknown>): void {
  const node = tally.shape.nodes[index]!;
  tally.extras[node.index] ??= createBoundedCount(maxExtrasPerObject);
  const extras = tally.extras[node.index]!;
  const { fields, known } = node;
  // Rows tend to keep the documented order, so the next documented name is tried before the set.
  let expected = 0;
  for (const key in record) {
    if (expected < fields.length && fields[expected]!.name === key) expected++;
    else if (!known.has(key)) countWord(extras, key, isPlainKey, jsonTypeIndex(record[key]));
  }
}

function countFormat(tally: Tally, index: number, name: string): void {
  tally.formats[index] ??= createBoundedCount(maxFormats);
  countWord(tally.formats[index]!, name, always, 0);
}

function countMagnitude(value: number, into: NumberTally): void {
  if (value < 0) into.negative++;
  else if (value === 0) into.zero++;
  else {
    let decade = 0;
    while (decade < decades.length - 1 && value >= decades[decade + 1]!) decade++;
    into.byDecade[decade]!++;
  }
  let decimals = 0;
  if (value % 1 !== 0) {
    for (let scaled = value; decimals < maxDecimals && scaled % 1 !== 0; decimals++) scaled *= 10;
  }
  into.byDecimals[decimals]!++;
}

export function countWrongType(tally: Tally, index: number, value: unknown): void {
  tally.counts[index * slots.size + slots.wrong + jsonTypeIndex(value)]!++;
}

export function countValue(tally: Tally, index: number, value: string): void {
  countWord(tally.values[index]!, value, isPlainValue, 0);
}

export function countDateFormat(tally: Tally, index: number, text: string): void {
  // Evidence, not a check: the marks are enough, and a quarter of the cost of reading the date.
  const name = hasDateTimeMarks(text) ? "date-time" : nameDateFormat(text);
  countWord(tally.values[index]!, name, always, 0);
}

export function countNumber(tally: Tally, index: number, value: number): void {
  if (!Number.isFinite(value)) countFormat(tally, index, "non-finite");
  else countMagnitude(value, tally.numbers[index]!);
}

export function countInteger(tally: Tally, index: number, value: number): void {
  if (Number.isSafeInteger(value)) return;
  if (!Number.isFinite(value)) countFormat(tally, index, "non-finite");
  else if (Number.isInteger(value)) countFormat(tally, index, "unsafe-integer");
  else tally.counts[index * slots.size + slots.nonInteger]!++;
}

export function countTimestamp(tally: Tally, index: number, text: string): void {
  const at = parseDateTime(text);
  if (Number.isNaN(at)) countFormat(tally, index, nameDateFormat(text));
  else tally.timestamps.push(at);
}

const createNumberTally = (): NumberTally => ({
  negative: 0,
  zero: 0,
  byDecade: [0, 0, 0, 0, 0, 0, 0],
  byDecimals: [0, 0, 0, 0, 0, 0, 0],
});

export function createTally(shape: Shape): Tally {
  const { nodes } = shape;
  const tally: Tally = {
    shape,
    counts: new Int32Array(nodes.length * slots.size),
    keys: 0,
    extras: [],
    formats: [],
    values: [],
    numbers: [],
    timestamps: [],
  };
  for (let index = 0; index < nodes.length; index++) {
    const { collects } = nodes[index]!;
    if (collects === "numbers") tally.numbers[index] = createNumberTally();
    else if (collects === "values" || collects === "format")
      tally.values[index] = createBoundedCount(maxValues);
  }
  return tally;
}
