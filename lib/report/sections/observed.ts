// The sections gates, changes, drift, undocumented behaviour and access.

import type { Report } from "../../records/report.ts";
import { formatCount, plural } from "../../text.ts";
import {
  badge,
  breakable,
  code,
  describeNoDrift,
  html,
  type Markup,
  minute,
  names,
  prose,
  type Tone,
  table,
} from "../markup.ts";
import { gateTones } from "./first-page.ts";

export function renderGates({ gates }: Report): Markup {
  return table(
    [
      { title: "Gate", isWide: true },
      { title: "State" },
      { title: "Evidence", isWide: true },
      { title: "Next", isWide: true },
    ],
    gates.map(({ title, state, evidence, next }) => [
      title,
      badge(gateTones[state], state),
      breakable(evidence.join("; ")),
      prose(next),
    ]),
  );
}

const changeTones: Record<string, Tone> = { better: "good", worse: "bad", neutral: "neutral" };

export function renderChanges({ changes }: Report): Markup {
  if (changes === null) return html`<p>Unknown: no earlier report was given (--previous FILE).</p>`;
  const since = `Since the report of ${minute(changes.since)} UTC.`;
  if (changes.items.length === 0) return html`<p>None. <span class="soft">${since}</span></p>`;
  return html`<p class="note">${since}</p><ul class="marks">${changes.items.map(
    ({ tone, text }) => html`<li>${badge(changeTones[tone] ?? "neutral", tone)} ${text}</li>`,
  )}</ul>`;
}

const levelTones = { breaking: "bad", additive: "neutral", notice: "warning" } as const;
const shownDrift = 80;

export function renderDrift(report: Report): Markup {
  const { drift } = report;
  if (drift.length === 0) return html`<p>${describeNoDrift(report)}</p>`;
  const used = drift.filter(({ usedBy }) => usedBy.length > 0).length;
  const more = drift.length - shownDrift;
  return html`<p class="note">${plural(drift.length, "difference")} from V1's document, ${used} of them on used fields; these come first.</p>
${table(
  [
    { title: "Field" },
    { title: "Difference" },
    { title: "Level" },
    { title: "Observed", isNumber: true },
    { title: "Since", isTight: true },
    { title: "Read by", isWide: true },
    { title: "Reviewed", isWide: true },
  ],
  drift
    .slice(0, shownDrift)
    .map((row) => [
      code(row.path),
      row.what,
      badge(
        row.isCurrent ? levelTones[row.level] : "neutral",
        row.isCurrent ? row.level : `${row.level}, past`,
      ),
      `${row.seen} of ${row.sampleCount}`,
      row.isChange ? row.firstSeen.slice(0, 10) : "first check",
      row.usedBy.length > 0 ? breakable(names(row.usedBy, 1)) : html`<span class="soft">none</span>`,
      row.review ? `${row.review.kind}: ${row.review.reason}` : html`<span class="soft">no</span>`,
    ]),
)}
${more > 0 && html`<p class="note">and ${more} more, in the report's JSON.</p>`}`;
}

const gapTones = { open: "neutral", observed: "good", CHANGED: "warning" } as const;

export function renderGaps({ gaps }: Report): Markup {
  if (gaps.length === 0) return html`<p>No observations yet.</p>`;
  return html`<p class="note">What V1's document leaves open, and what was observed. Observations are evidence, not guarantees.</p>
${table(
  [
    { title: "§", isTight: true },
    { title: "Question", isWide: true },
    { title: "Status" },
    { title: "Observed", isWide: true },
  ],
  gaps.map(({ section, question, status, summary }) => [
    section,
    question,
    badge(gapTones[status], status),
    summary,
  ]),
)}`;
}

const variantLabels = {
  authenticated: "authenticated",
  anonymous: "anonymous",
  "bad-key": "invalid key",
};

export function renderAccess({ access }: Report): Markup {
  if (access.length === 0) return html`<p>No observations yet.</p>`;
  return table(
    [
      { title: "Endpoint", isTight: true },
      { title: "Variant", isTight: true },
      { title: "Response" },
      { title: "Since", isTight: true },
      { title: "Checks", isNumber: true },
    ],
    access.map(({ endpoint, asked, answer, since, times }) => [
      endpoint,
      variantLabels[asked],
      badge(answer === "200" ? "good" : asked === "authenticated" ? "bad" : "neutral", answer),
      minute(since),
      formatCount(times),
    ]),
  );
}

const rehearsalTones = {
  handled: "good",
  loud: "good",
  silent: "bad",
  hangs: "bad",
  "not-called": "warning",
} as const;

/** What people read for each result. */
export const rehearsalLabels = {
  handled: "handled",
  loud: "failed, so that it is noticed",
  silent: "passed unnoticed",
  hangs: "did not end",
  "not-called": "did not ask V1",
} as const;

export function renderRehearsal({ rehearsal }: Report): Markup {
  if (!rehearsal) return html`<p>V1's end has not been rehearsed yet.</p>`;
  return html`<p class="note">Played on ${minute(rehearsal.at)} UTC over the responses of ${rehearsal.upstream === "v1" ? "V1" : "the simulator"}.</p>${table(
    [{ title: "V1" }, { title: "The smoke test" }, { title: "Requests", isNumber: true }],
    rehearsal.rows.map(({ does, result, requests }) => [
      does,
      badge(rehearsalTones[result], rehearsalLabels[result]),
      formatCount(requests),
    ]),
  )}`;
}
