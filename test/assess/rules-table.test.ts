import { expect, test } from "vitest";
import { families, listRules, ruleOf } from "../../lib/assess/rules/table.ts";
import { resolveThresholds } from "../../lib/config/thresholds.ts";
import { ruleIds } from "../../lib/records/incident.ts";

test("the table of rules has one row for every rule id", () => {
  expect(
    listRules()
      .map(({ id }) => id)
      .sort(),
  ).toEqual([...ruleIds].sort());
});

test("every family of the table is evaluated, except the budget and the outbox, which are no rules on checks", () => {
  const named = new Set(listRules().map(({ family }) => family));
  expect([...named].filter((family) => !(family in families)).sort()).toEqual(["budget", "undelivered"]);
  expect(Object.keys(families).filter((family) => !named.has(family))).toEqual([]);
});

test("a rule's numbers are those of the thresholds in force", () => {
  const limits = resolveThresholds({ pageAfterMs: 60_000, thresholds: { slowChecks: 7 } });
  expect(ruleOf("slow", limits).minChecks).toBe(7);
  expect(ruleOf("down", limits)).toMatchObject({
    forMs: { api: 60_000, endpoint: 180_000 },
    keepFiringForMs: 60_000,
  });
  expect(ruleOf("down").forMs).toEqual({ api: 300_000, endpoint: 900_000 });
});
