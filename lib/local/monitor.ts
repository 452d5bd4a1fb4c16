// Connects the watch loop, the store, the alert delivery and the web server into a monitor on one machine.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readAssessment } from "../assess/assess.ts";
import type { Evidence } from "../assess/text/scheduled-alerts.ts";
import { readSchedule } from "../assess/verdict.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import type { Config } from "../config/config.ts";
import { type AlertActions, withActions } from "../delivery/actions.ts";
import type { Channel } from "../delivery/channels/channel.ts";
import { createHeartbeat, type HeartbeatInput } from "../delivery/heartbeat.ts";
import { createDeliverer, type DeliveryLog } from "../delivery/outbox.ts";
import type { Failed, KeyResult, Ports, Receiver } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import type { CodeUse } from "../records/inventory.ts";
import type { Observation } from "../records/observation.ts";
import { acceptedByReceiver } from "../records/receipt.ts";
import { shellWord } from "../text.ts";
import { dayMs } from "../time.ts";
import { judgeChannels } from "./channel-warnings.ts";
import { type CurrentState, createCurrentState } from "./current-state.ts";
import type { MonitorMode, Sources } from "./dashboard/summary.ts";
import { createOwnAlarms } from "./own-alarms.ts";
import type { ReadinessView } from "./server/api-schemas.ts";
import { createMetricsRegistry } from "./server/metrics-and-badge.ts";
import { type PageServer, type ServerInput, startServer } from "./server/server.ts";
import { createLinkSigner } from "./server/signed-links.ts";
import type { Simulation } from "./simulation.ts";
import { createSteadyClock, type SteadyClock } from "./steady-clock.ts";
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

/** What the configuration decides: a reload replaces it as a whole. */
export type Configured = {
  config: Config;
  /** Through which V1 is requested. */
  proxy?: Ports["proxy"];
  channels: readonly Channel[];
  /** The service elsewhere that notices when this monitor stops. */
  heartbeat?: HeartbeatInput | undefined;
  /** The code that reads V1, from the inventory. */
  uses?: readonly CodeUse[] | undefined;
  readSubscriptions?: Ports["readSubscriptions"] | undefined;
  /** Called for every summary of the dashboard, with the current state. */
  readReadiness?: ((currentState: CurrentState) => Promise<ReadinessView | undefined>) | undefined;
  /** The report of now as an HTML document, for the dashboard. */
  renderReport?: Sources["renderReport"] | undefined;
  /** The report's summary as an alert: sent on Mondays at the team's hour. */
  composeDigest?: (() => Promise<Alert>) | undefined;
};

export type MonitorInput = Configured & {
  store: Store;
  readKey(): Promise<KeyResult>;
  allowLoopback: boolean;
  mode: MonitorMode;
  simulation?: Simulation | undefined;
  signal: AbortSignal;
  /** The clock of the machine where `clock` is left out. */
  nowMs?(): number;
  /** Where a monitor before this one has used it, too. */
  clock?: SteadyClock | undefined;
  page?: Pick<ServerInput, "port" | "host" | "allowHosts" | "version" | "limits"> | undefined;
  token?: string | undefined;
  /** For the links by which readers of an alert acknowledge its incident; without one they get the command. */
  linkSecret?: string | undefined;
  /** What is not saved yet, also that of a monitor before this one. */
  unsaved?: Unsaved | undefined;
  /** What became of the file of the store, where a monitor before this one found it deleted or replaced. */
  displaced?: Evidence["lines"] | undefined;
  configurationProblem?: Sources["configurationProblem"];
  onTick(tick: WatchTick): void;
  deliveryLog?: DeliveryLog | undefined;
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
  /**
   * Takes effect at once and as a whole. A tick, an assessment and a delivery that are under way end as they began. Store,
   * address and key stay those of the start.
   */
  reload(configured: Configured): Promise<void>;
  /** Tries once more to save what is in memory, before the end. Undefined where nothing is left to save. */
  saveUnsaved(): Promise<Failed | undefined>;
  close(): Promise<void>;
};

const maxSettleMs = 2_000;

