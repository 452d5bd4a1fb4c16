// What is written about each rule: a title, what its facts say, what it means and what to do. Facts in, text out.

import type { Facts, RuleId } from "../../records/incident.ts";
import { formatCount, plural } from "../../text.ts";
import { describeDuration, momentText, spanText, timeText } from "../../time.ts";
import { listFailed } from "../isolate.ts";
import { failureTexts } from "./failure-texts.ts";
import { describeFinding, describeImpact } from "./impact.ts";
import {
  curlFirst,
  isOver,
  nounsOf,
  outlook,
  type RuleText,
  responsesText,
  where,
  windowText,
  zeros,
} from "./text.ts";

const within = ({ windowSeconds }: Facts) => describeDuration(windowSeconds);
const rate = (what: string): RuleText => ({
  title: (facts) =>
    isOver(facts)
      ? `Too many scheduled checks ${what} on ${where(facts)}`
      : `${formatCount(facts.bad)} of ${formatCount(facts.total)} scheduled checks ${what} in ${within(facts)} on ${where(facts)}`,
  facts: (facts, at) => [
    `${formatCount(facts.bad)} of ${formatCount(facts.total)} scheduled checks of ${where(facts)} ${what} in ${within(facts)}${facts.responses ? `: ${responsesText(facts)}` : ""}; the last one at ${timeText(facts.lastBadAt, at)}.`,
    `The limit is ${formatCount(facts.limitBad ?? 0)} of them${facts.limitShare === undefined ? "" : ` and ${Math.round(facts.limitShare * 100)} %`}.`,
  ],
  ended: ({ lastBadAt }, at, openedAt) => [
    `It was reported at ${timeText(openedAt, at)}; the last of these checks was at ${timeText(lastBadAt, at)}.`,
    "Since then the rate has stayed below half of its limit.",
  ],
  impact: () =>
    "A share of the calls fails: consumers without a retry show missing or wrong values now and then. The cause is not known.",
  steps: ["Let consumers retry once.", "Compare from another network.", outlook],
});

const dates = (facts: Facts) => {
  const each = Object.entries(facts.dates ?? {});
  const isOne = new Set(each.map(([, date]) => date.slice(0, 13))).size <= 1;
  return isOne ? "" : ` (${each.map(([endpoint, date]) => `${endpoint}: ${date.slice(0, 10)}`).join(", ")})`;
};
const dateTitle = ({ date, dateText }: Facts) => (date ? date.slice(0, 10) : `"${dateText ?? ""}"`);
/** The time of the checks that are counted: those of a long incident are no longer all kept. */
const windowSpan = ({ lastBadAt, windowSeconds }: Facts, at: string) =>
  spanText(new Date(Date.parse(lastBadAt) - windowSeconds * 1_000).toISOString(), lastBadAt, at);

const headerText = (facts: Facts, at: string, what: string) =>
  `${what} in ${formatCount(facts.bad)} of ${plural(facts.total, "check")} of ${where(facts)} ${windowSpan(facts, at)}.`;

const seen = (facts: Facts, at: string) =>
  `Seen in ${formatCount(facts.bad)} of ${plural(facts.total, "check")} of ${where(facts)}${windowText(facts)}, the last one at ${timeText(facts.lastBadAt, at)}; the first one at ${timeText(facts.firstBadAt, at)}.`;

const findingLines = ({ findings = [], findingsOmitted = 0 }: Facts) => [
  ...findings
    .slice(0, 8)
    .map(
      (finding) =>
        `${finding.path}: ${describeFinding(finding)} in ${formatCount(finding.bad)} of ${plural(finding.total, "check")} and ${formatCount(finding.records)} of ${plural(finding.ofRecords, "record")}; ${describeImpact(finding)}.`,
    ),
  ...(findings.length + findingsOmitted > 8
    ? [`${plural(findings.length + findingsOmitted - 8, "further change")}.`]
    : []),
];
const maxFieldName = 30;
/** The name of the field, where all differences are in one. */
function fields({ findings = [], findingsOmitted = 0 }: Facts): string {
  const names = new Set(findings.map(({ path }) => path.slice(path.lastIndexOf(".") + 1)));
  const [name = ""] = names;
  return names.size === 1 && findingsOmitted === 0 && /^\w+$/.test(name) && name.length <= maxFieldName
    ? name
    : plural(findings.length + findingsOmitted, "field");
}

