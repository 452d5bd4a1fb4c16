// Observations → state and what is to be told. In the order of ticks, each observation once: whatever the
// order in which they arrived, the same observations end in the same state.
import type { Observation } from "../records/observation.ts";
import { noteDrift } from "./drift-history.ts";
import { readSignals } from "./evaluate-rules.ts";
import { noteEvidence } from "./gap-evidence.ts";
import { advanceIncidents, type IncidentEvent } from "./incidents.ts";
import { noteAccess } from "./rules/access/runs.ts";
import { noteAvailability } from "./rules/availability.ts";
import { noteDataHealth } from "./rules/data-health.ts";
import { noteRetirement } from "./rules/retirement/retirement.ts";
import { type AssessSettings, type AssessState, isMuted } from "./state.ts";

/** endpoint/variant/tick */
export const tickOf = ({ id, at }: Pick<Observation, "id" | "at">) => {
  const tickMs = Date.parse(id.slice(id.lastIndexOf("/") + 1));
  return Number.isNaN(tickMs) ? Date.parse(at) : tickMs;
};

function note(state: AssessState, observation: Observation, settings: AssessSettings): void {
  state.observations++;
  state.firstAt = state.firstAt && state.firstAt < observation.at ? state.firstAt : observation.at;
  state.lastAt = state.lastAt && state.lastAt > observation.at ? state.lastAt : observation.at;
  noteAvailability(state.availability, observation, settings.slowMs);
  state.access = noteAccess(state.access, observation);
  state.retirement = noteRetirement(state.retirement, observation);
  state.data = noteDataHealth(state.data, observation, settings);
  noteDrift(state.drift, observation);
  noteEvidence(state.evidence, observation);
}

/** All observations of one tick; mutates the state. */
export function foldTick(
  state: AssessState,
  tick: readonly Observation[],
  settings: AssessSettings,
): IncidentEvent[] {
  const ordered = [...tick].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  for (const observation of ordered) note(state, observation, settings);
  const atMs = Math.max(...ordered.map(({ at }) => Date.parse(at)));
  const tickMs = tickOf(ordered[0]!);
  // Around midnight, and with probers of their own, a tick comes in parts: they are one look.
  const isRest = tickMs <= state.tickMs;
  state.tickMs = Math.max(state.tickMs, tickMs);
  const { signals } = readSignals(state, settings, atMs);
  const isMutedNow = (id: string) => isMuted(settings.decisions, id, atMs);
  return advanceIncidents(state, signals, atMs, isMutedNow, { startMs: Math.min(tickMs, atMs), isRest });
}

/** Groups by tick, in the order of ticks. */
export function groupTicks(observations: readonly Observation[]): Observation[][] {
  const ticks = new Map<number, Observation[]>();
  for (const observation of observations) {
    const tickMs = tickOf(observation);
    const known = ticks.get(tickMs);
    if (known) known.push(observation);
    else ticks.set(tickMs, [observation]);
  }
  return [...ticks].sort(([a], [b]) => a - b).map(([, tick]) => tick);
}
