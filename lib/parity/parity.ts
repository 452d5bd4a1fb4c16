// Processes a cohort in batches: with limited concurrency, within a request budget, and resumable.

import { api, endpoints, nameInRecord, sampleSource } from "../contract/endpoints.ts";
import { isIdInteger } from "../contract/fields.ts";
import { itemsAt, memberAt, splitAtList } from "../mapping/transform.ts";
import { emptyParity, mergeParity, type ParityAggregate, type Range } from "../records/parity.ts";
import { hourMs } from "../time.ts";
import { type BatchContext, compareBatch, noOtherId } from "./batch.ts";
import { addRange, findRemainingRanges, type Ids } from "./cohort.ts";
import { listRare, maxReadAgain } from "./judge.ts";
import type { FetchBody } from "./request.ts";
import { type LimitedBy, type RequestBudget, type Reservation, unlimitedBudget } from "./request-budget.ts";

/** `differing`: by path, the positions in the cohort of passports that differ, so many at most as are read again. */
export type Progress = { done: Range[]; aggregate: ParityAggregate; differing: Record<string, number[]> };

export type ParityRun = Omit<BatchContext, "knownIds" | "onPair"> & {
  ids: Ids;
  /** The progress of an earlier run. Its passports are not requested again. */
  resumeFrom?: Progress;
  batchSize: number;
  /** Number of concurrent batches, so that one can send requests while another waits for its second read. */
  concurrentBatches: number;
  /** Unlimited if absent. */
  requestBudget?: RequestBudget;
  /** Called after each batch, one call at a time. Everything in `progress` is finished. */
  onProgress?(progress: Progress): Promise<void> | void;
};

export type Ending =
  | { kind: "finished" }
  | { kind: "budget"; limitedBy: LimitedBy }
  | { kind: "stopped" }
  /** No record of a batch could be compared, so the run stops before it uses up the cohort. */
  | { kind: "unanswered"; why: string };

export async function runParity(run: ParityRun): Promise<Progress & { ending: Ending }> {
  let { done, aggregate, differing } = run.resumeFrom ?? noProgress();
  let ending: Ending = { kind: "finished" };
  let saving: Promise<void> = Promise.resolve();
  const remaining = findRemainingRanges(done, run.ids.length);
  const { requestBudget = unlimitedBudget } = run;
  const context: BatchContext = { ...run, knownIds: new Map() };
  const perPair = run.plan.requestsPerPair.v1;

  /** The next batch, limited to the requests that the budget could reserve for it. */
  async function takeBatch(): Promise<{ batch: Range; reservation: Reservation } | undefined> {
    const [range] = remaining;
    if (!range || ending.kind !== "finished") return undefined;
    const batch: Range = [range[0], Math.min(range[0] + run.batchSize, range[1])];
    range[0] = batch[1];
    if (range[0] === range[1]) remaining.shift();
    const reservation = await requestBudget.reserve((batch[1] - batch[0]) * perPair, perPair);
    const end = batch[0] + reservation.requests / perPair;
    if (end < batch[1]) remaining.unshift([end, batch[1]]);
    if (end > batch[0]) return { batch: [batch[0], end], reservation };
    ending = { kind: "budget", limitedBy: reservation.limitedBy ?? "requests" };
    return undefined;
  }

  async function processBatches(): Promise<void> {
    for (let next = await takeBatch(); next; next = await takeBatch()) {
      const { batch, reservation } = next;
      const found: [path: string, position: number][] = [];
      const batchAggregate = await compareBatch(run.ids.slice(...batch), {
        ...context,
        onPair: (index, seen) =>
          found.push(...seen.differing.map((path) => [path, batch[0] + index] as [string, number])),
      });
      // Skipped passports needed fewer requests than were reserved.
      await reservation.release(reservation.requests - batchAggregate.requests.v1);
      const earlyEnding = run.signal?.aborted
        ? { kind: "stopped" as const }
        : findUnansweredBatch(batchAggregate, aggregate);
      if (earlyEnding) {
        ending = earlyEnding;
        // The batch's results are discarded, but its requests were sent and must be counted, with what V2 did with them.
        const { requests, v2 } = batchAggregate;
        aggregate = mergeParity(aggregate, { ...emptyParity(), requests, v2 });
        return;
      }
      done = addRange(done, batch);
      aggregate = mergeParity(aggregate, batchAggregate);
      differing = addPositions(differing, found);
      const progress = { done, aggregate, differing };
      saving = saving.then(() => run.onProgress?.(progress));
      await saving;
    }
  }

  await Promise.all(Array.from({ length: run.concurrentBatches }, processBatches));
  return { done, aggregate, differing, ending };
}

export const noProgress = (): Progress => ({ done: [], aggregate: emptyParity(), differing: {} });

