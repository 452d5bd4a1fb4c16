// Effects on the data of a 200 response: frozen, stubbed, shrunk or changed as a whole.
import type { Credential, ListedPassport, Pagination, Passport } from "../../contract/v1/schemas.ts";
import { defineEffect } from "../exchange.ts";
import { hash, hashText } from "../population.ts";
import { credentialOf, profileOf, toUuid } from "../v2/bodies.ts";

/** Any of the three bodies. The key that is present shows which one it is. */
type Body = {
  passports?: ListedPassport[];
  pagination?: Pagination;
  passport?: Passport;
  passport_credentials?: Credential[];
};

/** Calls `visit` for each field of each nested object. */
function eachField(value: unknown, visit: (parent: Record<string, unknown>, field: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  const parent = value as Record<string, unknown>;
  for (const field of Object.keys(parent)) {
    visit(parent, field);
    eachField(parent[field], visit);
  }
}

/** The profile of V2 with its score. */
function profileWithScore(passport: ListedPassport) {
  const { passport_id, score, last_calculated_at } = passport;
  const words = [0, 1, 2, 3].map((word) => hash(hashText(String(passport_id)), 0, word));
  return { ...profileOf(passport, toUuid(words)), score: { points: score, last_calculated_at } };
}

const script = "<script>alert(1)</script>";

const noKeyword = "the endpoint has no parameter keyword";

export const dataEffects = {
  freeze: defineEffect({
    stage: "request",
    summary: "last_calculated_at no longer advances",
    sample: {},
    apply(_, exchange, { since }) {
      exchange.datesUntil = since;
    },
  }),

  "keyword-ignored": defineEffect({
    stage: "request",
    summary: "the list ignores the keyword; only requests with a keyword show it",
    sample: {},
    refusedFor: { single: noKeyword, sublist: noKeyword },
    apply(_, exchange) {
      exchange.target.keyword = "";
    },
  }),

  "stub-data": defineEffect<{ form: "zeros" | "empty" }>({
    stage: "data",
    summary: "a 200 in which every score is 0, or with empty lists",
    sample: { form: "zeros" },
    apply({ form }, exchange) {
      const body = exchange.body as Body;
      if (form === "empty" && body.passports) {
        exchange.body = { passports: [], pagination: { current_page: 1, last_page: 1, total: 0 } };
      } else if (form === "empty" && body.passport_credentials) {
        body.passport_credentials = [];
      } else {
        eachField(body, (parent, field) => {
          if (field.endsWith("score") && typeof parent[field] === "number") parent[field] = 0;
        });
      }
    },
  }),

  "v2-shaped": defineEffect({
    stage: "data",
    summary: "a 200 in the shape of V2",
    sample: {},
    apply(_, exchange) {
      const { passports, pagination, passport, passport_credentials } = exchange.body as Body;
      if (passports) exchange.body = { profiles: passports.map(profileWithScore), pagination };
      else if (passport) exchange.body = { profile: profileWithScore(passport) };
      else exchange.body = { credentials: (passport_credentials ?? []).map(credentialOf) };
    },
  }),

  "data-shrinking": defineEffect<{ keep: number }>({
    stage: "data",
    summary: "lists contain only a few records",
    sample: { keep: 3 },
    refusedFor: { single: "the response is one record, not a list" },
    apply({ keep }, exchange) {
      const { passports, pagination, passport_credentials } = exchange.body as Body;
      passport_credentials?.splice(keep);
      if (!passports || !pagination) return;
      passports.splice(pagination.current_page === 1 ? keep : 0);
      Object.assign(pagination, { total: Math.min(pagination.total, keep), last_page: 1 });
    },
  }),

  unsorted: defineEffect({
    stage: "data",
    summary: "the list is not sorted",
    sample: {},
    refusedFor: {
      single: "the response is one record, not a list",
      sublist: "V1's document promises no order of the credentials",
    },
    apply(_, exchange) {
      const place = ({ verified_wallets }: ListedPassport) => hashText(verified_wallets[0] ?? "");
      (exchange.body as Body).passports?.sort((one, other) => place(one) - place(other));
    },
  }),

  markup: defineEffect({
    stage: "data",
    summary: "a script element in every bio and credential name, and in a header value",
    sample: {},
    apply(_, exchange) {
      exchange.headers.Warning = `299 - "${script}"`;
      eachField(exchange.body, (parent, field) => {
        if (["bio", "profile_bio", "name"].includes(field)) parent[field] = script;
      });
    },
  }),
};
