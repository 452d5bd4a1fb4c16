// Judges which fields differ more than V1 differs from itself (noise). The rule is the one of Twitter's Diffy:
// the raw difference rate must exceed the noise rate by a relative and by an absolute margin.

import { endpoints, idsOf } from "../contract/endpoints.ts";
import {
  differenceKinds,
  type judgedKinds,
  type NumberCounts,
  type ParityAggregate,
} from "../records/parity.ts";

/** V1's path of the id of a record. */
export const identityPath = endpoints[idsOf("single")[0]!].recordId;

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
 * V2's numbers may put this many more of the record pairs in another order than a second read of V1 does; a tie is half of one. Where
 * a share p of the numbers has nothing to do with V1's, half of the pairs with one of them are in another order: (1 − (1 − p)²) / 2.
 */
const maxOtherOrder = 0.1;

/** By how much two shares of pairs in another order differ by chance, of so many records: that of Kendall's tau, halved. */
const orderDeviation = (records: number): number =>
  Math.sqrt((2 * 2 * (2 * records + 5)) / (9 * records * (records - 1))) / 2;

/** Where V1 keeps its order between two reads, chance explains nothing of V2's. */
function mostOtherOrder({ records, ranked, concordant, tied }: NumberCounts): number {
  const isNoisy = concordant.v1 + Math.floor((tied?.v1 ?? 0) / 2) < ranked;
  return isNoisy ? Math.max(maxOtherOrder, chanceDeviations * orderDeviation(records)) : maxOtherOrder;
}

/** The share of numbers that may have nothing to do with V1's until the order fails: 10.6 %, and more where V1's few numbers vary. */
export const unnoticedRandomShare = (numbers: NumberCounts): number =>
  1 - Math.sqrt(Math.max(0, 1 - 2 * mostOtherOrder(numbers)));

/** At most so many of the passports that differ rarely are read again. */
export const maxReadAgain = 200;

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
  person: "another person's record",
  repeated: "the id of another record",
};

export type ParityVerdict = {
  verdict: "parity" | "differences" | "insufficient";
  pairs: number;
  /** Number of compared V1 fields and lists. */
  fields: number;
  /** Sorted by frequency, highest first. */
  differences: Difference[];
  /** Seen too rarely to rule out chance, and not read again. */
  unsure: Difference[];
  /** Seen, and gone when the same passports were read again at least an hour later. */
  gone: Difference[];
  /** Seen as often as V1 differs from itself. */
  varying: Difference[];
  /** Fields compared in fewer than `minPairs` pairs, and in how many of them they differ. */
  insufficient: { path: string; compared: number; differing: number }[];
  /** Violations of V2's own shape. */
  shape: { breach: string; answers: number }[];
};

type FieldCounts = ParityAggregate["fields"][string];
type Standing = "differences" | "unsure" | "gone" | "varying";

/** Every difference that was seen is in one of the lists. */
export function judgeParity(aggregate: ParityAggregate): ParityVerdict {
  const fields = Object.entries(aggregate.fields);
  const insufficient = fields
    .filter(([, { compared }]) => compared < diffyRule.minPairs)
    .map(([path, { compared, raw }]) => ({ path, compared, differing: Math.min(compared, sumOf(raw)) }));
  const seen = fields
    .filter(([, { compared }]) => compared >= diffyRule.minPairs)
    .flatMap(([path, field]) =>
      differenceKinds.flatMap((kind) => {
        const { compared, raw, noise } = field;
        const [rawCount, noiseCount] = [raw[kind] ?? 0, noise[kind] ?? 0];
        if (rawCount === 0) return [];
        const difference = differenceOf(path, kind, { compared, raw: rawCount, noise: noiseCount });
        return [{ difference, standing: findStanding(difference, field) }];
      }),
    )
    .concat(
      [...fields.flatMap(([path, field]) => findOtherRank(path, field)), ...findOtherPeople(aggregate)].map(
        (difference) => ({ difference, standing: findStanding(difference) }),
      ),
    )
    .sort(({ difference: a }, { difference: b }) => excessOf(b) - excessOf(a) || (a.path < b.path ? -1 : 1));
  const listed = (wanted: Standing) =>
    seen.flatMap(({ difference, standing }) => (standing === wanted ? [difference] : []));
  const [differences, unsure] = [listed("differences"), listed("unsure")];
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
    gone: listed("gone"),
    varying: listed("varying"),
    insufficient,
    shape,
  };
}

const sumOf = (counts: Partial<Record<string, number>>) =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);

const excessOf = ({ rawRate, noiseRate }: Difference) => rawRate - noiseRate;

const differenceOf = (
  path: string,
  kind: Difference["kind"],
  { compared, raw, noise }: Pick<Difference, "compared" | "raw" | "noise">,
): Difference => ({
  path,
  kind,
  compared,
  raw,
  noise,
  rawRate: raw / compared,
  noiseRate: noise / compared,
});

/** Where V1 never differed from itself, what is rare is a doubt until the same passports are read again. */
function findStanding(difference: Difference, field?: FieldCounts): Standing {
  const { kind, raw, noise } = difference;
  if (kind === "rank") return "differences";
  const isRare = noise === 0 && raw < diffyRule.minDifferences;
  if (isBeyondNoise(difference) && !isRare) return "differences";
  if (noise > 0) return "varying";
  const { again } = field ?? {};
  if (!field || !again) return "unsure";
  if (again.differ > 0) return "differences";
  return again.read >= Math.min(maxReadAgain, sumOf(field.raw)) ? "gone" : "unsure";
}

/** The differences that are to be read again: the fields that differ too rarely to rule out chance. */
export const listRare = (aggregate: ParityAggregate): string[] => [
  ...new Set(judgeParity(aggregate).unsure.map(({ path }) => path)),
];

/** Identity counts whatever else is compared. */
function findOtherPeople({ identity }: ParityAggregate): Difference[] {
  if (!identity) return [];
  const { named, others, ids, repeated } = identity;
  const of = (kind: "person" | "repeated", compared: number, raw: number) =>
    raw === 0 || compared < diffyRule.minPairs
      ? []
      : [differenceOf(identityPath, kind, { compared, raw, noise: 0 })];
  return [...of("person", named, others), ...of("repeated", ids, repeated)];
}

function findOtherRank(path: string, { numbers }: FieldCounts): Difference[] {
  if (!numbers || numbers.records < diffyRule.minPairs || numbers.ranked === 0) return [];
  const { ranked: compared, concordant, tied = { v1: 0, v2: 0 } } = numbers;
  const [raw, noise] = [
    compared - concordant.v2 - Math.floor(tied.v2 / 2),
    compared - concordant.v1 - Math.floor(tied.v1 / 2),
  ];
  const difference = differenceOf(path, "rank", { compared, raw, noise });
  return excessOf(difference) > mostOtherOrder(numbers) ? [difference] : [];
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
