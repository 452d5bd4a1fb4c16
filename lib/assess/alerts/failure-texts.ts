// What is written about the rules of the failure family: how many checks failed, what they got, and who is refused.

import { thresholds } from "../../config/thresholds.ts";
import type { Facts } from "../../records/incident.ts";
import { formatCount, plural } from "../../text.ts";
import { intervalText, spanText, timeText } from "../../time.ts";
import {
  curlFirst,
  isOver,
  outlook,
  type RuleText,
  responsesOf,
  responsesText,
  where,
  zeros,
} from "./text.ts";

const retiredAfter = `${thresholds.retiredAfterMs / 3_600_000} h`;

/** "503", or the most frequent ones where there are several. After a change of the cause only the last one counts. */
function got(facts: Facts): string {
  const labels = facts.changedAt === undefined ? responsesOf(facts).map(([label]) => label) : [];
  return labels.slice(0, 3).join(", ") || (facts.lastResponse ?? "no response");
}

/** "9 of 9 authenticated checks of all 3 endpoints failed from 02:50 to 02:55 UTC: 401." */
function failedText(facts: Facts, at: string, who = "checks"): string[] {
  const { bad, total, firstBadAt, lastBadAt, lastGoodBeforeAt, changedAt, changedAfterAt } = facts;
  const responses = responsesText(facts);
  const before =
    lastGoodBeforeAt === null
      ? "There was no good check before."
      : `The last good check before was at ${timeText(lastGoodBeforeAt, at)}.`;
  const isChanged = changedAt !== undefined && changedAt !== firstBadAt;
  return [
    `${formatCount(bad)} of ${plural(total, who.replace(/s$/, ""), who)} of ${where(facts)} failed ${spanText(firstBadAt, lastBadAt, at)}${responses ? `: ${responses}` : ""}.`,
    before,
    ...(isChanged ? [`The change came ${intervalText(changedAfterAt ?? null, changedAt, at)}.`] : []),
  ];
}

