import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AlarmRow, alarmTable, listAlarms } from "../../../lib/assess/alarms/alarm-table.ts";
import { type AlarmState, evaluateAlarm } from "../../../lib/assess/alarms/evaluate-alarm.ts";
import { metricOf, statusPoints, toDataPoints } from "../../../lib/assess/metrics.ts";
import { ruleIds } from "../../../lib/records/incident.ts";
import type { MetricPoint } from "../../../lib/records/metric-point.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { shippedAlarmSettings } from "../../config/shipped.ts";
import { stepsOf, tickOf } from "../observation-builder.ts";

const table = alarmTable(shippedAlarmSettings);
const rowOf = (id: string): AlarmRow => table.find((row) => row.id === id)!;

describe("the alarm table is valid for CloudWatch:", () => {
  test.each(table.map((row) => [row.id, row] as const))("%s is within its limits", (_id, row) => {
    const spanSeconds = row.periodSeconds * row.evaluationPeriods;
    // Shorter periods are for metrics of high resolution, and cost more.
    expect(row.periodSeconds % 60).toBe(0);
    expect(spanSeconds).toBeLessThanOrEqual(row.periodSeconds < 3_600 ? 86_400 : 604_800);
    expect(row.datapointsToAlarm).toBeGreaterThanOrEqual(1);
    expect(row.datapointsToAlarm).toBeLessThanOrEqual(row.evaluationPeriods);
    expect(row.meaning.length).toBeLessThanOrEqual(1_024);
    expect(Number.isFinite(row.threshold)).toBe(true);
  });

  test("names are unique, ASCII and short", () => {
    const names = listAlarms(table).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z-]{2,200}$/);
  });

  test("every target has the dimension of the row's metric", () => {
    for (const { id, signal, targets } of table)
      for (const target of targets) {
        const dimension = target.endpoint ? "Endpoint" : undefined;
        expect(metricOf(signal.metric).dimension, id).toBe(dimension);
      }
  });

  test("every alarm is about V1 or about v1watch, and has one of the two composites to notify for it", () => {
    expect(new Set(table.map(({ about }) => about))).toEqual(new Set(["v1", "v1watch"]));
  });

  test("the configuration changes its thresholds and its periods", () => {
    const moved = alarmTable({
      ...shippedAlarmSettings,
      frozenAfterSeconds: 86_400,
      monthlyRequests: 100_000,
      checkSeconds: 7_200,
    });
    const of = (id: string) => moved.find((row) => row.id === id);
    expect(of("stale-data")?.threshold).toBe(86_400);
    expect(of("budget-low")?.threshold).toBe(2_000);
    expect(of("slow")?.periodSeconds).toBe(14_400);
  });

  test.each([1, 5, 30, 36, 60, 720, 1_440])(
    "a check every %d minutes gives periods that CloudWatch takes",
    (minutes) => {
      for (const row of alarmTable({ ...shippedAlarmSettings, checkSeconds: minutes * 60 })) {
        expect(row.periodSeconds % 60, row.id).toBe(0);
        expect(row.periodSeconds, row.id).toBeLessThanOrEqual(86_400);
        expect(row.periodSeconds * row.evaluationPeriods, row.id).toBeLessThanOrEqual(
          row.periodSeconds < 3_600 ? 86_400 : 604_800,
        );
      }
    },
  );
});

// A virtual watch: a scheduled check every 30 or 36 minutes, and a confirmation every minute for 10 minutes
// after a failure.
const minuteMs = 60_000;
const startMs = Date.parse("2026-11-15T00:00:00Z");

type Response = "ok" | "down" | "401" | "quota" | "drift" | "stale" | "undated" | "slow";
type Scenario = {
  hours: number;
  /** The default cadence where it is left out. */
  checkMinutes?: number;
  /** V1's response at a minute after the start. */
  responses?(minute: number): Response;
  /** False where no confirmation is possible: no budget left, or a Retry-After. */
  confirms?: boolean;
  status?(minute: number): Omit<Parameters<typeof statusPoints>[0], "atMs"> | undefined;
  /** What every check of that minute has besides its response. */
  checks?(minute: number): Parameters<typeof tickOf>[1] | undefined;
  undelivered?(minute: number): number;
  /** Minutes in which CloudWatch accepts nothing: data points arrive later with their original time. */
  isCloudWatchDown?(minute: number): boolean;
  probersUntil?: number;
  assessmentUntil?: number;
};

