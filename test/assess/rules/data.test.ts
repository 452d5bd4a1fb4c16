import { describe, expect, test } from "vitest";
import {
  evaluateAlwaysNow,
  evaluateCredentials,
  evaluateEqual,
  evaluateShrinking,
} from "../../../lib/assess/rules/data.ts";
import type { Incident } from "../../../lib/records/incident.ts";
import {
  at,
  contextOf,
  credentials,
  every,
  historyOf,
  incidentOf,
  iso,
  list,
  type Row,
} from "./check-history.ts";

const day = 24 * 60;
const unknown = [{ state: "unknown" }];
const silent = (minutes: number, firstGoodMs?: number) => [
  { state: "inactive", firstGoodMs, good: 2, lastMs: at(minutes) },
];
const warning = (rule: string, endpoint: string) => ({
  state: "active",
  rule,
  severity: "warning",
  scope: "endpoint",
  endpoints: [endpoint],
  isConfirmed: true,
});
const firingOf = (rule: Incident["rule"], facts: Parameters<typeof incidentOf>[1] = {}) =>
  incidentOf(rule, { since: iso(-60), severity: "warning", ...facts });

describe("a list that shrinks", () => {
  const total = (count: number) => ({ staleness: { total: count } });
  const evaluate = (rows: readonly Row[], incidents: Incident[] = []) =>
    evaluateShrinking(contextOf(historyOf(rows), { incidents }));
  const day30 = 30 * day;
  /** Falls to `count` on the thirtieth day, and is seen so three times. */
  const fallen = (count: number, checks = 3): Row[] => [
    ...[0, 60].map((minutes): Row => [minutes, total(1_000)]),
    [2 * day, total(990)],
    [day30 - 90, total(980)],
    ...every(10, day30, day30 + (checks - 1) * 10, total(count)),
  ];

  test("is reported after three checks at four fifths of the total of 30 days before", () => {
    expect(evaluate(fallen(800))).toEqual([
      {
        ...warning("data-shrinking", list),
        key: "shrunken",
        firstBadMs: at(day30),
        lastGoodMs: at(day30 - 90),
        lastBadMs: at(day30 + 20),
        bad: 3,
        total: 3,
        windowMs: 20 * 60_000,
        facts: { records: 800, recordsBefore: 1_000, recordsBeforeAt: iso(60) },
      },
    ]);
    expect(evaluate(fallen(800, 2))).toEqual(silent(day30 + 10));
    expect(evaluate(fallen(801))).toEqual(silent(day30 + 20));
  });

  test("is compared with the hours of one day, 30 days before or at the start of a younger watch", () => {
    const hours = (rows: readonly (readonly [number, number])[]): Row[] =>
      rows.map(([minutes, count]) => [minutes, total(count)]);
    const late = hours([
      ...([0, 60].map((minutes) => [minutes, 100]) as [number, number][]),
      ...([2 * day, 2 * day + 60].map((minutes) => [minutes, 1_000]) as [number, number][]),
      ...([10, 20, 30].map((minutes) => [9 * day + minutes, 700]) as [number, number][]),
    ]);
    expect(evaluate(late)).toEqual(silent(9 * day + 30));
    const first = hours([
      ...([0, day - 60].map((minutes) => [minutes, 1_000]) as [number, number][]),
      ...([day, day + 60, day + 120].map((minutes) => [minutes, 100]) as [number, number][]),
      ...([10, 20, 30].map((minutes) => [9 * day + minutes, 700]) as [number, number][]),
    ]);
    expect(evaluate(first)).toMatchObject([{ facts: { recordsBefore: 1_000, recordsBeforeAt: iso(0) } }]);
  });

  test("is not a total that contradicts the pages beside it", () => {
    const finding = (kind: "pagination" | "order") => ({
      id: kind,
      path: "pagination",
      kind,
      expected: "",
      observed: "",
      count: 1,
      of: 1,
      level: "breaking" as const,
    });
    const rows = (kind: "pagination" | "order"): Row[] =>
      fallen(800).map(([minutes, outcome]) => [
        minutes,
        minutes < day30 ? outcome : { ...outcome, findings: [finding(kind)] },
      ]);
    expect(evaluate(rows("order"))).toMatchObject([{ state: "active" }]);
    expect(evaluate(rows("pagination"))).toEqual(silent(day30 + 20));
  });

  test("is unknown without totals, without records before, and while the list fails", () => {
    expect(evaluate([])).toEqual(unknown);
    expect(evaluate(every(10, 0, 60))).toEqual(unknown);
    expect(evaluate(every(10, 0, 60, total(0)))).toEqual(unknown);
    expect(evaluate([...fallen(800), [day30 + 30, { status: 503 }]])).toEqual(unknown);
  });

  test("that was reported ends above 85 % of the total before, and keeps its numbers until then", () => {
    const firing = firingOf("data-shrinking", {
      facts: { recordsBefore: 2_000, recordsBeforeAt: iso(-900), lastGoodBeforeAt: iso(-70) },
    });
    const rows = (count: number): Row[] => [
      [0, total(1_900)],
      [10, total(count)],
    ];
    expect(evaluate(rows(1_700), [firing])).toEqual([
      {
        ...warning("data-shrinking", list),
        key: "shrunken",
        firstBadMs: at(-60),
        lastGoodMs: at(-70),
        lastBadMs: at(10),
        bad: 1,
        total: 1,
        windowMs: 0,
        facts: { records: 1_700, recordsBefore: 2_000, recordsBeforeAt: iso(-900) },
      },
    ]);
    expect(evaluate([...rows(1_701), [20, total(1_800)]], [firing])).toEqual(silent(20, at(20)));
  });
});

