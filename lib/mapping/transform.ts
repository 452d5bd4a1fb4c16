// Paths into JSON bodies, and the transforms that normalize values of V1 and V2 before they are compared.

import type { DateFormat, Transform } from "../records/mapping.ts";
import { dayMs } from "../time.ts";

/** A value of an unexpected type is returned unchanged, so that it is reported as a difference. */
export type Normalizer = { v1(value: unknown): unknown; v2(value: unknown): unknown };

const identity = (value: unknown) => value;
const numberForm = /^-?\d{1,30}(?:\.\d{1,30})?$/;

const plainNormalizers: Record<Extract<Transform, string>, Normalizer> = {
  "number-to-string": {
    v1: (value) => (typeof value === "number" ? String(value) : value),
    v2: identity,
  },
  "string-to-number": {
    v1: (value) => (typeof value === "string" && numberForm.test(value) ? Number(value) : value),
    v2: identity,
  },
  // A list with more than one item has no scalar form; it is kept as a list, so it is reported as a difference.
  "array-to-scalar": {
    v1: (value) => (Array.isArray(value) && value.length < 2 ? (value[0] ?? null) : value),
    v2: identity,
  },
  "scalar-to-array": {
    v1: (value) => (value === null ? [] : [value]),
    v2: identity,
  },
};

const isoForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

const formats: Record<DateFormat, { resolutionMs: number; readMs(value: unknown): number | undefined }> = {
  iso: { resolutionMs: 1, readMs: (value) => parseInstantMs(value, isoForm) },
  "iso-seconds": { resolutionMs: 1_000, readMs: (value) => parseInstantMs(value, isoForm) },
  date: { resolutionMs: dayMs, readMs: (value) => parseInstantMs(value, /^\d{4}-\d{2}-\d{2}$/) },
  "unix-seconds": {
    resolutionMs: 1_000,
    readMs: (value) => (Number.isFinite(value) ? (value as number) * 1_000 : undefined),
  },
  "unix-milliseconds": {
    resolutionMs: 1,
    readMs: (value) => (Number.isFinite(value) ? (value as number) : undefined),
  },
};

function parseInstantMs(value: unknown, form: RegExp): number | undefined {
  const ms = typeof value === "string" && form.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Instants are compared at the resolution of the coarser of the two formats. */
function createDateNormalizer(from: DateFormat, to: DateFormat): Normalizer {
  const resolutionMs = Math.max(formats[from].resolutionMs, formats[to].resolutionMs);
  const read = (format: DateFormat) => (value: unknown) => {
    const ms = formats[format].readMs(value);
    return ms === undefined ? value : Math.floor(ms / resolutionMs);
  };
  return { v1: read(from), v2: read(to) };
}

export function createNormalizer(transform: Transform | undefined): Normalizer {
  if (transform === undefined) return { v1: identity, v2: identity };
  if (typeof transform === "string") return plainNormalizers[transform];
  if ("dates" in transform) return createDateNormalizer(transform.dates.from, transform.dates.to);
  const table = new Map(Object.entries(transform.values));
  return {
    v1: (value) => (table.has(String(value)) && typeof value !== "object" ? table.get(String(value)) : value),
    v2: identity,
  };
}

// A path into a JSON body: `score.points`, `socials[].name`, `accounts[source=wallet].identifier`.
export type Segment = {
  name: string;
  isList: boolean;
  /** A filter: keeps only the list items whose member `name` equals `value`. */
  where?: { name: string; value: string } | undefined;
};

export function parsePath(path: string): Segment[] {
  return path.split(".").map((part) => {
    const [, name = "", bracket, key, value] = /^([^[]*)(\[(?:([^=\]]*)=([^\]]*))?\])?$/.exec(part) ?? [];
    return {
      name,
      isList: bracket !== undefined,
      where: key !== undefined && value !== undefined ? { name: key, value } : undefined,
    };
  });
}

export const countLists = (path: string) => path.split("[").length - 1;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The nested own property at the given names; undefined if any step is missing. */
export function memberAt(value: unknown, names: readonly string[]): unknown {
  let current = value;
  for (const name of names) {
    if (!isObject(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** A path split at its first list: the names that lead to the list, its filter, and the names within an item. */
export type ListPath = { list: string[]; where?: Segment["where"]; item: string[] };

/** Undefined for a path without a list. A second list in the path is not split. */
export function splitAtList(path: string): ListPath | undefined {
  const segments = parsePath(path);
  const at = segments.findIndex(({ isList }) => isList);
  const found = segments[at];
  if (!found) return undefined;
  return {
    list: segments.slice(0, at + 1).map(({ name }) => name),
    where: found.where,
    item: segments.slice(at + 1).map(({ name }) => name),
  };
}

/** The list's items after its filter; undefined if the body has no array at that path. */
export function itemsAt(body: unknown, { list, where }: ListPath): unknown[] | undefined {
  const found = memberAt(body, list);
  if (!Array.isArray(found)) return undefined;
  return where ? found.filter((item) => memberAt(item, [where.name]) === where.value) : found;
}
