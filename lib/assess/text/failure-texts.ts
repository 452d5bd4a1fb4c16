// What is written about the causes of a failure: how many checks failed, what they got, and who is refused.

import type { Facts, RuleId } from "../../records/incident.ts";
import { capitalise, formatCount, plural } from "../../text.ts";
import { describeDuration, momentText, timeText } from "../../time.ts";
import { isPartial } from "../engine/partial.ts";
import { groupDates } from "../retirement-date.ts";
import { curlFirst, outlook, type RuleText, responsesOf, where, whereText, zeros } from "./text.ts";

/** "503", or the most frequent ones where there are several. */
function got(facts: Facts): string {
  const labels = responsesOf(facts).map(([label]) => label);
  return labels.slice(0, 3).join(", ") || (facts.lastResponse ?? "no response");
}

/** Whether some of the requests were served: the text gives their number and their responses then, and no cause. */
const isSomeServed = (facts: Facts): boolean => isPartial(facts);

/** Whether checks show a state of V1 with one cause. */
const isState = (facts: Facts): boolean => !isSomeServed(facts) && !facts.isMixed;

/** Each cause in a few words, for an outage that had several. */
const causeWords: Partial<Record<RuleId, string>> = {
  down: "down",
  "key-refused": "key refused",
  "maybe-retired": "every request refused (401)",
  retired: "probably retired",
  "quota-exhausted": "quota exhausted",
  "access-refused": "access refused",
  throttled: "throttled (429)",
  withdrawn: "removed (404 or a redirect)",
  gone: "gone (410)",
  "serves-v2": "V2's shape",
  "error-envelope": "another shape",
  "not-json": "no JSON",
  "empty-list": "an empty list",
  "stub-data": "stub data",
  "unsafe-response": "unsafe responses",
};

/** By the label of the last response. */
const notJsonWords: Readonly<Record<string, string>> = {
  HTML: "a web page (HTML)",
  "empty body": "an empty body",
};

const causeWord = ({ rule }: { rule: RuleId }) => causeWords[rule] ?? rule;

/** "Down from about 10:00 UTC, then key refused from about 11:30 UTC." */
export function causesText({ causes: each = [] }: Facts, at: string): string[] {
  if (each.length < 2) return [];
  // Dates with all of them where they are of several days.
  const day = each.every(({ from }) => from.slice(0, 10) === at.slice(0, 10)) ? at : "";
  const text = each
    .map((cause) => `${causeWord(cause)} from about ${timeText(cause.from, day)}`)
    .join(", then ");
  return [`${capitalise(text)}.`];
}

/** Of an outage that had several causes, no single one lasted as long as the outage. */
export const causesTitle = (facts: Facts): string | undefined => {
  const words = isSomeServed(facts) ? [] : (facts.causes ?? []).map(causeWord);
  return words.length < 2 ? undefined : `${who(facts)} failed${onAll(facts)} (${words.join(", then ")})`;
};

/** All bad checks got 429: others may have failed beside them. */
const isThrottled = (facts: Facts): boolean =>
  facts.rule === "throttled" && responsesOf(facts).every(([label]) => label === "429");

const firstText = ({ lastGoodBeforeAt }: Facts): string[] =>
  lastGoodBeforeAt === null ? ["There was no good check before it."] : [];

const redirectTargets = {
  v1: "to another path of V1",
  "other-version": "to another version, probably V2",
  login: "to a login page",
  elsewhere: "to an address that is neither V1 nor a login page",
} as const;

/** "V1's certificate expired on 2026-11-01 00:00 UTC, 18 days before the last check." */
export function certificateText(expiresAt: string | undefined, lastBadAt: string): string {
  const expired = expiresAt ?? lastBadAt;
  const length = describeDuration((Date.parse(lastBadAt) - Date.parse(expired)) / 1_000);
  return `V1's certificate expired on ${momentText(expired)}, ${length} before the last check.`;
}

/** What the response itself shows of its cause, and what V1 has announced. */
function detailText(facts: Facts): string[] {
  const { isWebPage, redirectsTo } = facts;
  return [
    ...(facts.expiresAt ? [certificateText(facts.expiresAt, facts.lastBadAt)] : []),
    ...(isWebPage
      ? [
          "The status came with a web page, not with V1's JSON: a firewall, a proxy or a new site may answer in place of V1.",
        ]
      : []),
    ...(redirectsTo ? [`The latest redirect leads ${redirectTargets[redirectsTo]}.`] : []),
    ...endText(facts),
  ];
}

