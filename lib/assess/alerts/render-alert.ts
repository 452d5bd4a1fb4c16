// An incident's event → what a person reads at 3 a.m., as an email, on a telephone, and as JSON.
import type { Alert } from "../../records/alert.ts";
import type { Severity } from "../../records/incident.ts";
import { momentText } from "../date-text.ts";
import { endOf, type IncidentEvent } from "../incidents.ts";
import { causeWords, curlLine, describeLength } from "./cause-texts.ts";
import { plural } from "./text.ts";

export type AlertContext = {
  baseUrl: string;
  /** Where people find the runbook: a URL, or the path in the checkout. */
  runbookUrl: string;
  /** No key is in use: the line that people paste has none either. */
  isAnonymous?: boolean;
};

const maxSubject = 100;

/** SNS takes a subject of printable ASCII only, and no line breaks. */
export function asciiLine(text: string, max: number): string {
  const ascii = text
    .replace(/[·–—]/g, "-")
    .replace(/[’‘]/g, "'")
    .replace(/…/g, "...")
    .replace(/[^\x20-\x7e]/g, "?");
  return ascii.length <= max ? ascii : `${ascii.slice(0, max - 3)}...`;
}

/** The hour, or the day where it was another one. */
const sinceText = (since: string, at: string) =>
  since.slice(0, 10) === at.slice(0, 10) ? `${since.slice(11, 16)} UTC` : since.slice(0, 10);

export const runbookHeading = (cause: string) => cause.slice(cause.lastIndexOf("/") + 1);

const kindOf = (cause: string) => (cause.includes("/") ? cause.slice(0, cause.indexOf("/")) : cause);
const kinds: Record<string, Alert["kind"]> = { slow: "down", "unsafe-response": "network" };

const columns = (rows: [string, string][]) =>
  rows.map(([name, text]) => `${name.padEnd(23)}${text.replace(/\n/g, `\n${" ".repeat(23)}`)}`).join("\n");

function headline({ event, incident, at }: IncidentEvent): string {
  const title = causeWords[incident.cause].title(incident);
  if (event === "resolved") return `RESOLVED after ${describeLength(incident, Date.parse(at))}: ${title}`;
  const word = event === "changed" ? "CHANGED: " : event === "escalated" ? "WORSE: " : "";
  // Before the colon: a date behind it is what V1 says, and did not begin at this hour.
  return `${word}${title.replace(/(?=: )|$/, ` since ${sinceText(incident.since, at)}`)}`;
}

function renderBody(told: IncidentEvent, { baseUrl, runbookUrl, isAnonymous }: AlertContext): string {
  const { event, incident, at } = told;
  const words = causeWords[incident.cause];
  const primary =
    event === "resolved"
      ? [
          `It is over: ${plural(incident.recoveries, "probe")} in a row ${incident.recoveries === 1 ? "was" : "were"} as it should be.`,
          `From ${momentText(incident.since)} to ${momentText(endOf(incident) ?? at)}, ${plural(incident.failed, "probe")} failed, the last at ${momentText(incident.lastBadAt)}.`,
        ]
      : [...incident.evidence.map((line) => `${line}.`), `So: ${words.so}`];
  if (incident.flaps > 0) primary.push(`It has come back ${plural(incident.flaps, "time")} within the hour.`);
  const opened = incident.openedAt ?? incident.since;
  const rows: [string, string][] = [];
  if (event !== "resolved") {
    rows.push(["What your users see", words.users]);
    rows.push(["What to do", words.todo.map((step, index) => `${index + 1}. ${step}`).join("\n")]);
    rows.push(["See it yourself", curlLine(incident, baseUrl, isAnonymous)]);
  }
  rows.push(["Runbook", `${runbookUrl}#${runbookHeading(incident.cause)}`]);
  rows.push([
    "Incident",
    `${incident.id} - opened ${momentText(opened)} after ${plural(incident.confirmations, "confirmation")}, told ${momentText(at)}`,
  ]);
  return `${primary.join("\n")}\n\n${columns(rows)}\n`;
}

export function renderAlert(told: IncidentEvent, context: AlertContext): Alert {
  const { event, incident, at, number } = told;
  const line = headline(told);
  const heading = runbookHeading(incident.cause);
  return {
    schema: "v1watch/alert/1",
    id: `${incident.id}@${incident.since}/${number}-${event}`,
    event,
    at,
    severity: event === "resolved" ? "info" : incident.severity,
    kind: kinds[incident.cause] ?? (kindOf(incident.cause) as Alert["kind"]),
    endpoint: incident.endpoints.length === 1 ? incident.endpoints[0]! : "all",
    incident: incident.id,
    since: incident.since,
    subject: asciiLine(`[v1watch] ${line}`, maxSubject),
    sms: `${asciiLine(`v1watch: ${line}`, 159 - heading.length - 11)}. Runbook: ${heading}`,
    body: renderBody(told, context),
    runbook: heading,
  };
}

export type CountdownStep = {
  date: string;
  step: number;
  daysLeft: number;
  source: string;
  reasons: readonly string[];
};

const countdownSeverity = (step: number): Severity => (step <= 3 ? "page" : step <= 30 ? "warning" : "info");

/** One message a step and date; a date that moves starts anew. */
export function renderCountdown(
  { date, step, daysLeft, source, reasons }: CountdownStep,
  at: string,
  context: AlertContext,
): Alert {
  const left = daysLeft <= 0 ? "today" : `in ${plural(daysLeft, "day")}`;
  const line = `V1 ends ${left}: ${date}, by ${source}`;
  return {
    schema: "v1watch/alert/1",
    id: `retirement/countdown@${date}/${step}`,
    event: "countdown",
    at,
    severity: countdownSeverity(step),
    kind: "retirement",
    endpoint: "all",
    incident: "retirement/announced",
    since: at,
    subject: asciiLine(`[v1watch] ${line}`, maxSubject),
    sms: asciiLine(`v1watch: ${line}. Runbook: announced`, 160),
    body: `${line}.\n${reasons.map((reason) => `${reason}.`).join("\n")}\n\n${columns([
      ["What to do", "1. Check what still reads V1.\n2. `v1watch outlook` shows how sure the date is."],
      ["Runbook", `${context.runbookUrl}#announced`],
    ])}\n`,
    runbook: "announced",
  };
}

const maxDigestLines = 40;

/** What was learned in a day: never a page, one message. */
export function renderDigest(day: string, lines: readonly string[], at: string): Alert {
  return {
    schema: "v1watch/alert/1",
    id: `digest@${day}`,
    event: "learned",
    at,
    severity: "info",
    kind: "digest",
    endpoint: "all",
    incident: "digest",
    since: at,
    subject: asciiLine(`[v1watch] ${plural(lines.length, "thing")} learned about V1 on ${day}`, maxSubject),
    sms: asciiLine(`v1watch: ${plural(lines.length, "thing")} learned about V1 on ${day}`, 160),
    body: `${lines.slice(0, maxDigestLines).join("\n")}\n${lines.length > maxDigestLines ? `and ${lines.length - maxDigestLines} more\n` : ""}`,
    runbook: "learned",
  };
}
