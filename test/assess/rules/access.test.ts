import { describe, expect, test } from "vitest";
import { evaluateAnonymous } from "../../../lib/assess/rules/access.ts";
import { evaluateFailures } from "../../../lib/assess/rules/availability.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Incident, RuleId } from "../../../lib/records/incident.ts";
import type { Outcome } from "../../../lib/records/observation.ts";
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
  tick,
} from "./check-history.ts";

const day = 24 * 60;
type Given = Parameters<typeof contextOf>[1];
const evaluate = (rows: readonly Row[], given: Given = {}) => {
  const [one] = evaluateFailures(contextOf(historyOf(rows), given));
  return one?.state === "active" ? one : undefined;
};
const samples = ["00000000a1", "00000000b2"];
/** Three checks of every endpoint over five minutes, each with another sample than the one before. */
const outage = (outcome: Row[1], from = 10): Row[] =>
  [from, from + 1, from + 5].flatMap((m, index) =>
    tick(m, outcome).map(([minutes, one]): Row => {
      const sample = samples[index % 2]!;
      return [minutes, one!.endpoint === list ? one : { ...one, sample }];
    }),
  );
const firingOf = (rule: RuleId, over: Parameters<typeof incidentOf>[1] = {}) =>
  incidentOf(rule, { since: iso(10), ...over });

describe("the cause of an outage", () => {
  const body = (outcome: Outcome) => ({ outcome });
  test.each<[RuleId, Row[1]]>([
    ["down", { status: 500 }],
    ["down", body({ kind: "timeout" })],
    ["down", body({ kind: "network", detail: "reset" })],
    ["down", body({ kind: "truncated" })],
    ["access-refused", { status: 403 }],
    ["throttled", { status: 429 }],
    ["withdrawn", { status: 404 }],
    ["withdrawn", { status: 302 }],
    ["gone", { status: 410 }],
    ["maybe-retired", { status: 401 }],
    ["quota-exhausted", { status: 401, notices: { usage: { exhausted: true } } }],
    ["quota-exhausted", { status: 403, notices: { usage: { exhausted: true } } }],
    ["serves-v2", { notices: { body: "v2-shaped" } }],
    ["not-json", body({ kind: "not-json", detail: "html", status: 200 })],
    ["unsafe-response", body({ kind: "not-json", detail: "deep", status: 200 })],
    ["unsafe-response", body({ kind: "too-large", status: 200 })],
    ["unsafe-response", body({ kind: "bad-encoding", status: 200 })],
    ["stub-data", { notices: { body: "stub-data" } }],
  ])("%s", (rule, outcome) => {
    expect(evaluate([...tick(0), ...outage(outcome)])).toMatchObject({
      rule,
      isConfirmed: rule !== "throttled",
    });
  });

  test("an error envelope is one by its finding", () => {
    const findings = [
      {
        id: "e",
        path: "error",
        kind: "envelope" as const,
        expected: "x",
        observed: "y",
        count: 1,
        of: 1,
        level: "breaking" as const,
      },
    ];
    expect(evaluate([...tick(0), ...outage({ findings })])).toMatchObject({ rule: "error-envelope" });
  });

  test("an empty list names its total", () => {
    const empty = (total?: number) => ({
      notices: { body: "empty" as const },
      staleness: total === undefined ? {} : { total },
    });
    const rows = (outcome: Row[1]): Row[] => [...tick(0), ...[10, 20, 30].map((m): Row => [m, outcome])];
    expect(evaluate(rows(empty(700)))).toMatchObject({ rule: "empty-list", facts: { records: 700 } });
    expect(evaluate(rows(empty()))).toMatchObject({ rule: "empty-list" });
    expect(evaluate(rows(empty()))).not.toHaveProperty("facts.records");
    // Other causes name none.
    const stub = { notices: { body: "v2-shaped" as const }, staleness: { total: 700 } };
    expect(evaluate(rows(stub))).not.toHaveProperty("facts.records");
  });

  test("changes with three checks of another kind on every endpoint", () => {
    const incidents = [firingOf("down")];
    const rows = [...tick(0), ...outage({ status: 503 })];
    const gone = { status: 410 };
    expect(evaluate([...rows, ...tick(20, gone).slice(0, 2)], { incidents })).toMatchObject({ rule: "down" });
    expect(evaluate([...rows, ...tick(20, gone)], { incidents })).toMatchObject({
      rule: "gone",
      changedMs: at(20),
      changedAfterMs: at(15 + 2 / 60),
    });
    // A good check of one endpoint is no cause.
    expect(evaluate([...rows, ...tick(20, gone), [30]], { incidents })).toMatchObject({ rule: "gone" });
    const one: Row[] = [20, 21, 22].map((m) => [m, gone]);
    expect(evaluate([...rows, ...one], { incidents })).toMatchObject({ rule: "down" });
  });

  test("that nobody confirmed yet leaves the facts of the incident as they were", () => {
    const facts = {
      anonymousServed: 1,
      anonymousRefused: 2,
      anonymousBefore: "served" as const,
      usageCurrent: 3,
      usageLimit: 4,
      samples: 5,
    };
    const rows = [...tick(0), ...outage({ status: 503 }), [20, { status: 403 }] as Row];
    expect(evaluate(rows, { incidents: [firingOf("gone", { facts })] })).toMatchObject({
      rule: "gone",
      facts,
    });
    const plain = evaluate(rows, { incidents: [firingOf("gone")] });
    for (const name of Object.keys(facts)) expect(plain).not.toHaveProperty(`facts.${name}`);
    expect(evaluate([...rows, [21, { status: 500, endpoint: passport }]])).toMatchObject({ rule: "down" });
  });
});

