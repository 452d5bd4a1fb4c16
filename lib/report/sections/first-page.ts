// The report's first page: verdict, blockers, time left and used fields.

import type { Report, ReportGate } from "../../records/report.ts";
import { plural } from "../../text.ts";
import { badge, breakable, code, html, type Markup, names, prose, type Tone, table } from "../markup.ts";

const verdictTones: Record<Report["verdict"]["verdict"], Tone> = {
  ready: "good",
  "not ready": "bad",
  unknown: "warning",
};

const v1Tones: Record<NonNullable<Report["v1"]>["severity"], Tone> = {
  page: "bad",
  warning: "warning",
  info: "neutral",
  ok: "good",
  unknown: "warning",
};

export const gateTones: Record<ReportGate["state"], Tone> = { pass: "good", fail: "bad", unknown: "warning" };

type DecisionStatus = NonNullable<NonNullable<Report["usage"]>[number]["target"]>["standing"];

/** The sort order of mapping rows: rows that need a decision come first. */
export const decisionStatusOrder: readonly DecisionStatus[] = [
  "undecided",
  "unowned",
  "expired",
  "unverified",
  "decided",
];

const decisionStatusTones: Record<DecisionStatus, Tone> = {
  undecided: "bad",
  unowned: "bad",
  expired: "bad",
  unverified: "warning",
  decided: "good",
};

export const decisionStatusLabels: Record<DecisionStatus, string> = {
  undecided: "undecided",
  unowned: "no owner",
  expired: "expired",
  unverified: "unverified",
  decided: "decided",
};

export const decisionStatusBadge = (standing: DecisionStatus) =>
  badge(decisionStatusTones[standing], decisionStatusLabels[standing]);

export function renderFirstPage(report: Report): Markup {
  const { verdict, period, monitor } = report;
  return html`<header>
<h1>V1 migration readiness · ${period.from} to ${period.until}</h1>
<p class="verdict">${verdict.sentence}</p>
<p>${badge(verdictTones[verdict.verdict], verdict.verdict.toUpperCase())} <span class="soft">· ${monitor.says}</span></p>
${report.v1 && html`<p>${badge(v1Tones[report.v1.severity], "V1 now")} ${report.v1.headline}</p>`}
</header>
${monitor.isHealthy ? "" : html`<p class="warn">${badge("warning", "Monitor unhealthy")} This report may be outdated: ${monitor.says}</p>`}
${monitor.warning !== undefined && html`<p class="warn">${badge("warning", "Warning")} ${monitor.warning}</p>`}
${report.missing.length > 0 && html`<div class="warn"><p>Not in this report yet:</p><ul class="plain">${report.missing.map(({ what, how }) => html`<li>${what}. <span class="soft">${prose(how)}</span></li>`)}</ul></div>`}
<h2>Blockers</h2>
${renderBlockers(report.blockers)}
<h2>How long we have</h2>
${renderTime(report.timeLeft)}
<h2>What we use of V1</h2>
${renderUsage(report)}`;
}

function renderBlockers(blockers: Report["blockers"]): Markup {
  if (blockers.length === 0) return html`<p>None: every gate passes.</p>`;
  return html`<ol class="blockers">${blockers.map(
    ({ state, title, evidence, owners, next, places }) => html`<li>
<p><strong>${title}</strong> ${badge(gateTones[state], state)}</p>
<p>${breakable(evidence.join("; "))}.</p>
<dl class="step"><dt>Owner</dt><dd>${owners.length > 0 ? names(owners) : "none named"}</dd><dt>Next step</dt><dd>${prose(next)}${places[0] && html` <span class="soft">${code(`${places[0].file}:${places[0].line}`)}</span>`}</dd></dl></li>`,
  )}</ol>`;
}

function renderTime(time: Report["timeLeft"]): Markup {
  const { date, daysLeft, workDays, headline, reasons, next } = time;
  const hasPassed = daysLeft !== undefined && daysLeft < 0;
  const headlineText = daysLeft === undefined ? "No date" : hasPassed ? "Passed" : plural(daysLeft, "day");
  const lines = time.workLines === undefined ? "" : ` · ${plural(time.workLines, "line")} to change`;
  const work = workDays === undefined ? "" : `${lines} · about ${plural(workDays, "day")} of work left`;
  const detailText = `${date ?? "V1 has announced none"}${work}`;
  return html`<div class="time"><p class="days">${headlineText}<small>${detailText}</small></p><div><p>${headline}</p>
<ul class="plain">${[...reasons.slice(0, 5), ...(next ? [next] : [])].map((reason) => html`<li>${reason}</li>`)}</ul></div></div>`;
}

/** The number of rows that fit on the first printed page. */
const shownRows = 8;

type Plan = NonNullable<Report["plan"]>;

/** `src/Borrow.tsx:54  passport.score → score.points  rename + unwrap`. */
export const renderPlanLines = (lines: Plan["lines"]): Markup =>
  table(
    [{ title: "Line" }, { title: "V1", isWide: true }, { title: "V2", isWide: true }, { title: "Change" }],
    lines.map(({ file, line, from, to, change }) => [
      breakable(`${file}:${line}`),
      breakable(from),
      to === null ? "" : breakable(to),
      breakable(change),
    ]),
  );

export const planHeadline = ({ linesToChange, lines }: Plan): string =>
  lines.length === 0 ? "No line is left to change." : `${plural(linesToChange, "line")} to change:`;

function renderPlanStart(plan: Plan): Markup {
  const more = plan.lines.length - shownRows;
  return html`<p class="note">${planHeadline(plan)}</p>
${plan.lines.length > 0 && renderPlanLines(plan.lines.slice(0, shownRows))}
${more > 0 && html`<p class="note">and ${more} more, in the plan below.</p>`}`;
}

function renderUsage({ usage, plan }: Report): Markup {
  if (usage === null) return html`<p>Unknown: there is no inventory yet.</p>`;
  if (usage.length === 0) return html`<p>No consumer reads a V1 field.</p>`;
  const endpoints = new Set(usage.map(({ endpoint }) => endpoint)).size;
  const consumers = new Set(usage.flatMap((row) => row.consumers)).size;
  const rank = ({ target }: (typeof usage)[number]) =>
    decisionStatusOrder.indexOf(target?.standing ?? "undecided");
  const rows = usage.toSorted((a, b) => rank(a) - rank(b) || b.consumers.length - a.consumers.length);
  const more = rows.length - shownRows;
  const scope = `${plural(usage.length, "field")} of ${plural(endpoints, "endpoint")}, read by ${plural(consumers, "consumer")}`;
  if (plan) return html`<p class="note">${scope}.</p>\n${renderPlanStart(plan)}`;
  return html`<p class="note">${scope}. Fields that need a decision come first.</p>
${table(
  [
    { title: "Endpoint", isTight: true },
    { title: "Field" },
    { title: "Read by", isWide: true },
    { title: "In V2", isWide: true },
    { title: "Status", isTight: true },
  ],
  rows
    .slice(0, shownRows)
    .map(({ endpoint, path, consumers: readers, target }) => [
      endpoint,
      code(path),
      breakable(names(readers, 1)),
      target?.to ? code(target.to) : (target?.decision ?? "no mapping"),
      target ? decisionStatusBadge(target.standing) : badge("neutral", "unknown"),
    ]),
)}
${more > 0 && html`<p class="note">and ${more} more, in the mapping below.</p>`}`;
}
