// Limits for parity requests: how many run at once, and how many are sent in a time window.
import { setTimeout as pause } from "node:timers/promises";
import { createSemaphore, type Semaphore } from "../semaphore.ts";

export type Burst = { requests: number; windowMs: number };

export type RateLimiter = {
  /** Resolves when a request may be sent, with a function to call after its response. */
  acquire(origin: string, burst: Burst | undefined, signal?: AbortSignal): Promise<() => void>;
  /** Sends nothing to the origin for this time, as its Retry-After header requested. */
  pauseFor(origin: string, ms: number): void;
};

/** Limits each origin separately. Without a burst, only concurrency is limited. */
export function createRateLimiter(concurrency: number): RateLimiter {
  const semaphores = new Map<string, Semaphore>();
  const queues = new Map<string, Promise<void>>();
  const sentAt = new Map<string, number[]>();
  const pausedUntil = new Map<string, number>();
  const now = () => performance.now();

  async function waitUntil(origin: string, dueAt: number, signal: AbortSignal | undefined): Promise<void> {
    // A pause may be requested while waiting.
    const waitMs = () => Math.max(dueAt, pausedUntil.get(origin) ?? 0) - now();
    while (waitMs() > 0 && !signal?.aborted) {
      await pause(waitMs(), undefined, signal ? { signal } : {}).catch(() => {});
    }
  }

  /** Runs one call at a time, because a window starts when a request is actually sent. */
  async function acquireSlot(origin: string, burst: Burst, signal: AbortSignal | undefined): Promise<void> {
    const before = sentAt.get(origin) ?? [];
    const oldest = before.length < burst.requests ? undefined : before[0];
    await waitUntil(origin, oldest === undefined ? 0 : oldest + burst.windowMs, signal);
    sentAt.set(origin, [...before, now()].slice(-burst.requests));
  }

  return {
    async acquire(origin, burst, signal) {
      const semaphore = semaphores.get(origin) ?? createSemaphore(concurrency);
      semaphores.set(origin, semaphore);
      await semaphore.acquire();
      if (burst) {
        const queued = (queues.get(origin) ?? Promise.resolve()).then(() =>
          acquireSlot(origin, burst, signal),
        );
        queues.set(origin, queued);
        await queued;
      } else await waitUntil(origin, 0, signal);
      return semaphore.release;
    },
    pauseFor(origin, ms) {
      pausedUntil.set(origin, Math.max(pausedUntil.get(origin) ?? 0, now() + ms));
    },
  };
}
