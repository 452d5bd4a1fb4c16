// The rate that workers share which know nothing of each other, on a virtual clock.

import { describe, expect, test } from "vitest";
import { createLease, planSlices, rateWindowMs, slicedRate } from "../../lib/parity/lease.ts";
import { fc } from "../random.ts";
import { createClock, mostInWindow } from "./virtual-clock.ts";

type Workers = { rate: number; workers: number; shards: number; requests: number; latencyMs: number };

/** When each request left, how many each worker sent, and how often the counters were written to. */
async function simulate({ rate, workers, shards, requests, latencyMs }: Workers) {
  const clock = createClock();
  const counters = new Map<string, number>();
  const left: number[] = [];
  const sent = Array.from({ length: workers }, () => 0);
  let [writes, ended] = [0, 0];
  for (let worker = 0; worker < workers; worker++) {
    const lease = createLease({
      rate,
      shards,
      sharedBy: workers,
      nowMs: clock.now,
      sleep: clock.sleep,
      async take({ slice, shard, tokens, quota }) {
        writes++;
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
        sent[worker] = (sent[worker] ?? 0) + 1;
        await clock.sleep(latencyMs);
      }
      ended++;
    };
    void send();
    void send();
  }
  await clock.runUntil(() => left.length >= requests || ended === 2 * workers);
  return { left, sent, writes };
}

describe("a rate that is cut into slices", () => {
  test("A rate that is cut into slices is never exceeded in any window of 10 s, and at most a quarter of it is lost", () => {
    for (let rate = 2; rate <= 3_000; rate++) {
      const { sliceMs, tokens } = planSlices(rate);
      const touched = Math.ceil(rateWindowMs / sliceMs) + 1;
      expect(touched * tokens, `rate ${rate}`).toBeLessThanOrEqual(rate);
      if (rate >= 5) expect(slicedRate(rate) * 10, `rate ${rate}`).toBeGreaterThanOrEqual(0.75 * rate);
    }
  });

  test("A rate that is cut into slices gives one request in 20 s where one in 10 s is allowed", () => {
    expect(planSlices(1)).toEqual({ sliceMs: 20_000, tokens: 1 });
  });
});

describe("workers that lease tokens", () => {
  test("Workers that lease tokens together never exceed the rate in any window, whatever their number", async () => {
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
          expect(mostInWindow((await simulate(input)).left)).toBeLessThanOrEqual(input.rate);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("Workers that lease tokens use most of the rate while they have work", async () => {
    const { left } = await simulate({ rate: 200, workers: 20, shards: 1, requests: 1_500, latencyMs: 20 });
    const seconds = ((left.at(-1) ?? 0) - (left[0] ?? 0)) / 1_000;
    expect(1_500 / seconds).toBeGreaterThan(0.85 * slicedRate(200));
  });

  const crowd = { rate: 2_000, workers: 300, shards: 3, requests: 6_000 };

  test.each([1, 50])(
    "Workers that lease tokens try once in a slice that is used up, and never exceed the rate, with requests of %d ms",
    async (latencyMs) => {
      const { left, writes } = await simulate({ ...crowd, latencyMs });
      expect(mostInWindow(left)).toBeLessThanOrEqual(crowd.rate);
      const slices = ((left.at(-1) ?? 0) - (left[0] ?? 0)) / planSlices(crowd.rate).sliceMs + 1;
      expect(writes).toBeLessThanOrEqual(left.length + (slices + 1) * crowd.workers);
    },
  );

  test("All workers get tokens, also where there are fewer tokens than workers", async () => {
    const { sent } = await simulate({ ...crowd, latencyMs: 50 });
    expect(Math.min(...sent)).toBeGreaterThan(0);
    expect(Math.max(...sent)).toBeLessThan(5 * (crowd.requests / crowd.workers));
  });

  test("Workers that lease tokens stop at once when they are aborted", async () => {
    const lease = createLease({ rate: 1, shards: 1, sharedBy: 1, take: async () => false });
    const controller = new AbortController();
    const waiting = lease.acquire(controller.signal);
    controller.abort();
    await expect(waiting).resolves.toBeUndefined();
  });
});
