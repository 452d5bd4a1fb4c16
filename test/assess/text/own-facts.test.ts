// What a rule's text is made of: each of its facts is shown, and none is made up where it is missing.
import { describe, expect, test } from "vitest";
import { evidenceOf, impactOf, titleOf } from "../../../lib/assess/text/render-alert.ts";
import { textsOf } from "../../../lib/assess/text/rule-texts.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import {
  type Facts,
  factsOfRules,
  facts as factsSchema,
  type RuleId,
} from "../../../lib/records/incident.ts";

const at = "2026-03-20T12:00:00.000Z";
const window = (day: number) => ({
  after: `2026-03-${day}T01:00:00.000Z`,
  firstBad: `2026-03-${day}T02:00:00.000Z`,
  lastBad: `2026-03-${day}T03:00:00.000Z`,
  firstGood: `2026-03-${day}T03:30:00.000Z`,
});
const finding = (path: string) => ({
  id: `passport-list ${path}`,
  path,
  kind: "missing",
  expected: "number",
  observed: "nothing",
  records: 3,
  ofRecords: 25,
});
const next = (day: number) => ({
  after: `2026-03-${day}T01:00:00.000Z`,
  from: `2026-03-${day}T02:00:00.000Z`,
  until: null,
});

type OwnFact = (typeof factsOfRules)[keyof typeof factsOfRules][number];

/** Two values of each. */
const values: { readonly [Name in OwnFact]: readonly [NonNullable<Facts[Name]>, NonNullable<Facts[Name]>] } =
  {
    responses: [{ "401": 7 }, { "401": 3, "503": 4 }],
    notices: [["Deprecation"], ["Warning 299"]],
    windows: [
      [window(10), window(11)],
      [window(10), window(11), window(12)],
    ],
    next: [next(21), next(22)],
    pattern: ["every day", "on workdays"],
    findings: [[finding("passports[].score")], [finding("passports[].name")]],
    samples: [2, 3],
    equalRecords: [23, 24],
    records: [25, 40],
    recordsBefore: [900, 1_200],
    recordsBeforeAt: ["2026-03-01T00:00:00.000Z", "2026-02-20T00:00:00.000Z"],
    movedRecords: [310, 420],
    changedRecords: [0, 1],
    limitSeconds: [120, 86_400],
    stillRecords: [19, 21],
    stillSince: ["2026-03-11T00:00:00.000Z", "2026-03-12T00:00:00.000Z"],
    newestDate: ["2026-03-13T05:00:00.000Z", "2026-03-14T05:00:00.000Z"],
    previousNewestDate: ["2026-03-18T05:00:00.000Z", "2026-03-19T05:00:00.000Z"],
    standsStillSeconds: [259_200, 518_400],
    medianScore: [12, 900],
    medianScoreBefore: [88, 91],
    duplicates: [4, 5],
    nullFields: [
      [{ path: "passports[].bio", nulls: 9, of: 25 }],
      [{ path: "passports[].name", nulls: 9, of: 25 }],
    ],
    variant: ["keyword", "unknown-id"],
    lastResponse: ["404", "500"],
    latencyMs: [6_000, 9_000],
    expiresAt: ["2026-04-01T00:00:00.000Z", "2026-04-02T00:00:00.000Z"],
    daysLeft: [11, -2],
    requestsLeft: [100, 90],
    requestsPerMonth: [10_000, 20_000],
    failedParts: [{ slow: "RangeError" }, { sunset: "TypeError" }],
  };

const rules = Object.keys(factsOfRules) as (keyof typeof factsOfRules)[];
const pairs = rules.flatMap((rule) => factsOfRules[rule].map((name) => [rule, name] as const));

/** The facts of a rule, with the first value of each of its own. */
function factsOf(rule: keyof typeof factsOfRules): Facts {
  const own = Object.fromEntries(factsOfRules[rule].map((name) => [name, values[name][0]]));
  return factsSchema.parse({
    rule,
    scope: "api",
    endpoints: [...endpointIds],
    firstBadAt: "2026-03-20T09:00:00.000Z",
    lastGoodBeforeAt: "2026-03-20T08:00:00.000Z",
    lastBadAt: "2026-03-20T11:00:00.000Z",
    firstGoodAfterAt: null,
    bad: 7,
    total: 7,
    windowSeconds: 7_200,
    ...own,
  } satisfies Record<string, unknown> & { rule: RuleId });
}

const textOf = (facts: Facts): string =>
  (["firing", "resolved"] as const)
    .flatMap((state) => [
      titleOf({ facts, state }),
      ...evidenceOf({ facts, state }, at),
      impactOf(facts, undefined),
      ...textsOf(facts).steps(),
    ])
    .join("\n");

describe("the facts of a rule", () => {
  test.each(pairs)("The text of %s shows %s", (rule, name) => {
    const facts = factsOf(rule);
    expect(textOf(facts)).not.toBe(textOf({ ...facts, [name]: values[name][1] }));
  });

  test.each(pairs)("The text of %s makes nothing up where %s is missing", (rule, name) => {
    const facts: Facts = { ...factsOf(rule), [name]: undefined };
    expect(titleOf({ facts, state: "firing" })).toBe(`${rule} is open on all 3 endpoints`);
    expect(evidenceOf({ facts, state: "firing" }, at)).toEqual([
      "An earlier release of v1watch stored this without the numbers that its text needs.",
    ]);
    expect(evidenceOf({ facts, state: "resolved" }, at).join("\n")).toContain("7 of 7 checks");
  });
});
