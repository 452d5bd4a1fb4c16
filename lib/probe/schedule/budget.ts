// Computes how many requests may be sent now, from the monthly budget and the burst limit.

import type { Config } from "../../config/config.ts";
import { confirmationReserve, tickCost } from "../../config/cost.ts";
import { durationMs } from "../../config/values.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import type { ProbeState } from "../../records/probe-state.ts";

/**
 * V1 was observed to allow 25 requests in 10 s from one address. The rest is left to other clients of that
 * address.
 */
export const burst = { requests: 20, windowMs: 10_000 } as const;

export type RemainingBudget = {
  /** Requests left of the month's budget. */
  left: number;
  /** The most requests that may be sent now, by the month's budget and the burst limit. */
  now: number;
  /**
   * Requests that the calm cadence does not need until the month ends. Retries and confirmations use them.
   */
  spare: number;
  /** The part of `spare` that rare variants do not use, because it is reserved for confirmations. */
  reserve: number;
  /** The interval of the calm cadence, stretched when the remaining budget is too small for it. */
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

/** The budget of the whole month, before it is divided among per-endpoint functions. */
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
  const remainingShare = (monthEndMs - atMs) / (monthEndMs - monthStartMs);
  return {
    left,
    spare: left - calmTicks * tickCost(config, { perEndpointFunctions }),
    reserve: Math.ceil(confirmationReserve(config) * remainingShare),
    monthEndMs,
  };
}

/** Per-endpoint functions plan at the same time without seeing each other, so each uses only its share. */
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
  const shares = perEndpointFunctions ? endpointIds.length : 1;
  // One interval more than there are ticks, so that the last tick is still in this month.
  const stretchedMs =
    (monthEndMs - newestMs) / (Math.ceil(left / tickCost(config, { perEndpointFunctions })) + 1);
  const burstLeft = burst.requests - countRecent(tickMs, probeState, config);
  return {
    left,
    now: Math.max(0, Math.floor(Math.min(left, burstLeft) / shares)),
    spare: Math.floor(spare / shares),
    reserve: Math.ceil(reserve / shares),
    calmMs: Math.max(durationMs(config.cadence.calm), stretchedMs),
    monthEndMs,
  };
}

export function countRecent(tickMs: number, probeState: ProbeState, config: Config): number {
  let count = 0;
  for (const { atMs, requests } of probeState.recent) {
    // A retry is sent at an unknown time before the deadline.
    const untilMs = atMs + burst.windowMs + (requests > 1 ? config.timeouts.deadlineMs : 0);
    // A time in the future was written before the clock was set back.
    const isInFuture = atMs - tickMs > burst.windowMs;
    if (untilMs > tickMs && !isInFuture) count += requests;
  }
  return count;
}
