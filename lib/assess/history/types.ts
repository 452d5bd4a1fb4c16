// What the check history holds. Plain JSON: a checkpoint stores it as it is.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Variant } from "../../records/observation.ts";
import type { Check, RecordDates } from "./check.ts";

/** Checks alike in being good or bad, in a row; neutral ones are skipped. */
export type Run = {
  state: "good" | "bad";
  sinceMs: number;
  lastMs: number;
  count: number;
  /** The last check of the other state before it. */
  beforeMs?: number;
};

/** Checks by what they got. */
export type Tally = Record<string, number>;
export type Group = "primary" | "anonymous";
export type Tallies = Partial<Record<EndpointId, Record<Group, Tally>>>;

export type Transition = {
  endpoint: EndpointId;
  group: Group;
  to: "good" | "bad";
  atMs: number;
  /** The last check before it. */
  afterMs: number;
  /** Checks of the run that ended. */
  count: number;
  label: string;
  /** All checks of all endpoints before it, so that counts from here on are a difference. */
  tallies?: Tallies;
};

export type RollUp = {
  /** Hours since 1970. */
  hour: number;
  checks: number;
  failures?: Tally;
  findings?: Tally;
  total?: number;
  newestMs?: number;
  moved?: number;
  changed?: number;
  latencyMs?: number;
};

export type EndpointHistory = {
  /** Oldest first, of all variants. */
  checks: Check[];
  runs: Partial<Record<Group, Run>>;
  tallies: Record<Group, Tally>;
  hours: RollUp[];
  /** How often each object was seen, up to the baseline, and the findings of that time. */
  places: Record<string, number>;
  baseline: string[];
  /** The records of the last response, to compare the next one with. */
  records?: RecordDates;
  /** When an anonymous request was last served. */
  anonymousServedMs?: number;
  /** The last check of the primary variant that was not possible: no key. */
  noSecret?: { sinceMs: number; lastMs: number; count: number };
};

export type Snapshot = { day: string; dates: Record<string, string | null> };

export type History = {
  endpoints: Partial<Record<EndpointId, EndpointHistory>>;
  transitions: Transition[];
  /** The dates of the list's records, one a day. */
  snapshots: Snapshot[];
  /** The age that nine of ten of the list's records do not exceed, one a day. */
  ages: { day: string; upperMs: number }[];
  certificateMs?: number;
  /** The first and the last check of any endpoint. */
  firstMs?: number;
  lastMs?: number;
  /** The latest variant that measured V1. */
  primary?: Variant;
};
