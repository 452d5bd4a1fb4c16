// v1watch notify --drill: sends a marked test alert through the delivery path of real alerts.
import { drillAlert } from "../assess/alerts/scheduled-alerts.ts";
import { findTopicProblem } from "../config/config.ts";
import { openStore } from "../local/store/store.ts";
import type { Outbox } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { exitCodes, type Io, type OptionValues, type Run, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import {
  explainOpenFailure,
  loadConfigForReading,
  openTable,
  tableOption,
  withTableRemedy,
} from "./open-watch.ts";
import { withRemedy } from "./remedies.ts";

export const drill: Run = async (values, _positionals, io) => {
  const alert = drillAlert(new Date().toISOString());
  const { topic } = values;
  const result =
    topic === undefined ? await putIntoOutbox(alert, values, io) : await publish(alert, String(topic));
  print(io, `${result}: "${alert.subject}"\n`);
  return exitCodes.success;
};

async function publish(alert: Alert, topicArn: string): Promise<string> {
  const wrong = findTopicProblem(topicArn);
  if (wrong)
    throw new UsageError(
      `--topic must be the ARN of an SNS topic; this one ${wrong.problem} ${wrong.remedy}`,
    );
  const { createSnsReceiver } = await import("../aws/sns.ts");
  await withRemedy(
    "SNS did not accept the drill",
    {
      allow: "sns:Publish on the topic, and kms:GenerateDataKey and kms:Decrypt on its key",
      missing: "the topic does not exist. Its ARN is the stack output TopicArn.",
    },
    () =>
      createSnsReceiver({ topicArn })
        .send(alert)
        .catch((error: Error) => {
          throw error.cause ?? error;
        }),
  );
  return `SNS accepted the drill of ${alert.at}. Subscribers receive it within a minute`;
}

/** The watch delivers the message from its outbox as it delivers an alert. */
async function putIntoOutbox(alert: Alert, values: OptionValues, io: Io): Promise<string> {
  const config = await loadConfigForReading(values, io);
  const tableName = tableOption(values, io.env);
  const put = async (outbox: Outbox) => {
    const stored = await outbox.put([{ id: alert.id, kind: "alert", alert }]);
    return stored.kind === "failed" ? stored.why : undefined;
  };
  if (tableName !== undefined) {
    const { outbox } = await openTable(tableName, config);
    await withTableRemedy(tableName, async () => {
      const why = await put(outbox);
      if (why) throw Object.assign(new Error("the drill could not be stored"), { name: why });
    });
    return `The assessment, which runs every ${config.aws.assessEvery}, sends the drill of ${alert.at} with its next run`;
  }
  const opened = openStore(config.store, { mode: "read" });
  if (opened.kind !== "open")
    throw new UsageError(`the drill cannot be stored in ${config.store}: ${explainOpenFailure(opened)}`);
  try {
    const why = await put(opened.store.outbox);
    if (why) throw new UsageError(`the drill could not be stored: ${why}`);
  } finally {
    opened.store.close();
  }
  return `The watch sends the drill of ${alert.at} within a minute, or after its next start`;
}
