import { describe, expect, test } from "vitest";
import {
  evaluateFailures,
  isIntermittent,
  isIntermittentAt,
  recoveryOf,
} from "../../../lib/assess/rules/availability.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
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
  passport,
  type Row,
  tick,
} from "./check-history.ts";

const down = { status: 503 };
type Given = Parameters<typeof contextOf>[1];
const evaluate = (rows: readonly Row[], given: Given = {}) =>
  evaluateFailures(contextOf(historyOf(rows), given));
const of = (endpoint: EndpointId, minutes: readonly number[], outcome: Row[1] = down): Row[] =>
  minutes.map((m) => [m, { endpoint, ...outcome }]);
const inOrder = (rows: readonly Row[]) => rows.toSorted(([a], [b]) => a - b);
const confirmed = (rows: readonly Row[], given: Given = {}) =>
  evaluate(rows, given).map((one) => one.state === "active" && one.isConfirmed);

describe("an outage of the API", () => {
  const outage = [...tick(0), ...tick(10, down), ...tick(11, down), ...tick(15, down)];

  test("is reported after three checks over five minutes, half a minute less where a scheduler is early", () => {
    expect(evaluate(outage)).toEqual([
      {
        state: "active",
        severity: "page",
        rule: "down",
        scope: "api",
        endpoints: [...endpointIds],
        firstBadMs: at(10),
        lastGoodMs: at(2 / 60),
        lastBadMs: at(15 + 2 / 60),
        bad: 9,
        total: 9,
        facts: { responses: { "503": 9 }, lastResponse: "503" },
        key: "down passport-list,passport,passport-credentials",
        changedMs: at(10),
        changedAfterMs: undefined,
        isConfirmed: true,
      },
    ]);
    const seconds = 2 / 60;
    const until = (minutes: number) => [...tick(0), ...tick(10, down), ...tick(10 + minutes - seconds, down)];
    expect(confirmed(until(4.5))).toEqual([true]);
    expect(confirmed(until(4.49))).toEqual([false]);
  });

  test("of 429 is reported after 30 minutes", () => {
    const throttled = { status: 429 };
    const until = (minutes: number) => [...tick(0), ...tick(10, throttled), ...tick(10 + minutes, throttled)];
    expect(confirmed(until(29))).toEqual([false]);
    expect(confirmed(until(29.5))).toEqual([true]);
  });

  test("begins with the earliest failure within 37 minutes of the latest", () => {
    const since = (minutes: number) =>
      inOrder([
        ...tick(0),
        ...of(list, [50 - minutes, 50, 56]),
        ...of(passport, [50, 56]),
        ...of(credentials, [50, 56]),
      ]);
    expect(evaluate(since(37))).toMatchObject([{ firstBadMs: at(13), bad: 7 }]);
    expect(evaluate(since(38))).toMatchObject([{ firstBadMs: at(50), bad: 6 }]);
  });

  test("is not confirmed by an old fault of one endpoint", () => {
    const rows = inOrder([
      ...tick(0),
      ...of(list, [10, 20, 30, 60]),
      ...of(passport, [60]),
      ...of(credentials, [60]),
    ]);
    expect(confirmed(rows)).toEqual([false]);
    // Nor by failures before the last good check of another endpoint.
    const mixed = inOrder([
      ...tick(0),
      ...of(list, [10, 12]),
      ...of(passport, [9], {}),
      ...of(passport, [14.5]),
      ...of(credentials, [13], {}),
      ...of(credentials, [14.6]),
    ]);
    expect(confirmed(mixed)).toEqual([false]);
  });

  test("takes the place of an incident of one endpoint once it is confirmed", () => {
    const firing = incidentOf("down", { endpoints: [list], since: iso(10) });
    const rows = inOrder([...tick(0), ...of(list, [10, 20, 30]), ...tick(100, down), ...tick(101, down)]);
    expect(evaluate(rows, { incidents: [firing] })).toMatchObject([
      { incidentId: firing.id, endpoints: [list] },
      { endpoints: [...endpointIds], isConfirmed: false },
    ]);
    expect(evaluate([...rows, ...tick(105, down)], { incidents: [firing] })).toMatchObject([
      { endpoints: [...endpointIds], isConfirmed: true, firstBadMs: at(100 + 1 / 60) },
    ]);
  });

  test("is not claimed by one failure of the last endpoint while the others are down", () => {
    const firing = incidentOf("down", { endpoints: [list, credentials], since: iso(10) });
    const others = [...of(list, [10, 15, 25, 52, 57]), ...of(credentials, [10, 15, 25, 52, 57])];
    const rows = (failures: readonly number[]) =>
      inOrder([...tick(0), ...others, ...of(passport, [50], {}), ...of(passport, failures)]);
    const evaluateAll = (failures: readonly number[]) => evaluate(rows(failures), { incidents: [firing] });
    const isNarrow = [
      { incidentId: firing.id, endpoints: [list, credentials] },
      { endpoints: [...endpointIds], isConfirmed: false },
    ];
    expect(evaluateAll([52])).toMatchObject(isNarrow);
    expect(evaluateAll([52, 53])).toMatchObject(isNarrow);
    expect(evaluateAll([52, 53, 57])).toMatchObject([{ endpoints: [...endpointIds], isConfirmed: true }]);
  });
});

