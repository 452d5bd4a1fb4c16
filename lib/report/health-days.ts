// Aggregates a chronological stream of observations into one row per day and endpoint. Only the latencies of
// the current day are kept in memory.

import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Observation } from "../records/observation.ts";
import { isOwnFault } from "../records/outcome.ts";
import type { HealthDay } from "../records/report.ts";

export type HealthDays = Record<EndpointId, HealthDay[]>;

type OpenDay = { row: HealthDay; okMs: number[] };

/** The nearest-rank 95th percentile. */
function percentile95(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length * 95 + 99) / 100) - 1] ?? null;
}

/** Of the primary checks. */
export function createHealthDays() {
  const days = Object.fromEntries(endpointIds.map((endpoint) => [endpoint, []])) as unknown as HealthDays;
  const openDays: Partial<Record<EndpointId, OpenDay>> = {};

  function closeDay(endpoint: EndpointId): void {
    const day = openDays[endpoint];
    if (!day) return;
    days[endpoint].push({ ...day.row, p95Ms: percentile95(day.okMs) });
    delete openDays[endpoint];
  }

  return {
    add(observation: Observation): void {
      const { endpoint, at, outcome, timings, staleness } = observation;
      if (!observation.isPrimary || isOwnFault(observation)) return;
      const day = at.slice(0, 10);
      if (openDays[endpoint] && openDays[endpoint].row.day !== day) closeDay(endpoint);
      openDays[endpoint] ??= {
        row: { day, answers: 0, ok: 0, unauthorized: 0, p95Ms: null, newestAgeSeconds: null },
        okMs: [],
      };
      const { row, okMs } = openDays[endpoint];
      row.answers++;
      if (outcome.kind === "ok") {
        row.ok++;
        okMs.push(timings.totalMs);
      }
      if (outcome.kind === "unauthorized") row.unauthorized++;
      const age = staleness?.muted === false ? staleness.ages?.newest : undefined;
      if (age !== undefined) row.newestAgeSeconds = Math.min(age, row.newestAgeSeconds ?? age);
    },
    finish(): HealthDays {
      for (const endpoint of endpointIds) closeDay(endpoint);
      return days;
    },
  };
}

export async function readHealthDays(observations: AsyncIterable<Observation>): Promise<HealthDays> {
  const days = createHealthDays();
  for await (const observation of observations) days.add(observation);
  return days.finish();
}
