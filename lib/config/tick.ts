// How often the probers of a deployed watch are started.
import { durationMs } from "./durations.ts";
import type { OfflineConfig } from "./schema.ts";

const minuteMs = 60_000;

/** By these an hour is divided evenly, so that a clock can say them. */
const evenMinutes = [15, 12, 10, 6, 5, 4, 3, 2];

const longestTickMs = 15 * minuteMs;

/**
 * The probers run as often as a failure has to be confirmed and check whether anything is due. A minute is
 * the scheduler's shortest interval; four runs an hour show that a prober lives.
 */
export function tickMs({ cadence }: Pick<OfflineConfig, "cadence">): number {
  const wantedMs = Math.min(durationMs(cadence.confirm), durationMs(cadence.calm), longestTickMs);
  return (evenMinutes.find((minutes) => minutes * minuteMs <= wantedMs) ?? 1) * minuteMs;
}
