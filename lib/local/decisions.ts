// What people said about an incident, and whether it still holds: for the page and for the command line.
import { findMute } from "../assess/state.ts";
import type { Decision, Incident } from "../records/incident.ts";

/** A mute is about the cause, for as long as it silences it; an ack is not about an incident that began after it. */
export function findDecisions(
  { id, since }: Incident,
  decisions: readonly Decision[],
  nowMs: number,
): Decision[] {
  const mute = findMute(decisions, id, nowMs);
  return decisions.filter((decision) => {
    const { kind, subject, at, until } = decision;
    if (kind === "mute") return decision === mute;
    const isOver = until !== undefined && Date.parse(until) <= nowMs;
    return subject === id && Date.parse(at) >= Date.parse(since) && !isOver;
  });
}
