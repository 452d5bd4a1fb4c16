// A rate limit for processes that do not know of each other. Time is cut into slices, and each slice has a number of tokens.
// A process takes a block of tokens from a shared counter and sends one request for each. Tokens of a past slice are lost.
// A window of `windowMs` overlaps at most one slice more than fit into it; the tokens of that many slices are the limit.
import { setTimeout as pause } from "node:timers/promises";

export const rateWindowMs = 10_000;
/** So a slice has 200 ms at least. */
const maxSlices = 50;
/** A token is not used at the very end of its slice, because the request would leave in the next one. */
const guardMs = 50;
/** Workers begin a slice at a random instant in this part of it, or in the next one of the same length. */
const startShare = 0.05;

export type RateSlices = { sliceMs: number; tokens: number };

/** The fewest slices that lose at most a tenth of a rate, because each slice costs every process a write. */
const wantedShare = 0.9;

/** 9 of 10 requests in 10 s, 90 of 100, 900 of 1,000. */
export function planSlices(rate: number): RateSlices {
  let best = { slices: 1, tokens: Math.floor(rate / 2) };
  for (let slices = 2; slices <= maxSlices && best.slices * best.tokens < wantedShare * rate; slices++) {
    const tokens = Math.floor(rate / (slices + 1));
    if (slices * tokens > best.slices * best.tokens) best = { slices, tokens };
  }
  // A rate of one request has one token in twice the window.
  if (best.tokens === 0) return { sliceMs: 2 * rateWindowMs, tokens: 1 };
  return { sliceMs: Math.ceil(rateWindowMs / best.slices), tokens: best.tokens };
}

/** How many tokens one of several processes takes at once. */
export const blockOf = ({ tokens }: RateSlices, sharedBy: number) =>
  Math.max(1, Math.floor(tokens / sharedBy));

/** Requests a second that the slices of a rate give. */
export function slicedRate(rate: number): number {
  const { sliceMs, tokens } = planSlices(rate);
  return (1_000 * tokens) / sliceMs;
}

export type LeaseOptions = {
  rate: number;
  /** Counters that the tokens of a slice are spread over, so that none of them has too many writers. */
  shards: number;
  /** Processes that share the rate: each takes its part of a slice at once. */
  sharedBy: number;
  /** Takes tokens of one counter of a slice; false where fewer are left. */
  take(counter: { slice: number; shard: number; tokens: number; quota: number }): Promise<boolean>;
  nowMs?(): number;
  sleep?(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Resolves when one request may leave. The calls of one process wait in a queue. */
export function createLease(options: LeaseOptions): { acquire(signal?: AbortSignal): Promise<void> } {
  const { rate, shards, sharedBy, take, nowMs = Date.now } = options;
  const sleep =
    options.sleep ??
    ((ms: number, signal?: AbortSignal) => pause(ms, undefined, signal ? { signal } : {}).catch(() => {}));
  const slices = planSlices(rate);
  const { sliceMs, tokens } = slices;
  const counters = Math.min(shards, tokens);
  // Always the same one: a worker that tried all counters would write to each of them in every slice that is used up.
  const shard = Math.floor(Math.random() * counters);
  const quota = Math.floor(tokens / counters) + (shard < tokens % counters ? 1 : 0);
  const block = Math.min(Math.floor(tokens / counters), blockOf(slices, sharedBy));
  let held = { slice: -1, tokens: 0 };
  /** The slice whose counter was found empty. */
  let empty = -1;
  let queue: Promise<void> = Promise.resolve();

  async function takeBlock(slice: number): Promise<void> {
    if (await take({ slice, shard, tokens: block, quota })) held = { slice, tokens: block };
    else empty = slice;
  }

  async function next(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      const atMs = nowMs();
      const slice = Math.floor(atMs / sliceMs);
      const leftMs = (slice + 1) * sliceMs - atMs;
      if (leftMs <= guardMs || slice === empty) {
        // A worker that had no tokens of this slice comes earlier in the next one.
        const delay = Math.random() + (held.slice === slice ? 1 : 0);
        await sleep(leftMs + delay * startShare * sliceMs, signal);
      } else if (held.slice === slice && held.tokens > 0) {
        held.tokens--;
        return;
      } else await takeBlock(slice);
    }
  }

  return {
    acquire(signal) {
      queue = queue.then(() => next(signal));
      return queue;
    },
  };
}
