// What is written about the causes of a failure: how many checks failed, what they got, and who is refused.

import type { Facts, RuleId } from "../../records/incident.ts";
import { capitalise, formatCount, plural } from "../../text.ts";
import { describeDuration, momentText, spanText, timeText } from "../../time.ts";
import {
  causesOf,
  curlFirst,
  outlook,
  type RuleText,
  responsesOf,
  responsesText,
  where,
  zeros,
} from "./text.ts";

/** "503", or the most frequent ones where there are several. After a change of the cause only the last one counts. */
function got(facts: Facts): string {
  const labels = causesOf(facts).length === 0 ? responsesOf(facts).map(([label]) => label) : [];
  return labels.slice(0, 3).join(", ") || (facts.lastResponse ?? "no response");
}

/** Each cause in a few words, for an outage that had several. */
const causeWords: Partial<Record<RuleId, string>> = {
  down: "down",
  "key-refused": "key refused",
  "maybe-retired": "every request refused (401)",
  retired: "probably retired",
  "quota-exhausted": "quota exhausted",
  "access-refused": "access refused (403)",
  throttled: "throttled (429)",
  withdrawn: "removed (404 or a redirect)",
  gone: "gone (410)",
  "serves-v2": "V2's shape",
  "error-envelope": "an error envelope",
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
export function causesText(facts: Facts, at: string): string[] {
  // Dates with all of them where they are of several days.
  const each = causesOf(facts);
  const day = each.every(({ from }) => from.slice(0, 10) === at.slice(0, 10)) ? at : "";
  const text = each
    .map((cause) => `${causeWord(cause)} from about ${timeText(cause.from, day)}`)
    .join(", then ");
  return text === "" ? [] : [`${capitalise(text)}.`];
}

/** Of an outage that had several causes, no single one lasted as long as the outage. */
export const causesTitle = (facts: Facts): string | undefined => {
  const words = causesOf(facts).map(causeWord);
  return words.length === 0 ? undefined : `${who(facts)} failed${onAll(facts)} (${words.join(", then ")})`;
};

/** "9 of 9 authenticated checks of all 3 endpoints failed from 02:50 to 02:55 UTC: 401." */
function failedText(facts: Facts, at: string, who: string): string[] {
  const { bad, total, firstBadAt, lastBadAt, lastGoodBeforeAt } = facts;
  const responses = responsesText(facts);
  const before =
    lastGoodBeforeAt === null
      ? "There was no good check before it."
      : `The last good check before it was at ${timeText(lastGoodBeforeAt, at)}.`;
  return [
    `${formatCount(bad)} of ${plural(total, who.replace(/s$/, ""), who)} of ${where(facts)} failed ${spanText(firstBadAt, lastBadAt, at)}${responses ? `: ${responses}` : ""}.`,
    before,
    ...causesText(facts, at),
  ];
}

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
  const { isWebPage, redirectsTo, announcedEnd, firstBadAt, lastBadAt, rule } = facts;
  const isOver = announcedEnd !== undefined && announcedEnd <= lastBadAt;
  const isRefusal = rule !== "down" && rule !== "throttled" && rule !== "key-refused";
  return [
    ...(isWebPage ? ["The status came with a web page: probably a firewall or a proxy in front of V1."] : []),
    ...(facts.expiresAt ? [certificateText(facts.expiresAt, facts.lastBadAt)] : []),
    ...(redirectsTo ? [`The latest redirect leads ${redirectTargets[redirectsTo]}.`] : []),
    ...(announcedEnd && isOver && isRefusal
      ? [
          `${got(facts)} on ${where(facts)} for ${describeDuration((Date.parse(lastBadAt) - Date.parse(firstBadAt)) / 1_000)}; the announced end was ${momentText(announcedEnd)}: probably retired.`,
        ]
      : announcedEnd
        ? [`The announced end ${isOver ? "was" : "is"} ${momentText(announcedEnd)}.`]
        : []),
  ];
}

