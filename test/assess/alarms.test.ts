import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AlarmRow, alarmTable, defaultAlarmSettings, listAlarms } from "../../lib/assess/alarms.ts";
import { type AlarmState, evaluateAlarm } from "../../lib/assess/evaluate.ts";
import { renderExpression } from "../../lib/assess/expression.ts";
import { heartbeat, metrics, statusPoints } from "../../lib/assess/metrics.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { alert } from "../../lib/records/alert.ts";
import { causes } from "../../lib/records/incident.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";

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
    const { expression, metrics: readings } = renderExpression(row.signal);
    expect(expression.length).toBeLessThanOrEqual(2_048);
    const ids = Object.keys(readings);
    expect(ids.length).toBeGreaterThanOrEqual(1);
    expect(ids.length).toBeLessThanOrEqual(10);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z0-9_]*$/);
    expect(row.meaning.length).toBeLessThanOrEqual(1_024);
    expect(Number.isFinite(row.threshold)).toBe(true);
  });

  test("names are unique, ASCII and short", () => {
    const names = listAlarms().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z-]{2,200}$/);
  });

  test("a metric of the endpoints is read only where the row has endpoints, and none is mixed in", () => {
    const perEndpoint = new Map(metrics.map(({ name, perEndpoint }) => [name, perEndpoint]));
    for (const row of table) {
      for (const { metric } of Object.values(renderExpression(row.signal).metrics)) {
        expect(perEndpoint.get(metric), `${row.id} ${metric}`).toBe(row.endpoints.length > 0);
      }
    }
  });

  test("the configuration moves its thresholds", () => {
    const moved = alarmTable({ frozenAfterSeconds: 86_400, monthlyRequests: 100_000 });
    expect(moved.find(({ id }) => id === "frozen-data")?.threshold).toBe(86_400);
    expect(moved.find(({ id }) => id === "budget-low")?.threshold).toBe(2_000);
  });
});

// A virtual week at the default cadence: every 30 min, and every minute for 10 min after a surprise.
const minuteMs = 60_000;
const startMs = Date.parse("2026-11-15T00:00:00Z");

type Answer = "ok" | "down" | "401" | "quota" | "drift" | "frozen" | "undated";
type Week = {
  hours: number;
  /** What V1 answers so many minutes after the start. */
  answers?(minute: number): Answer;
  /** False where nothing can be asked in between: no budget, or V1 asked us to wait. */
  confirms?: boolean;
  status?(minute: number): Parameters<typeof statusPoints>[0] | undefined;
  aliveUntil?: number;
};

const one = (metric: string, atMs: number, value: number, endpoint?: EndpointId): MetricPoint => ({
  metric,
  atMs,
  values: [value],
  ...(endpoint && { endpoint }),
});

function pointsOfAnswer(answer: Answer, atMs: number): MetricPoint[] {
  const isOk = answer !== "down" && answer !== "401" && answer !== "quota";
  const ageSeconds = answer === "frozen" ? 6 * 86_400 : 7_800;
  const age = isOk && answer !== "undated" ? [one("NewestAgeSeconds", atMs, ageSeconds)] : [];
  const points = endpointIds.flatMap((endpoint) => [
    one("Answered", atMs, answer === "down" ? 0 : 1, endpoint),
    ...(isOk ? [one("LatencyMs", atMs, 200, endpoint)] : []),
    ...(answer === "drift" ? [one("BreakingDrift", atMs, 2, endpoint)] : []),
    ...(answer === "401" || answer === "quota" ? [one("Unauthorized", atMs, 1, endpoint)] : []),
    ...(answer === "quota" ? [one("QuotaExhausted", atMs, 1)] : []),
  ]);
  return [...points, ...age];
}

