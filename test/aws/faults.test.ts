import { describe, expect, test } from "vitest";
import { createCheckPublisher } from "../../lib/aws/cloudwatch.ts";
import { createLedger, createUnpublished } from "../../lib/aws/ledger.ts";
import { createOutbox } from "../../lib/aws/outbox.ts";
import { createSnsReceiver } from "../../lib/aws/sns.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { deliverPending } from "../../lib/delivery/outbox.ts";
import type { OutboxMessage } from "../../lib/ports.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { pendingIn } from "../local/receivers.ts";
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
  test("Three hours in which every AWS call may fail before or after its effect lose nothing, and every event arrives under one alert id", async () => {
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
    const receivers = [createSnsReceiver({ topicArn, client: sns })];
    /** By check: how often its data points were accepted, and how often a call after that failed. */
    const published = new Map<string, number>();
    let lostAnswers = 0;
    const publisherOf = (endpoint: EndpointId) =>
      createCheckPublisher({
        endpoint,
        unpublished: createUnpublished(options),
        toDataPoints: (one) => [{ metric: "RequestFailed", endpoint, atMs: Date.parse(one.at), values: [1] }],
        async publish([point]) {
          const number = fault();
          if (number === "before") throw new Error("down");
          const id = `${endpoint}/authenticated/${new Date(point!.atMs).toISOString()}`;
          published.set(id, (published.get(id) ?? 0) + 1);
          if (number === "after") {
            lostAnswers += 1;
            throw new Error("no answer");
          }
        },
        nowMs,
        onFailed() {},
      });
    const publishers = endpointIds.map(publisherOf);

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
      for (const publisher of publishers) await publisher.publish([], Infinity);
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
    expect(await pendingIn(outbox, 100)).toEqual([]);
    for (const endpoint of endpointIds)
      expect(await collect(createUnpublished(options).each(endpoint, []))).toEqual([]);
    expect([...published.keys()].toSorted()).toEqual(observed.map(({ id }) => id).toSorted());
    // Nothing is counted twice but where CloudWatch's answer was lost.
    const copies = [...published.values()].reduce((sum, count) => sum + count - 1, 0);
    expect(copies).toBe(lostAnswers);
    expect(lostAnswers).toBeGreaterThan(10);
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
