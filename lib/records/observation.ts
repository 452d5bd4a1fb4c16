// The stored result of one check: paths, JSON types, counts, ages, and the values of source, category and
// type. The schema has no field that could contain a name, a bio, a wallet address, a body or a key.
import * as z from "zod";
import { endpointIds, variants } from "../contract/endpoints.ts";
import { gapIds } from "../contract/gaps.ts";

export { endpointIds, type Variant, variants } from "../contract/endpoints.ts";

/** The path of a finding about the whole body, which has no name of its own. */
export const bodyPath = "(body)";

export const outcomeKinds = [
  "ok",
  "unauthorized",
  "status",
  "redirect",
  "network",
  "timeout",
  "too-large",
  "truncated",
  "bad-encoding",
  "not-json",
  "no-secret",
  "refused",
] as const;

export const findingKinds = [
  "missing",
  "retyped",
  "null",
  "extra",
  "format",
  "non-integer",
  "envelope",
  "content-type",
  "order",
  "filter",
  "pagination",
  "disagreement",
  // Only in stores of the first release: a key that is repeated is no difference any more.
  "duplicate-key",
  "new-value",
  "left-out",
] as const;
export type FindingKind = (typeof findingKinds)[number];

export const levels = ["breaking", "additive", "notice"] as const;
export type Level = (typeof levels)[number];

export const linkRelations = ["sunset", "deprecation", "successor-version", "latest-version"] as const;

/**
 * The ranges by which numbers are recorded, smallest first. They are coarse because a score is personal data.
 */
export const magnitudes = [
  "negative",
  "zero",
  "below 1",
  "1 to 9",
  "10 to 99",
  "100 to 999",
  "1,000s",
  "10,000s",
  "100,000 and up",
] as const;
export const precisions = [
  "whole",
  "1 decimal",
  "2 decimals",
  "3 decimals",
  "4 decimals",
  "5 decimals",
  "6 or more decimals",
] as const;

export const maxFindings = 24;
export const maxFacts = 32;
export const maxAges = 1_000;

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();
const milliseconds = z.number().nonnegative();
const instant = z.iso.datetime();

/** A line without control codes, lone surrogates, line separators and marks that reverse the direction of a text. */
export const safeLine = (max: number) =>
  z
    .string()
    .max(max)
    // No pattern: those of a published schema are read by tools without Unicode's classes.
    .refine(
      (text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text),
      "a line without control characters",
    );

const outcome = z.strictObject({
  kind: z.enum(outcomeKinds),
  status: z.int().optional(),
  /** A fixed term for the cause, such as `dns` or `quota`. Never text from a response. */
  detail: safeLine(40).optional(),
});
export type Outcome = z.infer<typeof outcome>;

export const finding = z.strictObject({
  /** Derived from endpoint, path, kind and observed type. */
  id: safeLine(160),
  path: safeLine(100),
  kind: z.enum(findingKinds),
  expected: safeLine(40),
  observed: safeLine(40),
  count,
  of: count,
  level: z.enum(levels),
});
export type Finding = z.infer<typeof finding>;

const staleness = z.strictObject({
  records: count,
  /** The number of records according to the list's pagination. */
  total: count.optional(),
  /**
   * The ages of the timestamps that can be parsed and lie in the past. Absent when there are none, because no
   * data is not an age of 0.
   */
  ages: z.strictObject({ newest: seconds, p50: seconds, p95: seconds, oldest: seconds }).optional(),
  /**
   * All these ages, sorted, in tenths of a second: the smallest, then the distance of each from the one before. Of more
   * than 1,000 of them 1,000, evenly by rank, with the smallest and the largest.
   */
  ageSteps: z.array(count).max(maxAges).optional(),
  dated: count,
  missing: count,
  null: count,
  future: count,
  unparsable: count,
  calculating: count,
  /** V1's clock minus this clock, from the Date header. */
  skewSeconds: z.number().optional(),
  /** Whether the clocks differ too much for the ages to be evaluated. */
  muted: z.boolean(),
});
export type Staleness = z.infer<typeof staleness>;

/** The ages in seconds, ascending. */
export function readAges({ ageSteps = [] }: Pick<Staleness, "ageSteps">): number[] {
  let tenths = 0;
  return ageSteps.map((step) => {
    tenths += step;
    return tenths / 10;
  });
}

export const notices = z.strictObject({
  sunset: instant.optional(),
  /** A check before this one found the same date: it is no slip of one response. */
  isSunsetRepeated: z.literal(true).optional(),
  /** A header that was sent but cannot be read: the words and numbers of dates in it, `?` for each other word. */
  sunsetText: z
    .string()
    .max(64)
    .regex(/^[\x20-\x7e]*$/)
    .optional(),
  deprecation: z
    .strictObject({
      form: z.enum(["rfc9745", "draft-true", "http-date", "unreadable"]),
      at: instant.optional(),
    })
    .optional(),
  /** The Sunset date is before the Deprecation date, which is an error of the server. */
  contradictory: z.literal(true).optional(),
  links: z.array(z.enum(linkRelations)).max(linkRelations.length).optional(),
  warning: z.int().optional(),
  retryAfterSeconds: seconds.optional(),
  usage: z
    .strictObject({
      current: count.optional(),
      limit: count.optional(),
      exhausted: z.boolean(),
    })
    .optional(),
  redirect: z
    .strictObject({
      origin: z.enum(["same", "other"]),
      leadsTo: z.enum(["v1", "other-version", "login", "elsewhere"]),
    })
    .optional(),
  /** The status was 404 or 410 on a documented path. */
  withdrawn: z.literal(true).optional(),
  /** The body has a text that speaks of deprecation; the text itself is not kept. */
  message: z.literal(true).optional(),
  /** A 200 that only looks alive. */
  body: z.enum(["v2-shaped", "stub-data", "empty"]).optional(),
});
export type Notices = z.infer<typeof notices>;

