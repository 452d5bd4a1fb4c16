import { describe, expect, test } from "vitest";
import { evaluateBreaking, evaluatePartial } from "../../../lib/assess/rules/drift.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Incident } from "../../../lib/records/incident.ts";
import type { Finding } from "../../../lib/records/observation.ts";
import { minuteMs } from "../observation-builder.ts";
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

const hour = 60;

const findingOf = (id: string, over: Partial<Finding> = {}): Finding => ({
  id,
  path: `items[].${id}`,
  kind: "retyped",
  expected: "number",
  observed: "string",
  count: 9,
  of: 25,
  level: "breaking",
  ...over,
});
const drifted = (...ids: string[]) => ({ findings: ids.map((id) => findingOf(id)) });
const factOf = (id: string, bad: number, total: number) => {
  const { level: _, count, of, ...finding } = findingOf(id);
  return { ...finding, records: count, ofRecords: of, bad, total };
};
/** Three checks as documented: what they show is the baseline. */
const calm: Row[] = [[0], [1], [2]];
type Given = Parameters<typeof contextOf>[1];
const breaking = (rows: readonly Row[], given: Given = {}) =>
  evaluateBreaking(contextOf(historyOf([...calm, ...rows]), given));
const partial = (rows: readonly Row[], given: Given = {}) =>
  evaluatePartial(contextOf(historyOf([...calm, ...rows]), given));
const firingOf = (rule: "breaking-drift" | "partial-drift", ids: string[], over: Partial<Incident> = {}) =>
  incidentOf(rule, {
    since: iso(10),
    endpoints: [list],
    ...over,
    facts: {
      lastGoodBeforeAt: iso(2),
      lastBadAt: iso(20),
      findings: ids.map((id) => factOf(id, 3, 3)),
      ...over.facts,
    },
  });

