// The 200 bodies of the three endpoints as values: pure, and undefined where there is no such record.

import type { EndpointId } from "../contract/endpoints.ts";
import type { Credential, Pagination, Passport } from "../contract/schemas.ts";
import type { Moment, Population } from "./population.ts";
import { createProfile, type ProfileName } from "./profile.ts";
import { hash, hashText, roll } from "./random.ts";

export const pageSize = 25;

/** What a request asks for, whichever endpoint it names. */
export type Question = { endpoint: EndpointId; id: string; keyword: string; page: number };

export type Bodies = Readonly<
  Record<EndpointId, (question: Omit<Question, "endpoint">, moment: Moment) => object | undefined>
>;

export function createBodies(population: Population, profileName: ProfileName): Bodies {
  const profile = createProfile(profileName, population.seed);

  return {
    "passport-list"({ keyword, page }, moment) {
      const ranked = population.ranked(keyword);
      const found = keyword === "" ? ranked : ranked.filter((index) => !profile.isNameless(index));
      const shown = found.subarray((page - 1) * pageSize, page * pageSize);
      const pagination: Pagination = {
        current_page: page,
        // At least 1, so that a client that reads until current_page == last_page stops on no match.
        last_page: Math.max(1, Math.ceil(found.length / pageSize)),
        total: found.length,
      };
      return {
        passports: Array.from(shown, (index) => profile.listed(population.listed(index, moment), index)),
        pagination,
      };
    },

    passport({ id }, moment) {
      const index = indexOf(population, id);
      if (index === undefined) return undefined;
      return { passport: profile.passport(population.passport(index, moment), index) };
    },

    // The document leaves passport_id optional, so its omission is a 200; nobody's credentials are none.
    "passport-credentials"({ id }, moment) {
      if (id === "") return { passport_credentials: [] };
      const index = indexOf(population, id);
      if (index === undefined) return undefined;
      return {
        passport_credentials: population
          .credentials(index, moment)
          .map((credential, number) => profile.credential(credential, index, number)),
      };
    },
  };
}

function indexOf(population: Population, id: string): number | undefined {
  if (/^\d{1,9}$/.test(id)) return population.indexOfId(Number(id));
  if (/^0x[0-9a-f]{40}$/i.test(id)) return population.indexOfWallet(id);
  return undefined;
}

// Scores that change between two reads: a passport that is read again may have been recalculated.
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
