// What is built: encrypted, private, bounded in time, with a place for what fails.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validations } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks, NIST80053R5Checks, ServerlessChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import { tableShape } from "../../lib/aws/table-shape.ts";
import { configure, everySubscription } from "./configuration.ts";
import { buildWatch, createTestApp, named, ofType, type Resources, synthesise } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
const { resources, outputs } = synthesise(configure());
const only = (type: string, from = resources) => {
  const found = ofType(from, type);
  expect(found).toHaveLength(1);
  return found[0]?.Properties ?? {};
};

const everything = {
  subscriptions: everySubscription,
  drill: true,
  maxMonthlyUsd: 20,
};

/** With the validation of CDK itself and all of cdk-nag's AwsSolutions: a finding makes the synthesis fail. */
function synthesiseChecked(): Resources {
  process.env.CDK_VALIDATION = "true";
  try {
    const app = createTestApp();
    const stack = buildWatch(app, configure({ aws: { ...everything, removal: "destroy" } }));
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    app.synth();
    return Template.fromStack(stack).toJSON().Resources as Resources;
  } finally {
    process.env.CDK_VALIDATION = "false";
  }
}
const full = synthesiseChecked();

describe("the store", () => {
  test("The table has the expected keys and indexes, on-demand billing, point-in-time recovery and a TTL", () => {
    const table = only("AWS::DynamoDB::Table");
    const keys = (first: string, second: string) => [
      { AttributeName: first, KeyType: "HASH" },
      { AttributeName: second, KeyType: "RANGE" },
    ];
    expect(table).toMatchObject({
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keys(tableShape.partitionKey, tableShape.sortKey),
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: tableShape.timeToLive, Enabled: true },
    });
    expect(table.GlobalSecondaryIndexes).toEqual(
      Object.values(tableShape.indexes).map(({ name, partitionKey, sortKey, projection, included }) => ({
        IndexName: name,
        KeySchema: keys(partitionKey, sortKey),
        Projection: {
          ProjectionType: projection,
          ...(included.length > 0 && { NonKeyAttributes: included }),
        },
      })),
    );
  });

  test("The bucket is private, encrypted, versioned, and expires its objects", () => {
    expect(only("AWS::S3::Bucket")).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
      },
      VersioningConfiguration: { Status: "Enabled" },
      LifecycleConfiguration: {
        Rules: [
          { Status: "Enabled", ExpirationInDays: 400, NoncurrentVersionExpiration: { NoncurrentDays: 30 } },
        ],
      },
    });
  });

  test('By default the data is retained when the stack is deleted, and with removal "destroy" nothing is', () => {
    const kept = ["AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::Logs::LogGroup"];
    for (const type of kept) {
      expect(ofType(resources, type).length, type).toBeGreaterThan(0);
      for (const { DeletionPolicy } of ofType(resources, type))
        expect(DeletionPolicy, type).toBe("RetainExceptOnCreate");
      for (const { DeletionPolicy } of ofType(full, type)) expect(DeletionPolicy, type).toBe("Delete");
    }
    for (const { Type, DeletionPolicy = "" } of Object.values(full))
      expect(DeletionPolicy, Type).not.toMatch(/^Retain/);
  });

  test("A first deployment that is rolled back leaves nothing: no resource is retained or protected then", () => {
    for (const { Type, DeletionPolicy = "Delete" } of Object.values(resources))
      expect(DeletionPolicy, Type).toMatch(/^(?:Delete|RetainExceptOnCreate)$/);
    expect(only("AWS::DynamoDB::Table").DeletionProtectionEnabled).not.toBe(true);
    expect(ofType(resources, "AWS::KMS::Key").map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([
      "Delete",
    ]);
  });
});

