// The run of a comparison and its shared counters on dynalite, its objects on fauxqs, and the calls of the state machine.
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type Comparison,
  chunkName,
  hasEnded,
  openComparison,
  openStateMachine,
  putChunks,
} from "../../lib/aws/comparison.ts";
import { createS3, getObject, putObject } from "../../lib/aws/reports.ts";
import { openTable } from "../../lib/aws/table.ts";
import { comparisonStates, emptyParity, type ParityState } from "../../lib/records/parity.ts";
import { type Answer, type Asked, refusal, startAccount } from "./account-server.ts";
import { settings } from "./comparison-settings.ts";
import { startDynamo } from "./dynamo-server.ts";
import { startQueues } from "./queue-server.ts";

const dynamo = await startDynamo();
const queues = await startQueues();
let play: (asked: Asked) => Answer;
const bodies: string[] = [];
const { asked, endpoint } = await startAccount((one, body) => {
  bodies.push(body);
  return play(one);
});
const bucket = "comparison-bucket";
let comparison: Comparison;
let tableName: string;
beforeEach(async () => {
  tableName = await dynamo.createTable();
  comparison = openComparison({ tableName, client: dynamo.client, bucket });
});
afterAll(() => void vi.unstubAllEnvs());

function useEndpoint(address: string) {
  vi.stubEnv("AWS_ENDPOINT_URL", address);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  vi.stubEnv("AWS_REGION", "eu-west-1");
}

