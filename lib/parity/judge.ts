// An aggregate → which fields differ beyond V1's own noise. The rule is that of Diffy: more often than
// the noise, by a relative and by an absolute margin.

import { type DifferenceKind, differenceKinds, type ParityAggregate } from "../records/parity.ts";

export type Rule = {
  minPairs: number;
  /** Of raw minus noise, to raw plus noise. */
  relativePercent: number;
  /** Of raw minus noise, to the pairs compared. */
  absolutePercent: number;
  /**
   * Where V1 never differed from itself, fewer may be a noise so rare that it did not show: at 3, such a
   * noise is taken for a difference in 5 of 100 comparisons at the most; at 1, in 25.
   */
  minDifferences: number;
};

export const diffyRule: Rule = {
  ...{ minPairs: 30, relativePercent: 20, absolutePercent: 0.03 },
  minDifferences: 3,
};

/**
 * Where V1 is noisy, two samples of the same noise differ by chance. Raw has to be beyond that by so
 * many standard deviations: at 3, one noisy field in 700 is reported wrongly.
 */
const chanceDeviations = 3;

export type Difference = {
  path: string;
  kind: DifferenceKind;
  compared: number;
  raw: number;
  noise: number;
  rawRate: number;
  noiseRate: number;
};

export type ParityVerdict = {
  verdict: "parity" | "differences" | "insufficient";
  pairs: number;
  /** Fields and lists of V1. */
  fields: number;
  /** The most frequent first. */
  differences: Difference[];
  /** Differences so few that they could be a rare noise; more pairs tell. */
  unsure: Difference[];
  /** Fields compared in too few pairs to say anything. */
  insufficient: { path: string; compared: number }[];
  /** Breaches of V2's own shape. */
  shape: { breach: string; answers: number }[];
};

export function judgeParity(aggregate: ParityAggregate, rule: Rule = diffyRule): ParityVerdict {
  const fields = Object.entries(aggregate.fields);
  const insufficient = fields
    .filter(([, { compared }]) => compared < rule.minPairs)
    .map(([path, { compared }]) => ({ path, compared }));
  const beyond = fields
    .filter(([, { compared }]) => compared >= rule.minPairs)
    .flatMap(([path, { compared, raw, noise }]) =>
      differenceKinds.map((kind): Difference => {
        const [seen, usual] = [raw[kind] ?? 0, noise[kind] ?? 0];
        const rates = { rawRate: seen / compared, noiseRate: usual / compared };
        return { path, kind, compared, raw: seen, noise: usual, ...rates };
      }),
    )
    .filter((difference) => isBeyondNoise(difference, rule))
    .sort((a, b) => b.rawRate - b.noiseRate - (a.rawRate - a.noiseRate) || (a.path < b.path ? -1 : 1));
  const isUnsure = ({ raw, noise }: Difference) => noise === 0 && raw < rule.minDifferences;
  const differences = beyond.filter((difference) => !isUnsure(difference));
  const unsure = beyond.filter(isUnsure);
  const shape = Object.entries(aggregate.shape).map(([breach, answers]) => ({ breach, answers }));
  const isEnough = aggregate.pairs >= rule.minPairs && fields.length > 0;
  const differs = differences.length > 0 || (isEnough && shape.length > 0);
  const isSure = isEnough && insufficient.length === 0 && unsure.length === 0;
  return {
    verdict: differs ? "differences" : isSure ? "parity" : "insufficient",
    pairs: aggregate.pairs,
    fields: fields.filter(([path]) => !path.startsWith("(")).length,
    differences,
    unsure,
    insufficient,
    shape,
  };
}

function isBeyondNoise({ raw, noise, compared, rawRate, noiseRate }: Difference, rule: Rule): boolean {
  const excess = raw - noise;
  const relativePercent = (100 * excess) / (raw + noise);
  const absolutePercent = (100 * excess) / compared;
  const deviation = Math.sqrt(compared * (rawRate * (1 - rawRate) + noiseRate * (1 - noiseRate)));
  const isByChance = noise > 0 && excess <= chanceDeviations * deviation;
  return relativePercent > rule.relativePercent && absolutePercent > rule.absolutePercent && !isByChance;
}