describe("equal scores", () => {
  const scores = (same: number, of: number) => ({ equalScores: { same, of } });
  const evaluate = (rows: readonly Row[], incidents: Incident[] = []) =>
    evaluateEqual(contextOf(historyOf(rows), { incidents }));
  const rows = (same: number, of: number, until = 20): Row[] => [
    [0, scores(1, 20)],
    ...every(5, 10, until, scores(same, of)),
  ];

  test("of nine tenths of the records are reported after three checks over five minutes", () => {
    expect(evaluate(rows(18, 20))).toEqual([
      {
        ...warning("equal-scores", list),
        key: "equal-scores",
        firstBadMs: at(10),
        lastGoodMs: at(0),
        lastBadMs: at(20),
        bad: 3,
        total: 3,
        windowMs: 10 * 60_000,
        facts: { equalRecords: 18, records: 20 },
      },
    ]);
    expect(evaluate(rows(17, 20))).toEqual(silent(20));
    expect(evaluate(rows(18, 20, 15))).toEqual(unknown);
    const quick: Row[] = [10, 11, 14.9].map((minutes) => [minutes, scores(18, 20)]);
    expect(evaluate([[0, scores(1, 20)], ...quick])).toEqual(unknown);
    const long: Row[] = [10, 11, 15].map((minutes) => [minutes, scores(18, 20)]);
    expect(evaluate([[0, scores(1, 20)], ...long])).toMatchObject([{ bad: 3 }]);
  });

  test("are judged in pages of five records and more", () => {
    expect(evaluate([[0, scores(1, 5)], ...every(5, 10, 20, scores(5, 5))])).toMatchObject([{ bad: 3 }]);
    expect(evaluate([[0, scores(1, 4)], ...every(5, 10, 20, scores(4, 4))])).toEqual(unknown);
  });

  test("that were there from the first check on are no change", () => {
    expect(evaluate(rows(18, 20).slice(1))).toEqual(unknown);
    expect(evaluate([])).toEqual(unknown);
    expect(evaluate([...rows(18, 20), [30, { status: 503 }]])).toEqual(unknown);
  });

  test("that were reported end with the first check without them", () => {
    const firing = firingOf("equal-scores", { facts: { lastGoodBeforeAt: iso(-70) } });
    expect(evaluate(rows(18, 20, 10), [firing])).toMatchObject([
      { bad: 1, firstBadMs: at(-60), lastGoodMs: at(-70) },
    ]);
    expect(evaluate([...rows(18, 20), [30, scores(2, 20)]], [firing])).toEqual(silent(30, at(30)));
    expect(evaluate([...rows(18, 20), [30, scores(2, 20)]])).toEqual(silent(30));
  });
});

