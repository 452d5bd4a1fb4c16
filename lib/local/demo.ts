// The demo: three months of an API's retirement in two minutes. Everything but the clock works as in production.
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, loadConfig } from "../config/config.ts";
import type { ScenarioName } from "../simulator/scenarios.ts";
import type { Simulation } from "./simulation.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export type DemoPhase = { fromMs: number; scenario: ScenarioName; startAtMs: number; text: string };

/** Brownouts first, then an announced retirement date, and on that date the retirement. */
export const demoPhases: readonly DemoPhase[] = [
  {
    fromMs: 0,
    scenario: "github-brownouts",
    startAtMs: 0,
    text: "V1 is healthy except for two days with two brownouts of three hours each",
  },
  {
    fromMs: 33 * dayMs,
    scenario: "sunset-announced",
    startAtMs: 0,
    text: "V1 announces its retirement date in its headers, two months in advance",
  },
  {
    fromMs: 94 * dayMs - 2 * hourMs,
    scenario: "gone",
    startAtMs: dayMs,
    text: "The retirement date is reached: V1 returns 410",
  },
];
export const demoDurationMs = 97 * dayMs;

export type FastClock = {
  now(): number;
  /** The `wait` of the watch loop. The clock stands still during a tick and advances by `ms` with each wait. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export function createFastClock(
  startMs: number,
  realMsPerDay: number,
  onAdvance: (nowMs: number) => void,
): FastClock {
  let nowMs = startMs;
  let dueMs = performance.now();
  return {
    now: () => nowMs,
    async wait(ms, signal) {
      nowMs += ms;
      dueMs += (ms / dayMs) * realMsPerDay;
      onAdvance(nowMs);
      // Waits at least one turn of the event loop, so that the web server can respond even if the demo is late.
      await sleep(Math.max(0, dueMs - performance.now()), undefined, { signal }).catch(() => {});
    },
  };
}

/** Returns a function that starts each phase when its time is reached. */
export function createPhaseScheduler(
  simulation: Simulation,
  startMs: number,
  onPhase: (phase: DemoPhase, atMs: number) => void,
): (nowMs: number) => void {
  let next = 1;
  return (nowMs) => {
    const phase = demoPhases[next];
    if (!phase || nowMs - startMs < phase.fromMs) return;
    next += 1;
    simulation.start(phase.scenario, phase.startAtMs);
    onPhase(phase, nowMs);
  };
}

/** A cadence of one hour detects the three-hour brownouts, and a simulated day takes little more than a second. */
export function configForDemo(baseUrl: string, store: string): Config {
  const fileText = JSON.stringify({
    baseUrl,
    store,
    cadence: { calm: "1h", confirmation: "10m", confirmFor: "30m", rare: "1d" },
    timeouts: { deadlineMs: 1_000 },
  });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok)
    throw new Error(loaded.mistakes.map(({ path, problem }) => `${path} ${problem}`).join("; "));
  return loaded.config;
}
