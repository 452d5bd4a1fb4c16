// A clock for workers that share a rate: time passes only when none of them has anything to do.

import { setImmediate as turn } from "node:timers/promises";
import { rateWindowMs } from "../../lib/parity/lease.ts";

export function createClock() {
  let nowMs = 1_000_000;
  let underWay = 0;
  const waiting: { atMs: number; resume(): void }[] = [];
  return {
    now: () => nowMs,
    sleep: (ms: number) =>
      new Promise<void>((resume) => {
        waiting.push({ atMs: nowMs + Math.max(1, ms), resume });
      }),
    /** Work of a real server, which takes no time on this clock. */
    async during<T>(work: Promise<T>): Promise<T> {
      underWay++;
      return work.finally(() => {
        underWay--;
      });
    },
    async runUntil(isDone: () => boolean) {
      while (!isDone()) {
        for (let step = 0; step < 30; step++) await Promise.resolve();
        if (underWay > 0) {
          await turn();
          continue;
        }
        waiting.sort((a, b) => a.atMs - b.atMs);
        const next = waiting.shift();
        if (!next) continue;
        nowMs = Math.max(nowMs, next.atMs);
        next.resume();
      }
    },
  };
}

export function mostInWindow(times: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [index, atMs] of times.entries()) {
    while ((times[from] ?? 0) <= atMs - rateWindowMs) from++;
    most = Math.max(most, index - from + 1);
  }
  return most;
}