describe("paths that are gone", () => {
  const gone = [...tick(0), ...outage({ status: 410 })];

  test("name the samples that were requested", () => {
    expect(evaluate(gone)).toMatchObject({ rule: "gone", facts: { samples: 2 } });
  });

  test("are withdrawn again after three checks with 404 on every endpoint", () => {
    const incidents = [firingOf("gone")];
    const missing = tick(20, { status: 404 });
    expect(evaluate([...gone, ...missing.slice(0, 1)], { incidents })).toMatchObject({ rule: "gone" });
    const all = [...gone, ...missing, ...tick(21, { status: 404, sample: samples[1]! })];
    expect(evaluate(all, { incidents })).toMatchObject({ rule: "withdrawn" });
    const withdrawn = [...tick(0), ...outage({ status: 302 })];
    const mixed: Row[] = [...withdrawn, [20, { status: 410 }]];
    expect(evaluate(mixed, { incidents: [firingOf("withdrawn")] })).toMatchObject({ rule: "withdrawn" });
    expect(evaluate(mixed, { incidents: [firingOf("gone")] })).toMatchObject({ rule: "gone" });
  });

  test("of one endpoint never retire V1", () => {
    const own: Row[] = [...tick(0), ...every(60, 10, 10 + 2 * day, { status: 410 })];
    expect(evaluate(own, { incidents: [firingOf("gone", { endpoints: [list] })] })).toMatchObject({
      rule: "gone",
    });
  });

  test.each(["gone", "withdrawn"] as const)("for 24 h since they are %s are a retirement", (rule) => {
    const until = (minutes: number) => [...gone, ...tick(10 + minutes - 2 / 60, { status: 410 })];
    const incidents = [firingOf(rule)];
    expect(evaluate(until(day), { incidents })).toMatchObject({ rule: "retired", facts: { samples: 2 } });
    expect(evaluate(until(day - 1), { incidents })).toMatchObject({ rule: "gone" });
    // It counts from the change of the cause.
    const changed = [firingOf(rule, { changedAt: iso(20) })];
    expect(evaluate(until(day), { incidents: changed })).toMatchObject({ rule: "gone" });
    expect(evaluate(until(day + 10), { incidents: changed })).toMatchObject({ rule: "retired" });
    expect(evaluate(until(day), { incidents: [firingOf("down")] })).toMatchObject({ rule: "gone" });
  });

  test("stay a retirement", () => {
    expect(evaluate(gone, { incidents: [firingOf("retired")] })).toMatchObject({ rule: "retired" });
  });

  test("after the announced date of all endpoints, or the configured one, are a retirement", () => {
    const lastMinutes = 15 + 2 / 60;
    const announced = (minutes: number, over: Parameters<typeof incidentOf>[1] = {}) => ({
      incidents: [incidentOf("sunset", { facts: { date: iso(minutes) }, ...over })],
    });
    expect(evaluate(gone, announced(lastMinutes))).toMatchObject({ rule: "retired" });
    expect(evaluate(gone, announced(lastMinutes + 1))).toMatchObject({ rule: "gone" });
    expect(evaluate(gone, announced(0, { endpoints: [list] }))).toMatchObject({ rule: "gone" });
    expect(evaluate(gone, { incidents: [incidentOf("sunset")] })).toMatchObject({ rule: "gone" });
    const passed = { incidents: [incidentOf("sunset-passed", { facts: { date: iso(0) } })] };
    expect(evaluate(gone, passed)).toMatchObject({ rule: "retired" });
    expect(evaluate(gone, { settings: { retirementDate: "2026-03-02" } })).toMatchObject({ rule: "retired" });
    expect(evaluate(gone, { settings: { retirementDate: "2026-03-03" } })).toMatchObject({ rule: "gone" });
  });
});

