// A scenario applies effects on a timeline. Its ground truth lists the causes that a monitor should report.
import type { ActiveEffect, Effect } from "./effects/index.ts";
import { days } from "./population.ts";
import type { ProfileName } from "./profile.ts";

/** All causes that a scenario can expect a monitor to report. */
export const causes = [
  "down",
  "access/key-revoked",
  "access/quota-exhausted",
  "access/key-mandatory",
  "access/endpoint-withdrawn",
  "access/retired-by-401",
  "drift/breaking",
  "data/frozen",
  "data/stub-data",
  "data/serves-v2",
  "data/data-shrinking",
  "retirement/announced",
  "retirement/moved-earlier",
  "retirement/brownout",
  "retirement/date-passed",
  "retirement/gone",
  "network/flaky",
  "unsafe-response",
] as const;
export type Cause = (typeof causes)[number];

/** The cause is present from `fromMs` on and should be reported within `withinMs`. */
export type Truth = { cause: Cause; fromMs: number; withinMs: number };

export type Step = { fromMs: number; untilMs?: number; effects: readonly Effect[] };

export type Scenario = {
  name: string;
  summary: string;
  profile: ProfileName;
  lengthMs: number;
  /** The time on the timeline at which a demonstration starts: the fault is present. */
  startAtMs: number;
  /** Time 0 is midnight UTC, because the steps are at fixed hours of the day. */
  fromMidnight?: true;
  steps: readonly Step[];
  truth: readonly Truth[];
};

/** Converts between scenario time and clock time. */
export type Timeline = { timeAt(now: number): number; instantOf(ms: number): number };

/** The default of `startAtMs` is 0, or the current time of day for a scenario with `fromMidnight`. */
export function createTimeline(
  scenario: Scenario,
  { now, startAtMs, speed = 1 }: { now: number; startAtMs?: number | undefined; speed?: number | undefined },
): Timeline {
  const first = startAtMs ?? (scenario.fromMidnight ? now % days : 0);
  return {
    timeAt: (at) => first + (at - now) * speed,
    instantOf: (ms) => now + (ms - first) / speed,
  };
}

export function activeEffects(scenario: Scenario, timeline: Timeline, now: number): ActiveEffect[] {
  const time = timeline.timeAt(now);
  return scenario.steps
    .filter(({ fromMs, untilMs = Number.POSITIVE_INFINITY }) => fromMs <= time && time < untilMs)
    .flatMap(({ fromMs, effects }) =>
      effects.map((effect) => ({ effect, since: timeline.instantOf(fromMs), instantOf: timeline.instantOf })),
    );
}