function addPositions(
  known: Progress["differing"],
  found: readonly (readonly [path: string, position: number])[],
): Progress["differing"] {
  const positions = new Map(Object.entries(known));
  for (const [path, position] of found) {
    const ofPath = positions.get(path) ?? [];
    if (ofPath.length < maxReadAgain) positions.set(path, [...ofPath, position]);
  }
  return Object.fromEntries(positions);
}

/** The passports that differ on a field which differs too rarely to rule out chance, by their positions. */
export function listDoubtful({ aggregate, differing }: Progress): number[] {
  const positions = listRare(aggregate).flatMap((path) => differing[path] ?? []);
  return [...new Set(positions)].sort((a, b) => a - b).slice(0, maxReadAgain);
}

/** How long after they were compared passports that differ rarely are read again: caches and queues have ended by then. */
export const readAgainAfterMs = hourMs;

/** Reads the doubtful passports again, and counts on how many of them each field still differs. */
export async function readAgain(run: ParityRun, before: Progress): Promise<Progress & { ending: Ending }> {
  const positions = listDoubtful(before);
  const { requestBudget = unlimitedBudget } = run;
  const perPair = run.plan.requestsPerPair.v1;
  const reservation = await requestBudget.reserve(positions.length * perPair, perPair);
  const affordable = positions.slice(0, reservation.requests / perPair);
  const counts = new Map<string, { read: number; differ: number }>();
  const add = (path: string, index: number, differ: number) => {
    if (!before.differing[path]?.includes(affordable[index]!)) return;
    const { read, differ: others } = counts.get(path) ?? { read: 0, differ: 0 };
    counts.set(path, { read: read + 1, differ: others + differ });
  };
  const { requests, v2 } = await compareBatch(
    affordable.map((position) => run.ids.slice(position, position + 1)[0]!),
    {
      ...run,
      onPair(index, { differing, equal }) {
        for (const path of differing) add(path, index, 1);
        for (const path of equal) add(path, index, 0);
      },
    },
  );
  await reservation.release(reservation.requests - requests.v1);
  const isStopped = run.signal?.aborted === true;
  const again = isStopped ? [] : [...counts].map(([path, seen]) => [path, { ...noCounts, again: seen }]);
  const aggregate = mergeParity(before.aggregate, {
    ...emptyParity(),
    requests,
    v2,
    fields: Object.fromEntries(again),
  });
  const isCut = affordable.length < positions.length;
  const ending: Ending = isStopped
    ? { kind: "stopped" }
    : isCut
      ? { kind: "budget", limitedBy: reservation.limitedBy ?? "requests" }
      : { kind: "finished" };
  return { ...before, aggregate, ending };
}

const noCounts = { compared: 0, raw: {}, noise: {} };

/** After the first success, fewer failures than this are attributed to single passports and only counted. */
const minFailedRecords = 5;

/** Returns an ending if every record of the batch failed. An unknown id is not a failure. */
export function findUnansweredBatch(
  { pairs, skipped }: ParityAggregate,
  before: ParityAggregate,
): Ending | undefined {
  const times = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  if (times < minFailedRecords && before.pairs > 0) return undefined;
  const isAnswered = (why: string) => why === "v1 absent" || why === noOtherId;
  const faults = Object.entries(skipped).filter(([why]) => !isAnswered(why));
  if (pairs > 0 || faults.length === 0 || Object.keys(skipped).length > faults.length) return undefined;
  const [[why]] = faults.sort(([, a], [, b]) => b - a) as [[string, number]];
  return { kind: "unanswered", why };
}

/** Ids from V1's list, page by page. */
export async function sampleIds(
  fetchBody: FetchBody,
  size: number,
  requestBudget: RequestBudget = unlimitedBudget,
): Promise<{ ids: string[]; requests: number }> {
  const ids = new Set<string>();
  let requests = 0;
  for (let page = 1; ids.size < size; page++) {
    if ((await requestBudget.reserve(1)).requests === 0) break;
    const { path, pagination, records: place, recordId } = endpoints[sampleSource];
    const query = pagination ? `?${pagination.parameter}=${page}` : "";
    const result = await fetchBody("v1", `${path}${query}`);
    requests++;
    const before = ids.size;
    const list = place === "[]" ? undefined : splitAtList(place)!;
    const held = result.kind === "ok" ? (list ? itemsAt(result.body, list) : result.body) : undefined;
    for (const record of Array.isArray(held) ? held : []) {
      const id = memberAt(record, nameInRecord(endpoints[sampleSource], recordId)!.split("."));
      const isPlain = isIdInteger ? Number.isSafeInteger(id) : typeof id === "string";
      if (isPlain && api.sample.idForm.test(String(id)) && ids.size < size) ids.add(String(id));
    }
    // A page without new ids is either past the last page, or V1 ignores the page parameter.
    if (ids.size === before) break;
  }
  return { ids: [...ids], requests };
}
