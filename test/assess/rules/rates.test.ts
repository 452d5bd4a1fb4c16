import { describe, expect, test } from "vitest";
import { evaluateRates, evaluateSlow } from "../../../lib/assess/rules/rates.ts";
import type { Incident } from "../../../lib/records/incident.ts";
import { dayMs } from "../observation-builder.ts";
import {
  at,
  contextOf,
  every,
  historyOf,
  incidentOf,
  iso,
  list,
  passport,
  type Row,
} from "./check-history.ts";

/** Checks of the list every 12 minutes; those whose numbers are given fail. */
const numbered = (count: number, bad: readonly number[], status = 502): Row[] =>
  every(12, 0, (count - 1) * 12).map(([minutes], index) => [minutes, bad.includes(index) ? { status } : {}]);
/** Every third of them, from the first on. */
const thirds = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index * 3);

const evaluate = (rows: readonly Row[], incidents: Incident[] = [], nowMs?: number) => {
  const history = historyOf(rows);
  return evaluateRates(contextOf(history, { incidents, ...(nowMs !== undefined && { nowMs }) }));
};

describe("a rate of failures", () => {
  test("warns at 7 failures that are 5 % of the scheduled checks of 24 h", () => {
    expect(evaluate(numbered(119, thirds(6)))).toEqual([{ state: "inactive" }]);
    expect(evaluate(numbered(119, thirds(7, 2)))).toEqual([
      {
        state: "active",
        rule: "error-rate",
        severity: "warning",
        scope: "endpoint",
        endpoints: [list],
        firstBadMs: at(24),
        lastGoodMs: at(12),
        lastBadMs: at(20 * 12),
        bad: 7,
        total: 119,
        windowMs: dayMs,
        facts: { responses: { 502: 7 }, limitBad: 7, limitShare: 0.05 },
        key: "warning 0.059 2026-03-02",
        isConfirmed: true,
      },
    ]);
    // 7 of 140 are 5 %, 7 of 141 are less.
    const dense = (count: number) =>
      every(10, 0, (count - 1) * 10).map(
        ([minutes], index): Row => [minutes, thirds(7, 2).includes(index) ? { status: 502 } : {}],
      );
    expect(evaluate(dense(140))).toMatchObject([{ state: "active", bad: 7, total: 140 }]);
    expect(evaluate(dense(141))).toEqual([{ state: "inactive" }]);
  });

  test("counts the checks after the instant 24 h before the last one that counts", () => {
    expect(evaluate(numbered(120, thirds(7)))).toMatchObject([{ bad: 7, total: 120 }]);
    expect(evaluate(numbered(121, thirds(7)))).toEqual([{ state: "inactive" }]);
  });

  test("keeps its numbers while an outage lasts, in which no check counts", () => {
    const [before] = evaluate(numbered(60, thirds(7)));
    const outage = every(12, 60 * 12, 60 * 12 + 23 * 60).map(([minutes]): Row => [minutes, { status: 503 }]);
    const down = incidentOf("down", { endpoints: [list], since: iso(60 * 12) });
    expect(evaluate([...numbered(60, thirds(7)), ...outage], [down])).toEqual([
      { ...before, key: expect.stringMatching(/^warning 0\.117 /) },
    ]);
  });

  test("pages at 12 failures in the last 36 scheduled checks", () => {
    expect(evaluate(numbered(60, thirds(11, 26)))).toMatchObject([{ severity: "warning" }]);
    expect(evaluate(numbered(60, thirds(12, 24)))).toEqual([
      {
        state: "active",
        rule: "error-rate",
        severity: "page",
        scope: "endpoint",
        endpoints: [list],
        firstBadMs: at(24 * 12),
        lastGoodMs: undefined,
        lastBadMs: at(57 * 12),
        bad: 12,
        total: 36,
        windowMs: at(59 * 12) - at(24 * 12),
        facts: { responses: { 502: 12 }, limitBad: 12 },
        key: "page 0.333 2026-03-02",
        isConfirmed: true,
      },
    ]);
    expect(evaluate(numbered(60, thirds(12, 23)))).toMatchObject([{ severity: "warning" }]);
  });

  test("counts neither confirmations, nor three failures in a row that go on", () => {
    const extra = thirds(12).map((index): Row => [index * 12 + 1, { status: 502, reason: "confirmation" }]);
    const rows = [...numbered(60, thirds(6)), ...extra].sort(([a], [b]) => a - b);
    expect(evaluate(rows)).toEqual([{ state: "inactive" }]);
    expect(evaluate(numbered(60, [...thirds(6), 57, 58, 59]))).toEqual([{ state: "inactive" }]);
    // Two in a row may be chance, and three that are over are no outage.
    expect(evaluate(numbered(60, [...thirds(6), 58, 59]))).toMatchObject([{ bad: 8 }]);
    expect(evaluate(numbered(60, [...thirds(6), 50, 51, 52]))).toMatchObject([{ bad: 9 }]);
  });

  test("counts no check inside a reported outage, in neither bad nor total", () => {
    const rows = numbered(60, [...thirds(7), 30, 31, 32, 33]);
    const facts = { lastBadAt: iso(33 * 12), firstGoodAfterAt: iso(34 * 12) };
    const outage = incidentOf("down", {
      since: iso(30 * 12),
      state: "resolved",
      resolvedAt: iso(35 * 12),
      endpoints: [list],
      facts,
    });
    expect(evaluate(rows)).toMatchObject([{ bad: 11, total: 60 }]);
    expect(evaluate(rows, [outage])).toMatchObject([{ bad: 7, total: 56 }]);
    const { openedAt: _, ...unopened } = outage;
    expect(evaluate(rows, [unopened])).toMatchObject([{ bad: 11, total: 60 }]);
    expect(evaluate(rows, [{ ...outage, endpoints: [passport] }])).toMatchObject([{ bad: 11, total: 60 }]);
    // Good checks between its bad ones: it was no outage.
    const mixed = { ...outage, since: iso(0), facts: { ...outage.facts, firstBadAt: iso(0) } };
    expect(evaluate(rows, [mixed])).toMatchObject([{ bad: 11, total: 60 }]);
  });

  test("goes on when its failures turn out to be part of an outage", () => {
    const rows = numbered(60, thirds(7, 30));
    const outage = incidentOf("down", {
      since: iso(30 * 12),
      endpoints: [list],
      facts: { lastBadAt: iso(30 * 12) },
    });
    const firing = (lastBad: number) =>
      incidentOf("error-rate", {
        severity: "warning",
        endpoints: [list],
        facts: { lastBadAt: iso(lastBad * 12) },
      });
    expect(evaluate(rows, [outage])).toEqual([{ state: "inactive" }]);
    expect(evaluate(rows, [outage, firing(48)])).toEqual([{ state: "unknown" }]);
    // One day later, the checks after it are good.
    const later = [...rows, ...every(12, 60 * 12, 180 * 12)];
    const over = { ...outage, state: "resolved" as const, resolvedAt: iso(52 * 12) };
    const ended = { ...over, facts: { ...over.facts, firstGoodAfterAt: iso(49 * 12) } };
    expect(evaluate(later, [ended, firing(48)])).toEqual([
      { state: "inactive", firstGoodMs: at(49 * 12), good: 2, lastMs: at(180 * 12) },
    ]);
  });

  test("is one of 401s where four fifths of the failures are", () => {
    const mixed = (refused: number) =>
      numbered(60, []).map(([minutes], index): Row => {
        const order = thirds(10).indexOf(index);
        return [minutes, order < 0 ? {} : { status: order < refused ? 401 : 502 }];
      });
    expect(evaluate(mixed(7))).toMatchObject([{ rule: "error-rate" }]);
    expect(evaluate(mixed(8))).toMatchObject([{ rule: "unauthorized-rate" }]);
    const usage = { notices: { usage: { exhausted: true } } };
    const exhausted = mixed(8).map(([minutes, one]): Row => [minutes, { ...one, ...usage }]);
    expect(evaluate(exhausted)).toMatchObject([{ rule: "unauthorized-rate" }]);
  });

  test("is of the endpoints that fail, with their checks only", () => {
    const rows = numbered(60, thirds(7)).flatMap(([minutes, one]): Row[] => [
      [minutes, one],
      [minutes + 1, { endpoint: passport }],
    ]);
    expect(evaluate(rows)).toMatchObject([{ endpoints: [list], bad: 7, total: 60 }]);
  });

  test("is unknown where no scheduled check is left to count", () => {
    const firing = incidentOf("error-rate", { severity: "warning" });
    expect(evaluate([[0, { status: 502, reason: "confirmation" }]])).toEqual([{ state: "unknown" }]);
    expect(evaluate([], [firing])).toEqual([{ state: "unknown" }]);
    expect(evaluate([])).toEqual([{ state: "inactive" }]);
  });

  describe("that fires", () => {
    const sentAt = (minutes: number, key: string) => [{ event: "opened", at: iso(minutes), key }];
    const firing = (key: string, severity: "page" | "warning" = "warning", minutes = 0) =>
      incidentOf("error-rate", {
        severity,
        sent: [...sentAt(minutes, key), { event: "reminder", at: iso(minutes + 1), key: "x" }],
      });

    test("has another key when the rate has doubled, the severity rises, or a week has passed", () => {
      const rows = numbered(100, thirds(10));
      const keyOf = (incident: Incident, nowMs = at(99 * 12)) => {
        const [one] = evaluate(rows, [incident], nowMs);
        return one?.state === "active" ? one.key : one?.state;
      };
      expect(keyOf(firing("warning 0.051 x"))).toBe("warning 0.051 x");
      expect(keyOf(firing("warning 0.050 x"))).toBe("warning 0.100 2026-03-02");
      expect(keyOf(firing("page 0.090 x"))).toBe("warning 0.100 2026-03-02");
      expect(keyOf(firing("page 0.090 x", "page"))).toBe("page 0.090 x");
      const weekMs = 7 * dayMs;
      const old = firing("warning 0.090 x", "warning", 99 * 12 - weekMs / 60_000);
      expect(keyOf(old, at(99 * 12) - 1)).toBe("warning 0.090 x");
      expect(keyOf(old)).toBe("warning 0.100 2026-03-02");
    });

    test("goes on between the limit and half of it, and ends after 24 h at or under half", () => {
      const since = incidentOf("error-rate", { severity: "warning", since: iso(0) });
      // 120 checks a day: 3 are half of the limit, 4 are more.
      const good = numbered(300, [0, 3, 6, 130, 140, 150]);
      expect(evaluate(good, [since])).toEqual([
        {
          state: "inactive",
          firstGoodMs: at(151 * 12),
          good: 2,
          lastMs: at(299 * 12),
        },
      ]);
      const more = numbered(300, [130, 140, 150, 181]);
      expect(evaluate(more, [since])).toMatchObject([{ state: "active", bad: 1, severity: "warning" }]);
      const gone = numbered(305, [130, 140, 150, 151, 155]);
      expect(evaluate(gone, [since])).toEqual([{ state: "unknown" }]);
      expect(evaluate(good, [])).toEqual([{ state: "inactive" }]);
      expect(evaluate(good, [{ ...since, state: "resolved" }])).toEqual([{ state: "inactive" }]);
    });

    test("does not end on fewer than 36 checks of the last 24 h", () => {
      const since = incidentOf("error-rate", { severity: "warning", since: iso(-40) });
      const sparse = (count: number): Row[] => every(40, 0, (count - 1) * 40);
      expect(evaluate([...sparse(35)], [since])).toEqual([{ state: "unknown" }]);
      expect(evaluate([...sparse(36)], [since])).toMatchObject([{ state: "inactive", firstGoodMs: at(0) }]);
    });
  });
});

