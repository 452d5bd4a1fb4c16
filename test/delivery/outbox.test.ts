import { describe, expect, test } from "vitest";
import {
  causeOf,
  createDeliverer,
  createDeliveryMemory,
  deliverPending,
  maxHoldingTries,
  maxTries,
  retryDelayMs,
} from "../../lib/delivery/outbox.ts";
import {
  type DeliveryResult,
  NothingAcceptedError,
  type Outbox,
  type OutboxMessage,
  RefusedError,
  UnansweredError,
  UnreachableError,
} from "../../lib/ports.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { acceptAlerts, openMemoryOutbox } from "../local/receivers.ts";
import { alertMessage, minuteMs, startMs } from "../local/samples.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const alertOf = (incident: string, number: number): OutboxMessage => {
  const message = alertMessage(number);
  const id = `${incident}/${number}-changed`;
  return { ...message, id, alert: { ...message.alert, id } };
};
/** Each of an incident of its own. */
const alerts = (count: number) => numbers(count).map((number) => alertOf(`incident-${number}`, number));
const refuse = async () => {
  throw new Error("throttled");
};
const frozen = () => 0;

const refuseSome = (isRefused: (alert: Alert) => boolean, sent: Alert[] = [], error = new Error("down")) =>
  acceptAlerts((alert) => {
    if (isRefused(alert)) throw error;
    sent.push(alert);
  });