const anonymous = (minutes: number, outcome: Row[1] = {}): Row => [
  minutes,
  { ...outcome, variant: "anonymous" },
];

describe("a 401 for our key", () => {
  const refused = { status: 401 };
  const rows = (others: readonly Row[]) =>
    [...tick(0), ...outage(refused), ...others].toSorted(([a], [b]) => a - b);

  test("is a refused key while anonymous requests are served", () => {
    expect(evaluate(rows([anonymous(2), anonymous(11.5), anonymous(15.5)]))).toMatchObject({
      rule: "key-refused",
      facts: { anonymousServed: 2, anonymousRefused: 0, anonymousBefore: "served" },
    });
  });

  test("may be a retirement while anonymous requests are refused as well", () => {
    expect(evaluate(rows([anonymous(2), anonymous(11.5, refused), anonymous(15.5, refused)]))).toMatchObject({
      rule: "maybe-retired",
      facts: { anonymousServed: 0, anonymousRefused: 2, anonymousBefore: "served" },
    });
    const never = evaluate(rows([anonymous(11.5, refused), anonymous(15.5, refused)]));
    expect(never).toMatchObject({ rule: "maybe-retired", facts: { anonymousBefore: "never-served" } });
    expect(evaluate(rows([]))).toMatchObject({
      rule: "maybe-retired",
      facts: { anonymousServed: 0, anonymousRefused: 0, anonymousBefore: "not-checked" },
    });
    // Of several endpoints the last ones count.
    const other = (m: number, one: Row[1]): Row => [m, { ...one, endpoint: passport, variant: "anonymous" }];
    const several = [other(11.5, {}), other(15.5, refused), anonymous(16.5, refused)];
    expect(evaluate(rows(several))).toMatchObject({ rule: "maybe-retired" });
    // Other variants are sent with the key.
    const keyword = [11.5, 15.5].map((m): Row => [m, { variant: "keyword" }]);
    expect(evaluate(rows(keyword))).toMatchObject({ facts: { anonymousBefore: "not-checked" } });
    // A failed anonymous request says nothing about it.
    expect(evaluate(rows([anonymous(11.5, { status: 503 })]))).toMatchObject({
      facts: { anonymousBefore: "not-checked" },
    });
  });

  test("changes when the last two anonymous requests agree", () => {
    const change = [anonymous(2), anonymous(11.5), anonymous(15.5, refused)];
    const incidents = (rule: RuleId) => ({ incidents: [firingOf(rule)] });
    expect(evaluate(rows(change), incidents("key-refused"))).toMatchObject({ rule: "key-refused" });
    expect(evaluate(rows(change), incidents("maybe-retired"))).toMatchObject({ rule: "maybe-retired" });
    expect(evaluate(rows(change), incidents("retired"))).toMatchObject({ rule: "retired" });
    expect(evaluate(rows(change))).toMatchObject({ rule: "key-refused" });
    expect(evaluate(rows(change), incidents("down"))).toMatchObject({ rule: "key-refused" });
    expect(evaluate(rows([...change, anonymous(16.5, refused)]), incidents("key-refused"))).toMatchObject({
      rule: "maybe-retired",
      changedMs: at(15.5),
      changedAfterMs: at(11.5),
    });
  });

  test("is a retirement after 24 h in which anonymous requests are refused, where they were served", () => {
    const long = (others: readonly Row[]) => rows([...others, ...tick(10 + day, refused)]);
    const incidents = [firingOf("maybe-retired")];
    const closed = [anonymous(2), anonymous(11.5, refused), anonymous(15.5, refused)];
    expect(evaluate(long(closed), { incidents })).toMatchObject({ rule: "retired" });
    expect(evaluate(rows(closed), { incidents })).toMatchObject({ rule: "maybe-retired" });
    // Without an anonymous response the two cannot be told apart, however long it lasts.
    expect(evaluate(long([]), { incidents })).toMatchObject({ rule: "maybe-retired" });
    expect(evaluate(long(closed.slice(1)), { incidents })).toMatchObject({ rule: "maybe-retired" });
    expect(evaluate(long([anonymous(2)]), { incidents })).toMatchObject({ rule: "maybe-retired" });
  });

  test("of one endpoint is withdrawn where it was served to all, and else refused", () => {
    const own = (others: readonly Row[]) =>
      [...tick(0), ...every(5, 10, 25, refused), ...others].toSorted(([a], [b]) => a - b);
    const closed = [anonymous(2), anonymous(12, refused), anonymous(17, refused)];
    expect(evaluate(own(closed))).toMatchObject({ rule: "withdrawn", endpoints: [list] });
    expect(evaluate(own(closed.slice(1)))).toMatchObject({ rule: "access-refused" });
    expect(evaluate(own([anonymous(2), anonymous(12), anonymous(17)]))).toMatchObject({
      rule: "key-refused",
    });
  });

  test("without a key is a retirement where V1 was served before", () => {
    const keyless = (outcome: Row[1]) => ({ ...outcome, variant: "anonymous" as const, isPrimary: true });
    const all = (before: Row[1]) => [
      ...tick(0, keyless(before)),
      ...[10, 11, 15].flatMap((m) => tick(m, keyless(refused))),
    ];
    const one = evaluate(all({}));
    expect(one).toMatchObject({ rule: "maybe-retired", facts: { anonymousBefore: "served" } });
    expect(one).not.toHaveProperty("facts.anonymousServed");
    expect(evaluate(all(refused))).toMatchObject({ facts: { anonymousBefore: "never-served" } });
    const long = [...all({}), ...tick(10 + day, keyless(refused))];
    expect(evaluate(long, { incidents: [firingOf("maybe-retired")] })).toMatchObject({ rule: "retired" });
  });
});

