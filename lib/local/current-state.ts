// The current assessment of a running monitor, and a subscription to its changes.
import type { Assessment } from "../assess/assess.ts";
import type { Outlook } from "../assess/outlook.ts";
import { type AssessState, freshState } from "../assess/state.ts";
import { readVerdict, type Schedule, type Verdict } from "../assess/verdict.ts";
import type { WatchTick } from "./watch.ts";

export type StateEvent = "tick" | "alert-sent" | "simulation" | "configuration";

export type CurrentState = {
  /** Incremented with every change, so that a cached response can be reused until the next change. */
  version(): number;
  assessState(): AssessState;
  outlook(): Outlook | undefined;
  /** From what is known now: it ages without a tick. */
  verdict(nowMs: number): Verdict;
  tick(): Pick<WatchTick, "tickMs" | "nextTickMs" | "deferred" | "degraded"> | undefined;
  /** How our clock differs from V1's or the store's; undefined while they agree. */
  clockProblem(): string | undefined;
  setClockProblem(problem: string | undefined): void;
  update(assessment: Pick<Assessment, "state" | "outlook" | "schedule">): void;
  updateFromTick(tick: WatchTick): void;
  publish(event: StateEvent): void;
  subscribe(listener: (event: StateEvent) => void): () => void;
};

export function createCurrentState(startSchedule: Schedule, startedMs: number): CurrentState {
  let version = 0;
  let state = freshState();
  let outlook: Outlook | undefined;
  let schedule = startSchedule;
  let tick: ReturnType<CurrentState["tick"]>;
  let clockProblem: string | undefined;
  const listeners = new Set<(event: StateEvent) => void>();
  const publish = (event: StateEvent) => {
    version += 1;
    for (const listener of listeners) listener(event);
  };
  return {
    version: () => version,
    assessState: () => state,
    outlook: () => outlook,
    verdict: (nowMs) => readVerdict({ state, outlook, schedule, nowMs, startedMs }),
    tick: () => tick,
    clockProblem: () => clockProblem,
    setClockProblem(problem) {
      clockProblem = problem;
    },
    update(assessment) {
      version += 1;
      ({ state, outlook, schedule } = assessment);
    },
    updateFromTick({ tickMs, nextTickMs, deferred, degraded, assessment }) {
      tick = { tickMs, nextTickMs, deferred, degraded };
      if (assessment) ({ state, outlook, schedule } = assessment);
      publish("tick");
    },
    publish,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
