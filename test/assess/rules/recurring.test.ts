import { expect, test } from "vitest";
import { evaluateRecurring } from "../../../lib/assess/rules/recurring.ts";
import type { Incident } from "../../../lib/records/incident.ts";
import { at, contextOf, historyOf, incidentOf, iso, list, passport } from "./check-history.ts";

const day = 24 * 60;

/** An outage of 40 minutes whose start was seen 12 minutes after the last good check. */
const outage = (minutes: number, over: Parameters<typeof incidentOf>[1] = {}): Incident =>
  incidentOf("down", {
    since: iso(minutes),
    state: "resolved",
    resolvedAt: iso(minutes + 46),
    ...over,
    facts: {
      lastGoodBeforeAt: iso(minutes - 12),
      lastBadAt: iso(minutes + 36),
      bad: 8,
      total: 9,
      firstGoodAfterAt: iso(minutes + 40),
      ...over?.facts,
    },
  });

const evaluate = (incidents: Incident[], minutes = 2 * day + 90) =>
  evaluateRecurring(contextOf(historyOf([]), { incidents, nowMs: at(minutes) }));

const three = [outage(2 * day), outage(0), outage(day)];

test("three outages at the same hour are recurring windows with the bounds as measured", () => {
  const window = (minutes: number) => ({
    after: iso(minutes - 12),
    firstBad: iso(minutes),
    lastBad: iso(minutes + 36),
    firstGood: iso(minutes + 40),
  });
  expect(evaluate(three)).toEqual([
    {
      state: "active",
      rule: "recurring-outages",
      severity: "warning",
      scope: "api",
      endpoints: three[0]!.endpoints,
      firstBadMs: at(0),
      lastGoodMs: at(-12),
      lastBadMs: at(2 * day + 36),
      bad: 24,
      total: 27,
      facts: {
        windows: [window(0), window(day), window(2 * day)],
        next: { after: iso(3 * day - 12), from: iso(3 * day), until: iso(3 * day + 40) },
      },
      key: "passport-list,passport,passport-credentials 00",
      isConfirmed: true,
    },
  ]);
  expect(evaluate(three.slice(1))).toEqual([{ state: "inactive", good: 2, lastMs: at(2 * day + 90) }]);
});

test.each(["sunset", "sunset-passed", "deprecation"] as const)("with %s two windows are enough", (rule) => {
  const notice = incidentOf(rule);
  expect(evaluate([outage(day), outage(2 * day), notice])).toMatchObject([{ state: "active" }]);
  expect(evaluate([outage(day), outage(2 * day), { ...notice, state: "resolved" }])).toMatchObject([
    { state: "inactive" },
  ]);
});

test.each(["error-rate", "unauthorized-rate"] as const)("while %s fires, windows are not judged", (rule) => {
  expect(evaluate([...three, incidentOf(rule)])).toEqual([{ state: "unknown" }]);
});

test("the starts may lie at the same time of the day, within the accuracy of the checks and 5 minutes", () => {
  // The first bad check at 0:00 and one after 0:05 with the last good one at 23:53 of the same bounds.
  const shifted = (minutes: number) => [outage(0), outage(day), outage(2 * day + minutes)];
  expect(evaluate(shifted(17))).toMatchObject([{ state: "active" }]);
  expect(evaluate(shifted(18))).toMatchObject([{ state: "inactive" }]);
  expect(evaluate(shifted(-17))).toMatchObject([{ state: "active" }]);
  expect(evaluate(shifted(-18))).toMatchObject([{ state: "inactive" }]);
});

test("two outages on one day, of other endpoints, unannounced or replaced ones do not make a pattern", () => {
  const [latest, first, second] = three;
  expect(evaluate([latest!, first!, outage(2 * day - 3)])).toMatchObject([{ state: "inactive" }]);
  expect(evaluate([latest!, first!, outage(day, { endpoints: [list] })])).toMatchObject([
    { state: "inactive" },
  ]);
  const { openedAt: _, ...unopened } = second!;
  expect(evaluate([latest!, first!, unopened])).toMatchObject([{ state: "inactive" }]);
  expect(evaluate([latest!, first!, { ...second!, supersededBy: "x" }])).toMatchObject([
    { state: "inactive" },
  ]);
  expect(evaluate([latest!, first!, { ...second!, rule: "slow" }])).toMatchObject([{ state: "inactive" }]);
});

