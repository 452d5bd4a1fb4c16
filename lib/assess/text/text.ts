// Notices and ages in whole words: the same in the terminal, in an alert and on the dashboard.

import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Facts, FactsOf, RuleId } from "../../records/incident.ts";
import type { Observation, Staleness } from "../../records/observation.ts";
import { formatCount, listAll, plural } from "../../text.ts";
import { daysUntil, dayText, describeDuration } from "../../time.ts";

function describeSunset(dateMs: number, nowMs: number): string {
  const date = dayText(dateMs);
  const days = daysUntil(dateMs, nowMs);
  if (nowMs < dateMs)
    return `Sunset ${date}: V1 is to end ${days === 0 ? "today" : `in ${plural(days, "day")}`}`;
  return `Sunset ${date} passed ${days === 0 ? "today" : `${plural(-days, "day")} ago`}, and V1 still answers`;
}

/** Things that a response says beside its outcome; each is one line. */
export function describeNotices({ notices, endpoint, variant: name }: Observation, nowMs: number): string[] {
  const lines: string[] = [];
  if (notices.sunset) lines.push(describeSunset(Date.parse(notices.sunset), nowMs));
  if (notices.sunsetText !== undefined) lines.push("a Sunset header that cannot be read as a date");
  if (notices.deprecation) {
    const { at, form } = notices.deprecation;
    lines.push(
      at
        ? `Deprecation since ${at.slice(0, 10)}`
        : `a Deprecation header${form === "unreadable" ? " that cannot be read" : ""}`,
    );
  }
  if (notices.contradictory) lines.push("Sunset is earlier than Deprecation: an error of the sender");
  if (notices.warning === 299) lines.push("Warning 299: V1 sends a lasting notice");
  if (notices.links?.includes("successor-version")) lines.push("a link to the successor version");
  if (notices.withdrawn && name !== "unknown-id")
    lines.push("a documented path is withdrawn: a sign of retirement");
  if (notices.body === "v2-shaped")
    lines.push("it answers 200 in the shape of V2: the old version is quietly gone");
  if (notices.body === "stub-data") lines.push("every score is 0: probably placeholders, not data");
  // One person may have no credentials; a list without anybody is another matter.
  if (notices.body === "empty" && endpoints[endpoint].role === "list") lines.push("no records at all");
  return lines;
}

export function describeFreshness(staleness: Staleness | null): string {
  if (!staleness) return "";
  const records = plural(staleness.records, "record");
  if (staleness.muted)
    return `${records} · age unknown: the clocks differ by ${describeDuration(Math.abs(staleness.skewSeconds ?? 0))}`;
  return staleness.ages
    ? `${records} · newest ${describeDuration(staleness.ages.newest)} old`
    : `${records} · age unknown`;
}

// What the text of a rule consists of, and words that several rules share.
export type RuleText<Rule extends RuleId = RuleId> = {
  /** ASCII, and short enough for a subject; in the past tense once it is over. */
  title(facts: FactsOf<Rule>, isPast: boolean): string;
  /** Whole sentences; every number and instant is one of the facts. `at` is the instant of the alert. */
  facts(facts: FactsOf<Rule>, at: string): string[];
  /** The subject, its longest form first, and the sentences of its end, where "it began and ended" would say little. */
  ended?(
    facts: FactsOf<Rule>,
    at: string,
  ): { titles: [string, ...string[]]; sentences: string[] } | undefined;
  /** After "since" in a subject, the longest form first; none where the title says it. Undefined: the onset. */
  since?(facts: FactsOf<Rule>, at: string): string[] | undefined;
  /** What the bad checks did, after "3 of 3 checks"; "showed it" unless given. */
  counted?: string;
  /** What its other checks are, after "last" and before "since"; "good" unless given. */
  good?: string;
  impact(facts: FactsOf<Rule>): string;
  steps(facts: FactsOf<Rule>): readonly string[];
};

export const areAll = (endpoints: readonly EndpointId[]) =>
  endpoints.length === 0 || endpoints.length === endpointIds.length;
export const whereText = (endpoints: readonly EndpointId[]) =>
  areAll(endpoints) ? `all ${endpointIds.length} endpoints` : listAll(endpoints);
export const where = ({ endpoints }: Facts) => whereText(endpoints);

/** Nothing was stored: its checks are the last ones before that, so that they do not say how long it lasted. */
export const isUnstored = ({ rule, notSent }: Facts) => rule === "silent" && notSent === undefined;

/** What the records of the endpoint are called. */
export const nounsOf = ({ endpoints: [first = endpointIds[0]] }: Facts) => endpoints[first].nouns;

/** What the failed checks got, the most frequent first. */
export const responsesOf = ({ responses = {} }: Facts): [label: string, number: number][] =>
  Object.entries(responses).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));

/** `401`, or `503 (4), timeout (2)` where there are several. */
export function responsesText(facts: Facts): string {
  const rows = responsesOf(facts);
  if (rows.length === 1) return rows[0]![0];
  return rows
    .slice(0, 4)
    .map(([label, number]) => `${label} (${formatCount(number)})`)
    .join(", ");
}

export const zeros = "Consumers that treat a failed call as 0 or [] show wrong values.";
export const curlFirst = "Run the command below to see V1's response yourself.";
export const outlook = "Run `v1watch status risk` to see what is known about V1's retirement.";
