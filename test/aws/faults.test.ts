import { describe, expect, test } from "vitest";
import { createLedger } from "../../lib/aws/ledger.ts";
import { createOutbox } from "../../lib/aws/outbox.ts";
import { createSnsReceiver } from "../../lib/aws/sns.ts";
import { deliverPending } from "../../lib/delivery/outbox.ts";
import type { OutboxMessage } from "../../lib/ports.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { acceptMetrics, markDelivered, pendingIn } from "../local/receivers.ts";
import { collect, minuteMs, sampleAlert, sampleObservation, startMs } from "../local/samples.ts";
import { assess, foldAll, readState } from "../local/small-assessment.ts";
import { type Fault, startDynamo } from "./dynamo-server.ts";
import { readAlert, startQueues } from "./queue-server.ts";

const dynamo = await startDynamo();
const { sns, topicArn, subscribe } = await startQueues();

/** A seeded stream of numbers in [0, 1), so that a red run can be run again. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Stack = { add(middleware: never, options: never): void };

/** Calls of an SDK's client fail before they reach the server, or after it has done what was asked. */
function breakCalls(client: { middlewareStack: unknown }, next: () => Fault): void {
  const fail = () => Object.assign(new Error("broken on purpose"), { name: "TimeoutError" });
  const middleware = (send: (args: object) => Promise<unknown>) => async (args: object) => {
    const fault = next();
    if (fault === "before") throw fail();
    const answer = await send(args);
    if (fault === "after") throw fail();
    return answer;
  };
  (client.middlewareStack as Stack).add(
    middleware as never,
    { step: "initialize", priority: "low" } as never,
  );
}

const breaks = (number: number) => number % 20 === 7;
const eventAlert = ({ at, endpoint }: Observation) =>
  sampleAlert(0, { id: `down-${endpoint}-${at.replace(/[-:.]/g, "")}/1-opened`, at, endpoints: [endpoint] });

describe("three hours in which every AWS call may fail before or after its effect", () => {
  test("lose nothing, and every event arrives under one alert id", async () => {
    const receive = await subscribe("pages", { severity: ["page"] });
    const random = chance(4);
    let isHealthy = false;
    const fault = (): Fault => {
      const number = random();
      if (isHealthy || number > 0.35) return undefined;
      return number > 0.15 ? "before" : "after";
    };
    const client = await dynamo.clientThrough({ fault }, 1);
    breakCalls(sns, fault);
    let clockMs = startMs;
    const nowMs = () => clockMs;
    const options = { tableName: await dynamo.createTable(), retentionDays: 400, client };
    const ledger = createLedger({ ...options, nowMs });
    const outbox = createOutbox(options);
    const receivers = [
      createSnsReceiver({ topicArn, client: sns }),
      acceptMetrics(undefined, () => fault() !== undefined),
    ];

    const observed: Observation[] = [];
    let unkept: Observation[] = [];
    let refused = 0;

    async function tick(): Promise<void> {
      const deferred: Observation[] = [];
      for (const observation of unkept) {
        const { kind } = await ledger.append(observation);
        if (kind === "failed") deferred.push(observation);
      }
      refused += deferred.length;
      unkept = deferred;
      if (clockMs % (2 * minuteMs) === 0 || isHealthy) await judge().catch(() => {});
      await deliverPending(outbox, receivers, nowMs);
    }

    /** Alerts go into the outbox before the commit: what comes after it would be lost with a crash. */
    async function judge(): Promise<void> {
      const { unassessed } = await ledger.backlog();
      const first = unassessed[0];
      if (!first) return;
      const messages: OutboxMessage[] = [];
      for await (const observation of ledger.observations(Date.parse(first.at), clockMs + minuteMs)) {
        if (observation.outcome.status !== 503) continue;
        const alert = eventAlert(observation);
        messages.push({ id: alert.id, kind: "alert", alert });
      }
      if ((await outbox.put(messages)).kind !== "kept") return;
      await assess(ledger);
    }

    for (let minute = 0; minute < 180; minute += 1) {
      clockMs = startMs + minute * minuteMs;
      const at = new Date(clockMs).toISOString();
      const fresh = [0, 1, 2].map((place) => {
        const outcome = breaks(minute * 3 + place)
          ? { kind: "status" as const, status: 503 }
          : { kind: "ok" as const, status: 200 };
        const sample = sampleObservation(place);
        return { ...sample, id: `${sample.endpoint}/authenticated/${at}`, at, outcome };
      });
      observed.push(...fresh);
      unkept.push(...fresh);
      await tick();
    }
    expect(refused).toBeGreaterThan(50);
    isHealthy = true;
    for (let round = 0; round < 3; round += 1) {
      clockMs += 15 * minuteMs;
      await tick();
    }

    expect(unkept).toEqual([]);
    expect(await collect(ledger.observations(0, clockMs + minuteMs))).toHaveLength(540);
    expect((await ledger.backlog()).unassessed).toEqual([]);
    expect(await readState(ledger)).toEqual(foldAll(observed));
    expect(await pendingIn(outbox, "alert", 100)).toEqual([]);
    const arrived = (await receive()).map(({ Body }) => readAlert(Body).id);
    const events = observed
      .filter(({ outcome }) => outcome.status === 503)
      .map((each) => eventAlert(each).id);
    expect(events).toHaveLength(27);
    expect([...new Set(arrived)].toSorted()).toEqual(events.toSorted());
    // The faults did their work: at least once is not exactly once.
    expect(arrived.length).toBeGreaterThan(events.length);
  });
});

