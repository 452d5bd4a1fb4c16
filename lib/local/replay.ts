// The whole watch on a virtual clock, as fast as it can: plan, requests over HTTP, validation, assessment and
// messages are the product's own; only the clock and the stores are not real.
import { createHash } from "node:crypto";
import type { Assessment } from "../assess/assess.ts";
import { assessmentSettings, type Config } from "../config/config.ts";
import {
  type Backlog,
  type Checkpoint,
  dayOf,
  type KeyResult,
  type Ledger,
  messageAtMs,
  type Outbox,
  type OutboxMessage,
  type Ports,
} from "../ports.ts";
import { createConnectionPool } from "../probe/http/attempt.ts";
import type { Exchange } from "../probe/http/exchange.ts";
import type { Transport } from "../probe/probe.ts";
import type { Alert } from "../records/alert.ts";
import type { Decision } from "../records/incident.ts";
import type { Observation } from "../records/observation.ts";
import { emptyProbeState, type ProbeState } from "../records/probe-state.ts";
import type { Scenario, Truth } from "../simulator/scenario.ts";
import { createProcessState, watchOnce } from "./watch.ts";

export type Message = { atMs: number; alert: Alert };

export type ReplayInput = {
  config: Config;
  readKey(): Promise<KeyResult>;
  /** Set by the replay before every tick. */
  clock: { nowMs: number };
  untilMs: number;
  seed: number;
  signal: AbortSignal;
  onMessage?(message: Message): void;
  onObservation?(observation: Observation): void;
};

export type Replay = {
  messages: Message[];
  /** Observations: a second opinion is one of its own. */
  checks: number;
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
    ...{ outcome, timings, headers: {}, body: null, bodyCut: false, bytes: { wire: 0, body: 0 } },
    attempts: attempts.with(-1, { ...outcome, totalMs }),
  };
}

/** The local watch rests for an hour at the most. */
const maxStepMs = 3_600_000;

