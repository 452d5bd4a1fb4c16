// How many requests may be made at one instant: what the month and the last ten seconds leave.

import type { Config } from "../../config/config.ts";
import { confirmationReserve, tickCost } from "../../config/cost.ts";
import { durationMs } from "../../config/values.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import type { ProbeState } from "../../records/probe-state.ts";

/** V1 was seen to allow 25 in 10 s from one address; the rest is left to others there. */
export const burst = { requests: 20, windowMs: 10_000 } as const;

export type RemainingBudget = {
  /** Left of the month's budget. */
  left: number;
  /** What may be made now at the most: the month and the burst limit together. */
  now: number;
  /** Beyond what the regular cadence needs until the month ends; retries and confirmations come from here. */
  spare: number;
  /** The spare that rare variants leave alone, because a suspicion may come. */
  reserve: number;
  /** The calm interval, longer when what is left cannot bear it. */
  calmMs: number;
  monthEndMs: number;
};

export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

export function requestsLeft(atMs: number, probeState: ProbeState, config: Config): number {
  return Math.max(0, config.budget.monthlyRequests - (probeState.spent[monthOf(atMs)] ?? 0));
}

export type MonthBudget = Pick<RemainingBudget, "left" | "spare" | "reserve" | "monthEndMs">;

/** The whole month's, before functions apart share it. */
export function computeMonthBudget(
  atMs: number,
  probeState: ProbeState,
  config: Config,
  perEndpointFunctions: boolean,
): MonthBudget {
  const at = new Date(atMs);
  const monthStartMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  const monthEndMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
  const left = requestsLeft(atMs, probeState, config);
  const calmTicks = Math.ceil((monthEndMs - atMs) / durationMs(config.cadence.calm));
  const monthPart = (monthEndMs - atMs) / (monthEndMs - monthStartMs);
  return {
    left,
    spare: left - calmTicks * tickCost(config, { perEndpointFunctions }),
    reserve: Math.ceil(confirmationReserve(config) * monthPart),
    monthEndMs,
  };
}

/** Functions apart plan at one instant without seeing each other, so each takes its share only. */
export function computeRemainingBudget(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  newestMs: number,
  perEndpointFunctions: boolean,
): RemainingBudget {
  const { left, spare, reserve, monthEndMs } = computeMonthBudget(
    tickMs,
    probeState,
    config,
    perEndpointFunctions,
  );
  const share = perEndpointFunctions ? endpointIds.length : 1;
  // One interval more than ticks, so that the last of them still falls into the month.
  const stretchedMs =
    (monthEndMs - newestMs) / (Math.ceil(left / tickCost(config, { perEndpointFunctions })) + 1);
  const room = burst.requests - countRecent(tickMs, probeState, config);
  return {
    left,
    now: Math.max(0, Math.floor(Math.min(left, room) / share)),
    spare: Math.floor(spare / share),
    reserve: Math.ceil(reserve / share),
    calmMs: Math.max(durationMs(config.cadence.calm), stretchedMs),
    monthEndMs,
  };
}

export function countRecent(tickMs: number, probeState: ProbeState, config: Config): number {
  let count = 0;
  for (const { atMs, requests } of probeState.recent) {
    // A retry starts at an unknown instant before the deadline.
    const untilMs = atMs + burst.windowMs + (requests > 1 ? config.timeouts.deadlineMs : 0);
    const ahead = atMs - tickMs > burst.windowMs;
    if (untilMs > tickMs && !ahead) count += requests;
  }
  return count;
}
