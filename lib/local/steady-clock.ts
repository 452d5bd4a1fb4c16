// The clock of the monitor. It shows what the clock of the machine shows, and goes on from before a step of that one until V1's
// clock agrees with the step, or until it has lasted for two hours: a clock that is wrong for a while dates no check.
import { uptime } from "node:os";
import { hourMs, minuteMs } from "../time.ts";

/** What two clocks may differ by and agree, and what the clock of the machine may be moved by between two readings. */
export const clockToleranceMs = minuteMs;
const believedAfterMs = 2 * hourMs;

export type SteadyClock = {
  nowMs(): number;
  /** By how much the clock of the machine is ahead: 0, unless it has made a step that is not believed. */
  aheadMs(): number;
  /** After every tick: decides which of the two is right, and returns by how much this clock has moved. */
  settle(skewSeconds: number | undefined): number;
  /** Goes by the clock of the machine at once, and returns by how much this one has moved. */
  believe(): number;
  /** V1's clock agrees, or there was no step for two hours: what is dated later than now has a wrong date. */
  isSure(): boolean;
};

type Clocks = {
  /** The clock of the machine, which may be set. */
  wallMs?: () => number;
  /** The time since the machine was started, also while it slept. Nobody sets it. */
  uptimeMs?: () => number;
  /** False where V1 is on this machine: its clock is ours. */
  isV1Elsewhere?: boolean;
};

/** Without it, steps are not seen. */
function findUptime(wallMs: () => number): () => number {
  try {
    uptime();
    return () => uptime() * 1_000;
  } catch {
    return wallMs;
  }
}

export function createSteadyClock({
  wallMs = Date.now,
  uptimeMs = findUptime(wallMs),
  isV1Elsewhere = true,
}: Clocks = {}): SteadyClock {
  let known = { wallMs: wallMs(), uptimeMs: uptimeMs() };
  /** By how much the clock of the machine is ahead of this one. */
  let aheadMs = 0;
  /** The latest step, or when V1's clock last contradicted it. */
  let doubtedMs = known.uptimeMs;
  let agreesV1 = false;

  /** Compared with a reading that is at least a minute old at most by then: clocks that differ a little in speed make no step. */
  function read() {
    const now = { wallMs: wallMs(), uptimeMs: uptimeMs() };
    const passedMs = now.uptimeMs - known.uptimeMs;
    const stepMs = now.wallMs - known.wallMs - passedMs;
    if (Math.abs(stepMs) > clockToleranceMs) {
      aheadMs += stepMs;
      if (Math.abs(aheadMs) <= clockToleranceMs) aheadMs = 0;
      doubtedMs = now.uptimeMs;
      agreesV1 = false;
      known = now;
    } else if (passedMs >= minuteMs) known = now;
    return now;
  }

  function believe(): number {
    read();
    const movedMs = aheadMs;
    aheadMs = 0;
    return movedMs;
  }

  return {
    nowMs: () => read().wallMs - aheadMs,
    aheadMs() {
      read();
      return aheadMs;
    },
    settle(skewSeconds) {
      const now = read();
      const isNear = (ms: number) => Math.abs(ms) <= clockToleranceMs;
      const skewMs = isV1Elsewhere && skewSeconds !== undefined ? skewSeconds * 1_000 : undefined;
      const agrees = skewMs !== undefined && isNear(skewMs);
      if (agrees) doubtedMs = now.uptimeMs;
      const isStepRight = skewMs !== undefined && !agrees && isNear(skewMs - aheadMs);
      const movedMs = isStepRight || now.uptimeMs - doubtedMs >= believedAfterMs ? believe() : 0;
      agreesV1 = agrees || (skewMs !== undefined && isNear(skewMs - movedMs));
      return movedMs;
    },
    believe,
    isSure: () => aheadMs === 0 && (agreesV1 || read().uptimeMs - doubtedMs >= believedAfterMs),
  };
}
