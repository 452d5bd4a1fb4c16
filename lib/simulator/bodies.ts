// The 200 bodies of the three endpoints as values: pure, and undefined where there is no such record.
import type { EndpointId } from "../contract/endpoints.ts";
import type { Pagination } from "../contract/schemas.ts";
import { createFace, type FaceName } from "./face.ts";
import type { Moment, Population } from "./population.ts";

export const pageSize = 25;

/** What a request asks for, whichever endpoint it names. */
export type Question = { endpoint: EndpointId; id: string; keyword: string; page: number };

export type Bodies = Readonly<
  Record<EndpointId, (question: Omit<Question, "endpoint">, moment: Moment) => object | undefined>
>;

export function createBodies(population: Population, faceName: FaceName): Bodies {
  const face = createFace(faceName, population.seed);

  return {
    "passport-list"({ keyword, page }, moment) {
      const ranked = population.ranked(keyword);
      const found = keyword === "" ? ranked : ranked.filter((index) => !face.isNameless(index));
      const shown = found.subarray((page - 1) * pageSize, page * pageSize);
      const pagination: Pagination = {
        current_page: page,
        // At least 1, so that a client that reads until current_page == last_page stops on no match.
        last_page: Math.max(1, Math.ceil(found.length / pageSize)),
        total: found.length,
      };
      return {
        passports: Array.from(shown, (index) => face.listed(population.listed(index, moment), index)),
        pagination,
      };
    },

    passport({ id }, moment) {
      const index = indexOf(population, id);
      if (index === undefined) return undefined;
      return { passport: face.passport(population.passport(index, moment), index) };
    },

    // The document leaves passport_id optional, so its omission is a 200; nobody's credentials are none.
    "passport-credentials"({ id }, moment) {
      if (id === "") return { passport_credentials: [] };
      const index = indexOf(population, id);
      if (index === undefined) return undefined;
      return {
        passport_credentials: population
          .credentials(index, moment)
          .map((credential, number) => face.credential(credential, index, number)),
      };
    },
  };
}

function indexOf(population: Population, id: string): number | undefined {
  if (/^\d{1,9}$/.test(id)) return population.indexOfId(Number(id));
  if (/^0x[0-9a-f]{40}$/i.test(id)) return population.indexOfWallet(id);
  return undefined;
}
