// A simulated V1 in the monitor's process, with its own key and cadence, for trying out v1watch and fault injection.
import { type Config, loadConfig } from "../config/config.ts";
import { type EndpointId, endpointIds, variants } from "../contract/endpoints.ts";
import {
  type EffectKind,
  effectKinds,
  effectTable,
  findRefusal,
  sampleEffects,
} from "../simulator/effects/index.ts";
import { type ScenarioName, scenarioNamed, scenarioNames, scenarios } from "../simulator/scenarios.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../simulator/server.ts";
import type { Summary } from "./server/api-schemas.ts";

/** Not a secret: only the simulator on this machine accepts it. */
export const simulatorKey = "a-key-for-the-simulator";

export type Simulation = {
  simulator: Simulator;
  read(): NonNullable<Summary["simulation"]>;
  /** Returns why the effect cannot be injected, or undefined once it is. */
  inject(kind: string, endpoint: EndpointId | undefined): string | undefined;
  /** Returns false if the scenario does not exist. */
  start(name: string, startAtMs?: number): boolean;
  clear(): void;
};

export type SimulationOptions = Pick<
  SimulatorOptions,
  "scenario" | "startAtMs" | "clock" | "passports" | "frequentSpeed"
> & {
  /** V1 is healthy for so long, because drift is a change only against what was seen before. */
  healthyForMs?: number;
};

export async function startSimulation({
  healthyForMs = 0,
  ...options
}: SimulationOptions): Promise<Simulation> {
  const wanted = options.scenario ?? "healthy";
  let scenario: ScenarioName = healthyForMs > 0 ? "healthy" : wanted;
  let injected: string[] = [];
  const simulator = await startSimulator({
    key: simulatorKey,
    frequentSpeed,
    ...options,
    scenario,
    startAtMs: options.startAtMs ?? findStart(scenario),
  });
  const simulation: Simulation = {
    simulator,
    read: () => ({ scenario, injected: [...injected], effects: effectChoices, scenarios: scenarioChoices }),
    inject(kind, endpoint) {
      if (!isEffectKind(kind)) return "there is no such effect";
      const refused = endpoint && findRefusal(kind, endpoint);
      if (refused !== undefined) return `${kind} cannot change the responses of ${endpoint}: ${refused}`;
      const effects = sampleEffects(kind, endpoint);
      // The sample effect has a Retry-After of one hour, which would stop the checks for an hour.
      for (const effect of effects) if (effect.kind === "status") delete effect.retryAfterSeconds;
      simulator.inject(effects);
      injected.push(endpoint ? `${kind} on ${endpoint}` : kind);
      return undefined;
    },
    start(name, startAtMs) {
      if (!scenarioNames.includes(name as ScenarioName)) return false;
      scenario = name as ScenarioName;
      simulator.use(scenario, startAtMs ?? findStart(scenario));
      return true;
    },
    clear() {
      simulator.clear();
      simulator.use("healthy");
      scenario = "healthy";
      injected = [];
    },
  };
  if (healthyForMs > 0)
    setTimeout(() => {
      // Someone may have chosen another one meanwhile.
      if (scenario === "healthy" && injected.length === 0) simulation.start(wanted);
    }, healthyForMs).unref();
  return simulation;
}

/** Data that stood still already would jump back in time for a watch that saw it move: it stops at the start. */
function findStart(name: ScenarioName): number {
  const { steps, startAtMs } = scenarioNamed(name);
  const frozen = steps.find(({ effects }) => effects.some(({ kind }) => kind === "freeze"));
  return Math.min(startAtMs, frozen?.fromMs ?? startAtMs);
}

const isEffectKind = (name: string): name is EffectKind => (effectKinds as string[]).includes(name);

const effectChoices = effectKinds.map((kind) => ({
  kind,
  summary: effectTable[kind].summary,
  refused: Object.fromEntries(
    endpointIds.flatMap((endpoint) => {
      const refusal = findRefusal(kind, endpoint);
      return refusal === undefined ? [] : [[endpoint, refusal]];
    }),
  ),
}));
const scenarioChoices = scenarios.map(({ name, summary }) => ({ name, summary }));

/** The records are recalculated every few seconds, so that data that stands still is noticed within a minute. */
export const frequentSpeed = 3_600;
const frozenAfter = "25s";

/** Twice the requests that the checks and the rare variants need in a month, rounded up. */
function budgetFor(everySeconds: number): number {
  const needed = (2 * endpointIds.length * variants.length * 31 * 86_400) / everySeconds;
  const unit = 10 ** Math.floor(Math.log10(needed));
  return Math.max(20_000, Math.ceil(needed / unit) * unit);
}

/** A shorter cadence than the configuration allows for a real V1, with a budget that is large enough for it. */
export function configForSimulator(baseUrl: string, everySeconds: number, store: string): Config {
  const fileText = JSON.stringify({
    baseUrl,
    store,
    budget: { monthlyRequests: budgetFor(everySeconds) },
    timeouts: { deadlineMs: 1_500 },
    retention: { observationDays: 2 },
  });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok)
    throw new Error(loaded.mistakes.map(({ path, problem }) => `${path} ${problem}`).join("; "));
  return {
    ...loaded.config,
    cadence: {
      calm: `${everySeconds}s`,
      confirm: `${Math.max(1, Math.floor(everySeconds / 2))}s`,
      // With a very short cadence the rare variants would exceed the limit of requests in 10 s.
      rare: `${everySeconds < 4 ? 60 : Math.max(10, everySeconds)}s`,
    },
    staleness: { ...loaded.config.staleness, frozenAfter },
    // At this cadence a fault is confirmed within seconds, so that its alert can be seen.
    alerts: { ...loaded.config.alerts, pageAfter: `${everySeconds}s` },
  };
}
