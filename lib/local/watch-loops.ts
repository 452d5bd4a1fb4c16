// When the watch on one machine makes its ticks. Every endpoint has a loop of its own, as the probers in AWS have, so that one that
// hangs does not delay the checks of the others. Endpoints that are due at one instant are one tick, and ticks are assessed one
// at a time, whole and in the order in which they began. Missed ticks are not made up for.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Observation } from "../records/observation.ts";
import {
  beginTick,
  createProcessState,
  type Degraded,
  describeNotMade,
  endTick,
  judge,
  type Made,
  makeChecks,
  notMade,
  type ProcessState,
  retryMs,
  type WatchInput,
  type WatchTick,
  watchOnce,
} from "./watch.ts";

/** Limited to an hour, so that a machine that resumes from suspension does not wait long for its next tick. */
const maxWaitMs = 3_600_000;
/** Between the starts of two ticks of one endpoint. */
const minWaitMs = 1_000;

/** Delivery is started between ticks too: for retries, and for alerts that other processes added. */
const deliverEveryMs = 15_000;

/** If a pause takes this much longer than planned, the machine slept or its clock jumped. */
const sleepMs = 60_000;

async function pause(ms: number, signal: AbortSignal, ended: Promise<void> | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => resolve();
  const timer = setTimeout(wake, ms);
  signal.addEventListener("abort", wake);
  if (signal.aborted) wake();
  void ended?.then(wake);
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", wake);
}

/** The checks of the endpoints that were due at one instant, or the rare variants after them. */
type Tick = {
  tickMs: number;
  isAfterSleep: boolean;
  isRare: boolean;
  /** Endpoints whose part is not known yet. */
  missing: number;
  observations: Observation[];
  degraded: Degraded | undefined;
};

