// Chooses the target of `up` (the configured V1 or the built-in simulator).

import { existsSync } from "node:fs";
import { listChanges } from "../../config/changes.ts";
import { secretsOf } from "../../config/channels.ts";
import type { Config, OfflineConfig, Origin } from "../../config/config.ts";
import { thresholds } from "../../config/thresholds.ts";
import type { CurrentState } from "../../local/current-state.ts";
import type { ReadinessView } from "../../local/server/api-schemas.ts";
import type { Simulation } from "../../local/simulation.ts";
import { type Store, simulatorStorePath } from "../../local/store/store.ts";
import type { HttpProxy, KeyResult } from "../../ports.ts";
import type { Alert } from "../../records/alert.ts";
import { type CodeUse, inventoryFileName } from "../../records/inventory.ts";
import { logLevels } from "../../records/log-line.ts";
import type { Report } from "../../records/report.ts";
import { scenarioNamed, scenarioNames } from "../../simulator/scenarios.ts";
import { choice, flag, type Io, integer, text, texts, UsageError, type Values } from "../command.ts";
import { describeKey, openKey, warnOfPlainHttp } from "../key.ts";
import { ConfigurationError, type Loaded, loadConfig, loadOfflineConfig } from "../load-config.ts";
import { openProxy } from "../proxy.ts";
import { warnOfOpenFiles } from "../secrets.ts";
import { allowLoopback, baseUrl as baseUrlOption, config as configOption, port } from "../shared-options.ts";
import { logFormats } from "./log.ts";

export const upOptions = {
  "base-url": baseUrlOption,
  port: port("port of the dashboard (default 4180; 0 chooses a free port)", 4180),
  host: text("<ADDRESS>", "address to listen on (default 127.0.0.1); reading needs no token"),
  "allow-host": texts("<NAME>", "another host name of the dashboard (repeatable)"),
  store: text(
    "<FILE>",
    "store file (default .v1watch/watch.db; with the simulator .v1watch/simulator.db; environment: V1WATCH_STORE)",
  ),
  once: flag("run one full cycle and exit with 0, or with 1 on findings or incidents"),
  "allow-loopback": allowLoopback,
  config: configOption,
  scenario: choice(
    "<NAME>",
    "simulator only: fault scenario, after a few healthy checks (default healthy); `v1watch help simulate` lists them",
    scenarioNames,
  ),
  log: choice("<FORMAT>", "text (default), or json with one object a line", logFormats),
  "log-level": choice("<LEVEL>", "the least that is logged (default info)", logLevels),
  every: integer("<SECONDS>", "simulator only: interval between checks (default 10)", {
    min: 2,
    max: 3_600,
    fallback: undefined,
  }),
};
export type UpValues = Values<typeof upOptions>;

const usuallyEverySeconds = 10;
/** One more check of each endpoint than those that are its baseline. */
const healthyChecks = thresholds.baselineChecks + 1;

export type WatchTarget = {
  /** As it was read. With the simulator the watch has another one. */
  loaded: Loaded<OfflineConfig>;
  config: Config;
  readKey(): Promise<KeyResult>;
  proxy: HttpProxy | undefined;
  keyText: string;
  allowLoopback: boolean;
  /** The code that reads V1, from the inventory. */
  uses: CodeUse[] | undefined;
  simulation?: Simulation | undefined;
};

export async function chooseTarget(values: UpValues, io: Io): Promise<WatchTarget> {
  const loaded = await load(values, io);
  const { baseUrl } = loaded.config;
  if (baseUrl === undefined) return createSimulatorTarget(values, loaded, io);
  for (const flag of ["scenario", "every"] as const)
    if (values[flag] !== undefined)
      throw new UsageError(`--${flag} applies only to the simulator; remove --base-url to use it`);
  const { origins } = loaded;
  const config = { ...loaded.config, baseUrl };
  const read = openKey(config, origins, io.env);
  const key = await read();
  if (key.kind === "no-secret") io.err(`v1watch: ${key.remedy}\n`);
  warnOfPlainHttp(config, key.kind === "key", io);
  await warnOfSecrets(config, io);
  return {
    loaded,
    config,
    readKey: read,
    proxy: await openProxy(config, io),
    keyText: describeKey(key),
    uses: await readUses(config, origins),
    allowLoopback: values["allow-loopback"],
  };
}

/** Without an address and without a file that should have one, the simulator is watched. */
const load = (values: UpValues, io: Io): Promise<Loaded<OfflineConfig>> =>
  (values.config === undefined ? loadOfflineConfig : loadConfig)(values, io);

async function warnOfSecrets({ key, proxy, heartbeat, channels }: Config, io: Io): Promise<void> {
  const secrets = channels.flatMap(secretsOf).map(({ source }) => source);
  await warnOfOpenFiles([key, proxy, heartbeat?.url, ...secrets], io);
}

/** What a watch cannot change while it runs: where it stores, what it watches, as whom, and what it may spend. */
const fixedSettings = ["store", "baseUrl", "key", "budget"] as const;

const isFromFile = ({ origins }: Loaded<OfflineConfig>) => Object.values(origins).includes("file");

