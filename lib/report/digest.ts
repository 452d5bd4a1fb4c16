// The report as a notification: the verdict, the blockers and a link to the full report.
import { asciiLine } from "../assess/alerts/render-alert.ts";
import { endpointIds } from "../contract/endpoints.ts";
import type { Alert } from "../records/alert.ts";
import type { Report } from "../records/report.ts";

export function digestReport(report: Report, location: string): Alert {
  const { verdict, v1, blockers, period, generatedAt, timeLeft } = report;
  const line = `V1 migration: ${verdict.sentence}`;
  const reasons = blockers.map(
    ({ title, evidence, next }, index) => `${index + 1}. ${title}: ${evidence.join("; ")}. ${next}`,
  );
  return {
    schema: "v1watch/alert/2",
    id: `report-${period.until.replaceAll("-", "")}/1-digest`,
    ...{ at: generatedAt, event: "digest", severity: "info", rule: "digest", scope: "api" },
    endpoints: [...endpointIds],
    subject: asciiLine(`[v1watch] ${line}`, 100),
    text: [
      line,
      ...(v1 ? [`V1 now: ${v1.headline}`] : []),
      timeLeft.headline,
      "",
      ...reasons,
      ...(reasons.length > 0 ? [""] : []),
      `Full report: ${location}`,
      "",
    ]
      .join("\n")
      .slice(0, 8_000),
    ...{ facts: null, links: {} },
  };
}
