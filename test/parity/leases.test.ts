// The rate that workers share which know nothing of each other, on a virtual clock.
import { describe, expect, test } from "vitest";
import { createLease, planSlices, rateWindowMs, slicedRate } from "../../lib/parity/limits.ts";
import { fc } from "../random.ts";

/** A clock on which `sleep` waits; time passes when nothing else is to do. */
function createClock() {
  let nowMs = 1_000_000;
  const waiting: { atMs: number; resume(): void }[] = [];
  return {
    now: () => nowMs,
    sleep: (ms: number) =>
      new Promise<void>((resume) => {
        waiting.push({ atMs: nowMs + Math.max(1, ms), resume });
      }),
    async runUntil(isDone: () => boolean) {
      while (!isDone()) {
        for (let turn = 0; turn < 30; turn++) await Promise.resolve();
        waiting.sort((a, b) => a.atMs - b.atMs);
        const next = waiting.shift();
        if (!next) continue;
        nowMs = Math.max(nowMs, next.atMs);
        next.resume();
      }
    },
  };
}

type Workers = { rate: number; workers: number; shards: number; requests: number; latencyMs: number };

/** When each request left. */
async function simulate({ rate, workers, shards, requests, latencyMs }: Workers): Promise<number[]> {
  const clock = createClock();
  const counters = new Map<string, number>();
  const left: number[] = [];
  let ended = 0;
  for (let worker = 0; worker < workers; worker++) {
    const lease = createLease({
      ...{ rate, shards, sharedBy: workers, nowMs: clock.now, sleep: clock.sleep },
      async take({ slice, shard, tokens, quota }) {
        await clock.sleep(3);
        const key = `${slice} ${shard}`;
        const used = counters.get(key) ?? 0;
        if (used > quota - tokens) return false;
        counters.set(key, used + tokens);
        return true;
      },
    });
    const send = async () => {
      while (left.length < requests) {
        await lease.acquire();
        if (left.length >= requests) break;
        left.push(clock.now());
        await clock.sleep(latencyMs);
      }
      ended++;
    };
    void send();
    void send();
  }
  await clock.runUntil(() => left.length >= requests || ended === 2 * workers);
  return left;
}

function mostInWindow(times: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [index, atMs] of times.entries()) {
    while ((times[from] ?? 0) <= atMs - rateWindowMs) from++;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

describe("a rate that is cut into slices", () => {
  test("is never exceeded in any window of 10 s, and at most a quarter of it is lost", () => {
    for (let rate = 2; rate <= 3_000; rate++) {
      const { sliceMs, tokens } = planSlices(rate);
      const touched = Math.ceil(rateWindowMs / sliceMs) + 1;
      expect(touched * tokens, `rate ${rate}`).toBeLessThanOrEqual(rate);
      if (rate >= 5) expect(slicedRate(rate) * 10, `rate ${rate}`).toBeGreaterThanOrEqual(0.75 * rate);
    }
  });

  test("gives one request in 20 s where one in 10 s is allowed", () => {
    expect(planSlices(1)).toEqual({ sliceMs: 20_000, tokens: 1 });
  });
});

describe("workers that lease tokens", () => {
  test("together never exceed the rate in any window, whatever their number", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          rate: fc.integer({ min: 1, max: 400 }),
          workers: fc.integer({ min: 1, max: 12 }),
          shards: fc.integer({ min: 1, max: 5 }),
          requests: fc.integer({ min: 20, max: 300 }),
          latencyMs: fc.integer({ min: 1, max: 900 }),
        }),
        async (input) => {
          expect(mostInWindow(await simulate(input))).toBeLessThanOrEqual(input.rate);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("use most of the rate while they have work", async () => {
    const times = await simulate({ rate: 200, workers: 6, shards: 2, requests: 1_500, latencyMs: 20 });
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
    expect(1_500 / seconds).toBeGreaterThan(0.85 * slicedRate(200));
  });

  test("stop at once when they are aborted", async () => {
    const lease = createLease({ rate: 1, shards: 1, sharedBy: 1, take: async () => false });
    const controller = new AbortController();
    const waiting = lease.acquire(controller.signal);
    controller.abort();
    await expect(waiting).resolves.toBeUndefined();
  });
});
