import { expect, test } from "vitest";
import { groupTicks, tickOf } from "../../lib/assess/fold.ts";
import { hourMs } from "./observation-builder.ts";
import { watch } from "./timeline.ts";

const startMs = Date.parse("2026-03-02T00:00:00Z");

test("ticks come in the order of time, whatever the order of their observations", () => {
  const observations = watch(startMs, startMs + 6 * hourMs, []);
  const inOrder = groupTicks(observations).map((tick) => tickOf(tick[0]!));
  const backwards = groupTicks(observations.toReversed()).map((tick) => tickOf(tick[0]!));
  expect(backwards).toEqual(inOrder);
  expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
  expect(inOrder).toHaveLength(12);
});

test("an id without a readable tick falls back to the time of the observation", () => {
  expect(tickOf({ id: "passport/keyed/some-day", at: "2026-03-02T00:00:00.000Z" })).toBe(startMs);
});
