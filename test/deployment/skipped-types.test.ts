// What moto's CloudFormation skips, made by LocalStack's from the same template, read back and set to work.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EndpointId } from "../../lib/contract/endpoints.ts";
import { evaluateAlarm, type Sample } from "../stack/evaluate-alarm.ts";
import { readMetricAlarm } from "../stack/play-alarms.ts";
import { type Created, createCutStack, inbox, logicalNames, madeOf, ofType, resources } from "./cut-stack.ts";
import { beyondLocalStack, type Server, startLocalStack } from "./further-servers.ts";
import { account } from "./moto.ts";
import { type Made, resolveReferences } from "./resolve-references.ts";

const namespace = "V1Watch";

// Hours of failures of the list after good ones, and only good ones of the credentials; the ages are not
// known. Without the earlier ones LocalStack takes two breaches for premature, and keeps the state. Nothing of the
// passport: LocalStack finds a dimension by the beginning of its value, so there all three would be mixed.
const nowMs = Date.now();
type Point = { metric: string; endpoint: EndpointId | undefined; sample: Sample };
const ago = (minutes: number, metric: string, value: number, endpoint?: EndpointId): Point => ({
  metric,
  endpoint,
  sample: { atMs: nowMs - minutes * 60_000, value },
});
const points = [
  ...[10, 40, 70, 100, 130, 160, 190, 220].flatMap((at) => [
    ...["RequestFailed", "Unauthorized", "BreakingDrift"].flatMap((metric) => [
      ago(at, metric, at < 120 ? 1 : 0, "passport-list"),
      ago(at, metric, 0, "passport-credentials"),
    ]),
    ago(at, "LatencyMs", at < 120 ? 9_000 : 100, "passport-list"),
  ]),
  ...[5, 20, 35, 50, 65].map((at) => ago(at, "UndeliveredAlerts", 0)),
  ...[ago(120, "DaysToRetirement", 12), ago(120, "CertificateDaysLeft", 60)],
];

type Signal = { Namespace: string; MetricName: string; Dimensions?: { Name: string; Value: string }[] };
type Alarm = Signal & {
  AlarmName: string;
  StateValue: string;
  Statistic?: string;
  Period: number;
};
type Described = { MetricAlarms: Alarm[]; CompositeAlarms: Record<string, unknown>[] };

let aws: Server;
let created: Created[] = [];
let made: Made = {};
const describeAlarms = async () =>
  (await aws.cli(
    ...["cloudwatch", "describe-alarms", "--alarm-types", "MetricAlarm", "CompositeAlarm"],
  )) as Described;

beforeAll(async () => {
  aws = await startLocalStack();
  // First, because an alarm is evaluated when it is made, and then not for a while.
  const data = points.map((point) => ({
    MetricName: point.metric,
    Timestamp: new Date(point.sample.atMs).toISOString(),
    Value: point.sample.value,
    Dimensions: point.endpoint ? [{ Name: "Endpoint", Value: point.endpoint }] : [],
  }));
  await aws.cli(
    ...["cloudwatch", "put-metric-data", "--namespace", namespace, "--metric-data", JSON.stringify(data)],
  );
  created = await createCutStack(aws);
  made = madeOf(created);
});
afterAll(() => aws?.stop());

test("LocalStack's CloudFormation creates every resource type that moto skips", () => {
  expect(created.map(({ LogicalResourceId }) => LogicalResourceId).sort()).toEqual(logicalNames);
  for (const { ResourceStatus } of created) expect(ResourceStatus).toBe("CREATE_COMPLETE");
  const types = [...new Set(created.map(({ ResourceType }) => ResourceType))].sort();
  console.log(
    `LocalStack made: ${types.join(", ")}\nLocalStack was not given: ${beyondLocalStack.join(", ")}`,
  );
});

test("Every alarm has the settings of the template", async () => {
  const { MetricAlarms } = await describeAlarms();
  const alarms = ofType("AWS::CloudWatch::Alarm");
  expect(MetricAlarms).toHaveLength(alarms.length);
  for (const [, { Properties }] of alarms) {
    const { AlarmName, ...rest } = resolveReferences(Properties, made) as Alarm;
    expect(MetricAlarms.find((alarm) => alarm.AlarmName === AlarmName)).toMatchObject(rest);
  }
});

