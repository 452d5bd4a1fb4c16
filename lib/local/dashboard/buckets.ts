// The checks of an endpoint joined in buckets. A year of checks is read in pages, between which the checks of V1 and the other
// readers have their turn. What a bucket comes to is remembered until a check in it is new or gone.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { CheckPoint, History } from "../store/history.ts";
import { inSlice } from "./slices.ts";

type Span = { fromMs: number; untilMs: number };

/** `index`: how many buckets lie between the epoch and this one. */
export type Bucket<Summary> = { index: number; summary: Summary };

export type BucketInput<Summary> = {
  history: History;
  endpoint: EndpointId;
  span: Span;
  bucketMs: number;
  /** What a bucket comes to; the name says by what it is summarised. */
  summarise(checks: readonly CheckPoint[]): Summary;
  name: string;
};

type Remembered = {
  progress: ReturnType<History["progress"]>;
  /** Of the buckets that lie in the span as a whole; undefined where a bucket has no check. */
  summaries: Map<number, unknown>;
};

const pageRows = 1_000;
/** With more new rows than this all buckets are read again. */
const maxNew = 1_000;
/** Spans, endpoints and widths that are remembered. */
const maxRemembered = 60;

const rememberedBy = new WeakMap<History, Map<string, Remembered>>();

/** The buckets of the span that have checks, oldest first. */
export async function readBuckets<Summary>(input: BucketInput<Summary>): Promise<Bucket<Summary>[]> {
  const { history, endpoint, span, bucketMs, name } = input;
  const remembered = rememberedBy.get(history) ?? new Map<string, Remembered>();
  rememberedBy.set(history, remembered);
  const key = `${endpoint} ${bucketMs} ${name}`;
  // Before the rows are read: what is added meanwhile is new the next time.
  const progress = history.progress();
  const known = listKnown(history, remembered.get(key), progress, bucketMs);
  const indexOf = (atMs: number) => Math.floor(atMs / bucketMs);
  const isWhole = (index: number) =>
    index * bucketMs >= span.fromMs && (index + 1) * bucketMs <= span.untilMs;
  const found = new Map<number, Summary>();
  // A bucket at an end of the span may have checks outside of it.
  const isKnown = (index: number) => isWhole(index) && known.has(index);
  for (const missing of listMissing(indexOf(span.fromMs), indexOf(span.untilMs - 1), isKnown))
    for await (const { index, summary } of readMissing(input, missing)) found.set(index, summary);
  const buckets: Bucket<Summary>[] = [];
  const summaries = new Map<number, unknown>();
  for (let index = indexOf(span.fromMs); index <= indexOf(span.untilMs - 1); index += 1) {
    const summary = isKnown(index) ? (known.get(index) as Summary | undefined) : found.get(index);
    if (isWhole(index)) summaries.set(index, summary);
    if (summary !== undefined) buckets.push({ index, summary });
  }
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(key, { progress, summaries });
  return buckets;
}

/** Without those that have new checks; none where checks were deleted. */
function listKnown(
  history: History,
  remembered: Remembered | undefined,
  { deletions }: Remembered["progress"],
  bucketMs: number,
): Map<number, unknown> {
  if (!remembered || remembered.progress.deletions !== deletions) return new Map();
  const instants = history.instantsAfter(remembered.progress.seq, maxNew);
  if (instants.length === maxNew) return new Map();
  const known = new Map(remembered.summaries);
  for (const atMs of instants) known.delete(Math.floor(atMs / bucketMs));
  return known;
}

/** The runs of buckets that are not known. */
function listMissing(first: number, last: number, isKnown: (index: number) => boolean): [number, number][] {
  const runs: [number, number][] = [];
  for (let index = first; index <= last; index += 1) {
    const run = runs.at(-1);
    if (isKnown(index)) continue;
    if (run && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

async function* readMissing<Summary>(
  { history, endpoint, span, bucketMs, summarise }: BucketInput<Summary>,
  [first, last]: [number, number],
): AsyncGenerator<Bucket<Summary>> {
  const missing = {
    fromMs: Math.max(span.fromMs, first * bucketMs),
    untilMs: Math.min(span.untilMs, (last + 1) * bucketMs),
  };
  /** Of the bucket that the last page ended in. */
  let open: CheckPoint[] = [];
  for (let page: CheckPoint[] = [], isLast = false; !isLast; ) {
    const buckets = await inSlice(() => {
      page = history.checkPage(endpoint, missing, page.at(-1), pageRows);
      isLast = page.length < pageRows;
      const groups = [...Map.groupBy([...open, ...page], ({ atMs }) => Math.floor(atMs / bucketMs))];
      open = (isLast ? undefined : groups.pop()?.[1]) ?? [];
      return groups.map(([index, checks]) => ({ index, summary: summarise(checks) }));
    });
    yield* buckets;
  }
}
