// The watch loop on one machine. Ticks run one after another, never two at once; missed ticks are not made up for.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Assessment, assess, type Memory, type Settings } from "../assess/assess.ts";
import { toDataPoints } from "../assess/metrics.ts";
import { recordUnsavedTicks, type SaveCounts, toFailed } from "../assess/record-tick.ts";
import type { Config } from "../config/config.ts";
import type { Failed, Ports, Versioned } from "../ports.ts";
import type { Transport } from "../probe/probe.ts";
import type { Deferred } from "../probe/schedule/plan.ts";
import { type ProbeStateLedger, spend } from "../probe/schedule/probe-state.ts";
import { runTick } from "../probe/tick.ts";
import type { Observation } from "../records/observation.ts";
import type { ProbeState } from "../records/probe-state.ts";
import type { ClockCheck } from "./store/clock.ts";

export type WatchTick = {
  tickMs: number;
  observations: Observation[];
  deferred: Deferred[];
  assessment: Assessment | undefined;
  /** What the watch could not do, and why. The watch loop continues. */
  degraded: Degraded | undefined;
  /** How many observations the store saved in this tick, also of earlier ticks. */
  saved: number;
  nextTickMs: number;
};

/** `what` cannot be done, as a sentence without its end. */
export type Degraded = { what: string; why: string };

export const notStored = "observations cannot be stored";
export const notMade = "checks cannot be made";
export const notAssessed = "observations are stored, but cannot be assessed";

export type WatchInput = {
  config: Config;
  ports: Ports;
  settings: Settings;
  allowLoopback: boolean;
  signal: AbortSignal;
  onTick(tick: WatchTick): void;
  /** How requests are sent in a replay. */
  transport?: Transport | undefined;
  onObservation?: ((observation: Observation) => void) | undefined;
  /** Compares the clock with others. Left out where it cannot be wrong. */
  checkClock?(observations: readonly Observation[]): Pick<ClockCheck, "isBehind" | "isDoubtful" | "store">;
  /** Replaced by a virtual clock in tests. */
  wait?(ms: number, signal: AbortSignal): Promise<void>;
  /** Starts the delivery of pending alerts and does not wait for it: no channel delays a check. */
  deliverAlerts?(): void;
};

/** Limited to an hour, so that a machine that resumes from suspension does not wait long for its next tick. */
const maxWaitMs = 3_600_000;

/** Delivery is started between ticks too: for retries, and for alerts that other processes added. */
const deliverEveryMs = 15_000;

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});

/** What the process keeps in memory from tick to tick; never stored. */
export type ProcessState = {
  memory: Memory;
  probeState: Pick<Ports["ledger"], "readProbeState" | "writeProbeState">;
  unsaved: Unsaved;
  /** Ticks since the machine slept, until one of them has made a check; two at the most. */
  ticksSinceSleep?: number | undefined;
};

/** What became of the observations of this process. */
export type Unsaved = SaveCounts & {
  /** Those that the store has not saved yet, by tick, oldest first. */
  ticks: Observation[][];
};

export const nothingUnsaved = (): Unsaved => ({ ticks: [], saved: 0, lost: 0 });

export const saveUnsaved = (ports: Pick<Ports, "ledger">, unsaved: Unsaved): Promise<Failed | undefined> =>
  recordUnsavedTicks(ports, unsaved.ticks, unsaved);

export const createProcessState = (
  { ledger }: Pick<Ports, "ledger">,
  unsaved = nothingUnsaved(),
): ProcessState => ({ memory: {}, probeState: cacheProbeState(ledger), unsaved });

const retryMs = 60_000;

/** A pause that takes so much longer than it should was that of a machine that slept, or of a clock that jumped. */
const sleepMs = 60_000;
/** From this tick after a sleep on, a watch without a check is silent. */
const awakeTicks = 2;

/** What came of the observations of a tick, or of a part of it. */
type Judged = Pick<WatchTick, "assessment" | "degraded">;

