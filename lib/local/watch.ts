// One tick of the watch on one machine: probe, save, assess, deliver. watch-loops.ts says when ticks are made.
import { type Assessment, assess, type Memory, type Settings } from "../assess/assess.ts";
import { toDataPoints } from "../assess/metrics.ts";
import { recordUnsavedTicks, type SaveCounts, toFailed } from "../assess/record-tick.ts";
import type { Config } from "../config/config.ts";
import type { Failed, Ports } from "../ports.ts";
import type { Exchange } from "../probe/http/exchange.ts";
import { readTargetNow } from "../probe/http/http-date.ts";
import type { ListedSamples, Transport } from "../probe/probe.ts";
import { runTick, type TickInput, type TickResult } from "../probe/tick.ts";
import type { Observation } from "../records/observation.ts";
import { instantText } from "../time.ts";
import { cacheProbeState } from "./probe-state-cache.ts";
import { clockToleranceMs, type SteadyClock } from "./steady-clock.ts";
import type { ClockCheck } from "./store/clock.ts";
import type { ReservedFile } from "./store/reserved-file.ts";

export type WatchTick = {
  tickMs: number;
  observations: Observation[];
  deferred: string[];
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
  /** Both are read at the start of a tick and of its assessment: a reload replaces them. */
  config: Config;
  settings: Settings;
  ports: Ports;
  allowLoopback: boolean;
  signal: AbortSignal;
  onTick(tick: WatchTick): void;
  /** How requests are sent in a replay. */
  transport?: Transport | undefined;
  onObservation?: ((observation: Observation) => void) | undefined;
  /** The clock behind `ports.nowMs`. Left out where it cannot be wrong, as is `checkClock`. */
  clock?: Pick<SteadyClock, "aheadMs">;
  /**
   * Compares the clock with others. `skewSeconds`: V1's clock minus this one, by its responses since the check before. `movedMs`: by
   * how much this one has moved, because another one is believed. `isContradicted`: by V1's clock, and by later checks in the store.
   */
  checkClock?(
    observations: readonly Observation[],
    skewSeconds: number | undefined,
  ): Pick<ClockCheck, "isBehind" | "isDoubtful" | "store"> & { movedMs: number; isContradicted: boolean };
  /**
   * Ends early where ticks are under way and one of them has `ended`. Replaced in tests by a virtual clock, which stands still
   * while ticks are under way.
   */
  wait?(ms: number, signal: AbortSignal, ended: Promise<void> | undefined): Promise<void>;
  /** Starts the delivery of pending alerts and does not wait for it: no channel delays a check. */
  deliverAlerts?(): void;
};

/** What the process keeps in memory from tick to tick; never stored. */
export type ProcessState = {
  memory: Memory;
  probeState: Pick<Ports["ledger"], "readProbeState" | "writeProbeState">;
  unsaved: Unsaved;
  listed: ListedSamples;
  /** V1's clock minus ours, by the nearest of the responses that were not looked at yet: a cache may send an old one. */
  skewSeconds?: number | undefined;
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
  requestsFile?: ReservedFile,
): ProcessState => ({
  memory: {},
  probeState: cacheProbeState(ledger, requestsFile),
  unsaved,
  listed: new Map(),
});

export const retryMs = 60_000;

/** From this tick after a sleep on, a watch without a check is silent. */
const awakeTicks = 2;

/** What came of the observations of a tick, or of a part of it. */
type Judged = Pick<WatchTick, "observations" | "assessment" | "degraded">;

/** Of a tick that was not made, why. */
export type Made = Pick<TickResult, "observations" | "deferred" | "nextTickMs"> & {
  nextTicksMs?: TickResult["nextTicksMs"];
  notMade?: Failed;
};

