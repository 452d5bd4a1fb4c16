// The date of V1's end: what a person configured, and what V1 announces.
import { dayMs } from "../time.ts";

/** A day such as 2026-12-31 has passed when it is over. */
export const endOfDayMs = (date: string) => Date.parse(date) + dayMs - 1_000;

export type RetirementDate = { dateMs: number; source: "configured" | "sunset" };

/** What a person configured, else what V1 announces: also once the configured day is over and V1 names a later one. */
export function chooseRetirementDate(
  configured: string | undefined,
  announcedMs: number | undefined,
  nowMs: number,
): RetirementDate | undefined {
  const configuredMs = configured === undefined ? undefined : endOfDayMs(configured);
  const isOutdated =
    configuredMs !== undefined && configuredMs <= nowMs && announcedMs !== undefined && announcedMs > nowMs;
  if (configuredMs !== undefined && !isOutdated) return { dateMs: configuredMs, source: "configured" };
  return announcedMs === undefined ? undefined : { dateMs: announcedMs, source: "sunset" };
}
