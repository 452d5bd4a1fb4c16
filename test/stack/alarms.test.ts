// The deployed alarms and the dashboard, as far as playing them (played-alarms.test.ts) does not show it.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { alarmTable, listAlarms } from "../../lib/assess/alarms/alarm-table.ts";
import { publishedMetrics } from "../../lib/assess/alarms/published.ts";
import { alarmSettings } from "../../lib/config/assessment-settings.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { configure, deployable } from "./configuration.ts";
import { readDashboard } from "./dashboard.ts";
import { named, ofType, type Resource, type Resources, synthesise } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
const namespace = "V1Watch";
const config = configure();
const { resources } = synthesise(config);
const full = synthesise(configure({ aws: { ...deployable.aws, drill: true } })).resources;
const always = synthesise(configure({ aws: { alarms: { notify: "always" } } })).resources;
const never = synthesise(configure({ aws: { alarms: { notify: "never" } } })).resources;
const linked = synthesise(configure({ runbookUrl: "https://wiki.example.com/v1watch" })).resources;
const aboutV1 = listAlarms(alarmTable(alarmSettings(config)));

/** Without the stack's name, which is first in every name. */
const shortName = ({ Properties }: Resource) => String(Properties.AlarmName).replace(/^v1watch-/, "");
const metricAlarms = (from: Resources) => ofType(from, "AWS::CloudWatch::Alarm");
const composites = (from: Resources) => ofType(from, "AWS::CloudWatch::CompositeAlarm");
const alarmOf = (name: string, from = resources) =>
  named(from, "AWS::CloudWatch::Alarm", "AlarmName", `v1watch-${name}`);
const namesOf = (alarms: readonly Resource[]) => alarms.map(shortName).sort();
const notifies = ({ Properties }: Resource) => (Properties.AlarmActions ?? []).length > 0;

