// What moto's CloudFormation skips, made by LocalStack's from the same template, read back and set to work.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  alarmTable,
  defaultAlarmSettings,
  listAlarms,
  renderFill,
} from "../../lib/assess/alarms/alarm-table.ts";
import { evaluateAlarm } from "../../lib/assess/alarms/evaluate-alarm.ts";
import { dimension, type MetricName, metricOf } from "../../lib/assess/metrics.ts";
import type { EndpointId } from "../../lib/contract/endpoints.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";
import { type Created, createCutStack, inbox, logicalNames, madeOf, ofType } from "./cut-stack.ts";
import { beyondLocalStack, type Server, startLocalStack } from "./further-servers.ts";
import { account } from "./moto.ts";
import { type Made, resolveReferences } from "./resolve-references.ts";

const namespace = "V1Watch";
const named = listAlarms(alarmTable(defaultAlarmSettings));

// Two periods of trouble with the list after two good ones, and only good ones of the credentials, whose speed is
// not known. Without the earlier ones LocalStack takes two breaches for premature, and keeps the state. Nothing of
// the passport: LocalStack finds a dimension by the beginning of its value, so there all three would be mixed.
const nowMs = Date.now();
const ago = (minutes: number, metric: MetricName, value: number, endpoint?: EndpointId): MetricPoint => ({
  metric,
  atMs: nowMs - minutes * 60_000,
  values: [value],
  ...(endpoint && { endpoint }),
});
const points = [
  ...[3, 13, 23, 33].flatMap((at) =>
    (["RequestFailed", "Unauthorized", "BreakingDrift"] as const).flatMap((metric) => [
      ago(at, metric, at < 20 ? 1 : 0, "passport-list"),
      ago(at, metric, 0, "passport-credentials"),
    ]),
  ),
  ...[90, 270].flatMap((at) => [
    ago(at, "LatencyMs", 9_000, "passport-list"),
    ago(at, "NewestAgeSeconds", 10 * 86_400),
  ]),
  ...[5, 20].map((at) => ago(at, "ProbersAlive", 0)),
  ...[ago(120, "DaysToRetirement", 12), ago(120, "CertificateDaysLeft", 60), ago(120, "BudgetLeft", 3_000)],
];

