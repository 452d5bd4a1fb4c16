// The weekly digest: the sections of the report's first page as a notification. Each channel renders them in its own form;
// email as HTML and as text.

import { asciiLine, boundSections } from "../assess/alerts/render-alert.ts";
import { endpointIds } from "../contract/endpoints.ts";
import type { Alert } from "../records/alert.ts";
import type { Report } from "../records/report.ts";
import { type Block, inlines, type Text } from "./document.ts";
import { composeFirstPage } from "./sections/first-page.ts";

const plain = (text: Text): string =>
  inlines(text)
    .map((part) => (typeof part === "string" ? part : part.text))
    .join("");

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case "sentence":
    case "callout":
      return [plain(block.text)];
    case "heading":
      return [block.title];
    case "list":
      return block.items.map((item) => `- ${plain(item)}`);
    case "entries":
      return block.entries.flatMap(({ title, facts }, index) => [
        `${index + 1}. ${title}`,
        ...facts.map(([label, text]) => `   ${label}: ${plain(text)}`),
      ]);
    case "figure":
      return [`${block.value} (${block.caption})`, ...block.blocks.flatMap(linesOf)];
    case "table":
      return block.rows.map((row) => row.map(plain).join("  "));
    case "charts":
      return [];
  }
}

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
      { label: "", lines: [title, headline, ...blocks.flatMap(linesOf)] },
      ...sections.map((section) => ({
        label: section.shortTitle ?? section.title,
        lines: section.blocks.flatMap(linesOf),
      })),
      { label: "Full report", lines: [location] },
    ]),
    facts: null,
    links: {},
  };
}