describe("slow responses", () => {
  const took = (totalMs: number) => ({ timings: { totalMs } });
  const evaluateRows = (rows: readonly Row[], incidents: Incident[] = []) =>
    evaluateSlow(contextOf(historyOf(rows), { incidents }));
  /** Twelve hours of the usual latency. */
  const usual = (ms: number, hours = 12): Row[] => every(60, 0, (hours - 1) * 60, took(ms));

  test("of over 3 s are reported after three in a row", () => {
    const rows: Row[] = [
      [0, took(150)],
      [10, took(3_001)],
      [20, took(3_900.4)],
      [30, took(3_001)],
    ];
    expect(evaluateRows(rows)).toEqual([
      {
        state: "active",
        rule: "slow",
        severity: "warning",
        endpoints: [list],
        scope: "endpoint",
        bad: 3,
        total: 3,
        firstBadMs: at(10),
        lastGoodMs: at(0),
        lastBadMs: at(30),
        windowMs: at(30) - at(10),
        facts: { latencyMs: 3_900 },
        key: "slow",
        isConfirmed: true,
      },
    ]);
    expect(evaluateRows(rows.slice(0, 3))).toEqual([
      { state: "inactive", firstGoodMs: undefined, good: 0, lastMs: at(20) },
    ]);
    expect(evaluateRows(rows.slice(1, 3))).toEqual([{ state: "inactive" }]);
    expect(evaluateRows(rows.slice(1))).toMatchObject([{ state: "active", lastGoodMs: undefined }]);
    const limit = rows.map(([minutes]): Row => [minutes, took(3_000)]);
    expect(evaluateRows(limit)).toMatchObject([{ state: "inactive" }]);
  });

  test("of ten times the median of its own week are reported, where that is over half a second", () => {
    const evaluateAfter = (ms: number, usualMs: number, hours = 12) =>
      evaluateRows([...usual(usualMs, hours), ...every(10, hours * 60, hours * 60 + 20, took(ms))]);
    expect(evaluateAfter(1_501, 150)).toMatchObject([
      { state: "active", bad: 3, facts: { latencyMs: 1_501, usualLatencyMs: 150 } },
    ]);
    expect(evaluateAfter(1_500, 150)).toMatchObject([{ state: "inactive" }]);
    expect(evaluateAfter(501, 20)).toMatchObject([{ state: "active" }]);
    expect(evaluateAfter(500, 20)).toMatchObject([{ state: "inactive" }]);
    // The hour of the slow responses is the twelfth one; with ten before it nothing is usual yet.
    expect(evaluateAfter(1_501, 150, 10)).toMatchObject([{ state: "inactive" }]);
    expect(evaluateAfter(1_501, 150, 11)).toMatchObject([{ state: "active" }]);
    expect(evaluateAfter(3_001, 400)).toMatchObject([{ state: "active" }]);
  });

  test("of an endpoint that was slow twice join those of one that was slow three times", () => {
    const slow = took(3_500);
    const rows: Row[] = [
      ...[0, 1, 2].map((minutes): Row => [minutes, { endpoint: passport }]),
      ...every(10, 10, 30, slow),
      ...every(10, 21, 31, { ...slow, endpoint: passport }),
    ];
    expect(evaluateRows(rows)).toMatchObject([{ endpoints: [list, passport], bad: 5, total: 5 }]);
    expect(evaluateRows(rows.slice(0, -1))).toMatchObject([{ endpoints: [list], bad: 3, total: 3 }]);
    // A good check after the first slow one does not bound the onset.
    expect(evaluateRows(rows)).toMatchObject([{ firstBadMs: at(10), lastGoodMs: at(2) }]);
    const late: Row[] = [...every(10, 10, 30, slow), ...every(10, 11, 31, { endpoint: passport })].map(
      ([minutes, one]): Row => [minutes, minutes > 20 ? { ...one, ...slow } : one],
    );
    // From the first check on there is no good one before it.
    const [first] = evaluateRows([...late, [40, slow], [41, { ...slow, endpoint: passport }]]);
    expect(first).toMatchObject({ endpoints: [list, passport], firstBadMs: at(10), lastGoodMs: undefined });
  });

  test("that were reported go on until three in a row are fast", () => {
    const firing = incidentOf("slow", {
      endpoints: [list],
      since: iso(10),
      severity: "warning",
      facts: { lastGoodBeforeAt: iso(-5) },
    });
    const slow = every(10, 10, 40, took(3_500));
    const rows: Row[] = [[0], ...slow, [50], [60, took(3_100)]];
    expect(evaluateRows([...rows, [70]], [firing])).toEqual([{ state: "unknown" }]);
    expect(evaluateRows([...rows, ...every(10, 70, 90)], [firing])).toEqual([
      { state: "inactive", firstGoodMs: at(70), good: 3, lastMs: at(90) },
    ]);
    expect(evaluateRows([...rows, ...every(10, 70, 90, took(3_200))], [firing])).toMatchObject([
      { state: "active", bad: 8, total: 9, firstBadMs: at(10), lastGoodMs: at(-5), lastBadMs: at(90) },
    ]);
    expect(evaluateRows([], [firing])).toEqual([{ state: "unknown" }]);
    // What is usual is what was so before it.
    const week = [...usual(150), ...every(60, 720, 40 * 60, took(1_600))];
    const later = { ...firing, since: iso(720) };
    expect(evaluateRows(week, [later])).toMatchObject([{ facts: { usualLatencyMs: 150 } }]);
  });

  test("are compared with the last seven days only", () => {
    const days = (count: number) => count * 24 * 60;
    const rows = [...usual(150), ...every(60, days(1), days(1) + 11 * 60, took(250))];
    const slow = (minutes: number) => every(10, minutes, minutes + 20, took(2_000));
    const early = days(7) + 11 * 60 - 30;
    expect(evaluateRows([...rows, ...slow(early)])).toMatchObject([{ state: "inactive" }]);
    expect(evaluateRows([...usual(150), ...slow(days(6))])).toMatchObject([{ state: "active" }]);
    expect(evaluateRows([...usual(150), ...slow(days(7) + 60)])).toMatchObject([{ state: "inactive" }]);
  });
});