describe("delivery", () => {
  test("Delivery sends everything once, oldest first", async () => {
    const { outbox, waiting } = openMemoryOutbox(alerts(250));
    const sent: Alert[] = [];
    const answer = await deliverPending(outbox, [refuseSome(() => false, sent)], frozen);
    expect(answer).toEqual({ delivered: 250, failed: 0, pending: 0 });
    expect(sent.map(({ id }) => id)).toEqual(alerts(250).map(({ id }) => id));
    expect(waiting.size).toBe(0);
  });

  test("Delivery keeps the order of an incident's messages by their numbers, whatever the clock showed", async () => {
    const dated = (number: number, minute: number): OutboxMessage => {
      const { message, at } = { message: alertOf("incident-1", number), at: alertMessage(minute).alert.at };
      return { ...message, alert: { ...message.alert, at } };
    };
    const { outbox } = openMemoryOutbox([dated(1, 1_200), dated(2, 3), dated(3, 1_100), dated(4, 4)]);
    const sent: Alert[] = [];
    await deliverPending(outbox, [refuseSome(() => false, sent)], frozen);
    expect(sent.map(({ id }) => id)).toEqual([1, 2, 3, 4].map((number) => `incident-1/${number}-changed`));
  });

  test("Delivery to a receiver that is down gives up soon, and says of each try what became of it", async () => {
    const { outbox, waiting } = openMemoryOutbox(alerts(20));
    const tried: string[] = [];
    let isOut = true;
    const receiver = acceptAlerts(undefined, () => isOut);
    const log = {
      onSent: ({ id, to }: { id: string; to: string }) => tried.push(`${id} to ${to}`),
      onFailed: ({ id, error }: { id: string; error: unknown }) => tried.push(`${id}: ${error}`),
    };
    const run = () => deliverPending(outbox, [receiver], frozen, { log });
    expect(await run()).toEqual({ delivered: 0, failed: 2, pending: 20 });
    expect(tried).toEqual([0, 1].map((number) => `incident-${number}/${number}-changed: Error: throttled`));
    expect(waiting.size).toBe(20);
    isOut = false;
    tried.length = 0;
    for (const queued of waiting.values()) queued.nextTryMs = 0;
    await run();
    await run();
    expect(tried).toEqual(alerts(20).map(({ id }) => `${id} to alerts`));
  });

  test("Delivery of messages that nobody takes does not block those behind them", async () => {
    const poison = alerts(4).map(({ id }) => id);
    for (const error of [new RefusedError("status 400"), new Error("status 500")]) {
      const { outbox, waiting } = openMemoryOutbox(alerts(20));
      const receiver = refuseSome(({ id }) => poison.includes(id), [], error);
      const memory = createDeliveryMemory();
      let nowMs = 0;
      for (; nowMs < 15 * minuteMs; nowMs += 15_000)
        await deliverPending(outbox, [receiver], () => nowMs, { memory });
      expect([...waiting.keys()]).toEqual(poison);
    }
  });

  test.each([
    ["one incident", 1, 101],
    ["an OPENED and its RESOLVED", 2, 101],
    ["many incidents", 30, 2 * 101],
  ])(
    "Delivery to a receiver that is down tries about a hundred times a day, with %s waiting",
    async (_, count, expected) => {
      const messages = count === 2 ? [alertOf("down", 1), alertOf("down", 2)] : alerts(count);
      const { outbox, waiting, setAside } = openMemoryOutbox(messages);
      let tries = 0;
      const receiver = refuseSome(() => {
        tries += 1;
        return true;
      });
      const memory = createDeliveryMemory();
      for (let nowMs = 0; nowMs < 24 * 60 * minuteMs; nowMs += 5_000)
        await deliverPending(outbox, [receiver], () => nowMs, { memory });
      expect(Math.abs(tries - expected)).toBeLessThanOrEqual(4);
      expect(waiting.size).toBe(count);
      expect(setAside).toEqual([]);
    },
  );

  test("Delivery to a receiver that is down tries a new message at once, and goes on with its delay", async () => {
    const { outbox } = openMemoryOutbox(alerts(1));
    const tried: string[] = [];
    const receiver = refuseSome(({ id }) => tried.push(id) > 0);
    const memory = createDeliveryMemory();
    const run = (nowMs: number) => deliverPending(outbox, [receiver], () => nowMs, { memory });
    await run(0);
    await run(5_000);
    expect(tried).toHaveLength(1);
    await outbox.put(alerts(2));
    await run(10_000);
    expect(tried).toEqual([0, 0, 1].map((number) => alerts(2)[number]!.id));
    for (let nowMs = 15_000; nowMs < 40_000; nowMs += 5_000) await run(nowMs);
    expect(tried).toHaveLength(3);
    await run(40_000);
    expect(tried).toHaveLength(5);
  });

  test("Delivery to a receiver that answers nothing is repeated less often, because each message may have arrived", async () => {
    const { outbox } = openMemoryOutbox(alerts(1));
    let tries = 0;
    const receiver = acceptAlerts(() => {
      tries += 1;
      throw new UnansweredError("timeout");
    });
    const memory = createDeliveryMemory();
    for (let nowMs = 0; nowMs < 24 * 60 * minuteMs; nowMs += 5_000)
      await deliverPending(outbox, [receiver], () => nowMs, { memory });
    expect(tries).toBe(31);
  });

  test("Delivery sets a message aside that is refused again and again beside one that is accepted, after about two days", async () => {
    const { outbox, waiting, setAside } = openMemoryOutbox(alerts(2));
    const [poison] = alerts(1).map(({ id }) => id);
    const receiver = refuseSome(({ id }) => id === poison, [], new RefusedError("status 400"));
    const memory = createDeliveryMemory();
    let nowMs = 0;
    for (; waiting.size > 0 && nowMs < 4 * 24 * 60 * minuteMs; nowMs += minuteMs / 4)
      await deliverPending(outbox, [receiver], () => nowMs, { memory });
    expect(setAside).toEqual(alerts(1).map(({ id }) => id));
    expect(nowMs / 3_600_000).toBeGreaterThan(40);
    expect(nowMs / 3_600_000).toBeLessThan(50);
  });

  describe.each([
    ["each message", () => new RefusedError("InvalidParameter")],
    ["our permission", () => new NothingAcceptedError("AuthorizationError")],
  ])("to a receiver that refuses %s", (_, refusal) => {
    test.each(["one process", "a new process for each run"])(
      "Delivery to a receiver that refuses everything for three days gives up nothing, and is done in the first run after that (%s)",
      async (how) => {
        const { outbox, waiting, setAside } = openMemoryOutbox(alerts(5));
        const sent: Alert[] = [];
        let isRefusing = true;
        const receiver = acceptAlerts((alert) => {
          if (isRefusing) throw refusal();
          sent.push(alert);
        });
        const memory = createDeliveryMemory();
        const run = (nowMs: number) =>
          deliverPending(outbox, [receiver], () => nowMs, how === "one process" ? { memory } : {});
        let nowMs = 0;
        // As often as a run of the assessment in AWS.
        for (; nowMs < 3 * 24 * 60 * minuteMs; nowMs += 5 * minuteMs) await run(nowMs);
        isRefusing = false;
        await run(nowMs);
        expect(sent.map(({ id }) => id).sort()).toEqual(alerts(5).map(({ id }) => id));
        expect(waiting.size).toBe(0);
        expect(setAside).toEqual([]);
      },
    );
  });

  test("Delivery to a receiver that returns sends what it missed from the oldest on, before each message's own time", async () => {
    const { outbox } = openMemoryOutbox(alerts(10));
    const sent: Alert[] = [];
    let [nowMs, isDown] = [0, true];
    const receiver = refuseSome(() => isDown, sent);
    for (let run = 0; run < 8; run += 1, nowMs += 15_000)
      await deliverPending(outbox, [receiver], () => nowMs);
    isDown = false;
    nowMs += 15 * minuteMs;
    await deliverPending(outbox, [receiver], () => nowMs);
    expect(sent.map(({ id }) => id)).toEqual(alerts(10).map(({ id }) => id));
  });

  describe("of one incident", () => {
    const of = (incident: string, ...of: number[]) => of.map((number) => alertOf(incident, number));
    const numberOf = ({ id }: Alert) => Number(/\/(\d+)-/.exec(id)?.[1]);

    /** Whoever takes all but some, in one run after the other. */
    function openRuns(messages: readonly OutboxMessage[], startMs: number, error?: Error) {
      const { outbox } = openMemoryOutbox(messages);
      const sent: Alert[] = [];
      let nowMs = startMs;
      const run = async (...refused: number[]) => {
        const receiver = refuseSome((alert) => refused.includes(numberOf(alert)), sent, error);
        const answer = await deliverPending(outbox, [receiver], () => nowMs);
        nowMs += 15 * minuteMs;
        return answer;
      };
      return { numbers: () => sent.map(numberOf), run };
    }

    test("Delivery of one incident keeps its order when one send fails, and holds up no other incident", async () => {
      const messages = [...of("down", 1), ...of("drift", 2), ...of("down", 3), ...of("drift", 4)];
      const { numbers, run } = openRuns(messages, startMs + 5 * minuteMs);
      expect(await run(1)).toEqual({ delivered: 2, failed: 1, pending: 2 });
      expect(numbers()).toEqual([2, 4]);
      expect(await run()).toEqual({ delivered: 2, failed: 0, pending: 0 });
      expect(numbers()).toEqual([2, 4, 1, 3]);
    });

    test("Delivery of one incident goes on without a message that the receiver refuses", async () => {
      const { numbers, run } = openRuns(of("down", 1, 2), startMs, new RefusedError("status 400"));
      expect(await run(1)).toEqual({ delivered: 1, failed: 1, pending: 1 });
      expect(numbers()).toEqual([2]);
    });

    test("Delivery of one incident keeps its order over an outage of three hours, whenever in a run it ends", async () => {
      const { numbers, run } = openRuns(of("down", 1, 2, 3), startMs + 185 * minuteMs);
      await run(1);
      await run();
      expect(numbers()).toEqual([1, 2, 3]);
    });

    test("Delivery of one incident waits behind a message that fails while others are accepted, but not for ever", async () => {
      const { outbox } = openMemoryOutbox(of("down", 1, 2));
      const sent: Alert[] = [];
      const receiver = refuseSome(({ id }) => id === "down/1-changed", sent);
      const memory = createDeliveryMemory();
      let nowMs = 0;
      for (let run = 1; run <= maxHoldingTries; run += 1, nowMs += 60 * minuteMs) {
        expect(sent.map(({ id }) => id)).not.toContain("down/2-changed");
        await outbox.put([alertOf(`other-${run}`, 10 + run)]);
        await deliverPending(outbox, [receiver], () => nowMs, { memory });
      }
      await outbox.put([alertOf("another", 100)]);
      await deliverPending(outbox, [receiver], () => nowMs, { memory });
      expect(sent.map(({ id }) => id)).toContain("down/2-changed");
    });
  });

  test("Delivery of a message that a receiver does not want is neither delivered nor pending", async () => {
    const { outbox, waiting } = openMemoryOutbox(alerts(3));
    const sent: Alert[] = [];
    const receiver = {
      ...acceptAlerts((alert) => sent.push(alert)),
      wants: ({ id }: Alert) => !id.includes("-1/"),
    };
    expect(await deliverPending(outbox, [receiver], frozen)).toEqual({ delivered: 2, failed: 0, pending: 0 });
    expect(sent.map(({ id }) => id)).toEqual([0, 2].map((number) => alerts(3)[number]!.id));
    expect(waiting.size).toBe(0);
  });

  test("Delivery to a receiver that asks for a pause waits so long with every message, a quarter of an hour at the most", async () => {
    for (const { askedMs, expectedMs } of [
      { askedMs: 2 * minuteMs, expectedMs: 2 * minuteMs },
      { askedMs: 24 * 60 * minuteMs, expectedMs: 15 * minuteMs },
    ]) {
      const { outbox, waiting } = openMemoryOutbox(alerts(3));
      const triesMs: number[] = [];
      let nowMs = startMs;
      const receiver = acceptAlerts(() => {
        triesMs.push(nowMs - startMs);
        if (triesMs.length === 2) throw new UnreachableError("status 429", askedMs);
      });
      const memory = createDeliveryMemory();
      for (; waiting.size > 0; nowMs += 15_000) {
        await deliverPending(outbox, [receiver], () => nowMs, { memory });
        if (nowMs === startMs + minuteMs) await outbox.put(alerts(4));
      }
      expect(triesMs).toEqual([0, 0, ...numbers(3).map(() => expectedMs)]);
    }
  });

  test("Delivery records what became of each message, and when", async () => {
    const { outbox } = openMemoryOutbox(alerts(4));
    const recorded: [string, DeliveryResult][] = [];
    const record: Outbox["record"] = async ({ id }, { name }, result) => {
      recorded.push([`${name} ${id}`, result]);
    };
    const receiver = {
      ...refuseSome(({ id }) => /-[23]\//.test(id), [], new RefusedError("status 400")),
      wants: ({ id }: Alert) => !id.includes("-1/"),
    };
    for (const queued of await outbox.pending(receiver, 10))
      if (queued.message.id.includes("-3/")) queued.tries = maxTries - 1;
    await deliverPending({ ...outbox, record }, [receiver], () => 7_000);
    const nameOf = (number: number) => `alerts ${alerts(4)[number]?.id}`;
    expect(recorded).toEqual([
      [nameOf(1), { state: "unwanted", atMs: 7_000 }],
      [nameOf(0), { state: "delivered", atMs: 7_000, receipts: acceptedByReceiver() }],
      [nameOf(2), { state: "waiting", atMs: 7_000, tries: 1, nextTryMs: 22_000, why: "status 400" }],
      [nameOf(3), { state: "set-aside", atMs: 7_000, tries: maxTries, why: "status 400" }],
    ]);
  });

  test("Delivery of one message to a receiver that accepts it is followed by those whose time has not come", async () => {
    const { outbox, waiting } = openMemoryOutbox(alerts(4));
    for (const queued of [...waiting.values()].slice(0, 3)) queued.nextTryMs = minuteMs;
    const sent: Alert[] = [];
    const answer = await deliverPending(outbox, [refuseSome(() => false, sent)], frozen);
    expect(answer).toEqual({ delivered: 4, failed: 0, pending: 0 });
    expect(sent.map(({ id }) => id)).toEqual(alerts(4).map(({ id }) => id));
  });

  test("Delivery where nothing is due tries nothing", async () => {
    const { outbox, waiting } = openMemoryOutbox(alerts(2));
    for (const queued of waiting.values()) queued.nextTryMs = minuteMs;
    const receiver = refuseSome(() => true);
    expect(await deliverPending(outbox, [receiver], frozen)).toEqual({ delivered: 0, failed: 0, pending: 2 });
  });

  test("Delivery goes on while a receiver accepts some: only two failures in a row end a run", async () => {
    const { outbox } = openMemoryOutbox(alerts(9));
    const receiver = refuseSome(({ id }) => /-[024678]\//.test(id));
    expect(await deliverPending(outbox, [receiver], frozen)).toEqual({ delivered: 3, failed: 5, pending: 6 });
  });

  test.each([
    ["waits for its time", 60 * minuteMs, 0],
    ["does not wait for a time that a wrong clock planned", 60 * minuteMs + 1, 1],
  ])("Delivery of an alert %s", async (_, nextTryMs, delivered) => {
    const { outbox, waiting } = openMemoryOutbox(alerts(1));
    for (const queued of waiting.values()) queued.nextTryMs = nextTryMs;
    expect(await deliverPending(outbox, [acceptAlerts()], frozen)).toMatchObject({ delivered });
  });

  test("A delivery that could not be recorded is a failure, and is not sent again by this process", async () => {
    const { outbox, waiting } = openMemoryOutbox(alerts(2));
    const sent: Alert[] = [];
    const receiver = refuseSome(() => false, sent);
    const memory = createDeliveryMemory();
    const full = { ...outbox, record: refuse };
    for (let nowMs = 0; nowMs < 60 * minuteMs; nowMs += 5_000)
      expect(await deliverPending(full, [receiver], () => nowMs, { memory })).toEqual({
        delivered: 0,
        failed: 2,
        pending: 2,
      });
    expect(sent).toHaveLength(2);
    expect(waiting.size).toBe(2);
    expect(await deliverPending(outbox, [receiver], () => 60 * minuteMs, { memory })).toEqual({
      delivered: 0,
      failed: 0,
      pending: 0,
    });
    expect(sent).toHaveLength(2);
    expect(waiting.size).toBe(0);
  });

  test("Delivery never throws, whatever fails", async () => {
    const { outbox } = openMemoryOutbox(alerts(5));
    for (const broken of [{ pending: refuse }, { subscribe: refuse }] satisfies Partial<Outbox>[])
      expect(await deliverPending({ ...outbox, ...broken }, [acceptAlerts()], frozen)).toEqual({
        delivered: 0,
        failed: 1,
        pending: 1,
      });
    const throwing = {
      ...acceptAlerts(),
      send: () => {
        throw new Error("at once");
      },
    };
    expect(await deliverPending(outbox, [throwing], frozen)).toEqual({ delivered: 0, failed: 2, pending: 5 });
  });

  test("Delivery is bounded in time and in count, and the next run goes on", async () => {
    let clockMs = 0;
    const slow = openMemoryOutbox(alerts(50));
    const slowReceiver = acceptAlerts(() => {
      clockMs += 1_000;
    });
    expect((await deliverPending(slow.outbox, [slowReceiver], () => clockMs)).delivered).toBe(20);
    expect((await deliverPending(slow.outbox, [slowReceiver], () => clockMs)).delivered).toBe(20);
    const long = openMemoryOutbox(alerts(1_500));
    // What was not read may wait.
    expect(await deliverPending(long.outbox, [acceptAlerts()], frozen)).toEqual({
      delivered: 1_000,
      failed: 0,
      pending: 1,
    });
    expect(long.waiting.size).toBe(500);
    const complete = await deliverPending(long.outbox, [acceptAlerts()], frozen);
    expect(complete).toEqual({ delivered: 500, failed: 0, pending: 0 });
  });

  test("Delivery begins nothing after its time, and what it did not see may wait: nobody takes it for delivered", async () => {
    let clockMs = 0;
    const { outbox, waiting } = openMemoryOutbox(alerts(5));
    const slow = acceptAlerts(() => {
      clockMs += 1_000;
    });
    const run = () => deliverPending(outbox, [slow], () => clockMs, { untilMs: 2_000 });
    expect(await run()).toEqual({ delivered: 2, failed: 0, pending: 3 });
    expect(await run()).toEqual({ delivered: 0, failed: 0, pending: 3 });
    expect(waiting.size).toBe(3);
    // Whoever used up the time with the last message does not know of later ones.
    const last = openMemoryOutbox(alerts(1));
    expect(await deliverPending(last.outbox, [slow], () => clockMs, { untilMs: 3_000 })).toEqual({
      delivered: 1,
      failed: 0,
      pending: 1,
    });
  });
});

test.each([
  [1, 15_000, 15_000, 15_000],
  [2, 30_000, 30_000, 30_000],
  [6, 240_000, 480_000, 480_000],
  [7, 240_000, 900_000, 960_000],
  [8, 240_000, 900_000, 1_920_000],
  [9, 240_000, 900_000, 3_600_000],
  [5_000, 240_000, 900_000, 3_600_000],
])(
  "After %d failures in a row a receiver that refuses gets nothing for %d ms, one that is down for %d ms, and no repetition for %d ms",
  (failures, ...delays) => {
    expect((["refused", "down", "repeat"] as const).map((kind) => retryDelayMs(failures, kind))).toEqual(
      delays,
    );
  },
);

test.each([
  [new RefusedError("status 400"), "status 400"],
  [new UnreachableError("the secret is missing"), "the secret is missing"],
  [Object.assign(new Error("https://secret"), { name: "TimeoutError" }), "timeout"],
  [Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } }), "ECONNREFUSED"],
  [Object.assign(new Error("https://secret"), { code: "ESOCKET" }), "ESOCKET"],
  [new TypeError("https://secret"), "TypeError"],
  [{ code: 7, name: "https://secret/name" }, "error"],
  [{ name: "name of https://secret" }, "error"],
  [{ name: "a".repeat(61) }, "error"],
  [{}, "error"],
])("The cause of %s is kept as %s", (error, cause) => {
  expect(causeOf(error)).toBe(cause);
});

