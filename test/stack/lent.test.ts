// Every alarm of an app may publish, whatever the app lends to the watch and whatever it builds on it, and what is lent
// stays as it is.
import { type App, Stack } from "aws-cdk-lib";
import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { Alarm, type IAlarmAction, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { Bucket, BucketEncryption, type IBucket } from "aws-cdk-lib/aws-s3";
import { type ITopic, Topic, TopicPolicy } from "aws-cdk-lib/aws-sns";
import { SqsSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { type IQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { V1Watch, type V1WatchProps } from "../../lib/stack/v1-watch.ts";
import { deployable, everySubscription } from "./configuration.ts";
import { followAlarms, resolveApp, type Statement, templatesOf } from "./follow-alarms.ts";
import { createTestApp } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";

const everything = {
  ...deployable,
  aws: {
    subscriptions: everySubscription,
    drill: true,
    selfAlarmActions: ["arn:aws:sns:us-east-1:123456789012:on-call"],
    maxMonthlyUsd: 30,
  },
};
const noisy = { ...deployable, aws: { ...deployable.aws, alarms: { notify: "always" as const } } };

/** An alarm that the watch knows nothing of. */
function addAlarm(stack: Stack, id: string, topic: ITopic): void {
  const metric = new Metric({ namespace: "AnotherTeam", metricName: "Errors" });
  const alarm = new Alarm(stack, id, { metric, threshold: 1, evaluationPeriods: 1 });
  alarm.addAlarmAction(new SnsAction(topic) as IAlarmAction);
  alarm.addOkAction(new SnsAction(topic) as IAlarmAction);
}

const createWatch = (stack: Stack, props: Partial<V1WatchProps> = {}) =>
  new V1Watch(stack, "Watch", { config: deployable, ...props });

/** A customer's own alarms on what the watch returns. */
function addOwnAlarms(stack: Stack, { topic, watchTopic }: V1Watch): void {
  addAlarm(stack, "OnTopic", topic);
  addAlarm(stack, "OnWatchTopic", watchTopic);
}

type Build = (stack: Stack, app: App) => void;
const apps: Record<string, Build> = {
  "a watch with defaults": (stack) => void createWatch(stack),
  "a watch with everything": (stack) => void createWatch(stack, { config: everything }),
  "a watch whose alarms always notify": (stack) => void createWatch(stack, { config: noisy }),
  "own alarms on the topics of the watch": (stack) => addOwnAlarms(stack, createWatch(stack)),
  "an own topic, and an alarm of another team on it": (stack) => {
    const topic: ITopic = new Topic(stack, "Topic");
    addAlarm(stack, "AnotherTeam", topic);
    createWatch(stack, { topic, config: noisy });
  },
  "an own topic of another stack, which asks for alarms": (stack, app) => {
    const other = new Stack(app, "Shared");
    const topic: ITopic = new Topic(other, "Topic");
    addAlarm(other, "AnotherTeam", topic);
    createWatch(stack, { topic }).allowAlarms(topic);
  },
  "an own topic without a policy, which asks for alarms": (stack) => {
    const topic: ITopic = new Topic(stack, "Topic");
    addAlarm(stack, "AnotherTeam", topic);
    createWatch(stack, { topic }).allowAlarms(topic);
  },
  "an own encrypted topic, an alarm of another team on it, and its key admits alarms": (stack) => {
    const masterKey: IKey = new Key(stack, "Key");
    const topic: ITopic = new Topic(stack, "Topic", { masterKey });
    addAlarm(stack, "AnotherTeam", topic);
    createWatch(stack, { topic }).allowAlarms(masterKey);
  },
  "an own topic that enforces TLS, which asks for alarms": (stack) => {
    const topic: ITopic = new Topic(stack, "Topic", { enforceSSL: true });
    addAlarm(stack, "AnotherTeam", topic);
    createWatch(stack, { topic }).allowAlarms(topic);
  },
  "an own topic with a policy beside it, which asks for alarms": (stack) => {
    const topic: ITopic = new Topic(stack, "Topic");
    const policy = new TopicPolicy(stack, "Policy", { topics: [topic] });
    policy.document.addStatements(
      new PolicyStatement({
        principals: [new ServicePrincipal("events.amazonaws.com")],
        actions: ["sns:Publish"],
        resources: [topic.topicArn],
      }),
    );
    addAlarm(stack, "AnotherTeam", topic);
    createWatch(stack, { topic }).allowAlarms(topic);
  },
  "an own key, which asks for alarms, and own alarms": (stack) => {
    const encryptionKey: IKey = new Key(stack, "Key");
    const watch = createWatch(stack, { encryptionKey, config: noisy });
    watch.allowAlarms(encryptionKey);
    addOwnAlarms(stack, watch);
  },
  "an own encrypted bucket": (stack) => {
    const bucket = new Bucket(stack, "Bucket", { encryption: BucketEncryption.KMS }) as IBucket;
    createWatch(stack, { bucket });
  },
  "a topic of its own for all alarms, and an own queue for the alerts": (stack) => {
    const topic: ITopic = new Topic(stack, "OnCall");
    const watch = createWatch(stack, { alarmActions: [new SnsAction(topic) as IAlarmAction] });
    const queue = new Queue(stack, "Queue") as IQueue;
    watch.topic.addSubscription(new SqsSubscription(queue));
    watch.watchTopic.addSubscription(new SqsSubscription(queue));
  },
};

function build(name: string) {
  const app = createTestApp();
  const stack = new Stack(app, "Platform");
  apps[name]?.(stack, app);
  return templatesOf(app.synth());
}

test.each(Object.keys(apps))(
  "Every alarm may publish, every key may be used and every subscription is reached, in an app with %s",
  (name) => {
    const { paths, refusals } = followAlarms(resolveApp(build(name)));
    expect(paths.length).toBeGreaterThan(10);
    expect(refusals).toEqual([]);
  },
);

test("A statement for a service that is taken away is a refusal", () => {
  const resources = resolveApp(build("a watch with everything"));
  const found = Object.values(resources).flatMap(({ Properties = {} }) => {
    const statements: Statement[] = (Properties.PolicyDocument ?? Properties.KeyPolicy)?.Statement ?? [];
    const forServices = statements.filter(({ Principal }) =>
      JSON.stringify(Principal ?? "").match(/(cloudwatch|sns)\.amazonaws/),
    );
    return forServices.map((statement) => ({ statements, statement }));
  });
  expect(found.length).toBeGreaterThan(0);
  for (const { statements, statement } of found) {
    const index = statements.indexOf(statement);
    statements.splice(index, 1);
    expect(followAlarms(resources).refusals.length, JSON.stringify(statement)).toBeGreaterThan(0);
    statements.splice(index, 0, statement);
  }
});

describe("what is lent", () => {
  /** Everything that an app can lend, in a stack of its own. */
  function createLent(app: App) {
    const stack = new Stack(app, "Lent");
    const encryptionKey: IKey = new Key(stack, "Key");
    const topic: ITopic = new Topic(stack, "Topic", { masterKey: encryptionKey });
    const bucket = new Bucket(stack, "Bucket", { encryption: BucketEncryption.KMS }) as IBucket;
    return { stack, props: { encryptionKey, topic, bucket } };
  }
  const resourcesOf = (stack: Stack) => Template.fromStack(stack).toJSON().Resources;

  test("What is lent stays as it is: topic, key and bucket have the same template without a watch", () => {
    const app = createTestApp();
    const { stack, props } = createLent(app);
    createWatch(new Stack(app, "Platform"), props);
    expect(resourcesOf(stack)).toEqual(resourcesOf(createLent(createTestApp()).stack));
  });

  const warningsOf = (use: (stack: Stack) => void) => {
    const stack = new Stack(createTestApp(), "Platform");
    use(stack);
    const found = Annotations.fromStack(stack).findWarning(
      "*",
      Match.stringLikeRegexp("cloudwatch\\.amazonaws"),
    );
    return found.map(({ entry }) => String(entry.data).replace(/ Call .*| Where .*/, ""));
  };

  test("A policy that refuses alarms is a warning at the synthesis, until allowAlarms is called", () => {
    const lend = (isAsked: boolean) => (stack: Stack) => {
      const key: IKey = new Key(stack, "Key");
      const topic: ITopic = new Topic(stack, "Topic", { masterKey: key, enforceSSL: true });
      const watch = createWatch(stack, { topic });
      if (isAsked) for (const lent of [topic, key]) watch.allowAlarms(lent);
    };
    expect(warningsOf(lend(false))).toEqual([
      expect.stringContaining("the policy of the topic Platform/Topic does not admit"),
      expect.stringContaining("the policy of the key Platform/Key does not admit"),
    ]);
    expect(warningsOf(lend(true))).toEqual([]);
    expect(warningsOf((stack) => createWatch(stack, { topic: new Topic(stack, "Topic") }))).toEqual([]);
  });

  test("allowAlarms says that it cannot change what is imported", () => {
    const warnings = warningsOf((stack) => {
      const topic = Topic.fromTopicArn(stack, "Topic", "arn:aws:sns:eu-west-1:123456789012:topic");
      const key = Key.fromKeyArn(stack, "Key", "arn:aws:kms:eu-west-1:123456789012:key/1");
      const watch = createWatch(stack, { topic, encryptionKey: key });
      watch.allowAlarms(topic);
      watch.allowAlarms(key);
    });
    expect(warnings).toHaveLength(2);
    for (const warning of warnings) expect(warning).toContain("which is imported");
  });
});