/** One full cycle: probe, save, assess, deliver. Rare variants are requested when the checks are assessed. */
export async function watchOnce(input: WatchInput, processState: ProcessState): Promise<WatchTick> {
  const { config, ports } = input;
  const tickMs = ports.nowMs();
  const savedBefore = processState.unsaved.saved;
  const { nowMs, readKey } = ports;
  if (processState.ticksSinceSleep !== undefined) processState.ticksSinceSleep++;
  let checks: Observation[] = [];
  let judgedChecks: Judged | undefined;
  const result = await runTick({
    tickMs,
    config,
    ledger: processState.probeState,
    readKey,
    nowMs,
    allowLoopback: input.allowLoopback,
    signal: input.signal,
    onObservation: input.onObservation,
    transport: input.transport,
    async onChecked(observations) {
      checks = observations;
      judgedChecks = await judge(input, processState, observations);
    },
  }).catch((error: unknown) => ({
    // Without the probe state nothing can be planned within the budget: the watch tries again soon.
    observations: checks,
    deferred: [],
    nextTickMs: tickMs + retryMs,
    notMade: toFailed(error),
  }));
  const { observations, deferred } = result;
  const others = observations.filter((one) => !checks.includes(one));
  const judged =
    judgedChecks && others.length === 0 ? judgedChecks : await judge(input, processState, others);
  if (observations.length > 0 || processState.ticksSinceSleep === awakeTicks)
    processState.ticksSinceSleep = undefined;
  const degraded = "notMade" in result ? { what: notMade, why: result.notMade.why } : judged.degraded;
  return {
    tickMs,
    observations,
    deferred,
    assessment: joinAssessments(judgedChecks?.assessment, judged.assessment),
    degraded,
    saved: processState.unsaved.saved - savedBefore,
    // What could not be done is tried again soon. Requests are made when they are due, and not before.
    nextTickMs: degraded ? Math.min(result.nextTickMs, tickMs + retryMs) : result.nextTickMs,
  };
}

/** The later one, with the alerts of both. */
function joinAssessments(
  first: Assessment | undefined,
  second: Assessment | undefined,
): Assessment | undefined {
  if (!first || !second || first === second) return second;
  return { ...second, alerts: [...first.alerts, ...second.alerts] };
}

async function judge(
  input: WatchInput,
  processState: ProcessState,
  made: readonly Observation[],
): Promise<Judged> {
  const { ports, settings } = input;
  const { ticksSinceSleep } = processState;
  const observations = made.map(
    (one): Observation => (ticksSinceSleep === undefined ? one : { ...one, isAfterSleep: true }),
  );
  const clock = input.checkClock?.(observations);
  if (clock?.isBehind) {
    input.deliverAlerts?.();
    processState.unsaved.lost += observations.length;
    const degraded = { what: "checks cannot be stored", why: clock.store?.text ?? "" };
    return { assessment: undefined, degraded };
  }
  if (observations.length > 0) processState.unsaved.ticks.push(observations);
  await ports.publishMetrics?.(observations.flatMap((one) => toDataPoints(one, settings)));
  const unsaved = await saveUnsaved(ports, processState.unsaved);
  // A tick of which only a part is stored would be reported as an incident of that part, and differently when it is whole.
  // A watch that makes no checks is assessed: that is when it reports its own silence.
  const assessed =
    unsaved ??
    (await assess(ports, settings, processState.memory, {
      isTimeDoubtful: clock?.isDoubtful || (ticksSinceSleep ?? awakeTicks) < awakeTicks,
    }).catch(toFailed));
  const isFailed = "kind" in assessed;
  const unread = isFailed ? undefined : findUnread(observations, assessed);
  input.deliverAlerts?.();
  return {
    assessment: isFailed ? undefined : assessed,
    degraded: describeFailure(unsaved, isFailed ? assessed : unread),
  };
}

/** The checks were stored, and the assessment found none of them: whatever the cause, nothing is watched then. */
function findUnread(observations: readonly Observation[], { state }: Assessment): Failed | undefined {
  const isLost = observations.length > 0 && observations.every(({ at }) => at > (state.lastAt ?? ""));
  return isLost ? { kind: "failed", why: "stored checks cannot be read" } : undefined;
}

