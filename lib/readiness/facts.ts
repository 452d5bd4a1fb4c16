// What a readiness is judged from, and what a gate says. Whatever is not known is absent, never empty.

import type { EndpointId } from "../contract/endpoints.ts";
import { isMapped } from "../mapping/fields.ts";
import { fingerprintMapping } from "../parity/cohort.ts";
import type { UseStatus } from "../records/inventory.ts";
import type { CompareMode, Mapping } from "../records/mapping.ts";
import type { Level } from "../records/observation.ts";
import type { ParityAggregate } from "../records/parity.ts";

/** A line that a person can open. */
export type Place = { file: string; line: number };

export type Use = Place & {
  endpoint: EndpointId;
  /** As in the mapping, an object standing for all that is in it; none where only the call is seen. */
  fields: readonly string[];
};

/** One source file that depends on V1, by what is left of it. */
export type Consumer = {
  name: string;
  owners: readonly string[];
  status: UseStatus;
  /** All that is on V1 alone may stay for now. */
  isExcepted: boolean;
  exceptions: readonly { reason: string; expires: string }[];
  uses: readonly Use[];
  /** Places where a failing V1 looks like a 0, an empty list or a wrong sum. */
  hazards: readonly (Place & { rule: string })[];
};

/** One difference of V1 from its document, as the ledger has it. */
export type DriftFact = {
  id: string;
  endpoint: EndpointId;
  path: string;
  level: Level;
  /** In the latest response that could have shown it. */
  isCurrent: boolean;
  /** Somebody has acknowledged or muted it, with a reason. */
  isReviewed: boolean;
};

export type Facts = {
  nowMs: number;
  consumers?: readonly Consumer[] | undefined;
  mapping?: { file: string; text: string; parsed: Mapping } | undefined;
  /** `mapping`: the fingerprint of the decisions it was made by, where that is known. */
  parity?:
    | { file: string; aggregate: ParityAggregate; atMs: number; mapping?: string | undefined }
    | undefined;
  /** `judged`: of which at least one answer was validated against V1's document; the rest is not known. */
  drift?: { rows: readonly DriftFact[]; judged: readonly EndpointId[] } | undefined;
  /** The latest alert or drill that reached somebody; `none` where the watch knows of none. */
  proof?: { atMs: number; isDrill: boolean } | "none" | undefined;
  /** How V1's end stands; without a date nobody knows how long. */
  outlook?: { level: string; date?: string | undefined; daysLeft?: number | undefined } | undefined;
  daysPerConsumer: number;
};

export type GateState = "pass" | "fail" | "unknown";

export type Judgement = {
  state: GateState;
  /** In our own words, with counts and paths. */
  evidence: string[];
  /** What to do; empty where it passes. */
  next: string;
  owners?: readonly string[];
  places?: readonly Place[];
};

export const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** 0.9991 → "99.91 %"; what is not quite all is never shown as all, nor a little as nothing. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value === 0 || value === 100) return `${value} %`;
  const digits = value > 99 || value < 1 ? 2 : 1;
  return `${Math.min(99.99, Math.max(0.01, value)).toFixed(digits)} %`;
}

/** The first few, and how many more. */
export function listSome(items: readonly string[], most = 4): string {
  const shown = items.slice(0, most).join(", ");
  return items.length > most ? `${shown} and ${items.length - most} more` : shown;
}

export const pass = (...evidence: string[]): Judgement => ({ state: "pass", evidence, next: "" });
export const unknown = (evidence: string, next: string): Judgement => ({
  state: "unknown",
  evidence: [evidence],
  next,
});

// Which fields a comparison looked at by less than their value: of these it does not say that values agree.
export type Shallow = { path: string; compare: Exclude<CompareMode, "value"> };

export function findShallow(paths: Iterable<string>, { fields }: Mapping): Shallow[] {
  return [...new Set(paths)].flatMap((path) => {
    const row = fields[path];
    const { compare = "value" } = row && isMapped(row) ? row : {};
    return compare === "value" ? [] : [{ path, compare }];
  });
}

/** "; passport.score by type alone", to follow what is said of all fields; nothing where there is none. */
export function describeShallow(shallow: readonly Shallow[]): string {
  const say = (depth: Shallow["compare"]) => {
    const paths = shallow.filter(({ compare }) => compare === depth).map(({ path }) => path);
    return paths.length === 0 ? "" : `; ${listSome(paths)} by ${depth} alone`;
  };
  return `${say("type")}${say("presence")}`;
}

// Whether a comparison still speaks of today's V2, by today's mapping.
/** A comparison says nothing of a V2 that may have changed since. */
const maxAgeDays = 30;
const dayMs = 86_400_000;

/** Why it does not; undefined where it does, or where there is none. */
export function findOutdatedReason({ nowMs, parity, mapping }: Facts): string | undefined {
  if (!parity) return undefined;
  const isOther =
    parity.mapping !== undefined && mapping && parity.mapping !== fingerprintMapping(mapping.parsed);
  if (isOther) return "the comparison was made by other decisions than the mapping has now";
  const days = Math.floor((nowMs - parity.atMs) / dayMs);
  return days > maxAgeDays ? `the comparison is ${plural(days, "day")} old` : undefined;
}
