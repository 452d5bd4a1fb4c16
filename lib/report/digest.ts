// The weekly digest: the report's first page as a notification.

import { asciiLine, boundSections } from "../assess/alerts/render-alert.ts";
import { endpointIds } from "../contract/endpoints.ts";
import type { Alert } from "../records/alert.ts";
import type { Report } from "../records/report.ts";

export function digestReport(report: Report, location: string): Alert {
  const { verdict, v1, blockers, period, generatedAt, timeLeft } = report;
  const line = `V1 migration: ${verdict.sentence}`;
  const reasons = blockers.map(({ problem, next }, index) => `${index + 1}. ${problem}. ${next}`);
  return {
    schema: "v1watch/alert/3",
    id: `report-${period.until.replaceAll("-", "")}/1-digest`,
    at: generatedAt,
    event: "digest",
    severity: "info",
    rule: "digest",
    scope: "api",
    endpoints: [...endpointIds],
    subject: asciiLine(`[v1watch] ${line}`, 100),
    sections: boundSections([
      {
        label: "",
        lines: [line, ...(v1 ? [`V1 now: ${v1.headline}`] : []), timeLeft.headline],
      },
      ...(reasons.length > 0 ? [{ label: "Blockers", lines: reasons }] : []),
      { label: "Full report", lines: [location] },
    ]),
    facts: null,
    links: {},
  };
}