describe("a deliverer", () => {
  test("A deliverer has one run a receiver at a time, and another after it if messages came meanwhile", async () => {
    const { outbox } = openMemoryOutbox(alerts(1));
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const sent: string[] = [];
    const receiver = {
      ...acceptAlerts(),
      send: async ({ id }: Alert) => {
        sent.push(id);
        started.resolve();
        await gate.promise;
        return acceptedByReceiver();
      },
    };
    const deliverer = createDeliverer(outbox, () => [receiver], frozen);
    deliverer.start();
    await started.promise;
    await outbox.put(alerts(2));
    deliverer.start();
    deliverer.start();
    gate.resolve();
    await deliverer.settle();
    expect(sent).toEqual(alerts(2).map(({ id }) => id));
    await outbox.put(alerts(3));
    await deliverer.settle();
    expect(sent).toHaveLength(2);
  });

  test("A deliverer goes on after a run that failed", async () => {
    const { outbox, waiting } = openMemoryOutbox(alerts(1));
    let isBroken = true;
    const pending: Outbox["pending"] = (...input) => (isBroken ? refuse() : outbox.pending(...input));
    const accepting = acceptAlerts();
    const deliverer = createDeliverer({ ...outbox, pending }, () => [accepting], frozen);
    deliverer.start();
    await deliverer.settle();
    isBroken = false;
    deliverer.start();
    await deliverer.settle();
    expect(waiting.size).toBe(0);
  });
});
