// What a readiness is judged from, and what a gate says. Whatever is not known is absent, never empty.
import type { EndpointId } from "../contract/endpoints.ts";
import type { UseStatus } from "../records/inventory.ts";
import type { Migration } from "../records/migration.ts";
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
  mapping?: { file: string; text: string; migration: Migration } | undefined;
  /** `mapping`: the fingerprint of the decisions it was made by, where that is known. */
  parity?:
    | { file: string; aggregate: ParityAggregate; atMs: number; mapping?: string | undefined }
    | undefined;
  /** `judged`: of which at least one answer was held against V1's document; the rest is not known. */
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