function anonymousText(facts: Facts, at: string): string[] {
  const { anonymousServed = 0, anonymousRefused = 0, anonymousBefore, firstBadAt } = facts;
  const total = anonymousServed + anonymousRefused;
  const now =
    total > 0
      ? [
          `V1 served ${anonymousServed === 0 ? "none" : formatCount(anonymousServed)} of ${plural(total, "anonymous check")} since ${timeText(firstBadAt, at)}.`,
        ]
      : [];
  if (anonymousBefore === "never-served")
    return [
      ...now,
      "Anonymous requests were never served: a refused key and a retired V1 cannot be distinguished.",
    ];
  if (anonymousBefore === "not-checked")
    return ["No anonymous check was made: a refused key and a retired V1 cannot be distinguished."];
  return now;
}

/** Rules whose text says how many checks failed. */
const failure = (
  title: RuleText["title"],
  impact: string | RuleText["impact"],
  steps: readonly string[] | RuleText["steps"],
  more: (facts: Facts, at: string) => string[] = () => [],
): RuleText => ({
  title,
  counted: "failed",
  facts: (facts, at) => [
    ...failedText(facts, at, facts.anonymousServed === undefined ? "checks" : "authenticated checks"),
    ...more(facts, at),
    ...detailText(facts),
    ...(facts.expectedUntil
      ? [
          `An outage was expected now: it is a recurring window that ends at about ${timeText(facts.expectedUntil, at)}. It becomes a page if it lasts longer.`,
        ]
      : []),
  ],
  impact: typeof impact === "string" ? () => impact : impact,
  steps: typeof steps === "function" ? steps : () => steps,
});

/** "V1" for the API, "V1's passport-list" for an endpoint. */
const who = (facts: Facts) => (facts.scope === "api" ? "V1" : `V1's ${facts.endpoints.join(" and ")}`);
const onAll = (facts: Facts) => (facts.scope === "api" ? ` on ${where(facts)}` : "");

/** "V1 was down on all 3 endpoints (503)" */
const title =
  (present: string, past: string, hasResponse = true): RuleText["title"] =>
  (facts, isPast) =>
    `${who(facts)} ${isPast ? past : present}${onAll(facts)}${hasResponse ? ` (${got(facts)})` : ""}`;

/** "V1 answers 410 on all 3 endpoints": one endpoint is closed while the others are up, or all of them are. */
const removal: RuleText = failure(
  (facts, isPast) => {
    const isMaybe = facts.scope === "api" && !isPast;
    return `${who(facts)} ${isPast ? "answered" : "answers"} ${got(facts)}${onAll(facts)}${isMaybe ? ": it may be retired" : ""}`;
  },
  ({ scope }) =>
    scope === "api"
      ? `No documented path works. After 24 h of this v1watch calls V1 retired. ${zeros}`
      : `This part of V1 may be removed while the rest is up; the rest may follow. ${zeros}`,
  [curlFirst, "Find the code that calls these paths, and move it to V2 first.", outlook],
  ({ samples = 0 }) =>
    samples > 1
      ? [`${samples} different sample records got the same response: it is not one deleted record.`]
      : [],
);