export async function replay(input: ReplayInput): Promise<Replay> {
  const { config, clock, untilMs, signal } = input;
  const messages: Message[] = [];
  const hashKey = createHash("sha256").update(`replay ${input.seed}`).digest("base64url");
  const ledger = createMemoryLedger({ ...emptyProbeState, hashKey });
  const ports: Ports = {
    nowMs: () => clock.nowMs,
    readKey: input.readKey,
    ledger,
    outbox: createMemoryOutbox(),
    delivery: {
      async alert(alert) {
        const message = { atMs: clock.nowMs, alert };
        messages.push(message);
        input.onMessage?.(message);
      },
      async metrics() {},
    },
  };
  const connections = createConnectionPool(1);
  const transport: Transport = {
    request: { connections, retryPauseMs: 0 },
    headers: (atMs) => [clockHeader, new Date(atMs).toISOString()],
    read: readVirtually,
  };
  const watching = {
    ...{ config, ports, settings: assessmentSettings(config), allowLoopback: true, signal, transport },
    onTick() {},
    ...(input.onObservation && { onObservation: input.onObservation }),
  };
  const processState = createProcessState(ports);
  let checks = 0;
  let assessment: Assessment | undefined;
  const spent: Record<string, number> = {};
  try {
    while (clock.nowMs < untilMs && !signal.aborted) {
      const tick = await watchOnce(watching, processState);
      if (tick.degraded) throw new Error(`the replay stopped: ${tick.degraded.why}`);
      checks += tick.observations.length;
      assessment = tick.assessment ?? assessment;
      Object.assign(spent, (await ledger.readProbeState())?.value.spent);
      clock.nowMs = Math.min(clock.nowMs + maxStepMs, Math.max(clock.nowMs + 1_000, tick.nextTickMs));
    }
  } finally {
    connections.close();
  }
  return { messages, checks, spent, assessment };
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

/** `startMs`: the instant at which the scenario began. */
export function detect(
  { truth }: Pick<Scenario, "truth">,
  messages: readonly Message[],
  startMs: number,
): Detection[] {
  return truth.map((expected) => {
    const { rule, fromMs, withinMs } = expected;
    const found = messages.find(({ atMs, alert }) => atMs - startMs >= fromMs && reports(alert, expected));
    return { rule, fromMs, withinMs, afterMs: found && found.atMs - startMs - fromMs };
  });
}

export const isDetected = ({ afterMs, withinMs }: Detection) => afterMs !== undefined && afterMs <= withinMs;

// The ports of a replay: everything in memory, for as long as the process lives.
/** An assessment reads no observations from before its latest checkpoints. */
const keptMs = 10 * 86_400_000;
const keptCheckpoints = 12;

const byTime = (a: Observation, b: Observation) =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1;

export function createMemoryLedger(start: ProbeState): Ledger {
  let observations: Observation[] = [];
  let ids = new Set<string>();
  let unassessed: Backlog["unassessed"] = [];
  let checkpoints: Checkpoint[] = [];
  let commits = 0;
  let probeState = { value: start, version: 1 };
  const decisions: Decision[] = [];

  /** By days, so that it happens rarely. */
  function forget(newestMs: number): void {
    const [first] = observations;
    if (!first || newestMs - Date.parse(first.at) < 2 * keptMs) return;
    const fromAt = new Date(newestMs - keptMs).toISOString();
    observations = observations.filter(({ at }) => at >= fromAt);
    ids = new Set(observations.map(({ id }) => id));
  }

  return {
    async append(observation) {
      if (ids.has(observation.id)) return { kind: "known" };
      ids.add(observation.id);
      const last = observations.at(-1);
      observations.push(observation);
      if (last && byTime(last, observation) > 0) observations.sort(byTime);
      unassessed.push({ id: observation.id, at: observation.at });
      forget(Date.parse(observation.at));
      return { kind: "new" };
    },
    async *observations(fromMs, untilMs) {
      const [fromAt, untilAt] = [fromMs, Math.min(untilMs, 8.64e15)].map((ms) => new Date(ms).toISOString());
      let index = observations.length;
      while (index > 0 && (observations[index - 1]?.at ?? "") >= String(fromAt)) index -= 1;
      for (const observation of observations.slice(index)) {
        if (observation.at >= String(untilAt)) return;
        yield observation;
      }
    },
    async backlog() {
      return { version: commits, unassessed: unassessed.toSorted((a, b) => (a.at < b.at ? -1 : 1)) };
    },
    async commit({ version, folded, checkpoints: added }) {
      if (version !== commits) return false;
      commits += 1;
      const done = new Set(folded.map(({ id }) => id));
      unassessed = unassessed.filter(({ id }) => !done.has(id));
      const firstDay = folded.map(({ at }) => dayOf(at)).toSorted()[0];
      const kept = checkpoints.filter(
        ({ day }) => (firstDay === undefined || day <= firstDay) && !added.some((one) => one.day === day),
      );
      checkpoints = [...kept, ...added].sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-keptCheckpoints);
      return true;
    },
    checkpointAt: async (day) => checkpoints.findLast((one) => one.day <= day),
    readProbeState: async () => probeState,
    async writeProbeState(value, version) {
      if (version !== probeState.version) return { kind: "conflict" };
      probeState = { value, version: version + 1 };
      return { kind: "written" };
    },
    async decide(decision) {
      decisions.push(decision);
    },
    decisions: async () => decisions,
  };
}

/** Metrics go nowhere: a replay is about what people are told. */
export function createMemoryOutbox(): Outbox {
  const known = new Set<string>();
  let waiting: OutboxMessage[] = [];
  return {
    async put(messages) {
      for (const message of messages) {
        if (message.kind === "metrics" || known.has(message.id)) continue;
        known.add(message.id);
        waiting.push(message);
      }
      return { kind: "kept" };
    },
    pending: async (kind, limit) =>
      waiting
        .filter((message) => message.kind === kind)
        .sort((a, b) => messageAtMs(a) - messageAtMs(b))
        .slice(0, limit),
    async markDelivered({ id }) {
      waiting = waiting.filter((message) => message.id !== id);
    },
  };
}
