import { describe, expect, test } from "vitest";
import { freshHistory, noteCheck } from "../../../lib/assess/history/history.ts";
import {
  countChecks,
  judgedChecks,
  lastGoodBefore,
  median,
  watchedEndpoints,
} from "../../../lib/assess/history/queries.ts";
import { thresholds } from "../../../lib/config/thresholds.ts";
import type { Finding } from "../../../lib/records/observation.ts";
import { hourMs, observationOf } from "../observation-builder.ts";
import {
  at,
  credentials,
  every,
  historyOf,
  iso,
  list,
  passport,
  type Row,
  startMs,
  tick,
} from "../rules/check-history.ts";

const day = 24 * 60;
const down = { status: 503 };
const classesOf = (rows: readonly Row[], endpoint: typeof list | typeof passport = passport) =>
  historyOf(rows).endpoints[endpoint]!.checks.map((check) => check.class);

describe("runs and transitions", () => {
  test("are of good and bad checks; others are skipped", () => {
    const none = { outcome: { kind: "no-secret" as const } };
    const history = historyOf([[0], [1], [2, none], [3, down], [4, { status: 500 }], [5, none], [6]]);
    expect(history.endpoints[list]?.runs).toEqual({
      primary: { state: "good", sinceMs: at(6), lastMs: at(6), count: 1, beforeMs: at(4) },
    });
    const transition = { endpoint: list, group: "primary" };
    expect(history.transitions).toEqual([
      {
        ...transition,
        to: "bad",
        atMs: at(3),
        afterMs: at(1),
        count: 2,
        label: "503",
        tallies: { [list]: { primary: { ok: 2 }, anonymous: {} } },
      },
      { ...transition, to: "good", atMs: at(6), afterMs: at(4), count: 2, label: "ok" },
    ]);
    expect(history.endpoints[list]?.tallies.primary).toEqual({ ok: 3, "503": 1, "500": 1 });
    expect([history.firstMs, history.lastMs]).toEqual([at(0), at(6)]);
  });

  test("of a first check that fails begin with it", () => {
    expect(historyOf([[0, down]]).transitions).toEqual([
      {
        endpoint: list,
        group: "primary",
        to: "bad",
        atMs: at(0),
        afterMs: at(0),
        count: 0,
        label: "503",
        tallies: { [list]: { primary: {}, anonymous: {} } },
      },
    ]);
    expect(historyOf([[0]]).transitions).toEqual([]);
  });

  test("of anonymous checks are their own, and those of rare variants are none", () => {
    const anonymous = { variant: "anonymous" as const };
    const history = historyOf([
      [0],
      [1, anonymous],
      [2, { ...anonymous, status: 401 }],
      [3, { ...down, variant: "keyword" }],
    ]);
    expect(history.endpoints[list]).toMatchObject({
      runs: {
        primary: { state: "good", count: 1 },
        anonymous: { state: "bad", sinceMs: at(2), count: 1, beforeMs: at(1) },
      },
      anonymousServedMs: at(1),
    });
    expect(history.transitions).toMatchObject([{ group: "anonymous", to: "bad", label: "401" }]);
    expect(history.transitions[0]).not.toHaveProperty("tallies");
    expect(history.primary).toBe("authenticated");
    expect(historyOf([[0, { ...anonymous, status: 401 }]]).transitions).toEqual([]);
  });
});

