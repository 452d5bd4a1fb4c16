// What is written about each rule: a title, what its facts say, what it means and what to do. Facts in, text out.

import { api, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Facts, RuleId } from "../../records/incident.ts";
import { formatCount, listSome, plural } from "../../text.ts";
import { dayText, describeDuration, momentText, spanText, timeText } from "../../time.ts";
import { listFailed } from "../isolate.ts";
import { failureTexts } from "./failure-texts.ts";
import { describeFinding, describeImpact } from "./impact.ts";
import { curlFirst, nounsOf, outlook, type RuleText, responsesText, where, zeros } from "./text.ts";

const within = ({ windowSeconds }: Facts) => describeDuration(windowSeconds);
const share = ({ bad, total }: Facts) => `${formatCount(bad)} of ${formatCount(total)}`;

/** The end of a share: the numbers that were told, and the last bad check. */
const endOfShare =
  (normal: string): NonNullable<RuleText["ended"]> =>
  (facts, at) => ({
    title: `${normal} on ${where(facts)}`,
    more: `; the last one was at ${timeText(facts.lastBadAt, at)}`,
    sentences: [
      `${share(facts)} scheduled checks of ${where(facts)} were told${facts.responses ? `: ${responsesText(facts)}` : ""}; the last one was at ${timeText(facts.lastBadAt, at)}.`,
    ],
  });

