// An upgrade of a deployment: nothing that holds data, and no subscription, is replaced or removed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../local/temporary-folder.ts";
import { configure } from "./configuration.ts";
import { buildWatch, createTestApp, type Resource, type Resources } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
const everything = {
  subscriptions: [
    { email: "team@example.com" },
    { https: "https://hooks.example.com/v1watch" },
    { sqs: "arn:aws:sqs:us-east-1:123456789012:alerts" },
    { lambda: "arn:aws:lambda:us-east-1:123456789012:function:alerts" },
    { slack: { workspaceId: "T0123ABCD", channelId: "C0123ABCD" } },
  ],
  drill: true,
};
/** Cut out of the templates of version 0.1.0, without code, environments and policies. */
const read = (name: string): Resources =>
  JSON.parse(readFileSync(new URL(`../fixtures/templates/${name}.json`, import.meta.url), "utf8"));

/** A change of one of these makes CloudFormation create the resource anew, by the reference of each type. */
const replacing: Record<string, string[]> = {
  "AWS::DynamoDB::Table": ["TableName", "KeySchema", "LocalSecondaryIndexes", "ImportSourceSpecification"],
  "AWS::S3::Bucket": ["BucketName", "ObjectLockEnabled"],
  "AWS::SNS::Topic": ["TopicName", "FifoTopic"],
  "AWS::SNS::Subscription": ["TopicArn", "Protocol", "Endpoint"],
  "AWS::SQS::Queue": ["QueueName", "FifoQueue"],
  "AWS::KMS::Key": ["KeySpec", "KeyUsage"],
  "AWS::Chatbot::SlackChannelConfiguration": ["ConfigurationName"],
  "AWS::Lambda::Function": ["FunctionName", "PackageType"],
  "AWS::Scheduler::Schedule": ["Name"],
  "AWS::CloudWatch::Dashboard": ["DashboardName"],
};
const decisive = ({ Type, Properties }: Resource) => [
  Type,
  ...(replacing[Type] ?? []).map((name) => Properties[name]),
];

const flags: Record<string, unknown> = createRequire(import.meta.url)(
  "aws-cdk-lib/recommended-feature-flags.json",
);
const apps = {
  "an app without feature flags": () => createTestApp(),
  "an app with those of cdk init": () =>
    new App({ outdir: makeFolder(), context: { ...flags, "aws:cdk:bundling-stacks": [] } }),
};

describe.each(Object.entries(apps))("in %s", (_app, createApp) => {
  test.each([
    ["0.1.0", {}],
    ["0.1.0-everything", { aws: everything }],
  ])("an upgrade from %s replaces and removes no resource", (name, change) => {
    const before = read(name);
    const after = Template.fromStack(buildWatch(createApp(), configure(change))).toJSON()
      .Resources as Resources;
    expect(Object.keys(before).length).toBeGreaterThan(15);
    for (const [id, resource] of Object.entries(before)) {
      expect(after[id], id).toBeDefined();
      expect(decisive(after[id]!), id).toEqual(decisive(resource));
    }
  });
});

test("only the subscriptions of the new topic have to be confirmed", () => {
  const ofSubscriptions = (resources: Resources) =>
    Object.entries(resources).filter(([, { Type }]) => Type === "AWS::SNS::Subscription");
  const before = read("0.1.0-everything");
  const after = Template.fromStack(buildWatch(createTestApp(), configure({ aws: everything }))).toJSON()
    .Resources as Resources;
  const added = ofSubscriptions(after).filter(([id]) => !(id in before));
  expect(added.map(([, { Properties }]) => Properties.Protocol)).toEqual(["email", "https", "sqs", "lambda"]);
  for (const [, { Properties }] of added) expect(Properties.TopicArn.Ref).toMatch(/^Watch/);
});

test("what a subscription wants to get does not make it another one", () => {
  const idsOf = (target: object) =>
    Object.keys(
      Template.fromStack(
        buildWatch(
          createTestApp(),
          configure({ aws: { subscriptions: [{ email: "team@example.com", ...target }] } }),
        ),
      ).findResources("AWS::SNS::Subscription"),
    );
  const [first] = idsOf({});
  expect(idsOf({ about: ["v1"] })).toEqual([first]);
  expect(idsOf({ filterPolicy: { severity: ["page"] } })).toEqual(idsOf({}));
});
