// An incident's event → the alert that people and machines get. The text is made of the facts and of nothing else.

import { endpointIds } from "../../contract/endpoints.ts";
import type { Alert } from "../../records/alert.ts";
import type { Facts, Incident } from "../../records/incident.ts";
import type { CodeUse } from "../../records/inventory.ts";
import { formatCount, listSome, plural } from "../../text.ts";
import {
  betweenText,
  dayWords,
  describeAtMost,
  describeDuration,
  describeRange,
  isSameDay,
  sinceDayText,
  sinceText,
  timeText,
} from "../../time.ts";
import type { IncidentEvent } from "../engine/engine-state.ts";
import { type FailedParts, isolate, listFailed } from "../isolate.ts";
import { causesText, causesTitle } from "./failure-texts.ts";
import { nameAffectedCode } from "./impact.ts";
import { type KeyHint, reproduce } from "./reproduce.ts";
import { foldRows, rowLines } from "./rows.ts";
import { textsOf } from "./rule-texts.ts";
import { isUnstored, whereText } from "./text.ts";

export type AlertContext = KeyHint & {
  /** V1's address; without it there is no command that reproduces the fault. */
  baseUrl?: string | undefined;
  /** Absolute addresses; a link is left out without them. */
  runbookUrl?: string | undefined;
  publicUrl?: string | undefined;
  /** The code that reads V1, from the inventory; undefined without one. */
  uses?: readonly CodeUse[] | undefined;
  /** No key is in use: the command that people paste has none either. */
  isAnonymous?: boolean;
};

const maxSubject = 100;

const month = "(?:Jan|Febr)uary|March|April|May|June|July|August|(?:Septem|Octo|Novem|Decem)ber";
const clock = "\\d\\d:\\d\\d";
/** Days, times, and ranges of them, as lib/time.ts writes them. */
const dates = new RegExp(
  [
    `\\d{4}-\\d\\d-\\d\\d(?: ${clock}(?:-${clock})?(?: UTC)?)?`,
    `(?:\\d+ (?:(?:${month}) )?(?:\\d{4} )?to )?\\d+ (?:${month})(?: \\d{4})?`,
    `${clock}(?:-${clock})?(?: UTC)?`,
  ].join("|"),
  "g",
);

/** The last place up to `max` at which a line may be cut: between two words, and not inside a date. */
function cutPlace(text: string, max: number): number {
  const spans = [...text.matchAll(dates)].map(
    ({ index, 0: found }) => [index, index + found.length] as const,
  );
  for (let place = max; place > 0; place--) {
    const isInside = spans.some(([from, to]) => place > from && place < to);
    if (text[place] === " " && !isInside) return place;
  }
  return max;
}

/** SNS takes a subject of printable ASCII only, and no line breaks. */
export function asciiLine(text: string, max: number): string {
  const ascii = text
    .replace(/[·–—]/g, "-")
    .replace(/[’‘]/g, "'")
    .replace(/…/g, "...")
    .replace(/[^\x20-\x7e]/g, "?");
  return ascii.length <= max
    ? ascii
    : `${ascii.slice(0, cutPlace(ascii, max - 3)).replace(/[ ,;:(]+$/, "")}...`;
}

const isUrl = (text: string | undefined): text is string => text !== undefined && /^https?:\/\//.test(text);
const withoutSlash = (url: string) => url.replace(/\/+$/, "");

export function linksOf(
  incidentId: string | undefined,
  rule: string,
  { runbookUrl, publicUrl }: AlertContext,
): Alert["links"] {
  return {
    page: isUrl(publicUrl)
      ? `${withoutSlash(publicUrl)}${incidentId ? `/incidents/${encodeURIComponent(incidentId)}` : ""}`
      : undefined,
    runbook: isUrl(runbookUrl) ? `${withoutSlash(runbookUrl)}#${rule}` : undefined,
  };
}

/** From the first bad check to the last, and the good ones around them. */
type Span = Pick<Facts, "firstBadAt" | "lastGoodBeforeAt" | "lastBadAt" | "firstGoodAfterAt">;

/** The lines of the endpoints that it is about; the facts themselves where no checks show it. */
function spansOf({ rows = [], endpoints, ...facts }: Facts): Span[] {
  const lines = foldRows(rows.filter(({ endpoint }) => endpoints.includes(endpoint)));
  return lines.length > 0 ? lines.map(({ row }) => row) : [facts];
}