describe("an outage of one endpoint", () => {
  const outage = (last: number, checks = [10, 15, 20]) =>
    inOrder([...tick(0), ...of(list, [...checks, last]), ...of(passport, [12, 22], {})]);

  test("is reported after three checks over 15 minutes", () => {
    expect(evaluate(outage(25))).toMatchObject([
      {
        scope: "endpoint",
        endpoints: [list],
        bad: 4,
        total: 4,
        isConfirmed: true,
        key: "down passport-list",
      },
    ]);
    expect(confirmed(outage(24.5))).toEqual([true]);
    expect(confirmed(outage(24.4))).toEqual([false]);
    expect(confirmed(outage(25, [10]))).toEqual([false]);
  });

  test("with the same cause and at about the same time as that of another endpoint is one with it", () => {
    const both = (shift: number, outcome: Row[1] = down) =>
      inOrder([
        ...tick(0),
        ...of(list, [10, 50, 60]),
        ...of(passport, [10 + shift, 51, 61], outcome),
        ...of(credentials, [5, 62], {}),
      ]);
    expect(evaluate(both(37))).toMatchObject([{ endpoints: [list, passport], bad: 6, scope: "endpoint" }]);
    expect(evaluate(both(38))).toMatchObject([{ endpoints: [list] }, { endpoints: [passport] }]);
    expect(evaluate(both(1, { status: 403 }))).toMatchObject([
      { rule: "down", endpoints: [list] },
      { rule: "access-refused", endpoints: [passport] },
    ]);
    // One that failed twice is not one with it yet.
    const young = inOrder([...tick(0), ...of(list, [10, 50, 60]), ...of(passport, [11, 51])]);
    expect(evaluate(young)).toMatchObject([{ endpoints: [list] }, { endpoints: [passport] }]);
  });

  test("joins the incident of another endpoint with the same cause", () => {
    const firing = incidentOf("down", { endpoints: [list], since: iso(10) });
    const rows = (shift: number) =>
      inOrder([
        ...tick(0),
        ...of(list, [10, 15, 25, 60]),
        ...of(passport, [10 + shift, 20 + shift, 26 + shift]),
        ...of(credentials, [40, 70], {}),
      ]);
    expect(evaluate(rows(37), { incidents: [firing] })).toMatchObject([
      { endpoints: [list], incidentId: firing.id },
      {
        endpoints: [list, passport],
        incidentId: firing.id,
        isConfirmed: true,
        bad: 7,
        total: 7,
        firstBadMs: at(10),
        changedMs: at(47),
        changedAfterMs: at(1 / 60),
      },
    ]);
    const [, apart] = evaluate(rows(38), { incidents: [firing] });
    expect(apart).toMatchObject({ endpoints: [passport], isConfirmed: true });
    expect(apart).not.toHaveProperty("incidentId");
    const [, young] = evaluate(rows(37).slice(0, -2), { incidents: [firing] });
    expect(young).toMatchObject({ endpoints: [passport], isConfirmed: false });
    const other = { ...firing, rule: "gone" as const };
    const [, cause] = evaluate(rows(37), { incidents: [other] });
    expect(cause).toMatchObject({ endpoints: [passport] });
  });
});

