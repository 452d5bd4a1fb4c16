// Follows every message through the templates of an app as IAM would let it pass: alarm → topic → key → subscription, the
// assessment's alerts on the same way, and every role to the objects of an encrypted bucket. What is outside of the app
// cannot be seen and is left out.
import type { CloudAssembly } from "aws-cdk-lib/cx-api";
import type { Resource, Resources } from "./synthesis.ts";

const account = "123456789012";
const region = "eu-west-1";
/** Of a stack that does not name its own. */
const somewhere: Place = { account, region };

type Place = { account: string; region: string };
type Template = {
  place?: Place;
  Resources: Resources;
  Outputs?: Record<string, { Value: unknown; Export?: { Name: string } }>;
};

export type Statement = {
  Sid?: string;
  Effect: "Allow" | "Deny";
  Principal?: "*" | { AWS?: string | string[]; Service?: string | string[] };
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
};
type Document = { Statement: Statement[] };

/** Which paths there are, and which of them end at a policy. */
export type Followed = { paths: string[]; refusals: string[] };

// ------------------------------------------------------------------------------------------ what a template comes to
const arnPartsOf: Record<string, (name: string, place: Place) => string> = {
  "AWS::SNS::Topic": (name, { region, account }) => `sns:${region}:${account}:${name}`,
  "AWS::SQS::Queue": (name, { region, account }) => `sqs:${region}:${account}:${name}`,
  "AWS::KMS::Key": (name, { region, account }) => `kms:${region}:${account}:key/${name}`,
  "AWS::Lambda::Function": (name, { region, account }) => `lambda:${region}:${account}:function:${name}`,
  "AWS::IAM::Role": (name, { account }) => `iam::${account}:role/${name}`,
  "AWS::S3::Bucket": (name) => `s3:::${name.toLowerCase()}`,
  "AWS::CloudWatch::Alarm": (name, { region, account }) => `cloudwatch:${region}:${account}:alarm:${name}`,
  "AWS::CloudWatch::CompositeAlarm": (name, { region, account }) =>
    `cloudwatch:${region}:${account}:alarm:${name}`,
};

/** All resources of an app by ARN (or by stack and logical id), with every reference replaced by what it comes to. */
export function resolveApp(templates: Record<string, Template>): Resources {
  const exported = new Map<string, () => unknown>();
  const resolveIn = (stack: string) => {
    const { Resources, place = somewhere } = templates[stack]!;
    const pseudo: Record<string, string> = {
      "AWS::AccountId": place.account,
      "AWS::Region": place.region,
      "AWS::Partition": "aws",
      "AWS::URLSuffix": "amazonaws.com",
    };
    const nameOf = (id: string) => {
      const { Type, Properties = {} } = Resources[id]!;
      return String(
        (Type.startsWith("AWS::CloudWatch::") && Properties.AlarmName) ||
          (Type === "AWS::Lambda::Function" && Properties.FunctionName) ||
          (Type === "AWS::SNS::Topic" && Properties.TopicName) ||
          `${stack}-${id}`,
      );
    };
    const arnOf = (id: string) => {
      const parts = arnPartsOf[Resources[id]?.Type ?? ""];
      return parts ? `arn:aws:${parts(nameOf(id), place)}` : `${stack}/${id}`;
    };
    const resolve = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(resolve);
      if (typeof value !== "object" || value === null) return value;
      const entries = Object.entries(value);
      const [[name, argument] = ["", undefined]] = entries;
      if (entries.length === 1 && name === "Ref") {
        const id = String(argument);
        if (pseudo[id] !== undefined) return pseudo[id];
        const isArn = Resources[id]?.Type === "AWS::SNS::Topic";
        return isArn ? arnOf(id) : Resources[id] ? nameOf(id) : id;
      }
      if (entries.length === 1 && name === "Fn::GetAtt") {
        const [id, attribute] = argument as [string, string];
        return attribute === "Arn" ? arnOf(id) : `${nameOf(id)}.${attribute}`;
      }
      if (entries.length === 1 && name === "Fn::Join") {
        const [between, parts] = argument as [string, unknown[]];
        return parts.map(resolve).join(between);
      }
      if (entries.length === 1 && name === "Fn::ImportValue") return exported.get(String(argument))?.();
      return Object.fromEntries(entries.map(([key, inner]) => [key, resolve(inner)]));
    };
    return { arnOf, resolve };
  };
  for (const [stack, { Outputs = {} }] of Object.entries(templates))
    for (const { Value, Export } of Object.values(Outputs))
      if (Export) exported.set(Export.Name, () => resolveIn(stack).resolve(Value));
  return Object.fromEntries(
    Object.entries(templates).flatMap(([stack, { Resources = {} }]) => {
      const { arnOf, resolve } = resolveIn(stack);
      return Object.entries(Resources).map(([id, { Type, Properties = {} }]): [string, Resource] => [
        arnOf(id),
        { Type, Properties: resolve(Properties) as Resource["Properties"] },
      ]);
    }),
  );
}

