// The contract of the outbox port, run by the tests of each implementation.

import { describe, expect, test } from "vitest";
import type { Outbox } from "../../../lib/ports.ts";
import { fc } from "../../random.ts";
import { alertMessage, metricsMessage } from "../samples.ts";

export function describeOutbox(name: string, open: () => Outbox | Promise<Outbox>, runs: number): void {
  describe(`${name}: outbox`, () => {
    test("returns the oldest messages of one kind first, up to the limit", async () => {
      const outbox = await open();
      const messages = [3, 1, 2].flatMap((number) => [alertMessage(number), metricsMessage(number)]);
      expect(await outbox.put(messages)).toEqual({ kind: "kept" });
      expect(await outbox.pending("alert", 10)).toEqual([1, 2, 3].map(alertMessage));
      expect(await outbox.pending("metrics", 2)).toEqual([1, 2].map(metricsMessage));
      expect(await outbox.pending("metrics", 0)).toEqual([]);
    });

    test("ignores a message with a known id, and never returns a delivered message again", async () => {
      const outbox = await open();
      const message = alertMessage(1);
      await outbox.put([message]);
      await outbox.put([{ ...message, alert: { ...message.alert, text: "another text" } }]);
      expect(await outbox.pending("alert", 10)).toEqual([message]);
      await outbox.markDelivered(message);
      await outbox.markDelivered(message);
      await outbox.markDelivered(alertMessage(9));
      await outbox.put([message]);
      expect(await outbox.pending("alert", 10)).toEqual([]);
    });

    test("returns more than a hundred pending messages in order", async () => {
      const outbox = await open();
      const messages = Array.from({ length: 130 }, (_, number) => metricsMessage(number));
      await outbox.put(messages);
      expect(await outbox.pending("metrics", 1_000)).toEqual(messages);
    });

    test("contains what was put and not delivered, after any sequence of both", async () => {
      const step = fc.record({ number: fc.nat(5), isPut: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const outbox = await open();
          const [known, pending] = [new Set<number>(), new Set<number>()];
          for (const { number, isPut } of steps) {
            if (isPut) {
              await outbox.put([alertMessage(number)]);
              if (!known.has(number)) pending.add(number);
              known.add(number);
            } else {
              await outbox.markDelivered(alertMessage(number));
              pending.delete(number);
            }
          }
          const expected = [...pending].toSorted((a, b) => a - b).map(alertMessage);
          expect(await outbox.pending("alert", 100)).toEqual(expected);
        }),
        { numRuns: runs },
      );
    });
  });
}
