import { expect, test } from "vitest";
import { type Framing, watchFramings, worstFraming } from "./framings.ts";

// Many more and larger ones are drawn by `node bench/prove.ts framings`.
test("A body in chunks of one byte, and a compressed one in chunks of a few, stays within the memory of the prober's function", async () => {
  const plain: Framing = { ...worstFraming, bodyBytes: 700_000 };
  const compressed: Framing = { ...plain, chunkBytes: 7, encoding: "gzip", content: "noise" };
  const { watched, faults } = await watchFramings([plain, compressed]);
  expect(faults).toEqual([]);
  expect(watched?.outcomes).toEqual({ ok: 1, "bad-encoding utf-8": 1 });
});
