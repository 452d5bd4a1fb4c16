import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { formatCount, listSome, percent, plural, shellQuoted, shellWord } from "../lib/text.ts";
import { fc } from "./random.ts";

test("A count is written with English thousands separators", () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -5_000, max: 5_000 })), (number) => {
      expect(formatCount(number)).toBe(number.toLocaleString("en-US"));
    }),
  );
  expect(formatCount(1234.5)).toBe("1,234.5");
});

test("A shell reads a quoted text as one word, as it is", () => {
  const texts = fc.sample(
    fc.array(fc.constantFrom("a", " ", "'", '"', "$(x)", "`x`", "\\", "\n", "*", ";", "~", "-", "é"), {
      minLength: 1,
    }),
    { numRuns: 100, seed: 1 },
  );
  const words = texts.map((parts) => parts.join(""));
  for (const quote of [shellQuoted, shellWord]) {
    const { stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${words.map(quote).join(" ")}`], {
      encoding: "utf8",
    });
    expect(stdout.split("\0").slice(0, -1)).toEqual(words);
  }
  expect(shellWord("/var/lib/v1watch/watch.db")).toBe("/var/lib/v1watch/watch.db");
});

test("A list names four, and counts the others", () => {
  expect(listSome(["a", "b", "c", "d"])).toBe("a, b, c, d");
  expect(listSome(["a", "b", "c", "d", "e"])).toBe("a, b, c, d and 1 more");
});

test.each([
  [0, "0 %"],
  [0.00001, "0.01 %"],
  [0.0004, "0.04 %"],
  [0.01, "1 %"],
  [0.125, "12.5 %"],
  [0.5, "50 %"],
  [0.99, "99 %"],
  [399 / 400, "99.75 %"],
  [0.99999, "99.99 %"],
  [1, "100 %"],
])("A share of %d is written as %s, and only shares of 0 and 1 as none and all", (share, text) => {
  expect(percent(share)).toBe(text);
});

test("One is singular, and every other number is plural", () => {
  expect([0, 1, 2_000].map((number) => plural(number, "check"))).toEqual([
    "0 checks",
    "1 check",
    "2,000 checks",
  ]);
  expect(plural(2, "is", "are")).toBe("2 are");
});
