// Why the last look at an endpoint brought no data of V1, and how that is said of all of V1.

import type { runsOf } from "../../assess/rules/availability.ts";
import { primaryVariant } from "../../assess/rules/response-class.ts";
import type { AssessState } from "../../assess/state.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Cause } from "../../records/incident.ts";
import type { Notices } from "../../records/observation.ts";

export const goneWords = "V1 is gone";

/** The causes that may be about all of V1, gravest first. */
export const lifeWords: Partial<Record<Cause, string>> = {
  "retirement/gone": goneWords,
  "access/retired-by-401": "V1 answers 401 to everybody",
  down: "V1 does not answer",
  "access/quota-exhausted": "V1 is alive, but our key's quota is used up",
  "access/key-revoked": "V1 is alive, but refuses our key",
  "unsafe-response": "V1 answers what is not safe to read",
  "data/serves-v2": "V1 answers in the shape of V2",
  "data/stub-data": "V1 answers, but every score is 0",
  "monitor/no-secret": "V1 is not asked: there is no key to ask with",
};

export const emptyWords = "V1 answers, but its list is empty";

export type Fault = {
  is: "unjudged" | "unusable" | NonNullable<Notices["body"]>;
  words: string;
  /** What is said where all of V1 is so. */
  wholeWords: string;
  looks: number;
  isConfirmable: boolean;
};

/** The endpoints that were looked at. */
export const listKnown = ({ availability: { endpoints, unjudged } }: AssessState): EndpointId[] =>
  endpointIds.filter((endpoint) => endpoints[endpoint] ?? unjudged?.[endpoint]);

export function findFault(state: AssessState, endpoint: EndpointId): Fault | undefined {
  const { availability, data } = state;
  const unjudged = availability.unjudged?.[endpoint];
  if (unjudged) {
    const { words, times } = unjudged;
    return { is: "unjudged", words, wholeWords: `V1 is ${words}`, looks: times, isConfirmable: false };
  }
  const run = availability.endpoints[endpoint];
  if (!run) return undefined;
  if (run.responseClass !== "ok")
    return {
      is: "unusable",
      words: run.words,
      wholeWords: describeRun(state, run),
      looks: run.times,
      isConfirmable: isConfirmable(state, endpoint, run),
    };
  const seen = data?.endpoints[endpoint];
  if (!seen?.mark) return undefined;
  const { is, times: looks } = seen.mark;
  if (is === "v2-shaped") {
    const wholeWords = lifeWords["data/serves-v2"]!;
    return { is, words: "in the shape of V2", wholeWords, looks, isConfirmable: true };
  }
  // One person's score may well be 0, and one may have no credentials.
  if (endpoint !== "passport-list") return undefined;
  return is === "stub-data"
    ? { is, words: "every score is 0", wholeWords: lifeWords["data/stub-data"]!, looks, isConfirmable: true }
    : { is, words: "no record", wholeWords: emptyWords, looks, isConfirmable: seen.whole > 0 };
}

type Run = Omit<ReturnType<typeof runsOf>[number], "endpoint">;

function describeRun(state: AssessState, run: Run): string {
  if (run.responseClass === "failed") return lifeWords.down!;
  if (run.responseClass === "unsafe") return lifeWords["unsafe-response"]!;
  if (run.class === "unauthorized")
    return `V1 answers 401 to ${primaryVariant(state.availability.primary) === "authenticated" ? "our key" : "requests without a key"}`;
  return run.class === "redirect" ? "V1 redirects every request" : `V1 answers ${run.class} to every request`;
}

/** 429 is our own request rate, a 401 may have been there from the start, and a redirect may lead to V1 again. */
function isConfirmable(state: AssessState, endpoint: EndpointId, run: Run): boolean {
  if (run.responseClass !== "elsewhere") return true;
  if (run.class === "unauthorized")
    return (
      primaryVariant(state.availability.primary) === "authenticated" ||
      state.access?.[endpoint]?.anonymous?.servedMs !== undefined
    );
  return run.class !== "429" && state.retirement?.answers[endpoint]?.withdrawn === "yes";
}
