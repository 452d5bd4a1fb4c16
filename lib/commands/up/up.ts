// v1watch up: runs the complete monitor on this machine until it is stopped.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { frozenHintSeconds } from "../../config/assessment-settings.ts";
import { type Monitor, startMonitor } from "../../local/monitor.ts";
import { readIncidents } from "../../local/page/incidents.ts";
import { readVerdict } from "../../local/page/summary.ts";
import { readLinkSecret } from "../../local/server/signed-links.ts";
import { type Displacement, putInPlace } from "../../local/store/store.ts";
import type { WatchTick } from "../../local/watch.ts";
import type { Alert } from "../../records/alert.ts";
import type { Observation } from "../../records/observation.ts";
import { dayMs } from "../../time.ts";
import { exitCodes, type Io, integerOption, type OptionValues, type Run } from "../command.ts";
import { pagePort } from "../defaults.ts";
import { print } from "../layout.ts";
import { openChannels, subscriptionReader } from "../notify.ts";
import { openStoreForWriting } from "../open-watch.ts";
import { checkPort, explainPort } from "../port.ts";
import { isHealthyCycle } from "../probe/formats.ts";
import { renderCycle } from "../probe/text.ts";
import {
  chooseTarget,
  composeDigest,
  createReadinessReader,
  renderReport,
  type WatchTarget,
} from "./target.ts";
import { renderAlert, renderScreen, renderTick, renderVerdict } from "./text.ts";

export const up: Run = async (values, _positionals, io) => {
  const port = integerOption(values, "port", { fallback: pagePort, min: 0, max: 65_535 });
  const target = await chooseTarget(values, io);
  if (!target) return exitCodes.usage;
  try {
    return await monitorTarget(target, port, values, io);
  } finally {
    await target.simulation?.simulator.close();
  }
};

const clearScreen = "\u001b[H\u001b[J";

/** What a monitor leaves to the next one where its store was damaged. */
type Carried = {
  port: number;
  token: string | undefined;
  linkSecret?: string | undefined;
  unsaved: Observation[][];
  recoveredMs?: number;
  /** A store that was deleted or replaced: the copy that was made of it, and what to report. */
  displaced?: { what: Displacement; copy: string } | undefined;
};

/** A disk that damages the store again and again does not get a new copy of it every time. */
const recoverEveryMs = 3_600_000;

/** A store that is damaged while it is in use is opened again, which recovers and reports it, and the watch goes on. */
async function monitorTarget(
  target: WatchTarget,
  port: number,
  values: OptionValues,
  io: Io,
): Promise<number> {
  if (values.once !== true) await checkPort(port, hostOf(values));
  const carried: Carried = { port, token: io.env.V1WATCH_TOKEN, unsaved: [] };
  while (true) {
    const ended = await runMonitor(target, carried, values, io);
    if (typeof ended === "number") return ended;
    if (ended === "damaged") carried.recoveredMs = performance.now();
    if (carried.displaced?.what === "deleted") putInPlace(carried.displaced.copy, target.config.store);
  }
}

const hostOf = ({ host }: OptionValues) => (typeof host === "string" ? host : "127.0.0.1");

