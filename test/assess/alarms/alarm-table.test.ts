import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { alarmTable, faults, listAlarms } from "../../../lib/assess/alarms/alarm-table.ts";
import { metricOf } from "../../../lib/assess/metrics.ts";
import { ruleIds } from "../../../lib/records/incident.ts";
import { shippedAlarmSettings } from "../../config/shipped.ts";

const table = alarmTable(shippedAlarmSettings);

describe("the alarm table", () => {
  test("The alarm table has unique names that are ASCII and short", () => {
    const names = listAlarms(table).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z-]{2,200}$/);
  });

  test("The alarm table has an endpoint where the metric has the dimension", () => {
    for (const { name, row, endpoint } of listAlarms(table))
      expect(metricOf(row.metric).dimension, name).toBe(endpoint === undefined ? undefined : "Endpoint");
  });

  test("The alarm table has an alarm for every kind of fault, and says what to do", () => {
    expect(new Set(table.map(({ fault }) => fault))).toEqual(new Set(Object.keys(faults)));
    for (const { action, meaning } of table)
      for (const text of [action, meaning]) expect(text).toMatch(/\.$/);
  });

  test.each([1, 5, 30, 36, 60, 90, 360, 480, 720, 1_440])(
    "A check every %d minutes gives periods that CloudWatch takes, and counts that they can reach",
    (minutes) => {
      const checkSeconds = minutes * 60;
      for (const row of alarmTable({ ...shippedAlarmSettings, checkSeconds })) {
        const seconds = row.periodSeconds * row.evaluationPeriods;
        expect(row.periodSeconds % 60, row.id).toBe(0);
        expect(row.periodSeconds, row.id).toBeLessThanOrEqual(86_400);
        expect(seconds, row.id).toBeLessThanOrEqual(row.periodSeconds < 3_600 ? 86_400 : 604_800);
        // Sums can reach their threshold, and one bad check does not.
        if (row.statistic === "Sum") {
          expect(row.threshold, row.id).toBeLessThanOrEqual(row.periodSeconds / checkSeconds);
          expect(row.threshold, row.id).toBeGreaterThan(1);
        }
        if (row.statistic !== "Average") continue;
        expect(row.badPeriods, row.id).toBeLessThanOrEqual(row.evaluationPeriods);
        // Every check has a period of its own, as many as are counted are in sight, and one bad check raises nothing.
        expect(row.periodSeconds, row.id).toBeLessThanOrEqual(checkSeconds);
        expect((row.badPeriods ?? 0) * checkSeconds - checkSeconds, row.id).toBeLessThan(seconds);
        expect(row.badPeriods, row.id).toBeGreaterThan(1);
      }
    },
  );

  test("The alarm table reads a rate as the number of bad checks that it is of a day's checks, and only where a day has enough", () => {
    const rateAt = (minutes: number) =>
      alarmTable({ ...shippedAlarmSettings, checkSeconds: minutes * 60 }).find(
        ({ id }) => id === "failure-rate",
      );
    expect(rateAt(36)?.meaning).toBe(
      "6 or more of the scheduled checks of 24 h (15 % of 40) got neither JSON nor a 401.",
    );
    // 5 % of 288.
    expect(rateAt(5)?.threshold).toBe(15);
    expect([rateAt(72)?.id, rateAt(73)?.id]).toEqual(["failure-rate", undefined]);
  });

  test("The alarm table follows the configuration", () => {
    const moved = alarmTable({ ...shippedAlarmSettings, frozenAfterSeconds: 86_400 });
    expect(moved.find(({ id }) => id === "stale-data")?.threshold).toBe(86_400);
  });
});

describe("the runbook", () => {
  const text = readFileSync(new URL("../../../docs/use/runbook.md", import.meta.url), "utf8");
  const sections = text.split(/^## /m).slice(1);
  const slugOf = (section: string) => section.split("\n")[0]!.trim().toLowerCase().replaceAll(" ", "-");
  const headings = sections.map(slugOf);
  const wanted = new Set([...ruleIds, ...table.map((row) => row.runbook), "monitor", "digest"]);

  test("The runbook has a heading for every rule and every alarm, and no other", () => {
    expect(headings.toSorted()).toEqual([...wanted].toSorted());
  });

  test.each(sections.map((section) => [slugOf(section), section] as const))(
    "The runbook's heading %s has the parts You see, It means, Check, Do and It ends",
    (_slug, section) => {
      for (const part of ["You see", "It means", "Check", "Do", "It ends"]) {
        expect(section).toMatch(new RegExp(`^\\*\\*${part}\\*\\*\\s+\\S`, "m"));
      }
      expect(section).toMatch(/^ {4}.*curl .*'X-API-KEY: <key>'/m);
    },
  );

  test("The runbook contains no key except <key>", () => {
    for (const [, key] of text.matchAll(/X-API-KEY: ([^']*)'/g)) expect(key).toBe("<key>");
  });
});
