// What the scheduler remembers between runs, so that V1 is never requested too often.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";
import { checkReasons, variants } from "./observation.ts";
import { responseClasses } from "./outcome.ts";

export const maxRecent = 200;
export const maxMonths = 12;
export const maxPending = 120;
export const maxSamples = 12;

const instantMs = z.int().nonnegative();
const count = z.int().nonnegative();

/** An extra check that is due at an instant, if its condition holds by then. */
const pendingCheck = z.strictObject({
  endpoint: z.enum(endpointIds),
  variant: z.enum(variants),
  atMs: instantMs,
  reason: z.enum(checkReasons),
  /** The confirmation that it belongs to. */
  confirmationMs: instantMs.optional(),
  /** `differs`: from the check before the change. `differs-alone`: and not all endpoints do. `failing`: the endpoint still fails. */
  condition: z.enum(["differs", "differs-alone", "failing"]).optional(),
});
export type PendingCheck = z.infer<typeof pendingCheck>;

/** Findings by sample, as a short hash of their ids: two samples may differ from the document in different ways. */
const findings = z.record(z.string().max(10), z.string().max(8));

const endpointState = z.strictObject({
  /** Start of the latest slot of the clock in which this endpoint had its scheduled check. */
  slotMs: instantMs.optional(),
  /** The same of the latest check that was due and not sent, because the budget was spent. */
  notSentSlotMs: instantMs.optional(),
  /** The latest check of each variant; the class is absent where it says nothing about V1. */
  last: z.partialRecord(
    z.enum(variants),
    z.strictObject({
      atMs: instantMs,
      class: z.enum(responseClasses).optional(),
      /** How often it was made, up to the looks of the first day. */
      looks: count.optional(),
    }),
  ),
  /** Of primary checks that were served, and the sample of the latest one. */
  findings: findings.optional(),
  sample: z.string().max(10).optional(),
  /** Since when primary checks have had the same class. */
  classSinceMs: instantMs.optional(),
  /** Since when no primary check has been served as expected. */
  failingSinceMs: instantMs.optional(),
  /** Since when every primary check has got a 401. */
  refusedSinceMs: instantMs.optional(),
  /** From Retry-After. */
  notBeforeMs: instantMs.optional(),
  /** The date of the Sunset header in the latest primary response. */
  sunset: z.iso.datetime().optional(),
});
export type EndpointState = z.infer<typeof endpointState>;

/** The requests of one tick to one endpoint. */
const booking = z.strictObject({
  /** The tick. */
  atMs: instantMs,
  requests: count,
  /** How many in a row were not settled, this one included: their processes died, or their store refused it. */
  inARow: count,
});

/** A change that is confirmed by extra checks, and what the endpoints showed before it. */
const confirmation = z.strictObject({
  atMs: instantMs,
  endpoint: z.enum(endpointIds),
  /** Too many changes did not last: only this endpoint is looked at, once. */
  isSmall: z.boolean(),
  before: z
    .partialRecord(
      z.enum(endpointIds),
      z.strictObject({ class: z.enum(responseClasses).optional(), findings: findings.optional() }),
    )
    .optional(),
  /** Whether an endpoint still differed at its second step. */
  hasLasted: z.boolean().optional(),
});
export type Confirmation = z.infer<typeof confirmation>;
export const maxConfirmations = 60;

/** A record that is requested as a sample: its id may be that of a person, so it is never exported, shown or logged. */
const sample = z.strictObject({
  id: z.string().max(100),
  otherId: z.string().max(100).optional(),
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
  endpoints: z.partialRecord(z.enum(endpointIds), endpointState),
  /** Requests that were counted before they were sent, until what came of them is known. */
  bookings: z.partialRecord(z.enum(endpointIds), booking).optional(),
  pending: z.array(pendingCheck).max(maxPending),
  /** Chosen from the list, or configured ones that are gone. */
  samples: z.array(sample).max(maxSamples),
  /** Of the hashes in the observations; it stays here. */
  hashKey: z.string().max(64).optional(),
  /** Changes of the last day. */
  confirmations: z.array(confirmation).max(maxConfirmations).optional(),
  /** When a change of a rare variant was last confirmed. */
  variantConfirmedMs: instantMs.optional(),
  /** The month's reserve is used up: failures are confirmed by scheduled checks only. */
  isReserveSpent: z.boolean().optional(),
  /** The time between two checks of an endpoint, longer than the configured one where the budget needs it. */
  cadenceMs: z.number().positive().optional(),
});
export type ProbeState = z.infer<typeof probeState>;

/** One that the store of one machine refused, with the version and the requests of the one that it has. */
export const refusedProbeState = z.strictObject({
  version: count,
  spent: probeState.shape.spent,
  probeState,
});
export type RefusedProbeState = z.infer<typeof refusedProbeState>;

/** The probe state of an installation that has not requested anything yet. */
export const emptyProbeState: ProbeState = {
  schema: "v1watch/probe-state/2",
  spent: {},
  recent: [],
  endpoints: {},
  pending: [],
  samples: [],
};
