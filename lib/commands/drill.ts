// v1watch notify --drill: sends a marked test alert through the delivery path of real alerts.
import { drillAlert } from "../assess/alerts/scheduled-alerts.ts";
import { isTopicArn, topicText } from "../config/config.ts";
import type { Alert } from "../records/alert.ts";
import { exitCodes, type Io, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { withWatch } from "./open-watch.ts";
import { withRemedy } from "./remedies.ts";
import type { WatchValues } from "./shared-options.ts";

export async function sendDrill(
  values: WatchValues & { topic: string | undefined },
  io: Io,
): Promise<number> {
  const alert = drillAlert(new Date().toISOString());
  const { topic } = values;
  const result = topic === undefined ? await putIntoOutbox(alert, values, io) : await publish(alert, topic);
  print(io, `${result}: "${alert.subject}"\n`);
  return exitCodes.success;
}

async function publish(alert: Alert, topicArn: string): Promise<string> {
  if (!isTopicArn(topicArn)) throw new UsageError(`--topic must be ${topicText}`);
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
  return `SNS accepted the drill of ${alert.at}. Ask its subscribers whether it arrived`;
}

/** The watch delivers the message from its outbox as it delivers an alert. */
const putIntoOutbox = (alert: Alert, values: WatchValues, io: Io): Promise<string> =>
  withWatch(values, io, async ({ outbox, store }, { aws }) => {
    const stored = await outbox.put([{ id: alert.id, kind: "alert", alert }]);
    if (stored.kind === "failed")
      // The name of an error of AWS is explained with its remedy.
      throw store
        ? new UsageError(`the drill could not be stored: ${stored.why}`)
        : Object.assign(new Error("the drill could not be stored"), { name: stored.why });
    return store
      ? `The watch sends the drill of ${alert.at} within a minute, or after its next start`
      : `The assessment, which runs every ${aws.assessEvery}, sends the drill of ${alert.at} with its next run`;
  });
