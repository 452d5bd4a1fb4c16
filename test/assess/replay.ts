// A scenario on a virtual clock: the real planner, the real probe over HTTP against the real simulator,
// the real fold. Weeks pass in seconds, because only the clock is not real.
import { renderAlert } from "../../lib/assess/alerts/render-alert.ts";
import { readSignals } from "../../lib/assess/evaluate-rules.ts";
import { foldTick, groupTicks } from "../../lib/assess/fold.ts";
import { type AssessSettings, type AssessState, freshState } from "../../lib/assess/state.ts";
import { type Config, loadConfig } from "../../lib/config/config.ts";
import type { Samples } from "../../lib/probe/http/request.ts";
import { probe } from "../../lib/probe/probe.ts";
import { planRequests } from "../../lib/probe/schedule/plan.ts";
import { applyResults } from "../../lib/probe/schedule/probe-state.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { type ScenarioName, scenarioNamed } from "../../lib/simulator/scenarios.ts";
import { startSimulator } from "../../lib/simulator/server.ts";

/** A midnight, so that the hours of the scenarios are hours of the day. */
export const replayStartMs = Date.parse("2026-03-02T00:00:00Z");

export const replaySettings: AssessSettings = {
  baseUrl: "https://api.example.com",
  runbookUrl: "docs/runbook.md",
  frozenAfterMs: 36 * 3_600_000,
  slowMs: 5_000,
  monthlyRequests: 5_000,
  silentAfterMs: 2 * 3_600_000,
  decisions: [],
};

export type Replay = {
  state: AssessState;
  /** Each alert with the scenario's time at which it was sent. */
  alerts: { atMs: number; alert: Alert }[];
  observations: Observation[];
  requests: number;
  outlook: ReturnType<typeof readSignals>["outlook"];
};

/** Where V1 lets us wait, we wait briefly; elsewhere a busy machine has time to answer. */
const waits = (name: ScenarioName) =>
  scenarioNamed(name).steps.some(({ effects }) =>
    effects.some(({ kind }) => kind === "hang" || kind === "slow-drip"),
  );

export async function replay(
  name: ScenarioName,
  lengthMs: number,
  overrides: { file?: object; keep?: boolean; startMs?: number } = {},
): Promise<Replay> {
  const startMs = overrides.startMs ?? replayStartMs;
  let nowMs = startMs;
  const simulator = await startSimulator({
    passports: 200,
    key: "a-key-for-the-replay",
    profile: scenarioNamed(name).profile,
    scenario: name,
    startAtMs: 0,
    clock: { now: () => nowMs },
  });
  const fileText = JSON.stringify({
    baseUrl: simulator.url,
    timeouts: { deadlineMs: waits(name) ? 200 : 2_000 },
    ...overrides.file,
  });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  const config: Config = loaded.config;
  const state = freshState();
  const alerts: Replay["alerts"] = [];
  const kept: Observation[] = [];
  let probeState = emptyProbeState;
  let samples: Samples = {};
  let requests = 0;
  try {
    while (nowMs < startMs + lengthMs) {
      const plan = planRequests(nowMs, probeState, config);
      if (plan.requests.length > 0) {
        const input = { tickMs: nowMs, config, plan, samples, nowMs: () => nowMs, allowLoopback: true };
        const result = await probe({ ...input, key: { kind: "key", key: "a-key-for-the-replay" } });
        probeState = applyResults(probeState, result.results);
        samples = result.samples;
        requests += result.results.reduce((sum, done) => sum + done.requests, 0);
        if (overrides.keep) kept.push(...result.observations);
        for (const tick of groupTicks(result.observations)) {
          for (const event of foldTick(state, tick, replaySettings)) {
            alerts.push({ atMs: nowMs - startMs, alert: renderAlert(event, replaySettings) });
          }
        }
      }
      nowMs = Math.max(plan.nextTickMs, nowMs + 1_000);
    }
    const { outlook } = readSignals(state, replaySettings, nowMs);
    return { state, alerts, observations: kept, requests, outlook };
  } finally {
    await simulator.close();
  }
}
