import { expect, test } from "vitest";
import { killWriters } from "./kills.ts";
import { repeatTicks } from "./repeated-ticks.ts";

/** `node bench/prove.ts kills` makes 2,000. */
const kills = 40;

test(`The store keeps every confirmed row and opens again after each of ${kills} kill -9 during writes`, async () => {
  const { confirmed, faults } = await killWriters(kills);
  expect(faults).toEqual([]);
  expect(confirmed).toBeGreaterThan(kills);
}, 120_000);

test("3,000 repeated and reordered ticks add no row and no alert", async () => {
  const { ticks, alerts, faults } = await repeatTicks(3_000, Number(process.env.V1WATCH_SEED ?? 1));
  expect(faults).toEqual([]);
  expect(ticks).toBeGreaterThan(3_000);
  expect(alerts).toBeGreaterThan(2);
});
