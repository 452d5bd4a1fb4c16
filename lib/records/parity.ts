// The stored result of a parity run, which compares V1 with V2: paths, kinds and counts. No values and no
// ids.
import * as z from "zod";

export const differenceKinds = ["missing", "type", "value", "size", "order"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

const count = z.int().nonnegative();
const kindCounts = z.partialRecord(z.enum(differenceKinds), count);

/**
 * The counts of one batch of ids. Merging adds the counts, so batches can be merged in any order and
 * grouping.
 */
export const parityAggregate = z.strictObject({
  schema: z.literal("v1watch/parity/1"),
  /** The number of passports that were read twice from V1 and once from V2. */
  pairs: count,
  /** The number of passports that could not be compared, by a fixed term for the cause. */
  skipped: z.record(z.string().max(60), count),
  requests: z.strictObject({ v1: count, v2: count }),
  fields: z.record(
    /** A V1 path, or `(profile)` for the whole response of V2's endpoint `profile`. */
    z.string().max(120),
    z.strictObject({
      compared: count,
      /** Differences between V1 and V2. */
      raw: kindCounts,
      /** Differences between two reads of V1: its own variance. */
      noise: kindCounts,
    }),
  ),
  /** Violations of V2's configured shape: `endpoint path kind` → number of responses. */
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

function add(one: Counts, other: Counts): Record<string, number> {
  const sum = new Map<string, number>();
  for (const counts of [one, other]) {
    for (const [name, value] of Object.entries(counts)) sum.set(name, (sum.get(name) ?? 0) + (value ?? 0));
  }
  return Object.fromEntries([...sum].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Commutative and associative, with `emptyParity` as the identity. The same counts always serialize to the
 * same text.
 */
export function mergeParity(one: ParityAggregate, other: ParityAggregate): ParityAggregate {
  const paths = [...new Set([...Object.keys(one.fields), ...Object.keys(other.fields)])].sort();
  const empty = { compared: 0, raw: {}, noise: {} };
  return {
    schema: one.schema,
    pairs: one.pairs + other.pairs,
    skipped: add(one.skipped, other.skipped),
    requests: {
      v1: one.requests.v1 + other.requests.v1,
      v2: one.requests.v2 + other.requests.v2,
    },
    fields: Object.fromEntries(
      paths.map((path) => {
        const [left = empty, right = empty] = [one, other].map(({ fields }) =>
          Object.hasOwn(fields, path) ? fields[path] : empty,
        );
        return [
          path,
          {
            compared: left.compared + right.compared,
            raw: add(left.raw, right.raw),
            noise: add(left.noise, right.noise),
          },
        ];
      }),
    ),
    shape: add(one.shape, other.shape),
  };
}

/** `from` is inclusive, `until` is exclusive. */
export type Range = [from: number, until: number];

/** The progress of a parity run over a cohort: positions in its file, never the ids themselves. */
export const parityState = z.strictObject({
  schema: z.literal("v1watch/parity-state/1"),
  /** When the last batch was finished. Older files do not have it. */
  at: z.iso.datetime().optional(),
  /** A hash of the mapping decisions. Counts of different decisions cannot be combined. */
  mapping: z.string().regex(/^[0-9a-f]{16}$/),
  /** A 16-bit hash distinguishes two cohorts and is too short to recover an id by brute force. */
  cohort: z.strictObject({ ids: count, check: z.string().regex(/^[0-9a-f]{4}$/) }),
  done: z.array(z.tuple([count, count])),
  aggregate: parityAggregate,
});
export type ParityState = z.infer<typeof parityState>;
