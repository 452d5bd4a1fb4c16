// The prober of one endpoint: sends the requests that are due, stores the observations and publishes metrics.

import { dimension, goodNewsOf, units } from "../lib/assess/metrics.ts";
import { recordTick } from "../lib/assess/record-tick.ts";
import { createKey } from "../lib/aws/keys.ts";
import { fillPorts, isLocal, read } from "../lib/aws/ports.ts";
import type { Config } from "../lib/config/config.ts";
import { deliverPending } from "../lib/delivery/outbox.ts";
import { updateProbeState } from "../lib/probe/schedule/probe-state.ts";
import { hasUnpublishedHealth, recordPublishedHealth } from "../lib/probe/schedule/published-health.ts";
import { runTick } from "../lib/probe/tick.ts";
import type { Observation } from "../lib/records/observation.ts";

const { env } = process;
const config = JSON.parse(read(env, "SETTINGS")) as Config;
const everyMs = Number(read(env, "METRICS_EVERY_MS"));
const endpoint = read(env, "ENDPOINT") as Observation["endpoint"];
const log = (event: string, details: object) => console.log({ event, endpoint, ...details });
const readKey = createKey(config.key);
const ports = fillPorts({
  env,
  catalogue: { namespace: read(env, "NAMESPACE"), dimension, units },
  readKey() {
    // The key is read only when a request is due. Loads the CloudWatch client while the responses are
    // pending.
    setImmediate(() => import("../lib/aws/client-cloudwatch.ts").catch(() => {}));
    return readKey();
  },
  isMine: ({ id }) => id.startsWith(`metrics/${endpoint}/`),
  say: (sentence) => log("not-sent", { sentence }),
});

/**
 * Kept while Lambda keeps this process: whether metrics are still undelivered, so that the next tick retries
 * them.
 */
let hasUndelivered = false;

/**
 * The time before the function's timeout that is reserved for storing and delivery, and the part of it for
 * calls that hang.
 */
const flushMs = 9_000;
const hangMs = 7_000;

const summarize = ({ variant, outcome, timings, findings }: Observation) => ({
  ...{ variant, ...outcome, ms: Math.round(timings.totalMs), findings: findings.length },
});

export async function handler(event: { tick: string }, context: { getRemainingTimeInMillis(): number }) {
  const tickMs = Date.parse(event.tick);
  const leftMs = context.getRemainingTimeInMillis();
  const endMs = ports.nowMs() + leftMs;
  const signal = AbortSignal.timeout(Math.max(0, leftMs - flushMs));
  const result = await runTick({
    ...{ tickMs, config, signal, only: endpoint, allowLoopback: isLocal(env) },
    ...{ ledger: ports.ledger, readKey: ports.readKey, nowMs: ports.nowMs },
  });
  const { observations, primary, lastPublished, deferred, unsavedState } = result;
  // In most ticks no request is due and no metric is undelivered.
  if (observations.length === 0 && !hasUndelivered && !signal.aborted) return;
  const failed = await recordTick(ports, {
    ...{ tickMs, observations, primary },
    sparing: { everyMs, told: lastPublished },
  });
  const delivered = await deliverPending(ports.outbox, ports.delivery, ports.nowMs, {
    kinds: ["metrics"],
    untilMs: endMs - hangMs,
  });
  hasUndelivered = delivered.pending > 0 || delivered.failed > 0;
  const health = goodNewsOf(observations, primary);
  const checkedMs = Math.max(tickMs, ...observations.map(({ at }) => Date.parse(at)));
  if (!failed && !hasUndelivered && hasUnpublishedHealth(health, lastPublished[endpoint]))
    await updateProbeState(ports.ledger, (probeState) =>
      recordPublishedHealth(probeState, endpoint, checkedMs, health),
    );
  log("probed", {
    tick: event.tick,
    outcomes: observations.map(summarize),
    deferred: deferred.map(({ reason }) => reason),
    stopped: signal.aborted,
    ...delivered,
  });
  const failure = failed ?? unsavedState;
  if (failure) throw new Error(`not all results could be stored: ${failure.why}`);
}
