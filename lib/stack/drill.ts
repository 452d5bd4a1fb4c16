import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Subscription, SubscriptionFilter, SubscriptionProtocol } from "aws-cdk-lib/aws-sns";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Notifications } from "./notifications.ts";
import { acknowledge, type WatchScope } from "./scope.ts";

/** The queue is not read: its metrics show that a message arrived, and the message expires. */
export function createDrill(scope: WatchScope, { topic }: Notifications): Queue {
  const queue = new Queue(scope, "Drill", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.hours(1),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(queue, "AwsSolutions-SQS3", "Nobody reads from it, so nothing can fail to be read.");
  queue.grantSendMessages(
    new ServicePrincipal("sns.amazonaws.com", {
      conditions: { ArnEquals: { "aws:SourceArn": topic.topicArn } },
    }),
  );
  new Subscription(scope, "DrillSubscription", {
    topic,
    protocol: SubscriptionProtocol.SQS,
    endpoint: queue.queueArn,
    filterPolicy: { event: SubscriptionFilter.stringFilter({ allowlist: ["drill"] }) },
  });
  return queue;
}
