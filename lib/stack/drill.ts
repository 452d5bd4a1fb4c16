import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Subscription, SubscriptionFilter, SubscriptionProtocol } from "aws-cdk-lib/aws-sns";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { thresholds } from "../config/thresholds.ts";
import type { OwnAlarm } from "./alarms.ts";
import type { Notifications } from "./notifications.ts";
import { acknowledge, type WatchScope } from "./scope.ts";

/** The queue is not read: its metrics show that a message arrived, and the message expires. */
export function createDrill(scope: WatchScope, { topic }: Notifications): OwnAlarm {
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
  const construct = new Alarm(scope, "drill-lost", {
    alarmName: `${scope.prefix}-drill-lost`,
    alarmDescription: `No test event arrived in ${thresholds.drillLostDays} days: alerts may not arrive either. See ${scope.runbookUrl}#undelivered`,
    metric: queue.metricNumberOfMessagesSent({ period: Duration.days(1), statistic: "Sum" }),
    threshold: 1,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: thresholds.drillLostDays,
    treatMissingData: TreatMissingData.BREACHING,
  });
  return { name: "drill-lost", construct };
}
