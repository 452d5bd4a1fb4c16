import { describe, expect, test } from "vitest";
import { type JumpResult, jumps, listJumpAlerts, playJumps } from "./clock-jumps.ts";

describe("a clock that jumps", () => {
  let played: Promise<JumpResult[]> | undefined;
  // All of them are played by `node bench/prove.ts clock`.
  const some = jumps.filter(({ isInTests }) => isInTests);
  const results = () => (played ??= playJumps(some));

  test.each(some.map(({ name }, index) => [name, index] as const))(
    "A clock that jumps (%s) loses no observation, sends at most two messages and their ends beside V1's fault, and that is reported",
    async (name, index) => {
      const result = (await results())[index]!;
      expect(result.name).toBe(name);
      expect(result.lost).toBe(0);
      expect(result.made).toBeGreaterThan(10);
      expect(result.isFaultReported).toBe(true);
      const ids = listJumpAlerts(result).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length, ids.join()).toBeLessThanOrEqual(2);
    },
  );

  test("A clock that jumps is reported once, and not where the clock differs by two minutes", async () => {
    for (const { name, alerts, clockProblem, heldBack } of await results()) {
      const events = alerts.filter(({ id }) => id.startsWith("clock-")).map(({ event }) => event);
      expect(events.filter((event) => event === "opened").length, name).toBe(
        clockProblem === undefined ? 0 : 1,
      );
      expect(["", "opened", "opened,resolved"], name).toContain(events.join());
      expect(clockProblem === undefined, name).toBe(name === "2 minutes ahead");
      expect(heldBack > 0, name).toBe(name === "a start in 1970");
    }
  });
});
