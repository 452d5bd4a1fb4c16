// Scores that change between two reads: a passport that is read again may have been recalculated.
import type { Credential, Passport } from "../contract/schemas.ts";
import type { Bodies } from "./bodies.ts";
import { hash, hashText, roll } from "./random.ts";

type Calculated = { score?: number | null; last_calculated_at?: string | null };

/**
 * `rate` is the share of reads that show a new calculation. Chances are drawn from how often that one
 * passport was read, so that they do not depend on the order in which a client asks for several.
 */
export function restless(bodies: Bodies, rate: number, seed: number): Bodies {
  if (rate === 0) return bodies;
  const reads = new Map<string, number>();

  function recalculate(records: readonly Calculated[], key: string): void {
    const read = (reads.get(key) ?? 0) + 1;
    reads.set(key, read);
    const index = hashText(key);
    if (roll(seed, index, read) >= rate) return;
    const step = 1 + (hash(seed, index, read + 2 ** 16) % 1_000);
    for (const record of records) {
      if (typeof record.score === "number") record.score += step;
      const at = Date.parse(record.last_calculated_at ?? "");
      if (!Number.isNaN(at)) record.last_calculated_at = new Date(at + step * 1_000).toISOString();
    }
  }

  return {
    ...bodies,
    passport(question, moment) {
      const body = bodies.passport(question, moment) as { passport: Passport } | undefined;
      if (body) recalculate([body.passport], `passport ${question.id}`);
      return body;
    },
    "passport-credentials"(question, moment) {
      const body = bodies["passport-credentials"](question, moment) as
        | { passport_credentials: Credential[] }
        | undefined;
      if (body) recalculate(body.passport_credentials, `credentials ${question.id}`);
      return body;
    },
  };
}
