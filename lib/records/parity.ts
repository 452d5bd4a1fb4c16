// The stored result of a comparison of V1 with V2: paths, kinds and counts. It contains no values and no ids.
import * as z from "zod";

/** `zero`: of a number that is compared by type only, 0 in V2 and another number in V1. */
export const differenceKinds = ["missing", "type", "value", "zero", "size", "order"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];
/** `rank`: V2's numbers put the records in another order than V1's, counted by pairs of records. */
export const judgedKinds = [...differenceKinds, "rank"] as const;

const count = z.int().nonnegative();
const kindCounts = z.partialRecord(z.enum(differenceKinds), count);

/** What is known about the values of a number that is compared by type only. All of it adds up. */
export const numberCounts = z.strictObject({
  /** Records for which both versions have a number, and for how many of them it is 0. */
  records: count,
  zeros: z.strictObject({ v1: count, v2: count }),
  /** Two records of a batch whose numbers differ in V1, and how many of these a second read of V1, and V2, put in the same order. */
  ranked: count,
  concordant: z.strictObject({ v1: count, v2: count }),
});
export type NumberCounts = z.infer<typeof numberCounts>;

/** The counts of one or more batches. Merging adds them, so batches can be merged in any order and grouping. */
export const parityAggregate = z.strictObject({
  schema: z.literal("v1watch/parity/1"),
  /** Number of passports for which V1 was read twice and V2 once. */
  pairs: count,
  /** Number of passports that could not be compared, by reason. */
  skipped: z.record(z.string().max(60), count),
  requests: z.strictObject({ v1: count, v2: count }),
  fields: z.record(
    /** A V1 path, or an endpoint such as `(profile)` for V2's whole response. */
    z.string().max(120),
    z.strictObject({
      compared: count,
      /** Differences between V1 and V2. */
      raw: kindCounts,
      /** Differences between V1 and a second read of V1. */
      noise: kindCounts,
      numbers: numberCounts.optional(),
    }),
  ),
  /** Violations of V2's own shape: `endpoint path kind` → number of responses. */
  shape: z.record(z.string().max(400), count),
});
export type ParityAggregate = z.infer<typeof parityAggregate>;

export const emptyParity = (): ParityAggregate => ({
  schema: "v1watch/parity/1",
  pairs: 0,
  skipped: {},
  requests: { v1: 0, v2: 0 },
  fields: {},
  shape: {},
});

type Counts = Partial<Record<string, number>>;

function addCounts(first: Counts, second: Counts): Record<string, number> {
  const sum = new Map<string, number>();
  for (const counts of [first, second]) {
    for (const [name, value] of Object.entries(counts)) sum.set(name, (sum.get(name) ?? 0) + (value ?? 0));
  }
  return Object.fromEntries([...sum].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function addNumbers(
  first: NumberCounts | undefined,
  second: NumberCounts | undefined,
): NumberCounts | undefined {
  if (!first || !second) return first ?? second;
  return {
    records: first.records + second.records,
    zeros: { v1: first.zeros.v1 + second.zeros.v1, v2: first.zeros.v2 + second.zeros.v2 },
    ranked: first.ranked + second.ranked,
    concordant: {
      v1: first.concordant.v1 + second.concordant.v1,
      v2: first.concordant.v2 + second.concordant.v2,
    },
  };
}

/** Commutative and associative, with `emptyParity` as its identity. The same counts give the same JSON text. */
export function mergeParity(first: ParityAggregate, second: ParityAggregate): ParityAggregate {
  const paths = [...new Set([...Object.keys(first.fields), ...Object.keys(second.fields)])].sort();
  const emptyField: ParityAggregate["fields"][string] = { compared: 0, raw: {}, noise: {} };
  return {
    schema: first.schema,
    pairs: first.pairs + second.pairs,
    skipped: addCounts(first.skipped, second.skipped),
    requests: {
      v1: first.requests.v1 + second.requests.v1,
      v2: first.requests.v2 + second.requests.v2,
    },
    fields: Object.fromEntries(
      paths.map((path) => {
        const [left = emptyField, right = emptyField] = [first, second].map(({ fields }) =>
          Object.hasOwn(fields, path) ? fields[path] : emptyField,
        );
        return [
          path,
          {
            compared: left.compared + right.compared,
            raw: addCounts(left.raw, right.raw),
            noise: addCounts(left.noise, right.noise),
            numbers: addNumbers(left.numbers, right.numbers),
          },
        ];
      }),
    ),
    shape: addCounts(first.shape, second.shape),
  };
}

/** `from` is inclusive, `until` is exclusive. */
export type Range = [from: number, until: number];

const fingerprint = z.string().regex(/^[0-9a-f]{16}$/);
/** An address without path, user name and password. */
const origin = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[^/@?#]+$/);

/** What was compared. Counts of another V1, V2, contract or mapping say nothing about this one. */
export const comparedVersions = z.strictObject({
  v1: origin.describe("V1's origin, such as https://api.example.com."),
  v2: origin,
  contract: fingerprint.describe("A hash of V1's documented paths and fields."),
  mapping: fingerprint.describe("A hash of the mapping's decisions."),
});
export type ComparedVersions = z.infer<typeof comparedVersions>;

/** The progress of a run over a cohort: positions in the cohort's file, never the ids themselves. */
export const parityState = z.strictObject({
  schema: z.literal("v1watch/parity-state/2"),
  /** When the first batch began and the last one ended. */
  startedAt: z.iso.datetime(),
  at: z.iso.datetime(),
  compared: comparedVersions,
  /** 16 bits of a hash distinguish two cohorts but are too few to recover an id by brute force. */
  cohort: z.strictObject({ ids: count, check: z.string().regex(/^[0-9a-f]{4}$/) }),
  done: z.array(z.tuple([count, count])),
  aggregate: parityAggregate,
});
export type ParityState = z.infer<typeof parityState>;

/** What the progress of a run and the output of `v1watch parity --json` have in common. */
export const parityResult = z.object({
  at: parityState.shape.at,
  compared: comparedVersions,
  aggregate: parityAggregate,
});

/** The JSON Schema of the file of `v1watch parity --resume FILE`. */
export const parityJsonSchema = () => z.toJSONSchema(parityState, { io: "input" });