describe("while failures come now and then", () => {
  /** A day of checks of the list, of which some fail, and then failures in a row. */
  const day = (badShare: number, row: number, step = 5): Row[] => [
    ...every(12, 0, 24 * 60 - 12).map(
      ([m], index): Row => [m, (index * badShare) % 1 < badShare && index > 0 && index < 119 ? down : {}],
    ),
    ...every(step, 24 * 60, 24 * 60 + (row - 1) * step, down),
  ];

  test.each(["error-rate", "unauthorized-rate"] as const)(
    "as %s says, an outage needs 8 checks over 30 minutes",
    (rule) => {
      const incidents = [incidentOf(rule)];
      expect(confirmed(day(0.1, 7), { incidents })).toEqual([false]);
      expect(confirmed(day(0.1, 8), { incidents })).toEqual([true]);
      expect(confirmed(day(0.1, 8, 4), { incidents })).toEqual([false]);
      expect(confirmed(day(0.1, 4), { incidents: [{ ...incidents[0]!, state: "resolved" }] })).toEqual([
        true,
      ]);
    },
  );

  test("an outage needs as many as chance gives once in 10,000 times, and at most 60", () => {
    const incidents = [incidentOf("error-rate")];
    // At 59 of 120, thirteen in a row are below 0.0001; at nine tenths 60 are enough.
    expect(confirmed(day(0.5, 12), { incidents })).toEqual([false]);
    expect(confirmed(day(0.5, 13), { incidents })).toEqual([true]);
    // Confirmations are in no rate.
    const more = day(0.5, 13).flatMap(([m, one]): Row[] =>
      one === down && m < 24 * 60
        ? [
            [m, one],
            [m + 1, { ...down, reason: "confirmation" }],
          ]
        : [[m, one]],
    );
    expect(confirmed(more, { incidents })).toEqual([true]);
    expect(confirmed(day(0.9, 59), { incidents })).toEqual([false]);
    expect(confirmed(day(0.9, 60), { incidents })).toEqual([true]);
  });

  test("so they do for a day after a failure with good checks in between", () => {
    const mixed = (lastBad: number): Incident =>
      incidentOf("down", {
        endpoints: [list],
        state: "resolved",
        resolvedAt: iso(lastBad + 10),
        since: iso(0),
        facts: { lastBadAt: iso(lastBad), bad: 8, total: 9 },
      });
    const rows: Row[] = [[3_000], ...every(5, 3_010, 3_025, down)];
    expect(confirmed(rows, { incidents: [mixed(3_025 - 1_440)] })).toEqual([true]);
    expect(confirmed(rows, { incidents: [mixed(3_025 - 1_439)] })).toEqual([false]);
    const whole = mixed(3_000);
    whole.facts.bad = 9;
    expect(confirmed(rows, { incidents: [whole] })).toEqual([true]);
  });
});

