// Three months of a dying API in two minutes: only the clock is not real.
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, loadConfig } from "../config/config.ts";
import type { ScenarioName } from "../simulator/scenarios.ts";
import type { Simulation } from "./simulation.ts";

const dayMs = 86_400_000;

export type DemoPhase = { fromMs: number; scenario: ScenarioName; startAtMs: number; text: string };

/** One story on one clock: faults that pass, brownouts, an announced date that moves, and on that date V1 is gone. */
export const demoPhases: readonly DemoPhase[] = [
  { fromMs: 0, scenario: "healthy", startAtMs: 0, text: "V1 is healthy" },
  {
    fromMs: 7 * dayMs,
    scenario: "silent-retype",
    startAtMs: dayMs,
    text: "Drift: scores become strings and follower counts become numbers, for three days",
  },
  { fromMs: 10 * dayMs, scenario: "healthy", startAtMs: 0, text: "V1 is as documented again" },
  {
    fromMs: 14 * dayMs,
    scenario: "key-revoked",
    startAtMs: dayMs,
    text: "Access: requests with the key get 401, anonymous requests are served",
  },
  { fromMs: 15 * dayMs, scenario: "healthy", startAtMs: 0, text: "The key is accepted again" },
  {
    fromMs: 20 * dayMs,
    scenario: "frozen",
    startAtMs: 2 * dayMs,
    text: "Data: the records are no longer recalculated, for six days",
  },
  {
    fromMs: 26 * dayMs,
    scenario: "sourcify-brownouts",
    startAtMs: 0,
    text: "Brownouts: V1 is switched off at noon once a week, for 1, 1 and 4 hours",
  },
  {
    fromMs: 45 * dayMs,
    scenario: "sunset-moved-earlier",
    startAtMs: dayMs,
    text: "V1 announces its end in a Sunset header; nine days later the date moves 45 days closer",
  },
  { fromMs: 89 * dayMs, scenario: "gone", startAtMs: dayMs, text: "The announced day: V1 answers 410" },
];
export const demoDurationMs = 92 * dayMs;

export type FastClock = {
  now(): number;
  /** For the watch: it stands still while a tick is at work, and moves on while it waits. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export function createFastClock(
  startMs: number,
  realMsPerDay: number,
  onMove: (nowMs: number) => void,
): FastClock {
  let nowMs = startMs;
  let dueMs = performance.now();
  return {
    now: () => nowMs,
    async wait(ms, signal) {
      nowMs += ms;
      dueMs += (ms / dayMs) * realMsPerDay;
      onMove(nowMs);
      // Even a late clock lets the page's readers in between.
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal }).catch(() => {});
    },
  };
}

/** Starts each act when its time has come. */
export function createPhaseScheduler(
  simulation: Simulation,
  startMs: number,
  onAct: (act: DemoPhase, atMs: number) => void,
): (nowMs: number) => void {
  let next = 1;
  return (nowMs) => {
    const act = demoPhases[next];
    if (!act || nowMs - startMs < act.fromMs) return;
    next += 1;
    simulation.start(act.scenario, act.startAtMs);
    onAct(act, nowMs);
  };
}

/** A cadence of an hour, so that a day takes little more than a second; every alert comes a little later than usual. */
export function configForDemo(baseUrl: string, store: string): Config {
  const fileText = JSON.stringify({
    baseUrl,
    store,
    cadence: { calm: "1h", rare: "1d" },
    timeouts: { deadlineMs: 1_000 },
  });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok)
    throw new Error(loaded.mistakes.map(({ path, problem }) => `${path} ${problem}`).join("; "));
  return loaded.config;
}
