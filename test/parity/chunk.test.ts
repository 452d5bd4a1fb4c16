// A chunk among many workers: what it reserves, how it waits and how it is throttled, with the run in dynalite.

import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Comparison, openComparison } from "../../lib/aws/comparison.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import {
  type ChunkContext,
  type PauseWatch,
  pauseUnanswered,
  repeatThrottled,
  reserveRequests,
  type SharedRun,
  type WatchBudget,
  watchPauses,
} from "../../lib/parity/chunk.ts";
import type { FetchResult } from "../../lib/parity/request.ts";
import type { LimitedBy } from "../../lib/parity/request-budget.ts";
import { createSharedBudget } from "../../lib/probe/schedule/shared-budget.ts";
import type { ComparisonRun } from "../../lib/records/parity.ts";
import { settings } from "../aws/comparison-settings.ts";
import { startDynamo } from "../aws/dynamo-server.ts";
import { configure } from "../stack/configuration.ts";

const dynamo = await startDynamo();
const perPair = { v1: 4, v2: 5 };
const hourMs = 3_600_000;
let comparison: Comparison;

async function open(change: object = {}, config: object = {}): Promise<ChunkContext> {
  const table = { tableName: await dynamo.createTable(), client: dynamo.client, retentionDays: 1 };
  comparison = openComparison({ ...table, bucket: "none" });
  await comparison.create({ ...settings, ...change });
  const budget = createSharedBudget({
    ledger: createLedger(table),
    config: configure(config),
    nowMs: Date.now,
    rate: 10,
  });
  return { shared: comparison, budget, run: await readRun(), acquireWrite: async () => {} };
}
async function readRun() {
  const run = await comparison.read();
  if (!run) throw new Error("there is no run");
  return run;
}
const spare = async ({ budget }: ChunkContext) => (await budget.remaining()).spare;

let context: ChunkContext;
beforeEach(async () => {
  context = await open();
});

test("A chunk reserves its requests in the run and in the budget, and gives back what it did not send", async () => {
  const before = await spare(context);
  const reservation = await reserveRequests(context, 10, perPair);
  expect((await readRun()).spent).toEqual({ v1: 40, v2: 50 });
  expect(before - (await spare(context))).toBe(40);
  if (reservation.refused !== undefined) throw new Error(reservation.refused);
  await reservation.release({ v1: 12, v2: 15 });
  expect((await readRun()).spent).toEqual({ v1: 12, v2: 15 });
  expect(before - (await spare(context))).toBe(12);
});

test("Where the requests of the run are used up, the run is paused and nothing is reserved", async () => {
  const before = await spare(context);
  expect(await reserveRequests(context, 101, perPair)).toEqual({ refused: "limit" });
  expect(await readRun()).toMatchObject({ state: "paused", spent: { v1: 0, v2: 0 } });
  expect((await readRun()).why).toContain("used up");
  expect(await spare(context)).toBe(before);
  expect(await reserveRequests(context, 1, perPair)).toEqual({ refused: "stopped" });
});

