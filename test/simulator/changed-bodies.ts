// What the responses of V1 and V2 differ by in a test: recalculations between two reads, and mismatches of V2.
import type { Bodies } from "../../lib/simulator/bodies.ts";
import { findParents } from "../../lib/simulator/effects/fields.ts";
import { hash, hashText, uniform } from "../../lib/simulator/population.ts";
import type { V2Bodies, V2Endpoint } from "../../lib/simulator/v2/bodies.ts";

type Scored = Record<string, unknown>;

/**
 * Changes scores between two reads, as if the passport had been recalculated. `rate` is the share of reads that show new
 * scores. The random choice depends on how often the passport was read, and not on the order of requests for different passports.
 */
function createRecalculation(rate: number, seed: number): (records: readonly Scored[], key: string) => void {
  const reads = new Map<string, number>();
  return (records, key) => {
    const read = (reads.get(key) ?? 0) + 1;
    reads.set(key, read);
    const index = hashText(key);
    if (uniform(seed, index, read) >= rate) return;
    const step = 1 + (hash(seed, index, read + 2 ** 16) % 1_000);
    for (const record of records)
      for (const [field, value] of Object.entries(record)) {
        if (["score", "points"].includes(field) && typeof value === "number") record[field] = value + step;
        if (["last_calculated_at", "updated_at"].includes(field) && typeof value === "string")
          record[field] = new Date(Date.parse(value) + step * 1_000).toISOString();
      }
  };
}

/** For `changeBodies` of the simulated V1. */
export const recalculating = (rate: number, seed = 1) => {
  return (bodies: Bodies): Bodies => {
    const recalculate = createRecalculation(rate, seed);
    return {
      ...bodies,
      passport(target, moment) {
        const body = bodies.passport(target, moment) as { passport: Scored } | undefined;
        if (body) recalculate([body.passport], `passport ${target.id}`);
        return body;
      },
      "passport-credentials"(target, moment) {
        const body = bodies["passport-credentials"](target, moment) as
          | { passport_credentials: Scored[] }
          | undefined;
        if (body) recalculate(body.passport_credentials, `credentials ${target.id}`);
        return body;
      },
    };
  };
};

export type Mismatch = {
  endpoint: V2Endpoint;
  /** A path such as `score.points` or `socials[].name`; for `size` and `order` a list such as `socials[]`. */
  path: string;
  /** The share of passports that have the mismatch. They are the same in every read. */
  rate: number;
  kind: "missing" | "type" | "value" | "size" | "order";
};

type V2Changes = { mismatches?: readonly Mismatch[]; noise?: number; seed?: number };

/** For `changeBodies` of the simulated V2, whose recalculations are not those of V1. */
export const changingV2 = ({ mismatches = [], noise = 0, seed = 1 }: V2Changes) => {
  const recalculate = createRecalculation(noise, seed ^ 0x1a7e);
  return (bodyOf: V2Bodies): V2Bodies =>
    (endpoint, index, moment) => {
      const body = bodyOf(endpoint, index, moment) as { score: Scored } & { credentials: Scored[] };
      if (endpoint === "score") recalculate([body.score], `passport ${index}`);
      if (endpoint === "credentials") recalculate(body.credentials, `credentials ${index}`);
      for (const { endpoint: affected, path, rate, kind } of mismatches) {
        if (affected !== endpoint || uniform(seed, index, hashText(`${path} ${kind}`)) >= rate) continue;
        for (const { parent, field } of findParents(body, path.replace(/\[\]$/, "")))
          change(parent, field, kind);
      }
      return body;
    };
};

function change(parent: Scored, field: string, kind: Mismatch["kind"]): void {
  const value = parent[field];
  if (kind === "missing") delete parent[field];
  else if (kind === "size" && Array.isArray(value)) value.pop();
  else if (kind === "order" && Array.isArray(value)) value.reverse();
  else if (kind === "type") parent[field] = otherType(value);
  else if (kind === "value") parent[field] = Array.isArray(value) ? value.map(otherValue) : otherValue(value);
}

function otherValue(value: unknown): unknown {
  if (typeof value === "number") return value + 7_777;
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? `${value}~` : value;
}

function otherType(value: unknown): unknown {
  if (value === null || Array.isArray(value)) return value;
  return typeof value === "string" ? value.length : String(value);
}
