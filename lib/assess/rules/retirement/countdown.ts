// The date of V1's end: which one to believe, how far it is, and what has become of it.
import { type EndpointId, endpointIds } from "../../../contract/endpoints.ts";
import { dayMs } from "../../date-text.ts";
import type { NoticesHistory } from "./notices-history.ts";

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

/** What a person configured, else what V1 says itself: also once the configured day is over, and V1 says a later one. */
export function findBestDate(
  history: NoticesHistory,
  configuredDate: string | undefined,
  nowMs: number,
): BestDate | undefined {
  const announced = findAnnouncedDate(history, nowMs);
  const configuredMs = configuredDate === undefined ? Number.NaN : endOfDayMs(configuredDate);
  const isOutdated = configuredMs <= nowMs && announced !== undefined && announced.dateMs > nowMs;
  if (Number.isNaN(configuredMs) || isOutdated) return announced;
  const saidMs = announced ? [announced.dateMs, ...announced.othersMs] : [];
  const othersMs = saidMs.filter((dateMs) => daysUntil(dateMs, configuredMs) !== 0);
  return { dateMs: configuredMs, source: "configured", endpoints: [...endpointIds], othersMs };
}

/** The earliest to come that V1's own headers say; where none is to come, the earliest. */
export function findAnnouncedDate({ current }: NoticesHistory, nowMs: number): BestDate | undefined {
  const said = endpointIds.flatMap((endpoint) => {
    const sunset = current[endpoint]?.Sunset;
    return sunset?.dateMs === undefined
      ? []
      : [{ endpoint, dateMs: sunset.dateMs, sinceMs: sunset.firstSeenMs }];
  });
  const datesMs = [...new Set(said.map(({ dateMs }) => dateMs))].sort((a, b) => a - b);
  const earliestMs = datesMs.find((dateMs) => dateMs > nowMs) ?? datesMs[0];
  if (earliestMs === undefined) return undefined;
  const othersMs = datesMs.filter((dateMs) => dateMs !== earliestMs);
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

/** A date that has passed says nothing of V1's life: `passed-silent` where no usable answer was seen since. */
export type DateState = "ahead" | "passed-alive" | "passed-gone" | "passed-silent";

export type Countdown = BestDate & { daysLeft: number; step?: CountdownStep; state: DateState };

/** What is known of V1's life: that it has ended, or when it last served its data, if it still does. */
export type Life = { hasEnded: boolean; servesMs?: number | undefined };

export function countDown(best: BestDate, nowMs: number, { hasEnded, servesMs }: Life): Countdown {
  const step = countdownStep(best.dateMs, nowMs);
  const isAlive = servesMs !== undefined && servesMs >= best.dateMs;
  const passed = hasEnded ? "passed-gone" : isAlive ? "passed-alive" : "passed-silent";
  const state = nowMs < best.dateMs ? "ahead" : passed;
  return { ...best, daysLeft: daysUntil(best.dateMs, nowMs), ...(step !== undefined && { step }), state };
}
