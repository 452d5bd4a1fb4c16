// What the scheduler remembers between runs, so that V1 is never requested too often.
import * as z from "zod";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { checkReasons, variants } from "./observation.ts";
import { responseClasses } from "./outcome.ts";
import { currentName } from "./renamed.ts";

export const maxRecent = 200;
export const maxMonths = 12;
export const maxPending = 60;
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
  /** `differs`: from the check before the change. `differs-alone`: and not all endpoints do. */
  condition: z.enum(["differs", "differs-alone"]).optional(),
});
export type PendingCheck = z.infer<typeof pendingCheck>;

/** Findings by sample, as a short hash of their ids: two samples may differ from the document in different ways. */
const findings = z.record(z.string().max(10), z.string().max(8));

const endpointState = z.strictObject({
  /** Start of the latest slot of the clock in which this endpoint had its scheduled check. */
  slotMs: instantMs.optional(),
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
  /** Since when every primary check has got a 401. */
  refusedSinceMs: instantMs.optional(),
  /** From Retry-After. */
  notBeforeMs: instantMs.optional(),
  /** The date of the Sunset header in the latest primary response. */
  sunset: z.iso.datetime().optional(),
});
export type EndpointState = z.infer<typeof endpointState>;

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
  /** A comparison in AWS may send this many in any 10 s until an instant; its workers count them elsewhere. */
  comparison: z.strictObject({ requests: count, untilMs: instantMs }).optional(),
  endpoints: z.partialRecord(z.enum(endpointIds), endpointState),
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
});
export type ProbeState = z.infer<typeof probeState>;

const without = (value: unknown, ...names: string[]): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
    : value;

const each = (value: unknown, change: (one: unknown) => unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)]))
    : value;

const withCurrentVariant = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "variant" in value
    ? { ...value, variant: currentName(value.variant) }
    : value;

/** The same with the present names of its keys. */
const withCurrentNames = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [currentName(name), one]))
    : value;

/** What is accepted in place of the id had the name that V1 has for it. */
function upgradeSample(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("wallet" in value)) return value;
  const { wallet: otherId, ...rest } = value;
  return { ...rest, otherId };
}

/** Earlier versions judged in the scheduler: what they remembered for that is left out, and their extra checks with it. */
function upgradeProbeState(value: unknown): unknown {
  const known = value as { endpoints?: unknown; pending?: unknown; samples?: unknown } | null;
  if (typeof known !== "object" || known === null) return value;
  const isOlder = (one: unknown) =>
    ["any-bad", "some-bad"].includes((one as PendingCheck | null)?.condition ?? "");
  const endpoints = each(known.endpoints, (one) => {
    const kept = without(one, "bad", "faults") as { last?: unknown };
    return kept?.last === undefined
      ? kept
      : { ...kept, last: withCurrentNames(each(kept.last, (check) => without(check, "isGood"))) };
  });
  const pending = Array.isArray(known.pending)
    ? known.pending.filter((one) => !isOlder(one)).map(withCurrentVariant)
    : known.pending;
  const samples = Array.isArray(known.samples) ? known.samples.map(upgradeSample) : known.samples;
  return { ...(without(known, "isRateFiring") as object), endpoints, pending, samples };
}

/** As it is read from a store. */
export const storedProbeState = z.preprocess(upgradeProbeState, probeState);

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
export const refusedSinceMs = ({ endpoints }: ProbeState, endpoint: EndpointId): number | undefined =>
  endpoints[endpoint]?.refusedSinceMs;
