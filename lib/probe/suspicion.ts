// Why the planner should look again soon.
import type { Observation } from "../records/observation.ts";
import type { Suspicion } from "../records/pace.ts";

/** Undefined where all is as it should be. */
export function findSuspicion({
  case: name,
  outcome,
  findings,
  notices,
}: Observation): Suspicion | undefined {
  if (name === "unknown-id" || name === "bad-key") return undefined;
  if (outcome.detail === "no-sample") return undefined;
  if (outcome.kind !== "ok") return outcome.kind;
  if (notices.body === "v2-shaped" || notices.body === "zero-stub") return "notice";
  return findings.some(({ level }) => level === "breaking") ? "drift" : undefined;
}
