// What is said about each cause: one row a cause, plain words, no more than someone can act on at 3 a.m.
import { endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Cause, Incident } from "../../records/incident.ts";
import { endOf } from "../incidents.ts";
import { describeDuration } from "./text.ts";

export type CauseWords = {
  /** ASCII, and short enough for a subject; a detail such as a date follows a colon. */
  title(incident: Incident): string;
  /** The conclusion, after the evidence. */
  so: string;
  users: string;
  todo: readonly string[];
};

const where = ({ endpoints: affected }: Incident) =>
  affected.length === 0 || affected.length === endpointIds.length ? "all endpoints" : affected.join(", ");

const zeros = `consumers that turn a failed call into 0 or [] now show "score 0"`;
const curlFirst = "Run the line below and see whether it is so for you too.";

export const causeWords: Record<Cause, CauseWords> = {
  down: {
    title: (incident) => `V1 is down (${incident.class}) on ${where(incident)}`,
    so: "V1 does not give usable answers. Whether it comes back is not known: it is unsupported.",
    users: zeros,
    todo: [
      curlFirst,
      "Tell the teams that read V1.",
      "Look at `v1watch outlook`: it may be a brownout ahead of retirement.",
    ],
  },
  slow: {
    title: (incident) => `V1 is slow on ${where(incident)}`,
    so: "V1 answers, but so late that clients with short timeouts fail.",
    users: "pages that wait for V1 hang or show nothing",
    todo: ["Check the timeouts of what reads V1.", curlFirst],
  },
  "access/key-revoked": {
    title: () => "V1 refuses our key with 401",
    so: "our key is revoked, expired or wrong. If requests without a key are served, V1 itself is alive.",
    users: zeros,
    todo: [
      "Ask whoever manages the key whether it was changed or cancelled; unused keys are.",
      "Put the new key where v1watch and your services read it.",
    ],
  },
  "access/quota-exhausted": {
    title: () => "V1 authenticated requests get 401: quota exhausted",
    so: "our key's quota is used up. V1 itself is alive, and this is not its retirement.",
    users: zeros,
    todo: [
      "Raise the key's quota, or switch to the spare key.",
      "Find who spent it: `v1watch config` shows how many requests v1watch itself makes.",
    ],
  },
  "access/key-mandatory": {
    title: () => "V1 answers 401 to requests without a key",
    so: "V1 no longer serves requests without a key.",
    users: "consumers that call V1 without a key are refused",
    todo: ["Find the consumers that send no key, and give them one."],
  },
  "access/retired-by-401": {
    title: () => "V1 answers 401 to everybody",
    so: "V1 refuses requests with a key and without: a way in which APIs are retired.",
    users: zeros,
    todo: [curlFirst, "Start the move to V2 now: `v1watch outlook` says what is known of V1's end."],
  },
  "access/endpoint-withdrawn": {
    title: (incident) => `V1 has withdrawn ${where(incident)}`,
    so: "one endpoint is closed while the others live. The rest may follow.",
    users: "what needs this endpoint shows nothing; the rest works",
    todo: [curlFirst, "Find what reads this endpoint, and move it first."],
  },
  "drift/breaking": {
    title: (incident) => `V1 changed the shape of ${where(incident)}`,
    so: "V1 no longer answers as its document says, and code written for it breaks.",
    users: "depends on the field: see the evidence",
    todo: [
      "Find the code that reads these fields.",
      "`v1watch drift` shows when it began and how often it is so.",
    ],
  },
  "data/frozen": {
    title: () => "V1's data has stopped moving",
    so: "V1 answers, but nothing in it is recalculated any more.",
    users: "scores that no longer change; nothing looks broken",
    todo: [
      "Tell the owners of what shows these scores.",
      "Look at `v1watch outlook`: frozen data often comes before the end.",
    ],
  },
  "data/stub-data": {
    title: (incident) =>
      `V1 answers 200 with ${incident.class === "no record" ? "no record" : "every score 0"}`,
    so: "V1 is a stub: it looks alive and has no data.",
    users: `"score 0" or nothing for everybody, and no error anywhere`,
    todo: ["Stop writing what V1 says now into your own store.", "Show the last good values, or none."],
  },
  "data/serves-v2": {
    title: () => "V1 answers in the shape of V2",
    so: "the old version is quietly gone: its paths are served by the next one.",
    users: "fields are missing everywhere; consumers show 0, null or nothing",
    todo: ["Move the consumers to V2, whose shape this is.", curlFirst],
  },
  "data/data-shrinking": {
    title: () => "V1's list has lost most of its records",
    so: "the list is much shorter than it was. Either data was removed or V1 is being emptied.",
    users: "people are missing from lists and searches",
    todo: [curlFirst, "Do not let a sync delete what V1 no longer lists."],
  },
  "retirement/announced": {
    title: (incident) => `V1 announces its end: ${incident.class}`,
    so: "V1's own headers name the day on which it may be removed.",
    users: "nothing yet",
    todo: ["Plan the move to V2 against this date.", "`v1watch outlook` shows how sure it is, and why."],
  },
  "retirement/brownout": {
    title: () => "V1's outages look like announced brownouts",
    so: "V1 was switched off for round hours and came back: this is how a removal is rehearsed.",
    users: zeros,
    todo: [
      "Expect the next window: `v1watch outlook` names it.",
      "Move what matters to V2 before the last one.",
    ],
  },
  "retirement/date-passed": {
    title: (incident) => `V1 answers beyond its announced end: ${incident.class}`,
    so: "the announced date has passed, and V1 lives on borrowed time. It may end at any hour.",
    users: "nothing yet",
    todo: ["Treat every day as the last one.", "Finish the move to V2."],
  },
  "retirement/gone": {
    title: (incident) => `V1 is gone (${incident.class}) on ${where(incident)}`,
    so: "every documented path answers as removed. V1 is probably retired.",
    users: zeros,
    todo: [curlFirst, "Switch consumers to V2, or to their last good values."],
  },
  "network/flaky": {
    title: () => "Requests to V1 fail now and then",
    so: "some requests fail on the network while others succeed. It may be V1's side or ours.",
    users: "now and then a missing or zero score",
    todo: ["Compare from another network.", "Let consumers retry once."],
  },
  "unsafe-response": {
    title: (incident) => `V1's answers cannot be read safely (${incident.class})`,
    so: "the bodies are too large, broken or nested beyond reason. v1watch drops them unread.",
    users: "clients without limits may run out of memory",
    todo: ["Put a size limit on what reads V1.", "Check that the address is still V1's, and nobody else's."],
  },
  "monitor/certificate": {
    title: (incident) => `V1's certificate is about to expire: ${incident.class}`,
    so: "after that day every client that checks certificates fails.",
    users: "nothing yet",
    todo: [
      "Nobody renews an unsupported API by habit: ask its owner.",
      "Be ready for V1 to fail on that day.",
    ],
  },
  "monitor/budget": {
    title: () => "v1watch has nearly spent its request budget",
    so: "v1watch probes more slowly until the month ends, so that it does not exhaust the key.",
    users: "nothing",
    todo: [
      "Look at `v1watch config` for what the cadence costs.",
      "Raise budget.monthlyRequests if the key allows it.",
    ],
  },
  "monitor/no-secret": {
    title: () => "v1watch has no API key to ask with",
    so: "the configured source holds no key. This says nothing about V1.",
    users: "nothing",
    todo: ["Put the key where the configuration says, or correct the configuration: `v1watch config`."],
  },
  "monitor/silent": {
    title: (incident) => `v1watch no longer asks ${where(incident)}`,
    so: "its prober has gone silent. V1 may be well or not: nobody is looking there.",
    users: "nothing, or anything: it is not watched",
    todo: ["Check that the prober runs and can write its store.", "Read its log."],
  },
  "monitor/undelivered": {
    title: () => "v1watch cannot deliver its alerts",
    so: "messages wait in the outbox; nothing is lost, but nobody is told.",
    users: "nothing",
    todo: ["Check the topic or the webhook.", "They are sent as soon as it answers again."],
  },
};

/** From the first bad answer to the first good one, or to now while it lasts. */
export function describeLength(incident: Incident, nowMs: number): string {
  const end = endOf(incident);
  const endMs = end === undefined ? nowMs : Date.parse(end);
  return describeDuration((endMs - Date.parse(incident.since)) / 1000);
}

/** A path that shows the trouble; people paste it, so it holds no key and no person. */
export function curlLine(incident: Incident, baseUrl: string, isAnonymous = false): string {
  const endpoint = endpoints[incident.endpoints[0] ?? "passport-list"];
  const path = endpoint.path.replace("{id}", "<passport id>");
  const query = endpoint.id === "passport-credentials" ? "?passport_id=<passport id>" : "";
  const key = isAnonymous || incident.cause === "access/key-mandatory" ? "" : " -H 'X-API-KEY: <key>'";
  return `curl -sS -o /dev/null -w '%{http_code}'${key} '${baseUrl}${path}${query}'`;
}
