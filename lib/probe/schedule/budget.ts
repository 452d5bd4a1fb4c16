// How many requests may be made at one instant: what the month and the last ten seconds leave.

import { computeSilentAfterMs } from "../../config/assessment-settings.ts";
import type { Config } from "../../config/config.ts";
import { confirmationReserve } from "../../config/cost.ts";
import { durationMs } from "../../config/durations.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { ProbeState } from "../../records/probe-state.ts";
import { minuteMs } from "../../time.ts";

/** V1 was seen to allow 25 in 10 s from one address; the rest is left to others there. */
export const burst = { requests: 20, windowMs: 10_000 } as const;

export function monthOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7);
}

export function requestsLeft(atMs: number, probeState: ProbeState, config: Config): number {
  return Math.max(0, config.budget.monthlyRequests - (probeState.spent[monthOf(atMs)] ?? 0));
}

export type MonthBudget = {
  /** Left of the month's budget. */
  left: number;
  /** Scheduled checks until the month ends, those that are due now included. */
  slotsLeft: number;
  /** Beyond what the slots need until the month ends; all but scheduled checks come from here. */
  spare: number;
  /** The part of it that is kept for confirmation and recovery. */
  reserve: number;
  monthEndMs: number;
};

export function computeMonthBudget(atMs: number, probeState: ProbeState, config: Config): MonthBudget {
  const at = new Date(atMs);
  const monthStartMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth());
  const monthEndMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
  const left = requestsLeft(atMs, probeState, config);
  const calmMs = durationMs(config.cadence.calm);
  const isDue = (endpoint: EndpointId) =>
    scheduledAtMs(endpoint, { tickMs: atMs, probeState, config, everyMs: calmMs }) <= atMs;
  const slotsLeft =
    Math.ceil((monthEndMs - atMs) / slotLengthMs(config)) - 1 + endpointIds.filter(isDue).length;
  const monthPart = (monthEndMs - atMs) / (monthEndMs - monthStartMs);
  return {
    left,
    slotsLeft,
    spare: left - slotsLeft,
    reserve: Math.ceil(confirmationReserve(config) * monthPart),
    monthEndMs,
  };
}

export type RemainingBudget = Pick<MonthBudget, "left" | "spare" | "monthEndMs"> & {
  /** What may be made now at the most: the month and the burst limit together. */
  now: number;
  /** Spare that rare variants leave alone, because a failure may have to be confirmed. */
  rareFloor: number;
};

/** `isShared`: functions of one endpoint each plan at one instant without seeing each other. */
export function computeRemainingBudget(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  isShared: boolean,
): RemainingBudget {
  const { left, spare, reserve, monthEndMs } = computeMonthBudget(tickMs, probeState, config);
  const share = isShared ? endpointIds.length : 1;
  const room = burst.requests - countRecent(tickMs, probeState, config);
  return {
    left,
    now: Math.max(0, Math.floor(Math.min(left, room) / share)),
    spare: Math.floor(spare / share),
    rareFloor: Math.ceil(reserve / 2 / share),
    monthEndMs,
  };
}

/** How often an endpoint is checked: `cadence.calm`, or a multiple of it where the month's rest cannot bear it. */
export function computeCadenceMs(tickMs: number, probeState: ProbeState, config: Config): number {
  const { left, slotsLeft } = computeMonthBudget(tickMs, probeState, config);
  return durationMs(config.cadence.calm) * Math.max(1, Math.ceil(slotsLeft / Math.max(1, left)));
}

/** Nothing is left, or too little for the longest time that an endpoint may be without a check. */
export function isBudgetSpent(tickMs: number, probeState: ProbeState, config: Config): boolean {
  return (
    requestsLeft(tickMs, probeState, config) === 0 ||
    computeCadenceMs(tickMs, probeState, config) > computeSilentAfterMs(config)
  );
}

/** A round of confirmation for all endpoints. */
const roundRequests = endpointIds.length;
/** A whole outage: below this, a reserve that was used up is not back. */
const outageRequests = 4 * endpointIds.length;

/** Whether the reserve is used up. It counts as back only with room for a whole outage. */
export function isReserveSpent(tickMs: number, probeState: ProbeState, config: Config): boolean {
  const { spare } = computeMonthBudget(tickMs, probeState, config);
  return spare < (probeState.isReserveSpent ? outageRequests : roundRequests);
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

// Slots of the clock: each endpoint has one in every `cadence.calm`, one endpoint after another. No check
// that is made outside of them moves them.
/** One endpoint after another has its slot: a round over all of them takes `cadence.calm`. */
export const slotLengthMs = ({ cadence }: Config) => durationMs(cadence.calm) / endpointIds.length;

/** The start of an endpoint's latest slot at an instant. */
export function slotStartMs(endpoint: EndpointId, tickMs: number, config: Config): number {
  const calmMs = durationMs(config.cadence.calm);
  const offsetMs = Math.floor(endpointIds.indexOf(endpoint) * slotLengthMs(config));
  // A clock that starts in 1970 has no slot before it.
  return Math.max(0, Math.floor((tickMs - offsetMs) / calmMs) * calmMs + offsetMs);
}

/** When an endpoint's next scheduled check is due: now or earlier where its slot was not used yet. */
export function scheduledAtMs(
  endpoint: EndpointId,
  {
    tickMs,
    probeState,
    config,
    everyMs,
  }: { tickMs: number; probeState: ProbeState; config: Config; everyMs: number },
): number {
  const { slotMs } = probeState.endpoints[endpoint] ?? {};
  const startMs = slotStartMs(endpoint, tickMs, config);
  // A slot that is still to come was used by a clock that has since moved back.
  return slotMs === undefined || slotMs > startMs ? startMs : slotMs + everyMs;
}

/** The start of the latest slot of the clock in which an endpoint's check was neither sent nor recorded as not sent. */
export function findOpenSlot(
  endpoint: EndpointId,
  tickMs: number,
  probeState: ProbeState,
  config: Config,
): number | undefined {
  const startMs = slotStartMs(endpoint, tickMs, config);
  const { slotMs, notSentSlotMs } = probeState.endpoints[endpoint] ?? {};
  return slotMs === startMs || notSentSlotMs === startMs ? undefined : startMs;
}

/** Which sample of the rotation is requested: another one in each round, and in each extra check of a slot. */
export function sampleTurn(tickMs: number, config: Config): number {
  const calmMs = durationMs(config.cadence.calm);
  const unitMs = Math.min(minuteMs, durationMs(config.cadence.confirm));
  return Math.floor(tickMs / calmMs) + Math.floor((tickMs % calmMs) / unitMs);
}