const shortestSeconds = ({ firstBadAt, lastBadAt }: Span): number =>
  (Date.parse(lastBadAt) - Date.parse(firstBadAt)) / 1_000;

/** The most that the good checks around it allow; unknown where no good one came before. */
const longestSeconds = ({ lastGoodBeforeAt, firstGoodAfterAt }: Span, end: string): number | undefined =>
  lastGoodBeforeAt === null
    ? undefined
    : (Date.parse(firstGoodAfterAt ?? end) - Date.parse(lastGoodBeforeAt)) / 1_000;

/** "2 h 10 min", from the shortest to the longest that the checks allow; "up to 10 h 48 min" where its endpoints differ. */
function describeLength(spans: readonly Span[], end: string): string {
  const shortest = Math.max(...spans.map(shortestSeconds));
  const each = spans.flatMap((span) => longestSeconds(span, end) ?? []);
  if (each.length < spans.length) return `at least ${describeDuration(shortest)}`;
  const longest = Math.max(shortest, ...each);
  return spans.length === 1 ? describeRange(shortest, longest) : `up to ${describeAtMost(longest)}`;
}

/** How long an incident has lasted. */
export function lengthOf(facts: Facts, end: string): string {
  if (isUnstored(facts))
    return describeDuration(
      (Date.parse(facts.firstGoodAfterAt ?? end) - Date.parse(facts.lastBadAt)) / 1_000,
    );
  return describeLength(spansOf(facts), end);
}

/** What it means, and for which of our own code, where an inventory exists. */
export const impactOf = (facts: Facts, uses: readonly CodeUse[] | undefined): string =>
  nameAffectedCode(textsOf(facts).impact(), facts, uses);

/** In the past tense once it is over. */
export const titleOf = ({ facts, state }: Pick<Incident, "facts" | "state">): string =>
  textsOf(facts).title(state === "resolved");

const prefixes = {
  opened: "",
  changed: " (changed)",
  reminder: " (still firing)",
  resolved: "",
} as const;

/** "243 of 243 checks failed" */
const countText = (facts: Facts): string =>
  `${formatCount(facts.bad)} of ${plural(facts.total, "check")} ${textsOf(facts).counted}`;

/** Whether a title gives the count itself. */
const isCounted = (title: string) => / of [\d,]+ checks? /.test(title);

/** "V1 was down on all 3 endpoints for 36 to 60 min (503)" */
const withLength = (title: string, length: string): string =>
  title.replace(/( \(.*\))?$/, ` for ${length}$1`);

/** "since 05:48-06:00 UTC", the longest form first: with the interval of the onset, or with its later instant. */
function sinceForms(facts: Facts, at: string): string[] {
  const forms = textsOf(facts).since(at);
  if (forms) return forms.map((text) => `since ${text}`);
  const { causes, lastGoodBeforeAt, firstBadAt } = facts;
  // On the day itself it is a time in any case.
  const isToday = isSameDay(firstBadAt, at);
  if (causes?.at(-1)?.from === firstBadAt) {
    const time = timeText(firstBadAt, at);
    return [`since about ${time}`, `since ${isToday ? time : dayWords(firstBadAt, at)}`];
  }
  // Its endpoints became bad one after the other.
  const since = spansOf(facts).length > 1 ? "first since" : "since";
  const short = isToday ? timeText(firstBadAt, at) : sinceDayText(lastGoodBeforeAt, firstBadAt, at);
  return [`${since} ${sinceText(lastGoodBeforeAt, firstBadAt, at)}`, `${since} ${short}`];
}

/** The longest form that fits. */
function subjectOf({ event, incident, at }: IncidentEvent): string {
  const { facts } = incident;
  const title = titleOf(incident);
  if (event === "resolved") {
    const ended = textsOf(facts).ended(at);
    if (ended) return pickForm(ended.titles.map(toResolved));
    return pickForm(endForms(facts, title, at).map(toResolved));
  }
  const start = `[v1watch] ${incident.severity.toUpperCase()}${prefixes[event]}: ${title}`;
  const ending = facts.comesAndGoes ? "; it comes and goes" : "";
  const forms = sinceForms(facts, at).flatMap((since) => {
    const comma = since.startsWith("first") || /: |, which /.test(title) ? "," : "";
    return [`${start}${comma} ${since}${ending}`, `${start}${comma} ${since}`];
  });
  // What V1 answered and the names stand in the rows, too: they are given up before the time is.
  const shorter = facts.rows ? withoutDetail : (form: string) => form;
  const all = [...forms, start].flatMap((form) => [form, shorter(form), withoutNames(shorter(form))]);
  return all.find((form) => form.length <= maxSubject) ?? all.at(-1)!;
}

