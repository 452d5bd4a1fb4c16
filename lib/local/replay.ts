// The whole watch on a virtual clock, as fast as it can: plan, requests over HTTP, validation, assessment and
// messages are the product's own, and so is the store, in memory; only the clock is not real.

import { createHash } from "node:crypto";
import type { Assessment } from "../assess/assess.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import type { Config } from "../config/config.ts";
import type { KeyResult, Ports } from "../ports.ts";
import { createConnectionPool } from "../probe/http/attempt.ts";
import type { Exchange } from "../probe/http/exchange.ts";
import type { Transport } from "../probe/probe.ts";
import type { Alert } from "../records/alert.ts";
import type { CodeUse } from "../records/inventory.ts";
import type { Observation } from "../records/observation.ts";
import { emptyProbeState } from "../records/probe-state.ts";
import { acceptedByReceiver } from "../records/receipt.ts";
import type { Scenario, Truth } from "../simulator/scenario.ts";
import type { ScenarioName } from "../simulator/scenarios.ts";
import { startSimulator } from "../simulator/server.ts";
import { simulatorKey } from "./simulation.ts";
import { openMemoryStore } from "./store/store.ts";
import { createProcessState, watchOnce } from "./watch.ts";

export type Message = { atMs: number; alert: Alert };

export type ReplayInput = {
  config: Config;
  readKey(): Promise<KeyResult>;
  /** Set by the replay before every tick. */
  clock: { nowMs: number };
  untilMs: number;
  seed: number;
  /** One keeps the order of requests, for a server whose responses depend on it (default); several, for one that may hang. */
  sockets?: number | undefined;
  /** The code that reads V1, from the inventory. */
  uses?: readonly CodeUse[] | undefined;
  signal: AbortSignal;
  onMessage?(message: Message): void;
  /** Called before every tick with the virtual instant; the replay waits for it. */
  onClock?(nowMs: number): void | Promise<void>;
  onObservation?: ((observation: Observation) => void) | undefined;
};

/** The address of the configuration and the key are those of the simulator. */
export type ScenarioInput = Omit<ReplayInput, "readKey" | "clock" | "untilMs"> & {
  startMs: number;
  lengthMs: number;
};

export type Replay = {
  messages: Message[];
  /** Observations: a second opinion is one of its own. */
  checks: number;
  /** Those that got a response: without any, nothing was played. */
  responses: number;
  /** Requests by month, retries included. */
  spent: Record<string, number>;
  assessment: Assessment | undefined;
};

const clockHeader = "X-V1watch-Clock";
const latencyHeader = "x-v1watch-latency";

/** Further from the virtual instant than a skewed clock, and at the real one: the server's library wrote it. */
const realClockMs = 5 * 60_000;

function readVirtually(response: Exchange, atMs: number, deadlineMs: number): Exchange {
  const { [latencyHeader]: latencyText, ...headers } = response.headers;
  const dateMs = Date.parse(headers.date ?? "");
  const isRealDate = Math.abs(dateMs - Date.now()) < realClockMs && Math.abs(dateMs - atMs) > realClockMs;
  if (isRealDate) delete headers.date;
  if (latencyText === undefined || !/^\d{1,9}(?:\.\d+)?$/.test(latencyText)) return { ...response, headers };
  const totalMs = Math.min(Number(latencyText), deadlineMs);
  const timings = { firstByteMs: totalMs, totalMs };
  const [last, ...earlier] = response.attempts.toReversed();
  const attempts = last ? [...earlier.toReversed(), { ...last, totalMs }] : [];
  if (Number(latencyText) <= deadlineMs) return { ...response, headers, timings, attempts };
  // The watch would have given up before.
  const outcome = { kind: "timeout", detail: "headers" } as const;
  const { status: _, ...rest } = response;
  return {
    ...rest,
    outcome,
    timings,
    headers: {},
    body: null,
    bytes: { wire: 0, body: 0 },
    attempts: attempts.with(-1, { ...outcome, totalMs }),
  };
}

/** Requests of a virtual clock over kept connections. */
export function createVirtualTransport(sockets = 1): { transport: Transport; close(): void } {
  const connections = createConnectionPool(sockets);
  return {
    transport: {
      request: { connections, retryPauseMs: 0 },
      headers: (atMs) => [clockHeader, new Date(atMs).toISOString()],
      read: readVirtually,
    },
    close: () => connections.close(),
  };
}

