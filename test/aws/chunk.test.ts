// A chunk among many workers: what it reserves, how it waits and how it is throttled, with the run in dynalite.
import { beforeEach, expect, test } from "vitest";
import { type Comparison, openComparison } from "../../lib/aws/comparison.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { type ChunkContext, repeatThrottled, reserveRequests, watchPauses } from "../../lib/parity/chunk.ts";
import type { FetchResult } from "../../lib/parity/request.ts";
import { createSharedBudget } from "../../lib/probe/schedule/shared-budget.ts";
import { configure } from "../stack/configuration.ts";
import { settings } from "./comparison-settings.ts";
import { startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();
const perPair = { v1: 4, v2: 5 };
const hourMs = 3_600_000;
let comparison: Comparison;

async function open(change: object = {}, config: object = {}): Promise<ChunkContext> {
  const table = { tableName: await dynamo.createTable(), client: dynamo.client, retentionDays: 1 };
  comparison = openComparison({ ...table, bucket: "none" });
  await comparison.create({ ...settings, ...change });
  const budget = createSharedBudget({
    ...{ ledger: createLedger(table), config: configure(config), nowMs: Date.now, rate: 10 },
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

test("a chunk reserves its requests in the run and in the budget, and gives back what it did not send", async () => {
  const before = await spare(context);
  const reservation = await reserveRequests(context, 10, perPair);
  expect((await readRun()).spent).toEqual({ v1: 40, v2: 50 });
  expect(before - (await spare(context))).toBe(40);
  if (reservation.refused !== undefined) throw new Error(reservation.refused);
  await reservation.release({ v1: 12, v2: 15 });
  expect((await readRun()).spent).toEqual({ v1: 12, v2: 15 });
  expect(before - (await spare(context))).toBe(12);
});

test("where the requests of the run are used up, the run is paused and nothing is reserved", async () => {
  const before = await spare(context);
  expect(await reserveRequests(context, 101, perPair)).toEqual({ refused: "limit" });
  expect(await readRun()).toMatchObject({ state: "paused", spent: { v1: 0, v2: 0 } });
  expect((await readRun()).why).toContain("used up");
  expect(await spare(context)).toBe(before);
  expect(await reserveRequests(context, 1, perPair)).toEqual({ refused: "stopped" });
});

test("where the watch needs the rest of the month, the run waits for the next one", async () => {
  context = await open({ limits: { v1: { rate: 10, requests: 1e9 }, v2: { rate: 10, requests: 1e9 } } });
  const before = await spare(context);
  expect(await reserveRequests(context, 1_000_000, perPair)).toEqual({ refused: "budget" });
  const run = await readRun();
  expect(run).toMatchObject({ state: "running", spent: { v1: 0, v2: 0 } });
  expect(run.why).toContain("this month's budget");
  expect(new Date(run.resumeAtMs ?? 0).toISOString()).toMatch(/-01T00:00:00\.000Z$/);
  expect(await spare(context)).toBe(before);
});

test("a worker waits for the end of a short pause, and stops where the run ends or waits for longer than it lives", async () => {
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

test("a throttled request pauses the run and is sent again, counted, and not for ever", async () => {
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