describe("dates that are always now", () => {
  const aged = (seconds: number, records = 25) => ({
    staleness: { records, ages: { newest: 1, p50: seconds, p95: 900, oldest: 900 } },
  });
  const evaluate = (rows: readonly Row[], incidents: Incident[] = []) =>
    evaluateAlwaysNow(contextOf(historyOf(rows), { incidents }));
  /** Twelve checks over a day. */
  const rows = (seconds: number, step = day / 11, records = 25): Row[] => [
    [0, aged(4_000, records)],
    ...Array.from({ length: 12 }, (_, index): Row => [60 + index * step, aged(seconds, records)]),
  ];

  test("are reported when half of the dates are younger than two minutes in twelve checks over a day", () => {
    expect(evaluate(rows(119))).toEqual([
      {
        ...warning("dates-always-now", list),
        key: "dates-always-now",
        firstBadMs: at(60),
        lastGoodMs: at(0),
        lastBadMs: at(60 + day),
        bad: 12,
        total: 12,
        windowMs: day * 60_000,
        facts: { limitSeconds: 120, records: 25 },
      },
    ]);
    expect(evaluate(rows(120))).toEqual(silent(60 + day));
    expect(evaluate(rows(119).slice(0, 12))).toEqual(unknown);
    expect(evaluate(rows(119, (day - 1) / 11))).toEqual(unknown);
    // Eleven of them over more than a day.
    expect(evaluate(rows(119, day / 9).slice(0, 12))).toEqual(unknown);
  });

  test("are not judged on a list of one record", () => {
    expect(evaluate(rows(119, day / 11, 1))).toEqual(unknown);
    expect(evaluate(rows(119, day / 11, 2))).toMatchObject([{ state: "active", facts: { records: 2 } }]);
  });
});

describe("empty credentials", () => {
  const held = (sample: string | undefined, records: number) => ({
    endpoint: credentials as typeof credentials,
    staleness: { records },
    ...(sample !== undefined && { sample }),
  });
  const [a, b, c] = ["00000000a1", "00000000b2", "00000000c3"];
  const evaluate = (rows: readonly Row[], incidents: Incident[] = []) =>
    evaluateCredentials(contextOf(historyOf(rows), { incidents }));
  const before: Row[] = [
    [0, held(a, 3)],
    [1, held(b, 1)],
    [2, held(c, 0)],
    [3, held(b, 1)],
  ];

  test("are reported after three checks, where two samples had some", () => {
    const rows: Row[] = [...before, [10, held(a, 0)], [20, held(b, 0)], [30, held(c, 0)]];
    expect(evaluate(rows)).toEqual([
      {
        ...warning("credentials-empty", credentials),
        key: "empty",
        firstBadMs: at(10),
        lastGoodMs: at(3),
        lastBadMs: at(30),
        bad: 3,
        total: 3,
        windowMs: 20 * 60_000,
        facts: { samples: 2 },
      },
    ]);
    expect(evaluate(rows.slice(0, -1))).toEqual(unknown);
    expect(evaluate([...before, [10, held(a, 0)], [20, held(c, 0)], [30, held(c, 0)]])).toEqual(unknown);
    expect(evaluate(before)).toEqual(silent(3));
    expect(evaluate([...rows, [40, { endpoint: credentials, status: 503 }]])).toEqual(unknown);
    expect(evaluate([])).toEqual(unknown);
  });

  test("of requests without a sample, or without a count, say nothing", () => {
    const rows = [10, 20, 30].map((minutes): Row => [minutes, held(undefined, 0)]);
    expect(evaluate([...before, ...rows])).toEqual(silent(30));
    const uncounted = { endpoint: credentials, sample: a, staleness: null } as const;
    expect(evaluate([[0, uncounted]])).toEqual(unknown);
  });

  test("that were reported end with the first sample that has some", () => {
    const firing = firingOf("credentials-empty", { facts: { samples: 3, lastGoodBeforeAt: iso(-70) } });
    expect(evaluate([...before, [10, held(c, 0)]], [firing])).toMatchObject([
      { bad: 1, firstBadMs: at(-60), lastGoodMs: at(-70), facts: { samples: 3 } },
    ]);
    expect(evaluate([...before, [10, held(c, 0)]], [firingOf("credentials-empty")])).toMatchObject([
      { facts: { samples: 0 } },
    ]);
    expect(
      evaluate(
        [
          [0, held(a, 0)],
          [10, held(a, 2)],
        ],
        [firing],
      ),
    ).toEqual(silent(10, at(10)));
  });
});
