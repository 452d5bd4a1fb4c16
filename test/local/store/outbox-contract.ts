// What every outbox must do, whoever keeps it. Run by the tests of each adapter.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Outbox } from "../../../lib/ports.ts";
import { alertParcel, metricsParcel } from "../samples.ts";

export function describeOutbox(name: string, open: () => Outbox | Promise<Outbox>, runs: number): void {
  describe(`${name}: outbox`, () => {
    test("gives out the oldest first, each kind on its own, and no more than asked for", async () => {
      const outbox = await open();
      const parcels = [3, 1, 2].flatMap((number) => [alertParcel(number), metricsParcel(number)]);
      expect(await outbox.put(parcels)).toEqual({ kind: "kept" });
      expect(await outbox.pending("alert", 10)).toEqual([1, 2, 3].map(alertParcel));
      expect(await outbox.pending("metrics", 2)).toEqual([1, 2].map(metricsParcel));
      expect(await outbox.pending("metrics", 0)).toEqual([]);
    });

    test("a parcel that was put again is the first one, and a delivered one never comes back", async () => {
      const outbox = await open();
      const parcel = alertParcel(1);
      await outbox.put([parcel]);
      await outbox.put([{ ...parcel, alert: { ...parcel.alert, body: "other words" } }]);
      expect(await outbox.pending("alert", 10)).toEqual([parcel]);
      await outbox.markDelivered(parcel);
      await outbox.markDelivered(parcel);
      await outbox.markDelivered(alertParcel(9));
      await outbox.put([parcel]);
      expect(await outbox.pending("alert", 10)).toEqual([]);
    });

    test("more than a hundred wait and leave one after the other", async () => {
      const outbox = await open();
      const parcels = Array.from({ length: 130 }, (_, number) => metricsParcel(number));
      await outbox.put(parcels);
      expect(await outbox.pending("metrics", 1_000)).toEqual(parcels);
    });

    test("holds what was put and not delivered, after any order of both", async () => {
      const step = fc.record({ number: fc.nat(5), isPut: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const outbox = await open();
          const [known, waiting] = [new Set<number>(), new Set<number>()];
          for (const { number, isPut } of steps) {
            if (isPut) {
              await outbox.put([alertParcel(number)]);
              if (!known.has(number)) waiting.add(number);
              known.add(number);
            } else {
              await outbox.markDelivered(alertParcel(number));
              waiting.delete(number);
            }
          }
          const expected = [...waiting].toSorted((one, other) => one - other).map(alertParcel);
          expect(await outbox.pending("alert", 100)).toEqual(expected);
        }),
        { numRuns: runs },
      );
    });
  });
}