const warning = (
  title: RuleText["title"],
  facts: RuleText["facts"],
  impact: string,
  steps: readonly string[],
): RuleText => ({ title, facts, impact: () => impact, steps });

export const ruleTexts: Record<RuleId, RuleText> = {
  ...failureTexts,
  "error-rate": rate("failed"),
  "unauthorized-rate": rate("got 401"),
  "anonymous-refused": warning(
    (facts) => `V1 refuses anonymous requests on ${where(facts)}`,
    (facts, at) => [
      `The last ${plural(facts.bad, "anonymous check")} of ${where(facts)} were refused, ${windowSpan(facts, at)}.`,
      ...(facts.lastGoodBeforeAt
        ? [
            `Anonymous was last served at ${timeText(facts.lastGoodBeforeAt, at)}; requests with the key are served.`,
          ]
        : []),
    ],
    "Consumers that call V1 without a key are refused.",
    ["Find the consumers that send no key, and give them one."],
  ),
  sunset: warning(
    (facts) =>
      facts.previousDate
        ? `V1 moved its end to ${dateTitle(facts)} from ${facts.previousDate.slice(0, 10)} on ${where(facts)}`
        : `V1 announces its end on ${where(facts)}: Sunset ${dateTitle(facts)}`,
    (facts, at) => [
      facts.date
        ? `The Sunset header names ${momentText(facts.date)}${dates(facts)}.`
        : `The Sunset header is no date: "${facts.dateText ?? ""}".`,
      ...(facts.previousDate ? [`It named ${momentText(facts.previousDate)} before.`] : []),
      headerText(facts, at, "A Sunset header was"),
    ],
    "V1's own headers name the day on which it may be removed.",
    ["Plan the move to V2 against this date.", outlook],
  ),
  "sunset-passed": warning(
    (facts) => `V1 serves ${where(facts)} beyond its end: ${dateTitle(facts)}`,
    (facts, at) => [
      facts.source === "configured"
        ? `The configured date ${momentText(facts.date ?? facts.firstBadAt)} has passed; V1 served ${plural(facts.bad, "check")} since then.`
        : headerText(facts, at, `Sunset ${momentText(facts.date ?? facts.firstBadAt)}${dates(facts)}`),
      "The date has passed, and V1 is served.",
    ],
    "V1 may be removed at any time.",
    ["Finish the move to V2.", "Treat every day as the last one."],
  ),
  deprecation: warning(
    (facts) => `V1 announces its deprecation on ${where(facts)}`,
    (facts, at) => [headerText(facts, at, `${(facts.notices ?? []).join(", ")}:`)],
    "V1 is announced as deprecated; no date of removal follows from this.",
    ["Follow the link or the message by hand.", outlook],
  ),
  "recurring-outages": warning(
    (facts) => `V1 has recurring outages on ${where(facts)}: ${plural(facts.windows?.length ?? 0, "window")}`,
    (facts) => [
      ...(facts.windows ?? []).map(
        (window) =>
          `Outage after ${momentText(window.after ?? window.firstBad)}, at or before ${momentText(window.firstBad)}; ${window.firstGood ? `last failure ${momentText(window.lastBad)}, good again ${momentText(window.firstGood)}` : "not over"}.`,
      ),
      ...(facts.next
        ? [
            `The next one with the same bounds: after ${momentText(facts.next.after)}, at or before ${momentText(facts.next.from)}${facts.next.until ? `, until ${momentText(facts.next.until)}` : ""}.`,
          ]
        : []),
      `${formatCount(facts.bad)} of ${plural(facts.total, "check")} in these outages failed.`,
    ],
    `Maintenance or brownout: the same endpoints fail at the same hour. ${zeros}`,
    ["Expect the next window.", "Move what matters to V2."],
  ),
  "breaking-drift": warning(
    (facts) => `V1 changed ${fields(facts)} on ${where(facts)}`,
    (facts, at) => [seen(facts, at), ...findingLines(facts)],
    "V1 no longer answers as its document says, and code written for it breaks.",
    ["Find the code that reads these fields.", "`v1watch drift` shows when it began and how often it is so."],
  ),
  "partial-drift": warning(
    (facts) =>
      `V1 changed ${fields(facts)} in ${formatCount(facts.bad)} of ${plural(facts.total, "check")} on ${where(facts)}`,
    (facts, at) => [seen(facts, at), ...findingLines(facts)],
    "A share of the responses has another shape: a canary, or one of several servers.",
    ["Find the code that reads these fields.", "Expect the change for all responses."],
  ),
  "credentials-empty": warning(
    (facts) =>
      `V1's ${nounsOf(facts).many} are empty for ${plural(facts.samples ?? 0, "sample")} that had some`,
    (facts, at) => [
      seen(facts, at),
      `${plural(facts.samples ?? 0, "sample")} had ${nounsOf(facts).many} before.`,
    ],
    "Consumers show nothing for people who have some.",
    [curlFirst, "Show the last good values, or none."],
  ),
  "equal-scores": warning(
    () => "V1's scores are the same for nearly all records",
    (facts, at) => [
      seen(facts, at),
      `${formatCount(facts.equalRecords ?? 0)} of ${plural(facts.records ?? 0, "record")} have the same score.`,
    ],
    "The scores are likely a constant in place of data.",
    ["Stop writing V1's values into your own store.", curlFirst],
  ),
  "data-shrinking": warning(
    (facts) =>
      `V1's list has ${formatCount(facts.records ?? 0)} records in place of ${formatCount(facts.recordsBefore ?? 0)}`,
    (facts, at) => [
      seen(facts, at),
      `The list's total is ${formatCount(facts.records ?? 0)}; it was ${formatCount(facts.recordsBefore ?? 0)} on ${facts.recordsBeforeAt?.slice(0, 10) ?? ""}.`,
    ],
    "Data was removed, or V1 is being emptied: people are missing from lists and searches.",
    ["Do not let a sync delete what V1 no longer lists.", curlFirst],
  ),
  "dates-without-values": warning(
    () => "V1's dates move while its scores do not",
    (facts, at) => [
      `In ${plural(facts.bad, "hour")} with new dates, the last of them from ${timeText(facts.lastBadAt, at)} on, ${plural(facts.movedRecords ?? 0, "date")} of records moved; ${formatCount(facts.changedRecords ?? 0)} of them with another score.`,
    ],
    "The records look fresh, and their scores are likely no longer calculated.",
    ["Inform the owners of what shows these scores.", outlook],
  ),
  "dates-always-now": warning(
    () => "V1's dates are always the time of the response",
    (facts, at) => [
      seen(facts, at),
      `At least half of ${plural(facts.records ?? 0, "date")} are younger than ${describeDuration(facts.limitSeconds ?? 0)} in each of them.`,
    ],
    "last_calculated_at tells nothing about the age of the data any more.",
    ["Do not use last_calculated_at as a sign of fresh data."],
  ),
  "partly-frozen": warning(
    () => "A part of V1's records has stopped moving",
    (facts, at) => [
      `${formatCount(facts.stillRecords ?? 0)} of ${plural(facts.records ?? 0, "record")} of the list's first page have stood still for more than ${describeDuration(facts.limitSeconds ?? 0)}, by the check at ${timeText(facts.lastBadAt, at)}; before, nine of ten were younger than ${describeDuration(facts.usualAgeSeconds ?? 0)}.`,
    ],
    "Scores of a part of the people no longer change; nothing looks broken.",
    ["Inform the owners of what shows these scores.", outlook],
  ),
  frozen: warning(
    (facts) =>
      `V1's data ${isOver(facts) ? "had" : "has"} stopped moving: newest date ${facts.newestDate?.slice(0, 10) ?? ""}`,
    (facts, at) => [
      `The newest date of the list is ${momentText(facts.newestDate ?? facts.firstBadAt)}: at ${timeText(facts.lastBadAt, at)} it had stood still for ${describeDuration(facts.standsStillSeconds ?? 0)}, and the limit is ${describeDuration(facts.limitSeconds ?? 0)}.`,
      facts.longestGapSeconds === undefined
        ? "No ordinary gap is known."
        : `The longest ordinary gap was ${describeDuration(facts.longestGapSeconds)}.`,
    ],
    "V1 answers, but nothing in it is recalculated any more: scores no longer change, and nothing looks broken.",
    ["Inform the owners of what shows these scores.", outlook],
  ),
  "date-jumped-back": warning(
    (facts) => `V1's newest date jumped back to ${facts.newestDate?.slice(0, 10) ?? ""}`,
    (facts, at) => [
      seen(facts, at),
      `The newest date of the list is ${momentText(facts.newestDate ?? facts.firstBadAt)}; it was ${momentText(facts.previousNewestDate ?? facts.firstBadAt)}.`,
    ],
    "V1 serves older data than before: a restored backup, or another source.",
    [curlFirst, "Do not overwrite newer values with these."],
  ),
  slow: warning(
    (facts) => `V1 is slow on ${where(facts)}: ${formatCount(facts.latencyMs ?? 0)} ms`,
    (facts, at) => [
      `${formatCount(facts.bad)} of ${plural(facts.total, "check")} of ${where(facts)} were slow ${spanText(facts.firstBadAt, facts.lastBadAt, at)}, the slowest of them with ${formatCount(facts.latencyMs ?? 0)} ms${facts.usualLatencyMs === undefined ? "" : `; ${formatCount(facts.usualLatencyMs)} ms is usual`}.`,
    ],
    "Pages that wait for V1 hang, and clients with short timeouts fail.",
    ["Check the timeouts of what reads V1.", curlFirst],
  ),
  certificate: warning(
    (facts) => `V1's certificate expires on ${facts.expiresAt?.slice(0, 10) ?? ""}`,
    (facts) => [
      `V1's certificate is valid until ${momentText(facts.expiresAt ?? facts.firstBadAt)}: ${plural(facts.daysLeft ?? 0, "day")} left.`,
    ],
    "After that day every client that checks certificates fails.",
    ["Ask V1's owner whether it will be renewed.", "Be ready for V1 to fail on that day."],
  ),
  budget: warning(
    (facts) =>
      facts.isReserveSpent
        ? "v1watch has spent its reserve of requests for confirmation"
        : "v1watch has nearly spent its request budget",
    (facts) => [
      `${formatCount(facts.requestsLeft ?? 0)} of ${formatCount(facts.requestsPerMonth ?? 0)} requests are left this month.`,
      ...(facts.isReserveSpent
        ? ["They are kept for scheduled checks: a failure is reported within an hour in place of minutes."]
        : []),
    ],
    "v1watch checks less often until the month ends, so that it does not exhaust the key.",
    ["`v1watch config` shows what the cadence costs.", "Raise budget.monthlyRequests if the key allows it."],
  ),
  "no-secret": warning(
    () => "v1watch has no API key: V1 is not checked",
    (facts, at) => [
      `${plural(facts.bad, "check")} ${spanText(facts.firstBadAt, facts.lastBadAt, at)} could not be made: the key's source holds no key.`,
    ],
    "The state of V1 is unknown.",
    ["Put the key where the configuration says, or correct the configuration: `v1watch config`."],
  ),
  silent: warning(
    (facts) => `v1watch does not check ${where(facts)}`,
    (facts, at) => [
      `The last check of ${where(facts)} was at ${timeText(facts.lastGoodBeforeAt ?? facts.firstBadAt, at)}; one is expected within ${describeDuration(facts.limitSeconds ?? 0)}.`,
    ],
    "The state of V1 is unknown there.",
    [
      "Check that the prober runs and can write its store.",
      "Check the request budget: `v1watch config`.",
      "Read its log.",
    ],
  ),
  undelivered: warning(
    () => "v1watch cannot deliver its alerts",
    () => ["Alerts wait in the outbox; none is lost."],
    "People are not notified.",
    ["Check the topic or the webhook.", "They are sent as soon as it accepts them again."],
  ),
  "rule-failed": warning(
    ({ failedParts = {} }) =>
      `v1watch failed to evaluate ${plural(Object.keys(failedParts).length, "part")} of its assessment: ${listFailed(failedParts)}`,
    ({ failedParts = {} }) => [
      `This is a fault of v1watch, not of V1. What failed, and with which error: ${listFailed(failedParts)}.`,
      "Every other rule is evaluated.",
    ],
    "What these rules would have found is not reported.",
    [
      "Report the names above as a bug of v1watch.",
      "Install a newer version: it assesses these checks again, where they are kept.",
    ],
  ),
};
