// What every outbox must do, whoever keeps it. Run by the tests of each adapter.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Outbox } from "../../../lib/ports.ts";
import { alertMessage, metricsMessage } from "../samples.ts";

export function describeOutbox(name: string, open: () => Outbox | Promise<Outbox>, runs: number): void {
  describe(`${name}: outbox`, () => {
    test("gives out the oldest first, each kind on its own, and no more than asked for", async () => {
      const outbox = await open();
      const messages = [3, 1, 2].flatMap((number) => [alertMessage(number), metricsMessage(number)]);
      expect(await outbox.put(messages)).toEqual({ kind: "kept" });
      expect(await outbox.pending("alert", 10)).toEqual([1, 2, 3].map(alertMessage));
      expect(await outbox.pending("metrics", 2)).toEqual([1, 2].map(metricsMessage));
      expect(await outbox.pending("metrics", 0)).toEqual([]);
    });

    test("a message that was put again is the first one, and a delivered one never comes back", async () => {
      const outbox = await open();
      const message = alertMessage(1);
      await outbox.put([message]);
      await outbox.put([{ ...message, alert: { ...message.alert, body: "other words" } }]);
      expect(await outbox.pending("alert", 10)).toEqual([message]);
      await outbox.markDelivered(message);
      await outbox.markDelivered(message);
      await outbox.markDelivered(alertMessage(9));
      await outbox.put([message]);
      expect(await outbox.pending("alert", 10)).toEqual([]);
    });

    test("more than a hundred wait and leave one after the other", async () => {
      const outbox = await open();
      const messages = Array.from({ length: 130 }, (_, number) => metricsMessage(number));
      await outbox.put(messages);
      expect(await outbox.pending("metrics", 1_000)).toEqual(messages);
    });

    test("holds what was put and not delivered, after any order of both", async () => {
      const step = fc.record({ number: fc.nat(5), isPut: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const outbox = await open();
          const [known, waiting] = [new Set<number>(), new Set<number>()];
          for (const { number, isPut } of steps) {
            if (isPut) {
              await outbox.put([alertMessage(number)]);
              if (!known.has(number)) waiting.add(number);
              known.add(number);
            } else {
              await outbox.markDelivered(alertMessage(number));
              waiting.delete(number);
            }
          }
          const expected = [...waiting].toSorted((one, other) => one - other).map(alertMessage);
          expect(await outbox.pending("alert", 100)).toEqual(expected);
        }),
        { numRuns: runs },
      );
    });
  });
}
