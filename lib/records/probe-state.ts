// What the scheduler remembers between runs, so that V1 is never requested too often.
import * as z from "zod";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { checkReasons, variants } from "./observation.ts";

export const maxRecent = 200;
export const maxMonths = 12;
export const maxPending = 60;
export const maxSamples = 12;

const instantMs = z.int().nonnegative();
const count = z.int().nonnegative();

/** Ways to fail that the scheduler distinguishes: a change between them is confirmed like a first failure. */
export const failureKinds = [
  "failed",
  "unauthorized",
  "quota",
  "forbidden",
  "throttled",
  "removed",
  "body",
] as const;
export type FailureKind = (typeof failureKinds)[number];

/** An extra check that is due at an instant, if its condition holds by then. */
const pendingCheck = z.strictObject({
  endpoint: z.enum(endpointIds),
  variant: z.enum(variants),
  atMs: instantMs,
  reason: z.enum(checkReasons),
  /** `any-bad`: this endpoint is bad, or two others are. `some-bad`: this endpoint is bad, and another one is good. */
  condition: z.enum(["any-bad", "some-bad"]).optional(),
});
export type PendingCheck = z.infer<typeof pendingCheck>;

const endpointState = z.strictObject({
  /** Start of the latest slot of the clock in which this endpoint had its scheduled check. */
  slotMs: instantMs.optional(),
  /** The latest check of each variant; `isGood` is absent where it says nothing about V1. */
  last: z.partialRecord(
    z.enum(variants),
    z.strictObject({ atMs: instantMs, isGood: z.boolean().optional() }),
  ),
  /** The current run of bad primary checks; absent while the endpoint is good. */
  bad: z
    .strictObject({
      sinceMs: instantMs,
      checks: count,
      /** False while the responses differ from V1's document only in ways that were known before. */
      isNew: z.boolean(),
      /** How the latest of them failed, and since when every one of them has failed in this way. */
      kind: z.enum(failureKinds),
      kindSinceMs: instantMs,
      /** When a failure of another kind was last confirmed by extra checks. */
      changeConfirmedMs: instantMs.optional(),
    })
    .optional(),
  /** Faults of the body that were seen of late, as short hashes, and when: they are not new. */
  faults: z.record(z.string().max(8), instantMs).optional(),
  /** From Retry-After. */
  notBeforeMs: instantMs.optional(),
});
export type EndpointState = z.infer<typeof endpointState>;

/** A passport that is requested as a sample: an id of a person, so it is never exported, shown or logged. */
const sample = z.strictObject({
  id: z.string().max(40),
  wallet: z.string().max(42).optional(),
  /** When it got a 404 while another sample was served. */
  goneAtMs: instantMs.optional(),
});
export type Sample = z.infer<typeof sample>;

export const probeState = z.strictObject({
  schema: z.literal("v1watch/probe-state/2"),
  /** Requests made, by month (UTC), such as 2026-11; a clock that jumps back finds its month again. */
  spent: z.record(z.string().regex(/^\d{4}-\d{2}$/), count),
  /** The latest requests, for the limit on bursts. */
  recent: z.array(z.strictObject({ atMs: instantMs, requests: count })).max(maxRecent),
  /** A comparison in AWS may send this many in any 10 s until an instant; its workers count them elsewhere. */
  comparison: z.strictObject({ requests: count, untilMs: instantMs }).optional(),
  endpoints: z.partialRecord(z.enum(endpointIds), endpointState),
  pending: z.array(pendingCheck).max(maxPending),
  /** Chosen from the list, or configured ones that are gone. */
  samples: z.array(sample).max(maxSamples),
  /** Of the hashes in the observations; it stays here. */
  hashKey: z.string().max(64).optional(),
  /** Set by the assessment: a rate or a share fires and no outage; only the bad endpoint is confirmed, once. */
  isRateFiring: z.boolean().optional(),
  /** The month's reserve is used up: failures are confirmed by scheduled checks only. */
  isReserveSpent: z.boolean().optional(),
});
export type ProbeState = z.infer<typeof probeState>;

/** The probe state of an installation that has not requested anything yet. */
export const emptyProbeState: ProbeState = {
  schema: "v1watch/probe-state/2",
  spent: {},
  recent: [],
  endpoints: {},
  pending: [],
  samples: [],
};

/** Since when every check of an endpoint has got a 401; undefined where the latest did not. */
export function refusedSinceMs({ endpoints }: ProbeState, endpoint: EndpointId): number | undefined {
  const bad = endpoints[endpoint]?.bad;
  return bad?.kind === "unauthorized" || bad?.kind === "quota" ? bad.kindSinceMs : undefined;
}
