// What is written about each rule: a title, what its facts say, what it means and what to do. Facts in, text out.

import { api, endpointIds, endpoints } from "../../contract/endpoints.ts";
import {
  type DriftFact,
  type Facts,
  type FactsOf,
  hasOwnFacts,
  type RuleId,
} from "../../records/incident.ts";
import { formatCount, listSome, plural } from "../../text.ts";
import { betweenText, dayWords, describeDuration, momentText, spanText, timeText } from "../../time.ts";
import { isPartial } from "../engine/partial.ts";
import { listFailed } from "../isolate.ts";
import { certificateText, failureTexts } from "./failure-texts.ts";
import { describeFinding, describeImpact } from "./impact.ts";
import { rowLines } from "./rows.ts";
import { sunsetTexts } from "./sunset-texts.ts";
import {
  areAll,
  curlFirst,
  isUnstored,
  nounsOf,
  outlook,
  type RuleText,
  responsesText,
  where,
  whereText,
  zeros,
} from "./text.ts";

/** By the cause of a check that the proxy did not let through. */
const proxySteps: Readonly<Record<string, string>> = {
  "no proxy address":
    "Put the proxy's address where the setting proxy says, such as http://user:password@proxy:3128.",
  "proxy unreachable": "Check that the proxy runs, and that this machine reaches it.",
  "407 from the proxy":
    "Put the user and the password that the proxy accepts into its address, where the setting proxy says.",
  "refused by the proxy": "Ask the proxy's owner to allow CONNECT to V1's host and port.",
  "error of the proxy": "Read the proxy's log: it fails, or it does not reach V1.",
  "proxy slow": "Check the proxy's load, and whether it reaches V1: it may be waiting for V1.",
};

const within = ({ windowSeconds }: Facts) => describeDuration(windowSeconds);
const share = ({ bad, total }: Facts) => `${formatCount(bad)} of ${formatCount(total)}`;

/** A rate counts scheduled checks, or those that were made to confirm, too. */
const checksOf = ({ isOfAllChecks }: Facts) => (isOfAllChecks ? "checks" : "scheduled checks");

const noSince = () => [];

/** At the start of a template its name would read as a command. */
const watch = "v1watch";

const isBudgetSpent = ({ notSent }: Facts) => notSent === "budget";
/** Of what nothing was stored. */
const unstored = (facts: Facts) => (areAll(facts.endpoints) ? "" : ` of ${where(facts)}`);

const uncounted = ({ hasCovered }: Facts): string[] =>
  hasCovered ? ["Checks inside other incidents, and responses that are not V1's, are not counted."] : [];

/** The end of a share: the last bad check. Its numbers are those of an earlier message. */
const endOfShare =
  (normal: string, last: string): NonNullable<RuleText["ended"]> =>
  (facts, at) => ({
    titles: [
      `${normal} on ${where(facts)}; the ${last} was at ${timeText(facts.lastBadAt, at)}`,
      `${normal} on ${where(facts)}; ${last} at ${timeText(facts.lastBadAt, at)}`,
      `${normal} on ${where(facts)}; ${last} on ${dayWords(facts.lastBadAt, at)}`,
      `${normal} on ${where(facts)}`,
    ],
    sentences: [`The ${last} was at ${timeText(facts.lastBadAt, at)}.`, ...uncounted(facts)],
  });

const isOnly401 = ({ responses = {} }: Facts) => Object.keys(responses).join() === "401";
const gotWhat = (facts: Facts) =>
  facts.rule === "unauthorized-rate" && isOnly401(facts) ? "got 401" : "failed";

const rate = (normal: string): RuleText => ({
  title: (facts) =>
    `${share(facts)} ${checksOf(facts)} of ${where(facts)} ${gotWhat(facts)} in ${within(facts)}`,
  facts: uncounted,
  since: noSince,
  counted: "failed",
  ended: endOfShare(normal, "last failure"),
  impact: () =>
    "Some calls failed in this time: consumers that do not retry may have shown missing or wrong values.",
  steps: () => [
    "Check that consumers retry, and what they show when every retry fails.",
    "Compare from another network.",
    outlook,
  ],
});

type Drift = "breaking-drift" | "partial-drift";

