import { describe, expect, test } from "vitest";
import { evaluateDeprecation, evaluateSunset } from "../../../lib/assess/rules/retirement.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import type { Incident } from "../../../lib/records/incident.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { minuteMs } from "../observation-builder.ts";
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

const hour = 60;
const day = 24 * hour;
const unknown = [{ state: "unknown" }];
const said = (notices: Observation["notices"], over: Row[1] = {}) => ({ notices, ...over });
const sunset = (minutes: number, over: Row[1] = {}) => said({ sunset: iso(minutes) }, over);
const farMinutes = 100 * day;
type Given = Parameters<typeof contextOf>[1];

describe("a Sunset header", () => {
  const evaluate = (rows: readonly Row[], given: Given = {}) =>
    evaluateSunset(contextOf(historyOf(rows), given));
  const firingOf = (over: Parameters<typeof incidentOf>[1] = {}): Incident =>
    incidentOf("sunset", {
      since: iso(-30),
      endpoints: [list],
      ...over,
      facts: {
        date: iso(farMinutes),
        dates: { [list]: iso(farMinutes) },
        source: "sunset",
        lastGoodBeforeAt: iso(-40),
        ...over?.facts,
      },
    });

  test("is reported after two consecutive checks of an endpoint and one of the others", () => {
    const first: Row[] = [...tick(0), [10, sunset(farMinutes)], [15, sunset(farMinutes)]];
    expect(evaluate(first)).toEqual(unknown);
    const others: Row[] = [
      [16, { endpoint: passport }],
      [17, { endpoint: credentials }],
    ];
    expect(evaluate([...first, ...others])).toEqual([
      {
        state: "active",
        rule: "sunset",
        severity: "warning",
        endpoints: [list],
        scope: "endpoint",
        firstBadMs: at(10),
        lastGoodMs: at(0),
        lastBadMs: at(15),
        bad: 2,
        total: 2,
        windowMs: 5 * minuteMs,
        facts: { source: "sunset", date: iso(farMinutes), dates: { [list]: iso(farMinutes) } },
        key: `ahead ${iso(farMinutes).slice(0, 13)} passport-list`,
        isConfirmed: true,
      },
    ]);
    // After 37 minutes the others are not waited for.
    expect(evaluate(first, { nowMs: at(10 + 37) })).toMatchObject([{ state: "active" }]);
    expect(evaluate(first, { nowMs: at(10 + 37) - 1 })).toEqual(unknown);
    // One stray header, and a header that another check interrupts, are none.
    expect(evaluate([...tick(0), [10, sunset(farMinutes)]], { nowMs: at(99) })).toEqual(unknown);
    const broken: Row[] = [[0], [1], [10, sunset(farMinutes)], [15], [20, sunset(farMinutes)]];
    expect(evaluate(broken, { nowMs: at(99) })).toMatchObject([{ state: "inactive" }]);
  });

  test("is reported when two endpoints have it within an hour", () => {
    const rows = (minutes: number): Row[] => [
      ...tick(0),
      [10, sunset(farMinutes)],
      [10 + minutes, sunset(farMinutes, { endpoint: passport })],
    ];
    const nowMs = at(200);
    expect(evaluate(rows(60), { nowMs })).toMatchObject([{ endpoints: [list, passport], bad: 2, total: 2 }]);
    expect(evaluate(rows(60.1), { nowMs })).toEqual(unknown);
    const other = rows(30).with(-1, [40, sunset(farMinutes + 61, { endpoint: passport })]);
    expect(evaluate(other, { nowMs })).toEqual(unknown);
    const near = rows(30).with(-1, [40, sunset(farMinutes + 60, { endpoint: passport })]);
    expect(evaluate(near, { nowMs })).toMatchObject([{ facts: { date: iso(farMinutes) } }]);
  });

  test("is waited for since the first endpoint had it", () => {
    const rows: Row[] = [
      ...tick(0),
      ...[10, 15].map((m): Row => [m, sunset(farMinutes)]),
      [20, { endpoint: credentials }],
      ...[30, 35].map((m): Row => [m, sunset(farMinutes, { endpoint: passport })]),
    ];
    expect(evaluate(rows, { nowMs: at(47) })).toMatchObject([{ endpoints: [list, passport] }]);
  });

  test("of all endpoints is one of the API, with the earliest date that lies ahead", () => {
    const rows = [0, 10, 20].flatMap((minutes) =>
      endpointIds.map(
        (endpoint, index): Row => [
          minutes + index,
          minutes === 0 ? { endpoint } : sunset(farMinutes - index * day, { endpoint }),
        ],
      ),
    );
    const dates = {
      [list]: iso(farMinutes),
      [passport]: iso(farMinutes - day),
      [credentials]: iso(farMinutes - 2 * day),
    };
    expect(evaluate(rows)).toMatchObject([
      { scope: "api", bad: 6, total: 6, facts: { date: iso(farMinutes - 2 * day), dates } },
    ]);
  });

  test("that cannot be read is reported with its text", () => {
    const rows: Row[] = [[0], ...[10, 15].map((m): Row => [m, said({ sunsetText: "soon" })])];
    expect(evaluate(rows)).toMatchObject([
      {
        rule: "sunset",
        facts: { source: "sunset", dateText: "soon" },
        key: "ahead unreadable passport-list",
      },
    ]);
    const [one] = evaluate(rows);
    expect(one).not.toHaveProperty("facts.date");
    expect(one).not.toHaveProperty("facts.dates");
  });

  test("with a date that has passed while V1 serves is reported as such", () => {
    const rows = (date: number): Row[] => [[0], [10, sunset(date)], [15, sunset(date)]];
    expect(evaluate(rows(5))).toMatchObject([
      { rule: "sunset-passed", key: `passed ${iso(5).slice(0, 13)} passport-list` },
    ]);
    expect(evaluate(rows(15))).toMatchObject([{ rule: "sunset-passed" }]);
    expect(evaluate(rows(16))).toMatchObject([{ rule: "sunset" }]);
    // Where V1 served before the date only, that is the failure's matter.
    expect(evaluate(rows(16), { nowMs: at(20) })).toEqual(unknown);
    expect(evaluate([...rows(16), [17, { status: 503 }]], { nowMs: at(20) })).toEqual(unknown);
  });

  test("with a date that has passed on one endpoint and one that lies ahead on another is the latter", () => {
    const rows = [10, 15].flatMap((m): Row[] => [
      [m, sunset(5)],
      [m + 1, sunset(farMinutes, { endpoint: passport })],
    ]);
    expect(evaluate(rows)).toMatchObject([{ rule: "sunset", facts: { date: iso(farMinutes) } }]);
  });

  test("on a failure counts, and a failure without it says nothing", () => {
    const rows: Row[] = [[0], [10, sunset(farMinutes)], [12, { status: 503 }], [15, sunset(farMinutes)]];
    expect(evaluate(rows)).toMatchObject([{ bad: 2, total: 2 }]);
    const failing: Row[] = [[0], ...[10, 15].map((m): Row => [m, sunset(farMinutes, { status: 503 })])];
    expect(evaluate(failing)).toMatchObject([{ bad: 2, total: 2 }]);
    const rare: Row[] = [[0], ...[10, 15].map((m): Row => [m, sunset(farMinutes, { variant: "keyword" })])];
    expect(evaluate(rare)).toEqual([{ state: "inactive" }]);
  });

  describe("that was reported", () => {
    const two = (date: number): Row[] => [
      [0, sunset(farMinutes)],
      [1, sunset(farMinutes)],
      [10, sunset(date)],
      [15, sunset(date)],
    ];

    test("keeps its onset", () => {
      expect(evaluate(two(farMinutes), { incidents: [firingOf()] })).toMatchObject([
        { firstBadMs: at(-30), lastGoodMs: at(-40), lastBadMs: at(15), bad: 4, total: 4 },
      ]);
    });

    test("and moved names the date before, from an hour on", () => {
      const [moved] = evaluate(two(farMinutes + 61), { incidents: [firingOf()] });
      expect(moved).toMatchObject({ facts: { date: iso(farMinutes + 61), previousDate: iso(farMinutes) } });
      const [same] = evaluate(two(farMinutes + 60), { incidents: [firingOf()] });
      expect(same).toMatchObject({ facts: { date: iso(farMinutes + 60) } });
      expect(same).not.toHaveProperty("facts.previousDate");
      const before = firingOf({ facts: { previousDate: iso(5 * day) } });
      expect(evaluate(two(farMinutes), { incidents: [before] })).toMatchObject([
        { facts: { previousDate: iso(5 * day) } },
      ]);
    });

    test("and moved is reported when every endpoint was checked again, or after 37 minutes", () => {
      const rows: Row[] = [[-1, { endpoint: passport }], ...two(farMinutes + 5 * hour)];
      const incidents = [firingOf()];
      expect(evaluate(rows, { incidents })).toEqual(unknown);
      expect(evaluate([...rows, [16, { endpoint: passport }]], { incidents })).toMatchObject([
        { state: "active" },
      ]);
      expect(evaluate(rows, { incidents, nowMs: at(47) })).toMatchObject([{ state: "active" }]);
      // The same date needs no wait.
      expect(evaluate([[-1, { endpoint: passport }], ...two(farMinutes)], { incidents })).toMatchObject([
        { state: "active" },
      ]);
      // From a date to a text that cannot be read is a change as well.
      const text: Row[] = [10, 15].map((m): Row => [m, said({ sunsetText: "soon" })]);
      expect(evaluate([[-1, { endpoint: passport }], ...text], { incidents })).toEqual(unknown);
      const unread = firingOf({ facts: { dates: undefined, date: undefined } });
      expect(evaluate([[-1, { endpoint: passport }], ...text], { incidents: [unread] })).toMatchObject([
        { state: "active" },
      ]);
    });

    test("on two endpoints and lost by one waits until the other was seen with it since", () => {
      const both = firingOf({
        endpoints: [list, passport],
        facts: { dates: { [list]: iso(farMinutes), [passport]: iso(farMinutes) } },
      });
      const rows: Row[] = [
        ...[0, 1].flatMap((m): Row[] => [
          [m, sunset(farMinutes)],
          [m + 0.1, sunset(farMinutes, { endpoint: passport })],
        ]),
        ...([[10], [15]] as Row[]),
      ];
      expect(evaluate(rows, { incidents: [both] })).toEqual(unknown);
      const since: Row = [16, sunset(farMinutes, { endpoint: passport })];
      expect(evaluate([...rows, since], { incidents: [both] })).toMatchObject([{ endpoints: [passport] }]);
      const without: Row = [16, { endpoint: passport }];
      expect(evaluate([...rows, without], { incidents: [both] })).toEqual(unknown);
    });

    test("on three endpoints and lost by two is waited for since the first loss", () => {
      const all = firingOf({
        endpoints: [list, passport, credentials],
        facts: {
          dates: { [list]: iso(farMinutes), [passport]: iso(farMinutes), [credentials]: iso(farMinutes) },
        },
      });
      const rows: Row[] = [
        ...[0, 1].flatMap((m) => tick(m, sunset(farMinutes))),
        ...([[10], [15]] as Row[]),
        [20, sunset(farMinutes, { endpoint: credentials })],
        [30, { endpoint: passport }],
        [35, { endpoint: passport }],
      ];
      expect(evaluate(rows, { incidents: [all] })).toMatchObject([{ endpoints: [credentials] }]);
    });

    test("ends when every endpoint that had it was twice without it", () => {
      const gone = (minutes: readonly number[]): Row[] => [
        [0, sunset(farMinutes)],
        [1, sunset(farMinutes)],
        ...minutes.map((m): Row => [m]),
      ];
      const incidents = [firingOf()];
      expect(evaluate(gone([10]), { incidents })).toMatchObject([{ state: "active" }]);
      expect(evaluate(gone([10, 15]), { incidents })).toEqual([
        { state: "inactive", firstGoodMs: at(10), good: 2, lastMs: at(15) },
      ]);
      const wide = firingOf({ endpoints: [list, passport] });
      const rows: Row[] = [...gone([10, 15]), [16, { endpoint: passport }]];
      expect(evaluate(rows, { incidents: [wide] })).toEqual(unknown);
      expect(evaluate([...rows, [17, { endpoint: passport }]], { incidents: [wide] })).toEqual([
        { state: "inactive", firstGoodMs: at(10), good: 4, lastMs: at(17) },
      ]);
      expect(evaluate([[0, { status: 503 }]], { incidents })).toEqual(unknown);
    });
  });

  describe("that is not there, with a configured date", () => {
    const settings = { retirementDate: "2026-03-02" };
    // The day is over a second before midnight.
    const over = day;

    test("is reported after two checks that V1 served after that day", () => {
      const rows: Row[] = [[0], [over, {}], [over + 5, { endpoint: passport }]];
      expect(evaluate(rows, { settings })).toEqual([
        {
          state: "active",
          rule: "sunset-passed",
          severity: "warning",
          scope: "api",
          endpoints: [...endpointIds],
          firstBadMs: at(over),
          lastGoodMs: undefined,
          lastBadMs: at(over + 5),
          bad: 2,
          total: 2,
          windowMs: 5 * minuteMs,
          facts: { source: "configured", date: "2026-03-02T23:59:59.000Z" },
          key: "passed 2026-03-02",
          isConfirmed: true,
        },
      ]);
      const firing = incidentOf("sunset-passed", { since: iso(day + 1), facts: { source: "configured" } });
      expect(evaluate(rows, { settings, incidents: [firing] })).toMatchObject([{ firstBadMs: at(day + 1) }]);
      expect(evaluate(rows.slice(0, 2), { settings })).toMatchObject([{ state: "inactive", good: 0 }]);
      expect(evaluate([[0], [over - 1], [over - 0.5]], { settings })).toMatchObject([{ state: "inactive" }]);
      const failed = rows.map(([m]): Row => [m, { status: 503 }]);
      expect(evaluate(failed, { settings })).toEqual(unknown);
      const rare = rows.map(([m], index): Row => [m, index === 0 ? {} : { variant: "keyword" }]);
      expect(evaluate(rare, { settings })).toEqual(unknown);
    });

    test("does not take over the incident of a header", () => {
      const rows: Row[] = [[0], [over], [over + 5]];
      expect(evaluate(rows, { settings, incidents: [firingOf()] })).toMatchObject([
        { state: "inactive", firstGoodMs: at(0) },
      ]);
    });
  });

  test("that nobody sent or configured is none", () => {
    expect(evaluate([[0]])).toEqual([{ state: "inactive" }]);
    expect(evaluate([])).toEqual([{ state: "inactive" }]);
  });
});

