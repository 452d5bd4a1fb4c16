import { describe, expect, test } from "vitest";
import { deliverPending } from "../../lib/assess/delivery.ts";
import type { Delivery, Outbox, Parcel } from "../../lib/ports.ts";
import { alertParcel, metricsParcel } from "../local/samples.ts";

/** In memory, with calls that can be made to fail. */
function openOutbox(parcels: readonly Parcel[]) {
  const waiting = new Map(parcels.map((parcel) => [parcel.id, parcel]));
  const outbox: Outbox = {
    put: async () => ({ kind: "kept" }),
    pending: async (kind, limit) =>
      [...waiting.values()].filter((each) => each.kind === kind).slice(0, limit),
    markDelivered: async ({ id }) => void waiting.delete(id),
  };
  return { outbox, waiting };
}

const alerts = (count: number) => Array.from({ length: count }, (_, number) => alertParcel(number));
const metrics = (count: number) => Array.from({ length: count }, (_, number) => metricsParcel(number));
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
      expect([...waiting.values()].every((parcel) => parcel.kind === kind)).toBe(true);
    }
  });

  test("of a parcel that nobody takes does not block those behind it", async () => {
    const { outbox, waiting } = openOutbox(alerts(10));
    const poison = alertParcel(0).id;
    const delivery = {
      ...accept,
      alert: async ({ id }: { id: string }) => (id === poison ? refuse() : undefined),
    };
    expect(await deliverPending(outbox, delivery, frozen)).toEqual({ delivered: 9, failed: 1, pending: 1 });
    expect([...waiting.keys()]).toEqual([poison]);
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
