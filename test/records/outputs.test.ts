import { join } from "node:path";
import { expect, test } from "vitest";
import { summariseScan } from "../../lib/commands/scan/text.ts";
import { computeCoverage } from "../../lib/mapping/coverage.ts";
import { buildPlan } from "../../lib/mapping/plan.ts";
import { createStarter } from "../../lib/mapping/starter.ts";
import { judgeReadiness } from "../../lib/readiness/readiness.ts";
import { coverageOutput, plan, readinessOutput, scanOutput } from "../../lib/records/outputs.ts";
import { scanConsumers } from "../../lib/scan/index.ts";
import { factsOf } from "../readiness/ready-facts.ts";

const root = join(import.meta.dirname, "../..");

test("A scan, its plan, the coverage and a readiness verdict are valid", async () => {
  const corpus = join(root, "test/scan/corpus");
  const found = (await scanConsumers([{ root: corpus, as: "" }]))!;
  const mapping = createStarter(Date.parse("2026-11-15T00:00:00Z"));
  const planned = buildPlan(found.uses, mapping, { isStarter: true, today: "2026-11-15" });
  expect(planned.lines.length).toBeGreaterThan(50);
  expect(plan.safeParse(planned).error).toBeUndefined();
  const scanned = { schema: "v1watch/scan/1", ...found, summary: summariseScan(found), plan: planned };
  expect(scanOutput.safeParse(scanned).error).toBeUndefined();
  expect(coverageOutput.safeParse(computeCoverage(mapping, "2026-11-15")).error).toBeUndefined();
  const monitor = { isHealthy: true, says: "" };
  const verdict = { schema: "v1watch/readiness/1", ...judgeReadiness(factsOf()), monitor };
  expect(readinessOutput.safeParse(verdict).error).toBeUndefined();
});
