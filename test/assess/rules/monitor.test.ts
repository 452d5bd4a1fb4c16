import { describe, expect, test } from "vitest";
import { evaluateCertificate, evaluateNoSecret, evaluateSilent } from "../../../lib/assess/rules/monitor.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { dayMs, minuteMs } from "../observation-builder.ts";
import { at, contextOf, every, historyOf, incidentOf, iso, list, passport, tick } from "./check-history.ts";

const atIso = (ms: number) => new Date(ms).toISOString();

describe("the certificate", () => {
  const evaluateLeft = (leftMs: number, incidents = [] as ReturnType<typeof incidentOf>[]) => {
    const tls = { expiresAt: atIso(at(0) + leftMs) };
    return evaluateCertificate(contextOf(historyOf([[0, { tls }]]), { incidents }));
  };

  test("is unknown until a check has shown one", () => {
    expect(evaluateCertificate(contextOf(historyOf([])))).toEqual([{ state: "unknown" }]);
    expect(evaluateCertificate(contextOf(historyOf([[0]])))).toEqual([{ state: "unknown" }]);
    expect(evaluateCertificate(contextOf({ ...historyOf([]), certificateMs: at(0) }))).toEqual([
      { state: "unknown" },
    ]);
  });

  test("is reported from 14 days before its end on, and pages below three and a half", () => {
    expect(evaluateLeft(14 * dayMs + 1)).toEqual([
      { state: "inactive", firstGoodMs: at(0), good: 2, lastMs: at(0) },
    ]);
    expect(evaluateLeft(14 * dayMs)).toEqual([
      {
        state: "active",
        rule: "certificate",
        severity: "warning",
        scope: "api",
        endpoints: [...endpointIds],
        firstBadMs: at(0),
        lastGoodMs: undefined,
        lastBadMs: at(0),
        bad: 0,
        total: 0,
        facts: { expiresAt: "2026-03-16T00:00:00.000Z", daysLeft: 14 },
        key: "2026-03-16 warning",
        isConfirmed: true,
      },
    ]);
    expect(evaluateLeft(3.5 * dayMs)).toMatchObject([{ severity: "warning", facts: { daysLeft: 3 } }]);
    expect(evaluateLeft(3.5 * dayMs - 1)).toMatchObject([{ severity: "page", key: "2026-03-05 page" }]);
  });

  test("keeps the onset of its own firing incident", () => {
    const firing = incidentOf("certificate", { since: iso(-60) });
    const others = [
      incidentOf("slow", { since: iso(-90) }),
      incidentOf("certificate", { state: "resolved", since: iso(-80) }),
    ];
    expect(evaluateLeft(dayMs, [...others, firing])).toMatchObject([{ firstBadMs: at(-60) }]);
    expect(evaluateLeft(dayMs, others)).toMatchObject([{ firstBadMs: at(0) }]);
  });
});

describe("a missing key", () => {
  const noSecret = { outcome: { kind: "no-secret" as const } };

  test("is reported with the checks of all endpoints that were not possible", () => {
    const history = historyOf([
      [0],
      [10, { ...noSecret, endpoint: passport }],
      [11, noSecret],
      [15, noSecret],
    ]);
    expect(evaluateNoSecret(contextOf(history))).toEqual([
      {
        state: "active",
        rule: "no-secret",
        severity: "page",
        scope: "api",
        endpoints: [list, passport],
        firstBadMs: at(10),
        lastGoodMs: undefined,
        lastBadMs: at(15),
        bad: 3,
        total: 3,
        facts: {},
        key: "no-secret",
      },
    ]);
  });

  test("ends with a check that has a key", () => {
    const history = historyOf([...every(5, 0, 20, noSecret), [25, { status: 503 }]]);
    expect(evaluateNoSecret(contextOf(history))).toEqual([
      { state: "inactive", firstGoodMs: at(25), good: 2, lastMs: at(25) },
    ]);
  });

  test("is not ended by an anonymous check within a day of it", () => {
    const anonymous = (minutes: number) => [minutes, { variant: "anonymous", isPrimary: true }] as const;
    const history = historyOf([[0, noSecret], anonymous(24 * 60)]);
    expect(evaluateNoSecret(contextOf(history))).toMatchObject([{ state: "active", bad: 1 }]);
    historyOf([anonymous(24 * 60 + 1)], history);
    expect(evaluateNoSecret(contextOf(history))).toMatchObject([{ state: "inactive" }]);
  });
});

describe("a silent prober", () => {
  const silentAfterMs = 120 * minuteMs;

  test("is unknown before the first check", () => {
    expect(evaluateSilent(contextOf(historyOf([])))).toEqual([{ state: "unknown" }]);
  });

  test("is reported when no endpoint was checked for longer than the limit", () => {
    const history = historyOf(tick(0));
    const lastMs = history.lastMs!;
    expect(evaluateSilent(contextOf(history, { nowMs: lastMs + silentAfterMs }))).toEqual([
      { state: "inactive", firstGoodMs: lastMs, good: 2, lastMs: lastMs + silentAfterMs },
    ]);
    expect(evaluateSilent(contextOf(history, { nowMs: lastMs + silentAfterMs + 1 }))).toEqual([
      {
        state: "active",
        rule: "silent",
        severity: "page",
        scope: "api",
        endpoints: [...endpointIds],
        firstBadMs: lastMs + silentAfterMs,
        lastGoodMs: lastMs,
        lastBadMs: lastMs + silentAfterMs + 1,
        bad: 0,
        total: 0,
        facts: { limitSeconds: 7_200 },
        key: "passport-list,passport,passport-credentials",
        isConfirmed: true,
      },
    ]);
  });

  test("is reported for one endpoint while the others had four checks", () => {
    const three = [20, 70, 130].map((minutes) => [minutes, { endpoint: passport }] as const);
    const quiet = [[0] as const, ...three];
    const others = [...quiet, [131, { endpoint: passport }] as const];
    expect(evaluateSilent(contextOf(historyOf(quiet)))).toMatchObject([{ state: "inactive" }]);
    const atLimit = [20, 70, 100, 120].map((minutes) => [minutes, { endpoint: passport }] as const);
    expect(evaluateSilent(contextOf(historyOf([[0], ...atLimit])))).toMatchObject([{ state: "inactive" }]);
    // Anonymous checks of the others are no sign that this one was due.
    const rare = [...quiet, [131, { endpoint: passport, variant: "anonymous" }] as const];
    expect(evaluateSilent(contextOf(historyOf(rare)))).toMatchObject([{ state: "inactive" }]);
    expect(evaluateSilent(contextOf(historyOf(others)))).toEqual([
      {
        state: "active",
        rule: "silent",
        severity: "page",
        scope: "endpoint",
        endpoints: [list],
        firstBadMs: at(120),
        lastGoodMs: at(0),
        lastBadMs: at(131),
        bad: 0,
        total: 0,
        facts: { limitSeconds: 7_200 },
        key: list,
        isConfirmed: true,
      },
    ]);
  });

  test("keeps its onset, and the last check of any silent endpoint is the last good one", () => {
    const history = historyOf([...tick(0), ...every(20, 20, 240, { endpoint: passport })]);
    const incidents = [incidentOf("silent", { since: iso(121) })];
    expect(evaluateSilent(contextOf(history, { incidents }))).toMatchObject([
      { endpoints: [list, "passport-credentials"], firstBadMs: at(121), lastGoodMs: at(2 / 60) },
    ]);
  });
});
