// The stored result of a comparison of V1 with V2: paths, kinds and counts. It contains no values and no ids.
import * as z from "zod";

/** `zero`: of a number that is compared by type only, 0 in V2 and another number in V1. */
export const differenceKinds = ["missing", "type", "value", "zero", "size", "order"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];
/**
 * `rank`: V2's numbers put the records in another order than V1's, counted by pairs of records. `person`: V2's record names
 * nothing that V1's names of the person. `repeated`: V2 has the id of another record.
 */
export const judgedKinds = [...differenceKinds, "rank", "person", "repeated"] as const;

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
  /** Of these, how many have the same number in a second read of V1, and in V2. */
  tied: z.strictObject({ v1: count, v2: count }).optional(),
});
export type NumberCounts = z.infer<typeof numberCounts>;

/** What V2 did with the requests: `answered` with any status, `usable` with JSON. */
export const requestCounts = z.strictObject({
  sent: count,
  answered: count,
  usable: count,
  /** By status, or by reason where there was no usable response. */
  by: z.record(z.string().max(60), count),
});
export type RequestCounts = z.infer<typeof requestCounts>;

/** Whether V2's record is that of the same person. */
const identityCounts = z.strictObject({
  /** Records of which both versions name the person, and for how many of them V2 names only others. */
  named: count,
  others: count,
  /** Records with an id in V2, and how many of them have that of another record. */
  ids: count,
  repeated: count,
});

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
      /** Passports that differed rarely and were read again, at least an hour later, and how many of them still differed. */
      again: z.strictObject({ read: count, differ: count }).optional(),
    }),
  ),
  /** Violations of V2's own shape: `endpoint path kind` → number of responses. */
  shape: z.record(z.string().max(400), count),
  /** Absent in comparisons that did not count it. */
  v2: requestCounts.optional(),
  identity: identityCounts.optional(),
});
export type ParityAggregate = z.infer<typeof parityAggregate>;

export const emptyParity = (): ParityAggregate => ({
  schema: "v1watch/parity/1",
  pairs: 0,
  skipped: {},
  requests: { v1: 0, v2: 0 },
  fields: {},
  shape: {},
  v2: { sent: 0, answered: 0, usable: 0, by: {} },
  identity: { named: 0, others: 0, ids: 0, repeated: 0 },
});

type Counts = Partial<Record<string, number>>;

function addCounts(first: Counts, second: Counts): Record<string, number> {
  const sum = new Map<string, number>();
  for (const counts of [first, second]) {
    for (const [name, value] of Object.entries(counts)) sum.set(name, (sum.get(name) ?? 0) + (value ?? 0));
  }
  return Object.fromEntries([...sum].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Sums = Readonly<Record<string, number>>;

/** Adds up what both have, name by name. */
function addEach<Value extends Sums>(first: Value | undefined, second: Value | undefined): Value | undefined {
  if (!first || !second) return first ?? second;
  const sums = Object.keys(first).map((name) => [name, (first[name] ?? 0) + (second[name] ?? 0)]);
  return Object.fromEntries(sums) as Value;
}

function addRequests(
  first: RequestCounts | undefined,
  second: RequestCounts | undefined,
): RequestCounts | undefined {
  if (!first || !second) return first ?? second;
  return {
    sent: first.sent + second.sent,
    answered: first.answered + second.answered,
    usable: first.usable + second.usable,
    by: addCounts(first.by, second.by),
  };
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
    tied: addEach(first.tied, second.tied),
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
            again: addEach(left.again, right.again),
          },
        ];
      }),
    ),
    shape: addCounts(first.shape, second.shape),
    v2: addRequests(first.v2, second.v2),
    identity: addEach(first.identity, second.identity),
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
  cohort: z.strictObject({
    ids: count,
    check: z.string().regex(/^[0-9a-f]{4}$/),
    of: count.optional().describe("The passports of the file, where the ids are a random sample of it."),
  }),
  done: z.array(z.tuple([count, count])),
  differing: z
    .record(z.string().max(120), z.array(count).max(200))
    .optional()
    .describe("By path: positions of passports that differ, to read them again. At most 200."),
  aggregate: parityAggregate,
});
export type ParityState = z.infer<typeof parityState>;

/** What the progress of a run and the output of `v1watch parity --json` have in common. */
export const parityResult = z.object({
  at: parityState.shape.at,
  compared: comparedVersions,
  cohort: parityState.shape.cohort.optional(),
  aggregate: parityAggregate,
});

/** The JSON Schema of the file of `v1watch parity --resume FILE`. */
export const parityJsonSchema = () => z.toJSONSchema(parityState, { io: "input" });
