// Builds the 200 bodies of the three endpoints as values. Returns undefined when the record does not exist.

import type { EndpointId } from "../contract/endpoints.ts";
import type { Pagination } from "../contract/v1/schemas.ts";
import type { Moment, Population } from "./population.ts";
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