/** It was good again in between: no one time that it lasted is said. */
const isOnAndOff = ({ comesAndGoes, bad, total }: Facts): boolean => comesAndGoes === true && bad < total;

/** How long it lasted. */
function endForms(facts: Facts, title: string, at: string): string[] {
  const causes = causesTitle(facts);
  const full = causes ?? title;
  const short = full.replace(/ \(.*\)$/, "");
  if (isOnAndOff(facts)) return [`${full}; it came and went`, `${short}; it came and went`];
  const length = describeLength(spansOf(facts), at);
  const counted =
    facts.total > 0 && !causes && !isCounted(title)
      ? [`${withLength(title, length)}; ${countText(facts)}`]
      : [];
  const lasted = withLength(short, length);
  return [...counted, withLength(full, length), lasted, withoutNames(lasted), short];
}

const toResolved = (form: string) => `[v1watch] RESOLVED: ${form}`;

/** The first that fits; with the number of endpoints in place of their names where none does, and then without the detail. */
export function pickForm(forms: readonly string[]): string {
  const counted = forms.map(withoutNames);
  const all = [...forms, ...counted, ...counted.map(withoutDetail)];
  return all.find((form) => form.length <= maxSubject) ?? all.at(-1)!;
}

/** What V1 answered, in brackets behind what it is said of. */
const withoutDetail = (form: string) => form.replace(/(: .*) \([^()]*\)/, "$1");
const withoutNames = (form: string) => form.replace(severalEndpoints, countEndpoints);

const anyEndpoint = `\\b(?:${endpointIds.toSorted((a, b) => b.length - a.length).join("|")})`;
/** "passport-list and passport" */
const severalEndpoints = new RegExp(`${anyEndpoint}(?:, ${anyEndpoint})* and ${anyEndpoint}`, "g");
const countEndpoints = (names: string) =>
  `${names.split(/, | and /).length} of ${plural(endpointIds.length, "endpoint")}`;

/** What was seen of it: its rows, and what the rule says of them. */
export function evidenceOf({ facts, state }: Pick<Incident, "facts" | "state">, at: string): string[] {
  const words = textsOf(facts);
  if (state !== "resolved") return [...rowLines(facts, words, at, false), ...words.facts(at)];
  const ended = words.ended(at)?.sentences;
  if (ended) return ended;
  // Of what no check shows, the time that it lasted.
  const lines = facts.rows ? rowLines(facts, words, at, true) : wholeEnd(facts, at);
  return [...lines, ...causesText(facts, at)];
}

function wholeEnd(facts: Facts, at: string): string[] {
  const it = itText(facts);
  const lasted = `${it} ${lastedText(facts, at)}.`;
  return facts.total > 0 ? [lasted, `${countText(facts)}.`] : [lasted];
}

/** A subject may be too long for the names of several endpoints. */
const itText = ({ endpoints, scope }: Facts) =>
  scope === "api" || endpoints.length === 1 ? "It" : `On ${whereText(endpoints)} it`;

/** "began between 05:48 and 06:00 UTC and ended between 07:48 and 08:00 UTC: it lasted 1 h 48 min to 2 h 12 min" */
function lastedText(span: Span, at: string): string {
  const { firstBadAt, lastGoodBeforeAt, lastBadAt, firstGoodAfterAt } = span;
  // Both with their dates, unless it began on the day on which it ended.
  const day = isSameDay(firstBadAt, at) ? at : "";
  const ended =
    firstGoodAfterAt === null
      ? `was last seen at ${timeText(lastBadAt, day)}`
      : `ended ${betweenText(lastBadAt, firstGoodAfterAt, day)}`;
  return `began ${betweenText(lastGoodBeforeAt, firstBadAt, day)} and ${ended}: it lasted ${describeLength([span], at)}`;
}

/** A wider incident says what it took the place of: those endpoints were bad before. */
const supersededText = (ids: readonly string[] | undefined, isOver: boolean): string[] =>
  ids === undefined || ids.length === 0
    ? []
    : [
        isOver
          ? `This also ends ${listSome(ids)}, which it had replaced.`
          : `This alert replaces ${listSome(ids)}, which began earlier.`,
      ];