test("outages of one endpoint are its own windows", () => {
  const own = [0, day, 2 * day].map((minutes) => outage(minutes, { endpoints: [passport] }));
  expect(evaluate([...own, outage(2 * day + 60)])).toMatchObject([
    { state: "active", scope: "endpoint", endpoints: [passport], key: "passport 00" },
  ]);
});

test("a week between the last two windows is the step to the next", () => {
  const weekly = [outage(0), outage(7 * day), outage(14 * day)];
  expect(evaluate(weekly, 14 * day + 60)).toMatchObject([
    { facts: { next: { after: iso(21 * day - 12), from: iso(21 * day), until: iso(21 * day + 40) } } },
  ]);
});

test("they are not over while an outage at another hour came in the last round", () => {
  const firing = incidentOf("recurring-outages");
  const later = outage(3 * day + 60);
  const untilMinutes = 4 * day + 100;
  expect(evaluate([...three, later, firing], untilMinutes - 1)).toEqual([{ state: "unknown" }]);
  expect(evaluate([...three, later, firing], untilMinutes)).toEqual([
    { state: "inactive", firstGoodMs: at(3 * day + 100), good: 2, lastMs: at(untilMinutes) },
  ]);
  const elsewhere = outage(3 * day + 60, { endpoints: [list] });
  expect(evaluate([...three, elsewhere, firing], untilMinutes - 1)).toMatchObject([{ state: "inactive" }]);
  expect(evaluate([...three, later], untilMinutes - 1)).toMatchObject([{ state: "inactive" }]);
});

test("they are over when the next window has passed by 37 minutes without an outage", () => {
  const endMinutes = 3 * day + 40 + 37;
  const firing = incidentOf("recurring-outages");
  expect(evaluate(three, endMinutes)).toMatchObject([{ state: "active" }]);
  const after = { state: "inactive", good: 2, lastMs: at(endMinutes + 1) };
  expect(evaluate(three, endMinutes + 1)).toEqual([{ ...after, firstGoodMs: undefined }]);
  expect(evaluate([...three, firing], endMinutes + 1)).toEqual([{ ...after, firstGoodMs: at(endMinutes) }]);
  // An outage that still fires has no end: its window is open.
  const { resolvedAt: _, ...last } = outage(2 * day, { state: "firing", facts: { firstGoodAfterAt: null } });
  expect(evaluate([outage(0), outage(day), last], endMinutes + 1)).toMatchObject([
    { state: "active", facts: { next: { from: iso(3 * day), until: iso(3 * day + 40) } } },
  ]);
  const open = { ...outage(day), facts: { ...outage(day).facts, firstGoodAfterAt: null } };
  expect(evaluate([outage(0), open, last])).toMatchObject([{ facts: { next: { until: null } } }]);
});

test("a window whose onset is not bounded begins with its first failure", () => {
  const unbounded = [0, day, 2 * day].map((minutes) =>
    outage(minutes, { facts: { lastGoodBeforeAt: null } }),
  );
  expect(evaluate(unbounded)).toMatchObject([
    { lastGoodMs: undefined, facts: { next: { after: iso(3 * day), from: iso(3 * day) } } },
  ]);
});

test("the last twelve windows are named", () => {
  const many = Array.from({ length: 14 }, (_, index) => outage(index * day));
  const [one] = evaluate(many, 13 * day + 60);
  if (one?.state !== "active") throw new Error("inactive");
  expect(one.facts.windows).toHaveLength(12);
  expect(one.facts.windows?.[0]?.firstBad).toBe(iso(2 * day));
  expect(one.bad).toBe(14 * 8);
});
