// The prober of one endpoint: makes the checks that are due, stores the observations and publishes their metrics.
import { units } from "../lib/assess/metrics.ts";
import { heartbeatMessage, recordTick, recordUnsavedTicks } from "../lib/assess/record-tick.ts";
import { createKey } from "../lib/aws/keys.ts";
import { fillPorts, isLocal, read } from "../lib/aws/ports.ts";
import type { Config } from "../lib/config/config.ts";
import { createDeliveryMemory, deliverPending } from "../lib/delivery/outbox.ts";
import { runTick } from "../lib/probe/tick.ts";
import type { Observation } from "../lib/records/observation.ts";

const { env } = process;
const config = JSON.parse(read(env, "SETTINGS")) as Config;
const endpoint = read(env, "ENDPOINT") as Observation["endpoint"];
const log = (event: string, details: object) => console.log({ event, endpoint, ...details });
const ports = fillPorts({
  env,
  catalogue: { namespace: read(env, "NAMESPACE"), units },
  readKey: createKey(config.key),
  isMine: ({ id }) =>
    id.startsWith(`metrics/${endpoint}/`) || id.startsWith(`metrics/heartbeat/probe-${endpoint}/`),
  say: (sentence) => log("not-sent", { sentence }),
});

/** Kept while Lambda keeps this process: whether metrics are still undelivered, so that the next tick retries them. */
let hasUndelivered = false;

/** Kept as well: the retry delays of CloudWatch. */
const delivery = createDeliveryMemory();

/** Kept as well: ticks that the table has not stored yet, oldest first. Lambda's retry of a failed tick stores them. */
const unsavedTicks: Observation[][] = [];

/** The id of the last heartbeat that this process stored; the outbox ignores one that another process stored. */
let lastHeartbeat: string | undefined;

/**
 * The time before the function's timeout that is reserved for storing and delivery, and the part of it for
 * calls that hang.
 */
const flushMs = 9_000;
const hangMs = 7_000;

const summarize = ({ variant, outcome, timings, findings }: Observation) => ({
  variant,
  ...outcome,
  ms: Math.round(timings.totalMs),
  findings: findings.length,
});

export async function handler(event: { tick: string }, context: { getRemainingTimeInMillis(): number }) {
  const tickMs = Date.parse(event.tick);
  const leftMs = context.getRemainingTimeInMillis();
  const endMs = ports.nowMs() + leftMs;
  const signal = AbortSignal.timeout(Math.max(0, leftMs - flushMs));
  const { observations, deferred, unsaved } = await runTick({
    tickMs,
    config,
    signal,
    only: endpoint,
    allowLoopback: isLocal(env),
    ledger: ports.ledger,
    readKey: ports.readKey,
    nowMs: ports.nowMs,
  });
  const heartbeat = heartbeatMessage(`probe-${endpoint}`, tickMs);
  const isHeartbeatDue = heartbeat.id !== lastHeartbeat;
  // In most ticks no check is due and no metric is undelivered.
  if (observations.length > 0) unsavedTicks.push(observations);
  if (unsavedTicks.length === 0 && !isHeartbeatDue && !hasUndelivered && !signal.aborted) return;
  const failed =
    (await recordUnsavedTicks(ports, unsavedTicks)) ??
    (await recordTick(ports, [], isHeartbeatDue ? [heartbeat] : []));
  if (!failed) lastHeartbeat = heartbeat.id;
  const delivered = await deliverPending(ports.outbox, ports.receivers, ports.nowMs, {
    untilMs: endMs - hangMs,
    memory: delivery,
  });
  hasUndelivered = delivered.pending > 0 || delivered.failed > 0;
  log("probed", {
    tick: event.tick,
    checks: observations.map(summarize),
    deferred: deferred.map(({ reason }) => reason),
    stopped: signal.aborted,
    ...delivered,
  });
  const failure = failed ?? unsaved;
  if (failure) throw new Error(`not all results could be stored: ${failure.why}`);
}
