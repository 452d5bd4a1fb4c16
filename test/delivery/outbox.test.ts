import { describe, expect, test } from "vitest";
import { deliverPending } from "../../lib/delivery/outbox.ts";
import type { Delivery, Outbox, OutboxMessage } from "../../lib/ports.ts";
import { alertMessage, metricsMessage, minuteMs, startMs } from "../local/samples.ts";

/** In memory, with calls that can be made to fail. */
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
  const id = `${incident}/${number}-changed`;
  return { ...message, id, alert: { ...message.alert, id } };
};
/** Each of an incident of its own. */
const alerts = (count: number) => numbers(count).map((number) => alertOf(`incident-${number}`, number));
const metrics = (count: number) => numbers(count).map(metricsMessage);
const accept: Delivery = { alert: async () => {}, metrics: async () => {} };
const refuse = async () => {
  throw new Error("throttled");
};
const frozen = () => 0;

describe("delivery", () => {
  test("sends everything once, oldest first, page after page", async () => {
    const { outbox, waiting } = openOutbox([...alerts(250), ...metrics(3)]);
    const sent: string[] = [];
    const delivery = { ...accept, alert: async ({ id }: { id: string }) => void sent.push(id) };
    expect(await deliverPending(outbox, delivery, frozen)).toEqual({ delivered: 253, failed: 0, pending: 0 });
    expect(sent).toEqual(alerts(250).map(({ id }) => id));
    expect(waiting.size).toBe(0);
  });

  test("of one kind that fails gives up soon and does not hold up the other", async () => {
    for (const kind of ["alert", "metrics"] as const) {
      const { outbox, waiting } = openOutbox([...alerts(20), ...metrics(20)]);
      let tries = 0;
      const failing = async () => {
        tries += 1;
        return refuse();
      };
      const answer = await deliverPending(outbox, { ...accept, [kind]: failing }, frozen);
      expect(answer).toEqual({ delivered: 20, failed: 3, pending: 20 });
      expect(tries).toBe(3);
      expect([...waiting.values()].every((message) => message.kind === kind)).toBe(true);
    }
  });

  test("of a message that nobody takes does not block those behind it", async () => {
    const { outbox, waiting } = openOutbox(alerts(10));
    const poison = alertOf("incident-0", 0).id;
    const delivery = {
      ...accept,
      alert: async ({ id }: { id: string }) => (id === poison ? refuse() : undefined),
    };
    expect(await deliverPending(outbox, delivery, frozen)).toEqual({ delivered: 9, failed: 1, pending: 1 });
    expect([...waiting.keys()]).toEqual([poison]);
  });

  describe("of one incident", () => {
    const of = (incident: string, ...of: number[]) => of.map((number) => alertOf(incident, number));
    const ids = (...numbers: number[]) => numbers;
    const numberOf = (id: string) => Number(/\/(\d+)-/.exec(id)?.[1]);

    /** Whoever takes all but some, in one run after the other. */
    function openRuns(messages: readonly OutboxMessage[], atMs: number) {
      const { outbox } = openOutbox(messages);
      const sent: number[] = [];
      const run = (...refused: number[]) =>
        deliverPending(
          outbox,
          {
            ...accept,
            alert: async ({ id }) =>
              refused.includes(numberOf(id)) ? refuse() : void sent.push(numberOf(id)),
          },
          () => atMs,
        );
      return { sent, run };
    }

    test("keeps its order when one send fails, and holds up no other incident", async () => {
      const messages = [...of("down", 1), ...of("drift", 2), ...of("down", 3), ...of("drift", 4)];
      const { sent, run } = openRuns(messages, startMs + 5 * minuteMs);
      expect(await run(1)).toEqual({ delivered: 2, failed: 1, pending: 2 });
      expect(sent).toEqual(ids(2, 4));
      expect(await run()).toEqual({ delivered: 2, failed: 0, pending: 0 });
      expect(sent).toEqual(ids(2, 4, 1, 3));
    });

    test("keeps its order over an outage of three hours, whenever in a run it ends", async () => {
      const { sent, run } = openRuns(of("down", 1, 2, 3), startMs + 185 * minuteMs);
      await run(1);
      await run();
      expect(sent).toEqual(ids(1, 2, 3));
    });

    test("goes on after some hours without the message that nobody takes", async () => {
      const { sent, run } = openRuns(of("down", 1, 300, 301), startMs + 302 * minuteMs);
      expect(await run(1)).toEqual({ delivered: 2, failed: 1, pending: 1 });
      expect(sent).toEqual(ids(300, 301));
    });
  });

  test("that could not be marked is a failure, and is sent again next time", async () => {
    const { outbox, waiting } = openOutbox(alerts(1));
    const answer = await deliverPending({ ...outbox, markDelivered: refuse }, accept, frozen);
    expect(answer).toEqual({ delivered: 0, failed: 1, pending: 1 });
    expect(waiting.size).toBe(1);
  });

  test("never throws, whatever fails", async () => {
    const { outbox } = openOutbox(alerts(5));
    const dead: Outbox = { ...outbox, pending: refuse };
    expect(await deliverPending(dead, accept, frozen)).toEqual({ delivered: 0, failed: 2, pending: 0 });
    const throwing = () => {
      throw new Error("at once");
    };
    const answer = await deliverPending(outbox, { alert: throwing, metrics: throwing }, frozen);
    expect(answer).toEqual({ delivered: 0, failed: 3, pending: 5 });
  });

  test("is bounded in time and in count, and the next run goes on", async () => {
    let clockMs = 0;
    const slow = openOutbox(alerts(50));
    const alert = async () => {
      clockMs += 1_000;
    };
    const delivery = { ...accept, alert };
    expect((await deliverPending(slow.outbox, delivery, () => clockMs)).delivered).toBe(20);
    expect((await deliverPending(slow.outbox, delivery, () => clockMs)).delivered).toBe(20);
    const long = openOutbox(metrics(1_500));
    expect((await deliverPending(long.outbox, accept, frozen)).delivered).toBe(1_000);
    expect(long.waiting.size).toBe(500);
  });

  test("begins nothing after its time, and what it did not see may wait: nobody takes it for delivered", async () => {
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