describe("a 401 of all endpoints of which some are served again", () => {
  const firing = (rule: RuleId) =>
    firingOf(rule, { facts: { anonymousServed: 0, anonymousRefused: 9, anonymousBefore: "served" } });
  const good = [20, 25].flatMap((m) => tick(m).filter(([, one]) => one!.endpoint !== passport));
  /** The endpoint that is left has failed otherwise twice: too few for another cause. */
  const rows: Row[] = [
    ...[...tick(0), ...outage({ status: 401 }), ...good],
    ...[20.5, 25.5].map((m): Row => [m, { endpoint: passport, status: 503 }]),
  ].toSorted(([a], [b]) => a - b);

  test.each<[RuleId, RuleId]>([
    ["maybe-retired", "down"],
    ["retired", "down"],
    ["key-refused", "key-refused"],
  ])("is no longer %s of all, but %s of what is left", (before, rule) => {
    const one = evaluate(rows, { incidents: [firing(before)] });
    expect(one).toMatchObject({ rule, endpoints: [passport], facts: { responses: { 401: 3, 503: 2 } } });
    expect(one).not.toHaveProperty("facts.anonymousRefused");
  });
});

describe("an exhausted quota", () => {
  const quota = (current?: number, limit?: number): Row[1] => ({
    status: 401,
    notices: {
      usage: {
        exhausted: true,
        ...(current !== undefined && { current }),
        ...(limit !== undefined && { limit }),
      },
    },
  });

  test("names the usage of the last check", () => {
    expect(
      evaluate([...tick(0), ...outage(quota(1_000, 900)), ...tick(20, quota(1_001, 900))]),
    ).toMatchObject({
      rule: "quota-exhausted",
      facts: { usageCurrent: 1_001, usageLimit: 900 },
    });
    const plain = evaluate([...tick(0), ...outage(quota())]);
    expect(plain).not.toHaveProperty("facts.usageCurrent");
    expect(plain).not.toHaveProperty("facts.usageLimit");
  });

  test("begins and ends with three checks that say so on every endpoint", () => {
    const plain = { status: 401 };
    const after = [...tick(0), ...outage(quota(5, 5))];
    const incidents = [firingOf("quota-exhausted")];
    expect(evaluate([...after, ...tick(20, plain).slice(1)], { incidents })).toMatchObject({
      rule: "quota-exhausted",
    });
    expect(evaluate([...after, ...tick(20, plain)], { incidents })).toMatchObject({
      rule: "maybe-retired",
      changedMs: at(20),
      changedAfterMs: at(15 + 2 / 60),
    });
    const before = [...tick(0), ...outage(plain)];
    expect(
      evaluate([...before, [20, quota(5, 5)]], { incidents: [firingOf("maybe-retired")] }),
    ).toMatchObject({
      rule: "maybe-retired",
    });
    // In an outage that is not reported yet one check is enough.
    expect(evaluate([...before, [20, quota(5, 5)]])).toMatchObject({ rule: "quota-exhausted" });
    expect(
      evaluate([...before, ...tick(20, quota(5, 5))], { incidents: [firingOf("maybe-retired")] }),
    ).toMatchObject({ rule: "quota-exhausted", changedMs: at(20), facts: { usageCurrent: 5 } });
  });
});

