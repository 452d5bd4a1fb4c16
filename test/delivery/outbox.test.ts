import { describe, expect, test } from "vitest";
import { deliverPending } from "../../lib/delivery/outbox.ts";
import type { Delivery, Outbox, OutboxMessage } from "../../lib/ports.ts";
import { alertMessage, metricsMessage, minuteMs, startMs } from "../local/samples.ts";

/** An outbox in memory. */
function openOutbox(messages: readonly OutboxMessage[]) {
  const waiting = new Map(messages.map((message) => [message.id, message]));
  const outbox: Outbox = {
    put: async () => ({ kind: "kept" }),
    pending: async (kind, limit) =>
      [...waiting.values()].filter((each) => each.kind === kind).slice(0, limit),
    markDelivered: async ({ id }) => void waiting.delete(id),
  };
  return { outbox, waiting };
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const alertOf = (incident: string, number: number): OutboxMessage => {
  const message = alertMessage(number);
  return { ...message, alert: { ...message.alert, incident } };
};
/** Each alert has its own incident. */
const alerts = (count: number) => numbers(count).map((number) => alertOf(`incident-${number}`, number));
const metrics = (count: number) => numbers(count).map(metricsMessage);
const accept: Delivery = { alert: async () => {}, metrics: async () => {} };
const reject = async () => {
  throw new Error("throttled");
};
const fixedClock = () => 0;

describe("deliverPending", () => {
  test("sends every message once, oldest first, page after page", async () => {
    const { outbox, waiting } = openOutbox([...alerts(250), ...metrics(3)]);
    const sent: string[] = [];
    const delivery = { ...accept, alert: async ({ id }: { id: string }) => void sent.push(id) };
    expect(await deliverPending(outbox, delivery, fixedClock)).toEqual({
      delivered: 253,
      failed: 0,
      pending: 0,
    });
    expect(sent).toEqual(alerts(250).map(({ id }) => id));
    expect(waiting.size).toBe(0);
  });

  test("stops after three failures of one kind and still delivers the other kind", async () => {
    for (const kind of ["alert", "metrics"] as const) {
      const { outbox, waiting } = openOutbox([...alerts(20), ...metrics(20)]);
      let attempts = 0;
      const failing = async () => {
        attempts += 1;
        return reject();
      };
      const counts = await deliverPending(outbox, { ...accept, [kind]: failing }, fixedClock);
      expect(counts).toEqual({ delivered: 20, failed: 3, pending: 20 });
      expect(attempts).toBe(3);
      expect([...waiting.values()].every((message) => message.kind === kind)).toBe(true);
    }
  });

  test("delivers the messages after one that is always rejected", async () => {
    const { outbox, waiting } = openOutbox(alerts(10));
    const rejectedId = alertMessage(0).id;
    const delivery = {
      ...accept,
      alert: async ({ id }: { id: string }) => (id === rejectedId ? reject() : undefined),
    };
    expect(await deliverPending(outbox, delivery, fixedClock)).toEqual({
      delivered: 9,
      failed: 1,
      pending: 1,
    });
    expect([...waiting.keys()]).toEqual([rejectedId]);
  });

  describe("for the messages of one incident", () => {
    const alertsOf = (incident: string, ...numbers: number[]) =>
      numbers.map((number) => alertOf(incident, number));
    const ids = (...numbers: number[]) => numbers.map((number) => alertMessage(number).id);

    /** Several runs, each with a receiver that rejects the given messages. */
    function openRuns(messages: readonly OutboxMessage[], atMs: number) {
      const { outbox } = openOutbox(messages);
      const sent: string[] = [];
      const run = (...rejected: number[]) =>
        deliverPending(
          outbox,
          {
            ...accept,
            alert: async ({ id }) => (ids(...rejected).includes(id) ? reject() : void sent.push(id)),
          },
          () => atMs,
        );
      return { sent, run };
    }

    test("keeps the order when one delivery fails, and does not delay other incidents", async () => {
      const messages = [
        ...alertsOf("down", 1),
        ...alertsOf("drift", 2),
        ...alertsOf("down", 3),
        ...alertsOf("drift", 4),
      ];
      const { sent, run } = openRuns(messages, startMs + 5 * minuteMs);
      expect(await run(1)).toEqual({ delivered: 2, failed: 1, pending: 2 });
      expect(sent).toEqual(ids(2, 4));
      expect(await run()).toEqual({ delivered: 2, failed: 0, pending: 0 });
      expect(sent).toEqual(ids(2, 4, 1, 3));
    });

    test("keeps the order over a channel outage of three hours", async () => {
      const { sent, run } = openRuns(alertsOf("down", 1, 2, 3), startMs + 185 * minuteMs);
      await run(1);
      await run();
      expect(sent).toEqual(ids(1, 2, 3));
    });

    test("delivers later messages when the first one has been rejected for more than four hours", async () => {
      const { sent, run } = openRuns(alertsOf("down", 1, 300, 301), startMs + 302 * minuteMs);
      expect(await run(1)).toEqual({ delivered: 2, failed: 1, pending: 1 });
      expect(sent).toEqual(ids(300, 301));
    });
  });

  test("counts a message that could not be marked as delivered as a failure, and sends it again", async () => {
    const { outbox, waiting } = openOutbox(alerts(1));
    const counts = await deliverPending({ ...outbox, markDelivered: reject }, accept, fixedClock);
    expect(counts).toEqual({ delivered: 0, failed: 1, pending: 1 });
    expect(waiting.size).toBe(1);
  });

  test("never rejects, whichever call fails", async () => {
    const { outbox } = openOutbox(alerts(5));
    const failing: Outbox = { ...outbox, pending: reject };
    expect(await deliverPending(failing, accept, fixedClock)).toEqual({
      delivered: 0,
      failed: 2,
      pending: 0,
    });
    const throwing = () => {
      throw new Error("at once");
    };
    const counts = await deliverPending(outbox, { alert: throwing, metrics: throwing }, fixedClock);
    expect(counts).toEqual({ delivered: 0, failed: 3, pending: 5 });
  });

  test("limits the time and the number of messages of a run, and the next run continues", async () => {
    let clockMs = 0;
    const slow = openOutbox(alerts(50));
    const alert = async () => {
      clockMs += 1_000;
    };
    const delivery = { ...accept, alert };
    expect((await deliverPending(slow.outbox, delivery, () => clockMs)).delivered).toBe(20);
    expect((await deliverPending(slow.outbox, delivery, () => clockMs)).delivered).toBe(20);
    const long = openOutbox(metrics(1_500));
    expect((await deliverPending(long.outbox, accept, fixedClock)).delivered).toBe(1_000);
    expect(long.waiting.size).toBe(500);
  });

  test("starts no delivery after its time limit, and reports at least one pending message then", async () => {
    let clockMs = 0;
    const { outbox, waiting } = openOutbox(metrics(5));
    const slow = async () => {
      clockMs += 1_000;
    };
    const delivery = { ...accept, metrics: slow };
    const until = (untilMs: number) => ({ kinds: ["metrics"] as const, untilMs });
    expect(await deliverPending(outbox, delivery, () => clockMs, until(2_000))).toEqual({
      ...{ delivered: 2, failed: 0, pending: 3 },
    });
    expect(await deliverPending(outbox, delivery, () => clockMs, until(2_000))).toEqual({
      ...{ delivered: 0, failed: 0, pending: 1 },
    });
    expect(waiting.size).toBe(3);
  });
});
