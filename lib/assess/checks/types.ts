// What is remembered of the checks. Plain JSON and bounded: a checkpoint stores it as it is.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Variant } from "../../records/observation.ts";
import type { NotSentReason, ResponseClass } from "../../records/outcome.ts";

/** The records of a response by their keyed hash. */
export type RecordDates = Record<string, { at: string | null; values: string }>;

type LatestCheck = {
  atMs: number;
  class: ResponseClass;
  label: string;
  sinceMs: number;
  times: number;
};

/** The latest primary check that was due and not sent. */
export type NotSent = {
  reason: NotSentReason;
  /** In words. */
  cause: string;
  atMs: number;
};

export type EndpointHistory = {
  /** The latest check of each variant that says something of V1, and since when and how often it was so in a row. */
  latest: Partial<Record<Variant, LatestCheck>>;
  /** The records of the last response, to compare the next one with. */
  records?: { atMs: number; dates: RecordDates };
  /** Samples that were served with data: only these can lose it. */
  served: string[];
  /** The latest check that was served. */
  servedMs?: number;
  /** Why the latest primary check that was due was not sent; absent where it was sent. */
  notSent?: NotSent;
  /** The latest check of any variant, and the primary checks of other endpoints since. */
  lastMs?: number;
  checksOfOthers: number;
};

/** A check without the key: served, refused, or neither. */
type AnonymousCheck = { atMs: number; endpoint: EndpointId; state: "served" | "refused" | "other" };

export type History = {
  endpoints: Partial<Record<EndpointId, EndpointHistory>>;
  /** Beside checks with the key; the latest of them. */
  anonymous: AnonymousCheck[];
  isAnonymousEverServed?: boolean;
  /** All checks that said something of V1. */
  checks: number;
  /** The last check of any endpoint. */
  lastMs?: number;
  /** The machine slept until then: until then nobody kept silent. */
  sleptUntilMs?: number;
  /** The latest variant that measured V1. */
  primary?: Variant;
};
