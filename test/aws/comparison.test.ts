// The run of a comparison and its shared counters, on dynalite.
import { beforeEach, expect, test } from "vitest";
import { type Comparison, openComparison } from "../../lib/aws/comparison.ts";
import { settings } from "./comparison-settings.ts";
import { startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();
let comparison: Comparison;
beforeEach(async () => {
  comparison = openComparison({
    tableName: await dynamo.createTable(),
    client: dynamo.client,
    bucket: "none",
  });
});

test("a run is started once, and another only after it has ended", async () => {
  expect(await comparison.read()).toBeUndefined();
  expect(await comparison.create(settings)).toBe(true);
  expect(await comparison.create({ ...settings, run: "other" })).toBe(false);
  expect(await comparison.read()).toMatchObject({ ...settings, state: "running", spent: { v1: 0, v2: 0 } });
  expect(await comparison.setState(settings, "paused", "by command")).toBe(true);
  expect(await comparison.create({ ...settings, run: "other" })).toBe(false);
  expect(await comparison.setState(settings, "cancelled")).toBe(true);
  expect(await comparison.setState(settings, "running")).toBe(false);
  expect(await comparison.create({ ...settings, run: "other" })).toBe(true);
  // A worker of the earlier run changes nothing any more.
  expect(await comparison.spend(settings, 1, 1)).toBe(false);
});

test("requests are spent within the limits of the run, and only while it runs", async () => {
  await comparison.create(settings);
  expect(await comparison.spend(settings, 600, 450)).toBe(true);
  expect(await comparison.spend(settings, 600, 10)).toBe(false);
  expect(await comparison.spend(settings, 10, 60)).toBe(false);
  await comparison.giveBack(settings, 100, 0);
  expect(await comparison.spend(settings, 500, 50)).toBe(true);
  expect((await comparison.read())?.spent).toEqual({ v1: 1_000, v2: 500 });
  await comparison.giveBack(settings, 1_000, 500);
  await comparison.setState(settings, "paused");
  expect(await comparison.spend(settings, 1, 1)).toBe(false);
});

test("a pause is only prolonged, and a run that is resumed waits for nothing", async () => {
  await comparison.create(settings);
  expect(await comparison.pauseUntil(settings, 5_000, "V1 answered 429")).toBe(true);
  expect(await comparison.pauseUntil(settings, 4_000, "V2 answered 429")).toBe(false);
  expect(await comparison.read()).toMatchObject({ resumeAtMs: 5_000, why: "V1 answered 429" });
  await comparison.setRound(settings, 2, 1);
  await comparison.setState(settings, "running");
  expect(await comparison.read()).toMatchObject({
    ...{ resumeAtMs: undefined, remaining: undefined, stalledRounds: 0, why: undefined },
  });
});

test("many workers take no more tokens of a counter than it has", async () => {
  const take = () => comparison.takeTokens("v1", { slice: 7, shard: 0, tokens: 3, quota: 20 });
  const taken = await Promise.all(Array.from({ length: 40 }, take));
  expect(taken.filter(Boolean)).toHaveLength(6);
  expect(await comparison.takeTokens("v1", { slice: 7, shard: 0, tokens: 1, quota: 20 })).toBe(true);
  expect(await comparison.takeTokens("v2", { slice: 7, shard: 0, tokens: 20, quota: 20 })).toBe(true);
});
