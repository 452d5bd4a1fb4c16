// The deployed alarms, dashboard and metrics match the alarm table and the metrics catalogue.
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  alarmTable,
  defaultAlarmSettings,
  listAlarms,
  renderFill,
} from "../../lib/assess/alarms/alarm-table.ts";
import { customMetrics, type MetricName, metricOf } from "../../lib/assess/metrics.ts";
import { calmMetrics } from "../../lib/stack/cost.ts";
import { configure, deployable } from "./configuration.ts";
import { named, ofType, type Resource, synthesise } from "./synthesis.ts";

const namespace = "V1Watch";
process.env.CDK_VALIDATION = "false";
const config = configure({ staleness: { frozenAfter: "5d" }, budget: { monthlyRequests: 6_000 } });
const { resources } = synthesise(config);
const table = alarmTable({
  ...defaultAlarmSettings,
  frozenAfterSeconds: 5 * 86_400,
  monthlyRequests: 6_000,
});
const alarmOf = (name: string) => named(resources, "AWS::CloudWatch::Alarm", "AlarmName", `v1watch-${name}`);
/** A subscription's name ends with what is made of its address. */
const withoutHash = (name: string) => name.replace(/-[0-9a-f]{8}$/, "");
const speaks = ({ Properties }: Resource) => (Properties.AlarmActions ?? []).length > 0;

type Read = { metric: string; statistic: string; periodSeconds: number; endpoint?: string };

/** What an alarm reads, and the expression over it, whichever way it is written down. */
function readSignal({ Properties }: Resource): { expression: string | undefined; read: Read } {
  const reading = (from: Record<string, unknown>, Stat: unknown, Period: unknown): Read => {
    expect(from.Namespace).toBe(namespace);
    const [dimension] = (from.Dimensions ?? []) as { Name: string; Value: string }[];
    if (dimension) expect(dimension.Name).toBe("Endpoint");
    return {
      metric: String(from.MetricName),
      statistic: String(Stat),
      periodSeconds: Number(Period),
      ...(dimension && { endpoint: dimension.Value }),
    };
  };
  if (!Properties.Metrics)
    return {
      expression: undefined,
      read: reading(Properties, Properties.Statistic ?? Properties.ExtendedStatistic, Properties.Period),
    };
  const rows = Properties.Metrics as {
    Id: string;
    Expression?: string;
    ReturnData?: boolean;
    MetricStat?: { Metric: Record<string, unknown>; Stat: string; Period: number };
  }[];
  // CloudWatch bills an alarm for every metric that it reads.
  const [only, ...others] = rows.filter(({ MetricStat }) => MetricStat);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ Id: "m1", ReturnData: false });
  const { Metric, Stat, Period } = only!.MetricStat!;
  return {
    expression: rows.find(({ Expression }) => Expression)?.Expression,
    read: reading(Metric, Stat, Period),
  };
}

describe("every alarm of the table, for every endpoint", () => {
  test.each(listAlarms(table).map((alarm) => [alarm.name, alarm] as const))(
    "%s has the settings of its row",
    (name, { row, endpoint }) => {
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
      expect(readSignal(alarm)).toEqual({
        expression: renderFill(row.signal),
        read: {
          ...{ metric, statistic, periodSeconds: row.periodSeconds },
          ...(metricOf(metric).perEndpoint && { endpoint }),
        },
      });
    },
  );

  test("there is no other alarm on V1", () => {
    const own = ["function-failed", "delivery-failed-email"];
    const names = ofType(resources, "AWS::CloudWatch::Alarm").map(({ Properties }) => Properties.AlarmName);
    const expected = [...listAlarms(table).map(({ name }) => name), ...own].map((name) => `v1watch-${name}`);
    expect(names.map(withoutHash).sort()).toEqual(expected.sort());
  });

  test("each dead-letter queue has its own alarm on one metric", () => {
    const subscriptions = Array.from({ length: 20 }, (_, n) => ({ email: `team${n}@example.com` }));
    const many = synthesise(configure({ aws: { subscriptions, maxMonthlyUsd: 20 } })).resources;
    const alarms = ofType(many, "AWS::CloudWatch::Alarm").filter(({ Properties }) =>
      Properties.AlarmName.startsWith("v1watch-delivery-failed-"),
    );
    const watched = alarms.map(({ Properties: { MetricName, Dimensions, Metrics, TreatMissingData } }) => {
      expect([MetricName, Metrics, TreatMissingData]).toEqual([
        ...["ApproximateNumberOfMessagesVisible", undefined, "notBreaching"],
      ]);
      return Dimensions[0].Value["Fn::GetAtt"][0];
    });
    const redrive = ofType(many, "AWS::SNS::Subscription").map(
      ({ Properties }) => Properties.RedrivePolicy.deadLetterTargetArn["Fn::GetAtt"][0],
    );
    expect(watched.sort()).toEqual(redrive.sort());
    expect(new Set(watched).size).toBe(20);
  });
});

