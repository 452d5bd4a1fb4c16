// Compares one chunk of a comparison and stores its result under the chunk's name. It sends requests only within the
// leases of the run, the budget of the watch and the limits of the run; where one of them is spent, the chunk is left
// for a later round.
import { setTimeout as sleep } from "node:timers/promises";
import { units } from "../lib/assess/metrics.ts";
import { createCloudWatchReceiver } from "../lib/aws/cloudwatch.ts";
import { openComparison } from "../lib/aws/comparison.ts";
import { createKey } from "../lib/aws/keys.ts";
import { createLedger } from "../lib/aws/ledger.ts";
import { isLocal, read, readBundledFile, readTable } from "../lib/aws/ports.ts";
import type { Config } from "../lib/config/config.ts";
import { compareBatch } from "../lib/parity/batch.ts";
import { createLease } from "../lib/parity/limits.ts";
import { findUnansweredBatch } from "../lib/parity/parity.ts";
import { planParity } from "../lib/parity/plan.ts";
import { type ApiVersion, createParityClient, type FetchBody } from "../lib/parity/request.ts";
import { createSharedBudget, type SharedBudget } from "../lib/probe/schedule/shared-budget.ts";
import type { Mapping } from "../lib/records/mapping.ts";
import { type ComparisonRun, emptyParity } from "../lib/records/parity.ts";

const { env } = process;
const config = JSON.parse(read(env, "SETTINGS")) as Config;
const mapping = readBundledFile("mapping.json") as Mapping;
const plan = planParity(mapping);
const table = readTable(env);
const comparison = openComparison({ ...table, bucket: read(env, "BUCKET") });
const ledger = createLedger(table);
const readKeys = { v1: createKey(config.key), v2: createKey(mapping.v2.key) };
const metrics = createCloudWatchReceiver({
  ...{ namespace: read(env, "NAMESPACE"), nowMs: Date.now },
  units: { ...units, ComparedPassports: "Count", ComparisonRequests: "Count" },
  say: (sentence) => console.log({ event: "not-sent", sentence }),
});

/** The time before the function's timeout that is reserved for storing the result. */
const flushMs = 20_000;
/** How often a worker learns that the run was paused or cancelled. */
const stateEveryMs = 2_000;
const concurrentRequests = 8;
/** A request that the target throttles is sent again after the pause, this many times. */
const maxRepeats = 3;
/** Where a target throttles without Retry-After, or answers no passport of a chunk. */
const pauseMs = { throttled: 60_000, unanswered: 10 * 60_000, store: 60_000 };

const spreadMs = 20;
const maxTries = 8;

/** `done`, or why the chunk is left for another round. */
type Outcome = { chunk: string; outcome: string };

export async function handler(
  event: { run: string; chunk: string },
  context: { getRemainingTimeInMillis(): number },
): Promise<Outcome> {
  const { chunk } = event;
  const end = (outcome: string): Outcome => {
    console.log({ event: "compared", run: event.run, chunk, outcome });
    return { chunk, outcome };
  };
  const endMs = Date.now() + context.getRemainingTimeInMillis() - flushMs;
  const run = await comparison.read();
  if (run?.run !== event.run || run.state !== "running") return end("stopped");
  if ((run.resumeAtMs ?? 0) > endMs) return end("paused");
  // The function is started again where the state machine has not heard of a result that was stored.
  if (await comparison.readResult(run, chunk)) return end("done");
  const ids = await comparison.readChunk(run, chunk);
  return end(await compareChunk(run, chunk, ids, endMs));
}

