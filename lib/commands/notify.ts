// v1watch notify: the notification channels of the configuration, their state, and test messages.

import { drillAlert } from "../assess/text/scheduled-alerts.ts";
import { secretsOf } from "../config/channels.ts";
import type { OfflineConfig } from "../config/config.ts";
import type { SecretSource } from "../config/secret-source.ts";
import type { Channel } from "../delivery/channels/channel.ts";
import { createChannel } from "../delivery/channels/index.ts";
import { causeOf } from "../delivery/outbox.ts";
import type { LocalOutbox } from "../local/store/outbox.ts";
import { openStore } from "../local/store/store.ts";
import type { HttpProxy, Ports, ReceiverStatus } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { acceptedByReceiver, type Delivered, delivered, describeRefused } from "../records/receipt.ts";
import { momentText } from "../time.ts";
import { defineCommand, exitCodes, flag, type Io, textOrFlag, UsageError } from "./command.ts";
import { print, printJson } from "./layout.ts";
import { ConfigurationError, loadOfflineConfig } from "./load-config.ts";
import { withWatch } from "./open-watch.ts";
import { agentsThrough, openProxy } from "./proxy.ts";
import { findSecretMistakes, readSecret } from "./secrets.ts";
import { json, type WatchValues, watchOptions } from "./shared-options.ts";

export const createConsole = (print: (alert: Alert) => void): Channel => ({
  name: "console",
  type: "console",
  reachesPeople: false,
  async send(alert) {
    print(alert);
    return acceptedByReceiver();
  },
});

/**
 * Creates the channels, the console included. Every secret has to be there: a channel that cannot send is a mistake
 * of the configuration, and all of them are reported at once.
 */
export async function openChannels(
  config: OfflineConfig,
  io: Pick<Io, "env">,
  print: (alert: Alert) => void,
  proxy: HttpProxy | undefined,
): Promise<Channel[]> {
  const read = (source: SecretSource) => readSecret(source, io.env);
  const settings = config.channels;
  const mistakes = (
    await Promise.all(
      settings.map((one, index) => findSecretMistakes(secretsOf(one), `channels[${index}]`, read)),
    )
  ).flat();
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const channels = await Promise.all(
    settings.map((one) => createChannel(one, { readSecret: read, print, agentFor: agentsThrough(proxy) })),
  );
  return channels.some(({ type }) => type === "console") ? channels : [createConsole(print), ...channels];
}

/** Undefined without a topic, where there is nothing to confirm. A topic should have at least one subscription. */
export async function subscriptionReader({ channels }: OfflineConfig): Promise<Ports["readSubscriptions"]> {
  const topics = channels.flatMap((one) => (one.type === "sns" ? [one.topicArn] : []));
  if (topics.length === 0) return undefined;
  const { createSubscriptionReader } = await import("../aws/sns.ts");
  const readers = topics.map((topicArn) => createSubscriptionReader({ topicArn, expected: 1 }));
  return async () => {
    const [first, ...others] = await Promise.all(readers.map((read) => read()));
    return others.reduce(
      (sum, one) => ({
        at: sum.at,
        expected: sum.expected + one.expected,
        confirmed: sum.confirmed + one.confirmed,
        unconfirmed: [...sum.unconfirmed, ...one.unconfirmed],
      }),
      first!,
    );
  };
}

/** One line for a channel: what it accepted last, or since when it fails. */
export function describeStatus({ waiting, failing, setAside, deliveredAt }: ReceiverStatus): string {
  const counts = waiting > 0 ? `, ${waiting} waiting` : "";
  const aside = setAside.length > 0 ? `, ${setAside.length} given up (the latest ${setAside[0]?.id})` : "";
  if (failing) return `FAILING since ${momentText(failing.since)} (${failing.why})${counts}${aside}`;
  const last =
    deliveredAt === undefined
      ? "no message accepted yet"
      : `last message accepted ${momentText(deliveredAt)}`;
  return `${last}${counts}${aside}`;
}

/** What the store knows of each channel; empty without a store. */
export async function readStatuses(config: OfflineConfig): Promise<[string, ReceiverStatus][]> {
  const opened = openStore(config.store, { mode: "read" });
  if (opened.kind !== "open") return [];
  try {
    return await Promise.all(
      config.channels.map(
        async ({ name }) => [name, await opened.store.outbox.status({ name })] as [string, ReceiverStatus],
      ),
    );
  } finally {
    opened.store.close();
  }
}

