// The whole watch on a virtual clock, as fast as it can: plan, requests over HTTP, validation, assessment and
// messages are the product's own; only the clock and the stores are not real.
import { createHash } from "node:crypto";
import type { Assessment } from "../assess/assess.ts";
import { assessmentSettings, type Config } from "../config/config.ts";
import type { KeyAnswer, Ports } from "../ports.ts";
import { keepConnections } from "../probe/http/attempt.ts";
import type { Exchange } from "../probe/http/exchange.ts";
import type { Transport } from "../probe/probe.ts";
import type { Alert } from "../records/alert.ts";
import type { Observation } from "../records/observation.ts";
import { emptyProbeState } from "../records/probe-state.ts";
import type { Cause, Scenario } from "../simulator/scenario.ts";
import { createMemoryLedger, createMemoryOutbox } from "./memory-ports.ts";
import { freshCarry, watchOnce } from "./watch.ts";

export type Message = { atMs: number; alert: Alert };

export type ReplayInput = {
  config: Config;
  readKey(): Promise<KeyAnswer>;
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
  const connections = keepConnections(1);
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
  const processState = freshCarry(ports);
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

// How soon the truth of a scenario was told.
/** The rules that tell of a cause. */
const rulesOf: Record<Cause, readonly string[]> = {
  down: ["down"],
  "access/key-revoked": ["key-refused"],
  "access/quota-exhausted": ["quota-exhausted"],
  "access/key-mandatory": ["anonymous-refused"],
  "access/endpoint-withdrawn": ["maybe-retired", "retired"],
  "access/retired-by-401": ["maybe-retired", "retired"],
  "drift/breaking": ["breaking-drift"],
  "data/frozen": ["frozen"],
  "data/stub-data": ["stub-data"],
  "data/serves-v2": ["serves-v2"],
  "data/data-shrinking": ["data-shrinking"],
  "retirement/announced": ["sunset", "deprecation", "retirement/announced"],
  "retirement/moved-earlier": ["sunset", "retirement/announced"],
  "retirement/brownout": ["recurring-outages"],
  "retirement/date-passed": ["sunset-passed"],
  "retirement/gone": ["gone", "withdrawn"],
  "network/flaky": ["error-rate"],
  "unsafe-response": ["unsafe-response"],
};

export type Detection = {
  cause: Cause;
  fromMs: number;
  withinMs: number;
  /** After the truth began; undefined where it was never told. */
  afterMs: number | undefined;
};

function tellsOf(alert: Alert, cause: Cause): boolean {
  const { rule, incident } = alert as { rule?: string; incident?: string };
  const isRule = [cause, ...rulesOf[cause]].some((id) => id === rule || id === incident);
  // A date that moves is a change of the announcement.
  if (cause === "retirement/moved-earlier") return isRule && alert.event === "changed";
  return isRule && (alert.event === "opened" || alert.event === "changed");
}

/** `startMs`: the instant at which the scenario began. */
export function detect(
  { truth }: Pick<Scenario, "truth">,
  messages: readonly Message[],
  startMs: number,
): Detection[] {
  return truth.map(({ cause, fromMs, withinMs }) => {
    const found = messages.find(({ atMs, alert }) => atMs - startMs >= fromMs && tellsOf(alert, cause));
    return { cause, fromMs, withinMs, afterMs: found && found.atMs - startMs - fromMs };
  });
}

export const isDetected = ({ afterMs, withinMs }: Detection) => afterMs !== undefined && afterMs <= withinMs;