/** The requests of a tick, and what is known of them where it cannot be made. */
export async function makeChecks(
  input: WatchInput,
  processState: ProcessState,
  { tickMs, only, onChecked }: Pick<TickInput, "tickMs" | "only" | "onChecked">,
): Promise<Made> {
  const { config, ports } = input;
  let checks: Observation[] = [];
  return runTick({
    tickMs,
    config,
    only,
    ledger: processState.probeState,
    readKey: ports.readKey,
    proxy: ports.proxy,
    nowMs: ports.nowMs,
    allowLoopback: input.allowLoopback,
    signal: input.signal,
    listed: processState.listed,
    onObservation: input.onObservation,
    onResponse: ({ at }, { headers }) => noteSkew(processState, Date.parse(at), headers),
    transport: input.transport,
    async onChecked(observations) {
      checks = observations;
      await onChecked?.(observations);
    },
  }).catch((error: unknown) => ({
    // Without the probe state nothing can be planned within the budget: the watch tries again soon.
    observations: checks,
    deferred: [],
    nextTickMs: tickMs + retryMs,
    notMade: toFailed(error),
  }));
}

/** Whatever V1 answers: also an error has a date. */
function noteSkew(processState: ProcessState, atMs: number, headers: Exchange["headers"]): void {
  const v1Ms = readTargetNow(headers, atMs);
  if (v1Ms === undefined) return;
  const seconds = (v1Ms - atMs) / 1_000;
  const { skewSeconds: known = seconds } = processState;
  processState.skewSeconds = Math.abs(seconds) <= Math.abs(known) ? seconds : known;
}

/** True for the ticks after a sleep of the machine, until one of them has made a check. */
export function beginTick(processState: ProcessState): boolean {
  if (processState.ticksSinceSleep === undefined) return false;
  processState.ticksSinceSleep++;
  return true;
}

export function endTick(processState: ProcessState, isAfterSleep: boolean, hasChecks: boolean): void {
  const { ticksSinceSleep = 0 } = processState;
  if (isAfterSleep && (hasChecks || ticksSinceSleep >= awakeTicks)) processState.ticksSinceSleep = undefined;
}

export const describeNotMade = ({ notMade: failed }: Made): Degraded | undefined =>
  failed && { what: notMade, why: failed.why };

