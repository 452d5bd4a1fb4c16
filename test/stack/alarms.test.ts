// The deployed alarms, dashboard and metrics match the alarm table and the list of metrics.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { alarmTable, listAlarms } from "../../lib/assess/alarms/alarm-table.ts";
import { customMetrics, type MetricName, metricOf } from "../../lib/assess/metrics.ts";
import { alarmSettings } from "../../lib/config/assessment-settings.ts";
import { billedMetrics } from "../../lib/stack/cost.ts";
import { configure, deployable } from "./configuration.ts";
import { readDashboard } from "./dashboard.ts";
import { named, ofType, type Resource, type Resources, synthesise } from "./synthesis.ts";

const namespace = "V1Watch";
process.env.CDK_VALIDATION = "false";
const config = configure({ staleness: { frozenAfter: "5d" }, budget: { monthlyRequests: 6_000 } });
const { resources } = synthesise(config);
const table = alarmTable(alarmSettings(config));
const everything = configure({ aws: { ...deployable.aws, drill: true } });
const full = synthesise(everything).resources;

/** Without the stack's name, which is first in every name. */
const shortName = (name: string) => name.replace(/^v1watch-/, "");
const metricAlarms = (from: Resources) => ofType(from, "AWS::CloudWatch::Alarm");
const composites = (from: Resources) => ofType(from, "AWS::CloudWatch::CompositeAlarm");
const alarmOf = (name: string, from = resources) =>
  named(from, "AWS::CloudWatch::Alarm", "AlarmName", `v1watch-${name}`);
const namesOf = (alarms: readonly Resource[]) =>
  alarms.map(({ Properties }) => shortName(Properties.AlarmName)).sort();
const notifies = ({ Properties }: Resource) => (Properties.AlarmActions ?? []).length > 0;
/** A composite names the alarms below it by their ARN; here each is its short name. */
function ruleOf(name: string, from = resources): string {
  const { Properties } = named(from, "AWS::CloudWatch::CompositeAlarm", "AlarmName", `v1watch-${name}`);
  const parts = Properties.AlarmRule["Fn::Join"][1] as (string | { "Fn::GetAtt": [string, string] })[];
  return parts
    .map((part) =>
      typeof part === "string" ? part : shortName(from[part["Fn::GetAtt"][0]]?.Properties.AlarmName),
    )
    .join("");
}

type Read = {
  metric: string;
  statistic: string;
  periodSeconds: number;
  endpoint?: string;
  function?: string;
};

/** What an alarm reads: one metric, because CloudWatch bills an alarm for every metric that it reads. */
function readSignal({ Properties }: Resource): Read {
  expect(Properties.Metrics).toBeUndefined();
  expect(Properties.Namespace).toBe(namespace);
  const [dimension] = (Properties.Dimensions ?? []) as { Name: string; Value: string }[];
  return {
    metric: String(Properties.MetricName),
    statistic: String(Properties.Statistic ?? Properties.ExtendedStatistic),
    periodSeconds: Number(Properties.Period),
    ...(dimension?.Name === "Endpoint" && { endpoint: dimension.Value }),
    ...(dimension?.Name === "Function" && { function: dimension.Value }),
  };
}

describe("every alarm of the table", () => {
  test.each(listAlarms(table).map((alarm) => [alarm.name, alarm] as const))(
    "%s has the settings of its row",
    (name, { row, name: _, ...target }) => {
      const alarm = alarmOf(name);
      expect(alarm.Properties).toMatchObject({
        Threshold: row.threshold,
        ComparisonOperator: row.comparisonOperator,
        EvaluationPeriods: row.evaluationPeriods,
        DatapointsToAlarm: row.datapointsToAlarm,
        TreatMissingData: row.treatMissingData,
      });
      expect(alarm.Properties.AlarmDescription).toContain(`#${row.runbook}`);
      const { metric, statistic } = row.signal;
      expect(readSignal(alarm)).toEqual({ metric, statistic, periodSeconds: row.periodSeconds, ...target });
    },
  );

  test("is deployed, with one alarm for failed runs, one for failed deliveries, and no other", () => {
    const own = ["function-errors", "delivery-failed"];
    expect(namesOf(metricAlarms(resources))).toEqual(
      [...listAlarms(table).map(({ name }) => name), ...own].sort(),
    );
  });
});

