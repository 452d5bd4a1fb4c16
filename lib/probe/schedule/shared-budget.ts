// Lets other processes, such as `v1watch parity`, send requests to V1 from the budget that the monitor does
// not need. Requests are reserved before they are sent, so that a process that dies leaves the count too
// high, never too low.
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import type { ProbeState } from "../../records/probe-state.ts";
import { emptyProbeState } from "../../records/probe-state.ts";
import { burst, computeMonthBudget, countRecent, type MonthBudget, monthOf } from "./budget.ts";
import { addRecent, type ProbeStateLedger, spend, updateProbeState } from "./probe-state.ts";

export type Reservation = {
  requests: number;
  /**
   * Why fewer requests were reserved than wanted: the monitor needs the rest, or its store cannot be written.
   */
  limitedBy?: "watch" | "store";
  release(unused: number): Promise<void>;
};

export type SharedBudget = {
  /** The requests that can be reserved now, and those that the monitor keeps until the month ends. */
  remaining(): Promise<{ spare: number; kept: number; monthEndMs: number }>;
  /** Reserves as many requests as are available, up to `wanted`, in multiples of `unit`. */
  reserve(wanted: number, unit?: number): Promise<Reservation>;
  /** Resolves when one request may be sent under the burst limit, and counts it. */
  acquireSlot(signal?: AbortSignal): Promise<void>;
};

/** Half of the burst limit, so that the monitor's next tick can always send its requests. */
export const sharedBurst = burst.requests / 2;

const retryMs = 500;

/** `perEndpointFunctions`: in AWS, each endpoint has its own function. */
export type SharedBudgetOptions = {
  ledger: ProbeStateLedger;
  config: Config;
  perEndpointFunctions: boolean;
  nowMs(): number;
};

export function createSharedBudget({
  ledger,
  config,
  perEndpointFunctions,
  nowMs,
}: SharedBudgetOptions): SharedBudget {
  const availableOf = ({ spare, reserve }: MonthBudget) => Math.max(0, spare - reserve);
  const update = (change: (probeState: ProbeState) => ProbeState) =>
    updateProbeState(ledger, change).catch(() => ({ kind: "failed" as const }));

  return {
    async remaining() {
      const probeState = (await ledger.readProbeState())?.value ?? emptyProbeState;
      const month = computeMonthBudget(nowMs(), probeState, config, perEndpointFunctions);
      const spare = availableOf(month);
      return { spare, kept: month.left - spare, monthEndMs: month.monthEndMs };
    },
    async reserve(wanted, unit = 1) {
      // A request that is reserved in the last minute of a month is counted in that month.
      const atMs = nowMs();
      const month = monthOf(atMs);
      let requests = 0;
      const { kind } = await update((probeState) => {
        const available = Math.min(
          wanted,
          availableOf(computeMonthBudget(atMs, probeState, config, perEndpointFunctions)),
        );
        requests = Math.floor(available / unit) * unit;
        return requests === 0 ? probeState : spend(probeState, month, requests);
      });
      if (kind === "failed") return { requests: 0, limitedBy: "store", release: async () => {} };
      return {
        requests,
        ...(requests < wanted && { limitedBy: "watch" as const }),
        async release(unused) {
          if (unused > 0) await update((probeState) => spend(probeState, month, -unused));
        },
      };
    },
    async acquireSlot(signal) {
      while (!signal?.aborted) {
        let isAcquired = false;
        const { kind } = await update((probeState) => {
          const atMs = nowMs();
          isAcquired = countRecent(atMs, probeState, config) < sharedBurst;
          return isAcquired ? addRecent(probeState, [{ atMs, requests: 1 }]) : probeState;
        });
        // A store failure does not block: the request is already reserved in the month, and the caller limits
        // its own rate.
        if (isAcquired || kind === "failed") return;
        await pause(retryMs, undefined, signal ? { signal } : {}).catch(() => {});
      }
    },
  };
}
