// The report as one file that opens offline: no script, no link out, its style inside, ready for A4.
import type { Report } from "../records/report.ts";
import { renderFirstPage } from "./report-first-page.ts";
import { renderHealth } from "./report-health.ts";
import { renderAccess, renderChanges, renderDrift, renderGaps, renderGates } from "./report-ledgers.ts";
import { html, type Markup, trusted } from "./report-markup.ts";
import { renderConsumers, renderMapping, renderParity } from "./report-moves.ts";
import { style } from "./report-style.ts";
import { minute } from "./report-text.ts";

const sections: readonly [title: string, render: (report: Report) => Markup][] = [
  ["Gates", renderGates],
  ["Changes since the last report", renderChanges],
  ["V1's health", renderHealth],
  ["Drift, by what is used", renderDrift],
  ["Gap board", renderGaps],
  ["Access", renderAccess],
  ["Parity", renderParity],
  ["Mapping", renderMapping],
  ["Consumers", renderConsumers],
];

export function renderHtml(report: Report): string {
  const { period, generatedAt } = report;
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>Leaving V1, ${period.from} to ${period.until}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<section class="first">
${renderFirstPage(report)}
</section>
${sections.map(([title, render]) => html`<section>\n<h2>${title}</h2>\n${render(report)}\n</section>\n`)}</main>
<footer>Made by v1watch at ${minute(generatedAt)} UTC. Paths, counts and days only; no value of V1 or V2 is kept.</footer>
</body>
</html>
`;
  return markup;
}
