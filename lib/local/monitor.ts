// The whole product on one machine, put together: the watch, the store, the alerts and the page.
import { randomBytes } from "node:crypto";
import { readAssessment } from "../assess/assess.ts";
import { assessmentSettings, type Config } from "../config/config.ts";
import { type Channel, createDelivery } from "../delivery/channels/webhook.ts";
import type { KeyResult, Ports } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import type { Observation } from "../records/observation.ts";
import { type CurrentState, createLive } from "./current-state.ts";
import type { Mode, Sources } from "./page/summary.ts";
import type { ReadinessView } from "./server/api-schemas.ts";
import { toldEvent } from "./server/events.ts";
import { createMetricsRegistry } from "./server/metrics-and-badge.ts";
import { type PageServer, startServer } from "./server/server.ts";
import type { Simulation } from "./simulation.ts";
import type { Store } from "./store/store.ts";
import { freshCarry, type WatchInput, type WatchTick, watch, watchOnce } from "./watch.ts";

export type MonitorInput = {
  config: Config;
  store: Store;
  readKey(): Promise<KeyResult>;
  channels: readonly Channel[];
  allowLoopback: boolean;
  mode: Mode;
  simulation?: Simulation;
  signal: AbortSignal;
  nowMs?(): number;
  wait?: WatchInput["wait"];
  deliverEveryMs?: number;
  page?: { port: number; host: string; allowHosts: readonly string[]; version: string };
  token?: string;
  /** Asked for now and then, with what is known by then. */
  readReadiness?(live: CurrentState): Promise<ReadinessView | undefined>;
  onTick(tick: WatchTick): void;
  onObservation?(observation: Observation): void;
};

export type Monitor = {
  live: CurrentState;
  sources: Sources;
  server: PageServer | undefined;
  /** Opens whatever changes state. */
  token: string;
  /** One full cycle. */
  once(): Promise<WatchTick>;
  /** Until the signal is aborted. */
  run(): Promise<void>;
  close(): Promise<void>;
};

const dayMs = 86_400_000;

export async function startMonitor(input: MonitorInput): Promise<Monitor> {
  const { config, store, mode, simulation, signal, nowMs = Date.now } = input;
  const settings = assessmentSettings(config);
  const live = createLive();
  const registry = createMetricsRegistry();
  const delivery = createDelivery(input.channels, registry.note, (alert) => noteTold(store, live, alert));
  const ports: Ports = {
    nowMs,
    readKey: input.readKey,
    ledger: store.ledger,
    outbox: store.outbox,
    delivery,
  };
  const { readReadiness } = input;
  const sources: Sources = {
    ...{ config, settings, store, live, nowMs, mode },
    ...(simulation && { simulation }),
    ...(readReadiness && { readReadiness: () => readReadiness(live) }),
  };
  const token = input.token ?? randomBytes(18).toString("base64url");
  let prunedMs = Number.NEGATIVE_INFINITY;

  // What was known before the restart is on the page before the first answer.
  const known = await readAssessment(store.ledger, settings, nowMs()).catch(() => undefined);
  if (known) live.update(known);

  const server =
    input.page &&
    (await startServer({ sources, registry, token, ...input.page, silentAfterMs: settings.silentAfterMs }));
  const watchInput: WatchInput = {
    config,
    ports,
    settings,
    allowLoopback: input.allowLoopback,
    signal,
    ...(input.wait && { wait: input.wait }),
    ...(input.deliverEveryMs && { deliverEveryMs: input.deliverEveryMs }),
    ...(input.onObservation && { onObservation: input.onObservation }),
    onTick(tick) {
      live.noteTick(tick);
      if (nowMs() - prunedMs > dayMs / 4) prunedMs = prune(store, config, nowMs());
      input.onTick(tick);
    },
  };
  return {
    live,
    sources,
    server,
    token,
    async once() {
      const tick = await watchOnce(watchInput, freshCarry(ports));
      watchInput.onTick(tick);
      return tick;
    },
    run: () => watch(watchInput),
    async close() {
      await server?.close();
      await simulation?.simulator.close();
      store.close();
    },
  };
}

/** The alert has left; a store that cannot note it says DEGRADED, and the alert is still delivered. */
function noteTold(store: Store, live: CurrentState, alert: Alert): void {
  try {
    store.history.keepTold(alert);
  } catch {
    return;
  }
  const told = store.history.told(5).find((one) => one.alert.id === alert.id);
  if (told) live.publish(toldEvent(told));
}

function prune(store: Store, config: Config, nowMs: number): number {
  try {
    store.prune(nowMs - config.retention.observationDays * dayMs);
  } catch {
    // The store says so itself; the next turn tries again.
  }
  return nowMs;
}