export const templatesOf = (assembly: CloudAssembly): Record<string, Template> =>
  Object.fromEntries(
    assembly.stacks.map(({ stackName, template, environment }) => {
      const isKnown = !environment.account.startsWith("unknown");
      return [stackName, { ...(template as Template), ...(isKnown && { place: environment }) }];
    }),
  );

const accountOf = (arn: string) => arn.split(":")[4] ?? "";

// --------------------------------------------------------------------------------------------------------- as IAM
type Call = {
  /** A service such as cloudwatch.amazonaws.com, or the ARN of a role. */
  by: string;
  action: string;
  resource: string;
  context: Record<string, string>;
};

const isLike = (pattern: string, text: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
  ).test(text);
const listOf = (value: string | string[]) => [value].flat();

function holds(condition: Statement["Condition"], context: Record<string, string>): boolean {
  const values = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return Object.entries(condition ?? {}).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => {
      const actual = values.get(key.toLowerCase());
      if (actual === undefined) return false;
      return listOf(wanted).some((each) => {
        if (operator === "StringEquals" || operator === "Bool") return each === actual;
        if (["StringLike", "ArnLike", "ArnEquals"].includes(operator)) return isLike(each, actual);
        throw new Error(`The condition ${operator} is not known here.`);
      });
    }),
  );
}

function isBy(principal: Statement["Principal"], by: string): boolean {
  if (principal === "*") return true;
  const { AWS = [], Service = [] } = principal ?? {};
  // An account stands for every role of it.
  const ofAccount = `arn:aws:iam::${accountOf(by)}:root`;
  return (
    listOf(AWS).some((each) => each === "*" || each === by || each === ofAccount) ||
    listOf(Service).includes(by)
  );
}

const concerns = ({ Action, Resource, Condition }: Statement, { action, resource, context }: Call) =>
  listOf(Action).some((each) => isLike(each.toLowerCase(), action.toLowerCase())) &&
  listOf(Resource).some((each) => isLike(each, resource)) &&
  holds(Condition, context);

/** A policy of a resource: an explicit denial wins, and what nothing allows is refused. */
function admits({ Statement }: Document, call: Call): boolean {
  const found = Statement.filter((each) => isBy(each.Principal, call.by) && concerns(each, call));
  return found.some(({ Effect }) => Effect === "Allow") && !found.some(({ Effect }) => Effect === "Deny");
}

/** SNS's own, where a template has no other. */
const defaultTopicPolicy = (arn: string): Document => ({
  Statement: [
    {
      Effect: "Allow",
      Principal: { AWS: "*" },
      Action: ["SNS:Publish", "SNS:Subscribe"],
      Resource: arn,
      Condition: { StringEquals: { "AWS:SourceOwner": account } },
    },
  ],
});

