// The endpoints of V1's document, section 4. Adding an endpoint adds a row here and changes no logic.
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
  /** The gap in gaps.ts that the parameter's values give evidence for. */
  gap?: GapId;
};

export type Endpoint = {
  id: EndpointId;
  section: string;
  title: string;
  method: "GET";
  path: string;
  parameters: readonly Parameter[];
  /** The path of the records in a 200 body. A trailing [] marks a list. */
  records: string;
  /** The paths of the timestamps that staleness is computed from. */
  timestamps: readonly string[];
  /** The number field by which the records are sorted according to the document. */
  sortedBy?: string;
};

export const apiKeyHeader = "X-API-KEY";

/** The statuses of every endpoint according to sections 4 and 7. The document lists no others. */
export const statuses = [
  { status: 200, meaning: "JSON (content type application/json)" },
  { status: 401, meaning: "unauthorized request" },
] as const;

export const endpoints: Record<EndpointId, Endpoint> = {
  "passport-list": {
    id: "passport-list",
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

/** The schema of each endpoint's 200 body. */
export const responses: Record<EndpointId, z.ZodObject> = {
  "passport-list": passportListBody,
  passport: passportBody,
  "passport-credentials": passportCredentialsBody,
};
