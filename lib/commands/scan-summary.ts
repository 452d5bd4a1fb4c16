// A scan in numbers: which endpoints and fields are really used, and by how many places.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Scan } from "../migration/consumers.ts";

export type EndpointSummary = {
  endpoint: EndpointId;
  uses: number;
  calls: number;
  fields: Record<string, number>;
};

export type ScanSummary = {
  uses: number;
  files: number;
  calls: number;
  hazards: Record<string, number>;
  endpoints: EndpointSummary[];
};

const countBy = (keys: readonly string[]): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
};

export function summariseScan({ uses }: Scan): ScanSummary {
  const endpoints = endpointIds.map((endpoint) => {
    const own = uses.filter((use) => use.endpoint === endpoint);
    // A field counts once a use, however often the use reads it.
    const fields = own.flatMap((use) => [...new Set(use.fields.map(({ path }) => path))]);
    return {
      endpoint,
      uses: own.length,
      calls: own.reduce((sum, { calls }) => sum + calls.length, 0),
      fields: countBy(fields),
    };
  });
  return {
    uses: uses.length,
    files: new Set(uses.map(({ file }) => file)).size,
    calls: endpoints.reduce((sum, { calls }) => sum + calls, 0),
    hazards: countBy(uses.flatMap(({ hazards }) => hazards.map(({ rule }) => rule))),
    endpoints,
  };
}
