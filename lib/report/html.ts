// Renders a report as one offline HTML file: no scripts, no external links, inline style, printable on A4.

import { html, type Markup, trusted } from "../html.ts";
import type { Report } from "../records/report.ts";
import { drawSeries } from "./charts.ts";
import {
  type Block,
  type Chart,
  type Column,
  type FirstPage,
  type Inline,
  inlines,
  type Section,
  type Table,
  type Text,
  type Tone,
} from "./document.ts";
import { composeDocument } from "./sections/sections.ts";
import { style } from "./style.ts";
import { renderSvg } from "./svg.ts";

/** Allows line breaks after the dots and slashes of paths and within words of more than 32 characters, but not in a date. */
const breakable = (text: string): Markup =>
  html`${text
    .split(/(?<=[./])(?=[^\s./\d])|(?<=[^\s./]{32})(?=[^\s./])/u)
    .map((part, index) => html`${index > 0 && html`<wbr>`}${keepDates(part)}`)}`;

const keepDates = (text: string): Markup =>
  html`${text
    .split(/(\b\d{4}-\d\d-\d\d\b)/)
    .map((part, index) => (index % 2 === 1 ? html`<span class="tight">${part}</span>` : part))}`;

/** A badge has a shape, because colour alone is not accessible. */
const shapes: Record<Tone, string> = { good: "●", warning: "▲", bad: "■", neutral: "○" };

function renderInline(part: Inline): Markup {
  if (typeof part === "string") return breakable(part);
  switch (part.kind) {
    case "code":
      return html`<code>${breakable(part.text)}</code>`;
    case "soft":
      return html`<span class="soft">${breakable(part.text)}</span>`;
    case "badge":
      return html`<span class="badge ${part.tone}"><span aria-hidden="true">${shapes[part.tone]}</span> ${part.text}</span>`;
  }
}

const renderText = (text: Text): Markup => html`${inlines(text).map(renderInline)}`;

/** A table that scrolls horizontally on a narrow screen and repeats its header on every printed page. */
function renderTable({ columns, rows, only }: Table): Markup {
  const classOf = (column: Column | undefined) => column?.width ?? "";
  const media = only === undefined ? "scroll" : `scroll ${only}`;
  return html`<div class="${media}" role="region" tabindex="0" aria-label="${columns.map(({ title }) => title).join(", ")}"><table><thead><tr>${columns.map((column) => html`<th scope="col" class="${classOf(column)}">${column.title}</th>`)}</tr></thead><tbody>
${rows.map((row) => html`<tr>${row.map((cell, index) => html`<td class="${classOf(columns[index])}">${renderText(cell)}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

const renderChart = ({ name, summary, series }: Chart): Markup =>
  html`<figure><figcaption><b>${name}</b><span class="soft">${summary}</span></figcaption>${
    series ? trusted(renderSvg(drawSeries(series))) : html`<p class="soft">no response</p>`
  }</figure>`;

function renderBlock(block: Block): Markup {
  switch (block.kind) {
    case "sentence":
      return html`<p class="${block.isNote ? "note" : ""}">${renderText(block.text)}</p>\n`;
    case "heading":
      return html`<h3>${block.title}</h3>\n`;
    case "list":
      return html`<ul>${block.items.map((item) => html`<li>${renderText(item)}</li>`)}</ul>\n`;
    case "callout":
      return html`<p class="callout">${renderText(block.text)}</p>\n`;
    case "entries":
      return html`<ol class="entries">${block.entries.map(
        ({ title, facts }) => html`<li><p><strong>${breakable(title)}</strong></p>
<dl>${facts.map(([label, text]) => html`<dt>${label}</dt><dd>${renderText(text)}</dd>`)}</dl></li>`,
      )}</ol>\n`;
    case "figure":
      return html`<div class="figure"><p class="value">${block.value}<small>${block.caption}</small></p><div>${block.blocks.map(renderBlock)}</div></div>\n`;
    case "table":
      return html`${renderTable(block)}\n`;
    case "charts":
      return html`<h3>${block.title}</h3>\n<div class="charts">${block.charts.map(renderChart)}</div>\n`;
  }
}

const renderSection = ({ title, blocks }: Section): Markup =>
  html`<h2>${title}</h2>\n${blocks.map(renderBlock)}`;

const renderFirstPage = ({ title, headline, blocks, sections }: FirstPage): Markup =>
  html`<section class="first">
<header>
<h1>${title}</h1>
<p class="verdict">${headline}</p>
</header>
${blocks.map(renderBlock)}${sections.map(renderSection)}</section>\n`;

export function renderHtml(report: Report): string {
  const { firstPage, sections, footer } = composeDocument(report);
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${firstPage.title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
${renderFirstPage(firstPage)}${sections.map((section) => html`<section>\n${renderSection(section)}</section>\n`)}</main>
<footer>${footer}</footer>
</body>
</html>
`;
  return markup;
}
