import { expect, test } from "vitest";
import { renderEmail } from "../../lib/delivery/channels/email.ts";
import { alert as alertSchema, textOf } from "../../lib/records/alert.ts";
import { digestReport } from "../../lib/report/digest.ts";
import { buildReport } from "../../lib/report/model.ts";
import { fullInput } from "./full-input.ts";

test("The weekly digest is the report's first page, as text and as the HTML of an email", () => {
  const report = buildReport(fullInput());
  const digest = alertSchema.parse(digestReport(report, "s3://reports/2026-11-15.html"));
  expect(digest).toMatchObject({ severity: "info", rule: "digest", id: "report-20261115/1-digest" });
  expect(digest.sections.map(({ label }) => label)).toEqual([
    "",
    "Blockers",
    "Not known yet",
    "How long we have",
    "What we use of V1",
    "Full report",
  ]);
  const { html } = renderEmail(digest);
  for (const text of [textOf(digest), html.replaceAll("&#39;", "'")]) {
    expect(text).toContain(report.api.address);
    expect(text).toContain(report.verdict.sentence);
    expect(report.blockers.length).toBeGreaterThan(3);
    for (const { problem, next } of report.blockers) {
      expect(text).toContain(problem.slice(1));
      expect(text).toContain(next.split("`")[0]);
    }
    expect(text).toMatch(/\d+ lines? to change:/);
    expect(text).toContain("s3://reports/2026-11-15.html");
  }
});
