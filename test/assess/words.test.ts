import * as fc from "fast-check";
import { expect, test } from "vitest";
import { count } from "../../lib/assess/words.ts";

test("a count is written as English writes it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -5_000, max: 5_000 })), (number) => {
      expect(count(number)).toBe(number.toLocaleString("en-US"));
    }),
  );
  expect(count(1234.5)).toBe("1,234.5");
});