describe("a 404 of one sample", () => {
  const missing = (minutes: number, sample: string | undefined, over: Row[1] = {}): Row => [
    minutes,
    { endpoint: passport, status: 404, ...(sample !== undefined && { sample }), ...over },
  ];
  const [a, b] = ["00000000a1", "00000000b2"];
  const good: Row = [0, { endpoint: passport }];

  test("counts once another sample shows the same within three hours, and then the first one counts too", () => {
    expect(classesOf([good, missing(1, a), missing(2, a)])).toEqual(["ok", "sample", "sample"]);
    expect(classesOf([good, missing(1, a), missing(2, b)])).toEqual(["ok", "not-found", "not-found"]);
    expect(classesOf([good, missing(1, undefined), missing(2, b)])).toEqual(["ok", "sample", "sample"]);
    expect(classesOf([good, missing(1, a), missing(2, undefined)])).toEqual(["ok", "sample", "sample"]);
    expect(classesOf([good, missing(1, a), missing(181, b)])).toEqual(["ok", "not-found", "not-found"]);
    expect(classesOf([good, missing(1, a), missing(182, b)])).toEqual(["ok", "sample", "sample"]);
    const history = historyOf([good, missing(1, a), missing(2, b)]);
    expect(history.endpoints[passport]?.runs.primary).toEqual({
      state: "bad",
      sinceMs: at(1),
      lastMs: at(2),
      count: 2,
      beforeMs: at(0),
    });
    expect(history.endpoints[passport]?.checks[1]).not.toHaveProperty("unconfirmed");
  });

  test("is not confirmed across a good check, by another class or by another variant", () => {
    expect(classesOf([missing(1, a), [2, { endpoint: passport }], missing(3, b)])).toEqual([
      "sample",
      "ok",
      "sample",
    ]);
    const stub = { status: 200, notices: { body: "stub-data" as const } };
    expect(classesOf([good, missing(1, a), missing(2, b, stub)])).toEqual(["ok", "sample", "sample"]);
    expect(classesOf([good, missing(1, a, { variant: "anonymous" }), missing(2, b)])).toEqual([
      "ok",
      "sample",
      "sample",
    ]);
    expect(classesOf([good, missing(1, a, { variant: "by-wallet" })])).toEqual(["ok", "not-found"]);
  });

  test("is known while the endpoint is not found", () => {
    const rows = [good, missing(1, a), missing(2, b), missing(300, b)];
    expect(classesOf(rows)).toEqual(["ok", "not-found", "not-found", "not-found"]);
    const anonymous: Row = [5, { endpoint: passport, variant: "anonymous" }];
    expect(classesOf([...rows.slice(0, 3), anonymous, missing(300, b)]).at(-1)).toBe("not-found");
    const other: Row[] = [...rows.slice(0, 3), [5, { endpoint: passport, status: 503 }], missing(300, b)];
    expect(classesOf(other).at(-1)).toBe("sample");
  });

  test("counts where the list, which has no sample, shows the same, before or after it", () => {
    const listed: Row = [0.5, { status: 404 }];
    expect(classesOf([good, listed, missing(1, a)])).toEqual(["ok", "not-found"]);
    expect(classesOf([good, missing(1, a), [2, { status: 404 }]])).toEqual(["ok", "not-found"]);
    expect(classesOf([good, missing(1, a), [2, down]])).toEqual(["ok", "sample"]);
    expect(classesOf([good, missing(1, a), [2]])).toEqual(["ok", "sample"]);
    expect(classesOf([[0.5, { status: 404 }]], list)).toEqual(["not-found"]);
    const confirmed = historyOf([good, missing(1, a)]);
    // The rules have read the checks before the list confirms them.
    expect(judgedChecks(confirmed, [passport]).map(({ atMs }) => atMs)).toEqual([at(0)]);
    historyOf([[2, { status: 404 }]], confirmed);
    expect(confirmed.endpoints[passport]?.runs.primary).toMatchObject({ state: "bad", sinceMs: at(1) });
    expect(judgedChecks(confirmed, [passport]).map(({ atMs }) => atMs)).toEqual([at(0), at(1)]);
  });
});

describe("the baseline", () => {
  const finding = (id: string, path = `items[].${id}`): Finding => ({
    id,
    path,
    kind: "missing",
    expected: "x",
    observed: "y",
    count: 1,
    of: 1,
    level: "breaking",
  });
  const seen = (minutes: number, ids: readonly string[], over: Row[1] = {}): Row => [
    minutes,
    { findings: ids.map((id) => finding(id)), ...over },
  ];
  const found = (rows: readonly Row[]) =>
    historyOf(rows).endpoints[list]!.checks.map(({ findings }) => findings?.map(({ id }) => id));

  test("is what an endpoint's first three good checks show", () => {
    expect(found([seen(0, []), seen(1, []), seen(2, ["a"]), seen(3, ["a", "b"])])).toEqual([
      ...[undefined, undefined, undefined],
      ["b"],
    ]);
    expect(found([seen(0, []), seen(1, []), seen(2, []), seen(3, ["a"])]).at(-1)).toEqual(["a"]);
    expect(found([[0, down], [1, down], [2, down], seen(3, ["a"])]).at(-1)).toBeUndefined();
  });

  test("of an object that is seen late starts with it", () => {
    const evidence = (...subjects: string[]) => ({
      evidence: subjects.map((subject) => ({ gap: "2.6-null" as const, subject, of: 1, answers: {} })),
    });
    const empty = [0, 1, 2, 3].map((minutes): Row => [minutes, evidence("other")]);
    const late = [4, 5, 6].map((minutes) => seen(minutes, ["a"], evidence("items[]")));
    expect(found([...empty, ...late]).flat()).toEqual(Array.from({ length: 7 }));
    expect(historyOf([...empty, ...late]).endpoints[list]?.places).toEqual({ "": 3, other: 3, "items[]": 3 });
  });

  test("holds at most 60 findings and 60 places", () => {
    const ids = Array.from({ length: 61 }, (_, index) => `f${index}`);
    const own = historyOf([seen(0, ids), seen(1, ids)]).endpoints[list]!;
    expect(own.baseline).toEqual(ids.slice(0, 60));
    expect(own.checks[0]?.findings?.map(({ id }) => id)).toEqual(["f60"]);
    const evidence = ids.map((subject) => ({ gap: "2.6-null" as const, subject, of: 1, answers: {} }));
    expect(
      Object.keys(
        historyOf([
          [0, { evidence }],
          [1, { evidence }],
        ]).endpoints[list]!.places,
      ),
    ).toEqual(["", ...ids.slice(0, 59)]);
  });
});