test("A run is started once, and another only after it has ended", async () => {
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

test("Requests are spent within the limits of the run, and only while it runs", async () => {
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

test("A pause is only prolonged, and a run that is resumed waits for nothing", async () => {
  await comparison.create(settings);
  expect(await comparison.pauseUntil(settings, 5_000, "V1 answered 429")).toBe(true);
  expect(await comparison.pauseUntil(settings, 4_000, "V2 answered 429")).toBe(false);
  expect(await comparison.read()).toMatchObject({ resumeAtMs: 5_000, why: "V1 answered 429" });
  await comparison.setRound(settings, 2, 1);
  await comparison.setState(settings, "running");
  expect(await comparison.read()).toMatchObject({
    resumeAtMs: undefined,
    remaining: undefined,
    stalledRounds: 0,
    why: undefined,
  });
});

test("Many workers take no more tokens of a counter than it has", async () => {
  const take = () => comparison.takeTokens("v1", { slice: 7, shard: 0, tokens: 3, quota: 20 });
  const taken = await Promise.all(Array.from({ length: 40 }, take));
  expect(taken.filter(Boolean)).toHaveLength(6);
  expect(await comparison.takeTokens("v1", { slice: 7, shard: 0, tokens: 1, quota: 20 })).toBe(true);
  expect(await comparison.takeTokens("v2", { slice: 7, shard: 0, tokens: 20, quota: 20 })).toBe(true);
});

test("A counter belongs to its slice and its shard, and expires an hour later", async () => {
  const full = { slice: 7, shard: 0, tokens: 20, quota: 20 };
  const before = Date.now();
  expect(await comparison.takeTokens("v1", full)).toBe(true);
  expect(await comparison.takeTokens("v1", full)).toBe(false);
  for (const other of [{ slice: 8 }, { shard: 1 }])
    expect(await comparison.takeTokens("v1", { ...full, ...other })).toBe(true);
  const table = openTable({ tableName, client: dynamo.client });
  const seconds = Number((await table.get({ pk: "lease#v1#7#0", sk: "lease" }))?.expiresAt);
  expect(seconds).toBeGreaterThanOrEqual(before / 1_000 + 3_600);
  expect(seconds).toBeLessThanOrEqual(Date.now() / 1_000 + 3_601);
});

test("A run keeps its execution, its rounds and the cause of its pause", async () => {
  await comparison.create(settings);
  expect(await comparison.read()).toEqual({
    ...settings,
    state: "running",
    spent: { v1: 0, v2: 0 },
    stalledRounds: 0,
    resumeAtMs: undefined,
    why: undefined,
    remaining: undefined,
    executionArn: undefined,
  });
  await comparison.setExecution(settings, "arn:execution");
  await comparison.setRound(settings, 0, 2);
  await comparison.pauseUntil(settings, 5_000.2, "V1 answered 429");
  await comparison.setState(settings, "paused", "by command");
  expect(await comparison.read()).toEqual({
    ...settings,
    state: "paused",
    spent: { v1: 0, v2: 0 },
    stalledRounds: 2,
    resumeAtMs: 5_001,
    why: "by command",
    remaining: 0,
    executionArn: "arn:execution",
  });
  const other = { run: "other" };
  expect(await comparison.setExecution(other, "arn:other")).toBe(false);
  expect(await comparison.setRound(other, 9, 9)).toBe(false);
  expect(await comparison.pauseUntil(other, 9_000, "")).toBe(false);
  expect(await comparison.setState(other, "running")).toBe(false);
  expect(await comparison.giveBack(other, 9, 9)).toBe(false);
  expect(await comparison.read()).toMatchObject({ remaining: 0, spent: { v1: 0, v2: 0 } });
});

test("A run has ended when it is finished or cancelled", () => {
  expect(comparisonStates.filter((state) => hasEnded({ state }))).toEqual(["finished", "cancelled"]);
});

describe("the objects of a comparison", () => {
  const other = { run: "other" };
  let stored: Comparison;
  beforeAll(async () => {
    useEndpoint(queues.endpoint);
    await createS3().send(new CreateBucketCommand({ Bucket: bucket }));
    stored = openComparison({ tableName: "none", bucket });
  });

  test("The objects of a comparison are chunks and V2's schema, which are deleted together, and results, which stay", async () => {
    const chunks = Array.from({ length: 3 }, (_, number) => [`id-${number}`, "other"]);
    expect(await putChunks(stored, settings, chunks)).toBe(3);
    await stored.putChunk(other, "000000", ["id-of-another-run"]);
    await stored.putV2Schema(settings, '{"openapi":"3.1.0"}');
    for (const [number, ids] of chunks.entries())
      expect(await stored.readChunk(settings, chunkName(number))).toEqual(ids);
    expect(await stored.readV2Schema(settings)).toEqual({ openapi: "3.1.0" });
    const result = { ...emptyParity(), pairs: 3 };
    expect(await stored.readResult(settings, "000001")).toBeUndefined();
    await stored.putResult(settings, "000001", result);
    expect(await stored.readResult(settings, "000001")).toEqual(result);

    await stored.removeChunks(settings);
    await expect(stored.readChunk(settings, "000002")).rejects.toThrow("chunk 000002 does not exist");
    await expect(stored.readV2Schema(settings)).rejects.toThrow("V2's schema does not exist");
    await stored.removeChunks(settings);
    expect(await stored.listResults(settings)).toEqual(new Set(["000001"]));
    expect(await stored.listResults(other)).toEqual(new Set());
    expect(await stored.readChunk(other, "000000")).toEqual(["id-of-another-run"]);
  });

  test("The objects of a comparison are an index of the chunks for the state machine", async () => {
    const key = await stored.putIndex(settings, ["000000", "000004"]);
    expect(key).toBe(`comparisons/${settings.run}/index.json`);
    expect(JSON.parse((await getObject(createS3(), bucket, key)) ?? "")).toEqual([
      { run: settings.run, chunk: "000000" },
      { run: settings.run, chunk: "000004" },
    ]);
  });

  test("The objects of a comparison are the latest result, which is unknown where it is missing or of another schema", async () => {
    expect(await stored.readLatest()).toBeUndefined();
    const state: ParityState = {
      schema: "v1watch/parity-state/2",
      startedAt: settings.startedAt,
      at: settings.startedAt,
      compared: settings.compared,
      cohort: { ids: 3, check: "beef" },
      done: [[0, 3]],
      aggregate: emptyParity(),
    };
    await stored.putLatest(state);
    expect(await stored.readLatest()).toEqual(state);
    await putObject(createS3(), bucket, {
      key: "comparisons/latest.json",
      body: '{"schema":"v1watch/parity-state/9"}',
    });
    expect(await stored.readLatest()).toBeUndefined();
  });

  test("A stored result of a comparison that is not valid counts as no result", async () => {
    await putObject(createS3(), bucket, {
      key: `comparisons/${settings.run}/results/000009.json`,
      body: "{}",
    });
    await expect(stored.readResult(settings, "000009")).rejects.toThrow("schema");
  });
});

describe("the calls of a comparison", () => {
  const ok = (body: string) => ({ status: 200, body });
  beforeEach(() => {
    asked.length = 0;
    bodies.length = 0;
    useEndpoint(endpoint);
    comparison = openComparison({ tableName, bucket });
  });

  test("The calls of a comparison put the chunks in groups of 64, so that few are held in memory", async () => {
    play = () => ok("");
    const counts: number[] = [];
    function* chunks() {
      for (let number = 0; number < 130; number += 1) {
        counts.push(asked.length);
        yield [`id-${number}`];
      }
    }
    expect(await putChunks(comparison, settings, chunks())).toBe(130);
    expect([63, 64, 127, 128].map((number) => counts[number])).toEqual([0, 64, 64, 128]);
    expect(asked.at(-1)?.what).toContain(`/comparisons/${settings.run}/chunks/000129.json`);
  });

  test("The calls of a comparison delete at most 1,000 chunks at once, from every page of the list", async () => {
    const key = (number: number) => `comparisons/${settings.run}/chunks/${chunkName(number)}.json`;
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `<Contents><Key>${key(from + index)}</Key></Contents>`);
    const pages = [
      [...page(0, 999), "<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>"],
      page(999, 2),
    ];
    play = ({ what }) =>
      what.startsWith("POST")
        ? ok("<DeleteResult></DeleteResult>")
        : ok(`<ListBucketResult>${pages.shift()?.join("")}</ListBucketResult>`);
    await comparison.removeChunks(settings);
    const deleted = bodies
      .filter((body) => body.includes("<Delete"))
      .map((body) => [...body.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, found]) => found));
    expect(deleted.map(({ length }) => length)).toEqual([1_000, 1]);
    expect(deleted.flat()).toEqual(Array.from({ length: 1_001 }, (_, number) => key(number)));
  });

  test("The calls of a comparison delete nothing where there are no chunks, and fail where S3 keeps one", async () => {
    let contents = "";
    play = ({ what }) =>
      what.startsWith("POST")
        ? ok("<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code></Error></DeleteResult>")
        : ok(`<ListBucketResult>${contents}</ListBucketResult>`);
    await comparison.removeChunks(settings);
    expect(asked).toHaveLength(1);
    contents = "<Contents><Key>a</Key></Contents>";
    await expect(comparison.removeChunks(settings)).rejects.toThrow(
      "the ids of a chunk cannot be deleted: AccessDenied",
    );
  });

  test("The calls of a comparison are repeated when they fail, except the one that gives requests back", async () => {
    play = (one) => ({ ...refusal(one, "InternalServerError"), status: 500 });
    await expect(comparison.setExecution(settings, "arn")).rejects.toThrow();
    expect(asked).toHaveLength(3);
    asked.length = 0;
    expect(await comparison.giveBack(settings, 1, 1)).toBe(false);
    expect(asked).toHaveLength(1);
  });

  test("The calls of a comparison start, stop and follow an execution of the state machine in its own region", async () => {
    const arn = "arn:aws:states:eu-central-1:123456789012:stateMachine:compare";
    const machine = openStateMachine(arn);
    play = () => ok(JSON.stringify({ executionArn: "arn:execution", status: "SUCCEEDED" }));
    expect(await machine.start(settings)).toBe("arn:execution");
    await machine.stop("arn:execution");
    expect(await machine.status("arn:execution")).toBe("SUCCEEDED");
    expect(asked.map(({ region, what }) => `${region} ${what.split(".").at(-1)}`)).toEqual([
      "eu-central-1 StartExecution",
      "eu-central-1 StopExecution",
      "eu-central-1 DescribeExecution",
    ]);
    const [start, stop, describe] = bodies.map((body) => JSON.parse(body));
    expect(start).toEqual({
      stateMachineArn: arn,
      name: expect.stringMatching(new RegExp(`^${settings.run}-[0-9a-z]{8,}$`)),
      input: JSON.stringify({ run: settings.run }),
    });
    expect([stop, describe]).toEqual([{ executionArn: "arn:execution" }, { executionArn: "arn:execution" }]);
    play = () => ok("{}");
    expect([await machine.start(settings), await machine.status("arn:execution")]).toEqual(["", ""]);
  });
});
