// How often V1 is checked now. A round is the time in which every endpoint is checked once by the schedule; what has to wait for
// checks waits for rounds, so that it means the same at a cadence of ten seconds and of a day.
import type { EndpointId } from "../../contract/endpoints.ts";
import { minuteMs } from "../../time.ts";
import type { Check } from "../checks/check.ts";
import type { AnyRule } from "../rules/rule.ts";
import { type EngineState, endpointsOf, type Judging } from "./engine-state.ts";

/** The default cadence, until an endpoint has two scheduled checks. */
const usualCadenceMs = 36 * minuteMs;
const maxScheduled = 6;

export function noteSchedule({ scheduled }: EngineState, { endpoint, atMs, reason, isPrimary }: Check): void {
  if (isPrimary && reason === "scheduled")
    scheduled[endpoint] = [...(scheduled[endpoint] ?? []), atMs].slice(-maxScheduled);
}

/** Those that were computed: every rule asks for them with every check. */
const medianGaps = new WeakMap<readonly number[], number>();

/** The median gap of the latest scheduled checks, which one missing check does not change. */
function cadenceMsOf({ scheduled }: EngineState, endpoint: EndpointId): number {
  const times = scheduled[endpoint];
  if (!times || times.length < 2) return usualCadenceMs;
  const known = medianGaps.get(times);
  if (known !== undefined) return known;
  const gaps = times.slice(1).map((ms, index) => ms - times[index]!);
  const median = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]!;
  medianGaps.set(times, median);
  return median;
}

/** The longest cadence of the endpoints of a row. */
export const roundMsOf = ({ state }: Judging, rule: AnyRule): number =>
  Math.max(...endpointsOf(rule).map((endpoint) => cadenceMsOf(state, endpoint)));

export type Rounds = { rounds: number; leastMs: number };

export const roundsMs = (judging: Judging, rule: AnyRule, { rounds, leastMs }: Rounds): number =>
  Math.max(leastMs, rounds * roundMsOf(judging, rule));

/** Endpoints that became bad within this time of each other are one incident: a round of checks and a little more. */
export const together: Rounds = { rounds: 1.1, leastMs: 10 * minuteMs };
/** A warning and a change of key wait until every endpoint was looked at since, and no longer than this. */
export const settled: Rounds = { rounds: 1.4, leastMs: 15 * minuteMs };
/** In this time every endpoint was looked at twice. */
export const secondLook: Rounds = { rounds: 2.4, leastMs: 15 * minuteMs };
