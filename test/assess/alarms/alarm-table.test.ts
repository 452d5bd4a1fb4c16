import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  type AlarmRow,
  alarmTable,
  defaultAlarmSettings,
  listAlarms,
} from "../../../lib/assess/alarms/alarm-table.ts";
import { type AlarmState, evaluateAlarm } from "../../../lib/assess/alarms/evaluate-alarm.ts";
import { alivePoint, metricOf, statusPoints, undeliveredPoint } from "../../../lib/assess/metrics.ts";
import { metricsMessages } from "../../../lib/assess/record-tick.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { alert } from "../../../lib/records/alert.ts";
import { causes } from "../../../lib/records/incident.ts";
import type { MetricPoint } from "../../../lib/records/metric-point.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { tickOf } from "../observation-builder.ts";

const table = alarmTable();
const rowOf = (id: string): AlarmRow => table.find((row) => row.id === id)!;

describe("CloudWatch takes the table:", () => {
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
    const names = listAlarms().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z-]{2,200}$/);
  });

  test("a metric of the endpoints is read only where the row has endpoints", () => {
    for (const { id, signal, endpoints } of table)
      expect(metricOf(signal.metric).perEndpoint, id).toBe(endpoints.length > 0);
  });

  test("the configuration moves its thresholds", () => {
    const moved = alarmTable({
      frozenAfterSeconds: 86_400,
      monthlyRequests: 100_000,
      sampledSeconds: 7_200,
      calmSeconds: 7_200,
      suspiciousSeconds: 1_800,
      assessSeconds: 1_800,
    });
    expect(moved.find(({ id }) => id === "frozen-data")?.threshold).toBe(86_400);
    expect(moved.find(({ id }) => id === "budget-low")?.threshold).toBe(2_000);
    const periodOf = (id: string) => moved.find((row) => row.id === id)?.periodSeconds;
    expect([periodOf("slow"), periodOf("down"), periodOf("prober-silent")]).toEqual([7_200, 1_800, 1_800]);
    // The next refusals, and the next run of an assessment, come before the period is over.
    expect([periodOf("quota-exhausted"), periodOf("alerts-undelivered")]).toEqual([14_400, 2_400]);
  });
});

// A virtual week at the default cadence: every 30 min, and every minute for 10 min after a surprise.
const minuteMs = 60_000;
const startMs = Date.parse("2026-11-15T00:00:00Z");

type Answer = "ok" | "down" | "401" | "quota" | "drift" | "frozen" | "undated" | "slow";
type Week = {
  hours: number;
  /** What V1 answers so many minutes after the start. */
  answers?(minute: number): Answer;
  /** False where nothing can be asked in between: no budget, or V1 asked us to wait. */
  confirms?: boolean;
  status?(minute: number): Parameters<typeof statusPoints>[0] | undefined;
  undelivered?(minute: number): number | undefined;
  /** Where a function dies before it has kept what it would tell. */
  dies?(minute: number): boolean;
  /** While CloudWatch takes nothing: what is told then comes later, with its old time. */
  isOut?(minute: number): boolean;
  probersUntil?: number;
  assessmentUntil?: number;
};

const usage = { current: 5_000, limit: 5_000, exhausted: true };
const missing: Observation["findings"][number] = {
  ...{ id: "passport score missing", path: "score", kind: "missing", expected: "number" },
  ...{ observed: "missing", count: 1, of: 1, level: "breaking" },
};
const oldAges = { newest: 6 * 86_400, p50: 7 * 86_400, p95: 8 * 86_400, oldest: 9 * 86_400 };
const observationsOf: Record<Answer, Parameters<typeof tickOf>[1]> = {
  ok: {},
  down: { status: 503 },
  "401": { status: 401 },
  quota: { status: 401, notices: { usage } },
  drift: { findings: [missing] },
  frozen: { staleness: { ages: oldAges } },
  undated: { staleness: null },
  slow: { timings: { totalMs: 9_000 } },
};

