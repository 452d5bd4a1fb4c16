// v1watch up: the whole monitor on one machine, until it is stopped.
import packageFile from "../../../package.json" with { type: "json" };
import { type Monitor, startMonitor } from "../../local/monitor.ts";
import { readIncidents } from "../../local/page/incidents.ts";
import { readVerdict } from "../../local/page/verdict.ts";
import { simulatorStorePath } from "../../local/store/store.ts";
import type { WatchTick } from "../../local/watch.ts";
import type { Alert } from "../../records/alert.ts";
import type { Observation } from "../../records/observation.ts";
import { type Command, exitCodes, type Io, integerOption, type Values } from "../command.ts";
import { openOwnStore } from "../open-watch.ts";
import { checkPort, defaultPort, explainPort } from "../port.ts";
import { isFineCycle } from "../probe/formats.ts";
import { renderCycle } from "../probe/text.ts";
import { chooseTarget, createReadinessReader, listChannels, type Target } from "./target.ts";
import { renderScreen, renderTick, renderTold, renderVerdict } from "./text.ts";

const help = `v1watch up [options]

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
  const isOnce = values.once === true;
  const host = typeof values.host === "string" ? values.host : "127.0.0.1";
  if (!isOnce) await checkPort(port, host);
  const store = openOwnStore(config.store, io);
  const isScreen = io.isTerminal && !isOnce;
  const told: Alert[] = [];
  const latest = new Map<string, Observation>();
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
    const { currentState } = monitor;
    const nowMs = Date.now();
    const spent =
      (await store.ledger.readProbeState())?.value.spent[new Date(nowMs).toISOString().slice(0, 7)] ?? 0;
    io.out(
      renderScreen({
        title: title(),
        baseUrl: config.baseUrl,
        verdict: readVerdict(currentState.assessState(), currentState.outlook()),
        observations: [...latest.values()],
        open: readIncidents(currentState.assessState(), await store.ledger.decisions(), nowMs).open,
        told,
        tick,
        budgetLeft: Math.max(0, config.budget.monthlyRequests - spent),
        nowMs,
        frozenAfterSeconds: frozenAfterSeconds(),
        sentKey: keyText !== "no key",
      }),
    );
  }

  function sayVerdict(): void {
    if (!monitor) return;
    const { currentState } = monitor;
    io.out(
      renderVerdict(
        currentState.assessState(),
        currentState.outlook(),
        readVerdict(currentState.assessState(), currentState.outlook()),
      ),
    );
  }

  function onTick(tick: WatchTick): void {
    for (const one of tick.observations) latest.set(`${one.endpoint}/${one.variant}`, one);
    for (const [name, { at }] of latest) if (tick.tickMs - Date.parse(at) > 86_400_000) latest.delete(name);
    const { observations } = tick;
    if (isScreen) void drawScreen(tick).catch(() => {});
    else if (isFirst && observations.length === 0) {
      if (!isOnce) sayVerdict();
      io.out(
        `V1 was asked lately; the next question is due at ${new Date(tick.nextTickMs).toISOString().slice(0, 19)}Z.\n\n`,
      );
    } else if (isFirst) {
      const seen = { observations, nowMs: Date.now(), frozenAfterSeconds: frozenAfterSeconds() };
      const sentKey = keyText !== "no key";
      io.out(`${renderCycle({ baseUrl: config.baseUrl, ...seen, sentKey })}\n`);
    } else io.out(renderTick(tick));
    isFirst = false;
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
      sayVerdict();
      return isFine(tick, monitor, frozenAfterSeconds()) ? exitCodes.fine : exitCodes.findings;
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

/** A cycle that asked nothing brings no problem, so what is known already counts too. */
function isFine({ observations }: WatchTick, { currentState }: Monitor, frozenAfterSeconds: number): boolean {
  const isOpen = Object.values(currentState.assessState().incidents).some(
    ({ incident }) => incident.state === "open",
  );
  const isTroubled = readVerdict(currentState.assessState(), currentState.outlook()).trouble !== undefined;
  return !isOpen && !isTroubled && isFineCycle({ observations, nowMs: Date.now(), frozenAfterSeconds });
}
