// Effects on the data as a whole: a 200 that looks alive and is not what it was.
import type { Credential, ListedPassport, Pagination, Passport } from "../../contract/schemas.ts";
import { defineEffect } from "../exchange.ts";
import { hash, hashText } from "../random.ts";

/** Any of the three bodies; which one it is shows in which key is there. */
type Body = {
  passports?: ListedPassport[];
  pagination?: Pagination;
  passport?: Passport;
  passport_credentials?: Credential[];
};

/** Calls `visit` for each field of each object, however deep. */
function eachField(value: unknown, visit: (holder: Record<string, unknown>, field: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  const holder = value as Record<string, unknown>;
  for (const field of Object.keys(holder)) {
    visit(holder, field);
    eachField(holder[field], visit);
  }
}

const uuidOf = (id: unknown) => {
  const hex = [0, 1, 2, 3]
    .map((word) =>
      hash(hashText(String(id)), 0, word)
        .toString(16)
        .padStart(8, "0"),
    )
    .join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
};

function profileOf(passport: ListedPassport) {
  return {
    id: uuidOf(passport.passport_id),
    ...passport.passport_profile,
    human_checkmark: passport.human_checkmark,
    main_wallet_address: passport.main_wallet,
    score: { points: passport.score, last_calculated_at: passport.last_calculated_at },
  };
}

function credentialV2({ type, category, name, score, max_score, value, last_calculated_at }: Credential) {
  const slug = { slug: type, data_issuer_slug: type.split("_")[0] };
  return {
    ...slug,
    category,
    name,
    points: score,
    max_score,
    readable_value: value,
    updated_at: last_calculated_at,
  };
}

const script = "<script>alert(1)</script>";

export const dataEffects = {
  freeze: defineEffect({
    stage: "ask",
    summary: "last_calculated_at no longer advances",
    sample: {},
    apply(_, exchange, { since }) {
      exchange.datesUntil = since;
    },
  }),

  "keyword-ignored": defineEffect({
    stage: "ask",
    summary: "the list answers as if there were no keyword",
    sample: {},
    apply(_, exchange) {
      exchange.question.keyword = "";
    },
  }),

  "stub-data": defineEffect<{ form: "zeros" | "empty" }>({
    stage: "data",
    summary: "a 200 with every score 0, or with empty lists",
    sample: { form: "zeros" },
    apply({ form }, exchange) {
      const body = exchange.body as Body;
      if (form === "empty" && body.passports) {
        exchange.body = { passports: [], pagination: { current_page: 1, last_page: 1, total: 0 } };
      } else if (form === "empty" && body.passport_credentials) {
        body.passport_credentials = [];
      } else {
        eachField(body, (holder, field) => {
          if (field.endsWith("score") && typeof holder[field] === "number") holder[field] = 0;
        });
      }
    },
  }),

  "v2-shaped": defineEffect({
    stage: "data",
    summary: "a 200 in the shape of the next version",
    sample: {},
    apply(_, exchange) {
      const { passports, pagination, passport, passport_credentials } = exchange.body as Body;
      if (passports) exchange.body = { profiles: passports.map(profileOf), pagination };
      else if (passport) exchange.body = { profile: profileOf(passport) };
      else exchange.body = { credentials: (passport_credentials ?? []).map(credentialV2) };
    },
  }),

  "data-shrinking": defineEffect<{ keep: number }>({
    stage: "data",
    summary: "lists keep only a few records",
    sample: { keep: 3 },
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
    summary: "the list is in no order",
    sample: {},
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
      eachField(exchange.body, (holder, field) => {
        if (["bio", "profile_bio", "name"].includes(field)) holder[field] = script;
      });
    },
  }),
};