describe("a failure is intermittent", () => {
  const incident = (over: Partial<Incident> = {}) =>
    incidentOf("down", { endpoints: [list], since: iso(10), facts: { lastBadAt: iso(100) }, ...over });
  const is = (rows: readonly Row[], one = incident()) => isIntermittent(contextOf(historyOf(rows)), one);
  const mixed = (bad: number, good: number): Row[] => [
    [10, down],
    ...every(1, 11, 10 + good),
    ...every(1, 11 + good, 9 + good + bad, down),
  ];

  test("below nine tenths of bad checks from the first to the last", () => {
    expect(is(mixed(9, 1))).toBe(false);
    expect(is(mixed(8, 1))).toBe(true);
    const facts = { ...incident().facts, lastBadAt: iso(19) };
    expect(is(mixed(9, 1), incident({ facts }))).toBe(false);
    // Neither what came before it, nor what came after its last bad check.
    expect(is([...every(1, 0, 9), ...mixed(9, 1), ...every(1, 50, 70)])).toBe(false);
    expect(is([...mixed(9, 1), ...every(1, 101, 120, {}), [121, down]])).toBe(false);
  });

  test("at an endpoint by its own checks, where the outage is intermittent as a whole", () => {
    const one = incidentOf("down", { since: iso(10), facts: { lastBadAt: iso(100) } });
    const failing = of(passport, [10, 20, 30, 40]);
    const isAt = (rows: readonly Row[], endpoint: EndpointId, incident = one) =>
      isIntermittentAt(contextOf(historyOf(inOrder(rows))), incident, endpoint);
    const mixed = [...failing, ...of(list, [10, 30]), ...of(list, [20], {})];
    expect([isAt(mixed, passport), isAt(mixed, list)]).toEqual([false, true]);
    // One good check while nearly all of the outage's fail says nothing.
    const nearly = [...mixed, ...of(passport, [41, 42, 43, 44])];
    expect(isAt(nearly, list)).toBe(false);
    // Checks after an endpoint has recovered are none of it.
    const recovered: Incident = { ...one, endpoints: [passport], recovered: { [list]: iso(15) } };
    expect(isAt(mixed, list, recovered)).toBe(false);
  });

  test("by its facts, where no check of it is kept", () => {
    const facts = (bad: number) => incident({ facts: { ...incident().facts, bad, total: 10 } });
    expect(is([], facts(9))).toBe(false);
    expect(is([], facts(8))).toBe(true);
  });
});

