// The endpoints of V1's document, section 4, as a table: adding an endpoint adds a row here and changes no logic.
import type * as z from "zod";
import type { GapId } from "./gaps.ts";
import { passportBody, passportCredentialsBody, passportListBody } from "./schemas.ts";

/** How an endpoint is requested: with the key, without it, and the rare variants that answer gaps. */
export const variants = [
  "authenticated",
  "anonymous",
  "by-wallet",
  "unknown-id",
  "keyword",
  "second-page",
  "bad-key",
] as const;
export type Variant = (typeof variants)[number];

type Parameter = {
  name: string;
  in: "path" | "query";
  type: "string" | "integer";
  required: boolean;
  meaning: string;
  /** Its value is the sample that is requested, a passport. */
  isSample?: true;
  /** The path of the texts that it filters by. */
  filters?: string;
  /** The gap in gaps.ts that the parameter's values give evidence for. */
  gap?: GapId;
};

type EndpointRow = {
  /** In records, commands and messages, and the value of the metrics' dimension `Endpoint`. */
  id: string;
  /** `list` needs no sample; `single` and `credentials` (a list of one passport's records) are requested for one. */
  role: "list" | "single" | "credentials";
  section: string;
  title: string;
  /** What its records are called in messages. */
  nouns: { one: string; many: string };
  method: "GET";
  path: string;
  parameters: readonly Parameter[];
  /** The variants that are requested beside `authenticated` and `anonymous`. */
  rareVariants: readonly Variant[];
  /** The passports of this list are the samples that other endpoints are requested for. One endpoint has it. */
  offersSamples?: true;
  /** The schema of its 200 body. */
  body: z.ZodObject;
  /** The path of the records in a 200 body. A trailing [] marks a list. */
  records: string;
  /** The path of the field that identifies a record. */
  recordId: string;
  /** The paths of the timestamps that staleness is computed from; the first one dates a record. */
  timestamps: readonly string[];
  /** The paths of the numbers that a recalculation changes. */
  values: readonly string[];
  /** The number field by which the records are sorted according to the document. */
  sortedBy?: string;
};

export const apiKeyHeader = "X-API-KEY";

/** The statuses of every endpoint according to sections 4 and 7. The document lists no others. */
export const statuses = [
  { status: 200, meaning: "JSON (content type application/json)" },
  { status: 401, meaning: "unauthorized request" },
] as const;

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
      "passports[].activity_score",
      "passports[].identity_score",
      "passports[].skills_score",
      "passports[].score",
    ],
    sortedBy: "passports[].score",
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
    rareVariants: ["by-wallet", "unknown-id"],
    body: passportBody,
    records: "passport",
    recordId: "passport.passport_id",
    timestamps: ["passport.last_calculated_at"],
    values: ["passport.activity_score", "passport.identity_score", "passport.skills_score", "passport.score"],
  },
  {
    id: "passport-credentials",
    role: "credentials",
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
    rareVariants: ["by-wallet"],
    body: passportCredentialsBody,
    records: "passport_credentials[]",
    recordId: "passport_credentials[].id",
    timestamps: ["passport_credentials[].last_calculated_at"],
    values: ["passport_credentials[].score", "passport_credentials[].max_score"],
  },
] as const satisfies readonly EndpointRow[];

export type EndpointId = (typeof endpointTable)[number]["id"];
export type Endpoint = EndpointRow & { id: EndpointId };
export type Role = Endpoint["role"];

/** The table by id and by role. */
export function indexEndpoints<const Rows extends readonly EndpointRow[]>(rows: Rows) {
  const ids = rows.map(({ id }) => id) as unknown as { readonly [Row in keyof Rows]: Rows[Row]["id"] };
  const byId = Object.fromEntries(rows.map((row) => [row.id, row])) as unknown as Record<
    EndpointId,
    Endpoint
  >;
  const idsOf = (...roles: Role[]) =>
    rows.filter(({ role }) => roles.includes(role)).map(({ id }) => id as EndpointId);
  const sampleSource = rows.find(({ offersSamples }) => offersSamples)?.id as EndpointId;
  /** In the table's order, each once. */
  function sortEndpoints(given: Iterable<EndpointId>): EndpointId[] {
    const wanted = new Set<string>(given);
    return rows.filter(({ id }) => wanted.has(id)).map(({ id }) => id as EndpointId);
  }
  return { endpointIds: ids, endpoints: byId, idsOf, sampleSource, sortEndpoints };
}

/** `idsOf("list")`: the ids of a role; `sampleSource`: the list that offers the samples. */
export const { endpointIds, endpoints, idsOf, sampleSource, sortEndpoints } = indexEndpoints(endpointTable);

/** The path and query of a request; `sample` has to be encoded already. */
export function pathFor({ path, parameters }: Pick<Endpoint, "path" | "parameters">, sample: string): string {
  const parameter = parameters.find(({ isSample }) => isSample);
  if (!parameter) return path;
  return parameter.in === "path"
    ? path.replace(`{${parameter.name}}`, sample)
    : `${path}?${parameter.name}=${sample}`;
}
