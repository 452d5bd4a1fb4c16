// Observations, streamed once and in time's order, become one row a day and endpoint. Only the day under
// way is held, so a year takes no more memory than a day.
import { isOwnFault } from "../assess/rules/response-class.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Observation, Variant } from "../records/observation.ts";
import type { HealthDay } from "../records/report.ts";

export type HealthDays = Record<EndpointId, HealthDay[]>;

type OpenDay = { row: HealthDay; okMs: number[] };

/** The smallest value that 95 % do not exceed. */
function percentile95(values: readonly number[]): number | null {
  const inOrder = values.toSorted((a, b) => a - b);
  return inOrder[Math.floor((inOrder.length * 95 + 99) / 100) - 1] ?? null;
}

/** `asked` is the variant that stands for V1: with the key where there is one, else without. */
export function createHealthDays(asked: Variant) {
  const days: HealthDays = { "passport-list": [], passport: [], "passport-credentials": [] };
  const open: Partial<Record<EndpointId, OpenDay>> = {};

  function close(endpoint: EndpointId): void {
    const day = open[endpoint];
    if (!day) return;
    days[endpoint].push({ ...day.row, p95Ms: percentile95(day.okMs) });
    delete open[endpoint];
  }

  return {
    note(observation: Observation): void {
      const { endpoint, at, outcome, timings, staleness } = observation;
      if (observation.variant !== asked || isOwnFault(observation)) return;
      const day = at.slice(0, 10);
      if (open[endpoint] && open[endpoint].row.day !== day) close(endpoint);
      open[endpoint] ??= {
        row: { day, answers: 0, ok: 0, unauthorized: 0, p95Ms: null, newestAgeSeconds: null },
        okMs: [],
      };
      const { row, okMs } = open[endpoint];
      row.answers++;
      if (outcome.kind === "ok") {
        row.ok++;
        okMs.push(timings.totalMs);
      }
      if (outcome.kind === "unauthorized") row.unauthorized++;
      const age = staleness?.muted === false ? staleness.ages?.newest : undefined;
      if (age !== undefined) row.newestAgeSeconds = Math.min(age, row.newestAgeSeconds ?? age);
    },
    read(): HealthDays {
      for (const endpoint of endpointIds) close(endpoint);
      return days;
    },
  };
}

export async function readHealthDays(
  observations: AsyncIterable<Observation>,
  asked: Variant,
): Promise<HealthDays> {
  const days = createHealthDays(asked);
  for await (const observation of observations) days.note(observation);
  return days.read();
}
