// SNS and SQS as fauxqs speaks them, in this process: a topic, and queues that filter what they get.
import { CreateTopicCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { startFauxqs } from "fauxqs";
import { afterAll } from "vitest";
import { type Alert, alert } from "../../lib/records/alert.ts";
import { credentials } from "./dynamo-server.ts";

export type Filter = Record<string, string[]>;

/** `onEnd` gets what stops the server: after all tests of the file, where nothing else is given. */
export async function startQueues(onEnd: (stop: () => Promise<void>) => void = afterAll) {
  const server = await startFauxqs({ port: 0, logger: false, host: "127.0.0.1" });
  const settings = { endpoint: `http://127.0.0.1:${server.port}`, region: "eu-west-1", credentials };
  const sns = new SNSClient({ ...settings, maxAttempts: 1 });
  const sqs = new SQSClient(settings);
  onEnd(async () => {
    sns.destroy();
    sqs.destroy();
    await server.stop();
  });
  const { TopicArn = "" } = await sns.send(new CreateTopicCommand({ Name: "alerts" }));

  async function subscribe(name: string, filter: Filter | undefined, isRaw = true) {
    const { QueueUrl = "" } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }),
    );
    await sns.send(
      new SubscribeCommand({
        TopicArn,
        Protocol: "sqs",
        Endpoint: Attributes?.QueueArn,
        Attributes: {
          RawMessageDelivery: String(isRaw),
          ...(filter && { FilterPolicy: JSON.stringify(filter) }),
        },
      }),
    );
    return () => drain(QueueUrl);
  }

  /** Everything that has arrived, taken off the queue. */
  async function drain(QueueUrl: string): Promise<Message[]> {
    const all: Message[] = [];
    while (true) {
      const answer = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ["All"] }),
      );
      if (!answer.Messages?.length) return all;
      all.push(...answer.Messages);
      for (const { ReceiptHandle } of answer.Messages)
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }

  return { sns, endpoint: settings.endpoint, topicArn: TopicArn, subscribe };
}

/** SNS gives each protocol its own part of the message; fauxqs hands on the whole, so this picks SQS's. */
export function readAlert(body: string | undefined): Alert {
  const message = JSON.parse(body ?? "{}");
  return alert.parse(typeof message.sqs === "string" ? JSON.parse(message.sqs) : message);
}
