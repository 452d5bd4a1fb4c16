// Chooses the target of `up` (the configured V1 or the built-in simulator).

import { existsSync } from "node:fs";
import type { SecretSource } from "../../config/channels.ts";
import {
  type Config,
  maskKey,
  mistakesText,
  type OfflineConfig,
  type Origin,
  readConfig,
  readOfflineConfig,
} from "../../config/config.ts";
import { thresholds } from "../../config/thresholds.ts";
import type { CurrentState } from "../../local/current-state.ts";
import type { ReadinessView } from "../../local/server/api-schemas.ts";
import type { Simulation } from "../../local/simulation.ts";
import { type Store, simulatorStorePath } from "../../local/store/store.ts";
import type { KeyResult } from "../../ports.ts";
import type { Alert } from "../../records/alert.ts";
import { type CodeUse, inventoryFileName } from "../../records/inventory.ts";
import type { Report } from "../../records/report.ts";
import type { ScenarioName } from "../../simulator/scenarios.ts";
import { choiceOption, type Io, integerOption, type OptionValues, UsageError } from "../command.ts";
import { openKey, warnOfPlainHttp } from "../key.ts";
import { warnOfOpenFiles } from "../secrets.ts";

/** One more check of each endpoint than those that are its baseline. */
const healthyChecks = thresholds.baselineChecks + 1;

export type WatchTarget = {
  config: Config;
  readKey(): Promise<KeyResult>;
  keyText: string;
  allowLoopback: boolean;
  /** The code that reads V1, from the inventory. */
  uses: CodeUse[] | undefined;
  simulation?: Simulation | undefined;
};

/** Undefined if the configuration has errors, which are printed. */
export async function chooseTarget(values: OptionValues, io: Io): Promise<WatchTarget | undefined> {
  // Without an address and without a file that should have one, the simulator is watched.
  const loaded = await (values.config === undefined ? readOfflineConfig : readConfig)(io.env, values);
  if (!loaded.ok) {
    io.err(`v1watch: ${mistakesText(loaded.mistakes)}\n`);
    return undefined;
  }
  const { baseUrl } = loaded.config;
  if (baseUrl === undefined) return createSimulatorTarget(values, loaded.config, loaded.origins);
  for (const flag of ["scenario", "every"] as const)
    if (values[flag] !== undefined)
      throw new UsageError(`--${flag} applies only to the simulator; remove --base-url to use it`);
  const { origins } = loaded;
  const config = { ...loaded.config, baseUrl };
  const read = openKey(config, origins, io.env);
  const key = await read();
  if (key.kind === "no-secret") io.err(`v1watch: ${key.remedy}\n`);
  warnOfPlainHttp(config, key.kind === "key", io);
  await warnOfOpenFiles([config.key, ...config.channels.flatMap(secretsOf)], io);
  const keyText =
    key.kind === "key" ? `key ${maskKey(key.key)}` : key.kind === "none" ? "no key" : "key not found";
  const uses = await readUses(config, origins);
  return { config, readKey: read, keyText, uses, allowLoopback: values["allow-loopback"] === true };
}

const secretsOf = (channel: Config["channels"][number]): (SecretSource | undefined)[] => {
  if (channel.type === "pagerduty") return [channel.routingKey];
  if (channel.type === "email") return [channel.password];
  return "url" in channel ? [channel.url] : [];
};

/** What only some watches need is loaded where it is needed: it would stay in the memory of all of them. */
async function readUses(
  config: OfflineConfig,
  origins: Readonly<Record<string, Origin>>,
): Promise<CodeUse[] | undefined> {
  if (origins.inventory === "default" && !existsSync(inventoryFileName)) return undefined;
  const { readCodeUses } = await import("../ready/files.ts");
  return readCodeUses(config, origins);
}