describe("alarm actions", () => {
  const publishing = (from: ReturnType<typeof synthesise>["resources"]) =>
    [...ofType(from, "AWS::CloudWatch::Alarm"), ...ofType(from, "AWS::CloudWatch::CompositeAlarm")]
      .filter(speaks)
      .map(({ Properties }) => withoutHash(Properties.AlarmName.replace("v1watch-", "")))
      .sort();

  test("only the alarms on v1watch itself notify, and those on V1 only through alerting-broken", () => {
    expect(publishing(resources)).toEqual([
      "alerting-broken",
      "alerts-undelivered",
      "assessment-silent",
      "delivery-failed-email",
      "function-failed",
      "prober-silent",
    ]);
  });

  test("every alarm that notifies also notifies when it returns to OK", () => {
    const { resources: all } = synthesise(configure({ aws: { ...deployable.aws, drill: true } }));
    const alarms = [
      ...ofType(all, "AWS::CloudWatch::Alarm"),
      ...ofType(all, "AWS::CloudWatch::CompositeAlarm"),
    ];
    expect(alarms.filter(speaks)).toHaveLength(7);
    for (const alarm of alarms)
      expect((alarm.Properties.OKActions ?? []).length, alarm.Properties.AlarmName).toBe(
        speaks(alarm) ? 1 : 0,
      );
  });

  test('with alarms.notify "always" every alarm notifies', () => {
    const all = synthesise(configure({ aws: { alarms: { notify: "always" } } })).resources;
    const alarms = ofType(all, "AWS::CloudWatch::Alarm").length;
    expect(publishing(all)).toHaveLength(alarms + 2);
  });

  test("alerting-broken fires when an alarm on V1 fires and the assessment is silent or its alerts are undelivered", () => {
    const { Properties } = named(
      resources,
      "AWS::CloudWatch::CompositeAlarm",
      "AlarmName",
      "v1watch-alerting-broken",
    );
    const rule = String(Properties.AlarmRule).replaceAll("v1watch-", "");
    const [v1, own] = rule.split(" AND ");
    for (const { name, row } of listAlarms(table).filter((alarm) => !alarm.row.cause?.startsWith("monitor/")))
      expect(v1, row.id).toContain(`ALARM("${name}")`);
    expect(v1).not.toContain("silent");
    expect(own).toBe('(ALARM("assessment-silent") OR ALARM("alerts-undelivered")))');
  });
});

describe("the catalogue", () => {
  type Line = [string, string, ...unknown[], { stat: string; period?: number }];
  type Widget = { properties: { metrics?: Line[] } };
  const lines = (): Line[] => {
    const [dashboard] = ofType(resources, "AWS::CloudWatch::Dashboard");
    const parts = dashboard?.Properties.DashboardBody["Fn::Join"][1] as (string | object)[];
    const body = JSON.parse(parts.map((part) => (typeof part === "string" ? part : "x")).join(""));
    return (body.widgets as Widget[]).flatMap(({ properties }) => properties.metrics ?? []);
  };
  const drawn = () =>
    lines().map(([space, name, dimension, value]) => {
      expect(space).toBe(namespace);
      return dimension === "Endpoint" ? { name, endpoint: value } : { name };
    });

  test("the dashboard draws every metric of the catalogue once, and no other", () => {
    const text = (metrics: readonly object[]) => metrics.map((metric) => JSON.stringify(metric)).sort();
    expect(text(drawn())).toEqual(text(customMetrics));
  });

  test("each metric is drawn with the period in which it is published", () => {
    const hours = { daily: 24, sampled: 3, always: 1, troubled: 1, eventful: 1 };
    for (const line of lines()) {
      const { when } = metricOf(line[1] as MetricName);
      const { period = 300 } = line.at(-1) as { period?: number };
      expect(period / 3_600, line[1]).toBe(hours[when]);
    }
  });

  test("alarms read no metric that is not in the catalogue", () => {
    const known = customMetrics.map(({ name, endpoint }) => `${name}/${endpoint ?? ""}`);
    for (const { name } of listAlarms(table)) {
      const { metric, endpoint } = readSignal(alarmOf(name)).read;
      expect(known).toContain(`${metric}/${endpoint ?? ""}`);
    }
  });

  test("at most 40 custom metrics can exist, and a calm month is billed for far fewer than ten", () => {
    expect(customMetrics.length).toBeLessThanOrEqual(40);
    expect(calmMetrics(config)).toBeGreaterThan(1);
    expect(calmMetrics(config)).toBeLessThan(5);
    // Published with every response, they are about ten.
    const often = configure({ aws: { metricsEvery: "30m" } });
    expect(calmMetrics(often)).toBeLessThan(10);
  });
});

test("another watch in the same account has its own metric namespace in alarms, dashboard, functions and policies", () => {
  const second = synthesise(configure({ aws: { stackName: "v1watch-staging" } })).resources;
  const text = JSON.stringify(second);
  expect(text).toContain('"cloudwatch:namespace":"V1Watch/v1watch-staging"');
  expect(text.match(/"NAMESPACE":"V1Watch\/v1watch-staging"/g)).toHaveLength(5);
  const alarms = JSON.stringify(ofType(second, "AWS::CloudWatch::Alarm"));
  expect(alarms.match(/"Namespace":"V1Watch\/v1watch-staging"/g)).toHaveLength(listAlarms().length);
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
  const all = synthesise(
    configure({ aws: { drill: true, subscriptions: [{ email: "team@example.com" }] } }),
  ).resources;
  const alarms = [
    ...ofType(all, "AWS::CloudWatch::Alarm"),
    ...ofType(all, "AWS::CloudWatch::CompositeAlarm"),
  ].map(({ Properties }) => Properties as { AlarmName: string; AlarmDescription: string });
  expect(alarms).toHaveLength(listAlarms().length + 3 + 2);
  for (const { AlarmName, AlarmDescription } of alarms) {
    const slug = AlarmDescription.match(/docs\/runbook\.md#([a-z-]+)$/)?.[1] ?? "";
    const name = AlarmName.replace("v1watch-", "");
    const own = name.replace(/^(delivery-failed)-.*/, "$1");
    const row = listAlarms().find((alarm) => alarm.name === name)?.row.id ?? own;
    expect(sections.get(slug), AlarmName).toContain(`\`${row}\``);
  }
});