export async function watch(
  input: WatchInput,
  processState: ProcessState = createProcessState(input.ports),
): Promise<void> {
  const { signal, wait = pause } = input;
  const { nowMs } = input.ports;
  /** When each endpoint is due; without those whose tick is under way. */
  const dueMs = new Map<EndpointId, number>();
  const deferred = new Map<EndpointId, string[]>();
  /** In the order in which they began. */
  const ticks: Tick[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let isJudging = false;
  let clockMs = nowMs();
  /** By which the endpoints were planned. */
  let { config } = input;

  const limitWait = (tickMs: number, atMs: number) =>
    Math.min(nowMs() + maxWaitMs, Math.max(tickMs + minWaitMs, atMs));
  const dueAtOnce = (atMs: number) => {
    for (const [endpoint, knownMs] of dueMs) dueMs.set(endpoint, Math.min(knownMs, atMs));
  };

  function track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  /** A tick is judged when it is whole and those before it are: what is stored later would be assessed again from there. */
  async function judgeWhole(): Promise<void> {
    if (isJudging) return;
    isJudging = true;
    while (ticks[0]?.missing === 0) {
      const tick = ticks.shift()!;
      const isEmpty = tick.observations.length === 0 && tick.degraded === undefined;
      // A tick without a check is assessed: that is when the watch reports its own silence.
      if (!isEmpty || !tick.isRare) input.onTick(await judgeTick(tick));
    }
    isJudging = false;
  }

  async function judgeTick(tick: Tick): Promise<WatchTick> {
    const { tickMs, observations, isAfterSleep } = tick;
    const savedBefore = processState.unsaved.saved;
    const judged = await judge(input, processState, observations, isAfterSleep);
    endTick(processState, isAfterSleep, observations.length > 0);
    const degraded = tick.degraded ?? judged.degraded;
    if (degraded) dueAtOnce(limitWait(tickMs, tickMs + retryMs));
    return {
      tickMs,
      observations: judged.observations,
      deferred: [...deferred.values()].flat(),
      assessment: judged.assessment,
      degraded,
      saved: processState.unsaved.saved - savedBefore,
      nextTickMs: dueMs.size > 0 ? Math.min(...dueMs.values()) : nowMs(),
    };
  }

  function schedule(endpoint: EndpointId, tickMs: number, { nextTickMs, nextTicksMs }: Made): void {
    // The others may be due earlier now: a change is confirmed by checks of all endpoints.
    if (nextTicksMs)
      for (const [other, atMs] of dueMs)
        dueMs.set(other, Math.min(atMs, limitWait(tickMs, nextTicksMs[other])));
    // Where the clock was set back meanwhile, a wait for the old time would take as long as the change.
    dueMs.set(endpoint, nowMs() < tickMs ? nowMs() : limitWait(tickMs, nextTickMs));
  }

  async function run(endpoint: EndpointId, checks: Tick, rare: Tick): Promise<void> {
    const { tickMs } = checks;
    const plannedBy = input.config;
    let checked: readonly Observation[] = [];
    let part = checks;
    const endPart = (observations: readonly Observation[]) => {
      part.observations.push(...observations);
      part.missing -= 1;
      part = rare;
      track(judgeWhole());
    };
    const made = await makeChecks(input, processState, {
      tickMs,
      only: endpoint,
      async onChecked(observations) {
        checked = observations;
        endPart(observations);
      },
    });
    deferred.set(endpoint, made.deferred);
    schedule(endpoint, tickMs, made);
    if (input.config !== plannedBy) dueAtOnce(limitWait(tickMs, tickMs));
    const hasNoRare = part === checks;
    part.degraded ??= describeNotMade(made);
    endPart(made.observations.filter((one) => !checked.includes(one)));
    if (hasNoRare) endPart([]);
  }

  function start(endpoints: readonly EndpointId[]): void {
    const begun = {
      tickMs: nowMs(),
      isAfterSleep: beginTick(processState),
      missing: endpoints.length,
      degraded: undefined,
    };
    const checks: Tick = { ...begun, isRare: false, observations: [] };
    const rare: Tick = { ...begun, isRare: true, observations: [] };
    ticks.push(checks, rare);
    for (const endpoint of endpoints) {
      dueMs.delete(endpoint);
      track(run(endpoint, checks, rare));
    }
  }

  /** Until an endpoint is due or a tick has ended. */
  async function rest(): Promise<void> {
    const pauseMs = Math.min(deliverEveryMs, ...[...dueMs.values()].map((atMs) => atMs - clockMs));
    if (pauseMs <= 0) return;
    await wait(pauseMs, signal, underWay.size > 0 ? Promise.race(underWay) : undefined);
    // Measured from the current time, so that a machine that was suspended runs one tick, not all missed ones.
    const passedMs = nowMs() - clockMs;
    if (passedMs > pauseMs + sleepMs) processState.ticksSinceSleep = 0;
    // A tick starts it as well, so it is not started here right before it.
    if (passedMs >= 0 && ![...dueMs.values()].some((atMs) => atMs <= nowMs())) input.deliverAlerts?.();
  }

  // The first tick is one of all endpoints: the list finds the records that the others request.
  let isFirst = true;
  for (const endpoint of endpointIds) dueMs.set(endpoint, clockMs);
  while (!signal.aborted && !failure) {
    // Where the clock was set back, a wait for the old time would take as long as the change.
    if (nowMs() < clockMs) dueAtOnce(nowMs());
    // Another configuration may have another cadence: the plan says what is due by it.
    if (input.config !== config) dueAtOnce(nowMs() + minWaitMs);
    config = input.config;
    clockMs = nowMs();
    const due = [...dueMs].filter(([, atMs]) => atMs <= clockMs).map(([endpoint]) => endpoint);
    if (due.length > 0 && isFirst) {
      const tick = await watchOnce(input, processState);
      for (const endpoint of endpointIds) dueMs.set(endpoint, limitWait(tick.tickMs, tick.nextTickMs));
      isFirst = tick.degraded?.what === notMade;
      input.onTick(tick);
    } else if (due.length > 0) start(due);
    else await rest();
  }
  while (underWay.size > 0) await Promise.all(underWay);
  if (failure) throw failure.error;
}