describe("refused anonymous requests", () => {
  const evaluateRows = (rows: readonly Row[], incidents: Incident[] = []) =>
    evaluateAnonymous(contextOf(historyOf(rows), { incidents }));
  const refused = { status: 401 };
  const rows: Row[] = [[0], anonymous(1), ...[10, 20, 30].map((m) => anonymous(m, refused))];
  const unknown = [{ state: "unknown" }];

  test("are reported while the key is served, where they were served before", () => {
    expect(evaluateRows(rows)).toEqual([
      {
        state: "active",
        rule: "anonymous-refused",
        severity: "warning",
        endpoints: [list],
        scope: "endpoint",
        firstBadMs: at(10),
        lastGoodMs: at(1),
        lastBadMs: at(30),
        bad: 3,
        total: 3,
        windowMs: at(30) - at(10),
        facts: {},
        key: "refused",
      },
    ]);
    expect(evaluateRows(rows.filter(([m]) => m !== 1))).toEqual(unknown);
    expect(evaluateRows([...rows, [40, refused]])).toEqual(unknown);
    expect(evaluateRows([...rows, anonymous(40, { status: 503 })])).toMatchObject([{ bad: 3 }]);
  });

  test("count while the key is served, and not in an outage", () => {
    const outage: Row[] = [[40, refused], anonymous(45, refused), [50]];
    expect(evaluateRows([...rows, ...outage])).toMatchObject([{ bad: 3, lastBadMs: at(30) }]);
    expect(evaluateRows([...rows, ...outage, anonymous(50, refused)])).toMatchObject([
      { bad: 4, firstBadMs: at(10), lastBadMs: at(50) },
    ]);
    expect(evaluateRows([[0], anonymous(1), ...outage])).toEqual([
      { state: "inactive", firstGoodMs: at(1), good: 2, lastMs: at(1) },
    ]);
  });

  test("that were reported do not end with an outage after them, but with a check that is served", () => {
    const incidents = [firingOf("anonymous-refused", { endpoints: [list], facts: { lastBadAt: iso(30) } })];
    const after: Row[] = [...rows, [40, { status: 503 }], [50]];
    expect(evaluateRows(after, incidents)).toMatchObject([{ state: "active", bad: 3, lastBadMs: at(30) }]);
    expect(evaluateRows([...after, anonymous(60)], incidents)).toEqual([
      { state: "inactive", firstGoodMs: at(60), good: 2, lastMs: at(60) },
    ]);
    // Where the refused checks are no longer kept, one that was served before them ends nothing.
    expect(evaluateRows([[0], anonymous(1)], incidents)).toEqual(unknown);
  });

  test("keep their onset when its checks are no longer kept", () => {
    const lastGoodBeforeAt = iso(-500);
    const incident = firingOf("anonymous-refused", { since: iso(-400), facts: { lastGoodBeforeAt } });
    expect(evaluateRows(rows, [incident])).toMatchObject([
      { bad: 3, firstBadMs: at(-400), lastGoodMs: at(-500), windowMs: at(30) - at(10) },
    ]);
  });

  test("of all endpoints are of the API", () => {
    const all = [
      ...tick(0),
      ...tick(1, { variant: "anonymous" }),
      ...tick(10, { ...refused, variant: "anonymous" }),
    ];
    expect(evaluateRows(all)).toMatchObject([{ scope: "api", endpoints: [...endpointIds], bad: 3 }]);
  });

  test("end with one that is served", () => {
    expect(evaluateRows([...rows, anonymous(40)])).toEqual([
      { state: "inactive", firstGoodMs: at(40), good: 2, lastMs: at(40) },
    ]);
  });

  test("are unknown without a key, and without any", () => {
    expect(evaluateRows([[0, { variant: "anonymous", isPrimary: true }]])).toEqual(unknown);
    expect(evaluateRows([])).toEqual(unknown);
  });
});
