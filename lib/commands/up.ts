// v1watch up: the whole monitor on one machine, until it is stopped.

import packageFile from "../../package.json" with { type: "json" };
import { type Config, maskKey, mistakesText, type Origin, readConfig } from "../config.ts";
import { type Channel, createWebhook } from "../local/channels.ts";
import { type Monitor, startMonitor } from "../local/monitor.ts";
import {
  configForSimulator,
  type Simulation,
  simulatorKey,
  simulatorStorePath,
  startSimulation,
} from "../local/simulation.ts";
import { openStore, type Store } from "../local/store.ts";
import { readIncidents } from "../local/view-incidents.ts";
import { readVerdict } from "../local/view-verdict.ts";
import type { WatchTick } from "../local/watch.ts";
import type { Alert } from "../records/alert.ts";
import type { Observation } from "../records/observation.ts";
import { type ScenarioName, scenarioNames } from "../simulator/scenarios.ts";
import {
  type Command,
  choiceOption,
  exitCodes,
  type Io,
  integerOption,
  UsageError,
  type Values,
} from "./command.ts";
import { readKey } from "./key.ts";
import { findPortOwner } from "./port-owner.ts";
import { listProblems } from "./probe-output.ts";
import { renderCycle } from "./probe-text.ts";
import { createReadinessReader } from "./up-readiness.ts";
import { renderScreen, renderTick, renderTold, renderVerdict } from "./up-text.ts";

export const defaultPort = 4180;

const help = `Usage: v1watch up [options]

Watches V1 until it is stopped: probes, judges, tells, remembers, and shows a page.
Without an address of V1 it starts the simulator beside itself and watches that.

  --base-url URL     where V1 answers (environment: V1WATCH_BASE_URL; the key: V1WATCH_API_KEY)
  --port N           the page's port on 127.0.0.1 (default ${defaultPort}; 0 takes a free one)
  --host ADDRESS     another address than 127.0.0.1 to listen on; reading the page needs no token
  --allow-host NAME  a further name under which the page may be asked for (may be repeated)
  --store FILE       where it remembers (default .v1watch/watch.db, simulated ${simulatorStorePath})
  --webhook URL      tell a Slack-compatible webhook too (environment: V1WATCH_WEBHOOK)
  --once             one full cycle; exit code 0 fine, 1 findings or incidents
  --allow-loopback   V1 is on this machine
  --config FILE      another file than v1watch.config.json
  --scenario NAME    simulated only: what goes wrong (default healthy)
  --every SECONDS    simulated only: how often V1 is asked (default 10)

A token for what changes state is printed at the start; V1WATCH_TOKEN sets it.

Example: v1watch up --base-url https://api.example.com
`;

/** What is watched, and with what. */
type Target = {
  config: Config;
  readKey: Parameters<typeof startMonitor>[0]["readKey"];
  keyText: string;
  allowLoopback: boolean;
  simulation?: Simulation;
};

async function chooseTarget(values: Values, io: Io): Promise<Target | undefined> {
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
  const read = () => readKey(config, origins, io.env);
  const key = await read();
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

const troubles: Record<string, string> = {
  newer: "it was written by a newer v1watch",
  foreign: "it is not a store of v1watch",
  "disk-full": "the disk is full",
  "read-only": "it may not be written",
};

export function openOwnStore(path: string, io: Io): Store {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind === "owned") {
    const who = opened.pid === undefined ? "another process" : `pid ${opened.pid}`;
    throw new UsageError(`the store ${path} is in use by ${who}. Stop it, or use --store.`);
  }
  if (opened.kind !== "open") {
    const why = opened.kind === "unusable" ? (troubles[opened.why] ?? opened.why) : opened.kind;
    throw new UsageError(`the store ${path} cannot be used: ${why}`);
  }
  if (opened.setAside)
    io.err(
      `v1watch: DEGRADED: the store was corrupt; it is kept as ${opened.setAside}, and a new one is begun\n`,
    );
  return opened.store;
}

export async function explainPort(error: unknown, port: number): Promise<unknown> {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EACCES") return new UsageError(`port ${port} needs more rights than yours. Use --port.`);
  if (code === "EADDRNOTAVAIL") return new UsageError("--host is not an address of this machine");
  if (code !== "EADDRINUSE") return error;
  const owner = await findPortOwner(port);
  const who = owner ? ` (pid ${owner.pid}, ${owner.name})` : "";
  return new UsageError(`port ${port} is in use${who}. Use --port, or stop it.`);
}

async function listChannels({ alerts }: Config, say: (alert: Alert) => void): Promise<Channel[]> {
  const channels: Channel[] = [{ name: "the console", send: async (alert) => say(alert) }];
  if (alerts.webhook !== undefined) channels.push(createWebhook(alerts.webhook));
  if (alerts.snsTopicArn !== undefined) {
    const { createSnsDelivery } = await import("../aws/alerts.ts");
    const { alert: send } = createSnsDelivery({ topicArn: alerts.snsTopicArn });
    channels.push({ name: "SNS", send });
  }
  return channels;
}