/** The evidence of one response about one gap: how often each answer occurred, out of `of` samples. */
const fact = z.strictObject({
  gap: z.enum(gapIds),
  /** A contract path, or a fixed term such as `status`. */
  subject: safeLine(100),
  of: count,
  /** The number of occurrences by JSON type, format name, magnitude, status or allow-listed value. */
  answers: z.record(safeLine(64), count),
});
export type Fact = z.infer<typeof fact>;

/** Why a check was made. Rare variants are scheduled ones. */
export const checkReasons = ["scheduled", "confirmation", "recovery", "second-opinion"] as const;
export type CheckReason = (typeof checkReasons)[number];

export const maxRecords = 25;
/** The date of a record as V1 sent it; null where it is no date-time in UTC. */
export const recordDate = z.iso.datetime().max(30).nullable();
/** A keyed hash, truncated: it tells two values apart and tells nothing of either. */
const keyedHash = z.string().regex(/^[0-9a-f]{10}$/);

export const observation = z.strictObject({
  schema: z.literal("v1watch/observation/2"),
  /** endpoint/variant/tick: a replayed tick gives the same id. */
  id: safeLine(100),
  endpoint: z.enum(endpointIds),
  variant: z.enum(variants),
  /** When the check started. */
  at: instant,
  reason: z.enum(checkReasons),
  /** Whether it measures V1: authenticated, or anonymous where no key is configured. */
  isPrimary: z.boolean(),
  attempts: z
    .array(
      z.strictObject({
        kind: z.enum(outcomeKinds),
        detail: safeLine(40).optional(),
        totalMs: milliseconds,
      }),
    )
    .max(2),
  outcome,
  timings: z.strictObject({
    dnsMs: milliseconds.optional(),
    tcpMs: milliseconds.optional(),
    tlsMs: milliseconds.optional(),
    firstByteMs: milliseconds.optional(),
    totalMs: milliseconds,
  }),
  bytes: z.strictObject({ wire: count, body: count }),
  tls: z.strictObject({ expiresAt: instant }).nullable(),
  findings: z.array(finding).max(maxFindings),
  /** The number of findings above the limit, which are not stored. */
  findingsOmitted: count,
  /** Only the first records are validated, and the first items of the arrays inside them. Absent without a body. */
  validated: z.strictObject({ records: count, of: count }).optional(),
  staleness: staleness.nullable(),
  notices,
  evidence: z.array(fact).max(maxFacts),
  /** The first records: keyed hashes of the id and of the score values, and the date as it was sent. */
  records: z
    .array(z.strictObject({ id: keyedHash, at: recordDate, values: keyedHash }))
    .max(maxRecords)
    .optional(),
  /** Of a list: how many records have the most frequent overall score, and how many have one. */
  equalScores: z.strictObject({ same: count, of: count }).optional(),
  /** Of a list: the median of the overall scores, to two digits: it tells nothing of any one of them. */
  medianScore: z.number().optional(),
  /** Another record came than the one that was asked for. */
  isOtherRecord: z.boolean().optional(),
  /** Keyed hash of the sample that was requested. */
  sample: keyedHash.optional(),
  /** The machine slept before this tick: the time without checks was no failure of the watch. */
  isAfterSleep: z.literal(true).optional(),
  /** The clock of the machine had made a step that is not believed: by so much it was ahead of the instants here. */
  clockAheadSeconds: z.number().optional(),
  /** A clock that was wrong has dated it: it opens and ends nothing. */
  isDateWrong: z.literal(true).optional(),
});
export type Observation = z.infer<typeof observation>;

/** What an observation has in the place of a part that it can do without. */
const withoutPart: { readonly [Part in keyof Observation]?: Observation[Part] } = {
  tls: null,
  findings: [],
  validated: undefined,
  staleness: null,
  notices: {},
  evidence: [],
  records: undefined,
  equalScores: undefined,
  medianScore: undefined,
  isOtherRecord: undefined,
  sample: undefined,
};

/**
 * Makes an observation that the store can read again. A part that the schema refuses is left out as a whole, and becomes a
 * finding about V1. If the schema refuses a part that every observation needs, the observation stays as it is; the store sets
 * it aside when it reads it, and reports that.
 */
export function toStorable(given: Observation): Observation {
  const issues = observation.safeParse(given).error?.issues ?? [];
  const parts = new Set(issues.map(({ path }) => String(path[0])));
  if (parts.size === 0 || ![...parts].every((part) => Object.hasOwn(withoutPart, part))) return given;
  const kept: Observation = { ...given };
  for (const part of parts) Object.assign(kept, { [part]: withoutPart[part as keyof Observation] });
  // One difference that cannot be stored does not hide the others.
  if (Array.isArray(given.findings))
    kept.findings = given.findings.filter((one) => finding.safeParse(one).success);
  const findings = [...parts].map((part) => leftOut(given.endpoint, part));
  const room = maxFindings - findings.length;
  return {
    ...kept,
    findings: [...kept.findings.slice(0, room), ...findings],
    findingsOmitted: kept.findingsOmitted + Math.max(0, kept.findings.length - room),
  };
}

const leftOut = (endpoint: Observation["endpoint"], part: string): Finding => ({
  id: `${endpoint} ${part} left-out`,
  path: part,
  kind: "left-out",
  expected: "a value that can be stored",
  observed: "another value",
  count: 1,
  of: 1,
  level: "notice",
});

/** A stored observation, or undefined where it cannot be read. */
export const readObservation = (stored: unknown): Observation | undefined =>
  observation.safeParse(stored).success ? (stored as Observation) : undefined;
