// An SNS topic, with the credentials of the machine. Its client is loaded with the first message.
import type { Receiver } from "../../ports.ts";
import type { CreateSend } from "./channel.ts";

export const createSns: CreateSend<"sns"> = ({ topicArn }) => {
  let topic: Promise<Receiver> | undefined;
  return async (alert) => {
    topic ??= import("../../aws/sns.ts").then(({ createSnsReceiver }) => createSnsReceiver({ topicArn }));
    return (await topic).send(alert);
  };
};