function live({ hours, answers = () => "ok", confirms = true, status, aliveUntil = Infinity }: Week) {
  const points: MetricPoint[] = [];
  let known: Answer = "ok";
  let sinceMinute = 0;
  for (let minute = 0; minute < Math.min(hours * 60, aliveUntil); minute++) {
    // Schedulers are late by up to half a minute.
    const atMs = startMs + minute * minuteMs + ((minute * 7) % 30) * 1_000;
    const isCalmTick = minute % 30 === 0;
    const isSuspicious = confirms && known !== "ok" && minute - sinceMinute <= 10;
    if (isCalmTick) points.push(heartbeat("ProberHeartbeat", atMs), heartbeat("AssessmentHeartbeat", atMs));
    if (isCalmTick || isSuspicious) {
      const answer = answers(minute);
      points.push(...pointsOfAnswer(answer, atMs));
      if (answer !== known) sinceMinute = minute;
      known = answer;
    }
    const told = status?.(minute);
    if (told) points.push(...statusPoints({ ...told, atMs }));
  }
  return points;
}

/** Every change of every alarm after two hours of warming up: `180 down-passport ALARM`. */
function watch(week: Week, ids: readonly string[] = table.map(({ id }) => id), stepMinutes = 1) {
  const points = live(week);
  const changes: { minute: number; name: string; state: AlarmState }[] = [];
  const final: Record<string, AlarmState> = {};
  for (const { name, row, endpoint } of listAlarms(table.filter(({ id }) => ids.includes(id)))) {
    // What is older than four days can matter to no row.
    const own = points.filter((point) => !point.endpoint || point.endpoint === endpoint);
    let state: AlarmState = "INSUFFICIENT_DATA";
    for (let minute = 120; minute <= week.hours * 60; minute += stepMinutes) {
      const nowMs = startMs + minute * minuteMs + 59_000;
      const next = evaluateAlarm(row, { endpoint, points: own, previous: state, nowMs });
      if (next !== state && minute > 120) changes.push({ minute, name, state: next });
      state = next;
    }
    final[name] = state;
  }
  return { changes, final };
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

  test("down is told even where nothing can be asked in between: with the second calm failure", () => {
    const { changes } = watch(
      { hours: 12, confirms: false, answers: (minute) => (minute >= 300 && minute < 480 ? "down" : "ok") },
      ["down"],
    );
    const own = changes.filter(({ name }) => name === "down-passport");
    expect(own.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
    expect(own[0]!.minute - 300).toBeLessThanOrEqual(32);
  });

  test("a blip of five minutes pages nobody", () => {
    const { changes } = watch({
      hours: 8,
      answers: (minute) => (minute >= 300 && minute < 305 ? "down" : "ok"),
    });
    expect(changes).toEqual([]);
  });

  test("an exhausted quota is named with the first tick that meets it, and stays named", () => {
    const { changes } = watch({ hours: 8, answers: (minute) => (minute >= 300 ? "quota" : "ok") }, [
      "quota-exhausted",
      "down",
    ]);
    expect(changes).toEqual([{ minute: 301, name: "quota-exhausted", state: "ALARM" }]);
  });

  test("a dead prober is an alarm within the hour, not silence; it says nothing of V1", () => {
    const { changes } = watch({ hours: 12, aliveUntil: 300 }, ["prober-silent", "assessment-silent", "down"]);
    expect(changes).toEqual([
      { minute: 331, name: "prober-silent", state: "ALARM" },
      { minute: 331, name: "assessment-silent", state: "ALARM" },
    ]);
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
    const keyed = 3 * 48 * 31;
    const rare = 8 * 31;
    const left = defaultAlarmSettings.monthlyRequests - keyed - rare;
    expect(left).toBeGreaterThan(rowOf("budget-low").threshold);
  });

  test("alerts that wait for an hour are told, and the end of it too; one bad moment is not", () => {
    const waiting = (from: number, until: number) => (minute: number) =>
      minute % 30 === 0 && minute >= from && minute < until ? { atMs: 0, undelivered: 2 } : undefined;
    const long = watch({ hours: 12, status: waiting(300, 480) }, ["alerts-undelivered"]);
    expect(long.changes.map(({ state }) => state)).toEqual(["ALARM", "OK"]);
    const short = watch({ hours: 12, status: waiting(300, 301) }, ["alerts-undelivered"]);
    expect(short.changes).toEqual([]);
  });
});

describe("the runbook", () => {
  const text = readFileSync(new URL("../../docs/runbook.md", import.meta.url), "utf8");
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
