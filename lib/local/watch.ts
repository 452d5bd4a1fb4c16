// The watch on one machine: one tick after another, never two at once, and at most one to catch up.
import { setTimeout as sleep } from "node:timers/promises";
import { type Assessment, assess, type Memory, type Settings } from "../assess/assess.ts";
import { recordTick, type Tick } from "../assess/record-tick.ts";
import type { Config } from "../config/config.ts";
import { deliverPending } from "../delivery/outbox.ts";
import type { Failed, Ports } from "../ports.ts";
import type { Transport } from "../probe/probe.ts";
import type { Deferred } from "../probe/schedule/plan.ts";
import { runTick } from "../probe/tick.ts";
import type { Observation } from "../records/observation.ts";
import { cacheProbeState } from "./store/probe-state-cache.ts";

export type WatchTick = {
  tickMs: number;
  observations: Observation[];
  deferred: Deferred[];
  assessment: Assessment | undefined;
  /** The store did not take everything: the watch goes on and says so. */
  degraded: Failed | undefined;
  nextTickMs: number;
};

export type WatchInput = {
  config: Config;
  ports: Ports;
  settings: Settings;
  allowLoopback: boolean;
  signal: AbortSignal;
  onTick(tick: WatchTick): void;
  onObservation?(observation: Observation): void;
  /** How requests are sent in a replay. */
  transport?: Transport;
  /** A clock that runs faster gives a shorter wait. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
  /** What could not be sent, and what somebody laid into the outbox meanwhile, waits no longer than this. */
  deliverEveryMs?: number;
};

/** An hour at the most, so that a suspended machine wakes up to a short wait. */
const maxWaitMs = 3_600_000;

const usualDeliverMs = 60_000;

/** Nobody bills the numbers of a watch on one machine. */
const statusEveryMs = 60_000;

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});

/** What a living process carries from tick to tick; never stored. */
export type ProcessState = {
  memory: Memory;
  probeState: Pick<Ports["ledger"], "readProbeState" | "writeProbeState">;
  /** Ticks that the store has not taken yet, oldest first. */
  unsaved: Tick[];
};

export const freshCarry = ({ ledger }: Pick<Ports, "ledger">): ProcessState => ({
  memory: {},
  probeState: cacheProbeState(ledger),
  unsaved: [],
});

/** A day of ticks at the regular cadence: what a full disk costs is bounded, and said. */
const maxUntaken = 200;

/** One full cycle: ask, remember, judge, tell. */
export async function watchOnce(input: WatchInput, processState: ProcessState): Promise<WatchTick> {
  const { config, ports, settings } = input;
  const tickMs = ports.nowMs();
  const { nowMs, readKey } = ports;
  const result = await runTick({
    tickMs,
    config,
    ledger: processState.probeState,
    readKey,
    nowMs,
    allowLoopback: input.allowLoopback,
    signal: input.signal,
    ...(input.onObservation && { onObservation: input.onObservation }),
    ...(input.transport && { transport: input.transport }),
  });
  const { observations, primary, deferred, nextTickMs } = result;
  processState.unsaved.push({ tickMs, observations, primary });
  const failed = await recordUntaken(ports, processState.unsaved);
  const assessed = await assess(ports, settings, processState.memory, { statusEveryMs }).catch(nameFailure);
  const isFailed = "kind" in assessed;
  return {
    tickMs,
    observations,
    deferred,
    assessment: isFailed ? undefined : assessed,
    degraded: failed ?? (isFailed ? assessed : undefined),
    nextTickMs,
  };
}

/** In order, until the store refuses; a tick that was taken in part is taken again, and known by its ids. */
async function recordUntaken(ports: Ports, unsaved: Tick[]): Promise<Failed | undefined> {
  while (unsaved[0]) {
    const failed = await recordTick(ports, unsaved[0]).catch(nameFailure);
    if (failed) {
      unsaved.splice(0, Math.max(0, unsaved.length - maxUntaken));
      return failed;
    }
    unsaved.shift();
  }
  return undefined;
}

/** The store failed under us: the next tick tries again, and nothing that was kept is lost. */
const nameFailure = (error: unknown): Failed => ({
  kind: "failed",
  why: (error as Error)?.message ?? String(error),
});

export async function watch(input: WatchInput): Promise<void> {
  const processState = freshCarry(input.ports);
  while (!input.signal.aborted) {
    const tick = await watchOnce(input, processState);
    input.onTick(tick);
    await rest(input, tick);
  }
}

async function rest(input: WatchInput, { tickMs, nextTickMs }: WatchTick): Promise<void> {
  const { signal, wait = pause, deliverEveryMs = usualDeliverMs } = input;
  const { nowMs, outbox, delivery } = input.ports;
  // Measured from now: a machine that slept makes one tick, not all that it missed.
  const untilMs = Math.min(nowMs() + maxWaitMs, Math.max(nowMs() + 1_000, nextTickMs));
  let turnMs = tickMs;
  // A clock that was set back ends the rest: it would last for as long as the jump.
  while (!signal.aborted && nowMs() >= turnMs && nowMs() < untilMs) {
    turnMs = nowMs();
    await wait(Math.min(deliverEveryMs, untilMs - nowMs()), signal);
    // The next tick sends by itself.
    if (nowMs() < untilMs) await deliverPending(outbox, delivery, nowMs, { kinds: ["alert"] });
  }
}
