// One chunk of a comparison among many workers: its requests are reserved before the first one is sent, all workers wait
// while the run is paused, and a throttled request pauses the run and is sent again.

import { setTimeout as sleep } from "node:timers/promises";
import { api } from "../contract/endpoints.ts";
import type { ComparisonRun, ComparisonSettings, ComparisonState } from "../records/parity.ts";
import type { ApiVersion, FetchBody } from "./request.ts";
import type { RequestBudget } from "./request-budget.ts";

export { readShape } from "../mapping/v2-shape.ts";

type Requests = Record<ApiVersion, number>;

/** The run that all workers read and change. */
export type SharedRun = {
  read(): Promise<ComparisonRun | undefined>;
  setState(run: ComparisonSettings, state: ComparisonState, why: string): Promise<unknown>;
  pauseUntil(run: ComparisonSettings, untilMs: number, why: string): Promise<unknown>;
  /** False where the limit of the run leaves too few requests, or it does not run. */
  spend(run: ComparisonSettings, v1: number, v2: number): Promise<boolean>;
  giveBack(run: ComparisonSettings, v1: number, v2: number): Promise<unknown>;
};

/** The budget of the watch, of which a comparison uses the rest. */
export type WatchBudget = RequestBudget & { remaining(): Promise<{ spare: number; monthEndMs: number }> };

export type ChunkContext = {
  shared: SharedRun;
  budget: WatchBudget;
  run: ComparisonRun;
  /** Resolves when this worker may write the probe state. */
  acquireWrite(): Promise<void>;
};

/** Writes of the probe state in 10 s, of all workers together: it has up to 8 KB, and each write may conflict. */
export const probeStateRate = 200;

/** Where a target throttles without Retry-After, answers no record of a chunk, or the store takes no entry. */
const pauseMs = { throttled: 60_000, unanswered: 10 * 60_000, store: 60_000 };

/** `refused`: why the chunk is left for a later round. */
export type ChunkReservation =
  | { refused: string }
  | { refused?: undefined; release(sent: Requests): Promise<void> };

/** In the limits of the run, then in the month's budget of the watch; all of the chunk's requests or none. */
export async function reserveRequests(
  context: ChunkContext,
  passports: number,
  perPair: Requests,
): Promise<ChunkReservation> {
  const { shared, budget, run } = context;
  const needed = { v1: passports * perPair.v1, v2: passports * perPair.v2 };
  if (!(await shared.spend(run, needed.v1, needed.v2))) {
    if ((await shared.read())?.state !== "running") return { refused: "stopped" };
    await shared.setState(run, "paused", "the requests that were allowed for this run are used up");
    return { refused: "limit" };
  }
  const reservation = await reserveFromBudget(context, needed.v1, perPair.v1);
  if (reservation.requests === needed.v1)
    return {
      async release(sent) {
        await reservation.release(needed.v1 - sent.v1);
        await shared.giveBack(run, needed.v1 - sent.v1, needed.v2 - sent.v2);
      },
    };
  await reservation.release(reservation.requests);
  await shared.giveBack(run, needed.v1, needed.v2);
  if (reservation.limitedBy === "store")
    await shared.pauseUntil(run, Date.now() + pauseMs.store, "the probe state cannot be written");
  else {
    const { monthEndMs } = await budget.remaining();
    await shared.pauseUntil(run, monthEndMs, "the rest of this month's budget is the watch's");
  }
  return { refused: "budget" };
}

const maxTries = 8;

/** All workers write the one probe state, so they do not all write at once, and try again. */
async function reserveFromBudget({ budget, acquireWrite }: ChunkContext, requests: number, unit: number) {
  for (let tries = 1; ; tries++) {
    await acquireWrite();
    const reservation = await budget.reserve(requests, unit);
    if (reservation.limitedBy !== "store" || tries === maxTries) return reservation;
    await sleep(Math.random() * tries * 1_000);
  }
}

/** How often a worker reads whether the run was paused or cancelled. */
const stateEveryMs = 2_000;

export type PauseWatch = {
  /** Aborted when the run has ended, or waits for longer than the worker lives, or the worker's time is up. */
  signal: AbortSignal;
  /** Before each request: resolves when the run is not paused. */
  waitWhilePaused(): Promise<void>;
  /** The state is read again before the next request. */
  forget(): void;
};

export function watchPauses({ shared, run: { run: name } }: ChunkContext, endMs: number): PauseWatch {
  const controller = new AbortController();
  let known: { run: Promise<ComparisonRun | undefined>; atMs: number } | undefined;
  const readState = () => {
    if (!known || Date.now() - known.atMs >= stateEveryMs) known = { run: shared.read(), atMs: Date.now() };
    return known.run;
  };
  return {
    signal: AbortSignal.any([
      controller.signal,
      AbortSignal.timeout(Math.max(0, Math.floor(endMs - Date.now()))),
    ]),
    async waitWhilePaused() {
      while (!controller.signal.aborted) {
        const run = await readState();
        const resumeAtMs = run?.resumeAtMs ?? 0;
        if (run?.run !== name || run.state !== "running" || resumeAtMs > endMs) return controller.abort();
        const waitMs = resumeAtMs - Date.now();
        if (waitMs <= 0) return;
        await sleep(Math.min(waitMs, stateEveryMs));
      }
    },
    forget() {
      known = undefined;
    },
  };
}

/** A throttled request is sent again after the pause, this many times. */
const maxRepeats = 3;

/** Pauses the whole run where a target throttles, and sends the request again. `repeated` counts those requests. */
export function repeatThrottled(
  send: FetchBody,
  { shared, budget, run }: ChunkContext,
  pauses: PauseWatch,
): { fetchBody: FetchBody; repeated: Requests } {
  const repeated = { v1: 0, v2: 0 };
  const fetchBody: FetchBody = async (version, path) => {
    for (let repeats = 0; ; repeats++) {
      const result = await send(version, path);
      const isThrottled =
        result.kind === "failed" && (result.why === "429" || result.retryAfterMs !== undefined);
      if (!isThrottled || pauses.signal.aborted) return result;
      const untilMs = Date.now() + (result.retryAfterMs ?? pauseMs.throttled);
      await shared.pauseUntil(run, untilMs, `${version.toUpperCase()} answered ${result.why}`);
      pauses.forget();
      const [v1, v2] = version === "v1" ? [1, 0] : [0, 1];
      const isAllowed =
        repeats < maxRepeats &&
        (await shared.spend(run, v1, v2)) &&
        (version === "v2" || (await budget.reserve(1)).requests === 1);
      if (!isAllowed) return result;
      repeated[version]++;
    }
  };
  return { fetchBody, repeated };
}

/** No record of a chunk could be compared, so the others are not tried for a while. */
export async function pauseUnanswered({ shared, run }: ChunkContext, why: string): Promise<void> {
  const untilMs = Date.now() + pauseMs.unanswered;
  await shared.pauseUntil(run, untilMs, `no ${api.sample.nouns.one} of a chunk could be compared: ${why}`);
}
