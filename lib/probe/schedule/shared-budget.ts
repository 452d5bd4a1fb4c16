// Requests to V1 that are not the watch's own, from what it can spare. They are set aside before they are
// made: a process that dies leaves too many in the books, never too few.
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import type { Pace } from "../../records/probe-state.ts";
import { freshPace } from "../../records/probe-state.ts";
import { burst, countRecent, type MonthAllowance, monthOf, weighMonth } from "./budget.ts";
import { changePace, type PaceLedger, remember, spend } from "./probe-state.ts";

export type Aside = {
  requests: number;
  /** Why it is less than was wanted: the watch needs the rest, or its store takes no entry. */
  heldBy?: "watch" | "store";
  giveBack(unused: number): Promise<void>;
};

export type Guest = {
  /** What the watch can spare now, and what it keeps for itself until the month ends. */
  weigh(): Promise<{ spare: number; kept: number; monthEndMs: number }>;
  /** As many as can be spared, in whole units. */
  setAside(wanted: number, unit?: number): Promise<Aside>;
  /** Resolves when one may leave, and lets the watch see that it did. */
  depart(signal?: AbortSignal): Promise<void>;
};

/** Half of what the watch allows itself in ten seconds, so that its next tick always finds room. */
export const guestBurst = burst.requests / 2;

const lookAgainMs = 500;

/** `apart`: the watch's endpoints have a function each, in AWS. */
export type GuestOptions = { ledger: PaceLedger; config: Config; apart: boolean; nowMs(): number };

export function createGuest({ ledger, config, apart, nowMs }: GuestOptions): Guest {
  const spareOf = ({ spare, reserve }: MonthAllowance) => Math.max(0, spare - reserve);
  const change = (how: (pace: Pace) => Pace) =>
    changePace(ledger, how).catch(() => ({ kind: "failed" as const }));

  return {
    async weigh() {
      const pace = (await ledger.readPace())?.value ?? freshPace;
      const month = weighMonth(nowMs(), pace, config, apart);
      const spare = spareOf(month);
      return { spare, kept: month.left - spare, monthEndMs: month.monthEndMs };
    },
    async setAside(wanted, unit = 1) {
      // A request that is set aside in the last minute of a month is the old month's.
      const atMs = nowMs();
      const month = monthOf(atMs);
      let requests = 0;
      const { kind } = await change((pace) => {
        const able = Math.min(wanted, spareOf(weighMonth(atMs, pace, config, apart)));
        requests = Math.floor(able / unit) * unit;
        return requests === 0 ? pace : spend(pace, month, requests);
      });
      if (kind === "failed") return { requests: 0, heldBy: "store", giveBack: async () => {} };
      return {
        requests,
        ...(requests < wanted && { heldBy: "watch" as const }),
        async giveBack(unused) {
          if (unused > 0) await change((pace) => spend(pace, month, -unused));
        },
      };
    },
    async depart(signal) {
      while (!signal?.aborted) {
        let isOff = false;
        const { kind } = await change((pace) => {
          const atMs = nowMs();
          isOff = countRecent(atMs, pace, config) < guestBurst;
          return isOff ? remember(pace, [{ atMs, requests: 1 }]) : pace;
        });
        // A store that takes nothing holds nobody up: the month has this request, and the run its own rate.
        if (isOff || kind === "failed") return;
        await pause(lookAgainMs, undefined, signal ? { signal } : {}).catch(() => {});
      }
    },
  };
}