export async function startMonitor(input: MonitorInput): Promise<Monitor> {
  const { store, mode, simulation, signal } = input;
  // A clock that nothing is compared with makes no steps.
  const { nowMs: wallMs = Date.now } = input;
  const clock = input.clock ?? createSteadyClock({ wallMs, uptimeMs: wallMs });
  const { nowMs } = clock;
  const registry = createMetricsRegistry();
  const page: Receiver = {
    name: "page",
    reachesPeople: false,
    async send(alert) {
      store.history.saveSentAlert(alert);
      currentState.publish("alert-sent");
      return acceptedByReceiver();
    },
  };
  const signer = input.linkSecret === undefined ? undefined : createLinkSigner(input.linkSecret);
  let server: PageServer | undefined;

  const commandOf = (incidentId: string): AlertActions => ({
    kind: "command",
    command: `v1watch incidents ack ${incidentId} --store ${shellWord(input.config.store)} --reason "I am looking into it"`,
  });

  /** A simulation is watched by whoever sits at this machine: the dashboard's own address serves where no other is set. */
  function actionsOf(incidentId: string): AlertActions {
    const url =
      current.config.publicUrl?.replace(/\/+$/, "") ?? (mode === "simulator" ? server?.url : undefined);
    if (!signer || !server || url === undefined) return commandOf(incidentId);
    return {
      kind: "links",
      page: `${url}/incidents/${encodeURIComponent(incidentId)}`,
      acknowledge: `${url}${signer.pathOf("acknowledge", incidentId)}`,
      mute: `${url}${signer.pathOf("mute", incidentId)}`,
    };
  }

  function derive(configured: Configured) {
    const { config, channels, uses } = configured;
    const ownSettings = assessmentSettings(config);
    // A log keeps what the console prints, and others read it: only channels that reach people get the links.
    const withOwnActions = (channel: Channel) =>
      withActions(channel, channel.reachesPeople ? actionsOf : commandOf);
    return {
      ...configured,
      ownSettings,
      settings: { ...ownSettings, uses },
      receivers: [page, ...channels.map(withOwnActions)],
      retentionMs: config.retention.observationDays * dayMs,
    };
  }
  /** In force. Whoever uses it reads it here at each use. */
  let current = derive(input);
  async function announceConfiguration(): Promise<void> {
    try {
      // Before the next assessment: what it finds is for the channels of this configuration, not for those of an earlier one.
      await store.outbox.subscribe(current.receivers);
      // Beside what is decided from here on, for the commands that read the store.
      await store.ledger.saveSettings(current.ownSettings);
    } catch {
      // The store reports its fault through its health; the settings of the last start are still there.
    }
  }

  const currentState = createCurrentState(readSchedule(current.settings, undefined), nowMs());
  const deliverer = createDeliverer(store.outbox, () => current.receivers, nowMs, input.deliveryLog);
  const alarms = createOwnAlarms({
    listReceivers: () => [page, ...current.channels],
    file: store.alarmFile,
    context: () => current.settings,
    nowMs,
    log: input.deliveryLog,
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
    configured: () => current,
    currentState,
    alarms,
    clock,
    send,
  });
  const ports: Ports = {
    nowMs,
    readKey: input.readKey,
    get proxy() {
      return current.proxy;
    },
    ledger: store.ledger,
    outbox: store.outbox,
    // Alerts are delivered by channels of their own, beside the ticks.
    receivers: [],
    publishMetrics: async (points) => registry.note(points),
    get readSubscriptions() {
      return current.readSubscriptions;
    },
    readUnreadable: async () => store.unreadable(),
  };
  const heartbeat = createHeartbeat(
    {
      readUrl: async () => current.heartbeat?.readUrl(),
      agentFor: (address) => current.heartbeat?.agentFor?.(address),
      onProblem: (problem) => current.heartbeat?.onProblem(problem),
    },
    nowMs,
  );
  /** Silence is the alarm: nothing is called where the tick failed, or where nobody knows whether V1 is up. */
  function beat({ assessment, degraded }: WatchTick): void {
    const isAssessed = assessment !== undefined && degraded === undefined;
    if (current.heartbeat && isAssessed && currentState.verdict(nowMs()).kind !== "unknown") heartbeat.beat();
  }
  const sources: Sources = {
    get config() {
      return current.config;
    },
    get settings() {
      return current.settings;
    },
    get channels() {
      return current.channels;
    },
    get renderReport() {
      return current.renderReport;
    },
    get readReadiness() {
      const { readReadiness } = current;
      return readReadiness && (() => readReadiness(currentState));
    },
    store,
    currentState,
    nowMs,
    mode,
    configurationProblem: input.configurationProblem,
    heartbeatProblem: () => (current.heartbeat ? heartbeat.problem() : undefined),
    simulation,
  };
  const token = input.token ?? randomBytes(18).toString("base64url");

  await announceConfiguration();

  // After a restart, the dashboard shows the stored assessment before the first response arrives.
  const stored = await readAssessment(store.ledger, current.settings, nowMs()).catch(() => undefined);
  if (stored) currentState.update(stored);

  server =
    input.page &&
    (await startServer({
      sources,
      registry,
      token,
      linkSigner: signer,
      ...input.page,
    }));
  if (input.displaced) alarms.note("store-displaced", { isBad: true, lines: input.displaced });
  function noteDisplacement({ saved }: WatchTick): void {
    const isInPlace = saved > 0 && store.findDisplacement() === undefined;
    const lines = ["The store is in its place, and saves"] as const;
    alarms.note("store-displaced", isInPlace ? { isBad: false, lines } : undefined);
  }
  const watchInput: WatchInput = {
    get config() {
      return current.config;
    },
    get settings() {
      return current.settings;
    },
    ports,
    allowLoopback: input.allowLoopback,
    signal,
    clock,
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
      judgeChannels(store.outbox, current.channels, current.settings, nowMs()).then(
        (alerts) => alerts.forEach(send),
        () => {
          // The store cannot be read: its health says so, and the next tick tries again.
        },
      );
      input.onTick(tick);
    },
  };
  const processState = createProcessState(ports, input.unsaved ?? nothingUnsaved(), store.requestsFile);
  return {
    currentState,
    sources,
    server,
    token,
    async once() {
      const tick = await watchOnce(watchInput, processState);
      await deliverer.settle();
      watchInput.onTick(tick);
      await Promise.all([alarms.settle(), heartbeat.settle()]);
      return tick;
    },
    run: () => watch(watchInput, processState),
    async reload(configured) {
      current = derive(configured);
      // Another topic has subscriptions that were not looked at today.
      delete processState.memory.subscriptionsDay;
      await announceConfiguration();
    },
    saveUnsaved: () => saveUnsaved(ports, processState.unsaved),
    async close() {
      // A channel that hangs does not hold up the end; its message is sent after the next start.
      const settled = Promise.all([deliverer.settle(), alarms.settle(), heartbeat.settle()]);
      await Promise.race([settled, sleep(maxSettleMs, undefined, { ref: false })]);
      await server?.close();
      store.close();
    },
  };
}