describe("notifications", () => {
  test("The topic, the bucket and the queues refuse requests without TLS", () => {
    for (const type of ["AWS::SNS::TopicPolicy", "AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"]) {
      expect(ofType(full, type).length, type).toBeGreaterThan(0);
      for (const { Properties } of ofType(full, type)) {
        const denied = Properties.PolicyDocument.Statement.filter(
          (statement: { Effect: string }) => statement.Effect === "Deny",
        );
        expect(JSON.stringify(denied), type).toContain('"aws:SecureTransport":"false"');
      }
    }
  });

  test("Alerts are encrypted with a key of our own, which is rotated; the topic of alarms does not depend on it", () => {
    const topics = ofType(resources, "AWS::SNS::Topic").map(({ Properties }) => Properties);
    expect(
      topics.map(({ DisplayName, KmsMasterKeyId }) => [DisplayName, KmsMasterKeyId !== undefined]),
    ).toEqual([
      ["v1watch", true],
      ["v1watch alarms", false],
    ]);
    expect(only("AWS::KMS::Key").EnableKeyRotation).toBe(true);
  });

  test("Every subscription of the configuration is there, each with a dead-letter queue of its own", () => {
    const own = ofType(full, "AWS::SNS::Subscription").filter(({ Properties }) => !Properties.FilterPolicy);
    // One for each topic.
    const protocols = ["email", "https", "sqs", "lambda"];
    expect(own.map(({ Properties }) => Properties.Protocol)).toEqual(
      protocols.flatMap((name) => [name, name]),
    );
    const queues = own.map(({ Properties }) => JSON.stringify(Properties.RedrivePolicy.deadLetterTargetArn));
    expect(new Set(queues).size).toBe(4);
    expect(only("AWS::Chatbot::SlackChannelConfiguration", full)).toMatchObject({
      SlackWorkspaceId: "T0123ABCD",
      SlackChannelId: "C0123ABCD",
    });
    const permissions = ofType(full, "AWS::Lambda::Permission");
    expect(permissions).toHaveLength(2);
    for (const { Properties } of permissions) expect(Properties.Principal).toBe("sns.amazonaws.com");
  });

  test("Removing a subscription does not change the others", () => {
    const [first, ...rest] = everything.subscriptions;
    const ids = (subscriptions: object[]) =>
      Object.entries(synthesise(configure({ aws: { ...everything, subscriptions } })).resources)
        .filter(([, { Type }]) => /Subscription|Permission|Slack|SQS::Queue$|CloudWatch::Alarm/.test(Type))
        .map(([id, { Properties }]) => `${id} ${JSON.stringify(Properties)}`);
    expect(first).toBeDefined();
    const before = ids(everything.subscriptions);
    for (const id of ids(rest)) expect(before).toContain(id);
    // A queue and two subscriptions.
    expect(ids(rest)).toHaveLength(before.length - 3);
    expect(ids([...everything.subscriptions].reverse()).sort()).toEqual(before.sort());
  });

  test("A subscription gets what it is about, filtered and raw as it wants it", () => {
    const queue = "arn:aws:sqs:us-east-1:123456789012:alerts";
    const hook = "https://hooks.example.com/v1watch";
    const filterPolicy = { severity: ["page"] };
    const { resources: chosen } = synthesise(
      configure({
        aws: {
          subscriptions: [
            { email: "team@example.com", about: ["watch"] },
            { sqs: queue, about: ["v1"], rawDelivery: true },
            { https: hook, filterPolicy, rawDelivery: true },
            { slack: { workspaceId: "T0123ABCD", channelId: "C0123ABCD" }, about: ["watch"] },
          ],
        },
      }),
    );
    const found = ofType(chosen, "AWS::SNS::Subscription").map(({ Properties }) => [
      Properties.Endpoint,
      Properties.TopicArn.Ref.replace(/[0-9A-F]{8}$/, ""),
      Properties.FilterPolicy,
      Properties.RawMessageDelivery,
    ]);
    expect(found).toEqual([
      ["team@example.com", "Watch", undefined, undefined],
      [queue, "Alerts", undefined, true],
      [hook, "Alerts", filterPolicy, true],
      // Who filters for pages still learns that the monitor is dead.
      [hook, "Watch", undefined, true],
    ]);
    const [slack] = ofType(chosen, "AWS::Chatbot::SlackChannelConfiguration");
    expect(slack?.Properties.SnsTopicArns).toEqual([{ Ref: expect.stringMatching(/^Watch/) }]);
    // The assessment counts those of its own topic.
    const assess = named(chosen, "AWS::Lambda::Function", "FunctionName", "v1watch-assess");
    expect(assess.Properties.Environment.Variables.SUBSCRIPTIONS).toBe("2");
  });

  test("Every queue is encrypted", () => {
    for (const { Properties } of ofType(full, "AWS::SQS::Queue"))
      expect(Properties.SqsManagedSseEnabled).toBe(true);
  });
});