test("An alarm on one of our metrics reaches the same state as our own evaluation", async () => {
  const expected = ofType("AWS::CloudWatch::Alarm")
    .map(([id]) => readMetricAlarm(resources[id]!, resources))
    .filter(({ definition, key }) => {
      const { Namespace } = definition as unknown as Signal;
      return Namespace === namespace && !/ passport$/.test(key);
    })
    .map(({ name, key, definition }) => {
      const samples = points
        .filter(({ metric, endpoint }) => [metric, ...(endpoint ? [endpoint] : [])].join(" ") === key)
        .map(({ sample }) => sample)
        .sort((one, other) => one.atMs - other.atMs);
      return [`v1watch-${name}`, evaluateAlarm(definition, samples, "INSUFFICIENT_DATA", nowMs)];
    });
  expect(expected.length).toBeGreaterThan(10);
  expect(new Set(expected.map(([, state]) => state)).size).toBe(3);
  let states: string[][] = [];
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const { MetricAlarms } = await describeAlarms();
    states = expected.map(([name = ""]) => [
      name,
      MetricAlarms.find(({ AlarmName }) => AlarmName === name)?.StateValue ?? "",
    ]);
    if (JSON.stringify(states) === JSON.stringify(expected)) break;
    await sleep(500);
  }
  expect(states).toEqual(expected);
  console.log(`LocalStack evaluated: ${states.map((each) => each.join(" ")).join(", ")}`);
});

test("Composite alarms have their rule and their actions", async () => {
  const { CompositeAlarms } = await describeAlarms();
  const composites = ofType("AWS::CloudWatch::CompositeAlarm");
  expect(composites.length).toBeGreaterThan(2);
  for (const [, { Properties }] of composites) {
    const alarm = CompositeAlarms.find(({ AlarmName }) => AlarmName === Properties.AlarmName);
    expect(alarm).toMatchObject(resolveReferences(Properties, made) as object);
  }
});

type Body = Record<string, string>;

/** All that waits in a queue, until it is enough, and once more for what should not be there. */
async function read(url: string, isEnough: (found: Body[]) => boolean) {
  const found: Body[] = [];
  let isOnceMore = true;
  for (let attempt = 0; attempt < 300 && (isOnceMore || !isEnough(found)); attempt += 1) {
    isOnceMore = !isEnough(found);
    const answer = (await aws.cli(
      ...["sqs", "receive-message", "--queue-url", url, "--max-number-of-messages", "10"],
      ...["--wait-time-seconds", "1"],
    )) as { Messages?: { Body: string }[] } | undefined;
    for (const { Body } of answer?.Messages ?? []) found.push(JSON.parse(JSON.parse(Body).Message));
  }
  return found;
}

const setState = (name: string, state: string) =>
  aws.cli(
    ...["cloudwatch", "set-alarm-state", "--alarm-name", `v1watch-${name}`, "--state-value", state],
    ...["--state-reason", "a test"],
  );

test("Composite alarms notify in place of those below them, those about V1 through both topics", async () => {
  const url = `${aws.endpoint}/${account}/${inbox}`;
  await sleep(1_000);
  await aws.cli("sqs", "purge-queue", "--queue-url", url);
  for (const silent of ["request-failures-passport", "assessment-incomplete"])
    await setState(silent, "ALARM");
  for (const notifying of ["v1watch-unhealthy", "fallback-failing"]) await setState(notifying, "ALARM");
  await setState("v1watch-unhealthy", "OK");
  const expected = [
    ...["v1watch-fallback-failing ALARM", "v1watch-fallback-failing ALARM"],
    "v1watch-v1watch-unhealthy ALARM",
    "v1watch-v1watch-unhealthy OK",
  ];
  const listed = (found: Body[]) =>
    found.map(({ AlarmName, NewStateValue }) => `${AlarmName} ${NewStateValue}`).sort();
  // They come in any order.
  const found = await read(url, (some) => some.length >= expected.length);
  expect(listed(found)).toEqual(expected);
});

