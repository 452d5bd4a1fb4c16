import { type Config, durationMs } from "../config/config.ts";
import { minuteMs } from "../time.ts";

/** By these an hour is divided evenly, so that a clock can say them. */
const evenMinutes = [15, 12, 10, 6, 5, 4, 3, 2];

const longestTickMs = 15 * minuteMs;

/**
 * The probers run as often as a failure has to be confirmed and check whether anything is due. A minute is
 * the scheduler's shortest interval; four runs an hour show that a prober lives.
 */
export function tickMs({ cadence }: Config): number {
  const wantedMs = Math.min(durationMs(cadence.confirm), durationMs(cadence.calm), longestTickMs);
  return (evenMinutes.find((minutes) => minutes * minuteMs <= wantedMs) ?? 1) * minuteMs;
}

export const memoryMb = { probe: 256, assess: 512, report: 512 } as const;

/** Two requests at their deadline, and time to write down what came of them. */
export const probeTimeoutSeconds = ({ timeouts }: Config) =>
  Math.ceil((2 * timeouts.deadlineMs) / 1_000) + 20;
