// V1's health as its checks show it: over a day, or over any other time.

import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Observation } from "../records/observation.ts";
import { isOwnFault } from "../records/outcome.ts";
import type { HealthDay } from "../records/report.ts";
import { dayMs, dayText } from "../time.ts";

export type HealthDays = Record<EndpointId, HealthDay[]>;

/** A primary check that says something about V1's health. */
export type HealthCheck = {
  atMs: number;
  outcome: Observation["outcome"]["kind"];
  totalMs: number;
  newestAgeSeconds: number | null;
};

/** The rank of the 95th percentile, from 1 on: the nearest one. */
export const rank95 = (count: number) => Math.floor((count * 95 + 99) / 100);

function percentile95(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[rank95(sorted.length) - 1] ?? null;
}

export function summarizeChecks(checks: readonly HealthCheck[]): Omit<HealthDay, "day"> {
  const ok = checks.filter(({ outcome }) => outcome === "ok");
  return {
    answers: checks.length,
    ok: ok.length,
    unauthorized: checks.filter(({ outcome }) => outcome === "unauthorized").length,
    p95Ms: percentile95(ok.map(({ totalMs }) => totalMs)),
    newestAgeSeconds: checks.reduce<number | null>(
      (least, { newestAgeSeconds: age }) => (age === null ? least : Math.min(age, least ?? age)),
      null,
    ),
  };
}

/** The days that have a check. */
export const summarizeDays = (checks: readonly HealthCheck[]): HealthDay[] =>
  [...Map.groupBy(checks, ({ atMs }) => Math.floor(atMs / dayMs))].map(([day, ofDay]) => ({
    day: dayText(day * dayMs),
    ...summarizeChecks(ofDay),
  }));

export async function readHealthDays(
  observations: AsyncIterable<Observation> | Iterable<Observation>,
): Promise<HealthDays> {
  const checks = new Map<EndpointId, HealthCheck[]>(endpointIds.map((endpoint) => [endpoint, []]));
  for await (const observation of observations) {
    const { endpoint, at, outcome, timings, staleness, isPrimary, isDateWrong } = observation;
    if (!isPrimary || isDateWrong || isOwnFault(observation)) continue;
    checks.get(endpoint)?.push({
      atMs: Date.parse(at),
      outcome: outcome.kind,
      totalMs: timings.totalMs,
      newestAgeSeconds: (staleness?.muted === false ? staleness.ages?.newest : undefined) ?? null,
    });
  }
  return Object.fromEntries(
    [...checks].map(([endpoint, own]) => [endpoint, summarizeDays(own)]),
  ) as HealthDays;
}
