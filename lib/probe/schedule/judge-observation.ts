// What one observation means to the scheduler: whether it is good, and how it failed.
import { createHash } from "node:crypto";
import { endpoints as contract } from "../../contract/endpoints.ts";
import type { Observation } from "../../records/observation.ts";
import type { FailureKind } from "../../records/probe-state.ts";
import type { RequestResult } from "./probe-state.ts";

type Judged = Pick<RequestResult, "isGood" | "kind" | "faults">;

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);

function failureKindOf({ outcome: { kind, status }, notices }: Observation): FailureKind {
  const isExhausted = notices.usage?.exhausted === true;
  if (kind === "unauthorized") return isExhausted ? "quota" : "unauthorized";
  if (kind === "redirect" || status === 404 || status === 410) return "removed";
  if (status === 403) return isExhausted ? "quota" : "forbidden";
  if (status === 429) return "throttled";
  return kind === "not-json" ? "body" : "failed";
}

/** Bad is any outcome but ok, a 200 without V1's data, or a breaking difference from V1's document. */
export function judgeObservation(observation: Observation): Judged {
  const { endpoint, outcome, findings, notices } = observation;
  if (outcome.detail === "no-sample") return {};
  if (outcome.kind !== "ok") return { isGood: false, kind: failureKindOf(observation) };
  const isEmptyList = notices.body === "empty" && contract[endpoint].role === "list";
  const isFake = notices.body === "v2-shaped" || notices.body === "stub-data" || isEmptyList;
  const faults = [
    ...(isFake ? [`body/${notices.body}`] : []),
    ...findings.filter(({ level }) => level === "breaking").map(({ id }) => id),
  ].map(shortHash);
  return faults.length > 0 ? { isGood: false, kind: "body", faults } : { isGood: true };
}
