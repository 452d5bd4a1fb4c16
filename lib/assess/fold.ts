// Observations → state and messages, in the order of ticks, each observation once. The rules are evaluated after every
// tick and at every full hour, so the same observations end in the same state however they arrived.

import { resolveThresholds } from "../config/thresholds.ts";
import type { Observation } from "../records/observation.ts";
import { noteDrift } from "./drift-history.ts";
import { noteEvidence } from "./gap-evidence.ts";
import { noteCheck } from "./history/history.ts";
import { advanceIncidents, type IncidentEvent } from "./incidents.ts";
import type { AssessSettings, AssessState } from "./state.ts";

const hourMs = 3_600_000;
/** A hole in the watch that is longer is not evaluated hour by hour. */
const maxHours = 24 * 60;

function evaluate(state: AssessState, settings: AssessSettings, nowMs: number): IncidentEvent[] {
  state.evaluatedMs = Math.max(state.evaluatedMs, nowMs);
  const { history } = state;
  const limits = resolveThresholds(settings);
  const { decisions, maintenance } = settings;
  return advanceIncidents(state, { history, nowMs, settings, decisions, maintenance, limits });
}

/** The full hours up to an instant: silence, dates and reminders are reported without an observation. */
export function advanceTo(state: AssessState, settings: AssessSettings, untilMs: number): IncidentEvent[] {
  const events: IncidentEvent[] = [];
  if (state.observations === 0) return events;
  const first = Math.max(Math.floor(state.evaluatedMs / hourMs) + 1, Math.floor(untilMs / hourMs) - maxHours);
  for (let hour = first; hour * hourMs < untilMs; hour++)
    events.push(...evaluate(state, settings, hour * hourMs));
  return events;
}

/** Whether a full hour has come since the last evaluation. */
export const isHourDue = ({ evaluatedMs, observations }: AssessState, nowMs: number) =>
  observations > 0 && (Math.floor(evaluatedMs / hourMs) + 1) * hourMs < nowMs;

/** endpoint/variant/tick */
export const tickOf = ({ id, at }: Pick<Observation, "id" | "at">): number => {
  const tickMs = Date.parse(id.slice(id.lastIndexOf("/") + 1));
  return Number.isNaN(tickMs) ? Date.parse(at) : tickMs;
};

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

/** All observations of one tick; mutates the state. */
export function foldTick(
  state: AssessState,
  tick: readonly Observation[],
  settings: AssessSettings,
): IncidentEvent[] {
  const ordered = [...tick].sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
  const [first] = ordered;
  if (!first) return [];
  const events = advanceTo(state, settings, Date.parse(first.at));
  for (const observation of ordered) {
    state.observations++;
    state.firstAt = state.firstAt && state.firstAt < observation.at ? state.firstAt : observation.at;
    state.lastAt = state.lastAt && state.lastAt > observation.at ? state.lastAt : observation.at;
    noteCheck(state.history, observation);
    noteDrift(state.drift, observation);
    noteEvidence(state.evidence, observation);
  }
  state.tickMs = Math.max(state.tickMs, tickOf(first));
  const atMs = Math.max(...ordered.map(({ at }) => Date.parse(at)));
  return [...events, ...evaluate(state, settings, Math.max(atMs, state.evaluatedMs))];
}