describe("an alarm", () => {
  test("An alarm reads one metric, because CloudWatch bills an alarm for every metric that it reads", () => {
    for (const { Properties } of metricAlarms(full)) {
      expect(Properties.Metrics, Properties.AlarmName).toBeUndefined();
      expect(Properties.MetricName, Properties.AlarmName).toBeTypeOf("string");
    }
  });

  test("An alarm of our own namespace reads a metric that is published", () => {
    const published = publishedMetrics.map(({ name, endpoint }) => [name, endpoint].join());
    const read = metricAlarms(full)
      .filter(({ Properties }) => Properties.Namespace === namespace)
      .map(({ Properties }) => [Properties.MetricName, Properties.Dimensions?.[0]?.Value].join());
    expect(read.length).toBeGreaterThan(aboutV1.length);
    for (const metric of read) expect(published).toContain(metric);
  });

  test("An alarm is within CloudWatch's limits with the slowest and the fastest schedules", () => {
    for (const change of [
      { cadence: { calm: "1m" }, budget: { monthlyRequests: 1_000_000 }, aws: { assessEvery: "1m" } },
      { cadence: { calm: "1d", confirm: "1h" }, aws: { assessEvery: "30m" } },
    ])
      for (const { Properties } of metricAlarms(synthesise(configure(change)).resources)) {
        const { AlarmName, Period, EvaluationPeriods } = Properties;
        expect(Period % 60, AlarmName).toBe(0);
        expect(Period, AlarmName).toBeLessThanOrEqual(86_400);
        expect(Period * EvaluationPeriods, AlarmName).toBeLessThanOrEqual(Period < 3_600 ? 86_400 : 604_800);
      }
  });

  test("An alarm that breaches on missing data is created after the schedules", () => {
    const schedules = Object.entries(resources)
      .filter(([, { Type }]) => Type === "AWS::Scheduler::Schedule")
      .map(([id]) => id);
    const silent = metricAlarms(resources).filter(
      ({ Properties }) => Properties.TreatMissingData === "breaching",
    );
    expect(namesOf(silent)).toEqual([
      "assessment-incomplete",
      ...endpointIds.map((id) => `checks-nothing-probe-${id}`).sort(),
      ...endpointIds.map((id) => `not-running-probe-${id}`).sort(),
    ]);
    for (const { DependsOn } of silent) expect(DependsOn).toEqual(expect.arrayContaining(schedules));
  });

  test("An alarm counts what a queue gets and not what is in it, which would keep it until somebody empties the queue", () => {
    expect(JSON.stringify(metricAlarms(full))).not.toMatch(/ApproximateNumberOf|ApproximateAge/);
  });

  test("An alarm watches the queue of lost runs that the report and its schedule use", () => {
    const [{ Value }] = alarmOf("lost-runs").Properties.Dimensions;
    const queue = Value["Fn::GetAtt"][0];
    const targets = [
      named(resources, "AWS::Lambda::Function", "FunctionName", "v1watch-report").Properties.DeadLetterConfig
        .TargetArn,
      named(resources, "AWS::Scheduler::Schedule", "Name", "v1watch-report").Properties.Target
        .DeadLetterConfig.Arn,
    ];
    for (const target of targets) expect(target["Fn::GetAtt"][0]).toBe(queue);
  });

  test("An alarm says what it means and holds the steps themselves, in the length that CloudWatch takes", () => {
    for (const { Properties } of [...metricAlarms(full), ...composites(full)]) {
      const { AlarmName, AlarmDescription } = Properties;
      const [, steps] = /^(?:[A-Z]|v1watch ).+\. What to do: (.+[.?])$/.exec(AlarmDescription) ?? [];
      expect(steps?.length, `${AlarmName}: ${AlarmDescription}`).toBeGreaterThanOrEqual(100);
      expect(steps?.length, `${AlarmName}: ${AlarmDescription}`).toBeLessThanOrEqual(300);
      // Nobody on call can open a path of this repository.
      expect(AlarmDescription, AlarmName).not.toMatch(/docs\/|\.md/);
      expect(AlarmDescription.length, AlarmName).toBeLessThanOrEqual(1_024);
    }
  });

  test("An alarm leads to its heading in the runbook where runbookUrl says where that is", () => {
    for (const { Properties } of [...metricAlarms(linked), ...composites(linked)])
      expect(Properties.AlarmDescription, Properties.AlarmName).toMatch(
        / See https:\/\/wiki\.example\.com\/v1watch#[a-z-]+$/,
      );
  });

  test("An alarm is named in the runbook, under the heading that it leads to", async () => {
    const text = await readFile(new URL("../../docs/use/runbook.md", import.meta.url), "utf8");
    const sections = new Map(
      text
        .split(/^## /m)
        .slice(1)
        .map((section) => [section.split("\n")[0]!.toLowerCase().replaceAll(" ", "-"), section]),
    );
    for (const alarm of [...metricAlarms(linked), ...composites(linked)]) {
      const name = shortName(alarm);
      // What stands in for the assessment leads to the fault, and is explained where the assessment is.
      const isFallback = name.startsWith("fallback-");
      const slug = isFallback ? "silent" : /#([a-z-]+)$/.exec(alarm.Properties.AlarmDescription)?.[1];
      const id = aboutV1.find((each) => each.name === name)?.row.id ?? name;
      const written = isFallback ? "fallback-" : id.replace(/-(?:probe-.*|assess|reads|writes)$/, "");
      expect(sections.get(slug ?? ""), name).toContain(`\`${written}`);
    }
  });
});

describe("who is notified", () => {
  test("Metric alarms notify nobody by default but for the clocks, so that a first deployment sends no burst of messages", () => {
    for (const from of [resources, full, never]) {
      expect(namesOf(metricAlarms(from).filter(notifies))).toEqual(["clocks-differ"]);
      for (const { Properties } of metricAlarms(from)) expect(Properties.OKActions ?? []).toEqual([]);
    }
  });

  test("Every alarm notifies or stands in the rule of one that does", () => {
    for (const from of [resources, full, always]) {
      const rules = JSON.stringify(composites(from).filter(notifies));
      for (const [id, alarm] of Object.entries(from))
        if (alarm.Type === "AWS::CloudWatch::Alarm" && !notifies(alarm))
          expect(rules, shortName(alarm)).toContain(`"${id}"`);
    }
  });

  test("Composites that stand in for the assessment exist only where alarms.notify is fallback", () => {
    expect(namesOf(composites(always))).toEqual(["v1watch-unhealthy"]);
    expect(namesOf(composites(never))).toEqual(["v1watch-unhealthy"]);
    expect(namesOf(composites(resources))).toEqual([
      "fallback-failing",
      "fallback-other",
      "fallback-rates",
      "v1watch-unhealthy",
    ]);
  });

  test("With alarms.notify set to always the alarms about V1 notify, and so do their ends", () => {
    const notifying = metricAlarms(always)
      .filter(notifies)
      .filter((alarm) => shortName(alarm) !== "clocks-differ");
    expect(namesOf(notifying)).toEqual(aboutV1.map(({ name }) => name).sort());
    for (const { Properties } of notifying) expect(Properties.OKActions).toEqual(Properties.AlarmActions);
  });

  test("aws.selfAlarmActions are called by what is about v1watch or stands in for it, and by no other alarm", () => {
    const second = "arn:aws:sns:us-east-1:123456789012:on-call";
    const build = (aws: object) =>
      synthesise(configure({ aws: { selfAlarmActions: [second], ...aws } })).resources;
    const fallback = build({});
    for (const alarm of composites(fallback).filter(notifies))
      for (const actions of [alarm.Properties.AlarmActions, alarm.Properties.OKActions])
        expect(actions, shortName(alarm)).toContain(second);
    for (const { Properties } of metricAlarms(build({ alarms: { notify: "always" } })))
      expect(Properties.AlarmActions ?? []).not.toContain(second);
  });
});

describe("the dashboard", () => {
  const widgets = readDashboard(resources);

  test("The dashboard begins with the numbers that on-call looks for, over the last 24 hours", () => {
    const numbers = widgets.filter(({ view }) => view === "singleValue");
    expect(numbers.map(({ title }) => title)).toEqual([
      ...["Days to retirement", "Failed, % of 24 h", "401, % of 24 h", "Newest record", "Open incidents"],
    ]);
    expect(widgets.indexOf(numbers[0]!)).toBe(0);
    for (const { start, setPeriodToTimeRange } of numbers)
      expect([start, setPeriodToTimeRange]).toEqual(["-PT24H", true]);
    const rates = numbers.filter(({ title }) => title.includes("%")).flatMap(({ lines }) => lines);
    expect(rates.filter(({ name }) => name).map(({ statistic }) => statistic)).toEqual(
      Array(6).fill("Average"),
    );
  });

  test("The dashboard draws every alarm about V1, and where it fires as a line; a count of checks as their share", () => {
    for (const { name, row, endpoint } of aboutV1) {
      const { metric } = row;
      const { statistic, periodSeconds, threshold } = row.drawn ?? row;
      if (["RequestFailed", "Unauthorized"].includes(metric)) expect(threshold, name).toBeLessThanOrEqual(1);
      const widget = widgets.find(
        ({ thresholds, lines }) =>
          thresholds.includes(threshold) &&
          lines.some(
            (line) =>
              line.name === metric &&
              line.dimension?.Value === endpoint &&
              line.statistic === statistic &&
              line.periodSeconds === periodSeconds,
          ),
      );
      expect(widget?.title, name).toBeDefined();
    }
  });

  test("The dashboard shows the functions, the table and the deliveries, and titles of a few words", () => {
    const spaces = new Set(widgets.flatMap(({ lines }) => lines.map((line) => line.namespace)));
    for (const space of ["AWS/Lambda", "AWS/DynamoDB", "AWS/SNS"]) expect(spaces).toContain(space);
    for (const { title } of widgets) {
      expect(title.length, title).toBeGreaterThan(0);
      expect(title.split(" ").length, title).toBeLessThanOrEqual(6);
    }
  });
});
