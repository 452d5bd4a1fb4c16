import { expect, test } from "vitest";
import { readBackOddBodies } from "./odd-bodies.ts";

/** `node bench/soak-store.ts bodies` makes 20,000. */
const bodies = 400;

test(`${bodies} responses with odd dates and values are observed, stored and read again on SQLite and on DynamoDB`, async () => {
  const { faults } = await readBackOddBodies(bodies, Number(process.env.V1WATCH_SEED ?? 1));
  expect(faults).toEqual([]);
});
