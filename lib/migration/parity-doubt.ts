// Whether a comparison still speaks of today's V2, by today's mapping.
import { fingerprintMapping } from "./parity-cohort.ts";
import { type Facts, plural } from "./readiness-facts.ts";

/** A comparison says nothing of a V2 that may have changed since. */
const maxAgeDays = 30;
const dayMs = 86_400_000;

/** Why it does not; undefined where it does, or where there is none. */
export function findDoubt({ nowMs, parity, mapping }: Facts): string | undefined {
  if (!parity) return undefined;
  const isOther =
    parity.mapping !== undefined && mapping && parity.mapping !== fingerprintMapping(mapping.migration);
  if (isOther) return "the comparison was made by other decisions than the mapping has now";
  const days = Math.floor((nowMs - parity.atMs) / dayMs);
  return days > maxAgeDays ? `the comparison is ${plural(days, "day")} old` : undefined;
}
