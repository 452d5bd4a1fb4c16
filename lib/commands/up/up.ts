// v1watch up: runs the complete monitor on this machine until it is stopped.

import { rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { exitCodeOf } from "../../assess/verdict.ts";
import { frozenHintSeconds } from "../../config/assessment-settings.ts";
import type { Config } from "../../config/config.ts";
import { causeOf } from "../../delivery/outbox.ts";
import { makeFolder } from "../../local/folder.ts";
import { type Configured, type Monitor, startMonitor } from "../../local/monitor.ts";
import { readLinkSecret } from "../../local/server/signed-links.ts";
import { createSteadyClock, type SteadyClock } from "../../local/steady-clock.ts";
import { type Displacement, putInPlace, type Store } from "../../local/store/store.ts";
import { nothingUnsaved, type Unsaved, type WatchTick } from "../../local/watch.ts";
import { isAboutV1 } from "../../records/outcome.ts";
import { defineCommand, exitCodes, type Io } from "../command.ts";
import { openHeartbeat } from "../heartbeat.ts";
import { openChannels, subscriptionReader } from "../notify.ts";
import { openStoreForWriting } from "../open-watch.ts";
import { checkPort, refusePort } from "../port.ts";
import { isHealthyCycle } from "../probe/text.ts";
import { createLog, type Log } from "./log.ts";
import { createOutput } from "./output.ts";
import { createReloader, type Reloader } from "./reload.ts";
import {
  chooseTarget,
  composeDigest,
  createReadinessReader,
  renderReport,
  type UpValues,
  upOptions,
  type WatchTarget,
} from "./target.ts";
import { describeStop } from "./text.ts";

export const up = defineCommand({
  description:
    "Monitors V1 until you stop it: checks V1, assesses the responses, sends alerts, stores the history and serves the dashboard. Without a base URL of V1 it starts the built-in simulator and monitors that.",
  options: upOptions,
  notes: [
    "Changes on the dashboard need a token. v1watch prints it at the start, or the file that has it; V1WATCH_TOKEN sets it.",
    "Example: v1watch up --base-url https://api.example.com",
  ],
  async run(values, _positionals, io) {
    const log = createLog(io, { format: values.log, level: values["log-level"] });
    const target = await chooseTarget(values, log.io);
    const reloader = createReloader(target, values, log);
    if (!values.once) io.onHangup?.(reloader.request);
    try {
      return await monitorTarget(reloader, values, log);
    } finally {
      await target.simulation?.simulator.close();
    }
  },
});

/** What a monitor leaves to the next one where its store was damaged. */
type Carried = {
  port: number;
  token: string | undefined;
  linkSecret?: string | undefined;
  unsaved: Unsaved;
  clock: SteadyClock;
  recoveredMs?: number;
  /** Its last session found that the store is damaged. */
  isDamaged?: boolean;
  /** A store that was deleted or replaced: the copy that was made of it, and what to report. */
  displaced?: { what: Displacement; copy: string } | undefined;
};

/** A disk that damages the store again and again does not get a new copy of it every time. */
const recoverEveryMs = 3_600_000;

/** A store that is damaged while it is in use is opened again, which recovers and reports it, and the watch goes on. */
async function monitorTarget(reloader: Reloader, values: UpValues, log: Log): Promise<number> {
  const { io } = log;
  if (!values.once) await checkPort(values.port, hostOf(values));
  const carried: Carried = {
    port: values.port,
    token: io.env.V1WATCH_TOKEN,
    unsaved: nothingUnsaved(),
    // A V1 on this machine has the same clock.
    clock: createSteadyClock({ isV1Elsewhere: !reloader.target().allowLoopback }),
  };
  while (true) {
    const ended = await runMonitor(reloader, carried, values, log);
    if (typeof ended === "number") return ended;
    carried.isDamaged = ended === "damaged";
    if (carried.isDamaged) carried.recoveredMs = performance.now();
    if (carried.displaced?.what === "deleted")
      putInPlace(carried.displaced.copy, reloader.target().config.store);
  }
}

const hostOf = ({ host = "127.0.0.1" }: UpValues) => host;

async function runMonitor(
  reloader: Reloader,
  carried: Carried,
  values: UpValues,
  log: Log,
): Promise<number | "damaged" | "displaced"> {
  const { io } = log;
  const target = reloader.target();
  const { config, simulation } = target;
  const { recoveredMs, clock } = carried;
  const store = openStoreForWriting(config.store, io, carried.isDamaged);
  const output = createOutput({ target: reloader.target, isOnce: values.once, log, io });
  const configure = async (given: WatchTarget): Promise<Configured> => ({
    config: given.config,
    uses: given.uses,
    proxy: given.proxy,
    channels: await openChannels(given.config, io, output.onAlert, given.proxy),
    heartbeat: await openHeartbeat(given.config, io, given.proxy),
    readSubscriptions: await subscriptionReader(given.config),
    readReadiness: createReadinessReader(store, given.config, clock.nowMs),
    renderReport: () => renderReport(store, given.config, clock.nowMs()),
    composeDigest: simulation ? undefined : () => composeDigest(store, given.config, clock.nowMs()),
  });
  const tokenFile = `${config.store}.token`;
  const isRecoverable = recoveredMs === undefined || performance.now() - recoveredMs > recoverEveryMs;
  /** Whatever fails because the store is damaged ends with its recovery. */
  const ignoreDamage = (error: unknown) => {
    if (!isRecoverable || !store.damaged.aborted) throw error;
  };
  const displaced = new AbortController();
  let monitor: Monitor | undefined;
  try {
    if (!values.once) carried.linkSecret ??= readLinkSecret(`${config.store}.link-secret`);
    monitor = await startMonitor({
      ...(await configure(target)),
      store,
      readKey: target.readKey,
      allowLoopback: target.allowLoopback,
      mode: simulation ? "simulator" : "watch",
      simulation,
      signal: AbortSignal.any([
        io.signal,
        displaced.signal,
        ...(isRecoverable && !values.once ? [store.damaged] : []),
      ]),
      unsaved: carried.unsaved,
      clock,
      displaced: reportDisplacement(carried, config, io),
      onTick(tick) {
        if (!values.once && store.findDisplacement() !== undefined) displaced.abort();
        output.onTick(tick);
      },
      deliveryLog: {
        onSent: (sent) => log.record({ level: "info", event: "sent", ...sent }),
        onFailed: ({ id, to, error }) =>
          log.record({ level: "warn", event: "not-sent", id, to, cause: causeOf(error) }),
      },
      configurationProblem: reloader.problem,
      token: carried.token,
      linkSecret: carried.linkSecret,
      page: values.once ? undefined : pageOf(carried.port, values),
    }).catch((error: unknown) => refusePort(error, carried.port));
    output.follow(monitor);
    const { currentState, reload } = monitor;
    reloader.follow({
      configure,
      reload,
      onRead: () => currentState.publish("configuration"),
    });
    if (simulation)
      log.print(
        "info",
        `No base URL of V1 is configured. v1watch starts its simulator and checks that every ${config.cadence.calm}.\n`,
      );
    log.print("info", `${output.title()}\n\n`);
    if (monitor.server) announcePage(monitor, tokenFile, values, log);
    if (values.once) {
      const tick = await monitor.once();
      output.printVerdict();
      return codeOf(tick, monitor, frozenHintSeconds(config));
    }
    await monitor.run().catch(ignoreDamage);
    if (!io.signal.aborted) {
      carried.port = monitor.server?.port ?? carried.port;
      carried.token = monitor.token;
      carried.displaced = await copyDisplaced(store, config);
      return carried.displaced ? "displaced" : "damaged";
    }
    const refused = await monitor.saveUnsaved();
    const stopped = describeStop(carried.unsaved, refused?.why);
    const level = refused ? "error" : "info";
    log.print(level, `${stopped}\n`);
    log.record({ level, event: "stopped", text: stopped });
    return exitCodes.success;
  } finally {
    reloader.follow(undefined);
    rmSync(tokenFile, { force: true });
    if (monitor) await monitor.close().catch(ignoreDamage);
    else store.close();
  }
}

const pageOf = (port: number, values: UpValues) => ({
  port,
  host: hostOf(values),
  allowHosts: values["allow-host"],
  version: packageFile.version,
});

/** Where the token is, and who can read the dashboard. */
function announcePage({ token }: Monitor, tokenFile: string, values: UpValues, log: Log): void {
  const { io } = log;
  if (io.columns === undefined && io.env.V1WATCH_TOKEN === undefined) {
    writeToken(tokenFile, token);
    log.print("info", `The token for changes is in ${tokenFile}.\n\n`);
  }
  const host = hostOf(values);
  if (host !== "127.0.0.1" && host !== "localhost" && host !== "::1")
    log.print("info", `Everyone who can reach ${host} can read the dashboard; changes need the token.\n\n`);
}

/** A copy of a store whose file was deleted or replaced; undefined where it is in its place. */
async function copyDisplaced(store: Store, config: Config): Promise<Carried["displaced"]> {
  const what = store.findDisplacement();
  if (what === undefined) return undefined;
  const copy = `${config.store}.${what}-${new Date().toISOString().replaceAll(/[:.]/g, "")}`;
  // Its folder may be gone with it.
  makeFolder(dirname(copy), 0o700);
  await store.backUp(copy);
  return { what, copy };
}

function reportDisplacement(carried: Carried, config: Config, io: Io): [string, ...string[]] | undefined {
  if (!carried.displaced) return undefined;
  const lines = describeDisplacement(carried.displaced, config.store);
  const [summary, ...more] = lines;
  io.err(`v1watch: DEGRADED: ${summary}. ${more.join(" ")}\n`);
  carried.displaced = undefined;
  return lines;
}

const describeDisplacement = (
  { what, copy }: NonNullable<Carried["displaced"]>,
  store: string,
): [string, ...string[]] =>
  what === "deleted"
    ? [
        `The store ${store} was deleted while the watch used it, or its log ${basename(store)}-wal`,
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

/** A cycle without requests has no problems of its own, so the verdict counts as well, and what is not confirmed yet. */
function codeOf(
  { observations, degraded }: WatchTick,
  { currentState, sources }: Monitor,
  frozenAfterSeconds: number,
): number {
  const nowMs = sources.nowMs();
  const verdict = currentState.verdict(nowMs);
  const cycle = { observations: observations.filter(isAboutV1), nowMs, frozenAfterSeconds };
  const isCalm = cycle.observations.length === 0 || isHealthyCycle(cycle);
  const hasFindings = verdict.unconfirmed.length > 0 || degraded !== undefined || !isCalm;
  return hasFindings ? exitCodes.findings : exitCodeOf(verdict);
}
