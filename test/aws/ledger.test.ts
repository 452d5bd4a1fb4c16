// The ledger on dynalite, also where responses are lost, an index lags behind and time has passed.
import { randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createLedger } from "../../lib/aws/ledger.ts";
import { openTable, readUnreadable } from "../../lib/aws/table.ts";
import { dayOf } from "../../lib/ports.ts";
import type { Decision } from "../../lib/records/incident.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { collect, dayMs, sampleObservation, startMs } from "../local/samples.ts";
import { assess, foldAll, readState } from "../local/small-assessment.ts";
import { describeLedger } from "../local/store/ledger-contract.ts";
import { type Between, type Fault, startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();
const firstDay = dayOf(new Date(startMs).toISOString());
const dayAfter = (days: number) => dayOf(new Date(startMs + days * dayMs).toISOString());

async function open(between?: Between, retentionDays = 400) {
  const client = between ? await dynamo.clientThrough(between) : dynamo.client;
  const options = { tableName: await dynamo.createTable(), retentionDays };
  const clock = { ms: startMs };
  return {
    clock,
    options: { ...options, client },
    ledger: createLedger({ ...options, client, nowMs: () => clock.ms }),
    /** Of another process, which reaches the server directly. */
    other: createLedger({ ...options, client: dynamo.client, nowMs: () => clock.ms }),
    /** Reaches the server directly. */
    table: openTable({ ...options, client: dynamo.client }),
  };
}

const piecesOf = async (table: ReturnType<typeof openTable>, day: string) => {
  const names = new Set<string>();
  const query = {
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": `checkpoint#${day}` },
  };
  for await (const { sk } of table.query(query)) names.add(String(sk));
  return names.size;
};

describeLedger("DynamoDB", async () => (await open()).ledger, { appends: 60, runs: 2 });

describe("a response of DynamoDB that is lost", () => {
  /** Within the request's own retries: the second attempt meets the effect of the first. */
  async function openWithLostAnswer() {
    const faults: Fault[] = [];
    return { faults, ...(await open({ fault: () => faults.shift() })) };
  }

  test("A response of DynamoDB that is lost does not make the probe state conflict with itself", async () => {
    const { faults, ledger } = await openWithLostAnswer();
    for (const version of [0, 1]) {
      faults.push("after");
      expect(await ledger.writeProbeState(emptyProbeState, version)).toEqual({ kind: "written" });
    }
    expect((await ledger.readProbeState())?.version).toBe(2);
    expect(faults).toEqual([]);
  });

  test("A response of DynamoDB that is lost does not make an assessment conflict with itself", async () => {
    const { faults, ledger } = await openWithLostAnswer();
    await ledger.append(sampleObservation(0));
    const { version, unassessed } = await ledger.backlog();
    // One write of a checkpoint, one read of the head, then the commit itself.
    faults.push(undefined, undefined, "after");
    const checkpoints = [{ day: "2026-11-02", state: 1 }];
    expect(await ledger.commit({ version, folded: unassessed, checkpoints })).toBe(true);
    expect(faults).toEqual([]);
    expect((await ledger.checkpointAt("2026-11-02"))?.state).toBe(1);
    expect((await ledger.backlog()).unassessed).toEqual([]);
  });

  test("A response of DynamoDB that is lost does not remove the checkpoints of a commit on which another assessment has built", async () => {
    const commits: (() => Promise<Fault>)[] = [];
    const { ledger, table, other } = await open({
      fault: ({ body }) => (body.Item?.sk?.S === "head" ? commits.shift()?.() : undefined),
    });
    commits.push(
      async () => "after",
      // The request's own retry comes after the other assessment.
      async () => {
        expect(await other.commit({ ...(await other.backlog()), folded: [], checkpoints: [] })).toBe(true);
        return undefined;
      },
    );
    const checkpoints = [{ day: "2026-11-02", state: 1 }];
    expect(await ledger.commit({ version: 0, folded: [], checkpoints })).toBe(false);
    expect(commits).toEqual([]);
    expect((await other.checkpointAt("2026-11-02"))?.state).toBe(1);
    // A commit that lost the race leaves nothing.
    expect(await ledger.commit({ version: 0, folded: [], checkpoints })).toBe(false);
    expect(await piecesOf(table, "2026-11-02")).toBe(1);
  });

  test("A response of DynamoDB that is lost makes an append known or new, never failed or stored twice", async () => {
    const { faults, ledger } = await openWithLostAnswer();
    faults.push("after");
    expect(["new", "known"]).toContain((await ledger.append(sampleObservation(0))).kind);
    expect((await ledger.backlog()).unassessed).toHaveLength(1);
  });
});

describe("the checkpoints in DynamoDB", () => {
  const commit = async (
    ledger: ReturnType<typeof createLedger>,
    checkpoints: { day: string; state: unknown }[],
    version?: number,
  ) => ledger.commit({ version: version ?? (await ledger.backlog()).version, folded: [], checkpoints });

  test("The checkpoints in DynamoDB are deleted when they are replaced or were not committed, and the others are kept", async () => {
    const { ledger, table } = await open();
    const [one, two] = [dayAfter(1), dayAfter(2)];
    await commit(ledger, [
      { day: one, state: 1 },
      { day: two, state: 2 },
    ]);
    expect(await commit(ledger, [{ day: two, state: 3 }])).toBe(true);
    expect([await piecesOf(table, one), await piecesOf(table, two)]).toEqual([1, 1]);
    expect(await commit(ledger, [{ day: one, state: 4 }], 1)).toBe(false);
    expect([await piecesOf(table, one), await piecesOf(table, two)]).toEqual([1, 1]);
    expect([await ledger.checkpointAt(one), await ledger.checkpointAt(two)]).toEqual([
      { day: one, state: 1 },
      { day: two, state: 3 },
    ]);
  });

  test("The checkpoints in DynamoDB count although the deletion of those that they replace fails", async () => {
    const answer: Between["answer"] = ({ target }, status, body) =>
      target.endsWith(".DeleteItem") ? { status: 400, body: '{"__type":"AccessDenied"}' } : { status, body };
    const { ledger } = await open({ answer });
    for (const state of [1, 2]) expect(await commit(ledger, [{ day: firstDay, state }])).toBe(true);
    expect((await ledger.checkpointAt(firstDay))?.state).toBe(2);
  });

  test("The checkpoints in DynamoDB are read again while another assessment replaces them, four times at most", async () => {
    let missing = 0;
    let reads = 0;
    const { ledger } = await open({
      answer({ target }, status, body) {
        if (!target.endsWith(".Query") || !body.includes("checkpoint#")) return { status, body };
        reads += 1;
        missing -= 1;
        const { Items, ...rest } = JSON.parse(body) as { Items: unknown[] };
        // The pieces are deleted one after the other.
        const left = missing < 0 ? Items : Items.slice(0, missing % 2);
        return { status, body: JSON.stringify({ ...rest, Items: left }) };
      },
    });
    // Two pieces.
    const noise = randomBytes(400_000).toString("base64");
    await commit(ledger, [{ day: firstDay, state: noise }]);
    missing = 3;
    reads = 0;
    expect(await ledger.checkpointAt(firstDay)).toEqual({ day: firstDay, state: noise });
    expect(reads).toBe(4);
    missing = 4;
    expect(await ledger.checkpointAt(firstDay)).toBeUndefined();
  });

  test("The checkpoints in DynamoDB are kept for 35 days, and the newest for ever", async () => {
    const { clock, ledger } = await open();
    const days = [0, 1, 35].map(dayAfter);
    const find = async () =>
      Promise.all([0, 1, 400].map(async (days) => (await ledger.checkpointAt(dayAfter(days)))?.day));
    clock.ms = startMs + 35 * dayMs;
    await commit(
      ledger,
      days.map((day) => ({ day, state: day })),
    );
    expect(await find()).toEqual(days);
    clock.ms += dayMs;
    await commit(ledger, []);
    expect(await find()).toEqual([undefined, dayAfter(1), dayAfter(35)]);
    clock.ms += 300 * dayMs;
    await commit(ledger, []);
    expect(await find()).toEqual([undefined, undefined, dayAfter(35)]);
  });
});

test("Everything that is not read through an index is read consistently", async () => {
  const inconsistent: string[] = [];
  const { ledger } = await open({
    answer({ target, body: question }, status, body) {
      const isRead = /\.(?:GetItem|Query)$/.test(target) && question.IndexName === undefined;
      if (isRead && !question.ConsistentRead) inconsistent.push(JSON.stringify(question));
      return { status, body };
    },
  });
  await ledger.append(sampleObservation(0));
  await assess(ledger);
  await ledger.checkpointAt(firstDay);
  await ledger.readProbeState();
  expect(await ledger.decisions()).toEqual([]);
  expect(inconsistent).toEqual([]);
});

describe("an observation in DynamoDB", () => {
  test("An observation in DynamoDB is delayed and never lost while its index lags behind", async () => {
    let isLagging = true;
    const { ledger } = await open({
      answer(question, status, body) {
        if (!isLagging || question.body.IndexName !== "by-time") return { status, body };
        const { Items, ...rest } = JSON.parse(body) as { Items: unknown[] };
        return { status, body: JSON.stringify({ ...rest, Items: Items.slice(0, -1) }) };
      },
    });
    const samples = [0, 3, 6].map((number) => sampleObservation(number));
    for (const sample of samples) await ledger.append(sample);
    expect(await assess(ledger)).toBe(true);
    expect((await ledger.backlog()).unassessed.map(({ id }) => id)).toEqual([samples[2]?.id]);
    isLagging = false;
    expect(await assess(ledger)).toBe(true);
    expect((await ledger.backlog()).unassessed).toEqual([]);
    expect(await readState(ledger)).toEqual(foldAll(samples));
  });

  test.each([
    [400, 35],
    [30, 30],
  ])(
    "An observation in DynamoDB that is kept for %i days is refused when it comes more than %i days late",
    async (retention, lateDays) => {
      const { clock, ledger } = await open(undefined, retention);
      clock.ms = startMs + lateDays * dayMs + 1;
      expect(await ledger.append(sampleObservation(0))).toEqual({ kind: "too-old" });
      clock.ms = startMs + lateDays * dayMs;
      expect(await ledger.append(sampleObservation(0))).toEqual({ kind: "new" });
    },
  );

  test("An observation in DynamoDB expires two days after its retention, and does not come back when it is assessed after that", async () => {
    const { ledger, table } = await open();
    const sample = sampleObservation(0);
    const key = { pk: `observation#${sample.id}`, sk: "observation" };
    await ledger.append(sample);
    expect((await table.get(key))?.expiresAt).toBe(startMs / 1_000 + 402 * 86_400);
    const { version, unassessed } = await ledger.backlog();
    expect(unassessed).toEqual([{ id: sample.id, at: sample.at }]);
    await table.remove(key);
    expect(await ledger.commit({ version, folded: unassessed, checkpoints: [] })).toBe(true);
    expect(await table.get(key)).toBeUndefined();
  });

  test("An observation in DynamoDB is not stored, with the error's name and without an exception, where there is no table", async () => {
    const ledger = createLedger({ tableName: "absent", retentionDays: 400, client: dynamo.client });
    const failed = { kind: "failed", why: "ResourceNotFoundException" };
    const now = { at: new Date().toISOString() };
    expect(await ledger.append(sampleObservation(0, now))).toEqual(failed);
    expect(await ledger.writeProbeState(emptyProbeState, 0)).toEqual(failed);
    await expect(ledger.backlog()).rejects.toThrow();
  });
});

test("A check of the subscriptions that arrives late does not replace a later one", async () => {
  const { ledger } = await open();
  const early = { at: "2026-11-02T08:00:00.000Z", expected: 1, confirmed: 0, unconfirmed: ["email"] };
  const late = { at: "2026-11-02T09:00:00.000Z", expected: 1, confirmed: 1, unconfirmed: [] };
  for (const status of [early, late, early]) await ledger.saveSubscriptionStatus(status);
  expect(await ledger.subscriptionStatus()).toEqual(late);
});

test("Items that cannot be read are set aside and counted, and the others are read and assessed", async () => {
  const { ledger, table, options } = await open();
  const samples = Array.from({ length: 8 }, (_, number) => sampleObservation(number));
  for (const sample of samples) await ledger.append(sample);
  const compress = (value: unknown) => deflateRawSync(JSON.stringify(value));
  const bodies = [
    null,
    new Uint8Array([1, 2, 3]),
    deflateRawSync('{"schema":'),
    compress({}),
    compress(samples[7]),
    compress({ ...samples[5], outcome: { kind: "fine" } }),
  ];
  for (const [number, body] of bodies.entries()) {
    const item = await table.get({ pk: `observation#${samples[number]?.id}`, sk: "observation" });
    await table.put({ ...item, body });
  }
  const decide = (minute: number): Decision => ({
    schema: "v1watch/decision/1",
    kind: "ack",
    subject: "down",
    reason: "known",
    at: new Date(startMs + minute * 60_000).toISOString(),
  });
  for (const minute of [0, 1]) await ledger.decide(decide(minute));
  await table.put({ pk: "decision", sk: "000000000000001#ack#down", body: "{" });
  const { version } = await ledger.backlog();
  const checkpoints = [
    { day: firstDay, state: "first" },
    { day: dayAfter(1), state: "second" },
  ];
  expect(await ledger.commit({ version, folded: [], checkpoints })).toBe(true);
  for await (const item of table.query({
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": `checkpoint#${dayAfter(1)}` },
  }))
    await table.put({ ...item, bytes: new Uint8Array([1, 2, 3]) });

  for (let run = 0; run < 2; run += 1)
    expect(await collect(ledger.observations(0, 1e15))).toEqual(samples.slice(6));
  expect((await ledger.backlog()).unassessed.map(({ id }) => id)).toEqual(
    samples.slice(6).map(({ id }) => id),
  );
  expect(await ledger.decisions()).toEqual([decide(0), decide(1)]);
  expect(await ledger.checkpointAt(dayAfter(1))).toEqual({ day: firstDay, state: "first" });
  expect(await readUnreadable(options)).toEqual({
    count: 7,
    byTable: { observation: 6, decision: 1 },
    latestMs: expect.any(Number),
  });
});