const returningText = ({ comesAndGoes }: Facts): string[] =>
  comesAndGoes ? ["It comes and goes. v1watch resolves it once it has stayed away for 2 h or more."] : [];

type AlertText = Pick<Alert, "subject" | "sections">;

/** An alert whose text cannot be written is sent without it: an incident is never kept silent for a sentence. */
export function renderAlert(sent: IncidentEvent, context: AlertContext): Alert {
  const { event, incident, at, number, supersedes } = sent;
  const { id, facts, rule, scope, endpoints, severity } = incident;
  const failed: FailedParts = {};
  const { subject, sections } =
    isolate(failed, "text", () => writeText(sent, context), undefined) ??
    withoutText(sent, listFailed(failed));
  return {
    schema: "v1watch/alert/3",
    id: `${id}/${number}-${event}`,
    at,
    event,
    severity,
    rule,
    scope,
    endpoints,
    subject: asciiLine(subject, maxSubject),
    sections: boundSections(sections),
    facts,
    links: linksOf(id, rule, context),
    supersedes,
  };
}

function withoutText({ event, incident }: IncidentEvent, cause: string): AlertText {
  const { rule, endpoints, severity } = incident;
  const word = event === "resolved" ? "RESOLVED" : `${severity.toUpperCase()}${prefixes[event]}`;
  const line = `v1watch could not write the text of this alert: ${cause}. Its facts are on the dashboard and in its JSON.`;
  return {
    subject: `[v1watch] ${word}: ${rule} on ${endpoints.join(", ")}`,
    sections: [{ label: "", lines: [line] }],
  };
}

function writeText(sent: IncidentEvent, context: AlertContext): AlertText {
  const { uses, baseUrl } = context;
  const { event, incident, at, supersedes } = sent;
  const { facts } = incident;
  const subject = subjectOf(sent);
  if (event === "resolved") {
    const lines = [...evidenceOf(incident, at), ...supersededText(supersedes, true)];
    return { subject, sections: [{ label: "", lines }] };
  }
  const opened = incident.sent.find((one) => one.event === "opened")?.at ?? at;
  const reminder =
    event === "reminder"
      ? [`This alert was first sent at ${timeText(opened, at)}, and nobody has acknowledged it.`]
      : [];
  const sentences = [
    ...reminder,
    ...evidenceOf(incident, at),
    ...returningText(facts),
    ...supersededText(supersedes, false),
  ];
  const sections = [
    { label: "", lines: sentences },
    { label: "Impact", lines: impactOf(facts, uses).split("\n") },
    {
      label: "Next steps",
      lines: textsOf(facts)
        .steps()
        .map((step, index) => `${index + 1}. ${step}`),
    },
  ];
  if (baseUrl !== undefined)
    sections.push({ label: "Reproduce", lines: reproduce(facts, { ...context, baseUrl }).split("\n") });
  return { subject, sections };
}

const maxLine = 2_000;
const maxLines = 60;

/** Within the limits of the schema, whatever an inventory or a finding holds. */
export const boundSections = (sections: Alert["sections"]): Alert["sections"] =>
  sections.map(({ label, lines }) => ({
    label,
    lines: lines
      .slice(0, maxLines)
      .map((line) => (line.length > maxLine ? `${line.slice(0, maxLine - 1)}…` : line)),
  }));

/** The end of an announced incident that checks stored late have shown otherwise: as another one, or as none. */
export function renderWithdrawn(
  incident: Incident,
  replacement: Incident | undefined,
  nowMs: number,
  context: AlertContext,
): Alert {
  const at = new Date(nowMs).toISOString();
  const alert = renderAlert({ event: "resolved", incident, at, number: incident.sent.length + 1 }, context);
  const title = titleOf(incident);
  const [what, why] = replacement
    ? [
        "now part of another incident",
        `The checks as they are stored now show it as a part of another incident, which has its own messages: ${titleOf(replacement)} (${replacement.id}).`,
      ]
    : ["withdrawn", "The checks as they are stored now show no such incident."];
  return {
    ...alert,
    subject: asciiLine(`[v1watch] RESOLVED: ${title}, ${what}`, maxSubject),
    sections: [{ label: "", lines: [why] }],
  };
}
