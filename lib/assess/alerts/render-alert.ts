// An incident's event → the alert that people and machines get. The text is made of the facts and of nothing else.

import type { EndpointId } from "../../contract/endpoints.ts";
import { sortEndpoints } from "../../contract/endpoints.ts";
import type { Alert } from "../../records/alert.ts";
import type { Facts, Incident, RuleId } from "../../records/incident.ts";
import type { CodeUse } from "../../records/inventory.ts";
import { formatCount, plural } from "../../text.ts";
import { describeAtMost, describeDuration, intervalText, isSameDay, timeText } from "../../time.ts";
import type { IncidentEvent } from "../incidents.ts";
import { type FailedParts, isolate, listFailed } from "../isolate.ts";
import { failureTexts } from "./failure-texts.ts";
import { nameAffectedCode } from "./impact.ts";
import { reproduce } from "./reproduce.ts";
import { ruleTexts } from "./rule-texts.ts";
import { windowText } from "./text.ts";

export type AlertContext = {
  baseUrl: string;
  /** Absolute addresses; a link is left out without them. */
  runbookUrl?: string | undefined;
  publicUrl?: string | undefined;
  /** The code that reads V1, from the inventory; undefined without one. */
  uses?: readonly CodeUse[] | undefined;
  /** No key is in use: the command that people paste has none either. */
  isAnonymous?: boolean;
};

const maxSubject = 100;

const isFailure = (rule: RuleId) => rule in failureTexts || rule.endsWith("-rate");

/** SNS takes a subject of printable ASCII only, and no line breaks. */
export function asciiLine(text: string, max: number): string {
  const ascii = text
    .replace(/[·–—]/g, "-")
    .replace(/[’‘]/g, "'")
    .replace(/…/g, "...")
    .replace(/[^\x20-\x7e]/g, "?");
  return ascii.length <= max ? ascii : `${ascii.slice(0, max - 3)}...`;
}

export const columns = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([name, text]) => `${name.padEnd(12)}${text.replace(/\n/g, `\n${" ".repeat(12)}`)}`).join("\n");

const isUrl = (text: string | undefined): text is string => text !== undefined && /^https?:\/\//.test(text);
const withoutSlash = (url: string) => url.replace(/\/+$/, "");

export function linksOf(
  incidentId: string | undefined,
  rule: string,
  { runbookUrl, publicUrl }: AlertContext,
): Alert["links"] {
  return {
    ...(isUrl(publicUrl) && {
      page: `${withoutSlash(publicUrl)}${incidentId ? `/incidents/${encodeURIComponent(incidentId)}` : ""}`,
    }),
    ...(isUrl(runbookUrl) && { runbook: `${withoutSlash(runbookUrl)}#${rule}` }),
  };
}

export const linkRows = ({ runbook, page }: Alert["links"]): [string, string][] => [
  ...(runbook ? [["Runbook", runbook] satisfies [string, string]] : []),
  ...(page ? [["Page", page] satisfies [string, string]] : []),
];

/** "2 h 10 min", from the shortest to the longest that the checks allow, or at least that where no good one came before. */
export function describeLength(facts: Facts, end: string): string {
  const { firstBadAt, lastGoodBeforeAt, lastBadAt, firstGoodAfterAt } = facts;
  const shortest = (Date.parse(lastBadAt) - Date.parse(firstBadAt)) / 1_000;
  if (lastGoodBeforeAt === null) return `at least ${describeDuration(shortest)}`;
  const longest = (Date.parse(firstGoodAfterAt ?? end) - Date.parse(lastGoodBeforeAt)) / 1_000;
  const [from, to] = [describeDuration(shortest), describeAtMost(Math.max(shortest, longest))];
  return from === to ? from : `${from} to ${to}`;
}

/** What it means, and for which of our own code, where an inventory exists. */
export const impactOf = (facts: Facts, uses: readonly CodeUse[] | undefined): string =>
  nameAffectedCode(ruleTexts[facts.rule].impact(facts), facts, uses);

export const titleOf = ({ facts }: Pick<Incident, "facts">): string => ruleTexts[facts.rule].title(facts);

const prefixes = {
  opened: "",
  changed: " (changed)",
  reminder: " (still firing)",
  resolved: "",
} as const;

/** "243 of 243 checks failed" */
const countText = (facts: Facts): string =>
  `${formatCount(facts.bad)} of ${plural(facts.total, "check")} ${isFailure(facts.rule) ? "failed" : "showed it"}${windowText(facts)}`;

