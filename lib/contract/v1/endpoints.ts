// The endpoints of V1's document, section 4, as a table: adding an endpoint adds a row here and changes no logic.
import type { EndpointColumns } from "../columns.ts";
import { passportBody, passportCredentialsBody, passportListBody } from "./schemas.ts";

/** In the order of V1's document, in which they are also requested and shown. */
export const endpointTable = [
  {
    id: "passport-list",
    role: "list",
    section: "4.1",
    title: "List passports sorted by score",
    nouns: { one: "passport", many: "passports" },
    method: "GET",
    path: "/api/v1/passports",
    parameters: [
      {
        name: "keyword",
        in: "query",
        type: "string",
        required: false,
        meaning: "filters passports by name",
        filters: "passports[].passport_profile.display_name",
      },
    ],
    rareVariants: ["keyword", "second-page", "bad-key"],
    offersSamples: true,
    body: passportListBody,
    records: "passports[]",
    recordId: "passports[].passport_id",
    timestamps: ["passports[].last_calculated_at"],
    values: [
      "passports[].score",
      "passports[].activity_score",
      "passports[].identity_score",
      "passports[].skills_score",
    ],
    sortedBy: "passports[].score",
    pagination: {
      currentPage: "pagination.current_page",
      lastPage: "pagination.last_page",
      total: "pagination.total",
      // Undocumented, but used by clients.
      parameter: "page",
    },
  },
  {
    id: "passport",
    role: "single",
    section: "4.2",
    title: "Get a passport by wallet or passport id",
    nouns: { one: "passport", many: "passports" },
    method: "GET",
    path: "/api/v1/passports/{id}",
    parameters: [
      {
        name: "id",
        in: "path",
        type: "integer",
        required: true,
        meaning: "passport id or wallet address",
        isSample: true,
        gap: "4.2-id",
      },
    ],
    rareVariants: ["by-other-id", "unknown-id"],
    body: passportBody,
    records: "passport",
    recordId: "passport.passport_id",
    timestamps: ["passport.last_calculated_at"],
    values: ["passport.score", "passport.activity_score", "passport.identity_score", "passport.skills_score"],
    constants: [
      "passport.passport_id",
      "passport.main_wallet",
      "passport.human_checkmark",
      "passport.verified_wallets",
    ],
  },
  {
    id: "passport-credentials",
    role: "sublist",
    section: "4.3",
    title: "Get the credentials of a passport",
    nouns: { one: "credential", many: "credentials" },
    method: "GET",
    path: "/api/v1/passport_credentials",
    parameters: [
      {
        name: "passport_id",
        in: "query",
        type: "string",
        required: false,
        meaning: "the passport whose credentials are returned",
        isSample: true,
      },
    ],
    rareVariants: ["by-other-id"],
    body: passportCredentialsBody,
    records: "passport_credentials[]",
    recordId: "passport_credentials[].id",
    timestamps: ["passport_credentials[].last_calculated_at"],
    values: ["passport_credentials[].score", "passport_credentials[].max_score"],
  },
] as const satisfies readonly EndpointColumns[];
