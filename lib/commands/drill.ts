// v1watch drill: one marked test event on the alerts' own way, to see that they arrive.
import { drillAlert } from "../assess/alerts/scheduled-alerts.ts";
import { findTopicProblem } from "../config/config.ts";
import { openStore } from "../local/store/store.ts";
import type { Outbox } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { type Command, exitCodes, type Io, UsageError, type Values } from "./command.ts";
import { explainClosed, loadConfig, nameTable, openTable, readTable, storeOptions } from "./open-watch.ts";
import { withRemedy } from "./remedies.ts";

const { json: _, ...stores } = storeOptions;

export const drill: Command = {
  name: "drill",
  summary: "send one marked test event through the alerts' own way",
  help: `v1watch drill [--store FILE | --table NAME | --aws TOPIC]

Gives a watch one event to send as it sends an alert, marked as a drill in every form it takes. When it has
arrived, \`v1watch ready\` counts the way as proven for 30 days.

  --store FILE    a watch on this machine, running or not (.v1watch/watch.db; environment: V1WATCH_STORE)
  --table NAME    a watch in AWS: the output TableName of its stack (environment: V1WATCH_TABLE)
  --aws TOPIC     no watch: publish it to this SNS topic from here, the output TopicArn of the stack
  --config FILE   another file than v1watch.config.json

Example:
  v1watch drill --table v1watch-Table
`,
  options: { ...stores, aws: { type: "string" } },
  async run(values, _positionals, io) {
    const alert = drillAlert(new Date().toISOString());
    const { aws } = values;
    const when = aws === undefined ? await hand(alert, values, io) : await publish(alert, String(aws));
    io.out(`${when}: "${alert.subject}"\n`);
    return exitCodes.fine;
  },
};

async function publish(alert: Alert, topicArn: string): Promise<string> {
  const wrong = findTopicProblem(topicArn);
  if (wrong)
    throw new UsageError(`--aws takes the ARN of an SNS topic; this one ${wrong.problem} ${wrong.remedy}`);
  const { createSnsDelivery } = await import("../aws/sns.ts");
  await withRemedy(
    "SNS did not take the drill",
    {
      allow: "sns:Publish on the topic, and kms:GenerateDataKey and kms:Decrypt on its key",
      missing: "the topic is not there. Its ARN is the output TopicArn of the stack.",
    },
    () => createSnsDelivery({ topicArn }).alert(alert),
  );
  return `SNS took the drill of ${alert.at}. Whoever is subscribed has it in a minute`;
}

/** Into the watch's own outbox: the watch sends it, as it sends everything. */
async function hand(alert: Alert, values: Values, io: Io): Promise<string> {
  const config = await loadConfig(values, io);
  const tableName = nameTable(values, io.env);
  const put = async (outbox: Outbox) => {
    const kept = await outbox.put([{ id: alert.id, kind: "alert", alert }]);
    return kept.kind === "failed" ? kept.why : undefined;
  };
  if (tableName !== undefined) {
    const { outbox } = await openTable(tableName, config);
    await readTable(tableName, async () => {
      const why = await put(outbox);
      if (why) throw Object.assign(new Error("the table did not take the drill"), { name: why });
    });
    return `The assessment sends the drill of ${alert.at} with its next run, every ${config.aws.assessEvery}`;
  }
  const bundledFiles = openStore(config.store, { mode: "read" });
  if (bundledFiles.kind !== "open")
    throw new UsageError(`the store ${config.store} cannot take the drill: ${explainClosed(bundledFiles)}`);
  try {
    const why = await put(bundledFiles.store.outbox);
    if (why) throw new UsageError(`the store did not take the drill: ${why}`);
  } finally {
    bundledFiles.store.close();
  }
  return `The watch sends the drill of ${alert.at} within a minute, or as soon as it runs`;
}
