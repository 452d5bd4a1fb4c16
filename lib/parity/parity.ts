// Processes a cohort in batches: with limited concurrency, within a request budget, and resumable.

import { api, endpoints, nameInRecord, sampleSource } from "../contract/endpoints.ts";
import { isIdInteger } from "../contract/fields.ts";
import { itemsAt, memberAt, splitAtList } from "../mapping/transform.ts";
import { emptyParity, mergeParity, type ParityAggregate, type Range } from "../records/parity.ts";
import { type BatchContext, compareBatch, noOtherId } from "./batch.ts";
import { addRange, findRemainingRanges } from "./cohort.ts";
import type { FetchBody } from "./request.ts";
import { type LimitedBy, type RequestBudget, type Reservation, unlimitedBudget } from "./request-budget.ts";

export type Progress = { done: Range[]; aggregate: ParityAggregate };

export type ParityRun = BatchContext & {
  ids: readonly string[];
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
  let { done, aggregate } = run.resumeFrom ?? { done: [], aggregate: emptyParity() };
  let ending: Ending = { kind: "finished" };
  let saving: Promise<void> = Promise.resolve();
  const remaining = findRemainingRanges(done, run.ids.length);
  const { requestBudget = unlimitedBudget } = run;
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
      const batchAggregate = await compareBatch(run.ids.slice(...batch), run);
      // Skipped passports needed fewer requests than were reserved.
      await reservation.release(reservation.requests - batchAggregate.requests.v1);
      const earlyEnding = run.signal?.aborted
        ? { kind: "stopped" as const }
        : findUnansweredBatch(batchAggregate, aggregate);
      if (earlyEnding) {
        ending = earlyEnding;
        // The batch's results are discarded, but its requests were sent and must be counted.
        aggregate = mergeParity(aggregate, { ...emptyParity(), requests: batchAggregate.requests });
        return;
      }
      done = addRange(done, batch);
      aggregate = mergeParity(aggregate, batchAggregate);
      const progress = { done, aggregate };
      saving = saving.then(() => run.onProgress?.(progress));
      await saving;
    }
  }

  await Promise.all(Array.from({ length: run.concurrentBatches }, processBatches));
  return { done, aggregate, ending };
}

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
