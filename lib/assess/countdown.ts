// The date of V1's end: which one to believe, how far it is, and what has become of it.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { NoticesHistory } from "./notices-history.ts";
import { dayMs } from "./phrases.ts";

/** Days before the end at which people are told. */
export const countdownSteps = [90, 60, 30, 14, 7, 3, 1, 0] as const;
export type CountdownStep = (typeof countdownSteps)[number];

export type DateSource = "configured" | "sunset-all" | "sunset-some";

export type BestDate = {
  dateMs: number;
  source: DateSource;
  endpoints: EndpointId[];
  /** When V1 first said it; absent for a configured one. */
  sinceMs?: number;
  /** Other dates that are said at the same time, earliest first. */
  othersMs: number[];
};

/** Calendar days (UTC), so that 31 December is one day from 30 December at any hour; negative once it is past. */
export const daysUntil = (dateMs: number, nowMs: number) =>
  Math.floor(dateMs / dayMs) - Math.floor(nowMs / dayMs);

/** The closest step that has been reached; undefined while the date is more than 90 days away. */
export function countdownStep(dateMs: number, nowMs: number): CountdownStep | undefined {
  const days = Math.max(0, daysUntil(dateMs, nowMs));
  return countdownSteps.findLast((step) => days <= step);
}

/** A day such as 2026-12-31 has passed when it is over. */
const endOfDayMs = (date: string) => Date.parse(date) + dayMs - 1000;

export function findBestDate(
  { current }: NoticesHistory,
  configuredDate: string | undefined,
): BestDate | undefined {
  const said = endpointIds.flatMap((endpoint) => {
    const sunset = current[endpoint]?.Sunset;
    return sunset?.dateMs === undefined
      ? []
      : [{ endpoint, dateMs: sunset.dateMs, sinceMs: sunset.firstSeenMs }];
  });
  const datesMs = [...new Set(said.map(({ dateMs }) => dateMs))].sort((a, b) => a - b);
  const configuredMs = configuredDate === undefined ? Number.NaN : endOfDayMs(configuredDate);
  if (!Number.isNaN(configuredMs)) {
    const othersMs = datesMs.filter((dateMs) => daysUntil(dateMs, configuredMs) !== 0);
    return { dateMs: configuredMs, source: "configured", endpoints: [...endpointIds], othersMs };
  }
  const [earliestMs, ...othersMs] = datesMs;
  if (earliestMs === undefined) return undefined;
  const sayers = said.filter(({ dateMs }) => Math.abs(dateMs - earliestMs) <= dayMs / 24);
  const seen = endpointIds.filter((endpoint) => current[endpoint] !== undefined);
  return {
    dateMs: earliestMs,
    source: sayers.length === seen.length && seen.length > 1 ? "sunset-all" : "sunset-some",
    endpoints: sayers.map(({ endpoint }) => endpoint),
    sinceMs: Math.min(...sayers.map(({ sinceMs }) => sinceMs)),
    othersMs: othersMs.filter((dateMs) => Math.abs(dateMs - earliestMs) > dayMs / 24),
  };
}

export type Countdown = BestDate & {
  daysLeft: number;
  step?: CountdownStep;
  state: "ahead" | "passed-alive" | "passed-gone";
};

export function countDown(best: BestDate, nowMs: number, isGone: boolean): Countdown {
  const step = countdownStep(best.dateMs, nowMs);
  const state = nowMs < best.dateMs ? "ahead" : isGone ? "passed-gone" : "passed-alive";
  return { ...best, daysLeft: daysUntil(best.dateMs, nowMs), ...(step !== undefined && { step }), state };
}