/** The local watch rests for an hour at the most. */
const maxStepMs = 3_600_000;

export async function replay(input: ReplayInput): Promise<Replay> {
  const { config, clock, untilMs, signal } = input;
  const messages: Message[] = [];
  const hashKey = createHash("sha256").update(`replay ${input.seed}`).digest("base64url");
  const store = openMemoryStore(() => clock.nowMs, { ...emptyProbeState, hashKey });
  const { ledger, outbox } = store;
  const ports: Ports = {
    nowMs: () => clock.nowMs,
    readKey: input.readKey,
    ledger,
    outbox,
    receivers: [
      {
        name: "messages",
        reachesPeople: false,
        async send(alert: Alert) {
          const message = { atMs: clock.nowMs, alert };
          messages.push(message);
          input.onMessage?.(message);
          return acceptedByReceiver();
        },
      },
    ],
  };
  const { transport, close } = createVirtualTransport(input.sockets);
  const settings = { ...assessmentSettings(config), uses: input.uses };
  const watching = {
    config,
    ports,
    settings,
    allowLoopback: true,
    signal,
    transport,
    onTick() {},
    onObservation: input.onObservation,
  };
  const processState = createProcessState(ports);
  let checks = 0;
  let responses = 0;
  let assessment: Assessment | undefined;
  const spent: Record<string, number> = {};
  try {
    while (clock.nowMs < untilMs && !signal.aborted) {
      await input.onClock?.(clock.nowMs);
      if (signal.aborted) break;
      const tick = await watchOnce(watching, processState);
      if (tick.degraded) throw new Error(`the replay stopped: ${tick.degraded.why}`);
      checks += tick.observations.length;
      responses += tick.observations.filter(({ timings }) => timings.firstByteMs !== undefined).length;
      assessment = tick.assessment ?? assessment;
      Object.assign(spent, (await ledger.readProbeState())?.value.spent);
      clock.nowMs = Math.min(clock.nowMs + maxStepMs, Math.max(clock.nowMs + 1_000, tick.nextTickMs));
    }
  } finally {
    close();
    store.close();
  }
  return { messages, checks, responses, spent, assessment };
}

/** A scenario of the simulator from its beginning. */
export async function replayScenario(
  name: ScenarioName,
  { startMs, lengthMs, ...input }: ScenarioInput,
): Promise<Replay> {
  const clock = { nowMs: startMs };
  const simulator = await startSimulator({
    passports: 200,
    seed: input.seed,
    key: simulatorKey,
    scenario: name,
    startAtMs: 0,
    clock: { now: () => clock.nowMs },
  });
  try {
    const config = { ...input.config, baseUrl: simulator.url };
    const readKey = async (): Promise<KeyResult> =>
      config.key === "none" ? { kind: "none" } : { kind: "key", key: simulatorKey };
    return await replay({ ...input, config, readKey, clock, untilMs: startMs + lengthMs });
  } finally {
    await simulator.close();
  }
}

export const isPage = ({ severity, event }: Alert) => severity === "page" && event !== "resolved";

// How soon the faults of a scenario were reported.
export type Detection = {
  rule: Truth["rule"];
  fromMs: number;
  withinMs: number;
  /** After the fault began; undefined where it was never reported. */
  afterMs: number | undefined;
};

const reports = (alert: Alert, { rule, event }: Truth) =>
  alert.rule === rule &&
  (event ? alert.event === event : alert.event === "opened" || alert.event === "changed");

/** What lies beyond the replayed time cannot be reported. */
export function detect(
  { truth }: Pick<Scenario, "truth">,
  messages: readonly Message[],
  { startMs, lengthMs }: Pick<ScenarioInput, "startMs" | "lengthMs">,
): Detection[] {
  const inTime = truth.filter(({ fromMs, withinMs }) => fromMs + withinMs <= lengthMs);
  return inTime.map((expected) => {
    const { rule, fromMs, withinMs } = expected;
    const found = messages.find(({ atMs, alert }) => atMs - startMs >= fromMs && reports(alert, expected));
    return { rule, fromMs, withinMs, afterMs: found && found.atMs - startMs - fromMs };
  });
}

export const isDetected = ({ afterMs, withinMs }: Detection) => afterMs !== undefined && afterMs <= withinMs;
