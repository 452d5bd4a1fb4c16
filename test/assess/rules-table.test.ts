import { expect, test } from "vitest";
import { failureRules } from "../../lib/assess/rules/availability.ts";
import type { Rule } from "../../lib/assess/rules/rule.ts";
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

test("every family of the table is evaluated, except what is no rule on checks: the budget, the outbox and a rule that failed", () => {
  const named = new Set(listRules().map(({ family }) => family));
  expect([...named].filter((family) => !(family in families)).sort()).toEqual([
    "budget",
    "rule-failed",
    "undelivered",
  ]);
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

const idsWhere = (isSo: (rule: Rule) => boolean) =>
  listRules()
    .filter(isSo)
    .map(({ id }) => id);

test("failures, breaking drift and what makes the watch blind page; all else warns", () => {
  expect(idsWhere(({ severity }) => severity === "page")).toEqual([
    ...failureRules,
    ...["breaking-drift", "no-secret", "silent", "undelivered"],
  ]);
  expect(idsWhere(({ severity }) => severity !== "page" && severity !== "warning")).toEqual([]);
});

test("a failure inhibits warnings about V1; a rate inhibits recurring outages, a date that jumped back a freeze", () => {
  expect(idsWhere(({ inhibitedBy }) => inhibitedBy.length === 0)).toEqual([
    ...[...failureRules, "error-rate", "unauthorized-rate"],
    ...["certificate", "no-secret", "silent", "budget", "undelivered", "rule-failed"],
  ]);
  expect(ruleOf("recurring-outages").inhibitedBy).toEqual(["error-rate", "unauthorized-rate"]);
  expect(ruleOf("frozen").inhibitedBy).toEqual([...failureRules, "date-jumped-back"]);
  expect(ruleOf("slow").inhibitedBy).toEqual(failureRules);
});

test("causes of one thing are one family", () => {
  expect(idsWhere(({ family }) => family === "failure")).toEqual(failureRules);
  expect(idsWhere(({ family }) => family === "rate")).toEqual(["error-rate", "unauthorized-rate"]);
  expect(idsWhere(({ family }) => family === "sunset")).toEqual(["sunset", "sunset-passed"]);
  const shared = ["failure", "rate", "sunset"];
  expect(idsWhere(({ id, family }) => family !== id && !shared.includes(family))).toEqual([]);
});

test("the number of checks and the time that a rule needs", () => {
  const needed = Map.groupBy(listRules(), ({ minChecks }) => minChecks);
  expect([...needed.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 7, 12]);
  const idsOf = (checks: number) => needed.get(checks)?.map(({ id }) => id);
  expect(idsOf(1)).toEqual([
    "partly-frozen",
    "frozen",
    "certificate",
    "silent",
    "budget",
    "undelivered",
    "rule-failed",
  ]);
  expect(idsOf(2)).toEqual(["sunset", "sunset-passed", "deprecation"]);
  expect(idsOf(7)).toEqual(["error-rate", "unauthorized-rate"]);
  expect(idsOf(12)).toEqual(["dates-always-now"]);
  const later = idsWhere(({ forMs }) => forMs.api > 0 || forMs.endpoint > 0);
  expect(later).toEqual([...failureRules, "no-secret"]);
  expect(ruleOf("throttled").forMs).toEqual({ api: 1_800_000, endpoint: 1_800_000 });
  expect(ruleOf("no-secret").forMs).toEqual({ api: 300_000, endpoint: 300_000 });
  expect(ruleOf("deprecation").keepFiringForMs).toBe(86_400_000);
  const kept = idsWhere(({ keepFiringForMs }) => keepFiringForMs > 0);
  expect(kept).toEqual([...failureRules, "deprecation"]);
});