describe("hourly roll-ups", () => {
  test("count checks, failures and findings, and keep the largest total, the newest date and the lowest latency", () => {
    const aged = (newest: number, total: number, totalMs: number): Row[1] => ({
      staleness: { total, ages: { newest, p50: 1, p95: 1, oldest: newest } },
      timings: { totalMs },
    });
    const history = historyOf([
      [0, aged(600, 50, 200.4)],
      [10, aged(600, 40, 150.6)],
      [20, aged(9_000, 45, 300)],
      [30, down],
      [40, down],
      [50, { status: 500 }],
      [59, { variant: "keyword" }],
      [60, { staleness: null }],
    ]);
    expect(history.endpoints[list]?.hours).toEqual([
      {
        hour: startMs / hourMs,
        checks: 6,
        failures: { "503": 2, "500": 1 },
        total: 50,
        newestMs: at(0),
        latencyMs: 151,
      },
      { hour: startMs / hourMs + 1, checks: 1, latencyMs: 150 },
    ]);
  });

  test("add up moved and changed records, and findings", () => {
    const record = (values: string, minutes: number) => [{ id: "0000000001", at: iso(minutes), values }];
    const findings: Finding[] = [
      {
        id: "x",
        path: "x",
        kind: "missing",
        expected: "a",
        observed: "b",
        count: 1,
        of: 1,
        level: "breaking",
      },
    ];
    const history = historyOf([
      ...[0, 1, 2].map((m): Row => [m, { records: record("0000000000", 0) }]),
      [10, { records: record("0000000000", 10), findings }],
      [20, { records: record("0000000001", 20), findings }],
      [30, { ...down, records: record("0000000002", 30) }],
      [40, { records: record("0000000001", 20) }],
    ]);
    const { moved, changed, findings: counted } = history.endpoints[list]!.hours[0]!;
    expect({ moved, changed, counted }).toEqual({ moved: 2, changed: 1, counted: { x: 2 } });
  });
});

describe("daily snapshots", () => {
  const records = (minutes: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: String(index),
      at: index === 0 ? null : iso(minutes - index * 60),
      values: "x",
    }));

  test("keep the dates of the list's records and the age that nine of ten do not exceed", () => {
    const history = historyOf([
      [0, { records: records(0, 11) }],
      [60, { records: records(60, 2) }],
    ]);
    expect(history.snapshots).toEqual([
      { day: "2026-03-02", dates: Object.fromEntries(records(0, 11).map(({ id, at }) => [id, at])) },
    ]);
    expect(history.ages).toEqual([{ day: "2026-03-02", upperMs: 9 * hourMs }]);
  });

  test("are of good checks of the list, eight of them, and their ages for 60 days", () => {
    const passports = historyOf([
      [0, { endpoint: passport, records: records(0, 3) }],
      [1, { ...down, records: records(0, 3) }],
    ]);
    expect(passports.snapshots).toEqual([]);
    expect(historyOf([[0]]).snapshots).toEqual([]);
    expect(historyOf([[0, { records: records(0, 1) }]])).toMatchObject({
      snapshots: [{ dates: { 0: null } }],
      ages: [],
    });
    const ahead = historyOf([[0, { records: [{ id: "1", at: iso(5), values: "x" }] }]]);
    expect(ahead.ages).toEqual([{ day: "2026-03-02", upperMs: 0 }]);
    const long = historyOf(every(day, 0, 61 * day).map(([m]): Row => [m, { records: records(m, 3) }]));
    expect(long.snapshots).toHaveLength(8);
    expect(long.snapshots[0]?.day).toBe("2026-04-25");
    expect(long.ages).toHaveLength(60);
    expect(long.ages[0]?.day).toBe("2026-03-04");
  });
});

