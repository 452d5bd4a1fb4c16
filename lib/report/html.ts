// The report as one file that opens offline: no script, no link out, its style inside, ready for A4.
import type { Report } from "../records/report.ts";
import { html, type Markup, minute, trusted } from "./markup.ts";
import { renderFirstPage } from "./sections/first-page.ts";
import { renderHealth } from "./sections/health.ts";
import { renderConsumers, renderMapping, renderParity } from "./sections/mapping.ts";
import { renderAccess, renderChanges, renderDrift, renderGaps, renderGates } from "./sections/observed.ts";

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

// How the report looks: on a screen, in the dark, and on A4. System fonts, two weights, one accent; colour
// carries meaning and never alone.
export const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5a636e;--line:#dfe3e8;--paper:#fff;--tint:#f5f7f9;--accent:#1f5fae;
--good:#1a7340;--look:#8a5a00;--bad:#b3261e;--quiet:#5a636e}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--soft:#a0a9b4;--line:#343b44;--paper:#14171b;--tint:#1c2127;
--accent:#7fb2f0;--good:#62c88b;--look:#e0b04a;--bad:#f2877e;--quiet:#a0a9b4}}
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:2.5rem 1.5rem 4rem;max-width:66rem;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
h1,h2,h3,p,ol,ul,table,figure{margin:0}
h1{font-size:1rem;font-weight:400;color:var(--soft)}
.verdict{font-size:1.9rem;line-height:1.25;font-weight:600;margin:.35rem 0 .6rem;max-width:34em;text-wrap:balance}
h2{font-size:1.2rem;font-weight:600;margin:2.6rem 0 .75rem}
h3{font-size:1rem;font-weight:600;margin:1.6rem 0 .4rem}
.soft,.lead span{color:var(--soft)}
.note{color:var(--soft);margin:.4rem 0 .9rem;max-width:46em}
code{font:.92em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.badge{white-space:nowrap;font-weight:600}
.good{color:var(--good)}.look{color:var(--look)}.bad{color:var(--bad)}.quiet{color:var(--quiet)}
.warn{border-left:3px solid var(--look);padding:.35rem .9rem;margin:1rem 0;background:var(--tint)}
.blockers{list-style:none;padding:0;counter-reset:blocker}
.blockers li{counter-increment:blocker;position:relative;padding:.1rem 0 .9rem 2.2rem}
.blockers li::before{content:counter(blocker);position:absolute;left:0;top:0;font-size:1.35rem;line-height:1.3;color:var(--soft)}
.blockers strong,dt,.days strong{font-weight:600}
.step{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.05rem .6rem}
.step dt{color:var(--soft);font-weight:400}.step dd{margin:0;overflow-wrap:anywhere}
.time{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.4rem 2rem;align-items:start}
.days{font-size:2.6rem;line-height:1.1;font-weight:600}
.days small{display:block;font-size:.95rem;font-weight:400;color:var(--soft);margin-top:.3rem}
.plain{padding-left:1.1rem}.plain li{margin:.15rem 0}
.scroll{overflow-x:auto;margin-top:.5rem}
.tight{white-space:nowrap}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th{text-align:left;font-weight:400;color:var(--soft);white-space:nowrap}
th,td{padding:.36rem .9rem .36rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td:last-child,th:last-child{padding-right:0}
.number{text-align:right;white-space:nowrap}
.wide{min-width:14rem}
.charts{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:.4rem 1.6rem}
.charts figure{min-width:0}
figcaption{font-size:.92rem;display:flex;justify-content:space-between;gap:.5rem;margin-bottom:.15rem}
figcaption b{font-weight:600}figcaption *{white-space:nowrap}
.marks{list-style:none;padding:0}.marks li{margin:.15rem 0}
svg{display:block;width:100%;height:auto}
svg text{fill:var(--soft);font:11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
svg .grid{stroke:var(--line)}
svg .value{fill:var(--accent);fill-opacity:.18}
svg .outline{fill:none;stroke:var(--accent);stroke-width:1.4}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--line);color:var(--soft);font-size:.92rem}
@media (max-width:44rem){body{padding:1.4rem 1rem 3rem}.verdict{font-size:1.45rem}.charts{grid-template-columns:1fr}
.time{grid-template-columns:minmax(0,1fr)}p>.badge{white-space:normal}}
@page{size:A4;margin:14mm 13mm 15mm;
@bottom-left{content:"Leaving V1";font:8pt system-ui,sans-serif;color:#444}
@bottom-right{content:counter(page) " of " counter(pages);font:8pt system-ui,sans-serif;color:#444}}
@media print{
:root{--ink:#000;--soft:#444;--line:#ccc;--paper:#fff;--tint:#f3f3f3;--accent:#1f5fae;--good:#1a7340;--look:#7a4f00;--bad:#a3211a;--quiet:#444}
html{font-size:9pt;line-height:1.4}body{padding:0;max-width:none}
.verdict{font-size:1.6rem}.days{font-size:2.2rem}.blockers li{padding-bottom:.5rem}th,td{padding-top:.2rem;padding-bottom:.2rem}
h2{break-after:avoid;margin:1.3rem 0 .4rem}.note{margin:.2rem 0 .4rem}.scroll{margin-top:.2rem}h3{break-after:avoid}
.first{break-after:page}
tr,li,figure,.time,.step{break-inside:avoid}
thead{display:table-header-group}.scroll{overflow:visible}.wide{min-width:24mm;overflow-wrap:anywhere}th,td{padding-right:.6rem}
.charts{grid-template-columns:repeat(3,minmax(0,1fr))}.time{grid-template-columns:auto minmax(0,1fr)}
p,li{orphans:2;widows:2}footer{break-inside:avoid;margin-top:1.5rem}
}`;
