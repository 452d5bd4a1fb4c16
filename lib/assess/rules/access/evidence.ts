// Why access is judged as it is, in sentences with counts.
import type { EndpointId } from "../../../contract/endpoints.ts";
import type { Notices } from "../../../records/observation.ts";
import { count, describeDuration, plural } from "../../alerts/text.ts";
import { endpointsText } from "../../date-text.ts";
import type { KeyedWord, KeylessWord, WrongKeyWord } from "./truth-table.ts";

/** A run of like answers to one kind of request at one endpoint. */
export type Run = {
  face: "served" | "denied" | "gone";
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
  keyed: KeyedWord;
  failing: readonly Known[];
  keyless: KeylessWord;
  /** The keyless runs at the failing endpoints. */
  beside: readonly Known[];
  wrongKey: WrongKeyWord;
  sinceMs: number;
};

export function describeAccess(evidence: AccessEvidence): string[] {
  const { keyed, failing, wrongKey } = evidence;
  const isKeylessOnly = keyed === "served" || keyed === "absent";
  const lines = [
    isKeylessOnly ? tally("requests without a key", failing) : tally("keyed requests", failing),
    ...(keyed === "served" ? ["requests with the key still answer 200"] : []),
    ...(keyed === "absent" ? ["no key is in use, so a retirement by 401 would look the same"] : []),
    ...(isKeylessOnly ? [] : keylessLines(evidence)),
    ...(keyed === "one-denied" || keyed === "one-gone" ? ["the other endpoints still answer 200"] : []),
    ...(keyed === "all-quota" ? [usageLine(failing)] : []),
    ...(wrongKey === "served" && !isKeylessOnly ? ["a request with a wrong key answered 200"] : []),
  ];
  if (!isKeylessOnly && failing.every(({ run }) => run.servedMs === undefined))
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

function keylessLines({ keyless, beside, sinceMs }: AccessEvidence): string[] {
  switch (keyless) {
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
          beside.filter(({ run }) => run.face === "denied"),
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
