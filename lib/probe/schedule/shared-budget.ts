// Requests to V1 that are not the watch's own, from what it can spare. They are set aside before they are
// made: a process that dies leaves too many counted, never too few.
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import type { ProbeState } from "../../records/probe-state.ts";
import { emptyProbeState } from "../../records/probe-state.ts";
import { burst, computeMonthBudget, countRecent, type MonthBudget, monthOf } from "./budget.ts";
import { type ProbeStateLedger, remember, spend, updateProbeState } from "./probe-state.ts";

type Reservation = {
  requests: number;
  /** Why it is less than was wanted: the watch needs the rest, or its store takes no entry. */
  limitedBy?: "watch" | "store" | undefined;
  release(unused: number): Promise<void>;
};

export type SharedBudget = {
  /** What the watch can spare now, and what it keeps for itself until the month ends. */
  remaining(): Promise<{
    spare: number;
    kept: number;
    monthEndMs: number;
    /** What the watch can spare in a whole month. */
    monthly: number;
  }>;
  /** As many as can be spared, in whole units. */
  reserve(wanted: number, unit?: number): Promise<Reservation>;
  /** Resolves when one may leave, and lets the watch see that it did. */
  acquireSlot(signal?: AbortSignal): Promise<void>;
};

/** Half of what the watch allows itself in ten seconds, so that its next tick always finds room. */
export const sharedBurst = burst.requests / 2;

const lookAgainMs = 500;

export type SharedBudgetOptions = { ledger: ProbeStateLedger; config: Config; nowMs(): number };

export function createSharedBudget({ ledger, config, nowMs }: SharedBudgetOptions): SharedBudget {
  const spareOf = ({ spare, reserve }: MonthBudget) => Math.max(0, spare - reserve);
  const change = (how: (probeState: ProbeState) => ProbeState) =>
    updateProbeState(ledger, how).catch(() => ({ kind: "failed" as const }));

  return {
    async remaining() {
      const probeState = (await ledger.readProbeState())?.value ?? emptyProbeState;
      const month = computeMonthBudget(nowMs(), probeState, config);
      const spare = spareOf(month);
      const next = computeMonthBudget(month.monthEndMs, emptyProbeState, config);
      return { spare, kept: month.left - spare, monthEndMs: month.monthEndMs, monthly: spareOf(next) };
    },
    async reserve(wanted, unit = 1) {
      // A request that is set aside in the last minute of a month is the old month's.
      const atMs = nowMs();
      const month = monthOf(atMs);
      let requests = 0;
      const { kind } = await change((probeState) => {
        const able = Math.min(wanted, spareOf(computeMonthBudget(atMs, probeState, config)));
        requests = Math.floor(able / unit) * unit;
        return requests === 0 ? probeState : spend(probeState, month, requests);
      });
      if (kind === "failed") return { requests: 0, limitedBy: "store", release: async () => {} };
      return {
        requests,
        limitedBy: requests < wanted ? ("watch" as const) : undefined,
        async release(unused) {
          if (unused > 0) await change((probeState) => spend(probeState, month, -unused));
        },
      };
    },
    async acquireSlot(signal) {
      while (!signal?.aborted) {
        let isOff = false;
        const { kind } = await change((probeState) => {
          const atMs = nowMs();
          isOff = countRecent(atMs, probeState, config) < sharedBurst;
          return isOff ? remember(probeState, [{ atMs, requests: 1 }]) : probeState;
        });
        // A store that takes nothing holds nobody up: the month has this request, and the run its own rate.
        if (isOff || kind === "failed") return;
        await pause(lookAgainMs, undefined, signal ? { signal } : {}).catch(() => {});
      }
    },
  };
}