const findingLine = (finding: DriftFact) =>
  `${finding.path}: ${describeFinding(finding)}${ofWholeResponse.has(finding.kind) ? "" : ` in ${formatCount(finding.records)} of ${plural(finding.ofRecords, "record")}`}; ${describeImpact(finding)}.`;

/** Endpoints may show the same. */
const findingLines = ({ findings, findingsOmitted = 0 }: FactsOf<Drift>) => [
  ...new Set(findings.slice(0, 8).map(findingLine)),
  ...(findings.length + findingsOmitted > 8
    ? [`${plural(findings.length + findingsOmitted - 8, "further change")}.`]
    : []),
];
/** "Deprecation, Warning 299", or each with its endpoints where they differ. */
function noticesText({ notices, noticesOf }: FactsOf<"deprecation">): string {
  if (!noticesOf) return notices.join(", ");
  const who = (notice: string) => endpointIds.filter((endpoint) => noticesOf[endpoint]?.includes(notice));
  return notices.map((notice) => `${notice} on ${whereText(who(notice))}`).join("; ");
}

const maxFieldName = 20;
/** The name of the field, where all differences are in one. */
function fields({ findings, findingsOmitted = 0 }: FactsOf<Drift>): string {
  const names = new Set(findings.map(({ path }) => path.slice(path.lastIndexOf(".") + 1)));
  const [name = ""] = names;
  return names.size === 1 && findingsOmitted === 0 && /^\w+$/.test(name) && name.length <= maxFieldName
    ? name
    : plural(findings.length + findingsOmitted, "field");
}

/** Differences in what a field is; in a type, and in a field that is not there, they are of their own. */
const shapeKinds: ReadonlySet<string> = new Set(["missing", "retyped", "format", "non-integer"]);

/** "changed the type of score", "left out 2 fields" */
function changeText(facts: FactsOf<Drift>, isPast: boolean): string {
  const { findings, findingsOmitted = 0 } = facts;
  const isEvery = (isIt: (kind: string) => boolean) =>
    findingsOmitted === 0 && findings.length > 0 && findings.every(({ kind }) => isIt(kind));
  if (isEvery((kind) => kind === "missing")) return `${isPast ? "left" : "leaves"} out ${fields(facts)}`;
  const changed = isPast ? "had changed" : "changed";
  if (isEvery((kind) => kind === "retyped")) return `${changed} the type of ${fields(facts)}`;
  if (isEvery((kind) => shapeKinds.has(kind))) return `${changed} the shape of ${fields(facts)}`;
  return `${changed} ${fields(facts)}`;
}

/** A finding of the response as a whole has no records to count. */
const ofWholeResponse: ReadonlySet<string> = new Set(["pagination", "order", "content-type", "envelope"]);

/** The field that dates a record, by the contract. */
const dateField = ({ endpoints: [first = endpointIds[0]] }: Facts) =>
  endpoints[first].timestamps[0]?.split(".").at(-1) ?? "its date";

const { nouns } = api.sample;
const sampleCount = ({ samples }: FactsOf<"sublist-empty">) =>
  plural(samples, `sample ${nouns.one}`, `sample ${nouns.many}`);

const variantWords = {
  authenticated: "requests with the key",
  anonymous: "requests without a key",
  "by-other-id": `requests by ${api.sample.otherId?.nouns.one ?? "another id"}`,
  "unknown-id": "requests for an unknown id",
  keyword: "searches by keyword",
  "second-page": "requests for the second page",
  "bad-key": "requests with an invalid key",
} as const;

/** "3 checks of all 3 endpoints from 02:50 UTC to 02:55 UTC": checks that were due and not sent. */
const unsent = (facts: Facts, at: string) =>
  `${plural(facts.bad, "check")} of ${where(facts)} ${spanText(facts.firstBadAt, facts.lastBadAt, at)}`;
const was = ({ bad }: Facts) => (bad === 1 ? "was" : "were");

const expectedWithin = ({ limitSeconds }: Facts) =>
  limitSeconds === undefined ? "" : `; one is expected within ${describeDuration(limitSeconds)}`;

const isExpired = ({ daysLeft }: FactsOf<"certificate">) => daysLeft < 0;