/** The announced end, that of each endpoint where they differ: what is refused after it is probably retired. */
function endText(facts: Facts): string[] {
  const { announcedEnds, announcedEnd, endpoints, firstBadAt, lastBadAt, rule } = facts;
  const isRefusal = rule !== "down" && rule !== "throttled" && rule !== "key-refused" && isState(facts);
  const length = describeDuration((Date.parse(lastBadAt) - Date.parse(firstBadAt)) / 1_000);
  const ends = groupDates(announcedEnds ?? byEach(endpoints, announcedEnd));
  return ends.map(({ date, endpoints: own }) => {
    const isOver = date <= lastBadAt;
    const isAll = own.length === endpoints.length;
    const end = `announced end${isAll ? "" : ` of ${whereText(own)}`} ${isOver ? "was" : "is"} ${momentText(date)}`;
    if (!isOver || !isRefusal) return `The ${end}.`;
    return isAll
      ? `${got(facts)} on ${where(facts)} for ${length}; the ${end}: probably retired.`
      : `The ${end}: ${own.length === 1 ? "it is" : "they are"} probably retired.`;
  });
}

const byEach = (endpoints: Facts["endpoints"], end: string | undefined) =>
  end === undefined ? {} : Object.fromEntries(endpoints.map((endpoint) => [endpoint, end]));

function anonymousText(facts: Facts, at: string): string[] {
  const { anonymousServed = 0, anonymousRefused = 0, anonymousBefore, firstBadAt } = facts;
  const { anonymousSince = firstBadAt } = facts;
  const total = anonymousServed + anonymousRefused;
  const now =
    total > 0
      ? [
          `V1 served ${anonymousServed === 0 ? "none" : formatCount(anonymousServed)} of ${plural(total, "anonymous check")} since ${timeText(anonymousSince, at)}.`,
        ]
      : [];
  if (!isState(facts)) return now;
  // Where one endpoint alone refuses the key, V1 is not retired.
  const undecided = facts.scope === "api" ? ": a refused key and a retired V1 cannot be distinguished." : ".";
  if (anonymousBefore === "never-served")
    return [...now, `V1 has never served anonymous requests${undecided}`];
  if (anonymousBefore === "not-checked") return [`No anonymous check was made${undecided}`];
  return now;
}

/** "V1 has failed 30 of 41 checks on all 3 endpoints (503)": some are good or of another cause, so none is claimed for all. */
const countTitle = (facts: Facts, isPast: boolean): string => {
  const count = `${formatCount(facts.bad)} of ${plural(facts.total, "check")}`;
  const verb = isThrottled(facts) ? "throttled" : "failed";
  return `V1 ${isPast ? verb : `has ${verb}`} ${count} on ${where(facts)} (${got(facts)})`;
};

/**
 * Rules whose text says how many checks failed. What is given here is said of a state of V1: where some checks were good, or of
 * another cause, the text gives their number and what they got.
 */
const failure = (
  title: RuleText["title"],
  impact: string | RuleText["impact"],
  steps: readonly string[] | RuleText["steps"],
  more: (facts: Facts, at: string) => string[] = () => [],
): RuleText => ({
  title: (facts, isPast) => (isState(facts) ? title : countTitle)(facts, isPast),
  counted: "failed",
  facts: (facts, at) => [
    ...firstText(facts),
    ...causesText(facts, at),
    ...more(facts, at),
    ...detailText(facts),
    ...(facts.expectedUntil
      ? [
          `An outage was expected now: V1 has failed at this time before, and was back by ${timeText(facts.expectedUntil, at)}. It will page if it lasts longer.`,
        ]
      : []),
  ],
  impact: (facts) => {
    if (isSomeServed(facts))
      return "Some requests fail and others do not. Code that does not retry will fail some of the time.";
    if (facts.isMixed) return `V1 fails in several ways, and no one cause explains them. ${zeros}`;
    return typeof impact === "string" ? impact : impact(facts);
  },
  steps: (facts) => {
    if (isSomeServed(facts))
      return [curlFirst, "Check that consumers retry, and what they show when every retry fails.", outlook];
    if (facts.isMixed) return [curlFirst, "Tell the teams that use V1.", outlook];
    return typeof steps === "function" ? steps(facts) : steps;
  },
});

