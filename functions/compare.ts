// Compares one chunk of a cohort, as a child of the Distributed Map, and stores its result in S3 under the chunk's name.
// Every request has a token of the shared rate and is reserved in the limits of the run and in the budget of the watch.
// Where one of them is spent or the run is paused, the chunk gets no result and is compared in a later round.

import { describeError } from "../lib/aws/clients.ts";
import { createCloudWatchPublisher } from "../lib/aws/cloudwatch.ts";
import { openComparison } from "../lib/aws/comparison.ts";
import { isLocal, read, readBundledFile, readTable } from "../lib/aws/environment.ts";
import { createKey } from "../lib/aws/keys.ts";
import { createLedger } from "../lib/aws/ledger.ts";
import type { Config } from "../lib/config/config.ts";
import { compareBatch } from "../lib/parity/batch.ts";
import {
  type ChunkContext,
  pauseUnanswered,
  probeStateRate,
  readShape,
  repeatThrottled,
  reserveRequests,
  watchPauses,
} from "../lib/parity/chunk.ts";
import { describeVersions, findOtherVersion } from "../lib/parity/cohort.ts";
import { createLease } from "../lib/parity/lease.ts";
import { findUnansweredBatch } from "../lib/parity/parity.ts";
import { planParity } from "../lib/parity/plan.ts";
import { type ApiVersion, createParityClient } from "../lib/parity/request.ts";
import { createProxy } from "../lib/probe/http/proxy.ts";
import { createSharedBudget } from "../lib/probe/schedule/shared-budget.ts";
import type { Mapping } from "../lib/records/mapping.ts";
import { emptyParity } from "../lib/records/parity.ts";

const { env } = process;
const config = JSON.parse(read(env, "SETTINGS")) as Config;
const mapping = readBundledFile("mapping.json") as Mapping;
const plan = planParity(mapping);
const versions = describeVersions(config.baseUrl, mapping.v2.baseUrl, mapping);
const table = readTable(env);
const comparison = openComparison({ ...table, bucket: read(env, "BUCKET") });
const ledger = createLedger(table);
const readKeys = { v1: createKey(config.key), v2: createKey(mapping.v2.key) };
const proxy = createProxy(config.proxy, createKey, "");
const publishMetrics = createCloudWatchPublisher({
  namespace: read(env, "NAMESPACE"),
  nowMs: Date.now,
  units: { ComparedPassports: "Count", ComparisonRequests: "Count" },
  onDropped: (cause) => console.error({ event: "not-sent", to: "cloudwatch", cause }),
});

/** The time before the function's timeout that is reserved for storing the result. */
const flushMs = 20_000;
const concurrentRequests = 8;

type Chunk = { run: string; chunk: string };

/** `outcome`: `done`, or why the chunk is left for a later round. */
export async function handler(event: Chunk, context: { getRemainingTimeInMillis(): number }) {
  const endMs = Date.now() + context.getRemainingTimeInMillis() - flushMs;
  const outcome = await compareChunk(event, endMs);
  console.log({ event: "compared", ...event, outcome });
  return { chunk: event.chunk, outcome };
}

async function compareChunk({ run: name, chunk }: Chunk, endMs: number): Promise<string> {
  const run = await comparison.read();
  if (run?.run !== name || run.state !== "running") return "stopped";
  if ((run.resumeAtMs ?? 0) > endMs) return "paused";
  // The result says what was compared, so nothing else is.
  if (findOtherVersion(run.compared, versions) !== undefined) {
    const why =
      "the functions are deployed with another V1, V2, contract or mapping; cancel it and start again";
    await comparison.setState(run, "paused", why);
    return "stopped";
  }
  // The state machine retries a function whose response was lost after its result was stored.
  if (await comparison.readResult(run, chunk)) return "done";
  const ids = await comparison.readChunk(run, chunk);
  const budget = createSharedBudget({ ledger, config, nowMs: Date.now, rate: run.limits.v1.rate });
  const leaseOf = (counters: ApiVersion | "probe-state", rate: number) =>
    createLease({
      rate,
      shards: run.shards,
      sharedBy: run.concurrency,
      take: (counter) => comparison.takeTokens(counters, counter),
    });
  const { acquire: acquireWrite } = leaseOf("probe-state", probeStateRate);
  const context: ChunkContext = { shared: comparison, budget, run, acquireWrite };
  const shape = run.hasV2Schema ? readShape(await comparison.readV2Schema(run)) : undefined;
  const targets = { v1: await target(config.baseUrl, "v1"), v2: await target(mapping.v2.baseUrl, "v2") };

  const reservation = await reserveRequests(context, ids.length, plan.requestsPerPair);
  if (reservation.refused !== undefined) return reservation.refused;
  const pauses = watchPauses(context, endMs);
  const { signal } = pauses;
  const acquireSlot = (version: ApiVersion) => {
    const { acquire } = leaseOf(version, run.limits[version].rate);
    return () => pauses.waitWhilePaused().then(() => acquire(signal));
  };
  const client = createParityClient({
    v1: { ...targets.v1, acquireSlot: acquireSlot("v1") },
    v2: { ...targets.v2, acquireSlot: acquireSlot("v2") },
    concurrency: concurrentRequests,
    signal,
    allowLoopback: isLocal(env),
    allowPrivateNetworks: config.allowPrivateNetworks,
    proxy,
    ...config.limits,
    deadlineMs: config.timeouts.deadlineMs,
  });
  const { fetchBody, repeated } = repeatThrottled(client.fetchBody, context, pauses);
  const aggregate = await compareBatch(ids, {
    mapping,
    plan,
    fetchBody,
    signal,
    secondReadDelayMs: run.secondReadDelayMs,
    concurrentRecords: concurrentRequests,
    shape,
  }).finally(client.close);
  await reservation.release(aggregate.requests);
  if (signal.aborted) return "stopped";

  const unanswered = findUnansweredBatch(aggregate, { ...emptyParity(), pairs: 1 });
  if (unanswered?.kind === "unanswered") {
    await pauseUnanswered(context, unanswered.why);
    return "unanswered";
  }
  const { v1, v2 } = aggregate.requests;
  const requests = { v1: v1 + repeated.v1, v2: v2 + repeated.v2 };
  await comparison.putResult(run, chunk, { ...aggregate, requests });
  await publish(`${name}/${chunk}`, {
    ComparedPassports: ids.length,
    ComparisonRequests: requests.v1 + requests.v2,
  });
  return "done";
}

async function target(baseUrl: string, version: ApiVersion) {
  const key = await readKeys[version]();
  if (key.kind === "no-secret") throw new Error(`the key of ${version.toUpperCase()} cannot be read`);
  return { baseUrl, apiKey: key.kind === "key" ? key.key : undefined };
}

/** A metric that cannot be sent changes nothing about the result. */
async function publish(id: string, values: Record<string, number>): Promise<void> {
  const points = Object.entries(values).map(([metric, value]) => ({
    metric,
    atMs: Date.now(),
    values: [value],
  }));
  await publishMetrics(points).catch((error: unknown) =>
    console.error({ event: "not-sent", to: "cloudwatch", id, cause: describeError(error) }),
  );
}
