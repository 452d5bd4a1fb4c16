// Assesses new observations, sends alerts and publishes metrics. With { drill: true } it also sends one
// marked test alert.

import { drillAlert, unreadableAlerts } from "../lib/assess/alerts/scheduled-alerts.ts";
import { assess, type Memory, type Settings } from "../lib/assess/assess.ts";
import { units } from "../lib/assess/metrics.ts";
import { fillPorts, read, readBundledFile, readTable } from "../lib/aws/ports.ts";
import { createSnsReceiver, createSubscriptionReader } from "../lib/aws/sns.ts";
import { readUnreadable } from "../lib/aws/table.ts";
import { type Inventory, listCodeUses } from "../lib/records/inventory.ts";

const { env } = process;
const inventory = readBundledFile("inventory.json") as Inventory | undefined;
const settings: Settings = {
  ...(JSON.parse(read(env, "SETTINGS")) as Settings),
  uses: inventory ? listCodeUses(inventory) : undefined,
};
const log = (event: string, details: object) => console.log({ event, ...details });
const topicArn = read(env, "TOPIC");
const ports = fillPorts({
  env,
  catalogue: { namespace: read(env, "NAMESPACE"), units },
  topic: createSnsReceiver({ topicArn }),
  readSubscriptions: createSubscriptionReader({ topicArn, expected: Number(read(env, "SUBSCRIPTIONS")) }),
  // The probers deliver their own metrics.
  isMine: ({ id, kind }) => kind === "alert" || /^metrics\/(?:heartbeat\/assess|daily)\//.test(id),
  say: (sentence) => log("not-sent", { sentence }),
});

/** Kept while Lambda keeps this process, so that the next run processes only new observations. */
const memory: Memory = {};

/**
 * The time before the function's timeout that is reserved for delivery, and the part of it for calls that
 * hang.
 */
const flushMs = 90_000;
const hangMs = 65_000;

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
  const unreadable = unreadableAlerts(await readUnreadable(readTable(env)), settings, ports.nowMs());
  await ports.outbox.put(unreadable.map((alert) => ({ id: alert.id, kind: "alert", alert })));
  log("assessed", {
    tick: event.tick,
    outlook: outlook?.level,
    alerts: alerts.map(({ id }) => id),
    ...delivered,
  });
}