describe("breaking drift", () => {
  const three = every(5, 10, 20, drifted("score"));

  test("is reported after three checks in a row over five minutes", () => {
    expect(breaking(three)).toEqual([
      {
        state: "active",
        rule: "breaking-drift",
        severity: "page",
        endpoints: [list],
        scope: "endpoint",
        firstBadMs: at(10),
        lastGoodMs: at(2),
        lastBadMs: at(20),
        bad: 3,
        total: 3,
        windowMs: 10 * minuteMs,
        facts: { findings: [factOf("score", 3, 3)] },
        key: "score",
        isConfirmed: true,
      },
    ]);
    expect(breaking(three.slice(0, 2))).toEqual([{ state: "inactive" }]);
    // Half a minute less is a scheduler that was early.
    const within = (minutes: number): Row[] => [0, 1, minutes].map((m) => [10 + m, drifted("score")]);
    expect(breaking(within(4.5))).toMatchObject([{ state: "active" }]);
    expect(breaking(within(4.4))).toEqual([{ state: "inactive" }]);
    expect(breaking([...three.slice(0, 2), [19], three[2]!])).toEqual([{ state: "inactive" }]);
  });

  test("of an endpoint's first checks is its baseline", () => {
    const rows = every(5, 0, 60, drifted("score"));
    expect(evaluateBreaking(contextOf(historyOf(rows)))).toEqual([{ state: "inactive" }]);
  });

  test("in the additive and in muted findings is none", () => {
    const additive = { findings: [findingOf("score", { level: "additive" })] };
    expect(breaking(every(5, 10, 20, additive))).toEqual([{ state: "inactive" }]);
    const settings = { isMuted: (id: string) => id === "score" };
    expect(breaking(three, { settings })).toEqual([{ state: "inactive" }]);
    expect(breaking(every(5, 10, 20, drifted("score", "name")), { settings })).toMatchObject([
      { key: "name" },
    ]);
  });

  test("of another field that was seen twice belongs to the same change", () => {
    const rows = (last: Row[1]): Row[] => [
      ...three.slice(0, 1),
      [15, drifted("score", "b", "a")],
      [20, last],
    ];
    expect(breaking(rows(drifted("score", "b", "a")))).toMatchObject([
      {
        bad: 3,
        total: 3,
        key: "a; b; score",
        facts: { findings: [factOf("a", 2, 2), factOf("b", 2, 2), factOf("score", 3, 3)] },
      },
    ]);
    expect(breaking(rows(drifted("score")))).toMatchObject([{ key: "score" }]);
  });

  test("of all endpoints is one of the API, and each check counts once", () => {
    const rows = endpointIds.flatMap((endpoint, index) => [
      ...calm.map(([minutes]): Row => [minutes, { endpoint }]),
      ...every(5, 10 + index, 20 + index).map(
        ([minutes]): Row => [
          minutes,
          { endpoint, findings: [findingOf(`${endpoint} a`), findingOf(`${endpoint} b`)] },
        ],
      ),
    ]);
    const history = historyOf(rows.toSorted(([a], [b]) => a - b));
    expect(evaluateBreaking(contextOf(history))).toMatchObject([
      { scope: "api", endpoints: [...endpointIds], bad: 9, total: 9, firstBadMs: at(10), lastBadMs: at(22) },
    ]);
  });

  test("at most 24 findings are named, and the others are counted", () => {
    const ids = Array.from({ length: 26 }, (_, index) => `field-${String(index).padStart(2, "0")}`);
    const [one] = breaking([
      ...every(5, 10, 20, drifted(...ids.slice(0, 20))),
      ...every(5, 25, 35, drifted(...ids)),
    ]);
    if (one?.state !== "active") throw new Error("inactive");
    expect(one.facts.findings).toHaveLength(24);
    expect(one.facts.findingsOmitted).toBe(2);
    expect(one.key).toHaveLength(26 * 10 - 2);
    const [fewer] = breaking(every(5, 10, 20, drifted(...ids.slice(0, 24))));
    expect(fewer).not.toHaveProperty("facts.findingsOmitted");
  });

  test("in the order of a moment counts scheduled checks only", () => {
    const order = (reason: "scheduled" | "confirmation") => ({
      findings: [findingOf("order", { kind: "order" })],
      reason,
    });
    const rows = [10, 15, 20, 25].map((minutes): Row => [minutes, order("confirmation")]);
    expect(breaking(rows)).toEqual([{ state: "inactive" }]);
    expect(breaking(every(5, 10, 20, order("scheduled")))).toMatchObject([{ bad: 3 }]);
    for (const kind of ["filter", "pagination", "disagreement"] as const)
      expect(
        breaking(rows.map(([m]) => [m, { reason: "recovery", findings: [findingOf("order", { kind })] }])),
      ).toEqual([{ state: "inactive" }]);
  });

  test("is neither there nor gone in a response that was cut, or that held no such object", () => {
    const evidence = (subject: string, of = 1) => [{ gap: "2.6-null" as const, subject, of, answers: {} }];
    const other = { evidence: evidence("other") };
    const held = { evidence: evidence("items[]") };
    const seen = (minutes: number): Row => [minutes, { ...drifted("score"), ...held }];
    const rows = (between: Row[1]): Row[] => [
      ...[3, 4, 5].map((minutes): Row => [minutes, held]),
      ...[seen(10), seen(15), [17, between] as Row, seen(20)],
    ];
    expect(breaking(rows(other))).toMatchObject([{ bad: 3, total: 3 }]);
    expect(breaking(rows({ ...held, findingsOmitted: 1 }))).toMatchObject([{ bad: 3, total: 3 }]);
    expect(breaking(rows(held))).toEqual([{ state: "inactive" }]);
    expect(breaking(rows({ evidence: evidence("items[]", 0) }))).toEqual([{ state: "inactive" }]);
  });

  test("is judged in the variant that measures V1, where that shows it", () => {
    const rows: Row[] = every(5, 10, 20, drifted("score")).flatMap(([minutes, one]): Row[] => [
      [minutes, one],
      [minutes + 1, { variant: "keyword" }],
    ]);
    expect(breaking(rows)).toMatchObject([{ bad: 3, total: 3 }]);
    const both: Row[] = [[9, { ...drifted("score"), variant: "keyword" }], ...rows];
    expect(breaking(both)).toMatchObject([{ bad: 3, total: 3 }]);
    const rare: Row[] = [
      ...[3, 4, 5].map((minutes): Row => [minutes, { variant: "keyword" }]),
      ...every(5, 10, 20, { ...drifted("score"), variant: "keyword" }),
      [21],
    ];
    expect(breaking(rare)).toMatchObject([{ bad: 3, total: 3, lastGoodMs: at(5) }]);
  });

  test("that returns after its end starts anew", () => {
    const over = firingOf("breaking-drift", ["score"], { state: "resolved", resolvedAt: iso(40) });
    const rows = [...three, ...every(5, 25, 40), ...every(5, 100, 110, drifted("score"))];
    expect(breaking(rows, { incidents: [over] })).toMatchObject([
      { firstBadMs: at(100), lastGoodMs: at(40), bad: 3, total: 3 },
    ]);
  });

  test("that is reported counts from the end of its own last occurrence, and not from that of a share", () => {
    const rows = every(10, 10, 100, drifted("score"));
    const counted = (rule: "breaking-drift" | "partial-drift") =>
      breaking(rows, {
        incidents: [
          firingOf("breaking-drift", ["score"]),
          firingOf(rule, ["score"], { state: "resolved", resolvedAt: iso(35) }),
        ],
      });
    expect(counted("partial-drift")).toMatchObject([{ facts: { findings: [{ bad: 10, total: 10 }] } }]);
    expect(counted("breaking-drift")).toMatchObject([{ facts: { findings: [{ bad: 7, total: 7 }] } }]);
  });

  describe("in a field that a share of the checks showed", () => {
    const incidents = [firingOf("partial-drift", ["score"])];
    /** Thirty-eight checks, of which so many show it, and then a run that does. */
    const rows = (bad: number, run: number, reason: "scheduled" | "confirmation" = "scheduled"): Row[] => [
      ...every(10, 10, 380).map(([minutes], index): Row => [minutes, index < bad ? drifted("score") : {}]),
      ...every(10, 390, 380 + run * 10, { ...drifted("score"), reason }),
    ];

    test("needs as many checks in a row as chance does not bring", () => {
      // 4 of 40, with one more of each kind: 0.1 ** 3 is more than 0.0005, 0.1 ** 4 is less.
      expect(breaking(rows(3, 3), { incidents })).toEqual([{ state: "inactive" }]);
      expect(breaking(rows(3, 4), { incidents })).toMatchObject([
        { state: "active", firstBadMs: at(390), bad: 4, total: 4 },
      ]);
      // A half: 0.5 ** 10 is more, 0.5 ** 11 is less.
      expect(breaking(rows(19, 10), { incidents })).toEqual([{ state: "inactive" }]);
      expect(breaking(rows(19, 11), { incidents })).toMatchObject([{ state: "active", bad: 11 }]);
    });

    test("is not told by confirmations, which may reach the same server", () => {
      expect(breaking(rows(3, 8, "confirmation"), { incidents })).toEqual([{ state: "inactive" }]);
    });

    test("takes a half for the share where it was in every check since", () => {
      const all = (checks: number) => every(10, 10, checks * 10, drifted("score"));
      expect(breaking(all(10), { incidents })).toEqual([{ state: "inactive" }]);
      expect(breaking(all(11), { incidents })).toMatchObject([{ bad: 11 }]);
    });

    test("does not delay another field", () => {
      expect(breaking(three, { incidents: [firingOf("partial-drift", ["name"])] })).toMatchObject([
        { bad: 3 },
      ]);
    });

    test("counts from the beginning of the share", () => {
      const late = [firingOf("partial-drift", ["score"], { since: iso(380) })];
      // Of one check since, which did not show it: a third. 0.33 ** 6 is more, 0.33 ** 7 is less.
      expect(breaking(rows(3, 6), { incidents: late })).toEqual([{ state: "inactive" }]);
      expect(breaking(rows(3, 7), { incidents: late })).toMatchObject([{ bad: 7 }]);
    });
  });

  describe("that fires", () => {
    const incidents = [firingOf("breaking-drift", ["score"])];

    test("keeps its onset, and goes on after one check without it", () => {
      expect(breaking([...three, [25]], { incidents })).toMatchObject([
        { state: "active", firstBadMs: at(10), lastGoodMs: at(2), lastBadMs: at(20), bad: 3, total: 3 },
      ]);
      expect(breaking([...three, [25], [30, drifted("score")]], { incidents })).toMatchObject([
        { bad: 4, total: 5, facts: { findings: [factOf("score", 4, 5)] } },
      ]);
    });

    test("keeps the onset of an endpoint that joined and had it before", () => {
      const joined = firingOf("breaking-drift", ["score"], {
        since: iso(15),
        facts: { ...incidentOf("breaking-drift").facts, firstBadAt: iso(10) },
      });
      expect(breaking(three, { incidents: [joined] })).toMatchObject([
        { firstBadMs: at(10), bad: 3, total: 3 },
      ]);
    });

    test("has the onset of the endpoints that are left", () => {
      const both = firingOf("breaking-drift", ["score"], { since: iso(6), endpoints: [list, passport] });
      const ofPassport = (...[minutes, outcome]: Row): Row => [minutes, { ...outcome, endpoint: passport }];
      const rows = [
        ...[0, 1, 2].map((minutes) => ofPassport(minutes)),
        ...[6, 7, 12].map((minutes) => ofPassport(minutes, drifted("score"))),
        ...every(5, 10, 35, drifted("score")),
        ...[26, 31].map((minutes) => ofPassport(minutes)),
      ];
      expect(breaking(rows, { incidents: [both] })).toMatchObject([
        { endpoints: [list], firstBadMs: at(10), lastGoodMs: at(2), bad: 6, total: 6 },
      ]);
    });

    test("ends after two checks without it over five minutes", () => {
      expect(breaking([...three, [25], [29.4]], { incidents })).toEqual([{ state: "unknown" }]);
      expect(breaking([...three, [25], [29.5]], { incidents })).toEqual([
        { state: "inactive", firstGoodMs: at(25), good: 2, lastMs: at(29.5) },
      ]);
    });

    test("is narrowed when the other fields were seen with the change since", () => {
      const both = [firingOf("breaking-drift", ["name", "score"])];
      const rows = every(5, 10, 20, drifted("name", "score"));
      const left: Row[] = [
        [25, drifted("score")],
        [30, drifted("score")],
      ];
      expect(breaking([...rows, ...left], { incidents: both })).toMatchObject([{ key: "score" }]);
      // One of two others was not seen since.
      const three = [firingOf("breaking-drift", ["name", "score", "rank"])];
      const all3 = [...every(5, 10, 20, drifted("name", "score", "rank")), [25, drifted("score")] as Row];
      const cut: Row = [30, { ...drifted("score"), findingsOmitted: 1 }];
      expect(breaking([...all3, cut], { incidents: three })).toMatchObject([{ key: "name; rank; score" }]);
      // Another endpoint that was not checked since says nothing yet.
      const other = { ...both[0]!, endpoints: [list, passport] as Incident["endpoints"] };
      const twoEndpoints: Row[] = [
        ...[3, 4, 5].map((minutes): Row => [minutes, { endpoint: passport }]),
        ...every(5, 11, 21, { ...drifted("name"), endpoint: passport }),
      ];
      const all = [...every(5, 10, 20, drifted("score")), ...twoEndpoints].sort(([a], [b]) => a - b);
      expect(breaking([...all, [25], [30]], { incidents: [other] })).toEqual([{ state: "unknown" }]);
      const since: Row = [31, { ...drifted("name"), endpoint: passport }];
      expect(breaking([...all, [25], [30], since], { incidents: [other] })).toMatchObject([{ key: "name" }]);
    });

    test("whose checks are no longer kept ends with three good checks of each endpoint", () => {
      expect(breaking([[3, { status: 503 }]], { incidents })).toMatchObject([{ state: "inactive" }]);
      const history = (rows: readonly Row[]) =>
        evaluateBreaking(contextOf(historyOf(rows), { incidents, nowMs: at(9) }));
      expect(history([[0], [1]])).toEqual([{ state: "unknown" }]);
      expect(history([[0], [1], [2, { status: 503 }]])).toEqual([{ state: "unknown" }]);
      expect(history([[0], [1], [2]])).toEqual([
        { state: "inactive", firstGoodMs: at(9), good: 2, lastMs: at(9) },
      ]);
      expect(history([[0], [1], [2], [3, { variant: "keyword" }], [4, drifted("x")]])).toEqual([
        { state: "unknown" },
      ]);
    });
  });
});

