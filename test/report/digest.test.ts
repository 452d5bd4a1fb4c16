import { expect, test } from "vitest";
import { alert as alertSchema, textOf } from "../../lib/records/alert.ts";
import { digestReport } from "../../lib/report/digest.ts";
import { buildReport } from "../../lib/report/model.ts";

test("digestReport creates a valid info alert with the verdict, the blockers and the report's location", () => {
  const nowMs = Date.parse("2026-11-15T06:10:00Z");
  const report = buildReport({
    facts: { nowMs, daysPerConsumer: 2 },
    monitor: { isHealthy: false, says: "the probers are silent" },
    address: undefined,
    fromMs: nowMs - 30 * 86_400_000,
  });
  const digest = alertSchema.parse(digestReport(report, "s3://reports/2026-11-15.html"));
  expect(digest).toMatchObject({ severity: "info", rule: "digest", id: "report-20261115/1-digest" });
  expect(textOf(digest)).toContain(report.verdict.sentence);
  for (const { problem } of report.blockers) expect(textOf(digest)).toContain(problem);
  expect(textOf(digest)).toContain("s3://reports/2026-11-15.html");
});