/** "V1's passport-list" for one endpoint, "V1" on several or on all of them. */
const isOne = ({ endpoints }: Facts) => endpoints.length === 1;
const who = (facts: Facts) => (isOne(facts) ? `V1's ${facts.endpoints[0]}` : "V1");
const onAll = (facts: Facts) => (isOne(facts) ? "" : ` on ${where(facts)}`);

/** "V1 was down on all 3 endpoints (503)" */
const title =
  (present: string, past: string, hasResponse = true): RuleText["title"] =>
  (facts, isPast) =>
    `${who(facts)} ${isPast ? past : present}${onAll(facts)}${hasResponse ? ` (${got(facts)})` : ""}`;

/** "V1 returns 410 on all 3 endpoints": one endpoint is closed while the others are up, or all of them are. */
const removal: RuleText = failure(
  (facts, isPast) => {
    const isMaybe = facts.scope === "api" && !isPast;
    return `${who(facts)} ${isPast ? "returned" : "returns"} ${got(facts)}${onAll(facts)}${isMaybe ? ": it may be retired" : ""}`;
  },
  ({ scope }) =>
    scope === "api"
      ? `No documented path works. If this lasts 24 h, v1watch reports V1 as probably retired. ${zeros}`
      : `V1 may have removed this part for good; the rest may go next. ${zeros}`,
  [curlFirst, "Find the code that calls these paths, and migrate it first.", outlook],
  ({ samples = 0 }) =>
    samples > 1
      ? [
          `${samples} different sample records got the same kind of response, so this is not just one deleted record.`,
        ]
      : [],
);

