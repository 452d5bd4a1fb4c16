// The sections about what was observed: gates, changes, drift, undocumented behaviour, access and the rehearsal.

import { describeDrift, type Judged } from "../../assess/drift-history.ts";
import { describeGaps } from "../../assess/gap-evidence.ts";
import { rehearsalResults } from "../../records/rehearsal.ts";
import type { Report, ReportGate } from "../../records/report.ts";
import { formatCount, listSome } from "../../text.ts";
import { minuteText, momentText } from "../../time.ts";
import {
  type Block,
  badge,
  code,
  heading,
  note,
  prose,
  sentence,
  soft,
  type Tone,
  tableOf,
} from "../document.ts";

const gateTones: Record<ReportGate["state"], Tone> = { pass: "good", fail: "bad", unknown: "warning" };

export const composeGates = ({ gates }: Pick<Report, "gates">): Block[] =>
  tableOf(
    [
      { title: "State" },
      { title: "Gate", width: "wide" },
      { title: "Evidence", width: "wide" },
      { title: "Next", width: "wide" },
    ],
    gates.map(({ title, state, evidence, next, passesWhen }) => [
      badge(gateTones[state], state === "fail" ? "FAIL" : state),
      title,
      evidence.join("; "),
      state === "pass" ? "" : [...prose(next), ` It passes when ${passesWhen}.`],
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

const levelTones = { breaking: "bad", additive: "neutral", notice: "warning" } as const;
const shownDrift = 80;

type DriftRow = Report["drift"][number];

/** `hasReaders`: whether an inventory says who reads each field. */
export function driftTable(drift: readonly DriftRow[], hasReaders: boolean): Block[] {
  const since = ({ isChange, firstSeen }: DriftRow) => (isChange ? minuteText(firstSeen) : "first check");
  return tableOf(
    [
      { title: "Level" },
      { title: "Field" },
      { title: "Difference" },
      { title: "Observed", width: "number" },
      { title: "Seen (UTC)" },
      ...(hasReaders ? [{ title: "Read by", width: "wide" } as const] : []),
      { title: "Reviewed", width: "wide" },
    ],
    drift.map((row) => [
      row.isCurrent ? badge(levelTones[row.level], row.level) : badge("neutral", `${row.level}, past`),
      code(row.path),
      row.what,
      `${row.seen} of ${row.sampleCount}`,
      `${since(row)} to ${row.isCurrent ? "now" : minuteText(row.lastSeen)}`,
      ...(hasReaders ? [row.usedBy.length > 0 ? listSome(row.usedBy, 1) : soft("none")] : []),
      row.review ? describeReview(row.review) : soft("no"),
    ]),
    { shown: shownDrift, where: "in the JSON" },
  );
}

const describeReview = ({ kind, reason, until }: NonNullable<DriftRow["review"]>) =>
  `${kind}${until === undefined ? "" : ` until ${minuteText(until)}`}: ${reason}`;

/** What the breaking differences mean that are there now, and the id by which each is reviewed. */
function composeBreaking(drift: readonly DriftRow[]): Block[] {
  const breaking = drift.filter(({ level, isCurrent }) => level === "breaking" && isCurrent);
  if (breaking.length === 0) return [];
  return [
    heading("Breaking now"),
    {
      kind: "entries",
      entries: breaking.slice(0, shownDrift).map(({ path, what, means, id }) => ({
        title: `${path}: ${what}`,
        facts: [
          ["Impact", means],
          ["Id", code(id)],
        ],
      })),
    },
  ];
}

export function composeDrift(
  { drift, consumers }: Pick<Report, "drift" | "consumers">,
  judged: Judged,
): Block[] {
  const says = describeDrift(
    drift.map(({ level }) => level),
    judged,
  );
  if (drift.length === 0) return [sentence(says)];
  const used = drift.filter(({ usedBy }) => usedBy.length > 0).length;
  return [
    note(consumers ? `${says} ${used} on used fields; these come first.` : says),
    ...driftTable(drift, consumers !== null),
    ...composeBreaking(drift),
  ];
}

/** From what a report holds. */
export const composeReportDrift = (report: Report): Block[] =>
  composeDrift(report, {
    judged: report.health.reduce((sum, { judged }) => sum + judged, 0),
    unseen: report.health.filter(({ judged }) => judged === 0).map(({ endpoint }) => endpoint),
  });

const gapTones = { open: "neutral", observed: "good", CHANGED: "warning" } as const;

export function composeGaps({ gaps }: Pick<Report, "gaps">): Block[] {
  if (gaps.length === 0) return [sentence("No observations yet.")];
  return [
    note(`${describeGaps(gaps)} Observations are evidence, not guarantees.`),
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
