// What `up` watches: V1 where it is configured, or the simulator beside it; and who is told.

import { existsSync } from "node:fs";
import { type Config, maskKey, mistakesText, type Origin, readConfig } from "../../config/config.ts";
import { type Channel, createWebhook } from "../../delivery/channels/webhook.ts";
import type { CurrentState } from "../../local/current-state.ts";
import type { ReadinessView } from "../../local/server/api-schemas.ts";
import {
  configForSimulator,
  type Simulation,
  simulatorKey,
  startSimulation,
} from "../../local/simulation.ts";
import { findLastSentAlert, type Store, simulatorStorePath } from "../../local/store/store.ts";
import type { KeyAnswer } from "../../ports.ts";
import type { Alert } from "../../records/alert.ts";
import { type ScenarioName, scenarioNames } from "../../simulator/scenarios.ts";
import { choiceOption, type Io, integerOption, UsageError, type Values } from "../command.ts";
import { openKey } from "../key.ts";

/** What is watched, and with what. */
export type Target = {
  config: Config;
  readKey(): Promise<KeyAnswer>;
  keyText: string;
  allowLoopback: boolean;
  simulation?: Simulation;
};

/** Undefined where the configuration has mistakes, which are then said. */
export async function chooseTarget(values: Values, io: Io): Promise<Target | undefined> {
  const loaded = await readConfig(io.env, values);
  const isUnnamed =
    !loaded.ok &&
    loaded.mistakes.some(({ path, problem }) => path === "baseUrl" && problem === "is missing.");
  if (isUnnamed && values.config === undefined) {
    const rest = await readConfig(io.env, { ...values, "base-url": "https://v1.invalid" });
    if (!rest.ok) {
      io.err(mistakesText(rest.mistakes));
      return undefined;
    }
    return simulate(values, rest.config, rest.origins);
  }
  if (!loaded.ok) {
    io.err(mistakesText(loaded.mistakes));
    return undefined;
  }
  for (const flag of ["scenario", "every"])
    if (values[flag] !== undefined)
      throw new UsageError(`--${flag} is for the simulator; leave --base-url away to watch that`);
  const { config, origins } = loaded;
  const read = openKey(config, origins, io.env);
  const key = await read();
  if (key.kind === "no-secret") io.err(`v1watch: ${key.remedy}\n`);
  const keyText =
    key.kind === "key" ? `key ${maskKey(key.key)}` : key.kind === "none" ? "no key" : "key not found";
  return { config, readKey: read, keyText, allowLoopback: values["allow-loopback"] === true };
}

async function simulate(values: Values, given: Config, origins: Record<string, Origin>): Promise<Target> {
  const scenario = choiceOption<ScenarioName>(values, "scenario", "healthy", scenarioNames);
  const everySeconds = integerOption(values, "every", 10, 2, 3_600);
  const simulation = await startSimulation({ scenario });
  const store = origins.store === "default" ? simulatorStorePath : given.store;
  const config = {
    ...configForSimulator(simulation.simulator.url, everySeconds, store),
    alerts: given.alerts,
  };
  return {
    config,
    simulation,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    keyText: `simulated: ${scenario}`,
    allowLoopback: true,
  };
}

export async function listChannels({ alerts }: Config, say: (alert: Alert) => void): Promise<Channel[]> {
  const channels: Channel[] = [{ name: "the console", send: async (alert) => say(alert) }];
  if (alerts.webhook !== undefined) channels.push(createWebhook(alerts.webhook));
  if (alerts.snsTopicArn !== undefined) {
    const { createSnsDelivery } = await import("../../aws/sns.ts");
    const { alert: send } = createSnsDelivery({ topicArn: alerts.snsTopicArn });
    channels.push({ name: "SNS", send });
  }
  return channels;
}

// Readiness for the page of `up`: from the migration's files beside it, looked at again now and then.
const files = ["v1watch.mapping.json", "v1watch.inventory.json"];
const freshMs = 10_000;

export function createReadinessReader(
  store: Store,
): (currentState: CurrentState) => Promise<ReadinessView | undefined> {
  let kept: { atMs: number; view: ReadinessView | undefined } | undefined;
  return async (currentState) => {
    const nowMs = Date.now();
    if (kept && nowMs - kept.atMs < freshMs) return kept.view;
    kept = {
      atMs: nowMs,
      view: files.some((file) => existsSync(file)) ? await read(store, currentState, nowMs) : undefined,
    };
    return kept.view;
  };
}

async function read(
  store: Store,
  currentState: CurrentState,
  nowMs: number,
): Promise<ReadinessView | undefined> {
  const [{ readFiles }, { joinFacts }, { judgeReadiness }] = await Promise.all([
    import("../ready/files.ts"),
    import("../../report/model.ts"),
    import("../../readiness/readiness.ts"),
  ]);
  // A file with a mistake is for `v1watch ready` to explain; the page goes without.
  const given = await readFiles({}, nowMs).catch(() => undefined);
  if (!given) return undefined;
  const proof = findLastSentAlert(store);
  const watched = {
    state: currentState.assessState(),
    outlook: currentState.outlook(),
    decisions: await store.ledger.decisions(),
  };
  const { verdict, sentence, gates } = judgeReadiness(joinFacts({ nowMs, ...given, proof }, watched));
  return {
    verdict,
    sentence,
    gates: gates.map(({ id, title, state, evidence, next }) => ({ id, title, state, evidence, next })),
  };
}