test("A message that a subscriber refuses is in its dead-letter queue", async () => {
  const { Subscriptions } = (await aws.cli("sns", "list-subscriptions")) as {
    Subscriptions: { SubscriptionArn: string }[];
  };
  const wanted = ofType("AWS::SNS::Subscription");
  expect(Subscriptions).toHaveLength(2);
  expect(wanted).toHaveLength(2);
  for (const [, { Properties }] of wanted) {
    const { RedrivePolicy, ...rest } = resolveReferences(Properties, made) as Record<string, unknown>;
    const found = Subscriptions.find((each) => (each as { TopicArn?: unknown }).TopicArn === rest.TopicArn);
    expect(found).toMatchObject(rest);
    const { Attributes } = (await aws.cli(
      ...["sns", "get-subscription-attributes"],
      ...["--subscription-arn", found?.SubscriptionArn ?? ""],
    )) as { Attributes: Record<string, string> };
    expect(Attributes.PendingConfirmation).toBe("false");
    expect(JSON.parse(Attributes.RedrivePolicy ?? "")).toEqual(RedrivePolicy);
  }
  await aws.cli("sqs", "delete-queue", "--queue-url", `${aws.endpoint}/${account}/${inbox}`);
  await setState("v1watch-unhealthy", "ALARM");
  const [queue = ""] = logicalNames.filter((name) => /^undeliveredsqs[0-9a-f]{8}[0-9A-F]{8}$/.test(name));
  const waiting = await read(made[queue]?.Ref ?? "", (found) => found.length > 0);
  expect(waiting).toMatchObject([{ AlarmName: "v1watch-v1watch-unhealthy", NewStateValue: "ALARM" }]);
});

test("Schedules have their group, window, retries, dead letters and event", async () => {
  const group = String(ofType("AWS::Scheduler::ScheduleGroup")[0]?.[1].Properties.Name);
  await aws.cli("scheduler", "get-schedule-group", "--name", group);
  const schedules = ofType("AWS::Scheduler::Schedule");
  expect(schedules).toHaveLength(5);
  const check = async ({ Name, ...rest }: Record<string, unknown>) => {
    const of = ["--name", String(Name), "--group-name", group];
    const schedule = await aws.cli("scheduler", "get-schedule", ...of);
    expect(schedule).toMatchObject({ ...rest, Name, GroupName: group, State: "ENABLED" });
  };
  await Promise.all(
    schedules.map(([, { Properties }]) =>
      check(resolveReferences(Properties, made) as Record<string, unknown>),
    ),
  );
});

test("The topic, the queues and the bucket have the policies that the template gives them", async () => {
  type Policies = { Attributes: { Policy: string }; Policy: string };
  const read: Record<string, (of: string) => Promise<string>> = {
    "AWS::SNS::TopicPolicy": async (topic) => {
      const answer = await aws.cli("sns", "get-topic-attributes", "--topic-arn", topic);
      return (answer as Policies).Attributes.Policy;
    },
    "AWS::SQS::QueuePolicy": async (queue) => {
      const of = ["--queue-url", queue, "--attribute-names", "Policy"];
      return ((await aws.cli("sqs", "get-queue-attributes", ...of)) as Policies).Attributes.Policy;
    },
    "AWS::S3::BucketPolicy": async (bucket) =>
      ((await aws.cli("s3api", "get-bucket-policy", "--bucket", bucket)) as Policies).Policy,
  };
  for (const [type, readPolicy] of Object.entries(read)) {
    expect(ofType(type).length, type).toBeGreaterThan(0);
    for (const [, { Properties }] of ofType(type)) {
      const { PolicyDocument, ...on } = resolveReferences(Properties, made) as Record<string, unknown>;
      for (const of of Object.values(on).flat()) {
        expect(JSON.parse(await readPolicy(String(of))), type).toEqual(PolicyDocument);
      }
    }
  }
});
