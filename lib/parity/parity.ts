// A cohort, worked through in batches: bounded at once, within a budget, resumable. The batches are
// pure steps, so another engine may drive them in place of this loop.
import { endpoints } from "../contract/endpoints.ts";
import { emptyParity, mergeParity, type ParityAggregate, type Range } from "../records/parity.ts";
import { type BatchContext, compareBatch } from "./batch.ts";
import { addRange, gapsBetween } from "./cohort.ts";
import { type LimitedBy, type RequestBudget, type Reservation, unlimitedBudget } from "./limits.ts";
import type { Ask } from "./request.ts";

export type Progress = { done: Range[]; aggregate: ParityAggregate };

export type ParityRun = BatchContext & {
  ids: readonly string[];
  /** What an earlier run has finished; nothing of it is asked again. */
  before?: Progress;
  batchSize: number;
  /** Batches under way at once, so that one works while another waits for its second read. */
  lanes: number;
  /** Without it there is no limit. */
  requestBudget?: RequestBudget;
  /** After each batch, one call at a time: what is kept here is finished. */
  onProgress?(progress: Progress): Promise<void> | void;
};

export type Ending =
  | { kind: "finished" }
  | { kind: "budget"; limitedBy: LimitedBy }
  | { kind: "stopped" }
  /** A whole batch without one answer: going on would only burn the cohort. */
  | { kind: "unanswered"; why: string };

export async function runParity(run: ParityRun): Promise<Progress & { ending: Ending }> {
  let { done, aggregate } = run.before ?? { done: [], aggregate: emptyParity() };
  let ending: Ending = { kind: "finished" };
  let saving: Promise<void> = Promise.resolve();
  const left = gapsBetween(done, run.ids.length);
  const { requestBudget = unlimitedBudget } = run;
  const perPair = run.plan.requestsPerPair.v1;

  /** The next batch, as large as the requestBudget bears, with what was set aside for it. */
  async function take(): Promise<{ batch: Range; reservation: Reservation } | undefined> {
    const [gap] = left;
    if (!gap || ending.kind !== "finished") return undefined;
    const batch: Range = [gap[0], Math.min(gap[0] + run.batchSize, gap[1])];
    gap[0] = batch[1];
    if (gap[0] === gap[1]) left.shift();
    const reservation = await requestBudget.reserve((batch[1] - batch[0]) * perPair, perPair);
    const end = batch[0] + reservation.requests / perPair;
    if (end < batch[1]) left.unshift([end, batch[1]]);
    if (end > batch[0]) return { batch: [batch[0], end], reservation };
    ending = { kind: "budget", limitedBy: reservation.limitedBy ?? "requests" };
    return undefined;
  }

  async function work(): Promise<void> {
    for (let taken = await take(); taken; taken = await take()) {
      const { batch, reservation } = taken;
      const found = await compareBatch(run.ids.slice(...batch), run);
      // What was skipped early has cost less than was set aside.
      await reservation.release(reservation.requests - found.requests.v1);
      const fault = run.signal?.aborted ? { kind: "stopped" as const } : findUnanswered(found, aggregate);
      if (fault) {
        ending = fault;
        // Nothing of it is kept, but it was asked.
        aggregate = mergeParity(aggregate, { ...emptyParity(), requests: found.requests });
        return;
      }
      done = addRange(done, batch);
      aggregate = mergeParity(aggregate, found);
      const progress = { done, aggregate };
      saving = saving.then(() => run.onProgress?.(progress));
      await saving;
    }
  }

  await Promise.all(Array.from({ length: run.lanes }, work));
  return { done, aggregate, ending };
}

/** Once something was answered, fewer faults may be of these passports and not of the server: they are counted. */
const minUnanswered = 5;

/** Unknown ids are answers too; a batch of nothing but other faults is none. */
function findUnanswered({ pairs, skipped }: ParityAggregate, before: ParityAggregate): Ending | undefined {
  const times = Object.values(skipped).reduce((sum, one) => sum + one, 0);
  if (times < minUnanswered && before.pairs > 0) return undefined;
  const isAnswer = (why: string) => why === "v1 absent" || why === "v1 no-wallet";
  const faults = Object.entries(skipped).filter(([why]) => !isAnswer(why));
  if (pairs > 0 || faults.length === 0 || Object.keys(skipped).length > faults.length) return undefined;
  const [why = ""] = faults.sort(([, a], [, b]) => b - a)[0] ?? [];
  return { kind: "unanswered", why };
}

/** Passport ids from V1's list, page by page. The page parameter is not documented; it was seen to work. */
export async function sampleIds(
  ask: Ask,
  wanted: number,
  requestBudget: RequestBudget = unlimitedBudget,
): Promise<{ ids: string[]; requests: number }> {
  const ids = new Set<string>();
  let requests = 0;
  for (let page = 1; ids.size < wanted; page++) {
    if ((await requestBudget.reserve(1)).requests === 0) break;
    const answer = await ask("v1", `${endpoints["passport-list"].path}?page=${page}`);
    requests++;
    const before = ids.size;
    const body = answer.kind === "ok" ? (answer.body as { passports?: unknown } | null) : undefined;
    const passports = Array.isArray(body?.passports) ? body.passports : [];
    for (const passport of passports) {
      const id = (passport as { passport_id?: unknown } | null)?.passport_id;
      if (Number.isSafeInteger(id) && ids.size < wanted) ids.add(String(id));
    }
    // A page that brings nothing new is the last one, or all pages are the same.
    if (ids.size === before) break;
  }
  return { ids: [...ids], requests };
}