async function compareChunk(
  run: ComparisonRun,
  chunk: string,
  ids: string[],
  endMs: number,
): Promise<string> {
  const [v1Key, v2Key] = await Promise.all([readKeys.v1(), readKeys.v2()]);
  if (v1Key.kind === "no-secret" || v2Key.kind === "no-secret") throw new Error("a key cannot be read");
  const { v1: v1PerPair, v2: v2PerPair } = plan.requestsPerPair;
  const needed = { v1: ids.length * v1PerPair, v2: ids.length * v2PerPair };
  if (!(await comparison.spend(run, needed.v1, needed.v2))) {
    if ((await comparison.read())?.state !== "running") return "stopped";
    await comparison.setState(run, "paused", "the requests that were allowed for this run are used up");
    return "limit";
  }
  const sharedBudget = createSharedBudget({ ledger, config, nowMs: Date.now, rate: run.limits.v1.rate });
  const reservation = await reserve(sharedBudget, needed.v1, v1PerPair, run.concurrency);
  if (reservation.requests < needed.v1) {
    await reservation.release(reservation.requests);
    await comparison.giveBack(run, needed.v1, needed.v2);
    const [untilMs, why] =
      reservation.limitedBy === "store"
        ? [Date.now() + pauseMs.store, "the probe state cannot be written"]
        : [(await sharedBudget.remaining()).monthEndMs, "the rest of this month's budget is the watch's"];
    await comparison.pauseUntil(run, untilMs, why);
    return "budget";
  }

  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(Math.max(0, endMs - Date.now()))]);
  const repeated = { v1: 0, v2: 0 };
  const leaseOf = (version: ApiVersion) => {
    const { acquire } = createLease({
      ...{ rate: run.limits[version].rate, shards: run.shards, sharedBy: run.concurrency },
      take: (counter) => comparison.takeTokens(version, counter),
    });
    return async () => {
      await waitWhilePaused(run, endMs, controller);
      await acquire(signal);
    };
  };
  const client = createParityClient({
    v1: { ...target(config.baseUrl, v1Key), acquireSlot: leaseOf("v1") },
    v2: { ...target(mapping.v2.baseUrl, v2Key), acquireSlot: leaseOf("v2") },
    ...{ concurrency: concurrentRequests, signal, allowLoopback: isLocal(env) },
    ...{ ...config.limits, deadlineMs: config.timeouts.deadlineMs },
  });
  /** A throttled request pauses the whole run, and is sent again. */
  const fetchBody: FetchBody = async (version, path) => {
    for (let repeats = 0; ; repeats++) {
      const result = await client.fetchBody(version, path);
      const isThrottled =
        result.kind === "failed" && (result.why === "429" || result.retryAfterMs !== undefined);
      if (!isThrottled || signal.aborted) return result;
      const waitMs = result.retryAfterMs ?? pauseMs.throttled;
      await comparison.pauseUntil(
        run,
        Date.now() + waitMs,
        `${version.toUpperCase()} answered ${result.why}`,
      );
      known = undefined;
      const [v1, v2] = version === "v1" ? [1, 0] : [0, 1];
      const isAllowed =
        repeats < maxRepeats &&
        (await comparison.spend(run, v1, v2)) &&
        (version === "v2" || (await sharedBudget.reserve(1)).requests === 1);
      if (!isAllowed) return result;
      repeated[version]++;
    }
  };
  try {
    const aggregate = await compareBatch(ids, {
      ...{ mapping, plan, fetchBody, signal, secondReadDelayMs: run.secondReadDelayMs },
      concurrentPassports: concurrentRequests,
    });
    const { requests } = aggregate;
    await reservation.release(needed.v1 - requests.v1);
    await comparison.giveBack(run, needed.v1 - requests.v1, needed.v2 - requests.v2);
    if (signal.aborted) return "stopped";
    const unanswered = findUnansweredBatch(aggregate, { ...emptyParity(), pairs: 1 });
    if (unanswered?.kind === "unanswered") {
      const why = `no passport of a chunk could be compared: ${unanswered.why}`;
      await comparison.pauseUntil(run, Date.now() + pauseMs.unanswered, why);
      return "unanswered";
    }
    const sent = { v1: requests.v1 + repeated.v1, v2: requests.v2 + repeated.v2 };
    await comparison.putResult(run, chunk, { ...aggregate, requests: sent });
    const point = (metric: string, value: number) => ({ metric, atMs: Date.now(), values: [value] });
    await metrics
      .send([point("ComparedPassports", ids.length), point("ComparisonRequests", sent.v1 + sent.v2)])
      .catch((error: Error) => console.log({ event: "not-sent", sentence: error.name }));
    return "done";
  } finally {
    client.close();
  }
}

/** All workers write the one probe state, so they do not start at the same instant, and try again. */
async function reserve(budget: SharedBudget, wanted: number, unit: number, workers: number) {
  await sleep(Math.random() * workers * spreadMs);
  for (let tries = 1; ; tries++) {
    const reservation = await budget.reserve(wanted, unit);
    if (reservation.limitedBy !== "store" || tries === maxTries) return reservation;
    await sleep(Math.random() * tries * 1_000);
  }
}

const target = (baseUrl: string, key: Awaited<ReturnType<typeof readKeys.v1>>) => ({
  baseUrl,
  ...(key.kind === "key" && { apiKey: key.key }),
});

let known: { run: ComparisonRun | undefined; atMs: number } | undefined;
let reading: Promise<ComparisonRun | undefined> | undefined;

async function readState(): Promise<ComparisonRun | undefined> {
  if (known && Date.now() - known.atMs < stateEveryMs) return known.run;
  reading ??= comparison
    .read()
    .then((run) => {
      known = { run, atMs: Date.now() };
      return run;
    })
    .finally(() => {
      reading = undefined;
    });
  return reading;
}

/** Waits for the end of a short pause; a longer one, or the end of the run, stops the chunk. */
async function waitWhilePaused(
  { run: name }: ComparisonRun,
  endMs: number,
  controller: AbortController,
): Promise<void> {
  while (!controller.signal.aborted) {
    const run = await readState();
    const resumeAtMs = run?.resumeAtMs ?? 0;
    if (run?.run !== name || run.state !== "running" || resumeAtMs > endMs) {
      controller.abort();
      return;
    }
    const waitMs = resumeAtMs - Date.now();
    if (waitMs <= 0) return;
    await sleep(Math.min(waitMs, stateEveryMs));
  }
}
