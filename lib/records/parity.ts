// What is remembered of a comparison of V1 with V2: paths, kinds and counts. No value, no id.
import * as z from "zod";

export const differenceKinds = ["missing", "type", "value", "size", "order"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

const count = z.int().nonnegative();
const kindCounts = z.partialRecord(z.enum(differenceKinds), count);

/** What one batch of ids has shown. Merging is adding, so batches may come in any order and grouping. */
export const parityAggregate = z.strictObject({
  schema: z.literal("v1watch/parity/1"),
  /** Passports of which V1 was read twice and V2 once. */
  pairs: count,
  /** Passports that could not be compared, by our own word for the cause. */
  skipped: z.record(z.string().max(60), count),
  requests: z.strictObject({ v1: count, v2: count }),
  fields: z.record(
    /** A V1 path, or `(profile)` for V2's whole answer there. */
    z.string().max(120),
    z.strictObject({
      compared: count,
      /** V1 against V2. */
      raw: kindCounts,
      /** V1 against V1, a little later. */
      noise: kindCounts,
    }),
  ),
  /** Breaches of V2's own given shape: `endpoint path kind` → in how many answers. */
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

/** Commutative and associative, with `emptyParity` as its zero; the same counts give the same text. */
export function mergeParity(one: ParityAggregate, other: ParityAggregate): ParityAggregate {
  const paths = [...new Set([...Object.keys(one.fields), ...Object.keys(other.fields)])].sort();
  const none = { compared: 0, raw: {}, noise: {} };
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
        const [here = none, there = none] = [one, other].map(({ fields }) =>
          Object.hasOwn(fields, path) ? fields[path] : none,
        );
        return [
          path,
          {
            compared: here.compared + there.compared,
            raw: add(here.raw, there.raw),
            noise: add(here.noise, there.noise),
          },
        ];
      }),
    ),
    shape: add(one.shape, other.shape),
  };
}

/** From inclusive, until exclusive. */
export type Range = [from: number, until: number];

/** How far a run over a cohort has come: positions in its file, never the ids themselves. */
export const parityState = z.strictObject({
  schema: z.literal("v1watch/parity-state/1"),
  /** When its last batch was finished; older files have none. */
  at: z.iso.datetime().optional(),
  /** A hash of the decisions that were compared by: under others the counts mean something else. */
  mapping: z.string().regex(/^[0-9a-f]{16}$/),
  /** 16 bits of a hash tell two cohorts apart, and are too few to find an id by trying. */
  cohort: z.strictObject({ ids: count, check: z.string().regex(/^[0-9a-f]{4}$/) }),
  done: z.array(z.tuple([count, count])),
  aggregate: parityAggregate,
});
export type ParityState = z.infer<typeof parityState>;
