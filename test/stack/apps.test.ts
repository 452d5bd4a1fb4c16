// Three typical apps, each as a list of what CloudFormation would create: a changed id, and a changed property that makes
// CloudFormation create a resource anew, are seen in a review. `npx vitest run test/stack/apps.test.ts -u` writes the lists.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { type IVpc, Vpc } from "aws-cdk-lib/aws-ec2";
import { type IKey, Key } from "aws-cdk-lib/aws-kms";
import { Bucket, type IBucket } from "aws-cdk-lib/aws-s3";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { expect, test } from "vitest";
import { V1Watch, V1WatchStack } from "../../lib/stack/v1-watch.ts";
import { deployable, everySubscription } from "./configuration.ts";
import { createTestApp, type Resources } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";

/** What names a resource, or replaces it when it changes. */
const replacing: Record<string, string[]> = {
  "AWS::Chatbot::SlackChannelConfiguration": ["ConfigurationName"],
  "AWS::CloudWatch::Alarm": ["AlarmName"],
  "AWS::CloudWatch::CompositeAlarm": ["AlarmName"],
  "AWS::CloudWatch::Dashboard": ["DashboardName"],
  "AWS::DynamoDB::Table": ["TableName", "KeySchema"],
  "AWS::IAM::Role": ["RoleName", "Path"],
  "AWS::KMS::Key": ["KeySpec", "KeyUsage"],
  "AWS::Lambda::Function": ["FunctionName", "PackageType"],
  "AWS::Lambda::Permission": ["Action", "FunctionName", "Principal", "SourceArn"],
  "AWS::Logs::LogGroup": ["LogGroupName"],
  "AWS::Logs::QueryDefinition": ["Name"],
  "AWS::S3::Bucket": ["BucketName", "ObjectLockEnabled"],
  "AWS::SNS::Subscription": ["TopicArn", "Protocol", "Endpoint"],
  "AWS::SNS::Topic": ["TopicName", "FifoTopic"],
  "AWS::SQS::Queue": ["QueueName", "FifoQueue"],
  "AWS::SSM::Parameter": ["Name"],
  "AWS::Scheduler::Schedule": ["Name"],
  "AWS::Scheduler::ScheduleGroup": ["Name"],
};

const apps: Record<string, (app: App) => Stack> = {
  "a stack of its own": (app) => {
    const example = new URL("../../docs/aws/deploy.example.json", import.meta.url);
    return new V1WatchStack(app, "v1watch", { config: JSON.parse(readFileSync(example, "utf8")) });
  },
  "a part of a platform": (app) => {
    const stack = new Stack(app, "Platform");
    const encryptionKey: IKey = new Key(stack, "Key");
    const topic: ITopic = new Topic(stack, "OnCall", { masterKey: encryptionKey });
    const watch = new V1Watch(stack, "Watch", {
      config: { ...deployable, aws: { ...deployable.aws, alarms: { notify: "always" } } },
      topic,
      encryptionKey,
      bucket: new Bucket(stack, "Reports") as IBucket,
      vpc: new Vpc(stack, "Vpc") as IVpc,
    });
    watch.addAlarmAction(new SnsAction(topic));
    return stack;
  },
  "every kind of subscription": (app) =>
    new V1WatchStack(app, "v1watch", {
      config: { ...deployable, aws: { subscriptions: everySubscription, drill: true } },
    }),
};

function list(stack: Stack): string {
  const resources = Template.fromStack(stack).toJSON().Resources as Resources;
  const rows = Object.entries(resources).map(([id, { Type, Properties = {}, DeletionPolicy }]) => {
    const parts = (replacing[Type] ?? []).flatMap((name) =>
      Properties[name] === undefined ? [] : [`${name}=${JSON.stringify(Properties[name])}`],
    );
    return [id, Type, ...parts, ...(DeletionPolicy === undefined ? [] : [DeletionPolicy])].join(" ");
  });
  return `${rows.sort().join("\n")}\n`;
}

test.each(Object.entries(apps))(
  "The resources of an app with %s are those of the list",
  async (name, build) => {
    const file = join(import.meta.dirname, "..", "fixtures", "apps", `${name.replaceAll(" ", "-")}.txt`);
    await expect(list(build(createTestApp()))).toMatchFileSnapshot(file);
  },
);
