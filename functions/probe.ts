// The prober of one endpoint: looks whether anything is due, asks for it, and writes down what came.

import { dimension, units } from "../lib/assess/metrics.ts";
import { recordTick } from "../lib/assess/record-tick.ts";
import { createKey } from "../lib/aws/keys.ts";
import { fillPorts, isLocal, read } from "../lib/aws/ports.ts";
import type { Config } from "../lib/config/config.ts";
import { deliverPending } from "../lib/delivery/outbox.ts";
import { runTick } from "../lib/probe/tick.ts";
import type { Observation } from "../lib/records/observation.ts";

const { env } = process;
const config = JSON.parse(read(env, "SETTINGS")) as Config;
const everyMs = Number(read(env, "METRICS_EVERY_MS"));
const endpoint = read(env, "ENDPOINT") as Observation["endpoint"];
const say = (event: string, details: object) => console.log({ event, endpoint, ...details });
const readKey = createKey(config.key);
const ports = fillPorts({
  env,
  catalogue: { namespace: read(env, "NAMESPACE"), dimension, units },
  readKey() {
    // Asked for only when V1 is about to be: the client loads while this answer and V1's are waited for.
    setImmediate(() => import("../lib/aws/client-cloudwatch.ts").catch(() => {}));
    return readKey();
  },
  isMine: ({ id }) => id.startsWith(`metrics/${endpoint}/`),
  say: (sentence) => say("not-sent", { sentence }),
});

/** For as long as Lambda keeps this process: what could not be sent is tried again in a minute. */
let isWaiting = false;

/** What is left of the function's time is for writing down and telling, and the last of it for what hangs. */
const flushMs = 9_000;
const hangMs = 7_000;

const tell = ({ variant: asked, outcome, timings, findings }: Observation) => ({
  ...{ variant: asked, ...outcome, ms: Math.round(timings.totalMs), findings: findings.length },
});

export async function handler(event: { tick: string }, context: { getRemainingTimeInMillis(): number }) {
  const tickMs = Date.parse(event.tick);
  const leftMs = context.getRemainingTimeInMillis();
  const endMs = ports.nowMs() + leftMs;
  const signal = AbortSignal.timeout(Math.max(0, leftMs - flushMs));
  const ticked = await runTick({
    ...{ tickMs, config, signal, only: endpoint, allowLoopback: isLocal(env) },
    ...{ ledger: ports.ledger, readKey: ports.readKey, nowMs: ports.nowMs },
  });
  const { observations, primary, deferred, unbooked } = ticked;
  // Most minutes nothing is due, and nothing waits for CloudWatch.
  if (observations.length === 0 && !isWaiting && !signal.aborted) return;
  const failed = await recordTick(ports, { tickMs, observations, primary, sparing: { everyMs } });
  const delivered = await deliverPending(ports.outbox, ports.delivery, ports.nowMs, {
    kinds: ["metrics"],
    untilMs: endMs - hangMs,
  });
  isWaiting = delivered.pending > 0 || delivered.failed > 0;
  say("probed", {
    tick: event.tick,
    outcomes: observations.map(tell),
    deferred: deferred.map(({ reason }) => reason),
    stopped: signal.aborted,
    ...delivered,
  });
  const lost = failed ?? unbooked;
  if (lost) throw new Error(`not all was kept: ${lost.why}`);
}
