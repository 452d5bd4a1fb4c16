import { expect, test } from "vitest";
import { killWriters } from "./kills.ts";
import { repeatTicks } from "./repeated-ticks.ts";

/** `node bench/prove.ts kills` makes 2,000. */
const kills = 12;

test(`The store keeps every confirmed row and opens again after each of ${kills} kill -9 during writes`, async () => {
  const { confirmed, faults } = await killWriters(kills);
  expect(faults).toEqual([]);
  expect(confirmed).toBeGreaterThan(kills);
});

test("500 repeated and reordered ticks add no row and no alert", async () => {
  const { ticks, alerts, faults } = await repeatTicks(500, Number(process.env.V1WATCH_SEED ?? 1));
  expect(faults).toEqual([]);
  expect(ticks).toBeGreaterThan(500);
  expect(alerts).toBeGreaterThan(2);
});