async function runMonitor(
  target: WatchTarget,
  carried: Carried,
  values: OptionValues,
  io: Io,
): Promise<number | "damaged" | "displaced"> {
  const { config, simulation, keyText } = target;
  const { port, token, unsaved, recoveredMs } = carried;
  const isOnce = values.once === true;
  const host = hostOf(values);
  const store = openStoreForWriting(config.store, io);
  const isRecoverable = recoveredMs === undefined || performance.now() - recoveredMs > recoverEveryMs;
  const isScreen = io.isTerminal && !isOnce;
  // A log keeps what it gets, and others read it.
  const isShown = io.columns !== undefined;
  const tokenFile = `${config.store}.token`;
  const sentAlerts: Alert[] = [];
  const latest = new Map<string, Observation>();
  let monitor: Monitor | undefined;
  let isFirst = true;

  const frozenAfter = () => frozenHintSeconds(config);
  const title = () =>
    [
      `v1watch · V1 at ${config.baseUrl} · ${keyText} · every ${config.cadence.calm}`,
      ...(monitor?.server ? [`page ${monitor.server.url}/${isShown ? `#token=${monitor.token}` : ""}`] : []),
    ].join("\n");

  async function drawScreen(tick: Pick<WatchTick, "nextTickMs" | "degraded">): Promise<void> {
    if (!monitor) return;
    const { currentState } = monitor;
    const nowMs = Date.now();
    const spent =
      (await store.ledger.readProbeState())?.value.spent[new Date(nowMs).toISOString().slice(0, 7)] ?? 0;
    io.out(clearScreen);
    print(
      io,
      renderScreen({
        title: title(),
        baseUrl: config.baseUrl,
        verdict: readVerdict(currentState.assessState(), currentState.outlook(), Date.now()),
        observations: [...latest.values()],
        open: readIncidents(currentState.assessState(), await store.ledger.decisions(), nowMs).open,
        sentAlerts,
        tick,
        budgetLeft: Math.max(0, config.budget.monthlyRequests - spent),
        nowMs,
        frozenAfterSeconds: frozenAfter(),
        sentKey: keyText !== "no key",
      }),
    );
  }

  function printVerdict(): void {
    if (!monitor) return;
    const { currentState } = monitor;
    const [state, outlook] = [currentState.assessState(), currentState.outlook()];
    print(io, renderVerdict(state, outlook, readVerdict(state, outlook, Date.now())));
  }

  const moved = new AbortController();

  function onTick(tick: WatchTick): void {
    if (!isOnce && store.findDisplacement() !== undefined) moved.abort();
    for (const observation of tick.observations)
      latest.set(`${observation.endpoint}/${observation.variant}`, observation);
    for (const [name, { at }] of latest) if (tick.tickMs - Date.parse(at) > dayMs) latest.delete(name);
    const { observations } = tick;
    if (isScreen) void drawScreen(tick).catch(() => {});
    else if (isFirst && observations.length === 0) {
      if (!isOnce) printVerdict();
      print(
        io,
        `V1 was checked recently. The next check is due at ${new Date(tick.nextTickMs).toISOString().slice(0, 19)}Z.\n\n`,
      );
    } else if (isFirst) {
      const cycle = { observations, nowMs: Date.now(), frozenAfterSeconds: frozenAfter() };
      const sentKey = keyText !== "no key";
      print(io, `${renderCycle({ baseUrl: config.baseUrl, ...cycle, sentKey })}\n`);
    } else print(io, renderTick(tick));
    isFirst = false;
  }

  try {
    const channels = await openChannels(config, io, (alert) => {
      sentAlerts.push(alert);
      sentAlerts.splice(0, sentAlerts.length - 20);
      if (!isScreen) print(io, renderAlert(alert));
    });
    const allowHosts = [
      ...[values["allow-host"] ?? []].flat().map(String),
      ...(config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname]),
    ];
    if (!isOnce) carried.linkSecret ??= readLinkSecret(`${config.store}.link-secret`);
    monitor = await startMonitor({
      config,
      store,
      channels,
      readKey: target.readKey,
      uses: target.uses,
      allowLoopback: target.allowLoopback,
      mode: simulation ? "simulator" : "watch",
      simulation,
      signal: AbortSignal.any([
        io.signal,
        moved.signal,
        ...(isRecoverable && !isOnce ? [store.damaged] : []),
      ]),
      unsaved,
      onTick,
      readReadiness: createReadinessReader(store, config),
      renderReport: () => renderReport(store, config),
      composeDigest: simulation ? undefined : () => composeDigest(store, config),
      readSubscriptions: await subscriptionReader(config),
      token,
      linkSecret: carried.linkSecret,
      page: !isOnce ? { port, host, allowHosts, version: packageFile.version } : undefined,
    }).catch(async (error: unknown) => {
      throw await explainPort(error, port);
    });
    if (carried.displaced) {
      const [summary, ...more] = describeDisplacement(carried.displaced, config.store);
      io.err(`v1watch: DEGRADED: ${summary}. ${more.join(" ")}\n`);
      monitor.notify(`store-${carried.displaced.what}-${Date.now()}`, [summary, ...more]);
      carried.displaced = undefined;
    }
    if (simulation)
      print(
        io,
        `No base URL of V1 is configured. The built-in simulator is started and checked every ${config.cadence.calm}.\n`,
      );
    print(io, `${title()}\n\n`);
    if (monitor.server && !isShown && io.env.V1WATCH_TOKEN === undefined) {
      writeToken(tokenFile, monitor.token);
      print(io, `The token for changes is in ${tokenFile}.\n\n`);
    }
    if (monitor.server && host !== "127.0.0.1" && host !== "localhost" && host !== "::1")
      print(io, `Everyone who can reach ${host} can read the page; changes need the token.\n\n`);
    if (isOnce) {
      const tick = await monitor.once();
      printVerdict();
      return isHealthy(tick, monitor, frozenAfter()) ? exitCodes.success : exitCodes.findings;
    }
    await monitor.run().catch((error: unknown) => {
      // Whatever fails because the store is damaged ends with its recovery.
      if (!isRecoverable || !store.damaged.aborted) throw error;
    });
    if (!io.signal.aborted) {
      carried.port = monitor.server?.port ?? port;
      carried.token = monitor.token;
      const what = store.findDisplacement();
      if (what === undefined) return "damaged";
      const copy = `${config.store}.${what}-${new Date().toISOString().replaceAll(/[:.]/g, "")}`;
      // Its folder may be gone with it.
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      await store.backUp(copy);
      carried.displaced = { what, copy };
      return "displaced";
    }
    if (isScreen) io.out("\n");
    io.out("Stopped. All observations are stored.\n");
    return exitCodes.success;
  } finally {
    rmSync(tokenFile, { force: true });
    if (monitor)
      await monitor.close().catch((error: unknown) => {
        if (!isRecoverable || !store.damaged.aborted) throw error;
      });
    else store.close();
  }
}

const describeDisplacement = (
  { what, copy }: NonNullable<Carried["displaced"]>,
  store: string,
): [string, ...string[]] =>
  what === "deleted"
    ? [
        `The store ${store} was deleted while the watch used it`,
        "It was written again with everything that was in it, and the watch goes on.",
        "Find out what deletes it.",
      ]
    : [
        `The store ${store} was replaced by another file while the watch used it`,
        `The watch goes on with the new file. What was stored before is in ${copy}.`,
        "To replace a store, stop the watch first.",
      ];

/** For its owner only. A file or link that stands there is replaced, not written into. */
function writeToken(file: string, token: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: "wx" });
}

/** A cycle without requests has no problems of its own, so open incidents and the current verdict count as well. */
function isHealthy(
  { observations }: WatchTick,
  { currentState }: Monitor,
  frozenAfterSeconds: number,
): boolean {
  const { trouble } = readVerdict(currentState.assessState(), currentState.outlook(), Date.now());
  const cycle = { observations, nowMs: Date.now(), frozenAfterSeconds };
  return trouble === undefined && isHealthyCycle(cycle);
}
