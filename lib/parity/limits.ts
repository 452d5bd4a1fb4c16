// How fast the two versions are asked: so many requests at once, so many in any window of time.
import { setTimeout as pause } from "node:timers/promises";

export type Burst = { requests: number; windowMs: number };

/** So many may be inside; the others wait in the order in which they came. */
export type Semaphore = { enter(): Promise<void>; leave(): void };

export function createSemaphore(places: number): Semaphore {
  const queue: (() => void)[] = [];
  let free = places;
  return {
    async enter() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => queue.push(resolve));
    },
    leave() {
      const next = queue.shift();
      if (next) next();
      else free++;
    },
  };
}

export type RateLimiter = {
  /** Resolves when a request may leave, with what to call when it is answered. */
  enter(origin: string, burst: Burst | undefined, signal?: AbortSignal): Promise<() => void>;
  /** A server has asked for a rest: nothing goes to it before that. */
  rest(origin: string, ms: number): void;
};

/** For each origin by itself. Without a burst only the requests at once are bounded. */
export function createRateLimiter(atOnce: number): RateLimiter {
  const gates = new Map<string, Semaphore>();
  const turns = new Map<string, Promise<void>>();
  const slots = new Map<string, number[]>();
  const resting = new Map<string, number>();
  const now = () => performance.now();

  async function waitUntil(origin: string, dueAt: number, signal: AbortSignal | undefined): Promise<void> {
    // A rest may be asked for meanwhile.
    const waitMs = () => Math.max(dueAt, resting.get(origin) ?? 0) - now();
    while (waitMs() > 0 && !signal?.aborted) {
      await pause(waitMs(), undefined, signal ? { signal } : {}).catch(() => {});
    }
  }

  /** One after the other, because a window counts from when a request really left. */
  async function acquireSlot(origin: string, burst: Burst, signal: AbortSignal | undefined): Promise<void> {
    const before = slots.get(origin) ?? [];
    const oldest = before.length < burst.requests ? undefined : before[0];
    await waitUntil(origin, oldest === undefined ? 0 : oldest + burst.windowMs, signal);
    slots.set(origin, [...before, now()].slice(-burst.requests));
  }

  return {
    async enter(origin, burst, signal) {
      const gate = gates.get(origin) ?? createSemaphore(atOnce);
      gates.set(origin, gate);
      await gate.enter();
      if (burst) {
        const turn = (turns.get(origin) ?? Promise.resolve()).then(() => acquireSlot(origin, burst, signal));
        turns.set(origin, turn);
        await turn;
      } else await waitUntil(origin, 0, signal);
      return gate.leave;
    },
    rest(origin, ms) {
      resting.set(origin, Math.max(resting.get(origin) ?? 0, now() + ms));
    },
  };
}

// Where a comparison's requests to V1 come from. V2 has a key of its own: what it is asked follows from the
// passports, and is counted and said, not budgeted.
export type LimitedBy = "requests" | "watch" | "store";

export type Reservation = {
  /** As many as there are, in whole units. */
  requests: number;
  limitedBy?: LimitedBy;
  release(unused: number): Promise<void>;
};

export type RequestBudget = { reserve(wanted: number, unit?: number): Promise<Reservation> };

export const unlimitedBudget: RequestBudget = {
  reserve: async (wanted) => ({ requests: wanted, release: async () => {} }),
};

/** No more than so many in all, of what another requestBudget has. */
export function limitedBudget(bound: number, from: RequestBudget = unlimitedBudget): RequestBudget {
  let left = bound;
  return {
    async reserve(wanted, unit = 1) {
      const asked = Math.floor(Math.min(wanted, left) / unit) * unit;
      if (asked === 0) return { requests: 0, limitedBy: "requests", release: async () => {} };
      // Before anybody else's turn, so that two batches cannot take the same.
      left -= asked;
      const reservation = await from.reserve(asked, unit);
      left += asked - reservation.requests;
      return {
        ...(asked < wanted && { limitedBy: "requests" as const }),
        ...reservation,
        async release(unused) {
          left += unused;
          await reservation.release(unused);
        },
      };
    },
  };
}
