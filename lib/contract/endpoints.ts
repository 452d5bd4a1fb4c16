// V1's document, section 4: a new endpoint is a row here, and no logic changes.
import type * as z from "zod";
import type { GapId } from "./gaps.ts";
import { passportBody, passportCredentialsBody, passportListBody } from "./schemas.ts";

export const endpointIds = ["passport-list", "passport", "passport-credentials"] as const;
export type EndpointId = (typeof endpointIds)[number];

type Parameter = {
  name: string;
  in: "path" | "query";
  type: "string" | "integer";
  required: boolean;
  meaning: string;
  /** The row of gaps.ts that its values give evidence for. */
  gap?: GapId;
};

export type Endpoint = {
  id: EndpointId;
  /** `list` needs no sample; `single` and `credentials` are requested for one passport. */
  role: "list" | "single" | "credentials";
  section: string;
  title: string;
  method: "GET";
  path: string;
  parameters: readonly Parameter[];
  /** Where the records are in a 200 body; a trailing [] means that there may be many. */
  records: string;
  /** Where the timestamps are whose age tells how stale the data is. */
  timestamps: readonly string[];
  /** The number field by which the document says the records are sorted. */
  sortedBy?: string;
};

export const apiKeyHeader = "X-API-KEY";

/** Sections 4 and 7: every endpoint answers these two and the document names no other. */
export const statuses = [
  { status: 200, meaning: "JSON (content type application/json)" },
  { status: 401, meaning: "unauthorized request" },
] as const;

export const endpoints: Record<EndpointId, Endpoint> = {
  "passport-list": {
    id: "passport-list",
    role: "list",
    section: "4.1",
    title: "List passports sorted by score",
    method: "GET",
    path: "/api/v1/passports",
    parameters: [
      {
        name: "keyword",
        in: "query",
        type: "string",
        required: false,
        meaning: "filters passports by name",
      },
    ],
    records: "passports[]",
    timestamps: ["passports[].last_calculated_at"],
    sortedBy: "passports[].score",
  },
  passport: {
    id: "passport",
    role: "single",
    section: "4.2",
    title: "Get a passport by wallet or passport id",
    method: "GET",
    path: "/api/v1/passports/{id}",
    parameters: [
      {
        name: "id",
        in: "path",
        type: "integer",
        required: true,
        meaning: "passport id or wallet address",
        gap: "4.2-id",
      },
    ],
    records: "passport",
    timestamps: ["passport.last_calculated_at"],
  },
  "passport-credentials": {
    id: "passport-credentials",
    role: "credentials",
    section: "4.3",
    title: "Get the credentials of a passport",
    method: "GET",
    path: "/api/v1/passport_credentials",
    parameters: [
      {
        name: "passport_id",
        in: "query",
        type: "string",
        required: false,
        meaning: "the passport whose credentials are returned",
      },
    ],
    records: "passport_credentials[]",
    timestamps: ["passport_credentials[].last_calculated_at"],
  },
};

/** What a 200 of each endpoint holds, as a schema. */
export const responses: Record<EndpointId, z.ZodObject> = {
  "passport-list": passportListBody,
  passport: passportBody,
  "passport-credentials": passportCredentialsBody,
};