/** The longest form that fits: with the interval of the onset, with the first bad check, with its day, or without. */
function subjectOf({ event, incident, at }: IncidentEvent): string {
  const { facts } = incident;
  const title = titleOf(incident);
  const isOver = event === "resolved";
  const word = isOver ? "RESOLVED" : `${incident.severity.toUpperCase()}${prefixes[event]}`;
  const start = `[v1watch] ${word}: ${title}`;
  const lasted = `${start}, lasted ${describeLength(facts, at)}`;
  const since = (text: string) => `${start}${title.includes(": ") ? "," : ""} since ${text}`;
  const forms = facts.rule.endsWith("-rate")
    ? [start]
    : isOver
      ? [...(facts.total > 0 ? [`${lasted}, ${countText(facts)}`] : []), lasted, start]
      : [
          since(intervalText(facts.lastGoodBeforeAt, facts.firstBadAt, at).replace(/^at or before /, "")),
          since(timeText(facts.firstBadAt, at)),
          since(facts.firstBadAt.slice(0, 10)),
          start,
        ];
  return forms.find((form) => form.length <= maxSubject) ?? start;
}

function resolvedText(facts: Facts, at: string): string[] {
  const { firstBadAt, lastGoodBeforeAt, lastBadAt, firstGoodAfterAt, total } = facts;
  // Both with their dates, unless it began on the day on which it ended.
  const day = isSameDay(firstBadAt, at) ? at : "";
  return [
    `It began ${intervalText(lastGoodBeforeAt, firstBadAt, day)} and ended ${intervalText(lastBadAt, firstGoodAfterAt ?? at, day)}: it lasted ${describeLength(facts, at)}.`,
    ...(total > 0 ? [`${countText(facts)}.`] : []),
  ];
}

/** An incident that has fewer endpoints than before. */
function recoveredText({ recovered = {} }: Incident): string[] {
  const endpoints = sortEndpoints(Object.keys(recovered) as EndpointId[]);
  return endpoints.length === 0 ? [] : [`No longer part of it: ${endpoints.join(", ")}.`];
}

/** An alert whose text cannot be written is sent without it: an incident is never kept silent for a sentence. */
export function renderAlert(sent: IncidentEvent, context: AlertContext): Alert {
  const failed: FailedParts = {};
  return (
    isolate(failed, "text", () => renderInFull(sent, context), undefined) ??
    renderWithoutText(sent, context, listFailed(failed))
  );
}

function renderWithoutText(sent: IncidentEvent, context: AlertContext, cause: string): Alert {
  const { event, incident, at, number, supersedes } = sent;
  const { facts, rule, scope, endpoints, severity } = incident;
  const links = linksOf(incident.id, rule, context);
  const word = event === "resolved" ? "RESOLVED" : `${severity.toUpperCase()}${prefixes[event]}`;
  return {
    schema: "v1watch/alert/2",
    id: `${incident.id}/${number}-${event}`,
    at,
    event,
    severity,
    rule,
    scope,
    endpoints,
    subject: asciiLine(`[v1watch] ${word}: ${rule} on ${endpoints.join(", ")}`, maxSubject),
    text: `v1watch could not write the text of this alert: ${cause}. Its facts are on the page and in its JSON.\n\n${columns(linkRows(links))}\n`,
    facts,
    links,
    supersedes,
  };
}

function renderInFull(sent: IncidentEvent, context: AlertContext): Alert {
  const { event, incident, at, number, supersedes } = sent;
  const { facts, rule, scope, endpoints } = incident;
  const words = ruleTexts[rule];
  const links = linksOf(incident.id, rule, context);
  const isOver = event === "resolved";
  const opened = incident.sent.find((one) => one.event === "opened")?.at ?? at;
  const sentences = isOver
    ? (words.ended?.(facts, at, opened) ?? resolvedText(facts, at))
    : [...words.facts(facts, at), ...(event === "changed" ? recoveredText(incident) : [])];
  const rows: [string, string][] = isOver
    ? []
    : [
        ["Impact", impactOf(facts, context.uses)],
        ["Next steps", words.steps.map((step, index) => `${index + 1}. ${step}`).join("\n")],
        ["Reproduce", reproduce(facts, context.baseUrl, context.isAnonymous ?? false)],
      ];
  const reminder =
    event === "reminder"
      ? [`It has been firing since ${timeText(opened, at)}, and nobody has acknowledged it.`]
      : [];
  return {
    schema: "v1watch/alert/2",
    id: `${incident.id}/${number}-${event}`,
    at,
    event,
    severity: incident.severity,
    rule,
    scope,
    endpoints,
    subject: asciiLine(subjectOf(sent), maxSubject),
    text: `${[...reminder, ...sentences].join("\n")}\n\n${columns([...rows, ...linkRows(links)])}\n`.slice(
      0,
      8_000,
    ),
    facts,
    links,
    supersedes,
  };
}

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
    text: `${why}\n\n${columns(linkRows(alert.links))}\n`,
  };
}
