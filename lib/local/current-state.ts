// What is true right now, and who wants to be told when it changes.
import type { Outlook } from "../assess/outlook/outlook.ts";
import { type AssessState, freshState } from "../assess/state.ts";
import type { WatchTick } from "./watch.ts";

export type LiveEvent = { name: "tick" | "told" | "simulation"; data: unknown };

export type CurrentState = {
  /** Grows with every change: what was made for one version serves until the next. */
  version(): number;
  state(): AssessState;
  outlook(): Outlook | undefined;
  tick(): Pick<WatchTick, "tickMs" | "nextTickMs" | "deferred" | "degraded"> | undefined;
  update(known: { state: AssessState; outlook: Outlook | undefined }): void;
  noteTick(tick: WatchTick): void;
  publish(event: LiveEvent): void;
  subscribe(listener: (event: LiveEvent) => void): () => void;
};

export function createLive(): CurrentState {
  let version = 0;
  let state = freshState();
  let outlook: Outlook | undefined;
  let tick: ReturnType<CurrentState["tick"]>;
  const listeners = new Set<(event: LiveEvent) => void>();
  const publish = (event: LiveEvent) => {
    version += 1;
    for (const listener of listeners) listener(event);
  };
  return {
    version: () => version,
    state: () => state,
    outlook: () => outlook,
    tick: () => tick,
    update(known) {
      version += 1;
      state = known.state;
      outlook = known.outlook;
    },
    noteTick({ tickMs, nextTickMs, deferred, degraded, assessment }) {
      tick = { tickMs, nextTickMs, deferred, degraded };
      if (assessment) {
        state = assessment.state;
        outlook = assessment.outlook;
      }
      publish({ name: "tick", data: { at: new Date(tickMs).toISOString() } });
    },
    publish,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
