// The report's first page: what a lead can read aloud in a minute.
import { plural } from "../../assess/alerts/text.ts";
import type { Report, ReportGate } from "../../records/report.ts";
import {
  badge,
  breakable,
  code,
  html,
  type Markup,
  names,
  prose,
  type Tone,
  table,
  tellSureness,
} from "../markup.ts";

const verdictTones: Record<Report["verdict"]["verdict"], Tone> = {
  ready: "good",
  "not ready": "bad",
  unknown: "look",
};

export const gateTones: Record<ReportGate["state"], Tone> = { pass: "good", fail: "bad", unknown: "look" };

type DecisionStatus = NonNullable<NonNullable<Report["usage"]>[number]["target"]>["standing"];

/** Worst first: the order in which the rows of a mapping need a person. */
export const standingOrder: readonly DecisionStatus[] = [
  "undecided",
  "unowned",
  "expired",
  "unverified",
  "decided",
];

const standingTones: Record<DecisionStatus, Tone> = {
  undecided: "bad",
  unowned: "bad",
  expired: "bad",
  unverified: "look",
  decided: "good",
};

export const standingWords: Record<DecisionStatus, string> = {
  undecided: "undecided",
  unowned: "no owner",
  expired: "expired",
  unverified: "unverified",
  decided: "decided",
};

export const standingBadge = (standing: DecisionStatus) =>
  badge(standingTones[standing], standingWords[standing]);

export function renderFirstPage(report: Report): Markup {
  const { verdict, period, monitor } = report;
  return html`<header>
<h1>Leaving V1 · ${period.from} to ${period.until}</h1>
<p class="verdict">${verdict.sentence}</p>
<p>${badge(verdictTones[verdict.verdict], verdict.verdict.toUpperCase())} <span class="soft">· ${monitor.says}</span></p>
</header>
${monitor.isHealthy ? "" : html`<p class="warn">${badge("look", "Monitor")} What follows rests on what was seen before: ${monitor.says}</p>`}
${report.missing.length > 0 && html`<div class="warn"><p>Not in this report yet:</p><ul class="plain">${report.missing.map(({ what, how }) => html`<li>${what}. <span class="soft">${prose(how)}</span></li>`)}</ul></div>`}
<h2>What holds us</h2>
${renderBlockers(report.blockers)}
<h2>How long we have</h2>
${renderTime(report.timeLeft)}
<h2>What we use of V1</h2>
${renderUsage(report)}`;
}

function renderBlockers(blockers: Report["blockers"]): Markup {
  if (blockers.length === 0) return html`<p>Nothing: every gate passes.</p>`;
  return html`<ol class="blockers">${blockers.map(
    ({ state, title, evidence, owners, next, places }) => html`<li>
<p><strong>${title}</strong> ${badge(gateTones[state], state)}</p>
<p>${breakable(evidence.join("; "))}.</p>
<dl class="step"><dt>Owner</dt><dd>${owners.length > 0 ? names(owners) : "nobody named"}</dd><dt>Next step</dt><dd>${prose(next)}${places[0] && html` <span class="soft">${code(`${places[0].file}:${places[0].line}`)}</span>`}</dd></dl></li>`,
  )}</ol>`;
}

function renderTime(time: Report["timeLeft"]): Markup {
  const { date, daysLeft, workDays, headline, reasons, next } = time;
  const passed = daysLeft !== undefined && daysLeft < 0;
  const big = daysLeft === undefined ? "No date" : passed ? "Passed" : plural(daysLeft, "day");
  const work = workDays === undefined ? "" : ` · about ${plural(workDays, "day")} of work left`;
  const small = `${date ?? "V1 has named none"}${work}`;
  return html`<div class="time"><p class="days">${big}<small>${small}</small></p><div><p>${headline}${tellSureness(time)}</p>
<ul class="plain">${[...reasons.slice(0, 5), ...(next ? [next] : [])].map((reason) => html`<li>${reason}</li>`)}</ul></div></div>`;
}

/** As many as fit on the first sheet. */
const shownFields = 8;

function renderUsage({ usage }: Report): Markup {
  if (usage === null) return html`<p>Not known: there is no inventory of consumers yet.</p>`;
  if (usage.length === 0) return html`<p>Nothing: no consumer reads a field of V1.</p>`;
  const endpoints = new Set(usage.map(({ endpoint }) => endpoint)).size;
  const consumers = new Set(usage.flatMap((row) => row.consumers)).size;
  const rank = ({ target }: (typeof usage)[number]) => standingOrder.indexOf(target?.standing ?? "undecided");
  const rows = usage.toSorted((a, b) => rank(a) - rank(b) || b.consumers.length - a.consumers.length);
  const more = rows.length - shownFields;
  return html`<p class="note">${plural(usage.length, "field")} of ${plural(endpoints, "endpoint")}, read by ${plural(consumers, "consumer")}. What needs a decision comes first.</p>
${table(
  [
    { title: "Endpoint", isTight: true },
    { title: "Field" },
    { title: "Read by", isWide: true },
    { title: "In V2", isWide: true },
    { title: "Standing", isTight: true },
  ],
  rows
    .slice(0, shownFields)
    .map(({ endpoint, path, consumers: readers, target }) => [
      endpoint,
      code(path),
      breakable(names(readers, 1)),
      target?.to ? code(target.to) : (target?.decision ?? "no mapping"),
      target ? standingBadge(target.standing) : badge("quiet", "unknown"),
    ]),
)}
${more > 0 && html`<p class="note">and ${more} more, in the mapping below.</p>`}`;
}
