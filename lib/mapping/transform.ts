// The fixed list of transforms: what V1's value and V2's value become before they are compared.
import type { DateFormat, Transform } from "../records/mapping.ts";

/** What is not of the expected kind stays as it is, and then differs. */
export type Bridge = { v1(value: unknown): unknown; v2(value: unknown): unknown };

const asItIs = (value: unknown) => value;
const numberForm = /^-?\d{1,30}(?:\.\d{1,30})?$/;

const plain: Record<Extract<Transform, string>, Bridge> = {
  "number-to-string": {
    v1: (value) => (typeof value === "number" ? String(value) : value),
    v2: asItIs,
  },
  "string-to-number": {
    v1: (value) => (typeof value === "string" && numberForm.test(value) ? Number(value) : value),
    v2: asItIs,
  },
  // A list of several has no scalar; it stays a list, and then differs.
  "array-to-scalar": {
    v1: (value) => (Array.isArray(value) && value.length < 2 ? (value[0] ?? null) : value),
    v2: asItIs,
  },
  "scalar-to-array": {
    v1: (value) => (value === null ? [] : [value]),
    v2: asItIs,
  },
};

const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

const formats: Record<DateFormat, { stepMs: number; readMs(value: unknown): number | undefined }> = {
  iso: { stepMs: 1, readMs: (value) => parse(value, isoForm) },
  "iso-seconds": { stepMs: 1_000, readMs: (value) => parse(value, isoForm) },
  date: { stepMs: 86_400_000, readMs: (value) => parse(value, /^\d{4}-\d{2}-\d{2}$/) },
  "unix-seconds": {
    stepMs: 1_000,
    readMs: (value) => (Number.isFinite(value) ? (value as number) * 1_000 : undefined),
  },
  "unix-milliseconds": {
    stepMs: 1,
    readMs: (value) => (Number.isFinite(value) ? (value as number) : undefined),
  },
};

function parse(value: unknown, form: RegExp): number | undefined {
  const ms = typeof value === "string" && form.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Instants are compared as finely as the coarser of the two formats tells them. */
function bridgeDates(from: DateFormat, to: DateFormat): Bridge {
  const stepMs = Math.max(formats[from].stepMs, formats[to].stepMs);
  const read = (format: DateFormat) => (value: unknown) => {
    const ms = formats[format].readMs(value);
    return ms === undefined ? value : Math.floor(ms / stepMs);
  };
  return { v1: read(from), v2: read(to) };
}

export function createBridge(transform: Transform | undefined): Bridge {
  if (transform === undefined) return { v1: asItIs, v2: asItIs };
  if (typeof transform === "string") return plain[transform];
  if ("dates" in transform) return bridgeDates(transform.dates.from, transform.dates.to);
  const table = new Map(Object.entries(transform.values));
  return {
    v1: (value) => (table.has(String(value)) && typeof value !== "object" ? table.get(String(value)) : value),
    v2: asItIs,
  };
}
