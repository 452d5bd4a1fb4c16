// A clock that is wrong for a while: random jumps in random histories of V1.
import { expect, test } from "vitest";
import { fc, runs } from "../random.ts";
import { anyHistory, anyHistoryWithStarts, findFaults, ofV1, play } from "./wrong-clock.ts";

const summarise = (played: Parameters<typeof ofV1>[0]) =>
  ofV1(played).map(({ trueMs, alert }) => `${new Date(trueMs).toISOString()} ${alert.id} at ${alert.at}`);

test("Whatever the clock of the machine does for an hour, people get the messages that they would have got without it, at the same time", async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (history) => {
      const expected = await play({ ...history, jumps: [] });
      const played = await play(history);
      expect(summarise(played)).toEqual(summarise(expected));
      const ids = played.sent.map(({ alert }) => alert.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(played.announced).toEqual([]);
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});

test("A clock that is wrong at a start, and right later, ends nothing while V1 fails, and everything once, with an id of its own", async () => {
  await fc.assert(
    fc.asyncProperty(anyHistoryWithStarts, async ({ history, restarts }) => {
      const played = await play(history, { restarts });
      expect(findFaults(history, played), JSON.stringify(summarise(played), null, 2)).toEqual([]);
    }),
    { numRuns: runs(1), endOnFailure: true },
  );
});
