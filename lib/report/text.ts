// Renders blocks as lines of text, for a terminal and for notifications. A tab separates two cells of a row.

import { type Block, inlines, type Section, type Table, type Text, withoutControls } from "./document.ts";

const plain = (text: Text): string =>
  inlines(text)
    .map((part) => withoutControls(typeof part === "string" ? part : part.text))
    .join("");

/** The third of the wide columns and those after it are below their row, each with its title. */
function renderTable({ columns, rows, only }: Table): string[] {
  if (only === "paper") return [];
  const wide = columns.flatMap(({ width }, index) => (width === "wide" ? index : []));
  const besides = wide[2] ?? columns.length;
  const titles = columns.slice(0, besides).map(({ title }) => title);
  return [
    ...(titles.some(Boolean) ? [`  ${titles.join("\t")}`] : []),
    ...rows.flatMap((row) => {
      const cells = row.map(plain);
      const below = cells.slice(besides).map((cell, index) => [columns[besides + index]?.title, cell]);
      return [
        `  ${cells.slice(0, besides).join("\t")}`,
        ...below.filter(([, cell]) => cell !== "").map(([title, cell]) => `\t${title}: ${cell}`),
      ];
    }),
  ];
}

function renderBlock(block: Block): string[] {
  switch (block.kind) {
    case "sentence":
    case "callout":
      return [plain(block.text)];
    case "heading":
      return ["", block.title];
    case "list":
      return block.items.map((item) => `- ${plain(item)}`);
    case "entries":
      return block.entries.flatMap(({ title, facts }, index) => [
        `${index + 1}. ${withoutControls(title)}`,
        ...facts.map(([label, text]) => `   ${label}: ${plain(text)}`),
      ]);
    case "figure":
      return [`${block.value} (${block.caption})`, ...block.blocks.flatMap(renderBlock)];
    case "table":
      return renderTable(block);
    case "charts":
      return [];
  }
}

export const renderLines = (blocks: readonly Block[]): string[] => blocks.flatMap(renderBlock);

/** Each section below its title, with an empty line after it. */
export const renderText = (sections: readonly Section[]): string =>
  sections
    .map(({ title, blocks }) => [...(title === "" ? [] : [title]), ...renderLines(blocks), ""].join("\n"))
    .join("\n");
