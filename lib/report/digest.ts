// The report as a notification: the verdict, the blockers and a link to the full report.
import { asciiLine } from "../assess/alerts/render-alert.ts";
import type { Alert } from "../records/alert.ts";
import type { Report } from "../records/report.ts";

export function digestReport(report: Report, location: string): Alert {
  const { verdict, blockers, period, generatedAt, timeLeft } = report;
  const line = `V1 migration: ${verdict.sentence}`;
  const reasons = blockers.map(
    ({ title, evidence, next }, index) => `${index + 1}. ${title}: ${evidence.join("; ")}. ${next}`,
  );
  return {
    schema: "v1watch/alert/1",
    id: `report@${period.until}`,
    event: "learned",
    at: generatedAt,
    severity: "info",
    kind: "digest",
    endpoint: "all",
    incident: "report",
    since: generatedAt,
    subject: asciiLine(`[v1watch] ${line}`, 100),
    sms: asciiLine(`v1watch: ${line}`, 160),
    body: [
      line,
      timeLeft.headline,
      "",
      ...reasons,
      ...(reasons.length > 0 ? [""] : []),
      `Full report: ${location}`,
      "",
    ]
      .join("\n")
      .slice(0, 8_000),
    runbook: "learned",
  };
}
