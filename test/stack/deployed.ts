// What must stay as it is when a deployment is upgraded: which resources there are, and the properties of each whose change makes
// CloudFormation create it anew.
import type { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { configure, everySubscription } from "./configuration.ts";
import { buildWatch, type Resources } from "./synthesis.ts";

/** By the reference of each type; other types hold nothing that an upgrade could lose. */
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

/** Configurations by a name: the least that can be deployed, and one with every kind of subscription. */
export const forms: Record<string, object> = {
  "the least": {},
  everything: {
    aws: {
      subscriptions: everySubscription,
      drill: true,
    },
  },
};

/** A resource by its logical id: its type, and the properties that replace it. */
export type Deployed = Record<string, unknown[]>;

export function readDeployed(app: App, form: string): Deployed {
  const stack = buildWatch(app, configure(forms[form]));
  const resources = Template.fromStack(stack).toJSON().Resources as Resources;
  return Object.fromEntries(
    Object.entries(resources).flatMap(([id, { Type, Properties }]) => {
      const names = replacing[Type];
      return names ? [[id, [Type, ...names.map((name) => Properties[name] ?? null)]]] : [];
    }),
  );
}
