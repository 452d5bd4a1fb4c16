// What a random sample of a cohort is said to find, against the rule that judges a comparison.
import { expect, test } from "vitest";
import { judgeParity } from "../../lib/parity/judge.ts";
import { describeSample, detectablePercent, sampleSize, upperBound } from "../../lib/parity/sample.ts";
import { emptyParity } from "../../lib/records/parity.ts";

test("A sample is large enough to show what differs in a share of all passports with 95 % probability", () => {
  expect([0.1, 1, 100].map(sampleSize)).toEqual([6_296, 630, 30]);
  expect(detectablePercent(6_296)).toBeCloseTo(0.1, 4);
  // The binomial distribution, without the approximation: fewer than 3 of 6,296 at 0.1 %.
  const [n, p] = [6_296, 0.001];
  const missed =
    (1 - p) ** n + n * p * (1 - p) ** (n - 1) + ((n * (n - 1)) / 2) * p ** 2 * (1 - p) ** (n - 2);
  expect(missed).toBeLessThanOrEqual(0.05);
});

/** How many of so many pairs have to differ until the rule reports the field. */
function countReported(pairs: number): number {
  for (let raw = 1; ; raw++) {
    const field = { compared: pairs, raw: { value: raw }, noise: {} };
    if (judgeParity({ ...emptyParity(), pairs, fields: { field } }).differences.length > 0) return raw;
  }
}

test.each([30, 6_296, 9_999, 10_000, 100_000, 1_000_000])(
  "Of %i pairs, the share that a sample is said to show is reported in 95 of 100 samples",
  (pairs) => {
    const mean = (pairs * detectablePercent(pairs)) / 100;
    let term = Math.exp(-mean);
    let missed = 0;
    for (let found = 0; found < countReported(pairs); found++) {
      missed += term;
      term *= mean / (found + 1);
    }
    expect(missed).toBeCloseTo(0.05, 6);
  },
);

test("The text of a sample says what it finds and that it may miss what is rarer", () => {
  expect(describeSample({ passports: 1_000_000, compared: 6_296 })).toBe(
    "A random sample of 6,296 of 1,000,000 passports finds what differs in at least 0.1 % of them (1,000) with 95 % probability, unless V1 varies there by itself. It may miss what is rarer: where none of them differs, at most 476 of all do (95 %, one-sided).",
  );
  expect(describeSample({ passports: 1_000_000, compared: 29 })).toBe(
    "A random sample of 29 of 1,000,000 passports is too small to find differences.",
  );
});

test("The upper bound of what differs in all is that of Clopper and Pearson, one-sided", () => {
  const of = (found: number) => upperBound({ found, compared: 6_667, passports: 3_000_000 });
  expect([of(0), of(2)]).toEqual([1_348, 2_833]);
  expect(upperBound({ found: 5, compared: 5, passports: 60 })).toBe(60);
});