export const failureTexts = {
  down: failure(
    title("is down", "was down"),
    (facts) =>
      `${who(facts)} gives no usable responses${facts.scope === "api" ? "" : onAll(facts)}. ${zeros}`,
    ({ lastResponse, expiresAt }) => {
      if (expiresAt) return ["Ask V1's owner to renew its certificate.", "Tell the teams that use V1."];
      if (lastResponse?.endsWith(" from the proxy"))
        return [
          "Ask the proxy's owner whether the proxy reaches V1: only the proxy says that V1 cannot be reached.",
          "Request V1 from a network without the proxy.",
        ];
      return lastResponse === "no public address"
        ? [
            "If V1 is in a private network, name its range in allowPrivateNetworks.",
            "Otherwise V1's DNS entry is wrong: inform V1's provider.",
          ]
        : [curlFirst, "Tell the teams that use V1.", outlook];
    },
  ),
  "key-refused": failure(
    title("refuses our API key", "refused our API key", false),
    (facts) =>
      facts.scope === "api"
        ? `V1 refuses our key and serves requests without it: the key may be revoked, expired or over its quota. Requests without a key still work. ${zeros}`
        : `V1 serves ${where(facts)} without our key and refuses it there. ${zeros}`,
    ["Check the key's status with its owner.", "Switch to the spare key: put it into V1WATCH_API_KEY."],
    anonymousText,
  ),
  "maybe-retired": failure(
    ({ anonymousRefused, anonymousBefore }, isPast) => {
      if (anonymousRefused === undefined)
        return isPast
          ? "V1 refused anonymous requests"
          : "V1 refuses anonymous requests: key required now, or V1 retired";
      if (isPast) return "V1 refused every request (401)";
      return anonymousBefore === "served"
        ? "V1 may be retired: it refuses every request with 401"
        : "V1 refuses every request with 401: key refused or V1 retired";
    },
    ({ anonymousBefore }) =>
      anonymousBefore === "served"
        ? `Every request is refused, with and without the key. If this lasts 24 h, v1watch reports V1 as probably retired. ${zeros}`
        : `Our key is refused, or V1 is retired: the checks cannot tell which. ${zeros}`,
    ["Check the key's status with its owner.", curlFirst, "Prepare the move to V2.", outlook],
    anonymousText,
  ),
  retired: failure(
    (facts, isPast) =>
      `V1 ${isPast ? "looked retired" : "is probably retired"}: ${got(facts)} on ${where(facts)}`,
    `Nothing that V1's document describes works. ${zeros}`,
    [curlFirst, "Switch consumers to V2, or to their last good values."],
    anonymousText,
  ),
  "quota-exhausted": failure(
    (facts, isPast) =>
      `${who(facts)} ${isPast ? "refused" : "refuses"} our API key: its quota ${isPast ? "was" : "is"} exhausted${onAll(facts)}`,
    `The key's quota is used up. V1 itself is up: this is no sign of its retirement. ${zeros}`,
    [
      "Raise the key's quota, or switch to the spare key.",
      "Run `v1watch config` to see how many requests v1watch itself makes.",
    ],
    ({ usageCurrent, usageLimit }) =>
      usageCurrent === undefined || usageLimit === undefined
        ? ["The response headers say that the quota is exhausted."]
        : [
            `By the response headers, ${formatCount(usageCurrent)} of ${formatCount(usageLimit)} requests are used.`,
          ],
  ),
  "access-refused": failure(
    title("refuses access", "refused access"),
    ({ isWebPage }) =>
      isWebPage
        ? `A 403 with a web page rarely comes from an API: a firewall refuses our requests. ${zeros}`
        : `The cause may be the key, its permissions, or a rule in front of V1. ${zeros}`,
    ({ isWebPage, anonymousBefore, lastResponse = "response" }) =>
      isWebPage
        ? [
            "Run the commands below: if both print 403, it is probably a firewall.",
            "Ask V1's provider whether our address is blocked.",
          ]
        : [
            anonymousBefore === "served"
              ? `Run the commands below: if both print ${lastResponse}, the key is not the cause.`
              : "Run the commands below to see V1's response with our key and without a key.",
            "Ask the owner of the key whether its permissions were changed.",
          ],
    (facts, at) => (facts.anonymousBefore === undefined ? [] : anonymousText(facts, at)),
  ),
  throttled: failure(
    title("throttles our requests", "throttled our requests"),
    "V1 refuses our requests as too many: consumers with the same key or address may be refused, too.",
    ["Find what else uses this key or this address.", "Lower the request rate of the consumers."],
  ),
  withdrawn: removal,
  gone: removal,
  "serves-v2": failure(
    title("returns V2's shape", "returned V2's shape", false),
    (facts) =>
      `${facts.scope === "api" ? "V1's paths return" : `${where(facts)} returns`} V2's shape. Fields in V1's document are missing; consumers may show 0, null or nothing.`,
    ["Move the consumers to V2.", curlFirst],
  ),
  "error-envelope": failure(
    title("answers 200 in another shape", "answered 200 in another shape", false),
    "The status is 200 and the body is not the documented list or record: clients that check only the status take it for success.",
    [curlFirst, "Treat a 200 without V1's documented list or record as a failure."],
  ),
  "not-json": failure(
    (facts, isPast) => {
      const what = notJsonWords[facts.lastResponse ?? ""] ?? "no JSON";
      return `${who(facts)} ${isPast ? "sent" : "sends"} ${what} with status 200${onAll(facts)}`;
    },
    `The status is 200 and the body is not JSON. ${zeros}`,
    [curlFirst, "Check whether a gateway or a login page answers in place of V1."],
  ),
  "empty-list": failure(
    (_, isPast) => `V1's list ${isPast ? "was" : "is"} empty`,
    "The status is 200 and the list is empty: lists and searches show no people.",
    ["Do not let a sync delete what V1 no longer lists.", curlFirst],
    ({ records }) => (records === undefined ? [] : [`Its pagination says ${plural(records, "record")}.`]),
  ),
  "stub-data": failure(
    title("answers with every score 0", "answered with every score 0", false),
    "Every score is 0, and no error is reported: these are probably placeholders, not data.",
    ["Stop writing V1's values into your own store.", "Show the last good values, or no value."],
  ),
  "unsafe-response": failure(
    title("sends responses that cannot be read safely", "sent responses that could not be read safely"),
    "The bodies are too large, broken or nested too deeply; v1watch drops them unread. Clients without limits may run out of memory.",
    ["Put a size limit on what reads V1.", "Check that the address is still V1's."],
  ),
} satisfies Record<string, RuleText>;
