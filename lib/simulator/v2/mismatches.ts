// Injects mismatches into V2's responses, which a comparison with V1 has to find.
import { findParents, type JsonObject } from "../effects/fields.ts";
import { hashText, uniform } from "../population.ts";
import type { V2Endpoint } from "./bodies.ts";

export type Mismatch = {
  endpoint: V2Endpoint;
  /** A path such as `score.points` or `socials[].name`; for `size` and `order` a list such as `socials[]`. */
  path: string;
  /** The share of passports that have the mismatch. They are the same in every read. */
  rate: number;
  kind: "missing" | "type" | "value" | "size" | "order";
};

/** Changes the body in place. */
export function applyMismatches(
  mismatches: readonly Mismatch[],
  body: object,
  { seed, index, endpoint }: { seed: number; index: number; endpoint: string },
) {
  for (const { endpoint: affected, path, rate, kind } of mismatches) {
    if (affected !== endpoint || uniform(seed, index, hashText(`${path} ${kind}`)) >= rate) continue;
    for (const { parent, field } of findParents(body, path.replace(/\[\]$/, ""))) change(parent, field, kind);
  }
}

function change(parent: JsonObject, field: string, kind: Mismatch["kind"]): void {
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