const rate = (what: string, normal: string): RuleText => ({
  title: (facts) => `${share(facts)} scheduled checks ${what} in ${within(facts)} on ${where(facts)}`,
  facts: (facts, at) => [
    `${share(facts)} scheduled checks of ${where(facts)} ${what} in ${within(facts)}${facts.responses ? `: ${responsesText(facts)}` : ""}; the last one at ${timeText(facts.lastBadAt, at)}.`,
  ],
  ended: endOfShare(normal),
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

const headerText = (facts: Facts, at: string, what: string) =>
  `${what} in ${formatCount(facts.bad)} of ${plural(facts.total, "check")} of ${where(facts)} ${spanText(facts.firstBadAt, facts.lastBadAt, at)}.`;

const seen = (facts: Facts, at: string) =>
  `Seen in ${formatCount(facts.bad)} of ${plural(facts.total, "check")} of ${where(facts)}, the last one at ${timeText(facts.lastBadAt, at)}; the first one at ${timeText(facts.firstBadAt, at)}.`;

const findingLines = ({ findings = [], findingsOmitted = 0 }: Facts) => [
  ...findings
    .slice(0, 8)
    .map(
      (finding) =>
        `${finding.path}: ${describeFinding(finding)} in ${formatCount(finding.records)} of ${plural(finding.ofRecords, "record")}; ${describeImpact(finding)}.`,
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

/** The field that dates a record, by the contract. */
const dateField = ({ endpoints: [first = endpointIds[0]] }: Facts) =>
  endpoints[first].timestamps[0]?.split(".").at(-1) ?? "its date";

const variantWords = {
  authenticated: "A request with the key",
  anonymous: "A request without a key",
  "by-other-id": `A request by ${api.sample.otherId?.nouns.one ?? "another id"}`,
  "unknown-id": "A request for an unknown id",
  keyword: "A list filtered by a keyword",
  "second-page": "The second page of the list",
  "bad-key": "A request with an invalid key",
} as const;

const warning = (
  title: RuleText["title"],
  facts: RuleText["facts"],
  impact: string | RuleText["impact"],
  steps: readonly string[],
): RuleText => ({ title, facts, impact: typeof impact === "string" ? () => impact : impact, steps });

export const ruleTexts: Record<RuleId, RuleText> = {
  ...failureTexts,
  "error-rate": rate("failed", "The error rate is normal again"),
  "unauthorized-rate": rate("got 401", "The rate of 401s is normal again"),
  "anonymous-refused": warning(
    (facts, isPast) => `V1 ${isPast ? "refused" : "refuses"} anonymous requests on ${where(facts)}`,
    (facts, at) => [
      `${formatCount(facts.bad)} of ${plural(facts.total, "anonymous check")} of ${where(facts)} were refused ${spanText(facts.firstBadAt, facts.lastBadAt, at)}; requests with the key are served.`,
      ...(facts.lastGoodBeforeAt
        ? [`An anonymous request was last served at ${timeText(facts.lastGoodBeforeAt, at)}.`]
        : []),
    ],
    "Consumers that call V1 without a key are refused.",
    ["Find the consumers that send no key, and give them one."],
  ),
  sunset: warning(
    (facts, isPast) => {
      if (facts.aheadDays !== undefined)
        return `V1's Sunset moves with the clock on ${where(facts)}: always about ${plural(facts.aheadDays, "day")} ahead`;
      if (facts.previousDate && !isPast)
        return `V1 moved its end to ${dateTitle(facts)} from ${facts.previousDate.slice(0, 10)} on ${where(facts)}`;
      return isPast
        ? `V1 had announced its end on ${where(facts)}: Sunset ${dateTitle(facts)}`
        : `V1 announces its end on ${where(facts)}: Sunset ${dateTitle(facts)}`;
    },
    (facts, at) => [
      facts.aheadDays === undefined
        ? facts.date
          ? `The Sunset header names ${momentText(facts.date)}${dates(facts)}.`
          : `The Sunset header is no date: "${facts.dateText ?? ""}".`
        : `The date of the Sunset header moves with every response: it is always about ${plural(facts.aheadDays, "day")} ahead. No end follows from it.`,
      ...(facts.previousDate ? [`It named ${momentText(facts.previousDate)} before.`] : []),
      headerText(facts, at, "A Sunset header was"),
    ],
    "V1's own headers name the day on which it may be removed.",
    ["Plan the move to V2 against this date.", outlook],
  ),
  "sunset-passed": warning(
    (facts, isPast) =>
      `V1 ${isPast ? "served" : "serves"} ${where(facts)} beyond its end: ${dateTitle(facts)}`,
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
    (facts, isPast) => `V1 ${isPast ? "announced" : "announces"} its deprecation on ${where(facts)}`,
    (facts, at) => [headerText(facts, at, `${(facts.notices ?? []).join(", ")}:`)],
    "V1 is announced as deprecated; no date of removal follows from this.",
    ["Follow the link or the message by hand.", outlook],
  ),
  "recurring-outages": {
    ...warning(
      (facts, isPast) =>
        `V1 ${isPast ? "had" : "has"} recurring outages on ${where(facts)}: ${plural(facts.windows?.length ?? 0, "window")}`,
      (facts) => [
        ...(facts.windows ?? []).map(
          (window) =>
            `Outage after ${momentText(window.after ?? window.firstBad)}, at or before ${momentText(window.firstBad)}; last failure ${momentText(window.lastBad)}, good again ${momentText(window.firstGood ?? window.lastBad)}.`,
        ),
        ...(facts.next
          ? [
              `The next one, ${facts.pattern ?? "with the same bounds"}: after ${momentText(facts.next.after)}, at or before ${momentText(facts.next.from)}${facts.next.until ? `, until ${momentText(facts.next.until)}` : ""}.`,
            ]
          : []),
        `${formatCount(facts.bad)} of ${plural(facts.total, "check")} in these outages failed.`,
      ],
      `Maintenance or brownout: the same endpoints fail at the same hour. ${zeros}`,
      ["Expect the next window.", "Move what matters to V2."],
    ),
    ended: (facts, at) => ({
      title: `The recurring outages on ${where(facts)} did not come again`,
      sentences: [
        `Two expected windows did not come; the last failure was at ${timeText(facts.lastBadAt, at)}. There were ${plural(facts.windows?.length ?? 0, "window")}.`,
      ],
    }),
  },
  "breaking-drift": warning(
    (facts, isPast) => `V1 ${isPast ? "had changed" : "changed"} ${fields(facts)} on ${where(facts)}`,
    (facts, at) => [seen(facts, at), ...findingLines(facts)],
    "V1 no longer answers as its document says, and code written for it breaks.",
    [
      "Find the code that reads these fields.",
      "`v1watch status drift` shows when it began and how often it is so.",
    ],
  ),
  "partial-drift": {
    title: (facts) =>
      facts.findings && facts.findings.length > 0
        ? `V1 changed ${fields(facts)} in ${share(facts)} checks on ${where(facts)}`
        : `${share(facts)} responses of ${where(facts)} hold no V1 data: ${responsesText(facts)}`,
    facts: (facts, at) => [
      `${share(facts)} scheduled checks of ${where(facts)} in ${within(facts)} differ from V1's document${facts.responses ? `: ${responsesText(facts)}` : ""}; the last one at ${timeText(facts.lastBadAt, at)}.`,
      ...findingLines(facts),
    ],
    ended: endOfShare("All responses are as documented again"),
    impact: () =>
      "A share of the responses differs: a canary, or one of several servers. A retry may not help.",
    steps: ["Find the code that reads these fields.", "Expect the change for all responses."],
  },
  "sublist-empty": warning(
    (facts, isPast) =>
      `V1's ${nounsOf(facts).many} ${isPast ? "were" : "are"} empty for ${plural(facts.samples ?? 0, "sample")} that had some`,
    (facts, at) => [
      seen(facts, at),
      `${plural(facts.samples ?? 0, "sample")} had ${nounsOf(facts).many} before.`,
    ],
    "Consumers show nothing for people who have some.",
    [curlFirst, "Show the last good values, or none."],
  ),
  "equal-scores": warning(
    (_, isPast) => `V1's scores ${isPast ? "were" : "are"} the same for nearly all records`,
    (facts, at) => [
      seen(facts, at),
      `${formatCount(facts.equalRecords ?? 0)} of ${plural(facts.records ?? 0, "record")} have the same score.`,
    ],
    "The scores are likely a constant in place of data.",
    ["Stop writing V1's values into your own store.", curlFirst],
  ),
  "scores-jumped": warning(
    (facts, isPast) =>
      `V1's median score ${isPast ? "was" : "is"} ${facts.medianScore ?? 0} in place of ${facts.medianScoreBefore ?? 0}`,
    (facts, at) => [
      seen(facts, at),
      `The median score of the list's first page is about ${facts.medianScore ?? 0}; the day before it was about ${facts.medianScoreBefore ?? 0}.`,
    ],
    "Scores have another scale, or are no longer calculated as before: limits in consumers no longer fit.",
    ["Compare a few scores with stored ones.", curlFirst],
  ),
  "data-shrinking": warning(
    (facts, isPast) =>
      `V1's list ${isPast ? "had" : "has"} ${formatCount(facts.records ?? 0)} records in place of ${formatCount(facts.recordsBefore ?? 0)}`,
    (facts, at) => [
      seen(facts, at),
      `The list's total is ${formatCount(facts.records ?? 0)}; it was ${formatCount(facts.recordsBefore ?? 0)} on ${facts.recordsBeforeAt?.slice(0, 10) ?? ""}.`,
    ],
    "Data was removed, or V1 is being emptied: people are missing from lists and searches.",
    ["Do not let a sync delete what V1 no longer lists.", curlFirst],
  ),
  "duplicate-records": warning(
    (facts, isPast) =>
      facts.isOnTwoPages
        ? `V1's second page ${isPast ? "repeated" : "repeats"} ${plural(facts.duplicates ?? 0, "record")} of the first`
        : `V1's list ${isPast ? "had" : "has"} the same record twice`,
    (facts, at) => [
      seen(facts, at),
      `${plural(facts.duplicates ?? 0, "record")} ${facts.duplicates === 1 ? "is" : "are"} there more than once.`,
    ],
    "Whoever counts or imports the list gets records twice, and misses others.",
    ["Let imports use the record's id, not its place.", curlFirst],
  ),
  "null-fields": warning(
    (facts, isPast) =>
      `V1's fields ${isPast ? "were" : "are"} null that never were: ${listSome((facts.nullFields ?? []).map(({ path }) => path.split(".").at(-1) ?? path))}`,
    (facts, at) => [
      seen(facts, at),
      ...(facts.nullFields ?? []).map(
        ({ path, nulls, of }) => `${path}: null in ${formatCount(nulls)} of ${plural(of, "record")}.`,
      ),
    ],
    "Code that reads these fields meets null where there always was a value.",
    ["Find the code that reads these fields.", curlFirst],
  ),
  "wrong-record": {
    title: (facts) => `V1 gives another record than the one asked for, in ${share(facts)} checks`,
    facts: (facts, at) => [
      `${share(facts)} scheduled checks of ${where(facts)} in ${within(facts)} got another record than the one that was asked for; the last one at ${timeText(facts.lastBadAt, at)}.`,
    ],
    ended: endOfShare("V1 gives the record that is asked for again"),
    impact: () => "People see somebody else's data, and consumers may store it under the wrong id.",
    steps: [
      "Stop writing V1's values into your own store.",
      "Inform V1's owner: it is likely a broken cache.",
    ],
  },
  "variant-changed": warning(
    (facts, isPast) =>
      `${variantWords[facts.variant ?? "authenticated"]} ${isPast ? "got" : "gets"} ${facts.lastResponse ?? "nothing"} on ${where(facts)}, which is not usual`,
    (facts, at) => [seen(facts, at), "With the key and a known record, V1 is served."],
    "Code that relies on this behaviour, which V1's document does not describe, breaks.",
    [curlFirst, "Find what makes such requests."],
  ),
  "dates-without-values": warning(
    (_, isPast) => `V1's dates ${isPast ? "moved while its scores did" : "move while its scores do"} not`,
    (facts, at) => [
      `${plural(facts.movedRecords ?? 0, "date")} of records moved from ${timeText(facts.firstBadAt, at)} to ${timeText(facts.lastBadAt, at)}; ${formatCount(facts.changedRecords ?? 0)} of them with another score.`,
    ],
    "The records look fresh, and their scores are likely no longer calculated.",
    ["Inform the owners of what shows these scores.", outlook],
  ),
  "dates-always-now": warning(
    (_, isPast) => `V1's dates ${isPast ? "were" : "are"} always the time of the response`,
    (facts, at) => [
      seen(facts, at),
      `At least half of ${plural(facts.records ?? 0, "date")} are younger than ${describeDuration(facts.limitSeconds ?? 0)} in each of them.`,
    ],
    (facts) => `${dateField(facts)} tells nothing about the age of the data any more.`,
    ["Do not use these dates as a sign of fresh data."],
  ),
  "future-dates": warning(
    (facts, isPast) => `V1 ${isPast ? "had" : "has"} dates in the future on ${where(facts)}`,
    (facts, at) => [seen(facts, at), `${plural(facts.records ?? 0, "record")} of the last of them.`],
    "A date in the future is never counted as the newest.",
    [curlFirst],
  ),
  "partly-frozen": warning(
    (facts, isPast) =>
      `${formatCount(facts.stillRecords ?? 0)} of ${formatCount(facts.records ?? 0)} records of V1 ${isPast ? "stood" : "stand"} still`,
    (facts, at) => [
      `${formatCount(facts.stillRecords ?? 0)} of ${plural(facts.records ?? 0, "record")} of the list's first page have not been recalculated since ${dayText(Date.parse(facts.stillSince ?? facts.firstBadAt))}, by the check at ${timeText(facts.lastBadAt, at)}.`,
    ],
    "Scores of a part of the people no longer change; nothing looks broken.",
    ["Inform the owners of what shows these scores.", outlook],
  ),
  frozen: warning(
    (facts, isPast) =>
      `V1's data ${isPast ? "had" : "has"} stopped moving: newest date ${facts.newestDate?.slice(0, 10) ?? ""}`,
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
    (facts, isPast) =>
      `V1's newest date ${isPast ? "had jumped" : "jumped"} back to ${facts.newestDate?.slice(0, 10) ?? ""}`,
    (facts, at) => [
      seen(facts, at),
      `The newest date of the list is ${momentText(facts.newestDate ?? facts.firstBadAt)}; it was ${momentText(facts.previousNewestDate ?? facts.firstBadAt)}.`,
    ],
    "V1 serves older data than before: a restored backup, or another source.",
    [curlFirst, "Do not overwrite newer values with these."],
  ),
  slow: warning(
    (facts, isPast) =>
      `V1 ${isPast ? "was" : "is"} slow on ${where(facts)}: ${formatCount(facts.latencyMs ?? 0)} ms`,
    (facts, at) => [
      `${formatCount(facts.bad)} of ${plural(facts.total, "check")} of ${where(facts)} were slow ${spanText(facts.firstBadAt, facts.lastBadAt, at)}; the slowest of the latest ones took ${formatCount(facts.latencyMs ?? 0)} ms${facts.usualLatencyMs === undefined ? "" : `, ${formatCount(facts.usualLatencyMs)} ms is usual`}.`,
    ],
    "Pages that wait for V1 hang, and clients with short timeouts fail.",
    ["Check the timeouts of what reads V1.", curlFirst],
  ),
  certificate: warning(
    (facts, isPast) =>
      `V1's certificate ${isPast ? "was to expire" : "expires"} on ${facts.expiresAt?.slice(0, 10) ?? ""}`,
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
    (_, isPast) => `v1watch ${isPast ? "had" : "has"} no API key: V1 ${isPast ? "was" : "is"} not checked`,
    (facts, at) => [
      `${plural(facts.bad, "check")} ${spanText(facts.firstBadAt, facts.lastBadAt, at)} could not be made: the key's source holds no key.`,
    ],
    "The state of V1 is unknown.",
    ["Put the key where the configuration says, or correct the configuration: `v1watch config`."],
  ),
  silent: warning(
    (facts, isPast) => `v1watch ${isPast ? "did" : "does"} not check ${where(facts)}`,
    (facts, at) => [
      `The last check of ${where(facts)} was at ${timeText(facts.lastBadAt, at)}; one is expected within ${describeDuration(facts.limitSeconds ?? 0)}.`,
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