describe("functions and schedules", () => {
  const functions = ofType(resources, "AWS::Lambda::Function");

  test("There are five functions on Node 24 and arm64, without reserved concurrency", () => {
    expect(functions.map(({ Properties }) => Properties.FunctionName).sort()).toEqual([
      "v1watch-assess",
      "v1watch-probe-passport",
      "v1watch-probe-passport-credentials",
      "v1watch-probe-passport-list",
      "v1watch-report",
    ]);
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        LoggingConfig: { LogFormat: "JSON", SystemLogLevel: "WARN" },
      });
      expect(Properties.ReservedConcurrentExecutions).toBeUndefined();
    }
  });

  test("The assessment gets the number of subscriptions that the topic should have", () => {
    const of = (from: Resources) =>
      ofType(from, "AWS::Lambda::Function")
        .map(({ Properties }) => Properties.Environment.Variables.SUBSCRIPTIONS)
        .filter(Boolean);
    expect(of(resources)).toEqual(["1"]);
    // The drill has a subscription of its own.
    expect(of(full)).toEqual(["6"]);
    const slack = ["C0123ABCD", "C0123ABCE"].map((channelId) => ({
      slack: { workspaceId: "T0123ABCD", channelId },
    }));
    // Amazon Q in chat subscribes once for all channels.
    expect(of(synthesise(configure({ aws: { subscriptions: slack } })).resources)).toEqual(["1"]);
  });

  test("No function's environment holds a key, and the probers differ in their endpoint only", () => {
    const probes = functions
      .map(({ Properties }) => Properties.Environment.Variables)
      .filter((v) => v.ENDPOINT);
    expect(probes.map(({ ENDPOINT }) => ENDPOINT).sort()).toEqual([
      "passport",
      "passport-credentials",
      "passport-list",
    ]);
    expect(new Set(probes.map((variables) => JSON.stringify({ ...variables, ENDPOINT: "" }))).size).toBe(1);
    expect(JSON.parse(probes[0].SETTINGS).key).toEqual({ ssm: "/v1watch/key" });
  });

  test("Every log group has a retention", () => {
    const logs = ofType(resources, "AWS::Logs::LogGroup");
    expect(logs).toHaveLength(functions.length);
    for (const { Properties } of logs) expect(Properties.RetentionInDays).toBe(30);
  });

  test("Schedules are in UTC, pass the tick, and retry for five minutes", () => {
    const schedules = ofType(full, "AWS::Scheduler::Schedule").map(({ Properties }) => Properties);
    expect(schedules).toHaveLength(6);
    for (const { Target, ...schedule } of schedules) {
      expect(schedule.ScheduleExpressionTimezone).toBe("UTC");
      expect(JSON.parse(Target.Input).tick).toBe("<aws.scheduler.scheduled-time>");
      expect(Target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 3 });
      expect(schedule.State).toBe("ENABLED");
    }
    const expressions = Object.fromEntries(
      schedules.map(({ Name, ScheduleExpression }) => [Name, ScheduleExpression]),
    );
    expect(expressions).toEqual({
      "v1watch-probe-passport-list": "cron(* * * * ? *)",
      "v1watch-probe-passport": "cron(* * * * ? *)",
      "v1watch-probe-passport-credentials": "cron(* * * * ? *)",
      "v1watch-assess": "rate(5 minutes)",
      "v1watch-report": "cron(10 6 ? * MON *)",
      "v1watch-drill": "rate(6 days)",
    });
    const minutes = schedules.map(({ Name, FlexibleTimeWindow: { Mode, MaximumWindowInMinutes } }) => {
      expect(Mode, Name).toBe("FLEXIBLE");
      return [Name.replace("v1watch-", ""), MaximumWindowInMinutes];
    });
    expect(Object.fromEntries(minutes)).toMatchObject({ "probe-passport": 1, assess: 1, report: 60 });
  });

  test("A lost drill raises an alarm, and only drills reach its queue", () => {
    const drill = ofType(full, "AWS::SNS::Subscription").find(({ Properties }) => Properties.FilterPolicy);
    expect(drill?.Properties.FilterPolicy).toEqual({ event: ["drill"] });
    expect(named(full, "AWS::CloudWatch::Alarm", "AlarmName", "v1watch-drill-lost").Properties).toMatchObject(
      { TreatMissingData: "breaching", ComparisonOperator: "LessThanThreshold", Threshold: 1 },
    );
  });
});

test("The stack outputs are bucket, dashboard, table and topics", () => {
  expect(outputs.sort()).toEqual(["BucketName", "DashboardUrl", "TableName", "TopicArn", "WatchTopicArn"]);
});

test("The stack is tagged", () => {
  const app = createTestApp();
  buildWatch(app, configure());
  expect(app.synth().stacks[0]?.tags).toEqual({ application: "v1watch", stack: "v1watch" });
});

test.each([
  ["Serverless", ServerlessChecks],
  ["NIST", NIST80053R5Checks],
])("What cdk-nag's pack %s finds is explained in docs/aws/operate.md", (name, Pack) => {
  process.env.CDK_VALIDATION = "true";
  try {
    const app = createTestApp();
    buildWatch(app, configure());
    Validations.of(app).addPlugins(new Pack(app));
    expect(() => app.synth()).toThrow();
    const report = readFileSync(join(app.outdir, "validation-report.json"), "utf8");
    const found = new Set([...report.matchAll(/"ruleName": *"[\w.-]+-(\w+)"/g)].map(([, rule]) => rule));
    expect(found.size).toBeGreaterThan(3);
    const docs = readFileSync(new URL("../../docs/aws/operate.md", import.meta.url), "utf8");
    const rows = docs.split("\n").filter((line) => line.startsWith("| ") && line.includes(`${name}:`));
    for (const rule of found) expect(rows.join("\n"), rule).toContain(`\`${rule}\``);
  } finally {
    process.env.CDK_VALIDATION = "false";
  }
});