const everyMs = defaultAlarmSettings.sampledSeconds * 1_000;

/** A data point, and when CloudWatch took it. */
type Taken = MetricPoint & { takenMs: number };

/** What CloudWatch is told, by the code that tells it. */
function live(week: Week): Taken[] {
  const { hours, answers = () => "ok", confirms = true, status } = week;
  const { probersUntil = Infinity, assessmentUntil = Infinity } = week;
  const points: Taken[] = [];
  const waiting: MetricPoint[] = [];
  const ids = new Set<string>();
  let known: Answer = "ok";
  let sinceMinute = 0;
  let lastSign = -60;
  for (let minute = 0; minute < hours * 60; minute++) {
    // Schedulers are late by up to half a minute.
    const atMs = startMs + minute * minuteMs + ((minute * 7) % 30) * 1_000;
    const isRunning = minute < probersUntil;
    const isSuspicious = confirms && known !== "ok" && minute - sinceMinute <= 10;
    if (isRunning && minute % 15 === 1) lastSign = minute;
    if (isRunning && (minute % 30 === 0 || isSuspicious)) {
      const answer = answers(minute);
      const observations = tickOf(atMs, observationsOf[answer]);
      const tick = { tickMs: startMs + minute * minuteMs, observations, primary: "authenticated" as const };
      const isDead = week.dies?.(minute);
      for (const message of metricsMessages({ ...tick, sparing: { everyMs } })) {
        if (isDead || message.kind !== "metrics" || ids.has(message.id)) continue;
        waiting.push(...message.points);
        ids.add(message.id);
      }
      if (answer !== known) sinceMinute = minute;
      known = answer;
    }
    if (minute < assessmentUntil && minute % 15 === 0)
      waiting.push(alivePoint(atMs, minute - lastSign < 30 ? endpointIds.length : 0));
    const undelivered = week.undelivered?.(minute);
    if (undelivered) waiting.push(undeliveredPoint(atMs, undelivered));
    const more = status?.(minute);
    if (more) waiting.push(...statusPoints({ ...more, atMs }));
    if (!week.isOut?.(minute))
      points.push(...waiting.splice(0).map((point) => ({ ...point, takenMs: atMs })));
  }
  return points;
}

/** Every change of every alarm after two hours of warming up: `180 down-passport ALARM`. */
function watch(week: Week, ids: readonly string[] = table.map(({ id }) => id), stepMinutes = 1) {
  const points = live(week);
  const changes: { minute: number; name: string; state: AlarmState }[] = [];
  const final: Record<string, AlarmState> = {};
  const everAlarmed = new Set<string>();
  for (const { name, row, endpoint } of listAlarms(table.filter(({ id }) => ids.includes(id)))) {
    // What is older than four days can matter to no row.
    const own = points.filter((point) => !point.endpoint || point.endpoint === endpoint);
    let state: AlarmState = "INSUFFICIENT_DATA";
    for (let minute = 1; minute <= week.hours * 60; minute += stepMinutes) {
      const nowMs = startMs + minute * minuteMs + 59_000;
      const known = own.filter(({ takenMs }) => takenMs <= nowMs);
      const next = evaluateAlarm(row, { endpoint, points: known, previous: state, nowMs });
      if (next === "ALARM") everAlarmed.add(name);
      if (next !== state && minute > 120) changes.push({ minute, name, state: next });
      state = next;
    }
    final[name] = state;
  }
  return { changes, final, everAlarmed: [...everAlarmed] };
}

const daily = (minute: number) =>
  minute % 1_440 === 0
    ? { atMs: 0, budgetLeft: 288, openIncidents: 0, certificateDaysLeft: 60, daysToRetirement: 200 }
    : undefined;