export const notify = defineCommand({
  description:
    "Lists the channels of the configuration, and what each delivered. --test sends a test message, marked as a drill, through every channel or through the one with that NAME, and says which accepted it. --drill puts such a message into the outbox of a watch, which delivers it like an alert. Either of them counts for `v1watch ready` as a test of the delivery for 30 days.",
  options: {
    test: textOrFlag("[NAME]", "send a test message through the channels of this configuration, at once"),
    drill: {
      ...flag("send a test alert through the watch of --store, running or not, or of --table"),
      conflictsWith: "test",
    },
    ...watchOptions,
    json,
  },
  notes: [
    "Exit codes: 0 every channel accepted or is not failing, 1 at least one failed, 2 usage error.",
    "Example: v1watch notify --test on-call",
    "Example of a watch in AWS: v1watch notify --drill --table v1watch-Table",
  ],
  async run(values, _positionals, io) {
    if (values.drill) return sendDrill(values, io);
    if (values.table !== undefined)
      throw new UsageError(
        "--table belongs to --drill; the channels of a watch in AWS are the subscriptions of its topics",
      );
    const { config } = await loadOfflineConfig(values, io);
    const name = values.test === true ? undefined : values.test;
    const channels = await openChannels(config, io, () => {}, await openProxy(config, io));
    const chosen = channels.filter((one) => (name === undefined ? one.reachesPeople : one.name === name));
    if (name !== undefined && chosen.length === 0)
      throw new UsageError(
        `there is no channel "${name}". There are: ${channels.map((one) => one.name).join(", ")}`,
      );
    if (chosen.length === 0) {
      print(
        io,
        "No channel is configured beside the console. Add one under `channels` in the configuration.\n",
      );
      return exitCodes.findings;
    }
    return values.test === undefined
      ? listAll(chosen, values.json, config, io)
      : sendTest(chosen, values.json, config, io);
  },
});

/** The watch delivers the message from its outbox as it delivers an alert. */
const sendDrill = (values: WatchValues, io: Io): Promise<number> =>
  withWatch(values, io, async ({ outbox, store }, { aws }) => {
    const alert = drillAlert(new Date().toISOString());
    const stored = await outbox.put([{ id: alert.id, kind: "alert", alert }]);
    if (stored.kind === "failed")
      // The name of an error of AWS is explained with its remedy.
      throw store
        ? new UsageError(`the drill could not be stored: ${stored.why}`)
        : Object.assign(new Error("the drill could not be stored"), { name: stored.why });
    const result = store
      ? `The watch sends the drill of ${alert.at} within a minute, or after its next start`
      : `The assessment, which runs every ${aws.assessEvery}, sends the drill of ${alert.at} with its next run`;
    print(io, `${result}: "${alert.subject}"\n`);
    return exitCodes.success;
  });

async function listAll(
  channels: readonly Channel[],
  isJson: boolean,
  config: OfflineConfig,
  io: Io,
): Promise<number> {
  const statuses = new Map(await readStatuses(config));
  const rows = channels.map(({ name, type }) => {
    const status: ReceiverStatus = statuses.get(name) ?? { waiting: 0, setAside: [] };
    return { name, type, ...status };
  });
  const describe = (row: ReceiverStatus & { name: string }) =>
    statuses.has(row.name) ? describeStatus(row) : `unknown: the store ${config.store} cannot be read`;
  if (isJson) printJson(io, rows);
  else print(io, rows.map((row) => `  ${row.name}\t${row.type}\t${describe(row)}\n`).join(""));
  return rows.some(({ failing }) => failing) ? exitCodes.findings : exitCodes.success;
}

async function sendTest(
  channels: readonly Channel[],
  isJson: boolean,
  config: OfflineConfig,
  io: Io,
): Promise<number> {
  const alert = drillAlert(new Date().toISOString());
  const results = await Promise.all(
    channels.map(async (channel) => {
      const startMs = performance.now();
      const sent = await tryChannel(channel, alert);
      return { channel, sent, ms: Math.round(performance.now() - startMs) };
    }),
  );
  await recordProof(
    config,
    alert,
    results.flatMap(({ channel: { name, reachesPeople }, sent }) =>
      "receipts" in sent ? [{ name, reachesPeople, receipts: sent.receipts }] : [],
    ),
  );
  const rows = results.map(({ channel: { name, type }, sent, ms }) => {
    const why = "why" in sent ? sent.why : undefined;
    return { name, type, isAccepted: why === undefined, ms, why };
  });
  if (isJson) printJson(io, rows);
  else
    print(
      io,
      rows
        .map(
          ({ name, type, isAccepted, ms, why }) =>
            `  ${name}\t${type}\t${isAccepted ? `accepted in ${ms} ms` : `FAILED: ${why}`}\n`,
        )
        .join(""),
    );
  return rows.every(({ isAccepted }) => isAccepted) ? exitCodes.success : exitCodes.findings;
}

/** A channel of which one recipient refused the test has failed it. */
async function tryChannel(
  channel: Channel,
  alert: Alert,
): Promise<{ receipts: Delivered } | { why: string }> {
  try {
    const given = await channel.send(alert);
    const receipts = delivered(given);
    return receipts ? { receipts } : { why: describeRefused(given) };
  } catch (error) {
    return { why: causeOf(error) };
  }
}

/** `ready` accepts a test as proof of the alert path. Without a store there is nothing to prove it to. */
async function recordProof(
  config: OfflineConfig,
  alert: Alert,
  proven: Parameters<LocalOutbox["recordDrill"]>[1],
): Promise<void> {
  const opened = openStore(config.store, { mode: "read" });
  if (opened.kind !== "open") return;
  try {
    await opened.store.outbox.recordDrill(alert, proven);
  } finally {
    opened.store.close();
  }
}
