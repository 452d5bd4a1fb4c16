// Judges which fields differ more than V1 differs from itself (noise). The rule is the one of Twitter's Diffy:
// the raw difference rate must exceed the noise rate by a relative and by an absolute margin.

import { differenceKinds, type judgedKinds, type ParityAggregate } from "../records/parity.ts";

export const diffyRule = {
  minPairs: 30,
  /** Threshold for (raw − noise) / (raw + noise). */
  relativePercent: 20,
  /** Threshold for (raw − noise) / compared pairs. */
  absolutePercent: 0.03,
  /**
   * If V1 never differed from itself, fewer raw differences than this may be rare noise. With 3, rare noise is
   * reported as a difference in at most 5 % of comparisons; with 1, in up to 25 %.
   */
  minDifferences: 3,
} as const;

/**
 * If V1 is noisy, two samples of the same noise differ by chance. The raw count must exceed the noise count by
 * this many standard deviations; with 3, about 1 in 700 noisy fields is a false positive.
 */
const chanceDeviations = 3;

/**
 * V2's numbers may put this many more of the record pairs in another order than a second read of V1 does. Numbers that have
 * nothing to do with V1's put half of them in another order; with 30 records, less than a third by chance in 1 of 200 cases.
 */
const maxOtherOrder = 1 / 3;

export type Difference = {
  path: string;
  kind: (typeof judgedKinds)[number];
  compared: number;
  raw: number;
  noise: number;
  rawRate: number;
  noiseRate: number;
};

export const kindLabels: Record<Difference["kind"], string> = {
  missing: "not in V2",
  type: "type differs",
  value: "value differs",
  zero: "0 in V2 only",
  size: "length differs",
  order: "order differs",
  rank: "records in another order",
};

export type ParityVerdict = {
  verdict: "parity" | "differences" | "insufficient";
  pairs: number;
  /** Number of compared V1 fields and lists. */
  fields: number;
  /** Sorted by frequency, highest first. */
  differences: Difference[];
  /** Too few differences to rule out rare noise; more pairs are needed. */
  unsure: Difference[];
  /** Fields compared in fewer than `minPairs` pairs. */
  insufficient: { path: string; compared: number }[];
  /** Violations of V2's own shape. */
  shape: { breach: string; answers: number }[];
};

export function judgeParity(aggregate: ParityAggregate): ParityVerdict {
  const fields = Object.entries(aggregate.fields);
  const insufficient = fields
    .filter(([, { compared }]) => compared < diffyRule.minPairs)
    .map(([path, { compared }]) => ({ path, compared }));
  const beyondNoise = fields
    .filter(([, { compared }]) => compared >= diffyRule.minPairs)
    .flatMap(([path, { compared, raw, noise }]) =>
      differenceKinds.map((kind): Difference => {
        const [rawCount, noiseCount] = [raw[kind] ?? 0, noise[kind] ?? 0];
        const rates = { rawRate: rawCount / compared, noiseRate: noiseCount / compared };
        return { path, kind, compared, raw: rawCount, noise: noiseCount, ...rates };
      }),
    )
    .filter(isBeyondNoise)
    .concat(fields.flatMap(([path, field]) => findOtherRank(path, field)))
    .sort((a, b) => b.rawRate - b.noiseRate - (a.rawRate - a.noiseRate) || (a.path < b.path ? -1 : 1));
  const isUnsure = ({ raw, noise }: Difference) => noise === 0 && raw < diffyRule.minDifferences;
  const differences = beyondNoise.filter((difference) => !isUnsure(difference));
  const unsure = beyondNoise.filter(isUnsure);
  const shape = Object.entries(aggregate.shape).map(([breach, answers]) => ({ breach, answers }));
  const hasEnoughPairs = aggregate.pairs >= diffyRule.minPairs && fields.length > 0;
  const hasDifferences = differences.length > 0 || (hasEnoughPairs && shape.length > 0);
  const isConclusive = hasEnoughPairs && insufficient.length === 0 && unsure.length === 0;
  return {
    verdict: hasDifferences ? "differences" : isConclusive ? "parity" : "insufficient",
    pairs: aggregate.pairs,
    fields: fields.filter(([path]) => !path.startsWith("(")).length,
    differences,
    unsure,
    insufficient,
    shape,
  };
}

function findOtherRank(path: string, { numbers }: ParityAggregate["fields"][string]): Difference[] {
  if (!numbers || numbers.records < diffyRule.minPairs || numbers.ranked === 0) return [];
  const { ranked: compared, concordant } = numbers;
  const [raw, noise] = [compared - concordant.v2, compared - concordant.v1];
  const [rawRate, noiseRate] = [raw / compared, noise / compared];
  if (rawRate - noiseRate <= maxOtherOrder) return [];
  return [{ path, kind: "rank", compared, raw, noise, rawRate, noiseRate }];
}

function isBeyondNoise({ raw, noise, compared, rawRate, noiseRate }: Difference): boolean {
  const excess = raw - noise;
  const relativePercent = (100 * excess) / (raw + noise);
  const absolutePercent = (100 * excess) / compared;
  const deviation = Math.sqrt(compared * (rawRate * (1 - rawRate) + noiseRate * (1 - noiseRate)));
  const isWithinChance = noise > 0 && excess <= chanceDeviations * deviation;
  return (
    relativePercent > diffyRule.relativePercent &&
    absolutePercent > diffyRule.absolutePercent &&
    !isWithinChance
  );
}
