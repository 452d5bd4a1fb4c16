// Assesses new observations, sends alerts and publishes metrics. With { drill: true } it also sends one
// marked test alert.

import { assess, type Memory, type Settings } from "../lib/assess/assess.ts";
import { units } from "../lib/assess/metrics.ts";
import { drillAlert, type Evidence, judgeAlarm, monitorAlert } from "../lib/assess/text/scheduled-alerts.ts";
import { describeError } from "../lib/aws/clients.ts";
import { createCloudWatchPublisher } from "../lib/aws/cloudwatch.ts";
import { read, readBundledFile, readTable } from "../lib/aws/environment.ts";
import { createEventBus } from "../lib/aws/events.ts";
import { createLedger } from "../lib/aws/ledger.ts";
import { createOutbox } from "../lib/aws/outbox.ts";
import { createSnsReceiver, createSubscriptionReader, rememberListing } from "../lib/aws/sns.ts";
import { readUnreadable } from "../lib/aws/table.ts";
import { withActions } from "../lib/delivery/actions.ts";
import type { DeliveryLog } from "../lib/delivery/outbox.ts";
import type { Ports } from "../lib/ports.ts";
import type { Alert } from "../lib/records/alert.ts";
import type { StoredSettings } from "../lib/records/assessment-settings.ts";
import { type Inventory, listCodeUses } from "../lib/records/inventory.ts";
import { dayText } from "../lib/time.ts";

const { env } = process;
const inventory = readBundledFile("inventory.json") as Inventory | undefined;
const ownSettings = JSON.parse(read(env, "SETTINGS")) as StoredSettings;
const settings: Settings = {
  ...ownSettings,
  uses: inventory ? listCodeUses(inventory) : undefined,
};
const topicArn = read(env, "TOPIC");
const table = readTable(env);
/** There is no page in AWS: whoever gets an alert acknowledges it by a command. */
const sns = createSnsReceiver({ topicArn });
/** Undefined where aws.events is false. */
const bus = env.EVENT_BUS
  ? createEventBus({
      busArn: env.EVENT_BUS,
      topicArn,
      onFailed: ({ id, cause }) => console.error({ event: "not-sent", to: "eventbridge", id, cause }),
    })
  : undefined;
const topic = withActions(bus?.beside(sns) ?? sns, (incidentId) => ({
  kind: "command",
  command: `v1watch incidents ack ${incidentId} --table ${table.tableName} --reason "I am looking into it"`,
}));
const subscriptions = rememberListing(
  createSubscriptionReader({ topicArn, expected: Number(read(env, "SUBSCRIPTIONS")) }),
);
const ports: Ports = {
  nowMs: Date.now,
  readKey: () => Promise.reject(new Error("only a prober reads the key")),
  ledger: createLedger(table),
  outbox: createOutbox(table),
  receivers: [topic],
  publishMetrics: createCloudWatchPublisher({
    namespace: read(env, "NAMESPACE"),
    units,
    nowMs: Date.now,
    onDropped: (cause) => console.error({ event: "not-sent", to: "cloudwatch", cause }),
  }),
  readSubscriptions: subscriptions.read,
  readUnreadable: () => readUnreadable(table),
};

type OwnFault = { start: string; isBad: boolean; lines: Evidence["lines"] };

/** Whether SNS lists the subscriptions: without the list nobody knows whether alerts reach anybody. */
function judgeListing(): OwnFault[] {
  const listing = subscriptions.listing();
  if (listing.kind === "unknown") return [];
  const lines: Evidence["lines"] =
    listing.kind === "listed"
      ? ["SNS lists the subscriptions of the topic of alerts again"]
      : [
          "SNS does not list the subscriptions of the topic of alerts",
          `It answers ${listing.cause}, so v1watch cannot tell whether anybody gets its alerts.`,
          "Let the role of the function assess call sns:ListSubscriptionsByTopic on the topic, in the policy of the topic too where it denies it.",
        ];
  return [{ start: "subscriptions-unlisted-", isBad: listing.kind === "refused", lines }];
}

/** Whether the event bus accepts alerts. It holds back none of them. */
function judgeBus(): OwnFault[] {
  const state = bus?.state() ?? { kind: "unknown" };
  if (state.kind === "unknown") return [];
  const lines: Evidence["lines"] =
    state.kind === "accepts"
      ? ["EventBridge accepts alerts as events again"]
      : [
          "EventBridge does not accept alerts as events",
          `It answers ${state.cause}. The topic gets every alert as before; rules on the event bus do not.`,
          "Let the role of the function assess call events:PutEvents on the default event bus, or set aws.events to false.",
        ];
  return [{ start: "events-refused-", isBad: state.kind === "refuses", lines }];
}

async function judgeOwnFaults(): Promise<Alert[]> {
  const nowMs = Date.now();
  const faults = [...judgeListing(), ...judgeBus()];
  const announced = faults.length > 0 ? await ports.outbox.announced() : [];
  return faults.flatMap(({ start, isBad, lines }) =>
    judgeAlarm(
      announced.find(({ id }) => id.startsWith(start)),
      { isBad, lines },
      () => monitorAlert(`${start}${dayText(nowMs).replaceAll("-", "")}`, lines, settings, nowMs),
      nowMs,
    ),
  );
}

const log: DeliveryLog = {
  onSent: ({ id, to }) => console.log({ event: "sent", to, id }),
  onFailed: ({ id, to, error }) => console.error({ event: "not-sent", to, id, cause: describeError(error) }),
};

/** They change only with a deployment, which starts a new process; a write that fails is done by the next run. */
let areSettingsSaved = false;

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
  if (!areSettingsSaved)
    areSettingsSaved = await ports.ledger.saveSettings(ownSettings).then(
      () => true,
      () => false,
    );
  await bus?.retry();
  const { outlook, delivered } = await assess(ports, settings, memory, {
    untilMs: endMs - flushMs,
    tellUntilMs: endMs - hangMs,
    log,
  });
  const ofWatch = await judgeOwnFaults();
  await ports.outbox.put(ofWatch.map((alert) => ({ id: alert.id, kind: "alert", alert })));
  const { failed, pending } = delivered;
  console.log({ event: "assessed", tick: event.tick, outlook: outlook?.level, failed, pending });
}