function anonymousText(facts: Facts, at: string): string[] {
  const { anonymousServed = 0, anonymousRefused = 0, anonymousBefore, firstBadAt } = facts;
  const total = anonymousServed + anonymousRefused;
  const now =
    total > 0
      ? [
          `V1 served ${formatCount(anonymousServed)} of ${plural(total, "anonymous check")} since ${timeText(firstBadAt, at)}.`,
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
  impact: string,
  steps: readonly string[],
  more: (facts: Facts, at: string) => string[] = () => [],
): RuleText => ({
  title,
  facts: (facts, at) => [
    ...failedText(facts, at, facts.anonymousServed === undefined ? "checks" : "authenticated checks"),
    ...more(facts, at),
  ],
  impact: () => impact,
  steps,
});

/** One endpoint is closed while the others are served, or all of them are. */
const removal = (title: RuleText["title"]): RuleText => ({
  ...failure(
    (facts) => `${title(facts)}${facts.scope === "api" && !isOver(facts) ? ": it may be retired" : ""}`,
    "",
    [curlFirst, "Find what reads these paths, and move it to V2 first.", outlook],
    ({ samples = 0 }) => (samples > 0 ? [`${plural(samples, "sample")} got the same response.`] : []),
  ),
  impact: ({ scope }) =>
    scope === "api"
      ? `Every documented path is closed. After ${retiredAfter} it counts as retired. ${zeros}`
      : "These paths are closed while others are served. The rest may follow.",
});

export const failureTexts = {
  down: {
    ...failure((facts) => `V1 is down on ${where(facts)} (${got(facts)})`, "", [
      curlFirst,
      "Inform the teams that read V1.",
      outlook,
    ]),
    impact: (facts) =>
      facts.scope === "api"
        ? `V1 gives no usable responses. ${zeros}`
        : `There are no usable responses of ${where(facts)}. ${zeros}`,
  },
  "key-refused": failure(
    (facts) => `V1 refuses our API key on ${where(facts)}`,
    `Our key is revoked, expired or over quota. V1 itself is up: this is no sign of its retirement. ${zeros}`,
    [
      "Check the key's status with its owner; unused keys are cancelled.",
      "Switch to the spare key: put it into V1WATCH_API_KEY.",
    ],
    anonymousText,
  ),
  "maybe-retired": {
    ...failure(
      (facts) =>
        facts.anonymousRefused === undefined
          ? "V1 refuses anonymous requests: key required now, or V1 retired"
          : facts.anonymousBefore === "served"
            ? "V1 may be retired: it refuses every request with 401"
            : "V1 refuses every request with 401: key refused or V1 retired",
      "",
      ["Check the key's status with its owner.", curlFirst, "Prepare the move to V2.", outlook],
      anonymousText,
    ),
    impact: ({ anonymousBefore }) =>
      anonymousBefore === "served"
        ? `Every request is refused. It may be a retirement; after ${retiredAfter} it counts as one. ${zeros}`
        : `Our key is refused, or V1 is retired: the checks cannot tell which. ${zeros}`,
  },
  retired: failure(
    (facts) => `V1 is retired: ${got(facts)} on ${where(facts)}`,
    `V1 has been refused or removed for ${retiredAfter}, or since its announced date. ${zeros}`,
    [curlFirst, "Switch consumers to V2, or to their last good values."],
    anonymousText,
  ),
  "quota-exhausted": failure(
    () => "V1 refuses our API key: its quota is exhausted",
    `The key's quota is used up. V1 itself is up: this is no sign of its retirement. ${zeros}`,
    [
      "Raise the key's quota, or switch to the spare key.",
      "`v1watch config` shows how many requests v1watch itself makes.",
    ],
    ({ usageCurrent, usageLimit }) =>
      usageCurrent === undefined || usageLimit === undefined
        ? ["The response headers say that the quota is exhausted."]
        : [
            `The response headers say ${formatCount(usageCurrent)} of ${formatCount(usageLimit)} requests used.`,
          ],
  ),
  "access-refused": failure(
    (facts) => `V1 refuses access to ${where(facts)} (${got(facts)})`,
    `Access is refused there. Whether the key, its permissions or the endpoint is the cause is not known. ${zeros}`,
    [curlFirst, "Ask the owner of the key for its permissions."],
    (facts, at) => (facts.anonymousBefore === undefined ? [] : anonymousText(facts, at)),
  ),
  throttled: failure(
    (facts) => `V1 throttles our requests on ${where(facts)} (429)`,
    "V1 limits our request rate. v1watch checks less often as long as V1 asks for it.",
    ["Find what else uses this key or this address.", "Lower the request rate of the consumers."],
  ),
  withdrawn: removal((facts) => `V1 has withdrawn ${where(facts)} (${got(facts)})`),
  gone: removal((facts) => `V1 is gone on ${where(facts)} (${got(facts)})`),
  "serves-v2": failure(
    (facts) => `V1 answers in V2's shape on ${where(facts)}`,
    "V1's paths are served by the next version. Fields are missing everywhere; consumers show 0, null or nothing.",
    ["Move the consumers to V2, whose shape this is.", curlFirst],
  ),
  "error-envelope": failure(
    (facts) => `V1 answers 200 with an error envelope on ${where(facts)}`,
    "The status is 200 and the body holds no data: clients that look at the status alone read nothing.",
    [curlFirst, "Treat a body without V1's container as a failure."],
  ),
  "not-json": failure(
    (facts) =>
      `V1 sends ${facts.lastResponse === "HTML" ? "HTML" : "no JSON"} with status 200 on ${where(facts)}`,
    `The status is 200 and the body is not JSON. ${zeros}`,
    [curlFirst, "Check whether a gateway or a login page answers for V1."],
  ),
  "empty-list": failure(
    () => "V1's list is empty",
    "The status is 200 and the list holds no record: lists and searches show nobody.",
    ["Do not let a sync delete what V1 no longer lists.", curlFirst],
    ({ records }) => (records === undefined ? [] : [`Its pagination says ${plural(records, "record")}.`]),
  ),
  "stub-data": failure(
    (facts) => `V1 answers with every score 0 on ${where(facts)}`,
    `V1 serves a stub in place of data: "score 0" for everybody, and no error anywhere.`,
    ["Stop writing V1's values into your own store.", "Show the last good values, or none."],
  ),
  "unsafe-response": failure(
    (facts) => `V1's responses cannot be read safely on ${where(facts)} (${got(facts)})`,
    "The bodies are too large, broken or nested too deeply; v1watch drops them unread. Clients without limits may run out of memory.",
    ["Put a size limit on what reads V1.", "Check that the address is still V1's."],
  ),
} satisfies Record<string, RuleText>;