type MetricStat = { Metric: Signal; Period: number; Stat: string };
type Signal = { Namespace: string; MetricName: string; Dimensions?: { Name: string; Value: string }[] };
type Alarm = Signal & {
  AlarmName: string;
  StateValue: string;
  Statistic?: string;
  Period: number;
  Metrics?: { Id: string; Expression?: string; MetricStat?: MetricStat; ReturnData: boolean }[];
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
  const data = points.map(({ metric, atMs, values, endpoint }) => ({
    MetricName: metric,
    Timestamp: new Date(atMs).toISOString(),
    Value: values[0],
    ...(endpoint && { Dimensions: [{ Name: dimension, Value: endpoint }] }),
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

test("every alarm has the settings of the alarm table", async () => {
  const { MetricAlarms } = await describeAlarms();
  const byName = new Map(MetricAlarms.map((alarm) => [alarm.AlarmName, alarm]));
  for (const { name, row, endpoint } of named) {
    const alarm = byName.get(`v1watch-${name}`);
    expect(alarm, name).toMatchObject({
      AlarmDescription: expect.stringContaining(row.title),
      EvaluationPeriods: row.evaluationPeriods,
      DatapointsToAlarm: row.datapointsToAlarm,
      Threshold: row.threshold,
      ComparisonOperator: row.comparisonOperator,
      TreatMissingData: row.treatMissingData,
      ActionsEnabled: true,
    });
    const { metric, statistic } = row.signal;
    const Dimensions =
      endpoint && metricOf(metric).perEndpoint ? [{ Name: dimension, Value: endpoint }] : undefined;
    const Metric = { Namespace: namespace, MetricName: metric, ...(Dimensions && { Dimensions }) };
    const Period = row.periodSeconds;
    const Expression = renderFill(row.signal);
    if (Expression === undefined)
      expect(alarm, name).toMatchObject({ Dimensions: [], ...Metric, Period, Statistic: statistic });
    else
      expect(alarm?.Metrics, name).toEqual(
        expect.arrayContaining([
          { Id: "m1", MetricStat: { Metric, Period, Stat: statistic }, ReturnData: false },
          expect.objectContaining({ Expression, ReturnData: true }),
        ]),
      );
    byName.delete(`v1watch-${name}`);
  }
  // Those of our own machinery, which the table does not have.
  expect([...byName.keys()].sort()).toEqual([
    expect.stringMatching(/^v1watch-delivery-failed-sqs-[0-9a-f]{8}$/),
    "v1watch-function-failed",
  ]);
  for (const [, { Properties }] of ofType("AWS::CloudWatch::Alarm")) {
    const { AlarmName, Metrics: _metrics, ...rest } = resolveReferences(Properties, made) as Alarm;
    expect(MetricAlarms.find((alarm) => alarm.AlarmName === AlarmName)).toMatchObject(rest);
  }
});

test("an alarm on one metric reaches the same state as our own evaluation of the table", async () => {
  const expected = named
    .filter(({ row, endpoint }) => renderFill(row.signal) === undefined && endpoint !== "passport")
    .map(({ name, row, endpoint }) => [
      `v1watch-${name}`,
      evaluateAlarm(row, { endpoint, points, previous: "INSUFFICIENT_DATA", nowMs }),
    ]);
  expect(new Set(expected.map(([, state]) => state)).size).toBe(3);
  let states: string[][] = [];
  for (let attempt = 0; attempt < 60; attempt += 1) {
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

test("composite alarms have their rule and their actions", async () => {
  const { CompositeAlarms } = await describeAlarms();
  const composites = ofType("AWS::CloudWatch::CompositeAlarm");
  expect(composites).toHaveLength(2);
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
  for (let attempt = 0; attempt < 20 && (isOnceMore || !isEnough(found)); attempt += 1) {
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

test("only the alarms on v1watch itself notify the subscribers of the topic", async () => {
  const url = `${aws.endpoint}/${account}/${inbox}`;
  // Its first alarm was published when it was created, before or after the subscription.
  await setState("prober-silent", "INSUFFICIENT_DATA");
  await sleep(1_000);
  await aws.cli("sqs", "purge-queue", "--queue-url", url);
  for (const silent of ["down-passport", "leaving"]) await setState(silent, "ALARM");
  for (const speaking of ["prober-silent", "alerting-broken"]) await setState(speaking, "ALARM");
  await setState("prober-silent", "OK");
  const expected = [
    "v1watch-prober-silent ALARM",
    "v1watch-prober-silent OK",
    "v1watch-alerting-broken ALARM",
  ];
  // Alarms of our own machinery begin with "all is well".
  const listHeard = (told: Body[]) =>
    told
      .filter(({ AlarmName }) => !/-failed(?:-|$)/.test(AlarmName ?? ""))
      .map(({ AlarmName, NewStateValue }) => `${AlarmName} ${NewStateValue}`);
  // They come in any order.
  const told = await read(url, (found) => expected.every((one) => listHeard(found).includes(one)));
  expect(listHeard(told).sort()).toEqual(expected);
});

test("a message that a subscriber refuses is in its dead-letter queue", async () => {
  const { Subscriptions } = (await aws.cli("sns", "list-subscriptions")) as {
    Subscriptions: { SubscriptionArn: string }[];
  };
  const [[, { Properties }] = ["", { Properties: {} }]] = ofType("AWS::SNS::Subscription");
  const { RedrivePolicy, ...subscription } = resolveReferences(Properties, made) as Record<string, unknown>;
  expect(Subscriptions).toEqual([expect.objectContaining(subscription)]);
  const { Attributes } = (await aws.cli(
    ...["sns", "get-subscription-attributes"],
    ...["--subscription-arn", Subscriptions[0]?.SubscriptionArn ?? ""],
  )) as { Attributes: Record<string, string> };
  expect(Attributes.PendingConfirmation).toBe("false");
  expect(JSON.parse(Attributes.RedrivePolicy ?? "")).toEqual(RedrivePolicy);
  await aws.cli("sqs", "delete-queue", "--queue-url", `${aws.endpoint}/${account}/${inbox}`);
  await setState("prober-silent", "ALARM");
  const [queue = ""] = logicalNames.filter((name) => /^undeliveredsqs[0-9a-f]{8}[0-9A-F]{8}$/.test(name));
  const waiting = await read(made[queue]?.Ref ?? "", (found) => found.length > 0);
  expect(waiting).toMatchObject([{ AlarmName: "v1watch-prober-silent", NewStateValue: "ALARM" }]);
});

test("schedules have their group, window, retries, dead letters and event", async () => {
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

test("topic, queues and bucket have the policies that the template gives them", async () => {
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