const instantOf = (minute: number) => new Date(startMs + minute * minuteMs).toISOString();
const sunsetIn = (minutes: number) => ({ sunset: instantOf(minutes), isSunsetRepeated: true as const });
const expiresIn = (minutes: number) => ({ expiresAt: instantOf(minutes) });

const usage = { current: 5_000, limit: 5_000, exhausted: true };
const missing: Observation["findings"][number] = {
  id: "passport score missing",
  path: "score",
  kind: "missing",
  expected: "number",
  observed: "missing",
  count: 1,
  of: 1,
  level: "breaking",
};
const observationsOf: Record<Response, Parameters<typeof tickOf>[1]> = {
  ok: {},
  down: { status: 503 },
  "401": { status: 401 },
  quota: { status: 401, notices: { usage } },
  drift: { findings: [missing] },
  stale: { staleness: { ageSteps: stepsOf([8, 9, 10, 11].map((days) => days * 86_400)) } },
  undated: { staleness: null },
  slow: { timings: { totalMs: 9_000 } },
};

/** A data point, and when CloudWatch accepted it. */
type Accepted = MetricPoint & { acceptedMs: number };

/** The data points of a scenario, made by the code that publishes them. */
function publish(scenario: Scenario): Accepted[] {
  const { hours, checkMinutes = 30, responses = () => "ok", confirms = true } = scenario;
  const { probersUntil = Infinity, assessmentUntil = Infinity } = scenario;
  const accepted: Accepted[] = [];
  const waiting: MetricPoint[] = [];
  let last: Response = "ok";
  let sinceMinute = 0;
  for (let minute = 0; minute < hours * 60; minute++) {
    // Schedulers are late by up to half a minute.
    const atMs = startMs + minute * minuteMs + ((minute * 7) % 30) * 1_000;
    const isScheduled = minute % checkMinutes === 0;
    const isConfirmation = confirms && last !== "ok" && minute - sinceMinute <= 10;
    if (minute < probersUntil && (isScheduled || isConfirmation)) {
      const response = responses(minute);
      const reason = isScheduled ? "scheduled" : "confirmation";
      const more = scenario.checks?.(minute);
      for (const observation of tickOf(atMs, { ...observationsOf[response], ...more, reason }))
        waiting.push(...toDataPoints(observation, {}));
      if (response !== last) sinceMinute = minute;
      last = response;
    }
    if (minute < assessmentUntil && minute % 15 === 0) {
      const undeliveredAlerts = scenario.undelivered?.(minute) ?? 0;
      waiting.push(...statusPoints({ atMs, undeliveredAlerts }));
    }
    const more = scenario.status?.(minute);
    if (more) waiting.push(...statusPoints({ ...more, atMs }));
    if (!scenario.isCloudWatchDown?.(minute))
      accepted.push(...waiting.splice(0).map((point) => ({ ...point, acceptedMs: atMs })));
  }
  return accepted;
}

type Change = { minute: number; name: string; state: AlarmState };

/** Every change of every alarm after two hours of warming up: `180 request-failures-passport ALARM`. */
function evaluate(scenario: Scenario, ids: readonly string[] = table.map(({ id }) => id), stepMinutes = 1) {
  const points = publish(scenario);
  const rows = alarmTable({ ...shippedAlarmSettings, checkSeconds: (scenario.checkMinutes ?? 30) * 60 });
  const changes: Change[] = [];
  const final: Record<string, AlarmState> = {};
  for (const { name, row, ...target } of listAlarms(rows.filter(({ id }) => ids.includes(id)))) {
    const own = points.filter(
      (point) => point.metric === row.signal.metric && point.endpoint === target.endpoint,
    );
    let state: AlarmState = "INSUFFICIENT_DATA";
    for (let minute = 1; minute <= scenario.hours * 60; minute += stepMinutes) {
      const nowMs = startMs + minute * minuteMs + 59_000;
      const known = own.filter(({ acceptedMs }) => acceptedMs <= nowMs);
      const next = evaluateAlarm(row, { target, points: known, previous: state, nowMs });
      if (next !== state && minute > 120) changes.push({ minute, name, state: next });
      state = next;
    }
    final[name] = state;
  }
  return { changes, final };
}

