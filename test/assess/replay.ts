// A scenario on a virtual clock, by the engine of `v1watch replay`: weeks pass in seconds, because only the clock
// is not real.

import { type Message, type Replay as Result, replayScenario } from "../../lib/local/replay.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Observation } from "../../lib/records/observation.ts";
import type { ScenarioName } from "../../lib/simulator/scenarios.ts";
import { configure } from "../config/configure.ts";

/** A midnight, so that the hours of the scenarios are hours of the day. */
export const replayStartMs = Date.parse("2026-03-02T00:00:00Z");

type Assessment = NonNullable<Result["assessment"]>;

export type Replay = {
  state: Assessment["state"];
  outlook: Assessment["outlook"];
  /** With the scenario's time at which each was sent. */
  alerts: { atMs: number; alert: Alert }[];
  messages: Message[];
  observations: Observation[];
  /** Of the month that took most. */
  requests: number;
};

export async function replay(
  name: ScenarioName,
  lengthMs: number,
  overrides: { file?: object; keep?: boolean; startMs?: number; seed?: number } = {},
): Promise<Replay> {
  const { startMs = replayStartMs, seed = 1 } = overrides;
  const config = configure({ baseUrl: "http://127.0.0.1", ...overrides.file });
  const observations: Observation[] = [];
  const { messages, spent, assessment } = await replayScenario(name, {
    config,
    startMs,
    lengthMs,
    seed,
    signal: new AbortController().signal,
    onObservation: (one) => void (overrides.keep && observations.push(one)),
  });
  if (!assessment) throw new Error("nothing was assessed");
  const alerts = messages.map(({ atMs, alert }) => ({ atMs: atMs - startMs, alert }));
  const requests = Math.max(...Object.values(spent));
  return { state: assessment.state, outlook: assessment.outlook, alerts, messages, observations, requests };
}