/** The first part of the tick that failed. */
function describeFailure(unsaved: Failed | undefined, unassessed: Failed | undefined): Degraded | undefined {
  if (unsaved) return { what: notStored, why: unsaved.why };
  if (unassessed) return { what: notAssessed, why: unassessed.why };
  return undefined;
}

export async function watch(
  input: WatchInput,
  processState = createProcessState(input.ports),
): Promise<void> {
  while (!input.signal.aborted) {
    const tick = await watchOnce(input, processState);
    input.onTick(tick);
    if (await waitForNextTick(input, tick)) processState.ticksSinceSleep = 0;
  }
}

/** True where the machine slept meanwhile. */
async function waitForNextTick(input: WatchInput, { tickMs, nextTickMs }: WatchTick): Promise<boolean> {
  const { signal, wait = pause } = input;
  const { nowMs } = input.ports;
  // Measured from the current time, so that a machine that was suspended runs one tick, not all missed ones.
  const untilMs = Math.min(nowMs() + maxWaitMs, Math.max(nowMs() + 1_000, nextTickMs));
  let lastMs = tickMs;
  let hasSlept = false;
  // If the clock is set back, the wait ends; otherwise it would take as long as the clock change.
  while (!signal.aborted && nowMs() >= lastMs && nowMs() < untilMs) {
    lastMs = nowMs();
    const pauseMs = Math.min(deliverEveryMs, untilMs - lastMs);
    await wait(pauseMs, signal);
    hasSlept ||= nowMs() - lastMs > pauseMs + sleepMs;
    // A tick starts it as well, so it is not started here right before it.
    if (nowMs() < untilMs) input.deliverAlerts?.();
  }
  return hasSlept;
}

// Keeps the probe state in memory while the disk refuses writes. Without it the request counts would be lost
// and V1 would receive more requests than the budget allows.
export function cacheProbeState(ledger: ProbeStateLedger): ProbeStateLedger {
  let unsaved: ProbeState | undefined;
  /** The stored value at the last read or write. Any further requests counted on disk were made by other processes. */
  let lastRead: Versioned<ProbeState> | undefined;
  return {
    async readProbeState() {
      const stored = await ledger.readProbeState().catch((error: unknown) => {
        // Probing goes on with what was read last.
        if (lastRead) return lastRead;
        throw error;
      });
      const before = lastRead;
      lastRead = stored;
      if (!unsaved || (stored && isSameProgress(stored.value, unsaved))) {
        unsaved = undefined;
        return stored;
      }
      const value = addRequestsOfOthers(unsaved, before?.value, stored?.value);
      const version = stored?.version ?? 0;
      // Retry the refused write on the next read, so that the stored value is current as soon as possible.
      const { kind } = await ledger.writeProbeState(value, version);
      unsaved = kind === "written" ? undefined : value;
      if (kind !== "written") return { value, version };
      lastRead = { value, version: version + 1 };
      return lastRead;
    },
    async writeProbeState(probeState, version) {
      const outcome = await ledger.writeProbeState(probeState, version);
      if (outcome.kind !== "conflict") unsaved = outcome.kind === "failed" ? probeState : undefined;
      if (outcome.kind === "written") lastRead = { value: probeState, version: version + 1 };
      return outcome;
    },
  };
}

/** The refused write was done after all: counted as one of another process, its requests would be counted twice. */
function isSameProgress(stored: ProbeState, unsaved: ProbeState): boolean {
  // As JSON, because a store drops properties that are undefined.
  const progressOf = ({ spent, endpoints, pending, bookings = {} }: ProbeState): unknown =>
    JSON.parse(JSON.stringify({ spent, endpoints, pending, bookings }));
  return isDeepStrictEqual(progressOf(stored), progressOf(unsaved));
}

function addRequestsOfOthers(
  own: ProbeState,
  before: ProbeState | undefined,
  now: ProbeState | undefined,
): ProbeState {
  const months = Object.entries(now?.spent ?? {});
  return months.reduce(
    (probeState, [month, spent]) => spend(probeState, month, spent - (before?.spent[month] ?? 0)),
    own,
  );
}