const daily = (minute: number) => (minute % 1_440 === 0 ? { budgetLeft: 288, openIncidents: 0 } : undefined);

const statesOf = (changes: readonly Change[], name: string) =>
  changes.filter((change) => change.name === name).map(({ state }) => state);

describe.each([30, 36])("with a check every %d minutes", (checkMinutes) => {
  test("three days without faults change no alarm state", () => {
    const { changes, final } = evaluate(
      {
        hours: 72,
        checkMinutes,
        status: daily,
        checks: () => ({ notices: sunsetIn(200 * 1_440), tls: expiresIn(60 * 1_440) }),
      },
      undefined,
      7,
    );
    expect(changes).toEqual([]);
    expect(new Set(Object.values(final))).toEqual(new Set(["OK"]));
  });

  test.each([
    ["down", "request-failures-passport"],
    ["401", "unauthorized-passport-list"],
    ["drift", "breaking-drift-passport"],
  ] as const)(
    "%s for six hours raises one alarm within three periods, and it ends with good checks",
    (response, name) => {
      const periodMinutes = 2 * checkMinutes;
      const { changes } = evaluate({
        hours: 18,
        checkMinutes,
        responses: (minute) => (minute >= 360 && minute < 720 ? response : "ok"),
      });
      const own = changes.filter((change) => change.name === name);
      expect(own.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
      expect(own[0]!.minute - 360).toBeLessThanOrEqual(3 * periodMinutes);
      expect(own[1]!.minute - 720).toBeLessThanOrEqual(2 * periodMinutes);
      const row = listAlarms(table).find((alarm) => alarm.name === name)?.row.id;
      const others = changes.filter((change) => !change.name.startsWith(String(row)));
      expect(others.filter(({ state }) => state === "ALARM")).toEqual([]);
    },
  );

  test.each(["down", "401", "drift", "slow"] as const)(
    "%s in one scheduled check and its confirmations raises no alarm",
    (response) => {
      const { changes } = evaluate({
        hours: 12,
        checkMinutes,
        responses: (minute) => (minute >= 360 && minute < 360 + checkMinutes ? response : "ok"),
      });
      expect(changes.filter(({ state }) => state === "ALARM")).toEqual([]);
    },
  );
});

describe("an alarm about V1", () => {
  test("for drift that ends while V1 is down ends with the first good checks", () => {
    const { changes } = evaluate(
      {
        hours: 24,
        responses: (minute) => (minute < 300 || minute >= 720 ? "ok" : minute < 540 ? "drift" : "down"),
      },
      ["breaking-drift", "request-failures"],
    );
    for (const name of ["breaking-drift-passport", "request-failures-passport"])
      expect(statesOf(changes, name)).toEqual(["ALARM", "OK"]);
    const [, end] = changes.filter(({ name }) => name === "breaking-drift-passport");
    expect(end!.minute).toBeGreaterThanOrEqual(720);
  });

  test("is raised late, and ends, where CloudWatch accepted nothing for hours", () => {
    const { changes } = evaluate(
      {
        hours: 24,
        responses: (minute) => (minute >= 300 && minute < 600 ? "down" : "ok"),
        isCloudWatchDown: (minute) => minute >= 320 && minute < 500,
      },
      ["request-failures"],
    );
    expect(statesOf(changes, "request-failures-passport")).toEqual(["ALARM", "OK"]);
  });

  test("for failed requests needs no confirmations", () => {
    const { changes } = evaluate(
      { hours: 12, confirms: false, responses: (minute) => (minute >= 300 && minute < 480 ? "down" : "ok") },
      ["request-failures"],
    );
    expect(statesOf(changes, "request-failures-passport")).toEqual(["ALARM", "OK"]);
  });

  test("for an exhausted quota is raised with the first tick, and keeps firing", () => {
    const { changes } = evaluate({ hours: 8, responses: (minute) => (minute >= 300 ? "quota" : "ok") }, [
      "quota-exhausted",
      "request-failures",
    ]);
    expect(changes).toEqual([{ minute: 301, name: "quota-exhausted", state: "ALARM" }]);
  });

  test("for slow responses is raised within two periods", () => {
    const { changes } = evaluate({ hours: 12, responses: (minute) => (minute >= 390 ? "slow" : "ok") }, [
      "slow",
    ]);
    expect(changes.map(({ state }) => state)).toEqual(["ALARM"]);
    expect(changes[0]!.minute - 390).toBeLessThanOrEqual(2 * 60 + 2);
  });

  test("for stale data is in INSUFFICIENT_DATA while the age is unknown", () => {
    const { final } = evaluate({ hours: 8, responses: () => "undated" }, ["stale-data"]);
    expect(final).toEqual({ "stale-data-passport-list": "INSUFFICIENT_DATA" });
  });

  test("for stale data is raised where the newest record is too old", () => {
    const { final } = evaluate({ hours: 8, responses: () => "stale" }, ["stale-data"]);
    expect(final).toEqual({ "stale-data-passport-list": "ALARM" });
  });

  test("for a near retirement date is raised once, keeps firing, and ends when the date is withdrawn", () => {
    const { changes } = evaluate(
      {
        hours: 14 * 24,
        checks: (minute) =>
          minute > 4_000 && minute < 10_000 ? { notices: sunsetIn(30 * 1_440) } : undefined,
      },
      ["retirement-near"],
      5,
    );
    expect(changes.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
    expect(changes[1]!.minute - 10_000).toBeLessThanOrEqual(4 * 1_440);
  });

  test("for an expiring certificate keeps firing while no certificate is seen", () => {
    const { final } = evaluate(
      { hours: 10 * 24, checks: (minute) => (minute === 60 ? { tls: expiresIn(9 * 1_440) } : undefined) },
      ["certificate-expiring"],
      30,
    );
    expect(final).toEqual({ "certificate-expiring": "ALARM" });
  });

  test("for a low budget is not raised at the end of a month of 31 days without faults", () => {
    const authenticated = 3 * 48 * 31;
    const rare = 8 * 31;
    const left = shippedAlarmSettings.monthlyRequests - authenticated - rare;
    expect(left).toBeGreaterThan(rowOf("budget-low").threshold);
  });
});

describe("an alarm about v1watch", () => {
  test("for undelivered alerts is raised and ends when alerts wait for hours, and not for one data point", () => {
    const waiting = (from: number, until: number) => (minute: number) =>
      minute >= from && minute < until ? 2 : 0;
    const long = evaluate({ hours: 12, undelivered: waiting(300, 480) }, ["alerts-undelivered"]);
    expect(long.changes.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
    const short = evaluate({ hours: 12, undelivered: waiting(300, 301) }, ["alerts-undelivered"]);
    expect(short.changes).toEqual([]);
  });
});

describe("the runbook", () => {
  const text = readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
  const sections = text.split(/^## /m).slice(1);
  const slugOf = (section: string) => section.split("\n")[0]!.trim().toLowerCase().replaceAll(" ", "-");
  const headings = sections.map(slugOf);
  const wanted = new Set([...ruleIds, ...table.map((row) => row.runbook), "monitor", "digest"]);

  test("has a heading for every rule and every alarm, and no other", () => {
    expect(headings.toSorted()).toEqual([...wanted].toSorted());
  });

  test("gives an alarm the heading of its rule, where it has one", () => {
    for (const { rule, runbook } of table) if (rule) expect(runbook).toBe(rule);
  });

  test.each(sections.map((section) => [slugOf(section), section] as const))(
    "%s has the parts You see, It means, Check, Do and It ends",
    (_slug, section) => {
      for (const part of ["You see", "It means", "Check", "Do", "It ends"]) {
        expect(section).toMatch(new RegExp(`^\\*\\*${part}\\*\\*\\s+\\S`, "m"));
      }
      expect(section).toMatch(/^ {4}.*curl .*'X-API-KEY: <key>'/m);
    },
  );

  test("contains no key except <key>", () => {
    for (const [, key] of text.matchAll(/X-API-KEY: ([^']*)'/g)) expect(key).toBe("<key>");
  });
});