/** "V1 is not checked", "passport was not checked" */
function notChecked(facts: Facts, isPast: boolean): string {
  const isV1 = areAll(facts.endpoints);
  const areMany = !isV1 && facts.endpoints.length > 1;
  const verb = isPast ? (areMany ? "were" : "was") : areMany ? "are" : "is";
  return `${isV1 ? "V1" : where(facts)} ${verb} not checked`;
}

const unknownState = ({ endpoints: names }: Facts) =>
  `The state of V1 is unknown${areAll(names) ? "" : " there"}.`;

const warning = <Rule extends RuleId>(
  title: RuleText<Rule>["title"],
  facts: RuleText<Rule>["facts"],
  impact: string | RuleText<Rule>["impact"],
  steps: readonly string[],
): RuleText<Rule> => ({
  title,
  facts,
  impact: typeof impact === "string" ? () => impact : impact,
  steps: () => steps,
});

export const ruleTexts: { readonly [Rule in RuleId]: RuleText<Rule> } = {
  ...failureTexts,
  "error-rate": rate("The error rate is normal again"),
  "unauthorized-rate": rate("The rate of 401s is normal again"),
  "anonymous-refused": {
    ...warning<"anonymous-refused">(
      (facts, isPast) =>
        isPartial(facts)
          ? `V1 ${isPast ? "refused" : "has refused"} ${share(facts)} anonymous checks on ${where(facts)}`
          : `V1 ${isPast ? "refused" : "refuses"} anonymous requests on ${where(facts)}`,
      () => [],
      "Consumers that call V1 without a key are refused.",
      ["Find the consumers that send no key, and give them one."],
    ),
    counted: "were refused",
  },
  ...sunsetTexts,
  deprecation: {
    ...warning<"deprecation">(
      (facts, isPast) => `V1 ${isPast ? "announced" : "announces"} its deprecation on ${where(facts)}`,
      (facts) => [`V1 sends ${noticesText(facts)}.`],
      "V1 announces its deprecation. This alone does not say when it will be removed.",
      ["Run the command below, and follow the links in its headers, if there are any.", outlook],
    ),
    counted: "announced it",
    good: "without it",
  },
  "recurring-outages": {
    ...warning<"recurring-outages">(
      (facts, isPast) =>
        `V1 ${isPast ? "had" : "has"} recurring outages on ${where(facts)}: ${plural(facts.windows.length, "window")}`,
      (facts) => [
        ...facts.windows.map(
          ({ after, firstBad, lastBad, firstGood }) =>
            `An outage began ${betweenText(after, firstBad, "")} and ended ${betweenText(lastBad, firstGood ?? lastBad, "")}.`,
        ),
        ...(facts.next
          ? [
              `It recurs ${facts.pattern ?? "with the same bounds"}. The next one is expected to begin ${betweenText(facts.next.after, facts.next.from, "")}${facts.next.until ? ` and to be over at ${momentText(facts.next.until)}` : ""}.`,
            ]
          : []),
        `${formatCount(facts.bad)} of ${plural(facts.total, "check")} in these outages failed.`,
      ],
      `The same endpoints fail at the same hour: maintenance, a brownout ahead of the shutdown, or a scheduled job. ${zeros}`,
      [
        "Ask V1's provider what happens at this hour.",
        "If it is planned, add it to `maintenance` in the configuration.",
        "Move what cannot tolerate these outages to V2 first.",
      ],
    ),
    ended: (facts, at) => ({
      titles: [`Two of the recurring outages on ${where(facts)} did not come`],
      sentences: [
        `V1 was up in the last two windows in which an outage was expected. There were ${plural(facts.windows.length, "outage")}; the last failure was at ${timeText(facts.lastBadAt, at)}.`,
      ],
    }),
  },
  "breaking-drift": warning(
    (facts, isPast) => `V1 ${changeText(facts, isPast)} on ${where(facts)}`,
    findingLines,
    "V1 no longer answers as its document says, and code written for it may break.",
    [
      "Find the code that reads these fields.",
      "Run `v1watch status drift` to see since when each field has differed, and how often.",
    ],
  ),
  "partial-drift": {
    title: (facts) => {
      const { findings, responses } = facts;
      if (findings.length === 0)
        return `${share(facts)} responses of ${where(facts)} are not V1's: ${responsesText(facts)}`;
      // A field is no difference of responses that are not V1's.
      if (Object.keys(responses).length > 1)
        return `${share(facts)} responses of ${where(facts)} are not as documented`;
      return `V1 ${changeText(facts, false)} in ${share(facts)} checks on ${where(facts)}`;
    },
    facts: (facts) => [...uncounted(facts), ...findingLines(facts)],
    since: noSince,
    counted: "differed from V1's document",
    ended: endOfShare("All responses are as documented again", "last other one"),
    impact: () => "Some responses differ: a canary, or one of several servers. A retry may not help.",
    steps: () => ["Find the code that reads these fields.", "Expect the change in all responses soon."],
  },
  "sublist-empty": warning(
    (facts, isPast) =>
      `V1 ${isPast ? "returned" : "returns"} no ${nounsOf(facts).many} for ${sampleCount(facts)}`,
    (facts) => [`${sampleCount(facts)} had ${nounsOf(facts).many} before.`],
    (facts) => `Consumers show no ${nounsOf(facts).many} for people who have some.`,
    [curlFirst, "Show the last good values, or say that there are none now."],
  ),
  "equal-scores": warning(
    (_, isPast) => `V1's scores ${isPast ? "were" : "are"} the same for nearly all records`,
    (facts) => [
      `${formatCount(facts.equalRecords)} of ${plural(facts.records, "record")} have the same score.`,
    ],
    "The scores are probably a constant and not data.",
    ["Stop writing V1's values into your own store.", curlFirst],
  ),
  "scores-jumped": warning(
    (facts, isPast) =>
      `V1's median score ${isPast ? "had gone" : "went"} from about ${facts.medianScoreBefore} to ${facts.medianScore}`,
    (facts) => [
      `The median score of the list's first page is about ${facts.medianScore}; the day before it was about ${facts.medianScoreBefore}.`,
    ],
    "Scores are on another scale, or are calculated in another way: thresholds in consumers no longer fit.",
    ["Compare a few scores with stored ones.", curlFirst],
  ),
  "data-shrinking": warning(
    (facts, isPast) =>
      `V1's list ${isPast ? "had shrunk" : "shrank"} from ${formatCount(facts.recordsBefore)} to ${plural(facts.records, "record")}`,
    (facts) => [
      `The list's total is ${formatCount(facts.records)}; it was ${formatCount(facts.recordsBefore)} on ${facts.recordsBeforeAt.slice(0, 10)}.`,
    ],
    "Data was removed, or V1 is being emptied: people are missing from lists and searches.",
    ["Do not let a sync delete what V1 no longer lists.", curlFirst],
  ),
  "duplicate-records": warning(
    (facts, isPast) =>
      facts.isOnTwoPages
        ? `V1's second page ${isPast ? "repeated" : "repeats"} ${plural(facts.duplicates, "record")} of the first`
        : `V1's list ${isPast ? "had" : "has"} ${plural(facts.duplicates, "record")} more than once`,
    (facts) => [
      `${plural(facts.duplicates, "record")} ${facts.duplicates === 1 ? "occurs" : "occur"} more than once.`,
    ],
    "Anything that counts or imports the list gets some records twice, and may miss others.",
    ["Make imports identify records by their id, not by their position.", curlFirst],
  ),
  "null-fields": warning(
    (facts, isPast) =>
      `V1 ${isPast ? "returned" : "returns"} null for ${listSome(facts.nullFields.map(({ path }) => path.split(".").at(-1) ?? path))}, which had values before`,
    (facts) => [
      ...facts.nullFields.map(
        ({ path, nulls, of }) => `${path}: null in ${formatCount(nulls)} of ${plural(of, "record")}.`,
      ),
    ],
    "Code that reads these fields gets null where there has always been a value.",
    ["Find the code that reads these fields.", curlFirst],
  ),
  "wrong-record": {
    title: (facts) => `V1 returned the wrong record in ${share(facts)} checks of ${where(facts)}`,
    facts: uncounted,
    since: noSince,
    counted: "got another record",
    ended: endOfShare("V1 returns the requested record again", "last wrong one"),
    impact: () => "People see somebody else's data, and consumers may store it under the wrong id.",
    steps: () => [
      "Stop writing V1's values into your own store.",
      "Tell V1's provider. A broken cache can do this.",
    ],
  },
  "variant-changed": warning(
    (facts, isPast) =>
      `V1 ${isPast ? "answered" : "answers"} ${variantWords[facts.variant]} differently on ${where(facts)} (${facts.lastResponse})`,
    () => [],
    "Code that relies on this behaviour, which V1's document does not describe, may break.",
    [curlFirst, "Find the code that makes such requests."],
  ),
  "dates-without-values": warning(
    (_, isPast) => `V1's dates ${isPast ? "moved while its scores did" : "move while its scores do"} not`,
    (facts, at) => [
      `${plural(facts.movedRecords, "date")} of records moved from ${timeText(facts.firstBadAt, at)} to ${timeText(facts.lastBadAt, at)}; ${formatCount(facts.changedRecords)} of them with another score.`,
    ],
    "The records look fresh, and their scores are likely no longer calculated.",
    ["Tell the owners of everything that shows these scores.", outlook],
  ),
  "dates-always-now": warning(
    (_, isPast) => `V1's dates ${isPast ? "were" : "are"} always the time of the response`,
    (facts) => [
      `At least half of ${plural(facts.records, "date")} are younger than ${describeDuration(facts.limitSeconds)} in each of them.`,
    ],
    (facts) => `${dateField(facts)} tells nothing about the age of the data any more.`,
    ["Do not use these dates as a sign of fresh data."],
  ),
  "future-dates": warning(
    (facts, isPast) => `V1 ${isPast ? "had" : "has"} dates in the future on ${where(facts)}`,
    (facts) => [`The last of these checks had ${plural(facts.records, "record")} with such a date.`],
    "v1watch never counts a date in the future as the newest.",
    [curlFirst],
  ),
  "partly-frozen": {
    ...warning<"partly-frozen">(
      (facts, isPast) =>
        `${formatCount(facts.stillRecords)} of ${formatCount(facts.records)} records on V1's first page ${isPast ? "were" : "are"} no longer recalculated`,
      (facts, at) => [
        `${formatCount(facts.stillRecords)} of ${plural(facts.records, "record")} of the list's first page have not been recalculated since ${facts.stillSince.slice(0, 10)}, by the check at ${timeText(facts.lastBadAt, at)}.`,
      ],
      "The scores of some people no longer change; nothing looks broken.",
      ["Tell the owners of everything that shows these scores.", outlook],
    ),
    since: ({ stillSince }, at) => [dayWords(stillSince, at)],
  },
  frozen: {
    ...warning<"frozen">(
      (facts, isPast) =>
        `V1's data ${isPast ? "was" : "is"} frozen: no record ${isPast ? "was" : "is"} newer than ${momentText(facts.newestDate)}`,
      (facts, at) => [
        `The newest ${dateField(facts)} in the list is ${momentText(facts.newestDate)}. At ${timeText(facts.lastBadAt, at)} it had not changed for ${describeDuration(facts.standsStillSeconds)}; the limit is ${describeDuration(facts.limitSeconds)}.`,
        facts.longestGapSeconds === undefined
          ? "How long it usually takes is not known yet."
          : `Before that, it changed at least once every ${describeDuration(facts.longestGapSeconds)}.`,
      ],
      "V1 answers, but it has stopped recalculating the records in its list: scores no longer change, and nothing looks broken.",
      ["Tell the owners of everything that shows these scores.", outlook],
    ),
    since: noSince,
  },
  "date-jumped-back": {
    ...warning<"date-jumped-back">(
      (facts, isPast) =>
        `V1's newest date ${isPast ? "had jumped" : "jumped"} back to ${facts.newestDate.slice(0, 10)}`,
      (facts) => [
        `The newest date of the list is ${momentText(facts.newestDate)}; it was ${momentText(facts.previousNewestDate)}.`,
      ],
      "V1 serves older data than before: a restored backup, or another source.",
      [curlFirst, "Do not overwrite newer values with these."],
    ),
    ended: (facts, at) => ({
      titles: ["V1's newest date is less than a day behind again"],
      sentences: [
        ...rowLines(facts, { counted: "were more than a day behind", good: "good" }, at, true),
        `It had jumped back from ${momentText(facts.previousNewestDate)}.`,
      ],
    }),
  },
  slow: {
    ...warning<"slow">(
      (facts, isPast) =>
        `V1 ${isPast ? "was" : "is"} slow on ${where(facts)} (${formatCount(facts.latencyMs)} ms)`,
      (facts) => [
        `The slowest of the latest ones took ${formatCount(facts.latencyMs)} ms${facts.usualLatencyMs === undefined ? "" : `; ${formatCount(facts.usualLatencyMs)} ms is usual`}.`,
      ],
      "Apps that wait for V1 hang, and clients with short timeouts fail.",
      ["Check the timeouts of the code that calls V1.", curlFirst],
    ),
    counted: "were slow",
  },
  certificate: {
    title: (facts, isPast) =>
      `V1's certificate ${isExpired(facts) ? (isPast ? "had expired" : "expired") : isPast ? "was to expire" : "expires"} on ${facts.expiresAt.slice(0, 10)}`,
    facts: (facts) => [
      isExpired(facts)
        ? certificateText(facts.expiresAt, facts.lastBadAt)
        : `V1's certificate is valid until ${momentText(facts.expiresAt)}: ${plural(facts.daysLeft, "day")} left.`,
    ],
    impact: (facts) =>
      isExpired(facts)
        ? "Every client that checks certificates fails."
        : "After that day every client that checks certificates fails.",
    steps: (facts) =>
      isExpired(facts)
        ? ["Ask V1's owner to renew it."]
        : ["Ask V1's owner whether it will be renewed.", "Be ready for V1 to fail on that day."],
  },
  budget: warning(
    (facts) =>
      facts.isReserveSpent
        ? "v1watch has spent its reserve of requests for confirmation"
        : "v1watch has nearly spent its request budget",
    (facts) => [
      `${formatCount(facts.requestsLeft)} of ${formatCount(facts.requestsPerMonth)} requests are left this month.`,
      ...(facts.isReserveSpent
        ? ["The rest is kept for scheduled checks: a failure is reported within an hour, not within minutes."]
        : []),
    ],
    "v1watch checks less often until the month ends, so that it does not exhaust the key.",
    [
      "Run `v1watch config` to see what the cadence costs.",
      "Raise budget.monthlyRequests if the key allows it.",
    ],
  ),
  "no-secret": warning(
    (facts, isPast) => `v1watch ${isPast ? "had" : "has"} no API key: ${notChecked(facts, isPast)}`,
    (facts, at) => [`${unsent(facts, at)} could not be made: the key's source holds no key.`],
    unknownState,
    ["Put the key where the configuration says, or correct the configuration: `v1watch config`."],
  ),
  "address-refused": warning(
    (facts, isPast) => `v1watch ${isPast ? "refused" : "refuses"} V1's address: ${notChecked(facts, isPast)}`,
    (facts, at) => [
      `${unsent(facts, at)} ${was(facts)} not sent: baseUrl is an address that v1watch does not call (loopback, private or link-local).`,
    ],
    unknownState,
    [
      "If V1 runs on this machine, start v1watch with --allow-loopback.",
      "If V1 is in a private network, name its range in allowPrivateNetworks.",
      "Otherwise correct baseUrl.",
    ],
  ),
  "proxy-failed": {
    ...warning<"proxy-failed">(
      (facts, isPast) =>
        `v1watch ${isPast ? "got" : "gets"} no connection from its proxy: ${notChecked(facts, isPast)}`,
      (facts, at) => [
        `${unsent(facts, at)} ${was(facts)} not sent through the proxy: ${responsesText(facts)}.`,
      ],
      unknownState,
      [],
    ),
    steps: ({ responses }) => [
      ...Object.entries(proxySteps).flatMap(([cause, step]) => (responses[cause] ? [step] : [])),
      "See which proxy is used: `v1watch config`. Check it from this machine: `curl -v --proxy PROXY V1`.",
    ],
  },
  "no-sample": warning(
    (facts, isPast) =>
      `v1watch ${isPast ? "had" : "has"} no ${api.sample.nouns.one} to request: ${where(facts)} ${isPast ? "was" : "is"} not checked`,
    (facts, at) => [
      `${unsent(facts, at)} had no sample. The list is served, but none of its records can be requested.`,
    ],
    "The state of V1 is unknown there.",
    [
      `Name ${api.sample.nouns.many} that exist in samples.ids.`,
      "Check whether the list's ids have changed: `v1watch status drift`.",
    ],
  ),
  silent: {
    ...warning<"silent">(
      (facts, isPast) =>
        `v1watch ${isPast ? "did" : "does"} not check ${where(facts)}${isBudgetSpent(facts) ? ": the request budget is spent" : ""}`,
      (facts, at) =>
        isBudgetSpent(facts)
          ? [`${unsent(facts, at)} ${was(facts)} due and not sent: the month's requests are spent.`]
          : [
              `The last check of ${where(facts)} was at ${timeText(facts.lastBadAt, at)}${expectedWithin(facts)}. Nothing${unstored(facts)} has been stored since.`,
            ],
      "The state of V1 is unknown there.",
      [],
    ),
    since: (facts, at) =>
      isUnstored(facts) ? [timeText(facts.lastBadAt, at), dayWords(facts.lastBadAt, at)] : undefined,
    ended: (facts, at) => {
      const { lastBadAt, firstGoodAfterAt, comesAndGoes } = facts;
      // There may have been several gaps.
      if (!isUnstored(facts) || firstGoodAfterAt === null || comesAndGoes) return undefined;
      const span = spanText(lastBadAt, firstGoodAfterAt, at);
      const title = `${watch} did not check ${where(facts)}`;
      const seconds = (Date.parse(firstGoodAfterAt) - Date.parse(lastBadAt)) / 1_000;
      return {
        titles: [
          `${title} ${span}`,
          `${watch} stored nothing${unstored(facts)} ${span}`,
          `${title} for ${describeDuration(seconds)}`,
        ],
        sentences: [
          `Nothing${unstored(facts)} was stored ${span}: ${describeDuration(seconds)}. What V1 did in this time is unknown.`,
        ],
      };
    },
    steps: (facts) =>
      isBudgetSpent(facts)
        ? [
            "Raise budget.monthlyRequests if the key allows it: checks go on at once.",
            "Run `v1watch config` to see what the cadence costs. Without a change, checks go on with the new month (UTC).",
          ]
        : [
            "Check that the prober runs and can write its store.",
            "Check the request budget: `v1watch config`.",
            "Read its log.",
          ],
  },
  undelivered: warning(
    () => "v1watch cannot deliver its alerts",
    () => ["Alerts wait in the outbox until they are accepted."],
    "People are not notified.",
    ["Check the topic or the webhook.", "They are sent as soon as it accepts them again."],
  ),
  "rule-failed": warning(
    ({ failedParts }) =>
      `v1watch failed to evaluate ${plural(Object.keys(failedParts).length, "part")} of its assessment: ${listFailed(failedParts)}`,
    ({ failedParts }) => [
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

/** What is written about these facts. */
export type Texts = {
  title(isPast: boolean): string;
  facts(at: string): string[];
  ended(at: string): ReturnType<NonNullable<RuleText["ended"]>>;
  since(at: string): string[] | undefined;
  counted: string;
  good: string;
  impact(): string;
  steps(): readonly string[];
};

export function textsOf(facts: Facts): Texts {
  const words: RuleText = ruleTexts[facts.rule];
  if (!hasOwnFacts(facts)) return incompleteTexts(facts);
  return {
    title: (isPast) => words.title(facts, isPast),
    facts: (at) => words.facts(facts, at),
    ended: (at) => words.ended?.(facts, at),
    since: (at) => words.since?.(facts, at),
    counted: words.counted ?? "showed it",
    good: words.good ?? "good",
    impact: () => words.impact(facts),
    steps: () => words.steps(facts),
  };
}

/** Of facts that an earlier release stored without what the rule's own text needs. */
const incompleteTexts = (facts: Facts): Texts => ({
  title: (isPast) => `${facts.rule} ${isPast ? "was" : "is"} open on ${where(facts)}`,
  facts: () => ["An earlier release of v1watch stored this without the numbers that its text needs."],
  ended: () => undefined,
  since: () => undefined,
  counted: "showed it",
  good: "good",
  impact: () => "The runbook says what this rule is about.",
  steps: () => [curlFirst],
});
