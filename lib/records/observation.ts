// What is remembered of one request: paths, JSON types, counts, ages, and the values of source,
// category and type. Nothing here can hold a name, a bio, a wallet, a body or a key.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";
import { gapIds } from "../contract/gaps.ts";

export { endpointIds } from "../contract/endpoints.ts";

export const variants = [
  "authenticated",
  "anonymous",
  "by-wallet",
  "unknown-id",
  "keyword",
  "second-page",
  "bad-key",
] as const;
export type Variant = (typeof variants)[number];

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
  "duplicate-key",
  "new-value",
] as const;
export type FindingKind = (typeof findingKinds)[number];

export const levels = ["breaking", "additive", "notice"] as const;
export type Level = (typeof levels)[number];

export const linkRelations = ["sunset", "deprecation", "successor-version", "latest-version"] as const;

/** How numbers are told: coarse on purpose, a score is a person's. Smallest first. */
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

const count = z.int().nonnegative();
const seconds = z.number().nonnegative();
const milliseconds = z.number().nonnegative();
const instant = z.iso.datetime();

export const outcome = z.strictObject({
  kind: z.enum(outcomeKinds),
  status: z.int().optional(),
  /** One of our own words for the cause, such as `dns` or `quota`; never a stranger's text. */
  detail: z.string().max(40).optional(),
});
export type Outcome = z.infer<typeof outcome>;

export const finding = z.strictObject({
  /** Structural: endpoint, path, kind and observed type. Never a hash of prose. */
  id: z.string().max(160),
  path: z.string().max(100),
  kind: z.enum(findingKinds),
  expected: z.string().max(40),
  observed: z.string().max(40),
  count,
  of: count,
  level: z.enum(levels),
});
export type Finding = z.infer<typeof finding>;

export const staleness = z.strictObject({
  records: count,
  /** How many records exist, by the list's own word. */
  total: count.optional(),
  /** Ages of the readable, past timestamps; absent when there is none, because no data is not 0. */
  ages: z.strictObject({ newest: seconds, p50: seconds, p95: seconds, oldest: seconds }).optional(),
  dated: count,
  missing: count,
  null: count,
  future: count,
  unparsable: count,
  calculating: count,
  /** Target's clock minus ours, from the Date header. */
  skewSeconds: z.number().optional(),
  /** The clocks are too far apart for the ages to mean anything. */
  muted: z.boolean(),
});
export type Staleness = z.infer<typeof staleness>;

export const notices = z.strictObject({
  sunset: instant.optional(),
  /** A header that was sent but cannot be read is a fact too. */
  sunsetUnreadable: z.literal(true).optional(),
  deprecation: z
    .strictObject({
      form: z.enum(["rfc9745", "draft-true", "http-date", "unreadable"]),
      at: instant.optional(),
    })
    .optional(),
  /** Sunset before Deprecation: an error of the sender. */
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
      leadsTo: z.enum(["v1", "other-version", "elsewhere"]),
    })
    .optional(),
  /** 404 or 410 on a documented path. */
  withdrawn: z.literal(true).optional(),
  /** A 200 that only looks alive. */
  body: z.enum(["v2-shaped", "stub-data", "empty"]).optional(),
});
export type Notices = z.infer<typeof notices>;

/** What one response says about one gap: how often each answer was given, out of how many chances. */
export const fact = z.strictObject({
  gap: z.enum(gapIds),
  /** A contract path, or a fixed word such as `status`. */
  subject: z.string().max(100),
  of: count,
  /** By a JSON type, a format's name, a decade, a status, or an allow-listed value. */
  answers: z.record(z.string().max(64), count),
});
export type Fact = z.infer<typeof fact>;

/** Why a check was made. Rare variants are scheduled ones. */
export const checkReasons = ["scheduled", "confirmation", "recovery", "second-opinion"] as const;
export type CheckReason = (typeof checkReasons)[number];

export const maxRecords = 25;
/** A keyed hash, truncated: it tells two values apart and tells nothing of either. */
const keyedHash = z.string().regex(/^[0-9a-f]{10}$/);

export const observation = z.strictObject({
  schema: z.literal("v1watch/observation/2"),
  /** endpoint/variant/tick: a replayed tick is the same observation. */
  id: z.string().max(100),
  endpoint: z.enum(endpointIds),
  variant: z.enum(variants),
  /** When the probe started. */
  at: instant,
  reason: z.enum(checkReasons),
  /** Whether it measures V1: authenticated, or anonymous where no key is configured. */
  isPrimary: z.boolean(),
  attempts: z
    .array(
      z.strictObject({
        kind: z.enum(outcomeKinds),
        detail: z.string().max(40).optional(),
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
  /** Findings beyond the bound: counted, not kept. */
  findingsOmitted: count,
  staleness: staleness.nullable(),
  notices,
  evidence: z.array(fact).max(maxFacts),
  /** The first records: keyed hashes of the id and of the score values, and the date as it was sent. */
  records: z
    .array(z.strictObject({ id: keyedHash, at: z.iso.datetime().nullable(), values: keyedHash }))
    .max(maxRecords)
    .optional(),
  /** Keyed hash of the sample that was requested. */
  sample: keyedHash.optional(),
});
export type Observation = z.infer<typeof observation>;
