// Three laws of what people hear of failures: heard-and-ended.ts.
import { describe, expect, test } from "vitest";
import { fc, runs } from "../random.ts";
import { anyHistory, findOpen, findUnheard, mostInADay, play } from "./heard-and-ended.ts";

describe("what people hear of failures", () => {
  const options = { numRuns: runs(30), endOnFailure: true };

  test("Whatever is bad in every check for hours was told since it began", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(findUnheard(play(history))).toEqual([]);
      }),
      options,
    );
  });

  test("Whatever is good in every check for hours is over", () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(findOpen(play(history))).toEqual([]);
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
