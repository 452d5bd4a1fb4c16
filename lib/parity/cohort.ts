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

/** The ids of a cohort, which may be too many for a list of texts. */
export type Ids = { readonly length: number; slice(from: number, until: number): readonly string[] };

/** Ids as bytes, one after the other: millions of texts would take a kilobyte for every three. */
class IdList implements Ids {
  #bytes = Buffer.alloc(1 << 16);
  #ends = new Uint32Array(1 << 12);
  length = 0;

  push(id: string): void {
    const start = this.#startOf(this.length);
    const end = start + Buffer.byteLength(id);
    if (end > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], Math.max(end, 2 * this.#bytes.length));
    if (this.length === this.#ends.length) {
      const ends = new Uint32Array(2 * this.length);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#bytes.write(id, start);
    this.#ends[this.length++] = end;
  }

  slice(from: number, until: number): string[] {
    const last = Math.min(until, this.length);
    return Array.from({ length: Math.max(0, last - from) }, (_, index) =>
      this.#bytes.toString("utf8", this.#startOf(from + index), this.#startOf(from + index + 1)),
    );
  }

  #startOf(position: number): number {
    return position === 0 ? 0 : this.#ends[position - 1]!;
  }
}

/** Which texts were seen, by 64 bits of a hash: of three million, two have the same in one of four million cohorts. */
class SeenHashes {
  #slots = new Uint32Array(1 << 13);
  size = 0;

  /** Whether it is new. */
  add(order: string): boolean {
    if (4 * this.size > this.#slots.length) this.#grow();
    const [high, low] = [Number.parseInt(order.slice(0, 8), 16), Number.parseInt(order.slice(8, 16), 16)];
    const isNew = this.#put(high, low || 1);
    if (isNew) this.size++;
    return isNew;
  }

  #put(high: number, low: number): boolean {
    const slots = this.#slots;
    for (let slot = (high ^ low) & (slots.length - 2); ; slot = (slot + 2) & (slots.length - 1)) {
      // The low half of an entry is never 0.
      if (slots[slot + 1] === 0) {
        slots[slot] = high;
        slots[slot + 1] = low;
        return true;
      }
      if (slots[slot] === high && slots[slot + 1] === low) return false;
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    for (let slot = 0; slot < before.length; slot += 2)
      if (before[slot + 1] !== 0) this.#put(before[slot]!, before[slot + 1]!);
  }
}

/**
 * The ids with the smallest hashes: the order of the hashes has nothing to do with that of the file, so the sample is random,
 * and it is the same one every time.
 */
class Sample {
  #chosen: { id: string; order: string }[] = [];
  /** What is behind it is in no sample of this size. */
  #limit: string | undefined;
  readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  push(id: string, order: string): void {
    if (this.#limit !== undefined && order > this.#limit) return;
    this.#chosen.push({ id, order });
    if (this.#chosen.length > 2 * this.size + 1_000) this.#cut();
  }

  /** In the file's order, where all of it is chosen. */
  ids(): string[] {
    if (this.#chosen.length > this.size) this.#cut();
    return this.#chosen.map(({ id }) => id);
  }

  #cut(): void {
    this.#chosen.sort((one, other) => (one.order < other.order ? -1 : 1));
    this.#chosen.length = this.size;
    this.#limit = this.#chosen.at(-1)?.order ?? "";
  }
}

/** `of`: how many different ids the cohort has. */
export type ReadCohort = { ok: true; ids: Ids; of: number } | { ok: false; lines: number[]; count: number };

/**
 * Reads one id per line, or what V1 accepts in its place; all of them, or a random sample. Blank lines and lines that start with
 * # are ignored, and duplicates are removed.
 */
export async function readCohort(
  lines: Iterable<string> | AsyncIterable<string>,
  sampleSize?: number,
): Promise<ReadCohort> {
  const seen = new SeenHashes();
  const all = new IdList();
  const sample = sampleSize === undefined ? undefined : new Sample(sampleSize);
  const invalidLines: number[] = [];
  let invalid = 0;
  let number = 0;
  for await (const line of lines) {
    number++;
    // It also removes a byte order mark.
    const id = line.trim();
    if (id === "" || id.startsWith("#")) continue;
    if (!isId(id)) {
      if (invalid++ < maxReportedLines) invalidLines.push(number);
      continue;
    }
    const order = hash("sha256", id.toLowerCase());
    if (!seen.add(order)) continue;
    if (sample) sample.push(id, order);
    else all.push(id);
  }
  if (invalid > 0) return { ok: false, lines: invalidLines, count: invalid };
  return { ok: true, ids: sample ? sample.ids() : all, of: seen.size };
}

const idsAtOnce = 10_000;

/** `of`: how many ids the cohort has, where these are a sample of it. */
export function fingerprintCohort(ids: Ids, of?: number): ParityState["cohort"] {
  const check = createHash("sha256");
  for (let from = 0; from < ids.length; from += idsAtOnce)
    check.update(`${from === 0 ? "" : "\n"}${ids.slice(from, from + idsAtOnce).join("\n")}`);
  return { ids: ids.length, check: check.digest("hex").slice(0, 4), of };
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
