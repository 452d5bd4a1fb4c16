// Three laws of what people hear of failures: heard-and-ended.ts.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fc, runs } from "../random.ts";
import { auditAllFacts } from "./fact-auditor.ts";
import { anyHistory, findOpen, findUnheard, type History, mostInADay, play } from "./heard-and-ended.ts";

/** Found by seeds that `npm test` does not draw. They name outcomes by their places. */
const onceUnheard: History[] = JSON.parse(
  readFileSync(new URL("once-unheard.json", import.meta.url), "utf8"),
);

describe("what people hear of failures", () => {
  const options = { numRuns: runs(15), endOnFailure: true };

  test("Whatever is bad in every check for hours was told since it began", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(findUnheard(play(history))).toEqual([]);
      }),
      options,
    );
  });

  test.each(onceUnheard.map((one, index) => ({ one, index })))(
    "A history that once broke one of the laws keeps all three ($index)",
    ({ one }) => {
      const watched = play(one);
      expect(findUnheard(watched)).toEqual([]);
      expect(findOpen(watched)).toEqual([]);
      expect(mostInADay(watched.told)).toBeLessThanOrEqual(16);
    },
  );

  test("Whatever is good in every check for hours is over", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(findOpen(play(history))).toEqual([]);
      }),
      options,
    );
  });

  test("The rows of every message are those of the log of checks", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { alerts, observations } = play(history);
        expect(auditAllFacts(alerts, observations)).toEqual([]);
      }),
      options,
    );
  });

  test("No 24 hours have more than 16 messages about failures", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(mostInADay(play(history).told)).toBeLessThanOrEqual(16);
      }),
      options,
    );
  });
});