/** A tick of all endpoints. Rare variants are requested when the checks are assessed. */
export async function watchOnce(input: WatchInput, processState: ProcessState): Promise<WatchTick> {
  const tickMs = input.ports.nowMs();
  const savedBefore = processState.unsaved.saved;
  const isAfterSleep = beginTick(processState);
  let checks: Observation[] = [];
  let judgedChecks: Judged | undefined;
  const made = await makeChecks(input, processState, {
    tickMs,
    async onChecked(observations) {
      checks = observations;
      judgedChecks = await judge(input, processState, observations, isAfterSleep);
    },
  });
  const { observations, deferred } = made;
  const others = observations.filter((one) => !checks.includes(one));
  const judged =
    judgedChecks && others.length === 0
      ? judgedChecks
      : await judge(input, processState, others, isAfterSleep);
  endTick(processState, isAfterSleep, observations.length > 0);
  const degraded = describeNotMade(made) ?? judged.degraded;
  return {
    tickMs,
    observations:
      judgedChecks && judgedChecks !== judged
        ? [...judgedChecks.observations, ...judged.observations]
        : judged.observations,
    deferred,
    assessment: joinAssessments(judgedChecks?.assessment, judged.assessment),
    degraded,
    saved: processState.unsaved.saved - savedBefore,
    // What could not be done is tried again soon. Requests are made when they are due, and not before.
    nextTickMs: degraded ? Math.min(made.nextTickMs, tickMs + retryMs) : made.nextTickMs,
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

/** Saves and assesses the observations of a tick, and returns them as they were saved. Never two at once. */
export async function judge(
  input: WatchInput,
  processState: ProcessState,
  made: readonly Observation[],
  isAfterSleep: boolean,
): Promise<Judged> {
  const { ports, settings } = input;
  const aheadMs = input.clock?.aheadMs() ?? 0;
  const clock = input.checkClock?.(made, processState.skewSeconds);
  delete processState.skewSeconds;
  const movedMs = clock?.movedMs ?? 0;
  // Time in which it was not known how late it was is none in which the watch has failed.
  if (movedMs > 0) processState.ticksSinceSleep = 0;
  const observations = made.map((one): Observation => {
    const noted = movedMs === 0 ? { ...one } : dateAgain(one, movedMs);
    if (isAfterSleep) noted.isAfterSleep = true;
    if (movedMs === 0 && aheadMs !== 0) noted.clockAheadSeconds = Math.round(aheadMs / 1_000);
    return clock?.isContradicted ? { ...noted, isDateWrong: true } : noteWrongDate(noted, ports.nowMs());
  });
  if (clock?.isBehind) {
    input.deliverAlerts?.();
    processState.unsaved.lost += observations.length;
    const degraded = { what: "checks cannot be stored", why: clock.store?.text ?? "" };
    return { observations, assessment: undefined, degraded };
  }
  const { unsaved: kept } = processState;
  if (movedMs < 0)
    kept.ticks = kept.ticks.map((tick) => tick.map((one) => noteWrongDate(one, ports.nowMs())));
  if (observations.length > 0) kept.ticks.push(observations);
  await ports.publishMetrics?.(observations.flatMap((one) => toDataPoints(one, settings)));
  const unsaved = await saveUnsaved(ports, kept);
  // A tick that is stored in part is not assessed: it would report an incident of some endpoints, and another one once the rest
  // is stored. A tick without checks is assessed, because that is how the watch reports its own silence.
  const assessed =
    unsaved ??
    (clock?.isContradicted ? behindStore : undefined) ??
    (await assess(ports, settings, processState.memory, {
      isTimeDoubtful: clock?.isDoubtful || (processState.ticksSinceSleep ?? awakeTicks) < awakeTicks,
    }).catch(toFailed));
  const isFailed = "kind" in assessed;
  const unread = isFailed ? undefined : findUnread(observations, assessed);
  input.deliverAlerts?.();
  return {
    observations,
    assessment: isFailed ? undefined : assessed,
    degraded: describeFailure(unsaved, isFailed ? assessed : unread),
  };
}

/** What would be assessed is what was known by then. */
const behindStore: Failed = { kind: "failed", why: "the clock is behind the store" };

/** A check that was made before it was known how late it was. The ages of its records were measured by the wrong clock. */
function dateAgain(observation: Observation, movedMs: number): Observation {
  const { id, at } = observation;
  const [endpoint, variant, tick = at, ...others] = id.split("/");
  const moved = (instant: string) => instantText(Date.parse(instant) + movedMs);
  const newId = [endpoint, variant, moved(tick), ...others].join("/");
  return { ...observation, id: newId, at: moved(at), staleness: null };
}

/** A check that was made is not of the future. */
const noteWrongDate = (observation: Observation, nowMs: number): Observation =>
  Date.parse(observation.at) > nowMs + clockToleranceMs ? { ...observation, isDateWrong: true } : observation;

/** The checks were stored, and the assessment found none of them: whatever the cause, nothing is watched then. */
function findUnread(observations: readonly Observation[], { state }: Assessment): Failed | undefined {
  const dated = observations.filter(({ isDateWrong }) => !isDateWrong);
  const isLost = dated.length > 0 && dated.every(({ at }) => at > (state.lastAt ?? ""));
  return isLost ? { kind: "failed", why: "stored checks cannot be read" } : undefined;
}

/** The first part of the tick that failed. */
function describeFailure(unsaved: Failed | undefined, unassessed: Failed | undefined): Degraded | undefined {
  if (unsaved) return { what: notStored, why: unsaved.why };
  if (unassessed) return { what: notAssessed, why: unassessed.why };
  return undefined;
}
