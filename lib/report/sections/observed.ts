// The sections about what was observed: gates, changes, drift, undocumented behaviour, access and the rehearsal.

import { rehearsalResults } from "../../records/rehearsal.ts";
import type { Report, ReportGate } from "../../records/report.ts";
import { formatCount, listSome, plural } from "../../text.ts";
import { minuteText, momentText } from "../../time.ts";
import { type Block, badge, code, note, prose, sentence, soft, type Tone, tableOf } from "../document.ts";

const gateTones: Record<ReportGate["state"], Tone> = { pass: "good", fail: "bad", unknown: "warning" };

export const composeGates = ({ gates }: Report): Block[] =>
  tableOf(
    [
      { title: "Gate", width: "wide" },
      { title: "State" },
      { title: "Evidence", width: "wide" },
      { title: "Next", width: "wide" },
    ],
    gates.map(({ title, state, evidence, next }) => [
      title,
      badge(gateTones[state], state),
      evidence.join("; "),
      prose(next),
    ]),
  );

const changeTones: Record<NonNullable<Report["changes"]>["items"][number]["tone"], Tone> = {
  better: "good",
  worse: "bad",
  neutral: "neutral",
};

export function composeChanges({ changes }: Report): Block[] {
  if (changes === null)
    return [sentence(["Unknown: no earlier report was given (", code("--previous FILE"), ")."])];
  const since = `Since the report of ${momentText(changes.since)}`;
  if (changes.items.length === 0) return [sentence(`${since}: none.`)];
  return [
    note(`${since}:`),
    {
      kind: "list",
      items: changes.items.map(({ tone, text }) => [badge(changeTones[tone], tone), ` ${text}`]),
    },
  ];
}

/** The text for an empty drift history; says "as documented" only if there was data to compare. */
function describeNoDrift({ health }: Report): string {
  const judged = health.reduce((sum, { judged = 0 }) => sum + judged, 0);
  if (judged === 0) return "Unknown: no response contained data that could be compared.";
  const withoutData = health.filter(({ judged = 0 }) => judged === 0).map(({ endpoint }) => endpoint);
  const unknownPart =
    withoutData.length > 0 ? ` Unknown for ${withoutData.join(", ")}: no data observed yet.` : "";
  return `As documented: no difference observed in ${plural(judged, "response")}.${unknownPart}`;
}

const levelTones = { breaking: "bad", additive: "neutral", notice: "warning" } as const;
const shownDrift = 80;

export function composeDrift(report: Report): Block[] {
  const { drift } = report;
  if (drift.length === 0) return [sentence(describeNoDrift(report))];
  const used = drift.filter(({ usedBy }) => usedBy.length > 0).length;
  return [
    note(
      `${plural(drift.length, "difference")} from V1's document, ${used} of them on used fields; these come first.`,
    ),
    ...tableOf(
      [
        { title: "Field" },
        { title: "Difference" },
        { title: "Level" },
        { title: "Observed", width: "number" },
        { title: "Since", width: "tight" },
        { title: "Read by", width: "wide" },
        { title: "Reviewed", width: "wide" },
      ],
      drift.map((row) => [
        code(row.path),
        row.what,
        row.isCurrent ? badge(levelTones[row.level], row.level) : badge("neutral", `${row.level}, past`),
        `${row.seen} of ${row.sampleCount}`,
        row.isChange ? row.firstSeen.slice(0, 10) : "first check",
        row.usedBy.length > 0 ? listSome(row.usedBy, 1) : soft("none"),
        row.review ? `${row.review.kind}: ${row.review.reason}` : soft("no"),
      ]),
      { shown: shownDrift, where: "in the report's JSON" },
    ),
  ];
}

const gapTones = { open: "neutral", observed: "good", CHANGED: "warning" } as const;

export function composeGaps({ gaps }: Report): Block[] {
  if (gaps.length === 0) return [sentence("No observations yet.")];
  return [
    note("What V1's document leaves open, and what was observed. Observations are evidence, not guarantees."),
    ...tableOf(
      [
        { title: "§", width: "tight" },
        { title: "Question", width: "wide" },
        { title: "Status" },
        { title: "Observed", width: "wide" },
      ],
      gaps.map(({ section, question, status, summary }) => [
        section,
        question,
        badge(gapTones[status], status),
        summary,
      ]),
    ),
  ];
}

const variantLabels = {
  authenticated: "authenticated",
  anonymous: "anonymous",
  "bad-key": "invalid key",
};

export function composeAccess({ access }: Report): Block[] {
  if (access.length === 0) return [sentence("No observations yet.")];
  return tableOf(
    [
      { title: "Endpoint", width: "tight" },
      { title: "Variant", width: "tight" },
      { title: "Response" },
      { title: "Since (UTC)", width: "tight" },
      { title: "Checks", width: "number" },
    ],
    access.map(({ endpoint, asked, answer, since, times }) => [
      endpoint,
      variantLabels[asked],
      badge(answer === "200" ? "good" : asked === "authenticated" ? "bad" : "neutral", answer),
      minuteText(since),
      formatCount(times),
    ]),
  );
}

const rehearsalTones = { expected: "good", noticed: "good", unnoticed: "bad", unknown: "warning" } as const;

export function composeRehearsal({ rehearsal }: Report): Block[] {
  if (!rehearsal) return [sentence("V1's end has not been rehearsed yet.")];
  const source = rehearsal.upstream === "v1" ? "V1" : "the simulator";
  return [
    note(`Played on ${momentText(rehearsal.at)} over the responses of ${source}.`),
    ...tableOf(
      [{ title: "V1" }, { title: "The smoke test" }, { title: "Requests", width: "number" }],
      rehearsal.rows.map(({ does, result, requests }) => [
        does,
        badge(rehearsalTones[rehearsalResults[result].means], rehearsalResults[result].text),
        formatCount(requests),
      ]),
    ),
  ];
}
