// The prober of one endpoint: makes the checks that are due, stores the observations and publishes their metrics.
import { forCloudWatch } from "../lib/assess/alarms/published.ts";
import { toDataPoints, units } from "../lib/assess/metrics.ts";
import { recordUnsavedTicks } from "../lib/assess/record-tick.ts";
import { createCheckPublisher, createCloudWatchPublisher } from "../lib/aws/cloudwatch.ts";
import { isLocal, read, readTable } from "../lib/aws/environment.ts";
import { createKey } from "../lib/aws/keys.ts";
import { createLedger, createUnpublished } from "../lib/aws/ledger.ts";
import type { Config } from "../lib/config/config.ts";
import { createProxy } from "../lib/probe/http/proxy.ts";
import { runTick } from "../lib/probe/tick.ts";
import { summariseCheck } from "../lib/records/log-line.ts";
import type { Observation } from "../lib/records/observation.ts";

const { env } = process;
const config = JSON.parse(read(env, "SETTINGS")) as Config;
const endpoint = read(env, "ENDPOINT") as Observation["endpoint"];
const ledger = createLedger(readTable(env));
const readKey = createKey(config.key);
const proxy = createProxy(config.proxy, createKey, "");
const nowMs = Date.now;
const publisher = createCheckPublisher({
  endpoint,
  unpublished: createUnpublished(readTable(env)),
  publish: createCloudWatchPublisher({
    namespace: read(env, "NAMESPACE"),
    units,
    nowMs,
    onDropped: (cause) => console.error({ event: "not-sent", to: "cloudwatch", endpoint, cause }),
  }),
  toDataPoints: (observation) =>
    forCloudWatch(toDataPoints(observation, { retirementDate: config.retirement.date })),
  nowMs,
  onFailed: ({ id, cause }) => console.error({ event: "not-sent", to: "cloudwatch", id, cause }),
});

/** Kept while Lambda keeps this process: ticks that the table has not stored yet, oldest first. */
const unsavedTicks: Observation[][] = [];

/**
 * The time before the function's timeout that is reserved for storing and publishing, and the part of it for calls that
 * hang.
 */
const flushMs = 9_000;
const hangMs = 7_000;

export async function handler(event: { tick: string }, context: { getRemainingTimeInMillis(): number }) {
  const leftMs = context.getRemainingTimeInMillis();
  const endMs = nowMs() + leftMs;
  const signal = AbortSignal.timeout(Math.max(0, leftMs - flushMs));
  const { observations, deferred, unsaved } = await runTick({
    tickMs: Date.parse(event.tick),
    config,
    signal,
    only: endpoint,
    allowLoopback: isLocal(env),
    ledger,
    readKey,
    proxy,
    nowMs,
  });
  if (observations.length > 0) unsavedTicks.push(observations);
  // In most ticks no check is due, and everything is published.
  if (unsavedTicks.length === 0 && !publisher.hasMore() && !signal.aborted) return;
  const own = unsavedTicks.flat().map(({ id }) => id);
  const failed = await recordUnsavedTicks({ ledger }, unsavedTicks);
  const published = await publisher.publish(own, endMs - hangMs);
  console.log({
    event: "probed",
    endpoint,
    tick: event.tick,
    checks: observations.map(summariseCheck),
    deferred,
    stopped: signal.aborted,
    published,
  });
  const failure = failed ?? unsaved;
  if (failure) throw new Error(`not all results could be stored: ${failure.why}`);
}