describe("the alarms on lost events", () => {
  test("read how many messages were lost, and no alarm reads a queue's depth", () => {
    expect(alarmOf("function-errors").Properties).toMatchObject({
      Namespace: "AWS/SQS",
      MetricName: "NumberOfMessagesSent",
      Statistic: "Sum",
      Threshold: 1,
      TreatMissingData: "notBreaching",
    });
    expect(alarmOf("delivery-failed").Properties).toMatchObject({
      Namespace: "AWS/SNS",
      MetricName: "NumberOfNotificationsRedrivenToDlq",
      Statistic: "Sum",
      Threshold: 1,
      TreatMissingData: "notBreaching",
    });
    for (const alarm of metricAlarms(full))
      expect(JSON.stringify(alarm), alarm.Properties.AlarmName).not.toMatch(
        /ApproximateNumberOf|ApproximateAge/,
      );
  });

  test("cover the queue that every function and every schedule uses for failed runs", () => {
    const [{ Value }] = alarmOf("function-errors").Properties.Dimensions;
    const queue = Value["Fn::GetAtt"][0];
    for (const { Properties } of ofType(resources, "AWS::Lambda::Function"))
      expect(Properties.DeadLetterConfig.TargetArn["Fn::GetAtt"][0]).toBe(queue);
    for (const { Properties } of ofType(resources, "AWS::Scheduler::Schedule"))
      expect(Properties.Target.DeadLetterConfig.Arn["Fn::GetAtt"][0]).toBe(queue);
  });
});

describe("alarm actions", () => {
  test("every alarm notifies or feeds a composite that does", () => {
    for (const from of [resources, full]) {
      const rules = composites(from)
        .filter(notifies)
        .map(({ Properties }) => ruleOf(shortName(Properties.AlarmName), from))
        .join();
      for (const alarm of metricAlarms(from)) {
        const name = shortName(alarm.Properties.AlarmName);
        if (!notifies(alarm)) expect(rules, name).toContain(`ALARM("${name}")`);
      }
    }
  });

  test("only the two composites notify, also when they return to OK: a first deployment sends no burst of messages", () => {
    for (const from of [resources, full]) {
      expect(namesOf(composites(from).filter(notifies))).toEqual(["alerting-broken", "v1watch-unhealthy"]);
      expect(metricAlarms(from).filter(notifies)).toEqual([]);
      for (const { Properties } of metricAlarms(from)) expect(Properties.OKActions ?? []).toEqual([]);
      for (const { Properties } of composites(from)) expect(Properties.OKActions).toHaveLength(1);
    }
  });

  test('with alarms.notify "always" every alarm on V1 notifies as well, and none of them about OK', () => {
    const all = synthesise(configure({ aws: { alarms: { notify: "always" } } })).resources;
    const onV1 = listAlarms(table).filter(({ row }) => row.about === "v1");
    expect(namesOf(metricAlarms(all).filter(notifies))).toEqual(onV1.map(({ name }) => name).sort());
    for (const { Properties } of metricAlarms(all)) expect(Properties.OKActions ?? []).toEqual([]);
  });

  test("aws.selfAlarmActions reach both composites beside the topic, and no other alarm", () => {
    const second = "arn:aws:sns:us-east-1:123456789012:on-call";
    const aws = { selfAlarmActions: [second], alarms: { notify: "always" } };
    const all = synthesise(configure({ aws })).resources;
    for (const { Properties } of composites(all))
      for (const actions of [Properties.AlarmActions, Properties.OKActions]) {
        expect(actions).toHaveLength(2);
        expect(actions).toContain(second);
      }
    for (const { Properties } of metricAlarms(all))
      expect(Properties.AlarmActions ?? []).not.toContain(second);
  });

  test("v1watch-unhealthy fires with every alarm about v1watch itself", () => {
    const ids = listAlarms(table).filter(({ row }) => row.about === "v1watch");
    const names = [...ids.map(({ name }) => name), "function-errors", "delivery-failed"];
    expect(ruleOf("v1watch-unhealthy")).toBe(`(${names.map((name) => `ALARM("${name}")`).join(" OR ")})`);
    expect(ruleOf("v1watch-unhealthy", full)).toContain('ALARM("drill-lost")');
  });

  test("alerting-broken fires when an alarm on V1 fires and the assessment is silent or its alerts are undelivered", () => {
    const [v1, own] = ruleOf("alerting-broken").split(" AND ");
    const names = listAlarms(table).filter(({ row }) => row.about === "v1");
    for (const { name, row } of names) expect(v1, row.id).toContain(`ALARM("${name}")`);
    expect(own).toBe('(ALARM("alerts-undelivered")))');
  });
});