describe("a deprecation notice", () => {
  const evaluate = (rows: readonly Row[], given: Given = {}) =>
    evaluateDeprecation(contextOf(historyOf(rows), given));
  const notice = (over: Row[1] = {}) => said({ deprecation: { form: "draft-true" } }, over);
  const link = (over: Row[1] = {}) => said({ links: ["sunset"] }, over);
  const firingOf = (key: string, over: Parameters<typeof incidentOf>[1] = {}) =>
    incidentOf("deprecation", {
      since: iso(-30),
      endpoints: [list],
      facts: { lastGoodBeforeAt: iso(-40) },
      sent: [
        { event: "opened", at: iso(-30), key },
        { event: "reminder", at: iso(-20), key: "x" },
      ],
      ...over,
    });

  test("is reported after two consecutive checks of an endpoint", () => {
    const rows: Row[] = [[0], [10, notice()], [15, notice()]];
    expect(evaluate(rows)).toEqual([
      {
        state: "active",
        rule: "deprecation",
        severity: "warning",
        endpoints: [list],
        scope: "endpoint",
        firstBadMs: at(10),
        lastGoodMs: at(0),
        lastBadMs: at(15),
        bad: 2,
        total: 2,
        windowMs: 5 * minuteMs,
        facts: { notices: ["Deprecation"] },
        key: "Deprecation",
        isConfirmed: true,
      },
    ]);
    expect(evaluate([[0], [10, notice()], [12], [15, notice()]])).toMatchObject([{ state: "inactive" }]);
    expect(evaluate([[0], [10, notice()], [15, link()]])).toMatchObject([{ state: "inactive" }]);
    expect(evaluate([[0]])).toEqual([{ state: "inactive" }]);
    expect(evaluate([[0], [1, sunset(farMinutes)], [2, sunset(farMinutes)]])).toMatchObject([
      { state: "inactive" },
    ]);
  });

  test("is reported when two endpoints have it within an hour", () => {
    const rows = (minutes: number): Row[] => [
      ...tick(0),
      [10, notice()],
      [10 + minutes, notice({ endpoint: passport })],
    ];
    const nowMs = at(200);
    expect(evaluate(rows(60), { nowMs })).toMatchObject([{ endpoints: [list, passport], bad: 2, total: 2 }]);
    expect(evaluate(rows(60.1), { nowMs })).toMatchObject([{ state: "inactive" }]);
  });

  test("of different kinds on two endpoints is one warning about both", () => {
    const rows: Row[] = [
      ...tick(0),
      ...([10, 15] as const).flatMap((m): Row[] => [
        [m, notice()],
        [m + 1, link({ endpoint: passport })],
      ]),
    ];
    expect(evaluate(rows, { nowMs: at(200) })).toMatchObject([
      { endpoints: [list, passport], key: "Deprecation; Link rel=sunset" },
    ]);
  });

  test("waits until every endpoint was checked since, or for 37 minutes", () => {
    const rows: Row[] = [...tick(0), [10, notice()], [15, notice()]];
    expect(evaluate(rows)).toEqual(unknown);
    expect(evaluate(rows, { nowMs: at(47) })).toMatchObject([{ state: "active" }]);
    const others: Row[] = [
      [16, { endpoint: passport }],
      [17, { endpoint: credentials }],
    ];
    expect(evaluate([...rows, ...others])).toMatchObject([{ state: "active", endpoints: [list] }]);
  });

  test("of several kinds is one, with another key only for a new kind", () => {
    const both = said({ deprecation: { form: "draft-true" }, links: ["sunset"] });
    const rows: Row[] = [[0], [10, both], [15, both]];
    const key = "Deprecation; Link rel=sunset";
    expect(evaluate(rows)).toMatchObject([{ key, facts: { notices: ["Deprecation", "Link rel=sunset"] } }]);
    expect(evaluate(rows, { incidents: [firingOf("Deprecation")] })).toMatchObject([{ key }]);
    const one: Row[] = [[0], [10, notice()], [15, notice()]];
    expect(evaluate(one, { incidents: [firingOf(key)] })).toMatchObject([
      { key, firstBadMs: at(-30), lastGoodMs: at(-40) },
    ]);
  });

  test("ends when it was absent for more than 24 h in at least two checks", () => {
    const seen: Row[] = [[0], [10, notice()], [15, notice()]];
    const incidents = [firingOf("Deprecation")];
    const later = (minutes: number, count: number) => [...seen, ...every(1, minutes - count + 1, minutes)];
    expect(evaluate(later(15 + day, 2), { incidents })).toMatchObject([{ state: "active" }]);
    expect(evaluate(later(16 + day, 2), { incidents })).toEqual([
      { state: "inactive", firstGoodMs: at(15 + day), good: 2, lastMs: at(16 + day) },
    ]);
    expect(evaluate(later(16 + day, 1), { incidents })).toEqual(unknown);
    expect(evaluate(later(16 + day, 1))).toMatchObject([{ state: "inactive", good: 1 }]);
  });
});