export const failureTexts = {
  down: failure(
    title("is down", "was down"),
    (facts) =>
      facts.scope === "api"
        ? `V1 gives no usable responses. ${zeros}`
        : `${who(facts)} gives no usable responses. ${zeros}`,
    ({ lastResponse, expiresAt }) => {
      if (expiresAt) return ["Ask V1's owner to renew its certificate.", "Inform the teams that use V1."];
      return lastResponse === "no public address"
        ? [
            "If V1 is in a private network, name its range in allowPrivateNetworks.",
            "Otherwise V1's DNS entry is wrong: inform V1's provider.",
          ]
        : [curlFirst, "Inform the teams that use V1.", outlook];
    },
  ),
  "key-refused": failure(
    title("refuses our API key", "refused our API key", false),
    `Our key is revoked, expired or over quota. V1 itself is up: this is no sign of its retirement. ${zeros}`,
    [
      "Check the key's status with its owner. V1's provider cancels keys that are not used.",
      "Switch to the spare key: put it into V1WATCH_API_KEY.",
    ],
    anonymousText,
  ),
  "maybe-retired": failure(
    ({ anonymousRefused, anonymousBefore }, isPast) => {
      if (anonymousRefused === undefined)
        return `V1 ${isPast ? "refused" : "refuses"} anonymous requests: key required now, or V1 retired`;
      if (anonymousBefore === "served")
        return isPast
          ? "V1 refused every request (401)"
          : "V1 may be retired: it refuses every request with 401";
      return `V1 ${isPast ? "refused" : "refuses"} every request with 401: key refused or V1 retired`;
    },
    ({ anonymousBefore }) =>
      anonymousBefore === "served"
        ? `Every request is refused, with and without the key. After 24 h of this v1watch calls V1 retired. ${zeros}`
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
      `${who(facts)} ${isPast ? "refused" : "refuses"} our API key: its quota ${isPast ? "was" : "is"} exhausted`,
    `The key's quota is used up. V1 itself is up: this is no sign of its retirement. ${zeros}`,
    [
      "Raise the key's quota, or switch to the spare key.",
      "`v1watch config` shows how many requests v1watch itself makes.",
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
        : `The cause is not known: the key, its permissions, or a rule in front of V1. ${zeros}`,
    ({ isWebPage }) =>
      isWebPage
        ? [
            "Run the commands below: the same 403 with and without the key is probably a firewall.",
            "Ask V1's provider whether our address is blocked.",
          ]
        : [
            "Run the commands below: the same 403 without the key is not about the key.",
            "Ask the owner of the key whether its permissions were changed.",
          ],
    (facts, at) => (facts.anonymousBefore === undefined ? [] : anonymousText(facts, at)),
  ),
  throttled: failure(
    title("throttles our requests", "throttled our requests"),
    "V1 limits our request rate. v1watch checks less often while V1 asks for it.",
    ["Find what else uses this key or this address.", "Lower the request rate of the consumers."],
  ),
  withdrawn: removal,
  gone: removal,
  "serves-v2": failure(
    title("answers in V2's shape", "answered in V2's shape", false),
    (facts) =>
      `${facts.scope === "api" ? "V1's paths are" : `The path of ${where(facts)} is`} served by V2. Fields that V1 documents are missing; consumers show 0, null or nothing.`,
    ["Move the consumers to V2, whose shape this is.", curlFirst],
  ),
  "error-envelope": failure(
    title("answers 200 with an error envelope", "answered 200 with an error envelope", false),
    "The status is 200 and the body holds no data: clients that look at the status alone read nothing.",
    [curlFirst, "Treat a body without V1's container as a failure."],
  ),
  "not-json": failure(
    (facts, isPast) => {
      const what = notJsonWords[facts.lastResponse ?? ""] ?? "no JSON";
      return `${who(facts)} ${isPast ? "sent" : "sends"} ${what} with status 200${onAll(facts)}`;
    },
    `The status is 200 and the body is not JSON. ${zeros}`,
    [curlFirst, "Check whether a gateway or a login page answers for V1."],
  ),
  "empty-list": failure(
    (_, isPast) => `V1's list ${isPast ? "was" : "is"} empty`,
    "The status is 200 and the list holds no record: lists and searches show nobody.",
    ["Do not let a sync delete what V1 no longer lists.", curlFirst],
    ({ records }) => (records === undefined ? [] : [`Its pagination says ${plural(records, "record")}.`]),
  ),
  "stub-data": failure(
    title("answers with every score 0", "answered with every score 0", false),
    `V1 serves placeholders instead of data: score 0 for everybody, and no error anywhere.`,
    ["Stop writing V1's values into your own store.", "Show the last good values, or no value."],
  ),
  "unsafe-response": failure(
    title("sends responses that cannot be read safely", "sent responses that could not be read safely"),
    "The bodies are too large, broken or nested too deeply; v1watch drops them unread. Clients without limits may run out of memory.",
    ["Put a size limit on what reads V1.", "Check that the address is still V1's."],
  ),
} satisfies Record<string, RuleText>;
