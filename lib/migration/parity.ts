// A cohort, worked through in batches: bounded at once, within a budget, resumable. The batches are
// pure steps, so another engine may drive them in place of this loop.
import { endpoints } from "../contract/endpoints.ts";
import { emptyParity, mergeParity, type ParityAggregate, type Range } from "../records/parity.ts";
import type { Ask } from "./parity-ask.ts";
import { type BatchContext, compareBatch } from "./parity-batch.ts";
import { addRange, gapsBetween } from "./parity-cohort.ts";

export type Progress = { done: Range[]; aggregate: ParityAggregate };

export type ParityRun = BatchContext & {
  ids: readonly string[];
  /** What an earlier run has finished; nothing of it is asked again. */
  before?: Progress;
  batchSize: number;
  /** Batches under way at once, so that one works while another waits for its second read. */
  lanes: number;
  /** Requests that this run may make, of both versions together. */
  budget: number;
  /** After each batch, one call at a time: what is kept here is finished. */
  onProgress?(progress: Progress): Promise<void> | void;
};

export type Ending =
  | { kind: "finished" }
  | { kind: "budget" }
  | { kind: "stopped" }
  /** A whole batch without one answer: going on would only burn the cohort. */
  | { kind: "unanswered"; why: string };

export async function runParity(run: ParityRun): Promise<Progress & { ending: Ending }> {
  let { done, aggregate } = run.before ?? { done: [], aggregate: emptyParity() };
  let budget = run.budget;
  let ending: Ending = { kind: "finished" };
  let saving: Promise<void> = Promise.resolve();
  const left = gapsBetween(done, run.ids.length);

  /** The next batch that the budget bears. */
  function take(): Range | undefined {
    const [gap] = left;
    if (!gap || ending.kind !== "finished") return undefined;
    const affordable = Math.floor(budget / run.plan.requestsPerPair);
    const size = Math.min(run.batchSize, gap[1] - gap[0], affordable);
    if (size === 0) {
      ending = { kind: "budget" };
      return undefined;
    }
    budget -= size * run.plan.requestsPerPair;
    const batch: Range = [gap[0], gap[0] + size];
    gap[0] = batch[1];
    if (gap[0] === gap[1]) left.shift();
    return batch;
  }

  async function work(): Promise<void> {
    for (let batch = take(); batch; batch = take()) {
      const found = await compareBatch(run.ids.slice(...batch), run);
      if (run.signal?.aborted) {
        ending = { kind: "stopped" };
        return;
      }
      const unanswered = findUnanswered(found);
      if (unanswered !== undefined) {
        ending = { kind: "unanswered", why: unanswered };
        return;
      }
      // What was skipped early has cost less than was set aside.
      budget += (batch[1] - batch[0]) * run.plan.requestsPerPair - found.requests.v1 - found.requests.v2;
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

/** Unknown ids are answers too; a batch of nothing but other faults is none. */
function findUnanswered({ pairs, skipped }: ParityAggregate): string | undefined {
  const isAnswer = (why: string) => why === "v1 absent" || why === "v1 no-wallet";
  const faults = Object.entries(skipped).filter(([why]) => !isAnswer(why));
  if (pairs > 0 || faults.length === 0 || Object.keys(skipped).length > faults.length) return undefined;
  return faults.sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Passport ids from V1's list, page by page. The page parameter is not documented; it was seen to work. */
export async function sampleIds(ask: Ask, wanted: number): Promise<{ ids: string[]; requests: number }> {
  const ids = new Set<string>();
  let requests = 0;
  for (let page = 1; ids.size < wanted; page++) {
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