describe("at the default cadence", () => {
  test("three calm days change nothing and alarm nobody", () => {
    const { changes, final } = watch({ hours: 72, status: daily }, undefined, 7);
    expect(changes).toEqual([]);
    expect(new Set(Object.values(final))).toEqual(new Set(["OK"]));
  });

  test("a calm month publishes the outcome and the drift of every check, and nothing unexpected", () => {
    const month = live({ hours: 30 * 24, status: daily }).filter(
      ({ atMs }) => atMs >= startMs + 60 * minuteMs,
    );
    const told = [...new Set(month.map(({ metric, endpoint = "" }) => `${metric} ${endpoint}`.trim()))];
    const each = (metric: string) => endpointIds.toSorted().map((endpoint) => `${metric} ${endpoint}`);
    expect(told.sort()).toEqual([
      ...each("BreakingDrift"),
      "BudgetLeft",
      "CertificateDaysLeft",
      "DaysToRetirement",
      "LatencyMs passport",
      "LatencyMs passport-credentials",
      "LatencyMs passport-list",
      "NewestAgeSeconds",
      "OpenIncidents",
      "ProbersAlive",
      "RecordAgeSeconds passport",
      "RecordAgeSeconds passport-credentials",
      "RecordAgeSeconds passport-list",
      ...each("RequestFailed"),
      ...each("Unauthorized"),
    ]);
  });

  test.each([
    ["down", "down"],
    ["401", "unauthorized"],
    ["drift", "breaking-drift"],
  ] as const)(
    "%s for three hours is one alarm within 12 minutes, and ends with the first good answer",
    (answer, id) => {
      const { changes } = watch({
        hours: 12,
        answers: (minute) => (minute >= 300 && minute < 480 ? answer : "ok"),
      });
      const own = changes.filter(({ name }) => name === `${id}-passport`);
      expect(own.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
      expect(own[0]!.minute - 300).toBeLessThanOrEqual(12);
      expect(own[1]!.minute - 480).toBeLessThanOrEqual(2);
      // A 401 is not `down`, and neither is drift; where nothing is answered, nothing is known of speed and age.
      const others = changes.filter(({ name }) => !name.startsWith(id));
      expect(others.filter(({ state }) => state === "ALARM")).toEqual([]);
    },
  );

  test("drift that ends while V1 is down ends with the first good answer", () => {
    const { changes } = watch(
      {
        hours: 12,
        answers: (minute) => (minute < 300 || minute >= 480 ? "ok" : minute < 400 ? "drift" : "down"),
      },
      ["breaking-drift", "down"],
    );
    for (const name of ["breaking-drift-passport", "down-passport"]) {
      const own = changes.filter((change) => change.name === name);
      expect(own.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
      expect(own[1]!.minute - 480).toBeLessThanOrEqual(2);
    }
  });

  test.each([
    ["down", "down"],
    ["401", "unauthorized"],
    ["drift", "breaking-drift"],
  ] as const)(
    "the end of %s is told until it has come: over dying functions and hours without CloudWatch",
    (bad, id) => {
      const answers = (minute: number): Answer => (minute >= 300 && minute < 480 ? bad : "ok");
      const dying = watch({ hours: 24, answers, dies: (minute) => minute >= 480 && minute < 700 }, [id]);
      const out = watch({ hours: 24, answers, isOut: (minute) => minute >= 470 && minute < 700 }, [id]);
      for (const { changes } of [dying, out]) {
        const own = changes.filter(({ name }) => name === `${id}-passport`);
        expect(own.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
        // The next calm answer.
        expect(own[1]!.minute).toBeLessThanOrEqual(722);
      }
    },
  );

  test("a V1 that is down and comes back drifting ends the one alarm and raises the other, whatever dies", () => {
    const { changes } = watch(
      {
        hours: 24,
        answers: (minute) => (minute < 300 ? "ok" : minute < 480 ? "down" : "drift"),
        dies: (minute) => minute >= 480 && minute < 500,
      },
      ["down", "breaking-drift"],
    );
    const own = changes.filter(({ name }) => name.endsWith("-passport"));
    expect(own.map(({ name, state }) => `${name} ${state}`)).toEqual([
      ...["down-passport ALARM", "down-passport OK", "breaking-drift-passport ALARM"],
    ]);
  });

  test("down is told even where nothing can be asked in between: with the second calm failure", () => {
    const { changes } = watch(
      { hours: 12, confirms: false, answers: (minute) => (minute >= 300 && minute < 480 ? "down" : "ok") },
      ["down"],
    );
    const own = changes.filter(({ name }) => name === "down-passport");
    expect(own.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
    expect(own[0]!.minute - 300).toBeLessThanOrEqual(32);
  });

  test.each(["down", "401", "drift"] as const)(
    "%s for two or for five minutes pages nobody, then or later",
    (answer) => {
      for (const minutes of [2, 5]) {
        const { changes } = watch({
          hours: 8,
          answers: (minute) => (minute >= 300 && minute < 300 + minutes ? answer : "ok"),
        });
        expect(changes).toEqual([]);
      }
    },
  );

  test.each([5, 10, 15, 20, 30])(
    "a first assessment before the first probe accuses nobody, where there is one every %d minutes",
    (every) => {
      const row = alarmTable({ ...defaultAlarmSettings, assessSeconds: every * 60 }).find(
        ({ id }) => id === "prober-silent",
      )!;
      const points = [0, 1, 2, 3, 4, 5, 6].map((run) =>
        alivePoint(startMs + run * every * minuteMs, run && 3),
      );
      let state: AlarmState = "INSUFFICIENT_DATA";
      for (let minute = 1; minute < 6 * every; minute++) {
        const nowMs = startMs + minute * minuteMs + 59_000;
        state = evaluateAlarm(row, { points, previous: state, nowMs });
        expect(state, `minute ${minute}`).not.toBe("ALARM");
      }
    },
  );

  test("an exhausted quota is named with the first tick that meets it, and stays named", () => {
    const { changes } = watch({ hours: 8, answers: (minute) => (minute >= 300 ? "quota" : "ok") }, [
      "quota-exhausted",
      "down",
    ]);
    expect(changes).toEqual([{ minute: 301, name: "quota-exhausted", state: "ALARM" }]);
  });

  const own = ["prober-silent", "assessment-silent"];

  test("dead probers are an alarm within the hour, not silence; it says nothing of V1", () => {
    const { changes } = watch({ hours: 12, probersUntil: 300 }, [...own, "down"]);
    expect(changes).toEqual([{ minute: 346, name: "prober-silent", state: "ALARM" }]);
  });

  test("a first assessment that comes before the first probe accuses nobody", () => {
    const first = live({ hours: 3 }).filter(({ metric }) => metric === "ProbersAlive");
    expect(first.slice(0, 2).map(({ values }) => values)).toEqual([[0], [3]]);
    const { everAlarmed } = watch({ hours: 3 }, own);
    expect(everAlarmed).toEqual([]);
  });

  test("a dead assessment is an alarm within the hour, and accuses no prober", () => {
    const { changes } = watch({ hours: 12, assessmentUntil: 300 }, own);
    expect(changes.filter(({ state }) => state === "ALARM")).toEqual([
      { minute: 346, name: "assessment-silent", state: "ALARM" },
    ]);
  });

  test("where all is dead, nobody takes it for silence", () => {
    const { final } = watch({ hours: 12, probersUntil: 300, assessmentUntil: 300 }, own);
    expect(final["assessment-silent"]).toBe("ALARM");
  });

  test("a slow V1 is told with the second slow sample", () => {
    const { changes } = watch({ hours: 24, answers: (minute) => (minute >= 400 ? "slow" : "ok") }, ["slow"]);
    expect(changes.map(({ state }) => state)).toEqual(["ALARM", "ALARM", "ALARM"]);
    expect(changes[0]!.minute - 400).toBeLessThanOrEqual(7 * 60);
  });

  test("an unknown age is neither fresh nor frozen", () => {
    const { final } = watch({ hours: 8, answers: () => "undated" }, ["frozen-data"]);
    expect(final).toEqual({ "frozen-data": "INSUFFICIENT_DATA" });
  });

  test("a list that stopped moving is frozen", () => {
    const { final } = watch({ hours: 8, answers: () => "frozen" }, ["frozen-data"]);
    expect(final).toEqual({ "frozen-data": "ALARM" });
  });

  test("a near date alarms once, holds from day to day, and ends when the date is withdrawn", () => {
    const { changes } = watch(
      {
        hours: 14 * 24,
        status: (minute) =>
          minute % 1_440 === 3 && minute > 4_000 && minute < 10_000
            ? { atMs: 0, daysToRetirement: 30 - Math.floor(minute / 1_440) }
            : undefined,
      },
      ["retirement-near"],
      5,
    );
    expect(changes.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
    expect(changes[1]!.minute - 10_000).toBeLessThanOrEqual(3 * 1_440);
  });

  test("a certificate that was not seen for a week is not a renewed one", () => {
    const { final } = watch(
      {
        hours: 10 * 24,
        status: (minute) => (minute === 60 ? { atMs: 0, certificateDaysLeft: 9 } : undefined),
      },
      ["certificate-expiring"],
      30,
    );
    expect(final).toEqual({ "certificate-expiring": "ALARM" });
  });

  test("the end of a calm month of 31 days is no spent budget", () => {
    const authenticated = 3 * 48 * 31;
    const rare = 8 * 31;
    const left = defaultAlarmSettings.monthlyRequests - authenticated - rare;
    expect(left).toBeGreaterThan(rowOf("budget-low").threshold);
  });

  test("alerts that wait for an hour are told, and the end of it too; one bad moment is not", () => {
    const waiting = (from: number, until: number) => (minute: number) =>
      minute % 15 === 0 && minute >= from && minute < until ? 2 : undefined;
    const long = watch({ hours: 12, undelivered: waiting(300, 480) }, ["alerts-undelivered"]);
    expect(long.changes.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
    const short = watch({ hours: 12, undelivered: waiting(300, 301) }, ["alerts-undelivered"]);
    expect(short.changes).toEqual([]);
  });
});

describe("the runbook", () => {
  const text = readFileSync(new URL("../../../docs/runbook.md", import.meta.url), "utf8");
  const sections = text.split(/^## /m).slice(1);
  const slugOf = (section: string) => section.split("\n")[0]!.trim().toLowerCase().replaceAll(" ", "-");
  const headings = sections.map(slugOf);
  const wanted = new Set([
    ...causes.map((cause) => cause.split("/").at(-1)!),
    ...table.map((row) => row.runbook),
    "learned", // the digests
  ]);

  test("has a heading for every cause and every alarm, and no other", () => {
    expect(headings.toSorted()).toEqual([...wanted].toSorted());
  });

  test("gives an alarm the heading of its cause, where it has one", () => {
    for (const { cause, runbook } of table) if (cause) expect(runbook).toBe(cause.split("/").at(-1));
    for (const slug of wanted) expect(() => alert.shape.runbook.parse(slug)).not.toThrow();
  });

  test.each(sections.map((section) => [slugOf(section), section] as const))(
    "%s says what one sees, what it means, what to check and do, and when it ends",
    (_slug, section) => {
      for (const part of ["You see", "It means", "Check", "Do", "It ends"]) {
        expect(section).toMatch(new RegExp(`^\\*\\*${part}\\*\\*\\s+\\S`, "m"));
      }
      expect(section).toMatch(/^ {4}.*curl .*'X-API-KEY: <key>'/m);
    },
  );

  test("holds no key but <key>", () => {
    for (const [, key] of text.matchAll(/X-API-KEY: ([^']*)'/g)) expect(key).toBe("<key>");
  });
});