describe("a failure that was reported", () => {
  const firing = incidentOf("down", { since: iso(10) });
  const given = { incidents: [firing] };
  const outage = [...tick(0), ...tick(10, down), ...tick(11, down), ...tick(15, down)];

  test("goes on while all fail", () => {
    expect(evaluate([...outage, ...tick(20, down)], given)).toMatchObject([
      { state: "active", incidentId: firing.id, isConfirmed: true, bad: 12, total: 12, firstBadMs: at(10) },
    ]);
  });

  test("ends with the good checks of all endpoints after the last bad one", () => {
    expect(evaluate([...outage, ...tick(20), ...tick(21)], given)).toEqual([
      {
        state: "inactive",
        incidentId: firing.id,
        firstGoodMs: at(20),
        good: 6,
        lastMs: at(21 + 2 / 60),
      },
    ]);
    const late = [...of(list, [20], {}), ...of(passport, [20, 21], {}), ...of(credentials, [20.5, 21.5], {})];
    expect(
      evaluate(inOrder([...outage, ...late, ...of(list, [20.2]), ...of(list, [21], {})]), given),
    ).toMatchObject([{ state: "inactive", firstGoodMs: at(20.5), good: 4 }]);
    expect(recoveryOf(historyOf(outage), endpointIds)).toEqual({
      state: "inactive",
      firstGoodMs: undefined,
      good: 0,
    });
  });

  test("is narrowed when the others were good twice over five minutes, while the rest failed since", () => {
    const left = (minutes: readonly number[]) => of(passport, minutes);
    const good = (minutes: readonly number[]) => [
      ...of(list, minutes, {}),
      ...of(
        credentials,
        minutes.map((m) => m + 0.1),
        {},
      ),
    ];
    const rows = (own: readonly number[], others: readonly number[]) =>
      inOrder([...outage, ...left(own), ...good(others)]);
    expect(evaluate(rows([20.2, 25], [20, 25]), given)).toMatchObject([
      {
        endpoints: [passport],
        incidentId: firing.id,
        isConfirmed: true,
        bad: 5,
        total: 5,
        changedMs: at(20),
        changedAfterMs: at(15 + 2 / 60),
        firstBadMs: at(10 + 1 / 60),
      },
    ]);
    // Of two that recovered one after the other, the change is that of the first.
    const apart = [...of(list, [20, 25, 30], {}), ...of(credentials, [22]), ...of(credentials, [24, 30], {})];
    expect(evaluate(inOrder([...outage, ...left([20.2, 31]), ...apart]), given)).toMatchObject([
      { endpoints: [passport], changedMs: at(20), changedAfterMs: at(15) },
    ]);
    const wide = [{ endpoints: [...endpointIds], incidentId: firing.id, isConfirmed: true }];
    expect(evaluate(rows([20.2, 25], [20]), given)).toMatchObject(wide);
    expect(evaluate(rows([20.2, 25], [20, 24.3]), given)).toMatchObject(wide);
    expect(evaluate(rows([20.2, 25], [20, 24.5]), given)).toMatchObject([{ endpoints: [passport] }]);
    // What is left has not been checked since.
    expect(evaluate(rows([], [20, 25]), given)).toMatchObject(wide);
    // Two bad checks of it are not enough for an incident of its own.
    const few = inOrder([
      ...tick(0),
      ...of(list, [10, 11, 12, 13, 14, 15, 16, 17]),
      ...of(credentials, [10, 11, 12, 13, 14, 15, 16, 17]),
      ...of(passport, [17, 26]),
      ...good([20, 25]),
    ]);
    expect(evaluate(few, given)).toMatchObject(wide);
  });

  test("with good checks in between is narrowed when eight in a row were good", () => {
    const since = iso(10);
    const rows = (good: number) =>
      inOrder([
        ...tick(0),
        ...every(2, 10, 30).flatMap(([m], index) => (index % 2 === 0 ? tick(m, down) : tick(m))),
        ...of(passport, [40, 45, 60]),
        ...of(list, [40.1, 45.1, 46, 47, 48, 49, 50, 51].slice(0, good), {}),
        ...of(credentials, [40.2, 45.2, 46, 47, 48, 49, 50, 51].slice(0, good), {}),
      ]);
    const one = incidentOf("down", { since, facts: { lastBadAt: iso(45) } });
    const endpointsOf = (good: number) =>
      evaluate(rows(good), { incidents: [one] }).map((it) => it.state === "active" && it.endpoints);
    expect(endpointsOf(7)).toEqual([[...endpointIds]]);
    expect(endpointsOf(8)).toEqual([[passport]]);
  });

  test("with good checks in between is not narrowed by a few", () => {
    const mixed = inOrder([
      ...tick(0),
      ...every(2, 10, 30).flatMap(([m], index) => (index % 2 === 0 ? tick(m, down) : tick(m))),
      ...of(passport, [40, 45]),
      ...of(list, [40.1, 45.2], {}),
      ...of(credentials, [40.2, 45.3], {}),
    ]);
    const one = incidentOf("down", { since: iso(10), facts: { lastBadAt: iso(30.5) } });
    expect(evaluate(mixed, { incidents: [one] })).toMatchObject([{ endpoints: [...endpointIds] }]);
  });

  test("older than the checks that are kept has the counts and the onset of its transitions", () => {
    const days = every(60, 15, 15 + 4 * 24 * 60).flatMap(([m]) => tick(m, down));
    const rows = [...tick(0), ...tick(10, down), ...tick(11, down), ...days];
    const [one] = evaluate(rows, given);
    expect(one).toMatchObject({
      firstBadMs: at(10),
      lastGoodMs: at(2 / 60),
      bad: 6 + days.length,
      total: 6 + days.length,
      facts: { responses: { "503": 6 + days.length } },
    });
  });

  test("of another rule, or one that is over, is none of these", () => {
    const others = [incidentOf("slow"), { ...firing, state: "resolved" as const }];
    const [one] = evaluate(outage, { incidents: others });
    expect(one).not.toHaveProperty("incidentId");
    expect(evaluate(tick(0))).toEqual([]);
  });
});
