import { expect, test } from "vitest";
import { maxBodyBytes, watchFramings, worstFraming } from "./framings.ts";

// Many more of them are drawn by `node bench/soak-responses.ts framings`.
test("a body of 2 MiB in chunks of one byte, plain or compressed, stays within the memory of the prober's function", async () => {
  const compressed = {
    ...worstFraming,
    encoding: "gzip",
    content: "noise",
    bodyBytes: 0.99 * maxBodyBytes,
  } as const;
  const { watched, faults } = await watchFramings([worstFraming, compressed]);
  expect(faults).toEqual([]);
  expect(watched?.outcomes).toEqual({ ok: 1, "bad-encoding utf-8": 1 });
});