test("Where the watch needs the rest of the month, the run waits for the next one", async () => {
  context = await open({ limits: { v1: { rate: 10, requests: 1e9 }, v2: { rate: 10, requests: 1e9 } } });
  const before = await spare(context);
  expect(await reserveRequests(context, 1_000_000, perPair)).toEqual({ refused: "budget" });
  const run = await readRun();
  expect(run).toMatchObject({ state: "running", spent: { v1: 0, v2: 0 } });
  expect(run.why).toContain("this month's budget");
  expect(new Date(run.resumeAtMs ?? 0).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
  expect(await spare(context)).toBe(before);
});

test("A worker waits for the end of a short pause, and stops where the run ends or waits for longer than it lives", async () => {
  const pauses = watchPauses(context, Date.now() + hourMs);
  await pauses.waitWhilePaused();
  const untilMs = Date.now() + 150;
  await comparison.pauseUntil(context.run, untilMs, "V1 answered 429");
  pauses.forget();
  await pauses.waitWhilePaused();
  expect(Date.now()).toBeGreaterThanOrEqual(untilMs);
  expect(pauses.signal.aborted).toBe(false);
  await comparison.pauseUntil(context.run, Date.now() + 2 * hourMs, "V1 answered 429");
  pauses.forget();
  await pauses.waitWhilePaused();
  expect(pauses.signal.aborted).toBe(true);

  await comparison.setState(context.run, "cancelled");
  const later = watchPauses(context, Date.now() + hourMs);
  await later.waitWhilePaused();
  expect(later.signal.aborted).toBe(true);
});

test("A throttled request pauses the run and is sent again, counted, and not for ever", async () => {
  const pauses = watchPauses(context, Date.now() + hourMs);
  const throttled: FetchResult = { kind: "failed", why: "429", retryAfterMs: 100 };
  const answers: FetchResult[] = [throttled, { kind: "ok", body: {} }];
  const once = repeatThrottled(async () => answers.shift() ?? throttled, context, pauses);
  expect(await once.fetchBody("v1", "/")).toEqual({ kind: "ok", body: {} });
  expect(once.repeated).toEqual({ v1: 1, v2: 0 });
  expect(await readRun()).toMatchObject({ why: "V1 answered 429", spent: { v1: 1, v2: 0 } });

  const always = repeatThrottled(async () => throttled, context, pauses);
  expect(await always.fetchBody("v2", "/")).toEqual(throttled);
  expect(always.repeated).toEqual({ v1: 0, v2: 3 });
});

describe("a chunk of a run in memory", () => {
  const running: ComparisonRun = {
    ...settings,
    state: "running",
    spent: { v1: 0, v2: 0 },
    stalledRounds: 0,
    resumeAtMs: undefined,
    why: undefined,
    remaining: undefined,
    executionArn: undefined,
  };
  const [pauses, spent, released]: [{ untilMs: number; why: string }[], number[][], number[]] = [[], [], []];
  let [reads, writes, reserved] = [0, 0, 0];
  let run: ComparisonRun | undefined;

  /** A run whose requests may all be sent, and a budget that reserves what the test says. */
  function openInMemory(
    budgetOf: (wanted: number) => { requests: number; limitedBy?: LimitedBy },
    mayFail = true,
  ) {
    const shared: SharedRun = {
      read: async () => {
        reads++;
        return run;
      },
      setState: async () => {},
      pauseUntil: async (_run, untilMs, why) => void pauses.push({ untilMs, why }),
      spend: async (_run, v1, v2) => {
        spent.push([v1, v2]);
        return mayFail;
      },
      giveBack: async (_run, v1, v2) => void spent.push([-v1, -v2]),
    };
    const budget: WatchBudget = {
      reserve: async (wanted) => {
        reserved++;
        return { ...budgetOf(wanted), release: async (unused) => void released.push(unused) };
      },
      remaining: async () => ({ spare: 0, monthEndMs: 777 }),
    };
    const acquireWrite = async () => void writes++;
    return { shared, budget, run: running, acquireWrite };
  }
  const generous = (wanted: number) => ({ requests: wanted });
  const follow = (signal = new AbortController().signal): PauseWatch => ({
    signal,
    waitWhilePaused: async () => {},
    forget: () => {},
  });

  beforeEach(() => {
    for (const list of [pauses, spent, released]) list.length = 0;
    [reads, writes, reserved] = [0, 0, 0];
    run = running;
  });
  afterEach(() => void vi.restoreAllMocks());

  test("A chunk of a run in memory tries to write the probe state eight times, and then pauses the run for a minute", async () => {
    // The waits between the tries are as short as they can be.
    vi.spyOn(Math, "random").mockReturnValue(0);
    const startMs = Date.now();
    const inMemory = openInMemory(() => ({ requests: 0, limitedBy: "store" }));
    expect(await reserveRequests(inMemory, 10, perPair)).toEqual({ refused: "budget" });
    expect([writes, reserved]).toEqual([8, 8]);
    expect(released).toEqual([0]);
    expect(spent).toEqual([
      [40, 50],
      [-40, -50],
    ]);
    expect(pauses).toEqual([{ untilMs: expect.any(Number), why: "the probe state cannot be written" }]);
    expectIn(pauses[0]?.untilMs, startMs, 60_000);
  });

  test("A chunk of a run in memory reserves as soon as the probe state can be written", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const inMemory = openInMemory((wanted) =>
      reserved < 3 ? { requests: 0, limitedBy: "store" } : { requests: wanted },
    );
    expect((await reserveRequests(inMemory, 10, perPair)).refused).toBeUndefined();
    expect([writes, reserved, pauses.length]).toEqual([3, 3, 0]);
  });

  test("A chunk of a run in memory gives a part of its requests back, and waits for the end of the month", async () => {
    const inMemory = openInMemory(() => ({ requests: 8, limitedBy: "watch" }));
    expect(await reserveRequests(inMemory, 10, perPair)).toEqual({ refused: "budget" });
    expect([writes, reserved, released]).toEqual([1, 1, [8]]);
    expect(pauses).toEqual([{ untilMs: 777, why: "the rest of this month's budget is the watch's" }]);
  });

  test.each<[FetchResult, number | undefined]>([
    [{ kind: "failed", why: "429" }, 60_000],
    [{ kind: "failed", why: "429", retryAfterMs: 0 }, 0],
    [{ kind: "failed", why: "503", retryAfterMs: 5_000 }, 5_000],
    [{ kind: "failed", why: "503" }, undefined],
    [{ kind: "absent" }, undefined],
    [{ kind: "ok", body: 1 }, undefined],
  ])("A chunk of a run in memory that gets %o pauses the run for %s ms", async (first, pausedMs) => {
    const startMs = Date.now();
    const answers: FetchResult[] = [first, { kind: "ok", body: 2 }];
    const { fetchBody, repeated } = repeatThrottled(
      async () => answers.shift()!,
      openInMemory(generous),
      follow(),
    );
    const isRepeated = pausedMs !== undefined;
    expect(await fetchBody("v1", "/")).toEqual(isRepeated ? { kind: "ok", body: 2 } : first);
    expect(repeated).toEqual({ v1: isRepeated ? 1 : 0, v2: 0 });
    expect([spent, reserved]).toEqual(isRepeated ? [[[1, 0]], 1] : [[], 0]);
    expect(pauses).toHaveLength(isRepeated ? 1 : 0);
    if (first.kind === "failed" && isRepeated) {
      expect(pauses[0]?.why).toBe(`V1 answered ${first.why}`);
      expectIn(pauses[0]?.untilMs, startMs, pausedMs);
    }
  });

  test("A chunk of a run in memory repeats a request to V2 without the budget of the watch, and none that is not allowed", async () => {
    const throttled: FetchResult = { kind: "failed", why: "429" };
    const send = async () => throttled;
    const spentUp = repeatThrottled(send, openInMemory(generous, false), follow());
    expect(await spentUp.fetchBody("v1", "/")).toEqual(throttled);
    const withoutBudget = repeatThrottled(
      send,
      openInMemory(() => ({ requests: 0 })),
      follow(),
    );
    expect(await withoutBudget.fetchBody("v1", "/")).toEqual(throttled);
    expect([spentUp.repeated, withoutBudget.repeated]).toEqual([
      { v1: 0, v2: 0 },
      { v1: 0, v2: 0 },
    ]);
    reserved = 0;
    expect(await withoutBudget.fetchBody("v2", "/")).toEqual(throttled);
    expect(withoutBudget.repeated).toEqual({ v1: 0, v2: 3 });
    expect(spent.at(-1)).toEqual([0, 1]);
    expect(reserved).toBe(0);
    pauses.length = 0;
    const stopped = repeatThrottled(send, openInMemory(generous), follow(AbortSignal.abort()));
    expect(await stopped.fetchBody("v1", "/")).toEqual(throttled);
    expect(pauses).toEqual([]);
  });

  test("A chunk of a run in memory that could compare no passport pauses the run for ten minutes", async () => {
    const startMs = Date.now();
    await pauseUnanswered(openInMemory(generous), "v2 500");
    expect(pauses[0]?.why).toBe("no passport of a chunk could be compared: v2 500");
    expectIn(pauses[0]?.untilMs, startMs, 600_000);
  });

  test("A chunk of a run in memory reads the state of the run once in two seconds", async () => {
    const nowMs = Date.now();
    const now = vi.spyOn(Date, "now").mockReturnValue(nowMs);
    const watch = watchPauses(openInMemory(generous), nowMs + hourMs);
    for (const [laterMs, expected] of [
      [0, 1],
      [0, 1],
      [1_999, 1],
      [2_000, 2],
    ] as const) {
      now.mockReturnValue(nowMs + laterMs);
      await watch.waitWhilePaused();
      expect(reads).toBe(expected);
    }
    watch.forget();
    await watch.waitWhilePaused();
    expect(reads).toBe(3);
    expect(watch.signal.aborted).toBe(false);
  });

  test.each<[string, ComparisonRun | undefined]>([
    ["there is no run", undefined],
    ["another run was started", { ...running, run: "other" }],
    ["the run is paused", { ...running, state: "paused" }],
    ["the run is finished", { ...running, state: "finished" }],
  ])("A chunk of a run in memory ends where %s, and reads nothing after that", async (_title, changed) => {
    const watch = watchPauses(openInMemory(generous), Date.now() + hourMs);
    run = changed;
    await watch.waitWhilePaused();
    expect(watch.signal.aborted).toBe(true);
    watch.forget();
    await watch.waitWhilePaused();
    expect(reads).toBe(1);
  });

  test("A chunk of a run in memory ends when its time is up", async () => {
    const { signal } = watchPauses(openInMemory(generous), Date.now() - 1);
    if (!signal.aborted) await once(signal, "abort");
    expect(signal.aborted).toBe(true);
  });
});

/** An instant that is so much later than one between `fromMs` and now. */
function expectIn(instantMs: number | undefined, fromMs: number, laterMs: number) {
  expect(instantMs).toBeGreaterThanOrEqual(fromMs + laterMs);
  expect(instantMs).toBeLessThanOrEqual(Date.now() + laterMs);
}
