// Why access is judged as it is, in sentences with counts.
import type { EndpointId } from "../../../contract/endpoints.ts";
import type { Notices } from "../../../records/observation.ts";
import { count, describeDuration, plural } from "../../alerts/text.ts";
import { endpointsText } from "../../date-text.ts";
import type { AnonymousClass, AuthenticatedClass, BadKeyClass } from "./truth-table.ts";

/** A run of like answers to one kind of request at one endpoint. */
export type Run = {
  responseClass: "served" | "denied" | "gone";
  answer: string;
  sinceMs: number;
  lastMs: number;
  times: number;
  /** When it was last served before this run. */
  servedMs?: number;
  /** Failures since, that say nothing about access: a 503, a reset. */
  others: number;
  usage?: NonNullable<Notices["usage"]>;
  /** When that was last said. */
  usageMs?: number;
  /** The last question, whatever came of it; absent in older states. */
  askedMs?: number;
};

export type Known = { endpoint: EndpointId; run: Run };

export type AccessEvidence = {
  authenticated: AuthenticatedClass;
  failing: readonly Known[];
  anonymous: AnonymousClass;
  /** The anonymous runs at the failing endpoints. */
  beside: readonly Known[];
  wrongKey: BadKeyClass;
  sinceMs: number;
};

export function describeAccess(evidence: AccessEvidence): string[] {
  const { authenticated, failing, wrongKey } = evidence;
  const isAnonymousOnly = authenticated === "served" || authenticated === "absent";
  const lines = [
    isAnonymousOnly ? tally("requests without a key", failing) : tally("authenticated requests", failing),
    ...(authenticated === "served" ? ["requests with the key still answer 200"] : []),
    ...(authenticated === "absent" ? ["no key is in use, so a retirement by 401 would look the same"] : []),
    ...(isAnonymousOnly ? [] : anonymousLines(evidence)),
    ...(authenticated === "one-denied" || authenticated === "one-gone"
      ? ["the other endpoints still answer 200"]
      : []),
    ...(authenticated === "all-quota" ? [usageLine(failing)] : []),
    ...(wrongKey === "served" && !isAnonymousOnly ? ["a request with a wrong key answered 200"] : []),
  ];
  if (!isAnonymousOnly && failing.every(({ run }) => run.servedMs === undefined))
    lines.push("the key has not been accepted since the watch began");
  if (failing.some(({ endpoint, run }) => endpoint === "passport" && run.answer === "404"))
    lines.push("a 404 here may also mean that the sample passport no longer exists");
  return lines;
}

function tally(who: string, runs: readonly Known[]): string {
  const times = runs.reduce((sum, { run }) => sum + run.times, 0);
  const answers = [...new Set(runs.map(({ run }) => run.answer))].join(" or ");
  const where = endpointsText(runs.map(({ endpoint }) => endpoint));
  return `${who}: ${count(times)} of ${count(times)} answered ${answers}, ${where}`;
}

function anonymousLines({ anonymous, beside, sinceMs }: AccessEvidence): string[] {
  switch (anonymous) {
    case "served-since":
      return ["requests without a key still answer 200"];
    case "served-before": {
      const ageMs = sinceMs - Math.max(...beside.map(({ run }) => run.lastMs));
      return [
        `a request without a key answered 200 ${describeDuration(ageMs / 1000)} before; not asked since`,
      ];
    }
    case "denied-since":
      return [
        tally(
          "requests without a key",
          beside.filter(({ run }) => run.responseClass === "denied"),
        ),
      ];
    case "denied-before":
      return ["requests without a key were refused while the key still worked"];
    default:
      return ["how requests without a key fare is not known"];
  }
}

function usageLine(failing: readonly Known[]): string {
  const usage = failing.map(({ run }) => run.usage).find((one) => one?.exhausted);
  return usage?.current !== undefined && usage.limit !== undefined
    ? `the response says ${count(usage.current)} of ${plural(usage.limit, "request")} used`
    : "the response says that the key's quota is exhausted";
}
