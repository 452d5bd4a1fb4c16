import { expect, test } from "vitest";
import { deliverForDays } from "./receivers-for-days.ts";

test.each([1, 2, 3])(
  "Receivers that are slow, refuse, accept by halves, go away and return get every message, in order, with few tries (seed %d)",
  async (seed) => {
    const { faults, tries, messages } = await deliverForDays(4, seed, 4);
    expect(faults).toEqual([]);
    expect(tries).toBeGreaterThan(messages);
  },
);