describe("what is kept", () => {
  test("single checks for 72 h, those of rare variants for 8 days", () => {
    const kept = (last: number) =>
      historyOf([[0], [1, { variant: "anonymous" }], [2, { variant: "keyword" }], [last]]).endpoints[
        list
      ]!.checks.map(({ atMs }) => atMs);
    expect(kept(3 * day)).toEqual([at(0), at(1), at(2), at(3 * day)]);
    expect(kept(3 * day + 1)).toEqual([at(1), at(2), at(3 * day + 1)]);
    expect(kept(3 * day + 2)).toEqual([at(2), at(3 * day + 2)]);
    expect(kept(8 * day + 2)).toEqual([at(2), at(8 * day + 2)]);
    expect(kept(8 * day + 3)).toEqual([at(8 * day + 3)]);
  });

  test("roll-ups and transitions for 60 days, and at most 900 transitions", () => {
    const history = historyOf([
      [0, down],
      [60, {}],
      [60 * day, {}],
    ]);
    expect(history.endpoints[list]?.hours.map(({ hour }) => hour * hourMs)).toEqual([
      at(0),
      at(60),
      at(60 * day),
    ]);
    expect(history.transitions).toHaveLength(2);
    historyOf([[60 * day + 1]], history);
    expect(history.endpoints[list]?.hours).toHaveLength(2);
    expect(history.transitions).toMatchObject([{ to: "good" }]);
    const many = freshHistory();
    for (let index = 0; index <= thresholds.maxTransitions + 1; index++)
      noteCheck(many, observationOf({ at: at(index), status: index % 2 === 0 ? 503 : 200 }));
    expect(many.transitions).toHaveLength(900);
  });

  test("the end of the certificate", () => {
    expect(historyOf([[0, { tls: { expiresAt: iso(day) } }], [1]]).certificateMs).toBe(at(day));
  });
});

describe("counts", () => {
  const rows = [...tick(0), ...tick(10, down), ...tick(20, { status: 500 }), ...tick(30)];

  test("are of the checks from one instant to another, both included", () => {
    const history = historyOf(rows);
    expect(countChecks(history, [list], at(10), at(20))).toEqual({
      bad: 2,
      total: 2,
      responses: { "503": 1, "500": 1 },
    });
    expect(countChecks(history, [list, passport], at(0), at(30))).toMatchObject({ bad: 4, total: 7 });
    expect(countChecks(freshHistory(), [list], at(0), at(30))).toEqual({ bad: 0, total: 0, responses: {} });
  });

  test("of anonymous checks leave out the others", () => {
    const history = historyOf([
      ...rows,
      [31, { variant: "anonymous", status: 401 }],
      [32, { variant: "keyword" }],
    ]);
    expect(countChecks(history, [list], at(0), at(40), "anonymous")).toEqual({
      bad: 1,
      total: 1,
      responses: { "401": 1 },
    });
    expect(countChecks(history, [list], at(0), at(40))).toMatchObject({ bad: 2, total: 4 });
  });

  test("from before the checks that are kept are differences of the transitions", () => {
    const short = [...tick(-20), ...tick(-10, { status: 500 })];
    const long = [
      ...short,
      ...tick(0),
      ...tick(1),
      ...every(60, 10, 10 + 4 * day).flatMap(([m]) => tick(m, down)),
    ];
    const hours = 4 * 24 + 1;
    const history = historyOf([...long, ...tick(5 * day)]);
    const untilMs = at(10 + 4 * day + 1);
    expect(countChecks(history, [list], at(10), untilMs)).toEqual({
      bad: hours,
      total: hours,
      responses: { "503": hours },
    });
    expect(countChecks(history, [list, credentials], at(10), untilMs)).toMatchObject({ bad: 2 * hours });
    expect(lastGoodBefore(history, [list], at(10))).toBe(at(1));
    expect(lastGoodBefore(history, [list, credentials], at(10))).toBe(at(1 + 2 / 60));
    expect(lastGoodBefore(history, [list], at(1))).toBe(at(-20));
    expect(lastGoodBefore(history, [list], at(-20))).toBeUndefined();
  });

  test("of the last good check know none where the first check failed", () => {
    expect(
      lastGoodBefore(
        historyOf([
          [0, down],
          [1, down],
        ]),
        [list],
        at(1),
      ),
    ).toBeUndefined();
    expect(lastGoodBefore(historyOf([[0], [1, down], [2]]), [list], at(2))).toBe(at(0));
    expect(lastGoodBefore(historyOf([[0], [1, down], [2]]), [list], at(3))).toBe(at(2));
  });
});

test("endpoints that were checked are watched, and a median is one of its values", () => {
  expect(watchedEndpoints(historyOf([[0], [1, { endpoint: credentials }]]))).toEqual([list, credentials]);
  expect(median([])).toBeUndefined();
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 9, 1, 2])).toBe(2);
});