describe("drift in a share of the checks", () => {
  /** A check an hour; the given ones show it. */
  const hours = (count: number, bad: readonly number[], ids = ["score"]): Row[] =>
    every(hour, hour, count * hour).map(([minutes], index) => [
      minutes,
      bad.includes(index) ? drifted(...ids) : {},
    ]);

  test("is reported after three checks that are less than four fifths of those since the first", () => {
    expect(partial(hours(12, [2, 5, 8]))).toEqual([
      {
        state: "active",
        rule: "partial-drift",
        severity: "warning",
        scope: "endpoint",
        endpoints: [list],
        firstBadMs: at(3 * hour),
        lastGoodMs: at(2 * hour),
        lastBadMs: at(9 * hour),
        bad: 3,
        total: 7,
        windowMs: 6 * hour * minuteMs,
        facts: { findings: [factOf("score", 3, 7)] },
        key: "score",
        isConfirmed: true,
      },
    ]);
    expect(partial(hours(12, [2, 5]))).toEqual([{ state: "inactive" }]);
    expect(partial(hours(6, [1, 2, 4, 5]))).toEqual([{ state: "inactive" }]);
    expect(partial(hours(7, [1, 2, 4, 5]))).toMatchObject([{ bad: 4, total: 5 }]);
  });

  test("is not three in a row of late, and not what breaking drift reports", () => {
    expect(partial(hours(12, [2, 9, 10, 11]))).toEqual([{ state: "inactive" }]);
    expect(partial(hours(12, [2, 10, 11]))).toMatchObject([{ bad: 3 }]);
    // Nor what a list shows that changes while it is read.
    const shown = (kind: Finding["kind"]) =>
      partial(
        hours(12, [2, 5, 8]).map(([minutes, outcome]) => [
          minutes,
          outcome?.findings ? { findings: [findingOf("score", { kind })] } : {},
        ]),
      );
    expect(shown("missing")).toMatchObject([{ bad: 3 }]);
    for (const kind of ["order", "filter", "pagination"] as const)
      expect(shown(kind)).toEqual([{ state: "inactive" }]);
    // Nor are three in a row that have ended a share of the checks since.
    expect(partial(hours(20, [2, 3, 4]))).toEqual([{ state: "inactive" }]);
    expect(partial(hours(20, [2, 3, 4, 8, 10]))).toEqual([{ state: "inactive" }]);
    expect(partial(hours(20, [2, 3, 4, 8, 10, 12]))).toMatchObject([{ bad: 3, total: 5 }]);
    const incidents = [firingOf("breaking-drift", ["score"])];
    expect(partial(hours(12, [2, 5, 8]), { incidents })).toEqual([{ state: "inactive" }]);
  });

  test("counts from the end of the last time it was reported", () => {
    for (const rule of ["breaking-drift", "partial-drift"] as const) {
      const over = firingOf(rule, ["score"], { state: "resolved", resolvedAt: iso(3 * hour + 1) });
      expect(partial(hours(12, [2, 5, 8]), { incidents: [over] })).toEqual([{ state: "inactive" }]);
      expect(partial(hours(12, [2, 5, 8, 10]), { incidents: [over] })).toMatchObject([
        { firstBadMs: at(6 * hour), bad: 3, total: 6 },
      ]);
    }
    const other = firingOf("partial-drift", ["name"], { state: "resolved", resolvedAt: iso(4 * hour) });
    expect(partial(hours(12, [2, 5, 8]), { incidents: [other] })).toMatchObject([{ bad: 3 }]);
  });

  test("was seen in the last 48 h", () => {
    const rows = hours(9 + 48, [2, 5, 8]);
    expect(partial(rows)).toMatchObject([{ state: "active" }]);
    const nowMs = at(57 * hour) + 1;
    expect(partial(rows, { nowMs })).toEqual([{ state: "inactive" }]);
  });

  describe("that fires", () => {
    const firing = firingOf("partial-drift", ["score"], { key: "said", since: iso(3 * hour) });
    const incidents = [firing];

    test("has the key of its message until another field shows it", () => {
      expect(partial(hours(12, [2, 5, 8]), { incidents })).toMatchObject([{ key: "said" }]);
      expect(partial(hours(12, [2, 5, 8], ["score", "name"]), { incidents })).toMatchObject([
        { key: "name; score", bad: 3 },
      ]);
      // Three in a row of late change nothing while it fires.
      expect(partial(hours(12, [2, 5, 9, 10, 11]), { incidents })).toMatchObject([{ bad: 5, total: 10 }]);
    });

    test("goes on while all checks show it, which is reported as breaking drift", () => {
      const all = [...incidents, firingOf("breaking-drift", ["score"])];
      expect(partial(hours(12, [2, 5, 8, 9, 10, 11]), { incidents: all })).toMatchObject([
        { state: "active", bad: 6, total: 10, lastBadMs: at(12 * hour), key: "said" },
      ]);
    });

    test("ends when no check of 48 h showed it, and three were good", () => {
      const rows = hours(9 + 49, [2, 5, 8]);
      expect(partial(rows, { incidents })).toEqual([
        { state: "inactive", firstGoodMs: at(10 * hour), good: 49, lastMs: at(58 * hour) },
      ]);
      const few = (count: number) => [...hours(9, [2, 5, 8]), ...every(1, 58 * hour, 58 * hour + count - 1)];
      expect(partial(few(2), { incidents })).toEqual([{ state: "unknown" }]);
      expect(partial(few(3), { incidents })).toMatchObject([{ state: "inactive", good: 3 }]);
    });

    test("whose checks are no longer kept ends after three good checks", () => {
      const late = { incidents: [{ ...firing, facts: { ...firing.facts, lastBadAt: iso(1) } }] };
      const evaluate = (rows: readonly Row[]) => evaluatePartial(contextOf(historyOf(rows), late));
      expect(evaluate([[2], [3], [4]])).toEqual([
        { state: "inactive", firstGoodMs: at(2), good: 3, lastMs: at(4) },
      ]);
      expect(evaluate([[1], [2], [3]])).toEqual([{ state: "unknown" }]);
      expect(evaluate([[2], [3]])).toEqual([{ state: "unknown" }]);
    });
  });
});