describe("a response of DynamoDB that is lost", () => {
  /** Within the request's own retries: the second attempt meets the effect of the first. */
  async function openWithLostAnswer() {
    const faults: Fault[] = [];
    const client = await dynamo.clientThrough({ fault: () => faults.shift() });
    const options = { tableName: await dynamo.createTable(), retentionDays: 400, client };
    return {
      faults,
      ledger: createLedger({ ...options, nowMs: () => startMs }),
      outbox: createOutbox(options),
    };
  }

  test("does not make the probe state conflict with itself", async () => {
    const { faults, ledger } = await openWithLostAnswer();
    for (const version of [0, 1]) {
      faults.push("after");
      expect(await ledger.writeProbeState(emptyProbeState, version)).toEqual({ kind: "written" });
    }
    expect((await ledger.readProbeState())?.version).toBe(2);
    expect(faults).toEqual([]);
  });

  test("does not make an assessment conflict with itself", async () => {
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

  test("makes an append known or new, never failed or stored twice", async () => {
    const { faults, ledger, outbox } = await openWithLostAnswer();
    faults.push("after");
    expect(["new", "known"]).toContain((await ledger.append(sampleObservation(0))).kind);
    expect((await ledger.backlog()).unassessed).toHaveLength(1);
    const alert = sampleAlert(1);
    faults.push("after");
    expect(await outbox.put([{ id: alert.id, kind: "alert", alert }])).toEqual({ kind: "kept" });
    faults.push("after");
    await markDelivered(outbox, { id: alert.id, kind: "alert", alert });
    expect(await pendingIn(outbox, "alert", 10)).toEqual([]);
  });
});

describe("the DynamoDB table", () => {
  test("delays an observation and never loses it while its index lags behind", async () => {
    let isLagging = true;
    const client = await dynamo.clientThrough({
      answer(question, status, body) {
        if (!isLagging || question.body.IndexName !== "by-time") return { status, body };
        const { Items, ...rest } = JSON.parse(body) as { Items: unknown[] };
        return { status, body: JSON.stringify({ ...rest, Items: Items.slice(0, -1) }) };
      },
    });
    const options = { tableName: await dynamo.createTable(), retentionDays: 400, client };
    const ledger = createLedger({ ...options, nowMs: () => startMs });
    const samples = [0, 3, 6].map((number) => sampleObservation(number));
    for (const sample of samples) await ledger.append(sample);
    expect(await assess(ledger)).toBe(true);
    expect((await ledger.backlog()).unassessed.map(({ id }) => id)).toEqual([samples[2]?.id]);
    isLagging = false;
    expect(await assess(ledger)).toBe(true);
    expect((await ledger.backlog()).unassessed).toEqual([]);
    expect(await readState(ledger)).toEqual(foldAll(samples));
  });

  test("returns the messages that this process has put while its index does not list them yet", async () => {
    let reads = 0;
    const client = await dynamo.clientThrough({
      answer(question, status, body) {
        if ("RequestItems" in question.body) reads += 1;
        if (question.body.IndexName !== "to-do") return { status, body };
        return { status, body: JSON.stringify({ Items: [], Count: 0, ScannedCount: 0 }) };
      },
    });
    const options = { tableName: await dynamo.createTable(), retentionDays: 400, client };
    const outbox = createOutbox(options);
    const alert = sampleAlert(1);
    const points = [{ metric: "RequestFailed", endpoint: "passport" as const, atMs: startMs, values: [1] }];
    const messages: OutboxMessage[] = [
      { id: alert.id, kind: "alert", alert },
      { id: "metrics/passport/1", kind: "metrics", points },
    ];
    await outbox.put(messages);
    expect(await pendingIn(outbox, "metrics", 10)).toEqual([messages[1]]);
    expect(await pendingIn(outbox, "alert", 10)).toEqual([messages[0]]);
    // Another process delivered it meanwhile: the item itself says so.
    await markDelivered(createOutbox(options), messages[0]!);
    expect(await pendingIn(outbox, "alert", 10)).toEqual([]);
    const asked = reads;
    expect(await pendingIn(outbox, "alert", 10)).toEqual([]);
    expect(reads).toBe(asked);
    await markDelivered(outbox, messages[1]!);
    await outbox.put(messages);
    expect(await pendingIn(outbox, "metrics", 10)).toEqual([]);
  });

  test("keeps the checkpoints of 35 days, and refuses an observation older than they reach", async () => {
    const { client } = dynamo;
    const options = { tableName: await dynamo.createTable(), retentionDays: 400, client };
    const dayOf = (day: number) => new Date(startMs + day * 86_400_000).toISOString().slice(0, 10);
    let today = 0;
    const ledger = createLedger({ ...options, nowMs: () => startMs + today * 86_400_000 });
    const commit = async (checkpoints: string[]) => {
      const { version } = await ledger.backlog();
      const state = { today };
      return ledger.commit({ version, folded: [], checkpoints: checkpoints.map((day) => ({ day, state })) });
    };
    for (today = 0; today <= 60; today += 1) await commit([dayOf(today)]);
    today = 60;
    expect(await ledger.checkpointAt(dayOf(60))).toEqual({ day: dayOf(60), state: { today: 60 } });
    expect((await ledger.checkpointAt(dayOf(26)))?.day).toBe(dayOf(26));
    expect(await ledger.checkpointAt(dayOf(24))).toBeUndefined();
    expect(await ledger.append(sampleObservation(0))).toEqual({ kind: "too-old" });
    // After a long pause the newest is still there to begin with.
    today = 200;
    expect(await commit([])).toBe(true);
    expect((await ledger.checkpointAt(dayOf(200)))?.day).toBe(dayOf(60));
  });

  test("makes an append fail with the error's name, without an exception, when it does not respond", async () => {
    const { client } = dynamo;
    const ledger = createLedger({ tableName: "absent", retentionDays: 400, client, nowMs: () => startMs });
    const failed = { kind: "failed", why: "ResourceNotFoundException" };
    expect(await ledger.append(sampleObservation(0))).toEqual(failed);
    expect(await ledger.writeProbeState(emptyProbeState, 0)).toEqual(failed);
    await expect(ledger.backlog()).rejects.toThrow();
  });

  test("refuses an observation of a day that is already deleted", async () => {
    const { client } = dynamo;
    const options = { tableName: await dynamo.createTable(), retentionDays: 30, client };
    const late = createLedger({ ...options, nowMs: () => startMs + 31 * 86_400_000 });
    expect(await late.append(sampleObservation(0))).toEqual({ kind: "too-old" });
    const inTime = createLedger({ ...options, nowMs: () => startMs + 29 * 86_400_000 });
    expect(await inTime.append(sampleObservation(0))).toEqual({ kind: "new" });
  });
});
