// The weekly digest: the sections of the report's first page as a notification. Each channel renders them in its own form;
// email as HTML and as text.

import { asciiLine, boundSections } from "../assess/text/render-alert.ts";
import { endpointIds } from "../contract/endpoints.ts";
import type { Alert } from "../records/alert.ts";
import type { Report } from "../records/report.ts";
import type { Block } from "./document.ts";
import { composeFirstPage } from "./sections/first-page.ts";
import { renderLines } from "./text.ts";

/** A notification has no columns. */
const linesOf = (blocks: readonly Block[]): string[] =>
  renderLines(blocks).map((line) => line.trim().replaceAll("\t", "  "));

export function digestReport(report: Report, location: string): Alert {
  const { title, headline, blocks, sections } = composeFirstPage(report);
  return {
    schema: "v1watch/alert/3",
    id: `report-${report.period.until.replaceAll("-", "")}/1-digest`,
    at: report.generatedAt,
    event: "digest",
    severity: "info",
    rule: "digest",
    scope: "api",
    endpoints: [...endpointIds],
    subject: asciiLine(`[v1watch] V1 migration: ${headline}`, 100),
    sections: boundSections([
      { label: "", lines: [title, headline, ...linesOf(blocks)] },
      ...sections.map((section) => ({
        label: section.shortTitle ?? section.title,
        lines: linesOf(section.blocks),
      })),
      { label: "Full report", lines: [location] },
    ]),
    facts: null,
    links: {},
  };
}