describe("the list of metrics", () => {
  const lines = readDashboard(resources).flatMap((widget) => widget.lines);

  test("is on the dashboard, every metric once, and no other", () => {
    const text = (metrics: readonly object[]) => metrics.map((metric) => JSON.stringify(metric)).sort();
    const drawn = lines.map(({ namespace: space, name, dimension }) => {
      expect(space).toBe(namespace);
      return {
        name,
        ...(dimension?.Name === "Endpoint" && { endpoint: dimension.Value }),
        ...(dimension?.Name === "Function" && { function: dimension.Value }),
      };
    });
    expect(text(drawn)).toEqual(text(customMetrics));
  });

  test("is drawn with periods that are at least as long as the time between two data points", () => {
    for (const { name, periodSeconds } of lines)
      expect(periodSeconds / 3_600, name).toBe(metricOf(name as MetricName).when === "daily" ? 24 : 1);
    const slow = synthesise(configure({ cadence: { calm: "3h" } })).resources;
    for (const { lines: own } of readDashboard(slow))
      for (const { name, periodSeconds } of own)
        if (metricOf(name as MetricName).when === "check") expect(periodSeconds, name).toBe(10_800);
  });

  test("draws the 0/1 metrics as rates", () => {
    for (const { name, statistic } of lines)
      if (["RequestFailed", "Unauthorized"].includes(name)) expect(statistic).toBe("Average");
  });

  test("contains every metric that an alarm reads", () => {
    for (const { name } of listAlarms(table)) {
      const { metric, endpoint, function: reader } = readSignal(alarmOf(name));
      expect(customMetrics).toContainEqual({
        name: metric,
        ...(endpoint && { endpoint }),
        ...(reader && { function: reader }),
      });
    }
  });

  test("is billed for those that a month without faults publishes, in the hours in which it does", () => {
    const count = (...kinds: string[]) =>
      customMetrics.filter(({ name }) => kinds.includes(metricOf(name).when)).length;
    expect(billedMetrics(config)).toBeGreaterThan(count("check", "assessment"));
    expect(billedMetrics(config)).toBeLessThan(count("check", "assessment", "daily"));
  });
});

test("another watch in the same account has its own metric namespace in alarms, dashboard, functions and policies", () => {
  const second = synthesise(configure({ aws: { stackName: "v1watch-staging" } })).resources;
  const text = JSON.stringify(second);
  expect(text).toContain('"cloudwatch:namespace":"V1Watch/v1watch-staging"');
  expect(text.match(/"NAMESPACE":"V1Watch\/v1watch-staging"/g)).toHaveLength(5);
  const alarms = JSON.stringify(ofType(second, "AWS::CloudWatch::Alarm"));
  expect(alarms.match(/"Namespace":"V1Watch\/v1watch-staging"/g)).toHaveLength(listAlarms(table).length);
  expect(text).not.toMatch(/"V1Watch"|\\"V1Watch\\"/);
});

test("every alarm is named in the runbook, under the heading that it leads to", async () => {
  const text = await readFile(new URL("../../docs/runbook.md", import.meta.url), "utf8");
  const sections = new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split("\n")[0]!.toLowerCase().replaceAll(" ", "-"), section]),
  );
  const alarms = [...metricAlarms(full), ...composites(full)].map(
    ({ Properties }) => Properties as { AlarmName: string; AlarmDescription: string },
  );
  expect(alarms).toHaveLength(listAlarms(table).length + 3 + 2);
  for (const { AlarmName, AlarmDescription } of alarms) {
    const slug = AlarmDescription.match(/docs\/runbook\.md#([a-z-]+)$/)?.[1] ?? "";
    const name = AlarmName.replace(/^v1watch-/, "");
    const row = listAlarms(table).find((alarm) => alarm.name === name)?.row.id ?? name;
    expect(sections.get(slug), AlarmName).toContain(`\`${row}\``);
  }
});
