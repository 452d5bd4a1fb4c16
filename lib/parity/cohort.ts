// A cohort is a file of ids, or of what V1 accepts in their place. Progress is stored as positions in that file, because the
// ids are personal data and must not be copied.
import { createHash, hash } from "node:crypto";
import { api, endpoints } from "../contract/endpoints.ts";
import { fields } from "../contract/fields.ts";
import { isMapped } from "../mapping/fields.ts";
import type { Mapping } from "../records/mapping.ts";
import type { ComparedVersions, ParityState, Range } from "../records/parity.ts";

const { idForm, otherId } = api.sample;

/** Whether a line of a cohort is an id, or what is accepted in its place. No record has the id 0. */
const isId = (text: string): boolean =>
  (text !== "0" && idForm.test(text)) || otherId?.form.test(text) === true;

const maxReportedLines = 5;

export type ReadCohort = { ok: true; ids: string[] } | { ok: false; lines: number[]; count: number };

/**
 * Reads one id per line, or what V1 accepts in its place. Blank lines and lines that start with # are ignored, and duplicates
 * are removed.
 */
export function readCohort(text: string): ReadCohort {
  const ids = new Map<string, string>();
  const invalidLines: number[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    // It also removes a byte order mark.
    const id = line.trim();
    if (id === "" || id.startsWith("#")) continue;
    if (isId(id)) ids.set(id.toLowerCase(), ids.get(id.toLowerCase()) ?? id);
    else invalidLines.push(index + 1);
  }
  if (invalidLines.length > 0)
    return { ok: false, lines: invalidLines.slice(0, maxReportedLines), count: invalidLines.length };
  return { ok: true, ids: [...ids.values()] };
}

/**
 * The ids with the smallest hashes: the order of the hashes has nothing to do with that of the file, so the sample is random,
 * and it is the same one every time.
 */
export function sampleCohort(ids: readonly string[], size: number): string[] {
  if (size >= ids.length) return [...ids];
  const byHash = ids.map((id) => ({ id, order: hash("sha256", id.toLowerCase()) }));
  byHash.sort((one, other) => (one.order < other.order ? -1 : 1));
  return byHash.slice(0, size).map(({ id }) => id);
}

export function fingerprintCohort(ids: readonly string[]): ParityState["cohort"] {
  const check = createHash("sha256").update(ids.join("\n")).digest("hex").slice(0, 4);
  return { ids: ids.length, check };
}

/** Hashes what affects the counts: compared fields and V2 endpoints, but not notes, base URL or key. */
export function fingerprintMapping({ v2, fields: rows }: Mapping): string {
  const compared = Object.entries(rows).flatMap(([field, row]) => {
    if (!isMapped(row)) return [];
    const { endpoint, path, compare = "value" } = row;
    return [[field, endpoint, path, compare, row.decision === "transformed" ? row.transform : null]];
  });
  const text = JSON.stringify([v2.endpoints, compared.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Hashes V1's documented paths and fields, which decide what is requested and what a field is. */
function fingerprintContract(): string {
  const text = JSON.stringify([Object.values(endpoints).map(({ path }) => path), fields]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** What a comparison compares; of the addresses only the origin, which has no user name and no password. */
export const describeVersions = (v1Url: string, v2Url: string, mapping: Mapping): ComparedVersions => ({
  v1: originOf(v1Url),
  v2: originOf(v2Url),
  contract: fingerprintContract(),
  mapping: fingerprintMapping(mapping),
});

const originOf = (url: string) => URL.parse(url)?.origin ?? "";

/** How what was compared differs from what is now, in one clause; undefined if it does not. */
export function findOtherVersion(was: ComparedVersions, now: ComparedVersions): string | undefined {
  if (was.v1 !== now.v1) return `the comparison was made with the V1 at ${was.v1}, and not with ${now.v1}`;
  if (was.v2 !== now.v2) return `the comparison was made with the V2 at ${was.v2}, and not with ${now.v2}`;
  if (was.contract !== now.contract) return "the comparison was made with another contract of V1";
  return was.mapping === now.mapping
    ? undefined
    : "the comparison was made with other mapping decisions than the current ones";
}

/** Returns sorted ranges in which adjacent and overlapping ranges are merged. */
export function addRange(done: readonly Range[], added: Range): Range[] {
  const ranges: Range[] = [];
  for (const [from, until] of [...done, added].sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], until);
    else if (from < until) ranges.push([from, until]);
  }
  return ranges;
}

/** The ranges before `end` that are not done. */
export function findRemainingRanges(done: readonly Range[], end: number): Range[] {
  const remaining: Range[] = [];
  let from = 0;
  for (const [start, until] of done) {
    if (from < start) remaining.push([from, Math.min(start, end)]);
    from = Math.max(from, until);
  }
  if (from < end) remaining.push([from, end]);
  return remaining;
}

export const countPositions = (ranges: readonly Range[]) =>
  ranges.reduce((sum, [from, until]) => sum + until - from, 0);
