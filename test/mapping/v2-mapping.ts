// The starter mapping with the decisions that fit the simulated V2.
import { createStarter } from "../../lib/mapping/starter.ts";
import type { FieldRow, Mapping } from "../../lib/records/mapping.ts";
import { v2Categories } from "../../lib/simulator/v2/bodies.ts";

export const now = Date.UTC(2026, 10, 14, 12);

export function decidedMapping(baseUrl: string, fields: Record<string, FieldRow> = {}): Mapping {
  const starter = createStarter(now);
  return {
    ...starter,
    v2: { ...starter.v2, baseUrl },
    fields: {
      ...starter.fields,
      "passport_credentials[].category": {
        decision: "transformed",
        endpoint: "credentials",
        path: "credentials[].category",
        transform: { values: v2Categories },
      },
      ...fields,
    },
  };
}
