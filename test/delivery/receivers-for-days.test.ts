import { expect, test } from "vitest";
import { deliverForDays } from "./receivers-for-days.ts";

/** `node bench/prove.ts receivers` plays 20 days. */
test("Receivers that are slow, refuse, accept by halves, go away and return get every message, in order, with few tries", async () => {
  const seed = Number(process.env.V1WATCH_SEED ?? 1);
  const { faults, tries, messages } = await deliverForDays(4, seed, 4);
  expect(faults).toEqual([]);
  expect(tries).toBeGreaterThan(messages);
});
