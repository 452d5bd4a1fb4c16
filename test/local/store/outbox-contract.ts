// The contract of the outbox port, run by the tests of each implementation.

import { describe, expect, test } from "vitest";
import type { Outbox } from "../../../lib/ports.ts";
import { fc } from "../../random.ts";
import { acceptAlerts, markDelivered, pendingIn } from "../receivers.ts";
import { alertMessage } from "../samples.ts";

const queue = acceptAlerts();

export function describeOutbox(name: string, openEmpty: () => Outbox | Promise<Outbox>, runs: number): void {
  const open = async () => {
    const outbox = await openEmpty();
    await outbox.subscribe([queue]);
    return outbox;
  };

  describe(`${name}: outbox`, () => {
    test("The outbox returns the oldest messages first, up to the limit", async () => {
      const outbox = await open();
      expect(await outbox.put([3, 1, 2].map(alertMessage))).toEqual({ kind: "kept" });
      expect(await pendingIn(outbox, 10)).toEqual([1, 2, 3].map(alertMessage));
      expect(await pendingIn(outbox, 2)).toEqual([1, 2].map(alertMessage));
      expect(await pendingIn(outbox, 0)).toEqual([]);
    });

    test("The outbox ignores a message with a known id, and never returns a delivered message again", async () => {
      const outbox = await open();
      const message = alertMessage(1);
      await outbox.put([message]);
      await outbox.put([{ ...message, alert: { ...message.alert, sections: [] } }]);
      expect(await pendingIn(outbox, 10)).toEqual([message]);
      await markDelivered(outbox, message);
      await markDelivered(outbox, message);
      await markDelivered(outbox, alertMessage(9));
      await outbox.put([message]);
      expect(await pendingIn(outbox, 10)).toEqual([]);
    });

    test("The outbox knows the number of the latest end of an incident, delivered or not, whatever was put after it", async () => {
      const outbox = await open();
      const messageOf = (id: string, event: "opened" | "resolved") => {
        const { alert } = alertMessage(1);
        return { id, kind: "alert", alert: { ...alert, id, event } } as const;
      };
      expect(await outbox.lastEnd("down-1")).toBe(0);
      const end = messageOf("down-1/2-resolved", "resolved");
      await outbox.put([
        messageOf("down-1/1-opened", "opened"),
        end,
        messageOf("down-10/9-resolved", "resolved"),
      ]);
      await markDelivered(outbox, end);
      expect(await outbox.lastEnd("down-1")).toBe(2);
      await outbox.put([
        messageOf("down-1/10-resolved", "resolved"),
        messageOf("down-1/11-opened", "opened"),
      ]);
      expect(await outbox.lastEnd("down-1")).toBe(10);
    });

    test("The outbox never returns a delivered message again when its try is recorded as failed afterwards", async () => {
      const outbox = await open();
      const message = alertMessage(1);
      await outbox.put([message]);
      await markDelivered(outbox, message);
      for (const state of ["waiting", "set-aside"] as const)
        await outbox.record(message, queue, {
          state,
          tries: 1,
          atMs: 1_000,
          nextTryMs: 0,
          why: "error",
        });
      expect(await pendingIn(outbox, 10)).toEqual([]);
      expect(await outbox.status(queue)).toMatchObject({ waiting: 0, setAside: [] });
    });

    test("The outbox keeps the tries of a message, and names a message that is set aside without returning it", async () => {
      const outbox = await open();
      await outbox.put([alertMessage(1), alertMessage(2)]);
      for (const tries of [1, 2])
        await outbox.record(alertMessage(1), queue, {
          state: "waiting",
          tries,
          atMs: tries * 1_000,
          nextTryMs: 5_000,
          why: "status 503",
        });
      expect(await outbox.pending(queue, 10)).toEqual([
        { message: alertMessage(1), tries: 2, nextTryMs: 5_000 },
        { message: alertMessage(2), tries: 0, nextTryMs: 0 },
      ]);
      expect(await outbox.status(queue)).toEqual({
        waiting: 2,
        failing: { since: "1970-01-01T00:00:01.000Z", why: "status 503" },
        setAside: [],
      });
      expect(await outbox.undelivered()).toEqual({
        count: 2,
        oldestMs: Date.parse(alertMessage(1).alert.at),
      });
      const gone = { state: "set-aside", tries: 3, atMs: 9_000, why: "status 400" } as const;
      await outbox.record(alertMessage(1), queue, gone);
      await markDelivered(outbox, alertMessage(2));
      await outbox.put([alertMessage(1)]);
      expect(await outbox.pending(queue, 10)).toEqual([]);
      expect(await outbox.status(queue)).toMatchObject({
        waiting: 0,
        setAside: [{ id: alertMessage(1).id, at: "1970-01-01T00:00:09.000Z", why: "status 400" }],
      });
    });

    test("The outbox returns more than a hundred pending messages in order", async () => {
      const outbox = await open();
      const messages = Array.from({ length: 130 }, (_, number) => alertMessage(number));
      await outbox.put(messages);
      expect(await pendingIn(outbox, 1_000)).toEqual(messages);
    });

    test("The outbox contains what was put and not delivered, after any sequence of both", async () => {
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
              await markDelivered(outbox, alertMessage(number));
              pending.delete(number);
            }
          }
          const expected = [...pending].toSorted((a, b) => a - b).map(alertMessage);
          expect(await pendingIn(outbox, 100)).toEqual(expected);
        }),
        { numRuns: runs },
      );
    });
  });
}