async function createSimulatorTarget(
  values: OptionValues,
  loaded: OfflineConfig,
  origins: Record<string, Origin>,
): Promise<WatchTarget> {
  const [
    { configForSimulator, frequentSpeed, simulatorKey, startSimulation },
    { scenarioNamed, scenarioNames },
  ] = await Promise.all([import("../../local/simulation.ts"), import("../../simulator/scenarios.ts")]);
  const scenario = choiceOption<ScenarioName>(values, "scenario", "healthy", scenarioNames);
  const everySeconds = integerOption(values, "every", { fallback: 10, min: 2, max: 3_600 });
  const hasFaults = scenarioNamed(scenario).steps.length > 0;
  const healthyForMs = hasFaults && values.once !== true ? healthyChecks * everySeconds * 1_000 : 0;
  // One cycle sees the data as old as the scenario makes it.
  const simulation = await startSimulation({
    scenario,
    healthyForMs,
    startAtMs: values.once === true ? scenarioNamed(scenario).startAtMs : undefined,
    frequentSpeed: values.once === true ? 1 : frequentSpeed,
  });
  const store = origins.store === "default" ? simulatorStorePath : loaded.store;
  const fast = configForSimulator(simulation.simulator.url, everySeconds, store);
  if (values.once === true) fast.staleness = loaded.staleness;
  const { alerts, channels, publicUrl, runbookUrl } = loaded;
  const config = { ...fast, alerts: { ...fast.alerts, ...alerts }, channels, publicUrl, runbookUrl };
  return {
    config,
    uses: await readUses(loaded, origins),
    simulation,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    keyText: `simulated: ${scenario}`,
    allowLoopback: true,
  };
}

const files = ["v1watch.mapping.json", "v1watch.inventory.json"];
const cacheMs = 10_000;

/** Readiness for the page of `up`, from the migration files in the current folder. The result is cached. */
export function createReadinessReader(
  store: Store,
  config: Config,
): (live: CurrentState) => Promise<ReadinessView | undefined> {
  let cached: { atMs: number; view: ReadinessView | undefined } | undefined;
  const readComparison = createComparisonReader(config);
  return async (live) => {
    const nowMs = Date.now();
    if (cached && nowMs - cached.atMs < cacheMs) return cached.view;
    cached = {
      atMs: nowMs,
      view: files.some((file) => existsSync(file)) ? await readReadiness(store, live, nowMs) : undefined,
    };
    const comparison = readComparison();
    if (cached.view && comparison) cached.view.comparison = comparison;
    return cached.view;
  };
}

const comparisonEveryMs = 60_000;

/** The status of the comparison in AWS. It is read beside the requests of the page, so that AWS delays none of them. */
function createComparisonReader(config: Config): () => string | undefined {
  let status: string | undefined;
  let readAtMs = 0;
  return () => {
    if (!config.aws.comparison || Date.now() - readAtMs < comparisonEveryMs) return status;
    readAtMs = Date.now();
    import("../parity/follow.ts")
      .then(({ readComparisonStatus }) => readComparisonStatus(config))
      .then(
        (text) => {
          status = text;
        },
        () => {
          status = "The comparison in AWS cannot be read. See v1watch parity --status.";
        },
      );
    return status;
  };
}

async function readReadiness(
  store: Store,
  currentState: CurrentState,
  nowMs: number,
): Promise<ReadinessView | undefined> {
  const [{ readTeamInput }, { joinFacts }, { judgeReadiness }] = await Promise.all([
    import("../ready/files.ts"),
    import("../../report/model.ts"),
    import("../../readiness/readiness.ts"),
  ]);
  // The page shows no readiness if a file is invalid; `v1watch ready` explains the error.
  const team = await readTeamInput({}, nowMs).catch(() => undefined);
  if (!team) return undefined;
  const proof = store.outbox.lastProof();
  const watched = {
    state: currentState.assessState(),
    outlook: currentState.outlook(),
    decisions: await store.ledger.decisions(),
  };
  const { verdict, sentence, gates } = judgeReadiness(joinFacts({ nowMs, ...team, proof }, watched));
  return {
    verdict,
    sentence,
    gates: gates.map(({ id, title, state, evidence, next }) => ({ id, title, state, evidence, next })),
  };
}

async function readReport(store: Store, config: Config): Promise<Report> {
  const [{ inspectStore }, { composeReport }] = await Promise.all([
    import("../ready/watch.ts"),
    import("../report.ts"),
  ]);
  return composeReport(await inspectStore(store, config, Date.now()), {}, Date.now());
}

export async function renderReport(store: Store, config: Config): Promise<string> {
  const { renderHtml } = await import("../../report/html.ts");
  return renderHtml(await readReport(store, config));
}

export async function composeDigest(store: Store, config: Config): Promise<Alert> {
  const { digestReport } = await import("../../report/digest.ts");
  const { publicUrl } = config;
  const location = publicUrl === undefined ? "v1watch report" : `${publicUrl.replace(/\/+$/, "")}/report`;
  return digestReport(await readReport(store, config), location);
}
