// Every alarm of an app may publish, whatever the app lends to the watch and whatever it builds on it, and what is lent
// stays as it is.
import { type App, Fn, Stack } from "aws-cdk-lib";
import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { Alarm, type IAlarmAction, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { type CfnKey, type IKey, Key } from "aws-cdk-lib/aws-kms";
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

/** The owner's stack in one account, and a watch in another that knows only ARNs, as if the two had never met. */
function lendFromAnotherAccount(app: App, isAdmitted: boolean): V1Watch {
  const region = "eu-west-1";
  const owner = new Stack(app, "Owner", { env: { account: "999999999999", region } });
  const masterKey = new Key(owner, "Key");
  const topic = new Topic(owner, "Topic", { topicName: "on-call", masterKey: masterKey as IKey });
  const stack = new Stack(app, "Watcher", { env: { account: "123456789012", region } });
  const watch = createWatch(stack, {
    config: noisy,
    topic: Topic.fromTopicArn(stack, "Shared", `arn:aws:sns:${region}:999999999999:on-call`),
    encryptionKey: Key.fromKeyArn(
      stack,
      "SharedKey",
      `arn:aws:kms:${region}:999999999999:key/Owner-${owner.getLogicalId(masterKey.node.defaultChild as CfnKey)}`,
    ),
  });
  if (isAdmitted) {
    for (const statement of watch.topicPolicyStatements()) topic.addToResourcePolicy(statement);
    for (const statement of watch.keyPolicyStatements()) masterKey.addToResourcePolicy(statement);
  }
  return watch;
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
  "a topic and a key of another account, whose owner adds the statements of the watch": (_stack, app) =>
    lendFromAnotherAccount(app, true),
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

describe("a topic of somebody else", () => {
  const env = { account: "123456789012", region: "eu-west-1" };
  const createStack = () => new Stack(createTestApp(), "Platform", { env });
  const arn = (region: string, account: string, name = "on-call") =>
    `arn:aws:sns:${region}:${account}:${name}`;
  const imported = (stack: Stack, topicArn: string) => Topic.fromTopicArn(stack, "Shared", topicArn);
  const warningsOf = (stack: Stack) =>
    Annotations.fromStack(stack)
      .findWarning("*", Match.stringLikeRegexp("Its owner|its owner"))
      .map(({ entry }) => String(entry.data));

  test("Without the owner's statements neither an alarm nor the assessment gets through to a topic of another account", () => {
    const app = createTestApp();
    lendFromAnotherAccount(app, false);
    const { refusals } = followAlarms(resolveApp(templatesOf(app.synth())));
    for (const part of [":alarm:", ":role/"])
      expect(
        refusals.filter((one) => one.includes(part)).length,
        refusals.join("\n").slice(0, 2_000),
      ).toBeGreaterThan(0);
  });

  test("Each of the owner's statements is needed, and they name the watch's own alarms and account only", () => {
    const app = createTestApp();
    const watch = lendFromAnotherAccount(app, true);
    const resources = resolveApp(templatesOf(app.synth()));
    const others = Object.entries(resources).filter(([name]) => name.includes("999999999999"));
    const documents = [
      ...Object.values(resources).filter(({ Type }) => Type === "AWS::SNS::TopicPolicy"),
      ...others.map(([, resource]) => resource),
    ].flatMap(({ Properties }) => Properties.PolicyDocument ?? Properties.KeyPolicy ?? []);
    const added = documents.flatMap(({ Statement }: { Statement: Statement[] }) =>
      Statement.filter((one) => JSON.stringify(one).includes("123456789012")).map((one) => ({
        Statement,
        one,
      })),
    );
    const ofOwner = added.filter(({ one }) => JSON.stringify(one).match(/999999999999:on-call|kms:Decrypt/));
    expect(ofOwner.length).toBeGreaterThanOrEqual(4);
    for (const { Statement, one } of ofOwner) {
      const text = JSON.stringify(one);
      if (text.includes("cloudwatch")) expect(text).toContain(`alarm:${watch.prefix}-*`);
      else expect(text).toContain("arn:aws:iam::123456789012:root");
      const index = Statement.indexOf(one);
      Statement.splice(index, 1);
      expect(followAlarms(resources).refusals.length, text).toBeGreaterThan(0);
      Statement.splice(index, 0, one);
    }
  });

  test("A topic of another region and a FIFO topic stop the synthesis with the remedy, lent or as an action", () => {
    const lend = (topicArn: string) => () => {
      const stack = createStack();
      createWatch(stack, { topic: imported(stack, topicArn) });
    };
    const act = (topicArn: string) => () => {
      const stack = createStack();
      createWatch(stack, { alarmActions: [new SnsAction(imported(stack, topicArn)) as IAlarmAction] });
    };
    for (const use of [lend, act]) {
      const elsewhere = /is in us-east-1, and the watch in eu-west-1.*Use one in eu-west-1/;
      expect(use(arn("us-east-1", env.account))).toThrow(elsewhere);
      expect(use(arn("us-east-1", "999999999999"))).toThrow(elsewhere);
      expect(use(arn("eu-west-1", env.account, "on-call.fifo"))).toThrow(/FIFO topic.*standard topics/);
      expect(use(arn("eu-west-1", env.account))).not.toThrow();
    }
    const fifo = (isLent: boolean) => () => {
      const stack = createStack();
      const topic: ITopic = new Topic(stack, "Fifo", { fifo: true, topicName: "x.fifo" });
      const given = isLent ? { topic } : { alarmActions: [new SnsAction(topic) as IAlarmAction] };
      createWatch(stack, given);
    };
    for (const isLent of [true, false]) expect(fifo(isLent)).toThrow(/Platform\/Fifo is a FIFO topic/);
  });

  test("A topic of another account, and one whose ARN only the deployment knows, are warnings that name the statements", () => {
    const warn = (topicArn: string) => {
      const stack = createStack();
      createWatch(stack, { topic: imported(stack, topicArn) });
      return warningsOf(stack);
    };
    expect(warn(arn("eu-west-1", "999999999999"))).toEqual([
      expect.stringMatching(/is of the account 999999999999.*topicPolicyStatements\(\)/),
    ]);
    expect(warn(Fn.importValue("on-call"))).toEqual([expect.stringMatching(/only the deployment knows/)]);
    expect(warn(arn("eu-west-1", env.account))).toEqual([]);
  });

  test("The owner's statements are refused where the stack has no account: they would name the owner's", () => {
    const watch = createWatch(new Stack(createTestApp(), "Platform"));
    expect(() => watch.topicPolicyStatements()).toThrow(/Give its stack an env/);
    expect(() => watch.keyPolicyStatements()).toThrow(/Give its stack an env/);
  });
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
