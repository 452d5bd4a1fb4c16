// Three months of a dying API in two minutes: only the clock is not real.
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, loadConfig } from "../config/config.ts";
import type { ScenarioName } from "../simulator/scenarios.ts";
import type { Simulation } from "./simulation.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export type Act = { fromMs: number; scenario: ScenarioName; startAtMs: number; words: string };

/** One story on one clock: brownouts, then an announced date, and on that date V1 is gone. */
export const acts: readonly Act[] = [
  {
    fromMs: 0,
    scenario: "github-brownouts",
    startAtMs: 0,
    words: "V1 is healthy, but for two days on which it is switched off twice for three hours",
  },
  {
    fromMs: 33 * dayMs,
    scenario: "sunset-announced",
    startAtMs: 0,
    words: "V1 announces its end in its headers, two months ahead",
  },
  {
    fromMs: 94 * dayMs - 2 * hourMs,
    scenario: "gone",
    startAtMs: dayMs,
    words: "The day has come: V1 answers 410",
  },
];
export const storyMs = 97 * dayMs;

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
export function createDirector(
  simulation: Simulation,
  startMs: number,
  onAct: (act: Act, atMs: number) => void,
): (nowMs: number) => void {
  let next = 1;
  return (nowMs) => {
    const act = acts[next];
    if (!act || nowMs - startMs < act.fromMs) return;
    next += 1;
    simulation.start(act.scenario, act.startAtMs);
    onAct(act, nowMs);
  };
}

/** A cadence of an hour: the windows of three hours are seen, and a day takes little more than a second. */
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
