// A file of ids, and which of its positions are done. The ids are personal: they stay in their file.
import { createHash } from "node:crypto";
import { isPlaced } from "../mapping/fields.ts";
import type { Mapping } from "../records/mapping.ts";
import type { ParityState, Range } from "../records/parity.ts";

const idForm = /^(?:[1-9]\d{0,15}|0x[0-9a-fA-F]{40})$/;
const maxMistakes = 5;

export type ReadCohort = { ok: true; ids: string[] } | { ok: false; lines: number[]; count: number };

/**
 * An id a line, a passport's or a wallet; blank lines and those after # are skipped. One that comes again is one
 * passport.
 */
export function readCohort(text: string): ReadCohort {
  const ids = new Map<string, string>();
  const wrong: number[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const id = line.trim();
    if (id === "" || id.startsWith("#")) continue;
    if (idForm.test(id)) ids.set(id.toLowerCase(), ids.get(id.toLowerCase()) ?? id);
    else wrong.push(index + 1);
  }
  if (wrong.length > 0) return { ok: false, lines: wrong.slice(0, maxMistakes), count: wrong.length };
  return { ok: true, ids: [...ids.values()] };
}

/** Spread evenly over the cohort, and the same ones each time. */
export function sampleCohort(ids: readonly string[], wanted: number): string[] {
  if (wanted >= ids.length) return [...ids];
  return Array.from({ length: wanted }, (_, n) => ids[Math.floor((n * ids.length) / wanted)] ?? "");
}

export function fingerprintCohort(ids: readonly string[]): ParityState["cohort"] {
  const check = createHash("sha256").update(ids.join("\n")).digest("hex").slice(0, 4);
  return { ids: ids.length, check };
}

/** What the counts depend on: what is compared and where V2 is asked; no word about it, no base URL and no key. */
export function fingerprintMapping({ v2, fields }: Mapping): string {
  const compared = Object.entries(fields).flatMap(([field, row]) => {
    if (!isPlaced(row)) return [];
    const { endpoint, path, compare = "value" } = row;
    return [[field, endpoint, path, compare, row.decision === "transformed" ? row.transform : null]];
  });
  const text = JSON.stringify([v2.endpoints, compared.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Sorted, and those that touch are one. */
export function addRange(done: readonly Range[], added: Range): Range[] {
  const ranges: Range[] = [];
  for (const [from, until] of [...done, added].sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], until);
    else if (from < until) ranges.push([from, until]);
  }
  return ranges;
}

/** The positions before `end` that are in no range. */
export function gapsBetween(done: readonly Range[], end: number): Range[] {
  const gaps: Range[] = [];
  let from = 0;
  for (const [start, until] of done) {
    if (from < start) gaps.push([from, Math.min(start, end)]);
    from = Math.max(from, until);
  }
  if (from < end) gaps.push([from, end]);
  return gaps;
}

export const countPositions = (ranges: readonly Range[]) =>
  ranges.reduce((sum, [from, until]) => sum + until - from, 0);
