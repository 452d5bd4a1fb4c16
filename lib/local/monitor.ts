// Connects the watch loop, the store, the alert delivery and the web server into a monitor on one machine.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Evidence } from "../assess/alerts/scheduled-alerts.ts";
import { readAssessment } from "../assess/assess.ts";
import { readSchedule } from "../assess/verdict.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import type { Config } from "../config/config.ts";
import { type AlertActions, withActions } from "../delivery/actions.ts";
import type { Channel } from "../delivery/channels/channel.ts";
import { createHeartbeat, type HeartbeatInput } from "../delivery/heartbeat.ts";
import { createDeliverer } from "../delivery/outbox.ts";
import type { Failed, KeyResult, Ports, Receiver } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import type { CodeUse } from "../records/inventory.ts";
import type { Observation } from "../records/observation.ts";
import { acceptedByReceiver } from "../records/receipt.ts";
import { dayMs } from "../time.ts";
import { judgeChannels } from "./channel-warnings.ts";
import { type CurrentState, createCurrentState } from "./current-state.ts";
import { createOwnAlarms } from "./own-alarms.ts";
import type { MonitorMode, Sources } from "./page/summary.ts";
import type { ReadinessView } from "./server/api-schemas.ts";
import { alertSentEvent } from "./server/events.ts";
import { createMetricsRegistry } from "./server/metrics-and-badge.ts";
import { type PageServer, type ServerInput, startServer } from "./server/server.ts";
import { createLinkSigner } from "./server/signed-links.ts";
import type { Simulation } from "./simulation.ts";
import type { Store } from "./store/store.ts";
import { createUpkeep } from "./upkeep.ts";
import {
  createProcessState,
  nothingUnsaved,
  saveUnsaved,
  type Unsaved,
  type WatchInput,
  type WatchTick,
  watchOnce,
} from "./watch.ts";
import { watch } from "./watch-loops.ts";

export type MonitorInput = {
  config: Config;
  store: Store;
  readKey(): Promise<KeyResult>;
  proxy?: Ports["proxy"];
  readSubscriptions?: Ports["readSubscriptions"] | undefined;
  channels: readonly Channel[];
  /** The service elsewhere that notices when this monitor stops. */
  heartbeat?: HeartbeatInput | undefined;
  allowLoopback: boolean;
  /** The code that reads V1, from the inventory. */
  uses?: readonly CodeUse[] | undefined;
  mode: MonitorMode;
  simulation?: Simulation | undefined;
  signal: AbortSignal;
  nowMs?(): number;
  page?: Pick<ServerInput, "port" | "host" | "allowHosts" | "version" | "limits"> | undefined;
  token?: string | undefined;
  /** For the links by which readers of an alert acknowledge its incident; without one they get the command. */
  linkSecret?: string | undefined;
  /** What is not saved yet, also that of a monitor before this one. */
  unsaved?: Unsaved | undefined;
  /** What became of the file of the store, where a monitor before this one found it deleted or replaced. */
  displaced?: Evidence["lines"] | undefined;
  /** Called for every summary of the dashboard, with the current state. */
  readReadiness?: ((currentState: CurrentState) => Promise<ReadinessView | undefined>) | undefined;
  /** The report of now as an HTML document, for the dashboard. */
  renderReport?: Sources["renderReport"] | undefined;
  /** The report's summary as an alert: sent on Mondays at the team's hour. */
  composeDigest?: (() => Promise<Alert>) | undefined;
  onTick(tick: WatchTick): void;
  onObservation?: ((observation: Observation) => void) | undefined;
};

export type Monitor = {
  currentState: CurrentState;
  sources: Sources;
  server: PageServer | undefined;
  /** Authorises the requests that change state. */
  token: string;
  /** Runs one full cycle. */
  once(): Promise<WatchTick>;
  /** Runs until the signal is aborted. */
  run(): Promise<void>;
  /** Tries once more to save what is in memory, before the end. Undefined where nothing is left to save. */
  saveUnsaved(): Promise<Failed | undefined>;
  close(): Promise<void>;
};

const maxSettleMs = 2_000;

