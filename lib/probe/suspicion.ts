// Why the planner should look again soon.
import { endpointIds } from "../contract/endpoints.ts";
import type { Observation } from "../records/observation.ts";
import type { Mood, Moods, Pace, Suspicion } from "../records/pace.ts";

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

/** `why`: what a keyed answer made suspect. */
export function moodAfter(before: Mood | undefined, why: Suspicion | undefined): Mood {
  if (why === "drift" || why === "notice") return "drifting";
  if (why !== undefined) return "failing";
  return before === "settling" || before === "calm" ? "calm" : "settling";
}

export function moodsOf({ endpoints }: Pace): Moods {
  const known = endpointIds.map((endpoint) => [endpoint, endpoints[endpoint]?.mood] as const);
  return Object.fromEntries(known.filter(([, mood]) => mood !== undefined));
}