/** The same target with the configuration of now. Rejects where the watch cannot go on with it. */
export async function rereadTarget(target: WatchTarget, values: UpValues, io: Io): Promise<WatchTarget> {
  const loaded = await load(values, io);
  const fixed = (config: OfflineConfig) => fixedSettings.map((name) => [name, config[name]]);
  const mistakes = listChanges(
    Object.fromEntries(fixed(target.loaded.config)),
    Object.fromEntries(fixed(loaded.config)),
  ).map((path) => ({
    path,
    problem: "has changed, which needs a restart.",
    remedy: "Restart v1watch, or change it back.",
  }));
  // It would be valid, and every channel would be gone.
  if (isFromFile(target.loaded) && !isFromFile(loaded))
    mistakes.unshift({
      path: values.config ?? "the configuration file",
      problem: "is missing, or has no settings.",
      remedy: "Write it again, or restart v1watch to go on without it.",
    });
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const uses = await readUses(loaded.config, loaded.origins);
  const config = target.simulation
    ? await readSimulatorConfig(target.simulation, values, loaded)
    : { ...loaded.config, baseUrl: target.config.baseUrl };
  await warnOfSecrets(config, io);
  return { ...target, loaded, uses, config, proxy: await openProxy(loaded.config, io) };
}

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
  values: UpValues,
  loaded: Loaded<OfflineConfig>,
  io: Io,
): Promise<WatchTarget> {
  const { frequentSpeed, simulatorKey, startSimulation } = await import("../../local/simulation.ts");
  const { scenario = "healthy", every: everySeconds = usuallyEverySeconds, once } = values;
  const { steps, startAtMs } = scenarioNamed(scenario);
  // One cycle sees the data as old as the scenario makes it.
  const simulation = await startSimulation({
    scenario,
    healthyForMs: steps.length > 0 && !once ? healthyChecks * everySeconds * 1_000 : 0,
    startAtMs: once ? startAtMs : undefined,
    frequentSpeed: once ? 1 : frequentSpeed,
  });
  return {
    loaded,
    config: await readSimulatorConfig(simulation, values, loaded),
    uses: await readUses(loaded.config, loaded.origins),
    simulation,
    // For the channels: the simulator is on this machine.
    proxy: await openProxy(loaded.config, io),
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    keyText: `simulated: ${scenario}`,
    allowLoopback: true,
  };
}

/** What a team decides about its alerts applies to the simulated V1 as well. */
async function readSimulatorConfig(
  { simulator }: Simulation,
  { every = usuallyEverySeconds, once }: UpValues,
  { config, origins }: Loaded<OfflineConfig>,
): Promise<Config> {
  const { configForSimulator } = await import("../../local/simulation.ts");
  const store = origins.store === "default" ? simulatorStorePath : config.store;
  const fast = configForSimulator(simulator.url, every, store);
  const { alerts, channels, publicUrl, runbookUrl } = config;
  const staleness = once ? config.staleness : fast.staleness;
  return { ...fast, staleness, alerts: { ...fast.alerts, ...alerts }, channels, publicUrl, runbookUrl };
}

const files = ["v1watch.mapping.json", "v1watch.inventory.json"];
const cacheMs = 10_000;

/** Readiness for the dashboard of `up`, from the migration files in the current folder. The result is cached. */
export function createReadinessReader(
  store: Store,
  config: Config,
  clockMs: () => number,
): (live: CurrentState) => Promise<ReadinessView | undefined> {
  let cached: { atMs: number; view: ReadinessView | undefined } | undefined;
  return async (live) => {
    const nowMs = clockMs();
    if (cached && nowMs - cached.atMs < cacheMs) return cached.view;
    cached = {
      atMs: nowMs,
      view: files.some((file) => existsSync(file))
        ? await readReadiness(store, live, config, nowMs)
        : undefined,
    };
    return cached.view;
  };
}

async function readReadiness(
  store: Store,
  currentState: CurrentState,
  { baseUrl: address }: Config,
  nowMs: number,
): Promise<ReadinessView | undefined> {
  const [{ readTeamInput }, { judgeInput }] = await Promise.all([
    import("../ready/files.ts"),
    import("../../report/model.ts"),
  ]);
  // The dashboard shows no readiness if a file is invalid; `v1watch ready` explains the error.
  const team = await readTeamInput({}, nowMs).catch(() => undefined);
  if (!team) return undefined;
  const proof = store.outbox.lastProof();
  const watched = {
    state: currentState.assessState(),
    outlook: currentState.outlook(),
    decisions: await store.ledger.decisions(),
  };
  const { readiness } = judgeInput({ facts: { nowMs, ...team, proof }, watch: watched, address });
  const { verdict, sentence, gates } = readiness;
  return {
    verdict,
    sentence,
    gates: gates.map(({ id, title, state, evidence, next }) => ({ id, title, state, evidence, next })),
  };
}

async function readReport(store: Store, config: Config, nowMs: number): Promise<Report> {
  const [{ inspectStore }, { composeReport }] = await Promise.all([
    import("../ready/watch.ts"),
    import("../report.ts"),
  ]);
  return composeReport(await inspectStore(store, config, nowMs), {}, nowMs);
}

export async function renderReport(store: Store, config: Config, nowMs: number): Promise<string> {
  const { renderHtml } = await import("../../report/html.ts");
  return renderHtml(await readReport(store, config, nowMs));
}

export async function composeDigest(store: Store, config: Config, nowMs: number): Promise<Alert> {
  const { digestReport } = await import("../../report/digest.ts");
  const { publicUrl } = config;
  const location = publicUrl === undefined ? "v1watch report" : `${publicUrl.replace(/\/+$/, "")}/report`;
  return digestReport(await readReport(store, config, nowMs), location);
}
