// All that is concluded from the observations so far, as plain JSON: a fold, never a truth of its own.
import type { Decision } from "../records/incident.ts";
import { type DriftHistory, emptyDriftHistory } from "./drift-history.ts";
import type { GapEvidence } from "./gap-evidence.ts";
import type { Incidents } from "./incidents.ts";
import type { AccessState } from "./rules/access/runs.ts";
import { type AvailabilityState, freshAvailability } from "./rules/availability.ts";
import type { DataHealthState } from "./rules/data-health.ts";
import type { RetirementState } from "./rules/retirement/retirement.ts";

export type AssessState = {
  schema: "v1watch/state/2";
  observations: number;
  firstAt?: string;
  lastAt?: string;
  /** The latest tick that was folded. */
  tickMs: number;
  availability: AvailabilityState;
  access?: AccessState;
  retirement?: RetirementState;
  data?: DataHealthState;
  drift: DriftHistory;
  evidence: GapEvidence;
} & Incidents;

export const freshState = (): AssessState => ({
  schema: "v1watch/state/2",
  observations: 0,
  tickMs: 0,
  availability: freshAvailability(),
  drift: emptyDriftHistory(),
  evidence: {},
  incidents: {},
  resolved: [],
});

/** What a team sets; the rest is in the tables of this room. */
export type AssessSettings = {
  baseUrl: string;
  runbookUrl: string;
  /** The day of V1's end, if someone said it. */
  retirementDate?: string | undefined;
  frozenAfterMs: number;
  slowMs: number;
  monthlyRequests: number;
  /** How long the prober may be quiet before it counts as silent. */
  silentAfterMs: number;
  decisions: readonly Decision[];
};

/** The mute that silences a subject at that time. Of several the newest counts, so a short one ends a long one. */
export function findMute(
  decisions: readonly Decision[],
  subject: string,
  atMs: number,
): Decision | undefined {
  let newest: Decision | undefined;
  for (const decision of decisions) {
    if (decision.kind !== "mute" || decision.subject !== subject || Date.parse(decision.at) > atMs) continue;
    if (!newest || Date.parse(decision.at) >= Date.parse(newest.at)) newest = decision;
  }
  const isOver = newest?.until !== undefined && Date.parse(newest.until) <= atMs;
  return isOver ? undefined : newest;
}

/** Muted by a person at that time: an incident, or one finding. */
export const isMuted = (decisions: readonly Decision[], subject: string, atMs: number): boolean =>
  findMute(decisions, subject, atMs) !== undefined;
