// Alerts leave through SNS: one publication that reads well as an email, an SMS and JSON.
import type { SNSClient } from "@aws-sdk/client-sns";
import type { Delivery } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { sdkHandler } from "./transport.ts";

/** A call that hangs takes twice as long at the most; the outbox tries again later. */
const timeoutMs = 3_000;
const maxAttempts = 2;

export type SnsOptions = { topicArn: string; client?(): Promise<SNSClient> };

export function createSnsDelivery({ topicArn, client }: SnsOptions): Pick<Delivery, "alert"> {
  let opened: Promise<SNSClient> | undefined;
  return {
    async alert(alert) {
      const { PublishCommand } = await import("./client-sns.ts");
      opened ??= client?.() ?? createClient(topicArn);
      await (await opened).send(
        new PublishCommand({
          TopicArn: topicArn,
          Subject: alert.subject,
          MessageStructure: "json",
          Message: JSON.stringify(messages(alert)),
          // What filter policies may ask for; the id lets a receiver fold what was sent twice.
          MessageAttributes: {
            severity: word(alert.severity),
            rule: word(alert.rule),
            scope: word(alert.scope),
            endpoint: word(alert.endpoints.length === 1 ? alert.endpoints[0]! : "all"),
            event: word(alert.event),
            id: word(alert.id),
          },
        }),
      );
    },
  };
}

/** In the topic's own region, wherever this runs. */
async function createClient(topicArn: string): Promise<SNSClient> {
  const { SNSClient } = await import("./client-sns.ts");
  const [, , , region = ""] = topicArn.split(":");
  return new SNSClient({ region, requestHandler: sdkHandler(timeoutMs), maxAttempts });
}

const word = (StringValue: string) => ({ DataType: "String", StringValue });

function messages(alert: Alert): Record<string, string> {
  const json = JSON.stringify(alert);
  return {
    default: alert.text,
    email: alert.text,
    "email-json": json,
    sms: alert.subject,
    sqs: json,
    http: json,
    https: JSON.stringify({ ...alert, ...forChat(alert) }),
    lambda: json,
  };
}

/** Amazon Q in chat, which brings alerts to Slack, subscribes by https and reads only this form. */
function forChat({ subject, text }: Alert) {
  const content = { textType: "client-markdown", title: subject, description: text };
  return { version: "1.0", source: "custom", content };
}
