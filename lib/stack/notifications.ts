// How people hear of it: one encrypted topic, who subscribes to it, and where the undeliverable waits.
import { createHash } from "node:crypto";
import { ArnFormat, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { CfnSlackChannelConfiguration } from "aws-cdk-lib/aws-chatbot";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { CfnPermission } from "aws-cdk-lib/aws-lambda";
import { Subscription, SubscriptionProtocol, Topic } from "aws-cdk-lib/aws-sns";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Config } from "../config/config.ts";
import { thresholds } from "../config/thresholds.ts";
import { acknowledge, type WatchScope } from "./scope.ts";

/** `undelivered`: by the names of the subscriptions. */
export type Notifications = { topic: Topic; key: Key; undelivered: { name: string; queue: Queue }[] };

type Target = Config["aws"]["subscriptions"][number];

export function createNotifications(scope: WatchScope, config: Config): Notifications {
  const stack = Stack.of(scope);
  const key = new Key(scope, "Key", {
    description: `${scope.prefix}: alerts at rest`,
    enableKeyRotation: true,
    // The longest there is: each rotation adds a dollar a month, and what is encrypted lives for two weeks at most.
    rotationPeriod: Duration.days(2_560),
    // Never kept: it encrypts only what is on its way.
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: Duration.days(7),
  });
  const topic = new Topic(scope, "Alerts", { displayName: "v1watch", masterKey: key, enforceSSL: true });
  // CloudWatch cannot use the key that AWS keeps for SNS, so it is let in here, for our own alarms only.
  const cloudWatch = {
    principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
    conditions: {
      StringEquals: { "aws:SourceAccount": stack.account },
      ArnLike: {
        "aws:SourceArn": stack.formatArn({
          service: "cloudwatch",
          resource: "alarm",
          resourceName: `${scope.prefix}-*`,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      },
    },
  };
  key.addToResourcePolicy(
    new PolicyStatement({ ...cloudWatch, actions: ["kms:Decrypt", "kms:GenerateDataKey"], resources: ["*"] }),
  );
  topic.addToResourcePolicy(
    new PolicyStatement({ ...cloudWatch, actions: ["sns:Publish"], resources: [topic.topicArn] }),
  );
  const undelivered = config.aws.subscriptions.flatMap((target) => subscribe(scope, topic, target));
  return { topic, key, undelivered };
}

/** How many subscriptions the topic has when all are confirmed. */
export function countSubscriptions({ aws: { subscriptions, drill } }: Config): number {
  const direct = subscriptions.filter((target) => !("slack" in target)).length;
  // All Slack channels share one subscription, which Amazon Q in chat makes.
  const slack = direct < subscriptions.length ? 1 : 0;
  return direct + slack + (drill ? 1 : 0);
}

/** By what it is and not by its place: CloudFormation would subscribe anew whatever follows one that is taken out. */
function nameOf(target: Target): string {
  const hash = createHash("sha256").update(JSON.stringify(target)).digest("hex");
  return `${Object.keys(target)[0]}-${hash.slice(0, 8)}`;
}

/** The queue of what could not be delivered; Slack has none, because Chatbot subscribes by itself. */
function subscribe(scope: WatchScope, topic: Topic, target: Target): Notifications["undelivered"] {
  const name = nameOf(target);
  if ("slack" in target) {
    addSlack(scope, topic, target.slack, name);
    return [];
  }
  const queue = createDeadLetters(scope, `undelivered-${name}`);
  const [protocol, endpoint] = endpointOf(target);
  new Subscription(scope, name, { topic, protocol, endpoint, deadLetterQueue: queue });
  if ("lambda" in target) {
    new CfnPermission(scope, `invoke-${name}`, {
      action: "lambda:InvokeFunction",
      functionName: target.lambda,
      principal: "sns.amazonaws.com",
      sourceArn: topic.topicArn,
    });
  }
  return [{ name, queue }];
}

function endpointOf(target: Exclude<Target, { slack: unknown }>): [SubscriptionProtocol, string] {
  if ("email" in target) return [SubscriptionProtocol.EMAIL, target.email];
  if ("https" in target) return [SubscriptionProtocol.HTTPS, target.https];
  if ("sqs" in target) return [SubscriptionProtocol.SQS, target.sqs];
  return [SubscriptionProtocol.LAMBDA, target.lambda];
}

type Slack = Extract<Target, { slack: unknown }>["slack"];

function addSlack(scope: WatchScope, topic: Topic, slack: Slack, name: string): void {
  const stack = Stack.of(scope);
  const role = new Role(scope, `role-${name}`, {
    assumedBy: new ServicePrincipal("chatbot.amazonaws.com"),
    description: "Has no permissions: the channel receives notifications only.",
  });
  new CfnSlackChannelConfiguration(scope, name, {
    // With the region: the names belong to the whole account.
    configurationName: `${scope.prefix}-${stack.region}-${slack.channelId}`,
    slackWorkspaceId: slack.workspaceId,
    slackChannelId: slack.channelId,
    iamRoleArn: role.roleArn,
    guardrailPolicies: [`arn:${stack.partition}:iam::aws:policy/AWSDenyAll`],
    loggingLevel: "ERROR",
    snsTopicArns: [topic.topicArn],
  });
}

export function createDeadLetters(scope: WatchScope, id: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(thresholds.deadLetterDays),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(
    queue,
    "AwsSolutions-SQS3",
    "It is a dead-letter queue itself, and an alarm counts what it gets.",
  );
  return queue;
}
