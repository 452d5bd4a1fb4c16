// A scenario applies effects on a timeline. Its ground truth lists the causes that a monitor should report.
import type { ActiveEffect, Effect } from "./effects/index.ts";
import type { ProfileName } from "./profile.ts";

/** The rules that a monitor is expected to report; lib/records/incident.ts has them all. */
export type ExpectedRule =
  | "down"
  | "key-refused"
  | "quota-exhausted"
  | "anonymous-refused"
  | "access-refused"
  | "maybe-retired"
  | "gone"
  | "retired"
  | "breaking-drift"
  | "frozen"
  | "stub-data"
  | "serves-v2"
  | "data-shrinking"
  | "sunset"
  | "sunset-passed"
  | "recurring-outages"
  | "error-rate"
  | "unsafe-response";

/** True from `fromMs` on, and to be said before another `withinMs` has passed. */
export type Truth = {
  rule: ExpectedRule;
  /** Reported as opened, or as a change of an incident that was opened before. */
  event?: "changed";
  fromMs: number;
  withinMs: number;
};

/** `text` says what V1 does from then on, for a demonstration. */
export type Step = { fromMs: number; untilMs?: number; effects: readonly Effect[]; text?: string };

export type Scenario = {
  name: string;
  summary: string;
  profile: ProfileName;
  lengthMs: number;
  /** The time on the timeline at which a demonstration starts: the fault is present. */
  startAtMs: number;
  steps: readonly Step[];
  truth: readonly Truth[];
};

/** Converts between scenario time and clock time. */
export type Timeline = { timeAt(now: number): number; instantOf(ms: number): number };

/** `startAtMs`: the scenario time of `now`. */
export function createTimeline({
  now,
  startAtMs = 0,
}: {
  now: number;
  startAtMs?: number | undefined;
}): Timeline {
  return {
    timeAt: (at) => startAtMs + at - now,
    instantOf: (ms) => now + ms - startAtMs,
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
