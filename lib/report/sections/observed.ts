// What was seen of V1 beside its health: gates, changes, drift, gaps and access.
import { count, plural } from "../../assess/alerts/text.ts";
import type { Report } from "../../records/report.ts";
import {
  badge,
  breakable,
  code,
  html,
  type Markup,
  minute,
  names,
  prose,
  type Tone,
  table,
  tellNoDrift,
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

const changeTones: Record<string, Tone> = { better: "good", worse: "bad", news: "quiet" };

export function renderChanges({ changes }: Report): Markup {
  if (changes === null) return html`<p>Not known: no earlier report was given (--previous FILE).</p>`;
  const since = `Since the report of ${minute(changes.since)} UTC.`;
  if (changes.items.length === 0) return html`<p>None. <span class="soft">${since}</span></p>`;
  return html`<p class="note">${since}</p><ul class="marks">${changes.items.map(
    ({ tone, text }) => html`<li>${badge(changeTones[tone] ?? "quiet", tone)} ${text}</li>`,
  )}</ul>`;
}

const levelTones = { breaking: "bad", additive: "quiet", notice: "look" } as const;
const shownDrift = 80;

export function renderDrift(report: Report): Markup {
  const { drift } = report;
  if (drift.length === 0) return html`<p>${tellNoDrift(report)}</p>`;
  const used = drift.filter(({ usedBy }) => usedBy.length > 0).length;
  const more = drift.length - shownDrift;
  return html`<p class="note">${plural(drift.length, "difference")} from V1's document, ${used} of them on fields that are used; these come first.</p>
${table(
  [
    { title: "Field" },
    { title: "What" },
    { title: "Level" },
    { title: "Seen", isNumber: true },
    { title: "Since", isTight: true },
    { title: "Read by", isWide: true },
    { title: "Reviewed", isWide: true },
  ],
  drift
    .slice(0, shownDrift)
    .map((row) => [
      code(row.path || "(body)"),
      row.what,
      badge(
        row.isCurrent ? levelTones[row.level] : "quiet",
        row.isCurrent ? row.level : `${row.level}, past`,
      ),
      `${row.seen} of ${row.sampleCount}`,
      row.isChange ? row.firstSeen.slice(0, 10) : "the start",
      row.usedBy.length > 0 ? breakable(names(row.usedBy, 1)) : html`<span class="soft">nobody</span>`,
      row.review ? `${row.review.kind}: ${row.review.reason}` : html`<span class="soft">no</span>`,
    ]),
)}
${more > 0 && html`<p class="note">and ${more} more, in the report's JSON.</p>`}`;
}

const gapTones = { open: "quiet", observed: "good", CHANGED: "look" } as const;

export function renderGaps({ gaps }: Report): Markup {
  if (gaps.length === 0) return html`<p>Nothing was seen yet.</p>`;
  return html`<p class="note">What V1's document does not say, and what we have seen. What is seen is evidence, never a promise.</p>
${table(
  [
    { title: "§", isTight: true },
    { title: "Question", isWide: true },
    { title: "Standing" },
    { title: "Seen", isWide: true },
  ],
  gaps.map(({ section, question, status, summary }) => [
    section,
    question,
    badge(gapTones[status], status),
    summary,
  ]),
)}`;
}

const askedWords = {
  authenticated: "with the key",
  anonymous: "without a key",
  "bad-key": "with a wrong key",
};

export function renderAccess({ access }: Report): Markup {
  if (access.length === 0) return html`<p>Nothing was seen yet.</p>`;
  return table(
    [
      { title: "Endpoint", isTight: true },
      { title: "Asked", isTight: true },
      { title: "Answers" },
      { title: "Since", isTight: true },
      { title: "Times", isNumber: true },
    ],
    access.map(({ endpoint, asked, answer, since, times }) => [
      endpoint,
      askedWords[asked],
      badge(answer === "200" ? "good" : asked === "authenticated" ? "bad" : "quiet", answer),
      minute(since),
      count(times),
    ]),
  );
}
