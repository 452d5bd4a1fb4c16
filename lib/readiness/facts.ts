// The input of the readiness gates, and the result of a gate. An unknown fact is absent, never empty.

import type { EndpointId } from "../contract/endpoints.ts";
import { isMapped } from "../mapping/fields.ts";
import type { PlannedUse } from "../mapping/plan.ts";
import { fingerprintMapping } from "../parity/cohort.ts";
import type { UnsureFile, UseStatus } from "../records/inventory.ts";
import type { CompareMode, Mapping } from "../records/mapping.ts";
import type { Level } from "../records/observation.ts";
import type { ParityAggregate } from "../records/parity.ts";
import type { Rehearsal } from "../records/rehearsal.ts";
import { listSome, plural } from "../text.ts";
import { dayMs } from "../time.ts";

export type SourceLocation = { file: string; line: number };

/** A field's path is that of the contract; an object's includes everything in it. None if only the call was found. */
export type ConsumerUse = PlannedUse &
  SourceLocation & {
    /** Its language is not parsed: there may be more fields, and hazards were not looked for. */
    isReadAsText: boolean;
  };

/** An app or package that depends on V1, described by its remaining uses. */
export type Consumer = {
  name: string;
  owners: readonly string[];
  status: UseStatus;
  /** Whether every V1-only use has an exception that is still valid. */
  isExcepted: boolean;
  exceptions: readonly { reason: string; expires: string }[];
  uses: readonly ConsumerUse[];
};

/** Lines where a failing V1 looks like 0, an empty list or a wrong sum. */
export const listHazards = (consumers: readonly Consumer[]): SourceLocation[] =>
  consumers.flatMap(({ uses }) =>
    uses.flatMap(({ file, hazards }) => hazards.map(({ line }) => ({ file, line }))),
  );

/** One difference between V1 and its document, from the drift history. */
export type DriftFact = {
  id: string;
  endpoint: EndpointId;
  path: string;
  level: Level;
  /** Whether the latest response that could contain it does. */
  isCurrent: boolean;
  /** Whether it was acknowledged or muted, with a reason. */
  isReviewed: boolean;
};

/** What somebody has to look at: a use that was found by text search alone is one, too. */
export type Doubt = Omit<UnsureFile, "reason"> & { reason: UnsureFile["reason"] | "low-confidence" };

export type Facts = {
  nowMs: number;
  consumers?: readonly Consumer[] | undefined;
  /** Files about which the scan could not be sure. */
  unsure?: readonly Doubt[] | undefined;
  mapping?: { file: string; text: string; parsed: Mapping } | undefined;
  /** `mapping` is the fingerprint of the mapping that was used for the comparison, if known. */
  parity?:
    | { file: string; aggregate: ParityAggregate; atMs: number; mapping?: string | undefined }
    | undefined;
  /** What the team's smoke test did while V1's end was played. */
  rehearsal?: Rehearsal | undefined;
  /** `judged` lists the endpoints with at least one response that was validated against V1's document. */
  drift?: { rows: readonly DriftFact[]; judged: readonly EndpointId[] } | undefined;
  /** The latest delivered alert or drill; `none` if no delivery is recorded. */
  proof?: { atMs: number; isDrill: boolean; channel?: string } | "none" | undefined;
  /** V1's retirement risk. `date` and `daysLeft` are absent if no retirement date is known. */
  outlook?: { level: string; date?: string | undefined; daysLeft?: number | undefined } | undefined;
  daysPerConsumer: number;
};

export type GateState = "pass" | "fail" | "unknown";

export type Judgement = {
  state: GateState;
  /** What is wrong or unknown, in one clause without the details of the evidence; empty for a passed gate. */
  problem: string;
  /** Clauses with counts and paths. */
  evidence: string[];
  /** The next step; empty for a passed gate. */
  next: string;
  owners?: readonly string[];
  places?: readonly SourceLocation[];
};

export const pass = (...evidence: string[]): Judgement => ({
  state: "pass",
  problem: "",
  evidence,
  next: "",
});

/** `details` are what the problem was found in, such as the paths of fields. */
type Found = { details?: string; owners?: readonly string[]; places?: readonly SourceLocation[] };

const open = (
  state: "fail" | "unknown",
  { problem, next, details, owners = [], places = [] }: Found & { problem: string; next: string },
): Judgement => ({
  state,
  problem,
  evidence: [details === undefined ? problem : `${problem}: ${details}`],
  next,
  owners,
  places,
});

export const unknown = (problem: string, next: string, found: Found = {}): Judgement =>
  open("unknown", { problem, next, ...found });

export const fail = (found: Found & { problem: string; next: string }): Judgement => open("fail", found);

/** A field that parity compared only by type or presence, so nothing is known about its values. */
export type Shallow = { path: string; compare: Exclude<CompareMode, "value"> };

export function findShallow(paths: Iterable<string>, { fields }: Mapping): Shallow[] {
  return [...new Set(paths)].flatMap((path) => {
    const row = fields[path];
    const { compare = "value" } = row && isMapped(row) ? row : {};
    return compare === "value" ? [] : [{ path, compare }];
  });
}

/** "; type-only check: passport.score", as a suffix of a sentence about all fields; empty if there are none. */
export function describeShallow(shallow: readonly Shallow[]): string {
  const describeMode = (mode: Shallow["compare"]) => {
    const paths = shallow.filter(({ compare }) => compare === mode).map(({ path }) => path);
    return paths.length === 0 ? "" : `; ${mode}-only check: ${listSome(paths)}`;
  };
  return `${describeMode("type")}${describeMode("presence")}`;
}

/** An older comparison is not evidence, because V2 may have changed since. */
const maxAgeDays = 30;

/** Why the comparison is outdated; undefined if it is current or if there is none. */
export function findOutdatedReason({ nowMs, parity, mapping }: Facts): string | undefined {
  if (!parity) return undefined;
  const hasOtherDecisions =
    parity.mapping !== undefined && mapping && parity.mapping !== fingerprintMapping(mapping.parsed);
  if (hasOtherDecisions) return "the comparison was made with other mapping decisions than the current ones";
  const days = Math.floor((nowMs - parity.atMs) / dayMs);
  return days > maxAgeDays ? `the comparison is ${plural(days, "day")} old` : undefined;
}