// ------------------------------------------------------------------------------------------------------- the paths
export function followAlarms(resources: Resources): Followed {
  const paths: string[] = [];
  const refusals: string[] = [];
  const all = Object.entries(resources);
  const ofType = (type: string) => all.filter(([, { Type }]) => Type === type);

  function check(path: string, isAllowed: boolean): void {
    paths.push(path);
    if (!isAllowed) refusals.push(path);
  }

  /** CloudFormation creates one after the other, and the last one stays: two are a refusal for somebody. */
  function policyOf(kind: "Topic" | "Queue", arn: string): Document | undefined {
    const [type, property] =
      kind === "Topic" ? ["AWS::SNS::TopicPolicy", "Topics"] : ["AWS::SQS::QueuePolicy", "Queues"];
    const own = (each: unknown) => each === arn || arn.endsWith(`:${String(each)}`);
    const found = ofType(type).filter(([, { Properties }]) => Properties[property].some(own));
    if (found.length > 1) refusals.push(`${arn} has ${found.length} policies, and each replaces the other`);
    return found.at(-1)?.[1].Properties.PolicyDocument;
  }

  const keyPolicyOf = (key: string): Document | undefined =>
    all.find(([arn, { Type }]) => Type === "AWS::KMS::Key" && arn.endsWith(key.replace(/^.*key\//, "")))?.[1]
      .Properties.KeyPolicy;

  function useKey(path: string, key: unknown, call: Omit<Call, "action" | "resource">): void {
    if (typeof key !== "string") return;
    if (key.startsWith("alias/aws/")) check(`${path} → ${key}, which services cannot use`, false);
    const policy = keyPolicyOf(key);
    if (!policy) return;
    for (const action of ["kms:Decrypt", "kms:GenerateDataKey"])
      check(`${path} → ${key}: ${action}`, admits(policy, { ...call, action, resource: key }));
  }

  function toTopic(from: string, topic: string, call: Omit<Call, "action" | "resource">): void {
    const found = resources[topic];
    // Outside of the app.
    if (!found) return;
    const path = `${from} → ${topic}`;
    const policy = policyOf("Topic", topic) ?? defaultTopicPolicy(topic);
    check(path, admits(policy, { ...call, action: "sns:Publish", resource: topic }));
    useKey(path, found.Properties.KmsMasterKeyId, call);
  }

  function toQueue(from: string, queue: string, context: Record<string, string>): void {
    const found = resources[queue];
    if (!found) return;
    const path = `${from} → ${queue}`;
    const call = { by: "sns.amazonaws.com", context };
    const policy = policyOf("Queue", queue) ?? { Statement: [] };
    check(path, admits(policy, { ...call, action: "sqs:SendMessage", resource: queue }));
    useKey(path, found.Properties.KmsMasterKeyId, call);
  }

  for (const [arn, { Type, Properties }] of all) {
    if (!["AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"].includes(Type)) continue;
    const context = {
      "aws:SourceArn": arn,
      "aws:SourceAccount": accountOf(arn),
      "AWS:SourceOwner": accountOf(arn),
      "aws:SecureTransport": "true",
    };
    const { AlarmActions = [], OKActions = [], InsufficientDataActions = [] } = Properties;
    for (const action of new Set([...AlarmActions, ...OKActions, ...InsufficientDataActions]))
      toTopic(arn, String(action), { by: "cloudwatch.amazonaws.com", context });
  }

  for (const [, { Properties }] of ofType("AWS::SNS::Subscription")) {
    const { TopicArn, Protocol, Endpoint, RedrivePolicy } = Properties;
    const context = {
      "aws:SourceArn": TopicArn,
      "aws:SourceAccount": account,
      "aws:SecureTransport": "true",
    };
    if (Protocol === "sqs") toQueue(TopicArn, Endpoint, context);
    if (RedrivePolicy) toQueue(`${TopicArn} (undelivered)`, RedrivePolicy.deadLetterTargetArn, context);
    if (Protocol === "lambda")
      check(
        `${TopicArn} → ${Endpoint}`,
        ofType("AWS::Lambda::Permission").some(
          ([, { Properties: permission }]) =>
            permission.Principal === "sns.amazonaws.com" &&
            permission.SourceArn === TopicArn &&
            permission.FunctionName === Endpoint,
        ),
      );
  }

  // A role of the same account needs its own policy alone; a denial of the resource's would still count.
  const attached = ofType("AWS::IAM::Policy");
  for (const [role, { Properties }] of ofType("AWS::IAM::Role")) {
    const own = (Properties.Policies ?? []).map((each: { PolicyDocument: Document }) => each.PolicyDocument);
    const further = attached
      .filter(([, policy]) => policy.Properties.Roles.includes(role.replace(/^.*role\//, "")))
      .map(([, policy]) => policy.Properties.PolicyDocument);
    const statements: Statement[] = [...own, ...further].flatMap(({ Statement }) => Statement);
    const may = (action: string, resource: string) =>
      statements.some((each) => concerns(each, { by: role, action, resource, context: {} }));
    for (const [topic, { Properties: found }] of ofType("AWS::SNS::Topic")) {
      if (!may("sns:Publish", topic)) continue;
      const key = found.KmsMasterKeyId;
      const isForeign = accountOf(topic) !== accountOf(role);
      const call = { by: role, context: { "aws:SecureTransport": "true" } };
      const letsIn = (policy: Document | undefined, action: string, resource: string) =>
        !isForeign || admits(policy ?? { Statement: [] }, { ...call, action, resource });
      check(`${role} → ${topic}`, letsIn(policyOf("Topic", topic), "sns:Publish", topic));
      if (key)
        for (const action of ["kms:Decrypt", "kms:GenerateDataKey"])
          check(
            `${role} → ${topic} → ${key}: ${action}`,
            may(action, key) && letsIn(keyPolicyOf(key), action, key),
          );
    }
    for (const [bucket, { Properties: found }] of ofType("AWS::S3::Bucket")) {
      const [rule] = found.BucketEncryption?.ServerSideEncryptionConfiguration ?? [];
      const key = rule?.ServerSideEncryptionByDefault.KMSMasterKeyID;
      if (!key) continue;
      const inBucket = statements.filter(({ Resource }) =>
        listOf(Resource).some((each) => each.startsWith(`${bucket}/`)),
      );
      const actions = new Set(inBucket.flatMap(({ Action }) => listOf(Action)));
      const needs = { "s3:GetObject": "kms:Decrypt", "s3:PutObject": "kms:GenerateDataKey" };
      for (const [action, needed] of Object.entries(needs))
        if (actions.has(action)) check(`${role} → ${bucket} → ${key}: ${needed}`, may(needed, key));
    }
  }
  return { paths, refusals };
}