export async function startMonitor(input: MonitorInput): Promise<Monitor> {
  const { config, store, mode, simulation, signal } = input;
  const { nowMs = Date.now } = input;
  const ownSettings = assessmentSettings(config);
  const settings = { ...ownSettings, uses: input.uses };
  const currentState = createCurrentState(readSchedule(settings, undefined), nowMs());
  const registry = createMetricsRegistry();
  const page: Receiver = {
    name: "page",
    reachesPeople: false,
    async send(alert) {
      currentState.publish(alertSentEvent({ seq: store.history.saveSentAlert(alert), alert }));
      return acceptedByReceiver();
    },
  };
  const signer = input.linkSecret === undefined ? undefined : createLinkSigner(input.linkSecret);
  let server: PageServer | undefined;

  const commandOf = (incidentId: string): AlertActions => ({
    kind: "command",
    command: `v1watch incidents ack ${incidentId} --store ${config.store} --reason "I am looking into it"`,
  });

  /** A simulation is watched by whoever sits at this machine: the dashboard's own address serves where no other is set. */
  function actionsOf(incidentId: string): AlertActions {
    const url = config.publicUrl?.replace(/\/+$/, "") ?? (mode === "simulator" ? server?.url : undefined);
    if (!signer || !server || url === undefined) return commandOf(incidentId);
    return {
      kind: "links",
      page: `${url}/incidents/${encodeURIComponent(incidentId)}`,
      acknowledge: `${url}${signer.pathOf("acknowledge", incidentId)}`,
      mute: `${url}${signer.pathOf("mute", incidentId)}`,
    };
  }

  // A log keeps what the console prints, and others read it: only channels that reach people get the links.
  const channels = input.channels.map((channel) =>
    withActions(channel, channel.reachesPeople ? actionsOf : commandOf),
  );
  const deliverer = createDeliverer(store.outbox, [page, ...channels], nowMs);
  const alarms = createOwnAlarms({
    receivers: [page, ...input.channels],
    file: store.alarmFile,
    context: settings,
    nowMs,
  });
  /** An id that is known is not sent again. A store that refuses it gets it with the next tick. */
  const send = (alert: Alert) => {
    void store.outbox
      .put([{ id: alert.id, kind: "alert", alert }])
      .then(deliverer.start)
      .catch(() => {});
  };
  const upkeep = createUpkeep({
    store,
    settings,
    currentState,
    alarms,
    nowMs,
    send,
    retentionMs: config.retention.observationDays * dayMs,
    composeDigest: input.composeDigest,
  });
  const ports: Ports = {
    nowMs,
    readKey: input.readKey,
    proxy: input.proxy,
    ledger: store.ledger,
    outbox: store.outbox,
    // Alerts are delivered by channels of their own, beside the ticks.
    receivers: [],
    publishMetrics: async (points) => registry.note(points),
    readSubscriptions: input.readSubscriptions,
    readUnreadable: async () => store.unreadable(),
  };
  const heartbeat = input.heartbeat && createHeartbeat(input.heartbeat, nowMs);
  /** Silence is the alarm: nothing is called where the tick failed, or where nobody knows whether V1 is up. */
  function beat({ assessment, degraded }: WatchTick): void {
    const isAssessed = assessment !== undefined && degraded === undefined;
    if (isAssessed && currentState.verdict(nowMs()).kind !== "unknown") heartbeat?.beat();
  }
  const { readReadiness } = input;
  const sources: Sources = {
    config,
    settings,
    store,
    currentState,
    nowMs,
    mode,
    channels: input.channels.map(({ name, type }) => ({ name, type })),
    heartbeatProblem: heartbeat?.problem,
    simulation,
    renderReport: input.renderReport,
    readReadiness: readReadiness ? () => readReadiness(currentState) : undefined,
  };
  const token = input.token ?? randomBytes(18).toString("base64url");

  try {
    // Before the first assessment, so that its alerts go to the channels of this configuration and not of an earlier one.
    await store.outbox.subscribe([page, ...channels]);
    // Commands that read the store show what was decided by these settings.
    await store.ledger.saveSettings(ownSettings);
  } catch {
    // The store reports its fault through its health; the settings of the last start are still there.
  }

  // After a restart, the dashboard shows the stored assessment before the first response arrives.
  const stored = await readAssessment(store.ledger, settings, nowMs()).catch(() => undefined);
  if (stored) currentState.update(stored);

  server =
    input.page &&
    (await startServer({
      sources,
      registry,
      token,
      linkSigner: signer,
      ...input.page,
      silentAfterMs: settings.silentAfterMs,
    }));
  if (input.displaced) alarms.note("store-displaced", { isBad: true, lines: input.displaced });
  function noteDisplacement({ saved }: WatchTick): void {
    const isInPlace = saved > 0 && store.findDisplacement() === undefined;
    const lines = ["The store is in its place, and saves"] as const;
    alarms.note("store-displaced", isInPlace ? { isBad: false, lines } : undefined);
  }
  const watchInput: WatchInput = {
    config,
    ports,
    settings,
    allowLoopback: input.allowLoopback,
    signal,
    checkClock: upkeep.checkClock,
    deliverAlerts() {
      deliverer.start();
      alarms.deliver();
    },
    onObservation: input.onObservation,
    onTick(tick) {
      currentState.updateFromTick(tick);
      upkeep.maintain(tick);
      noteDisplacement(tick);
      beat(tick);
      judgeChannels(store.outbox, input.channels, settings, nowMs()).then(
        (alerts) => alerts.forEach(send),
        () => {
          // The store cannot be read: its health says so, and the next tick tries again.
        },
      );
      input.onTick(tick);
    },
  };
  const processState = createProcessState(ports, input.unsaved ?? nothingUnsaved());
  return {
    currentState,
    sources,
    server,
    token,
    async once() {
      const tick = await watchOnce(watchInput, processState);
      await deliverer.settle();
      watchInput.onTick(tick);
      await Promise.all([alarms.settle(), heartbeat?.settle()]);
      return tick;
    },
    run: () => watch(watchInput, processState),
    saveUnsaved: () => saveUnsaved(ports, processState.unsaved),
    async close() {
      // A channel that hangs does not hold up the end; its message is sent after the next start.
      const settled = Promise.all([deliverer.settle(), alarms.settle(), heartbeat?.settle()]);
      await Promise.race([settled, sleep(maxSettleMs, undefined, { ref: false })]);
      await server?.close();
      store.close();
    },
  };
}
