// What a probe would have seen of a V1 that fails at given times: every 30 minutes, and every minute
// for ten minutes after a change, as the planner does.
import { endpointIds } from "../../lib/contract/endpoints.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { minuteMs, observationOf } from "./observation-builder.ts";

export type Fault = { fromMs: number; untilMs: number; status?: number };

export function watch(
  fromMs: number,
  untilMs: number,
  faults: readonly Fault[],
  { cadenceMs = 30 * minuteMs, phaseMs = 0, retryAfterMs = 0, staggerMs = 0 } = {},
): Observation[] {
  const observations: Observation[] = [];
  const faultAt = (atMs: number) => faults.find((one) => one.fromMs <= atMs && atMs < one.untilMs);
  // One function an endpoint: each runs a little later than the one before.
  const ask = (atMs: number) =>
    endpointIds.map((endpoint, index) => {
      const ownMs = atMs + index * staggerMs;
      const fault = faultAt(ownMs);
      return observationOf({ at: ownMs, endpoint, status: fault ? (fault.status ?? 503) : 200 });
    });
  let suspiciousUntilMs = 0;
  for (let atMs = fromMs + phaseMs, wasBad = false; atMs < untilMs; ) {
    const fault = faultAt(atMs);
    observations.push(...ask(atMs));
    if (fault && !wasBad) suspiciousUntilMs = atMs + 10 * minuteMs;
    wasBad = fault !== undefined;
    const calmMs = fromMs + phaseMs + (Math.floor((atMs - fromMs - phaseMs) / cadenceMs) + 1) * cadenceMs;
    if (wasBad && retryAfterMs > 0) atMs += retryAfterMs;
    else atMs = wasBad && atMs < suspiciousUntilMs ? Math.min(calmMs, atMs + minuteMs) : calmMs;
  }
  return observations;
}
