// The rehearsal gate starts from lies: results that look like a rehearsal of V1's end and do not prove one.
import { describe, expect, test } from "vitest";
import type { Facts } from "../../lib/readiness/facts.ts";
import { judgeReadiness } from "../../lib/readiness/readiness.ts";
import {
  isBrokenName,
  notPlayable,
  type Rehearsal,
  rehearsalNames,
  rehearsalResults,
  rehearsal as rehearsalSchema,
} from "../../lib/records/rehearsal.ts";
import { fc } from "../random.ts";
import { consumerOf, dayMs, factsOf, gateOf, nowMs, rehearsalOf } from "./ready-facts.ts";

type Row = Rehearsal["rows"][number];
const honest = rehearsalOf("loud");
const judge = (rehearsal: Facts["rehearsal"]) => gateOf({ rehearsal }, "rehearsal");
const withRow = (scenario: string, change: Partial<Row>): Rehearsal => ({
  ...honest,
  rows: honest.rows.map((row) => (row.scenario === scenario ? { ...row, ...change } : row)),
});
const only = (...names: string[]): Rehearsal => ({
  ...honest,
  rows: honest.rows.filter(({ scenario }) => names.includes(scenario)),
});
const broken = rehearsalNames.filter(isBrokenName);

test("The rehearsal gate passes if every way in which V1 may end was played and noticed, and counts them", () => {
  expect(judge(honest)).toMatchObject({
    state: "pass",
    evidence: [
      `on 2026-11-14, all ${broken.length} ways in which V1 may end were noticed: ${broken.length} failed loudly; not played: ${notPlayable}`,
    ],
  });
  const mixed = withRow("gone", { result: "handled" });
  expect(judge(mixed).evidence[0]).toMatch(/noticed: \d+ failed loudly, 1 handled;/);
});

describe("the rehearsal gate is unknown", () => {
  test.each<[string, Facts["rehearsal"], string]>([
    ["without a rehearsal", undefined, "has not been rehearsed"],
    ["from the future", rehearsalOf("loud", Date.parse("2027-03-01T00:00:00Z")), "2027-03-01 00:00 UTC"],
    ["that is old", rehearsalOf("loud", nowMs - 91 * dayMs), "91 days old"],
    ["of one scenario", only("healthy", "gone"), `about ${broken.length - 1} of ${broken.length} ways`],
    ["of the healthy V1 alone", only("healthy"), `about ${broken.length} of ${broken.length} ways`],
    ["without the healthy V1", only(...broken), "was not run while V1 was healthy"],
    ["that did not ask V1 in health", withRow("healthy", { requests: 0, played: 0 }), "while V1 was healthy"],
    ["that V1 did not serve in health", withRow("healthy", { result: "not-served" }), "was not served"],
    ["that printed --handled in health", withRow("healthy", { result: "false-alarm" }), "--handled"],
    [
      "that did not ask V1 in one scenario",
      withRow("gone", { result: "not-called" }),
      "1 did not ask V1 (gone)",
    ],
    ["whose failure was not caused by the scenario", withRow("gone", { played: 0 }), "(gone)"],
  ])("The rehearsal gate is unknown %s", (_, rehearsal, words) => {
    const gate = judge(rehearsal);
    expect(gate.state).toBe("unknown");
    expect(gate.problem).toContain(words);
    expect(gate.next).toContain("v1watch rehearse");
  });
});

test("The numbers of the rehearsal gate are those of its table", () => {
  const rehearsal = withRow("slow", { result: "hangs" });
  for (const name of ["gone", "zero-scores"])
    rehearsal.rows.find(({ scenario }) => scenario === name)!.result = "silent";
  expect(judge(rehearsal)).toMatchObject({
    state: "fail",
    problem: `nobody would notice 3 of ${broken.length} ways in which V1 may end: 2 passed unnoticed, 1 did not end (gone, zero-scores, slow)`,
  });
});

test("The rehearsal gate never passes without a noticed run of each broken scenario, whatever else the file says", () => {
  const row = fc.record({
    result: fc.constantFrom(...(Object.keys(rehearsalResults) as Row["result"][])),
    requests: fc.integer({ min: 0, max: 2 }),
    played: fc.integer({ min: 0, max: 2 }),
  });
  const change = fc.dictionary(fc.constantFrom(...rehearsalNames), row, { maxKeys: 2 });
  const kept = fc.subarray(rehearsalNames, { minLength: rehearsalNames.length - 1 });
  const ageMs = fc.integer({ min: -2 * dayMs, max: 95 * dayMs });
  fc.assert(
    fc.property(change, kept, ageMs, (changes, names, age) => {
      const rows = honest.rows
        .filter(({ scenario }) => names.some((name) => name === scenario))
        .map((one) => ({ ...one, ...changes[one.scenario] }));
      if (judge({ ...honest, at: new Date(nowMs - age).toISOString(), rows }).state !== "pass") return;
      const isProven = (name: string, results: readonly string[]) =>
        rows.some(
          ({ scenario, result, requests, played }) =>
            scenario === name && results.includes(result) && requests > 0 && played > 0,
        );
      expect(isProven("healthy", ["passed"])).toBe(true);
      expect(broken.filter((name) => !isProven(name, ["loud", "handled"]))).toEqual([]);
      expect(age).toBeGreaterThanOrEqual(-300_000);
      expect(age).toBeLessThan(91 * dayMs);
    }),
  );
});

test("A rehearsal of another version and a damaged one are mistakes", () => {
  expect(rehearsalSchema.safeParse({ ...honest, schema: "v1watch/rehearsal/1" }).success).toBe(false);
  expect(rehearsalSchema.parse(honest)).toEqual(honest);
  expect(rehearsalSchema.safeParse({ ...honest, rows: 1 }).error?.issues[0]?.path).toEqual(["rows"]);
  expect(rehearsalSchema.safeParse({ schema: "v1watch/rehearsal/3" }).success).toBe(false);
});

describe("a team that has left V1", () => {
  const left = [consumerOf({ status: "v2", uses: [] })];
  const withoutFiles = { mapping: undefined, parity: undefined, rehearsal: undefined };

  test("A team that has left V1 is ready by the scan, without a rehearsal, a comparison and a mapping", () => {
    const facts = factsOf({ consumers: left, ...withoutFiles });
    expect(judgeReadiness(facts).verdict).toBe("ready");
    expect(gateOf({ consumers: left, ...withoutFiles }, "rehearsal").evidence).toEqual([
      "the scan found no code that still uses V1 in 12 files of src, so that nothing has to be shown here",
    ]);
  });

  test("A team that has left V1 is not excused if the scan was not sure, or if there is no scan", () => {
    const unsure = [{ file: "a.rb", line: 1, reason: "no-call" as const }];
    for (const change of [{ consumers: left, unsure }, { consumers: undefined }])
      expect(gateOf({ ...withoutFiles, ...change }, "rehearsal").state).toBe("unknown");
  });

  test("A use that is left, and evidence of a fault, count although other consumers have left V1", () => {
    const consumers = [...left, consumerOf()];
    expect(gateOf({ ...withoutFiles, consumers }, "rehearsal").state).toBe("unknown");
    expect(gateOf({ consumers: left, rehearsal: rehearsalOf("silent") }, "rehearsal").state).toBe("fail");
  });
});
