// Builds the 200 bodies of the three endpoints as values. Returns undefined when the record does not exist.

import type { EndpointId } from "../contract/endpoints.ts";
import type { Credential, Pagination, Passport } from "../contract/v1/schemas.ts";
import type { Moment, Population } from "./population.ts";
import { hash, hashText, uniform } from "./population.ts";
import { createProfile, type ProfileName } from "./profile.ts";

const pageSize = 25;

/** The endpoint and the parameters of a request. */
export type RequestTarget = { endpoint: EndpointId; id: string; keyword: string; page: number };

export type Bodies = Readonly<
  Record<EndpointId, (target: Omit<RequestTarget, "endpoint">, moment: Moment) => object | undefined>
>;

export function createBodies(population: Population, profileName: ProfileName): Bodies {
  const profile = createProfile(profileName, population.seed);

  return {
    "passport-list"({ keyword, page }, moment) {
      const ranked = population.ranked(keyword);
      const found = keyword === "" ? ranked : ranked.filter((index) => !profile.hasNullName(index));
      const shown = found.subarray((page - 1) * pageSize, page * pageSize);
      const pagination: Pagination = {
        current_page: page,
        // At least 1, so that a client that reads until current_page == last_page stops when there is no
        // match.
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

    // The document makes passport_id optional, so a request without it gets a 200 with an empty list.
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

type Calculated = { score?: number | null; last_calculated_at?: string | null };

/**
 * Changes scores between two reads, as if the passport had been recalculated. `rate` is the share of reads
 * that show new scores. The random choice depends on how often the passport was read, and not on the order of
 * requests for different passports.
 */
export function withRecalculations(bodies: Bodies, rate: number, seed: number): Bodies {
  if (rate === 0) return bodies;
  const reads = new Map<string, number>();

  function recalculate(records: readonly Calculated[], key: string): void {
    const read = (reads.get(key) ?? 0) + 1;
    reads.set(key, read);
    const index = hashText(key);
    if (uniform(seed, index, read) >= rate) return;
    const step = 1 + (hash(seed, index, read + 2 ** 16) % 1_000);
    for (const record of records) {
      if (typeof record.score === "number") record.score += step;
      const at = Date.parse(record.last_calculated_at ?? "");
      if (!Number.isNaN(at)) record.last_calculated_at = new Date(at + step * 1_000).toISOString();
    }
  }

  return {
    ...bodies,
    passport(target, moment) {
      const body = bodies.passport(target, moment) as { passport: Passport } | undefined;
      if (body) recalculate([body.passport], `passport ${target.id}`);
      return body;
    },
    "passport-credentials"(target, moment) {
      const body = bodies["passport-credentials"](target, moment) as
        | { passport_credentials: Credential[] }
        | undefined;
      if (body) recalculate(body.passport_credentials, `credentials ${target.id}`);
      return body;
    },
  };
}
