// Judges what was observed and tells people. With { drill: true } it sends one marked test event as well.

import { drillAlert } from "../lib/assess/alerts/scheduled-alerts.ts";
import { assess, type Memory, type Settings } from "../lib/assess/assess.ts";
import { units } from "../lib/assess/metrics.ts";
import { fillPorts, read } from "../lib/aws/ports.ts";
import { createSnsDelivery } from "../lib/aws/sns.ts";
import { createSubscriptionReader } from "../lib/aws/subscriptions.ts";

const { env } = process;
const settings = JSON.parse(read(env, "SETTINGS")) as Settings;
const say = (event: string, details: object) => console.log({ event, ...details });
const topicArn = read(env, "TOPIC");
const ports = fillPorts({
  env,
  catalogue: { namespace: read(env, "NAMESPACE"), units },
  ...createSnsDelivery({ topicArn }),
  readSubscriptions: createSubscriptionReader({ topicArn, expected: Number(read(env, "SUBSCRIPTIONS")) }),
  // The probers deliver what is theirs.
  isMine: ({ id, kind }) => kind === "alert" || /^metrics\/(?:heartbeat\/assess|daily)\//.test(id),
  say: (sentence) => say("not-sent", { sentence }),
});

/** For as long as Lambda keeps this process: the next run folds in only what is new. */
const memory: Memory = {};

/** What is left of the function's time is for telling, and the last of it for what hangs. */
const flushMs = 30_000;
const hangMs = 8_000;

export async function handler(
  event: { tick: string; drill?: boolean },
  context: { getRemainingTimeInMillis(): number },
) {
  const endMs = ports.nowMs() + context.getRemainingTimeInMillis();
  if (event.drill) {
    const alert = drillAlert(event.tick);
    await ports.outbox.put([{ id: alert.id, kind: "alert", alert }]);
  }
  const { outlook, alerts, delivered } = await assess(ports, settings, memory, {
    untilMs: endMs - flushMs,
    tellUntilMs: endMs - hangMs,
  });
  say("assessed", {
    tick: event.tick,
    outlook: outlook?.level,
    alerts: alerts.map(({ id }) => id),
    ...delivered,
  });
}
