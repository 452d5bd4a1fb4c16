// Renders a report as Markdown for wikis and pull requests. Every text from the data is escaped. Charts are left out:
// the table above them has their figures.

import { escapeMarkdown } from "../mapping/plan.ts";
import type { Report } from "../records/report.ts";
import { type Block, type Inline, inlines, type Section, type Table, type Text } from "./document.ts";
import { composeDocument } from "./sections/sections.ts";

/** What needs no escape between backticks, not even in a table. */
const isPlainCode = (text: string) => /^[\w.,:;/()[\]{}"'=<>…-][\w .,:;/()[\]{}"'=<>…-]*$/.test(text);

function renderInline(part: Inline): string {
  if (typeof part === "string") return escapeMarkdown(part);
  if (part.kind === "code" && isPlainCode(part.text)) return `\`${part.text}\``;
  return part.kind === "badge" ? `**${escapeMarkdown(part.text)}**` : escapeMarkdown(part.text);
}

const renderText = (text: Text): string => inlines(text).map(renderInline).join("");

function renderTable({ columns, rows, only }: Table): string[] {
  if (only === "paper") return [];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ width }) => (width === "number" ? "---:" : "---"))),
    ...rows.map((row) => line(row.map(renderText))),
    "",
  ];
}

function renderBlock(block: Block): string[] {
  switch (block.kind) {
    case "sentence":
      return [renderText(block.text), ""];
    case "heading":
      return [`### ${block.title}`, ""];
    case "list":
      return [...block.items.map((item) => `- ${renderText(item)}`), ""];
    case "callout":
      return [`> ${renderText(block.text)}`, ""];
    case "entries":
      return [
        ...block.entries.flatMap(({ title, facts }, index) => [
          `${index + 1}. **${escapeMarkdown(title)}**`,
          ...facts.map(([label, text]) => `   - ${label}: ${renderText(text)}`),
        ]),
        "",
      ];
    case "figure":
      return [
        `**${escapeMarkdown(block.value)}** (${escapeMarkdown(block.caption)})`,
        "",
        ...block.blocks.flatMap(renderBlock),
      ];
    case "table":
      return renderTable(block);
    case "charts":
      return [];
  }
}

const renderSection = ({ title, blocks }: Section): string[] => [
  `## ${title}`,
  "",
  ...blocks.flatMap(renderBlock),
];

export function renderMarkdown(report: Report): string {
  const { firstPage, sections, footer } = composeDocument(report);
  return [
    `# ${escapeMarkdown(firstPage.title)}`,
    "",
    `**${escapeMarkdown(firstPage.headline)}**`,
    "",
    ...firstPage.blocks.flatMap(renderBlock),
    ...[...firstPage.sections, ...sections].flatMap(renderSection),
    escapeMarkdown(footer),
    "",
  ].join("\n");
}