export const up: Command = {
  name: "up",
  summary: "watch V1 on this machine, with a page",
  help,
  options: {
    "base-url": { type: "string" },
    port: { type: "string" },
    host: { type: "string" },
    "allow-host": { type: "string", multiple: true },
    store: { type: "string" },
    webhook: { type: "string" },
    once: { type: "boolean" },
    "allow-loopback": { type: "boolean" },
    config: { type: "string" },
    scenario: { type: "string" },
    every: { type: "string" },
  },
  async run(values, _positionals, io) {
    const port = integerOption(values, "port", defaultPort, 0, 65_535);
    const target = await chooseTarget(values, io);
    if (!target) return exitCodes.usage;
    try {
      return await watchTarget(target, port, values, io);
    } finally {
      await target.simulation?.simulator.close();
    }
  },
};

async function watchTarget(target: Target, port: number, values: Values, io: Io): Promise<number> {
  const { config, simulation, keyText } = target;
  const store = openOwnStore(config.store, io);
  const isOnce = values.once === true;
  const isScreen = io.isTerminal && !isOnce;
  const told: Alert[] = [];
  const latest = new Map<string, Observation>();
  const host = typeof values.host === "string" ? values.host : "127.0.0.1";
  let monitor: Monitor | undefined;
  let isFirst = true;

  const frozenAfterSeconds = () => (monitor?.sources.settings.frozenAfterMs ?? 0) / 1_000;
  const title = () =>
    [
      `v1watch · V1 at ${config.baseUrl} · ${keyText} · every ${config.cadence.calm}`,
      ...(monitor?.server ? [`page ${monitor.server.url}/#token=${monitor.token}`] : []),
    ].join("\n");

  async function drawScreen(tick: Pick<WatchTick, "nextTickMs" | "degraded">): Promise<void> {
    if (!monitor) return;
    const { live } = monitor;
    const nowMs = Date.now();
    const spent =
      (await store.ledger.readPace())?.value.spent[new Date(nowMs).toISOString().slice(0, 7)] ?? 0;
    io.out(
      renderScreen({
        title: title(),
        verdict: readVerdict(live.state(), live.outlook()),
        observations: [...latest.values()],
        open: readIncidents(live.state(), await store.ledger.decisions(), nowMs).open,
        told,
        tick,
        budgetLeft: Math.max(0, config.budget.monthlyRequests - spent),
        nowMs,
        frozenAfterSeconds: frozenAfterSeconds(),
        sentKey: keyText !== "no key",
      }),
    );
  }

  function onTick(tick: WatchTick): void {
    for (const one of tick.observations) latest.set(`${one.endpoint}/${one.case}`, one);
    for (const [name, { at }] of latest) if (tick.tickMs - Date.parse(at) > 86_400_000) latest.delete(name);
    if (isScreen) void drawScreen(tick).catch(() => {});
    else if (isOnce || (isFirst && tick.observations.length > 0)) {
      const { observations } = tick;
      const sentKey = keyText !== "no key";
      io.out(
        `${renderCycle({ observations, nowMs: Date.now(), frozenAfterSeconds: frozenAfterSeconds(), sentKey })}\n`,
      );
    } else io.out(renderTick(tick));
    if (tick.observations.length > 0) isFirst = false;
  }

  try {
    const channels = await listChannels(config, (alert) => {
      told.push(alert);
      told.splice(0, told.length - 20);
      if (!isScreen) io.out(renderTold(alert));
    });
    const allowHosts = [values["allow-host"] ?? []].flat().map(String);
    monitor = await startMonitor({
      ...{ config, store, channels, readKey: target.readKey, allowLoopback: target.allowLoopback },
      mode: simulation ? "simulator" : "watch",
      ...(simulation && { simulation }),
      signal: io.signal,
      onTick,
      readReadiness: createReadinessReader(store),
      ...(io.env.V1WATCH_TOKEN && { token: io.env.V1WATCH_TOKEN }),
      ...(!isOnce && { page: { port, host, allowHosts, version: packageFile.version } }),
    }).catch(async (error: unknown) => {
      throw await explainPort(error, port);
    });
    if (simulation)
      io.out(
        `No address of V1 is configured, so V1 itself runs here, simulated, and is asked every ${config.cadence.calm}.\n`,
      );
    io.out(`${title()}\n\n`);
    if (monitor.server && host !== "127.0.0.1" && host !== "localhost" && host !== "::1")
      io.out(`Whoever reaches ${host} can read the page; changing anything needs the token.\n\n`);
    if (isOnce) {
      const tick = await monitor.once();
      const { live } = monitor;
      io.out(renderVerdict(live.state(), live.outlook(), readVerdict(live.state(), live.outlook())));
      return isFine(tick, monitor) ? exitCodes.fine : exitCodes.findings;
    }
    await monitor.run();
    if (isScreen) io.out("\n");
    io.out("Stopped. Everything that was seen is kept.\n");
    return exitCodes.fine;
  } finally {
    if (monitor) await monitor.close();
    else store.close();
  }
}

function isFine({ observations }: WatchTick, { live }: Monitor): boolean {
  const nowMs = Date.now();
  const isOpen = Object.values(live.state().cases).some(({ incident }) => incident.state === "open");
  return !isOpen && observations.every((observation) => listProblems(observation, nowMs).length === 0);
}
