// V1's document, sections 1, 5 and 9, and what is requested by an id.
import type { Api } from "../columns.ts";

export const api: Api = {
  title: "Deprecated Passport and Credentials API (V1)",
  description:
    "Read-only access to passports and their credentials. Every endpoint is deprecated: unsupported, " +
    "not updated, and its data may be out of date.",
  version: "v1",
  keyHeader: "X-API-KEY",
  sample: {
    nouns: { one: "passport", many: "passports" },
    idName: "passport_id",
    idForm: /^(?:0|[1-9]\d{0,15})$/,
    idHint: "a whole number",
    unknownId: "999999999",
    fallbackId: "1",
    otherId: {
      name: "wallet",
      nouns: { one: "wallet address", many: "wallet addresses" },
      form: /^0x[0-9a-fA-F]{40}$/,
      hint: "0x and 40 hex digits",
      fields: ["main_wallet", "verified_wallets"],
    },
  },
};

/** The statuses of every endpoint according to sections 4 and 7. The document lists no others. */
export const statuses = [
  { status: 200, meaning: "JSON (content type application/json)" },
  { status: 401, meaning: "unauthorized request" },
] as const;
