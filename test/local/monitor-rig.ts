// A monitor in the test process that checks the simulator, with its own store.

import { join } from "node:path";
import type { Config } from "../../lib/config/config.ts";
import type { Channel } from "../../lib/delivery/channels/channel.ts";
import type { HeartbeatInput } from "../../lib/delivery/heartbeat.ts";
import { type Configured, type Monitor, startMonitor } from "../../lib/local/monitor.ts";
import type { Limits } from "../../lib/local/server/admission.ts";
import {
  configForSimulator,
  type Simulation,
  simulatorKey,
  startSimulation,
} from "../../lib/local/simulation.ts";
import { openMemoryStore, openStore, type Store } from "../../lib/local/store/store.ts";
import type { WatchTick } from "../../lib/local/watch.ts";
import type { Ports } from "../../lib/ports.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { ScenarioName } from "../../lib/simulator/scenarios.ts";

export type Rig = {
  monitor: Monitor;
  configured: Configured;
  simulation: Simulation;
  store: Store;
  url: string;
  /** Ends `monitor.run()`; the store stays open. */
  endRun(): void;
  stop(): Promise<void>;
};

function openFile(path: string): Store {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  return opened.store;
}

export async function startRig(
  options: {
    /** For the store's file. Left out, the store is in memory. */
    folder?: string;
    scenario?: ScenarioName;
    channels?: Channel[];
    heartbeat?: HeartbeatInput;
    token?: string;
    linkSecret?: string;
    publicUrl?: string;
    maintenance?: Config["maintenance"];
    host?: string;
    allowHosts?: string[];
    limits?: Limits;
    wrapStore?(store: Store): Store;
    nowMs?(): number;
    /** What V1's clock shows, where it is not that of the monitor. */
    v1NowMs?(): number;
    readSubscriptions?: Ports["readSubscriptions"];
    onTick?(tick: WatchTick): void;
    composeDigest?(): Promise<Alert>;
  } = {},
): Promise<Rig> {
  const { folder, nowMs = Date.now } = options;
  const simulation = await startSimulation({
    scenario: options.scenario ?? "healthy",
    passports: 10,
    clock: { now: options.v1NowMs ?? nowMs },
  });
  const fast = configForSimulator(
    simulation.simulator.url,
    2,
    folder === undefined ? "memory" : join(folder, "rig.db"),
  );
  // As in production, so that a first bad check is not confirmed yet.
  const config = {
    ...fast,
    // Most requests of a tick would be rare variants.
    cadence: { ...fast.cadence, rare: "1d" },
    alerts: { ...fast.alerts, pageAfter: "5m" },
    publicUrl: options.publicUrl,
    maintenance: options.maintenance ?? [],
  };
  const opened = folder === undefined ? openMemoryStore(nowMs) : openFile(config.store);
  const store = options.wrapStore?.(opened) ?? opened;
  const stopping = new AbortController();
  const { host = "127.0.0.1", allowHosts = [] } = options;
  const configured: Configured = {
    config,
    channels: options.channels ?? [],
    heartbeat: options.heartbeat,
    readSubscriptions: options.readSubscriptions,
    composeDigest: options.composeDigest,
  };
  const monitor = await startMonitor({
    ...configured,
    store,
    simulation,
    allowLoopback: true,
    mode: "simulator",
    signal: stopping.signal,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    page: { port: 0, host, allowHosts, version: "1.2.3", ...(options.limits && { limits: options.limits }) },
    ...(options.token && { token: options.token }),
    linkSecret: options.linkSecret,
    nowMs,
    onTick: options.onTick ?? (() => {}),
  });
  return {
    monitor,
    configured,
    simulation,
    store,
    url: monitor.server?.url ?? "",
    endRun: () => stopping.abort(),
    async stop() {
      stopping.abort();
      await monitor.close();
      await simulation.simulator.close();
    },
  };
}
