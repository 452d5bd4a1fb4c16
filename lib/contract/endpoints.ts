// The endpoints by id and by role, and what follows from their columns.
import type { EndpointColumns } from "./columns.ts";
import { api } from "./v1/api.ts";
import { endpointTable } from "./v1/endpoints.ts";

export { type Variant, variants } from "./columns.ts";
export { api, endpointTable };

export type EndpointId = (typeof endpointTable)[number]["id"];
export type Endpoint = EndpointColumns & { id: EndpointId };
export type Role = Endpoint["role"];

export const { keyHeader: apiKeyHeader } = api;

/** The table by id and by role. */
export function indexEndpoints<const Rows extends readonly EndpointColumns[]>(rows: Rows) {
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

/** The path of a field of a record: `score` → `passports[].score`. */
export const fieldOfRecord = ({ records }: Pick<Endpoint, "records">, name: string): string =>
  records === "" ? name : `${records}.${name}`;

/** The name in a record of a field: `passports[].score` → `score`; undefined where the field is not in a record. */
export function nameInRecord({ records }: Pick<Endpoint, "records">, path: string): string | undefined {
  if (records === "") return path;
  return path.startsWith(`${records}.`) ? path.slice(records.length + 1) : undefined;
}

/** The segments before the resources: `api`, `v1`. */
export const baseSegments: readonly string[] = endpointTable[0].path.split("/").filter(Boolean).slice(0, -1);
