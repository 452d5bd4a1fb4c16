// What a random sample of a cohort finds: how large it has to be, and what it may miss.

import { api } from "../contract/endpoints.ts";
import { formatCount } from "../text.ts";
import { diffyRule } from "./judge.ts";

const confidence = 0.95;

/** How many of so many pairs have to differ until the rule reports it, where V1 does not vary by itself. */
const reportedFrom = (size: number) =>
  Math.max(diffyRule.minDifferences, Math.floor((size * diffyRule.absolutePercent) / 100) + 1);

/** The probability that a sample has fewer differences than are reported, where a share of all passports differs (Poisson). */
function missProbability(size: number, share: number): number {
  const mean = size * share;
  let term = Math.exp(-mean);
  let sum = 0;
  for (let found = 0; found < reportedFrom(size); found++) {
    sum += term;
    term *= mean / (found + 1);
  }
  return sum;
}

/** The smallest share that `sampleSize` is made for. For a smaller one, the rule would need ever more differences. */
export const minDetectPercent = 0.1;

/** So many passports show what differs in `percent` of all of them. */
export function sampleSize(percent: number): number {
  let size: number = diffyRule.minPairs;
  while (missProbability(size, percent / 100) > 1 - confidence) size++;
  return size;
}

/** The smallest share of passports, in percent, whose difference a sample of this size shows. */
export function detectablePercent(size: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (missProbability(size, middle) <= 1 - confidence) high = middle;
    else low = middle;
  }
  return 100 * high;
}

/** The probability of at most `found` in a random sample of `size`, where a share of all differs. */
function chanceOfAtMost(found: number, size: number, share: number): number {
  if (share >= 1) return found >= size ? 1 : 0;
  let term = (1 - share) ** size;
  let sum = 0;
  for (let count = 0; count <= found; count++) {
    sum += term;
    term *= ((size - count) / (count + 1)) * (share / (1 - share));
  }
  return sum;
}

/** At most so many of all differ, with 95 % confidence, where `found` of a random sample do: one-sided, after Clopper and Pearson. */
export function upperBound({
  found,
  compared,
  passports,
}: {
  found: number;
  compared: number;
  passports: number;
}): number {
  if (found >= compared) return passports;
  let [low, high] = [found / compared, 1];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (chanceOfAtMost(found, compared, middle) <= 1 - confidence) high = middle;
    else low = middle;
  }
  return Math.min(passports, Math.ceil(high * passports));
}

/** `compared` of `passports` in a random sample. Fewer than the rule needs for a field find nothing. */
export function describeSample({ passports, compared }: { passports: number; compared: number }): string {
  const { many } = api.sample.nouns;
  const sample = `A random sample of ${formatCount(compared)} of ${formatCount(passports)} ${many}`;
  if (compared < diffyRule.minPairs) return `${sample} is too small to find differences.`;
  const percent = detectablePercent(compared);
  const affected = Math.ceil((passports * percent) / 100);
  return `${sample} finds what differs in at least ${Number(percent.toPrecision(2))} % of them (${formatCount(affected)}) with ${100 * confidence} % probability, unless V1 varies there by itself. It may miss what is rarer: where none of them differs, at most ${formatCount(upperBound({ found: 0, compared, passports }))} of all do (${100 * confidence} %, one-sided).`;
}
