// How people hear of it: a topic for alerts about V1, one for CloudWatch's alarms, who subscribes to them, and where the
// undeliverable waits.
import { createHash } from "node:crypto";
import { Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { CfnSlackChannelConfiguration } from "aws-cdk-lib/aws-chatbot";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { CfnPermission } from "aws-cdk-lib/aws-lambda";
import {
  type ITopic,
  Subscription,
  SubscriptionFilter,
  type SubscriptionProps,
  SubscriptionProtocol,
  Topic,
  type TopicProps,
} from "aws-cdk-lib/aws-sns";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { addressOf, type Config, kindOf } from "../config/config.ts";
import { thresholds } from "../config/thresholds.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { admitAlarms, keyActions, warnOfLent } from "./lent.ts";
import { acknowledge, type WatchScope } from "./scope.ts";

export type Notifications = {
  /** Alerts about V1, from the assessment; and CloudWatch's alarms about V1. */
  topic: ITopic;
  /** CloudWatch's alarms, in CloudWatch's format and without message attributes. */
  watchTopic: ITopic;
  /** Of the topic of alerts. Undefined where an app brought a topic without one. */
  key: IKey | undefined;
};

type Target = Config["aws"]["subscriptions"][number];
type About = "v1" | "watch";

/** What an app brings along in place of what the watch would create. */
export type GivenNotifications = { topic?: ITopic | undefined; encryptionKey?: IKey | undefined };

export function createNotifications(
  scope: WatchScope,
  config: Config,
  given: GivenNotifications = {},
): Notifications {
  const lentKey = given.encryptionKey ?? given.topic?.masterKey;
  const key = lentKey ?? (given.topic ? undefined : createKey(scope));
  const topic = given.topic ?? createTopic(scope, "Alerts", { displayName: "v1watch", masterKey: key });
  const watchTopic = createTopic(scope, "Watch", { displayName: "v1watch alarms" });
  warnOfLent(scope, { topic: given.topic, key: lentKey });
  for (const target of config.aws.subscriptions) subscribe(scope, { v1: topic, watch: watchTopic }, target);
  return { topic, watchTopic, key };
}

function createTopic(
  scope: WatchScope,
  id: string,
  { displayName, masterKey }: { displayName: string; masterKey?: IKey | undefined },
): ITopic {
  const props = omitUndefined<TopicProps>({ displayName, masterKey, enforceSSL: true });
  const topic = new Topic(scope, id, props);
  topic.addToResourcePolicy(admitAlarms(scope, ["sns:Publish"], topic.topicArn));
  return topic;
}

function createKey(scope: WatchScope): IKey {
  const key = new Key(scope, "Key", {
    description: `${scope.prefix}: alerts at rest`,
    enableKeyRotation: true,
    // The longest there is: each rotation adds a dollar a month, and what is encrypted lives for two weeks at most.
    rotationPeriod: Duration.days(2_560),
    // Never kept: it encrypts only what is on its way.
    removalPolicy: RemovalPolicy.DESTROY,
    pendingWindow: Duration.days(7),
  });
  key.addToResourcePolicy(admitAlarms(scope, keyActions, "*"));
  return key;
}

const wants = ({ about = ["v1", "watch"] }: Target, topic: About) => about.includes(topic);

/** How many subscriptions the topic of alerts has when all are confirmed. */
export function countSubscriptions({ aws: { subscriptions, drill } }: Config): number {
  const wanted = subscriptions.filter((target) => wants(target, "v1"));
  const direct = wanted.filter((target) => !("slack" in target)).length;
  // All Slack channels share one subscription, which Amazon Q in chat makes.
  const slack = direct < wanted.length ? 1 : 0;
  return direct + slack + (drill ? 1 : 0);
}

/** Named by its address and not by its position: if one is removed, CloudFormation must not subscribe those after it again. */
function nameOf(target: Target): string {
  const hash = createHash("sha256").update(addressOf(target)).digest("hex");
  return `${kindOf(target)}-${hash.slice(0, 8)}`;
}

type Topics = Record<About, ITopic>;

/** Each has a queue of what could not be delivered; Slack has none, because Chatbot subscribes by itself. */
function subscribe(scope: WatchScope, topics: Topics, target: Target): void {
  const name = nameOf(target);
  const wanted = (["v1", "watch"] as const).filter((about) => wants(target, about));
  if ("slack" in target) {
    const arns = wanted.map((about) => topics[about].topicArn);
    addSlack(scope, { slack: target.slack, name, topicArns: arns });
    return;
  }
  const queue = createDeadLetters(scope, `undelivered-${name}`);
  const [protocol, endpoint] = endpointOf(target);
  for (const about of wanted) {
    const topic = topics[about];
    // The first one is called as it was when there was one topic.
    const id = about === "v1" ? name : `${name}-${about}`;
    const props = omitUndefined<SubscriptionProps>({
      topic,
      protocol,
      endpoint,
      deadLetterQueue: queue,
      rawMessageDelivery: "rawDelivery" in target ? target.rawDelivery : undefined,
      // CloudWatch's messages have no attributes: a filter would hold all of them back.
      filterPolicy: about === "v1" ? filterOf(target.filterPolicy) : undefined,
    });
    new Subscription(scope, id, props);
    if ("lambda" in target) {
      new CfnPermission(scope, `invoke-${id}`, {
        action: "lambda:InvokeFunction",
        functionName: target.lambda,
        principal: "sns.amazonaws.com",
        sourceArn: topic.topicArn,
      });
    }
  }
}

type Direct = Exclude<Target, { slack: unknown }>;

const filterOf = (policy: Direct["filterPolicy"]): Record<string, SubscriptionFilter> | undefined =>
  policy &&
  Object.fromEntries(
    Object.entries(policy).map(([name, allowlist]) => [name, SubscriptionFilter.stringFilter({ allowlist })]),
  );

function endpointOf(target: Direct): [SubscriptionProtocol, string] {
  if ("email" in target) return [SubscriptionProtocol.EMAIL, target.email];
  if ("https" in target) return [SubscriptionProtocol.HTTPS, target.https];
  if ("sqs" in target) return [SubscriptionProtocol.SQS, target.sqs];
  return [SubscriptionProtocol.LAMBDA, target.lambda];
}

type Slack = {
  slack: Extract<Target, { slack: unknown }>["slack"];
  name: string;
  topicArns: string[];
};

function addSlack(scope: WatchScope, { slack, name, topicArns }: Slack): void {
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
    snsTopicArns: topicArns,
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
