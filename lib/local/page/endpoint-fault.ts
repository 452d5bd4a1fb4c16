// Why the last check of an endpoint returned no usable data, as text for the endpoint and for V1 as a whole.

import type { runsOf } from "../../assess/rules/availability.ts";
import { primaryVariant } from "../../assess/rules/response-class.ts";
import type { AssessState } from "../../assess/state.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Cause } from "../../records/incident.ts";
import type { Notices } from "../../records/observation.ts";

export const retiredText = "V1 is retired";

/** The causes that may affect V1 as a whole, most severe first. */
export const outageTexts: Partial<Record<Cause, string>> = {
  "retirement/gone": retiredText,
  "access/retired-by-401": "V1 returns 401 with and without a key",
  down: "V1 is down",
  "access/quota-exhausted": "V1 is up, but our API key's quota is exhausted",
  "access/key-revoked": "V1 is up, but refuses our API key",
  "unsafe-response": "V1 returns responses that are unsafe to parse",
  "data/serves-v2": "V1 returns V2's response format",
  "data/stub-data": "V1 responds, but every score is 0",
  "monitor/no-secret": "V1 is not being checked: no API key is available",
};

export const emptyListText = "V1 responds, but its passport list is empty";

export type EndpointFault = {
  kind: "unjudged" | "unusable" | NonNullable<Notices["body"]>;
  text: string;
  /** The text if every endpoint of V1 has this fault. */
  textForV1: string;
  checkCount: number;
  isConfirmable: boolean;
};

/** The endpoints that have been checked at least once. */
export const listCheckedEndpoints = ({ availability: { endpoints, unjudged } }: AssessState): EndpointId[] =>
  endpointIds.filter((endpoint) => endpoints[endpoint] ?? unjudged?.[endpoint]);

export function findFault(state: AssessState, endpoint: EndpointId): EndpointFault | undefined {
  const { availability, data } = state;
  const unjudged = availability.unjudged?.[endpoint];
  if (unjudged) {
    const { words, times } = unjudged;
    return {
      kind: "unjudged",
      text: words,
      textForV1: `V1 is ${words}`,
      checkCount: times,
      isConfirmable: false,
    };
  }
  const run = availability.endpoints[endpoint];
  if (!run) return undefined;
  if (run.responseClass !== "ok")
    return {
      kind: "unusable",
      text: run.words,
      textForV1: describeRun(state, run),
      checkCount: run.times,
      isConfirmable: isConfirmable(state, endpoint, run),
    };
  const bodies = data?.endpoints[endpoint];
  if (!bodies?.mark) return undefined;
  const { is: kind, times: checkCount } = bodies.mark;
  if (kind === "v2-shaped") {
    const textForV1 = outageTexts["data/serves-v2"]!;
    return { kind, text: "V2 response format", textForV1, checkCount, isConfirmable: true };
  }
  // A single passport may legitimately have a score of 0 or no credentials.
  if (endpoint !== "passport-list") return undefined;
  return kind === "stub-data"
    ? {
        ...{ kind, checkCount, isConfirmable: true },
        text: "every score is 0",
        textForV1: outageTexts["data/stub-data"]!,
      }
    : { kind, text: "no records", textForV1: emptyListText, checkCount, isConfirmable: bodies.whole > 0 };
}

type AvailabilityRun = Omit<ReturnType<typeof runsOf>[number], "endpoint">;

function describeRun(state: AssessState, run: AvailabilityRun): string {
  if (run.responseClass === "failed") return outageTexts.down!;
  if (run.responseClass === "unsafe") return outageTexts["unsafe-response"]!;
  if (run.class === "unauthorized")
    return primaryVariant(state.availability.primary) === "authenticated"
      ? "V1 returns 401 for our API key"
      : "V1 returns 401 for requests without a key";
  return run.class === "redirect"
    ? "V1 redirects every request"
    : `V1 returns ${run.class} for every request`;
}

/**
 * Whether an incident can confirm the fault. A 429 is caused by our own request rate, a 401 may have been
 * returned since the first check, and a redirect may lead back to V1.
 */
function isConfirmable(state: AssessState, endpoint: EndpointId, run: AvailabilityRun): boolean {
  if (run.responseClass !== "elsewhere") return true;
  if (run.class === "unauthorized")
    return (
      primaryVariant(state.availability.primary) === "authenticated" ||
      state.access?.[endpoint]?.anonymous?.servedMs !== undefined
    );
  return run.class !== "429" && state.retirement?.answers[endpoint]?.withdrawn === "yes";
}
