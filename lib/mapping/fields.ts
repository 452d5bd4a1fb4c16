// What the mapping must decide: every field of V1's 200 responses and every documented behaviour of V1.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { fields } from "../contract/fields.ts";
import { behaviours } from "../contract/v1/successor.ts";
import type { FieldRow, MappedRow } from "../records/mapping.ts";

export type V1Field = {
  /** From the body's root, with array indexes replaced by `[]`: `passport.passport_socials[].source`. */
  path: string;
  endpoint: EndpointId;
};

export const v1Fields: readonly V1Field[] = endpointIds.flatMap((endpoint) =>
  fields[endpoint]
    .filter(({ type }) => type !== "object" && type !== "array")
    .map(({ path }) => ({ path, endpoint })),
);

/** Whether the mapping gives the field a path in V2. */
export const isMapped = (row: FieldRow): row is MappedRow =>
  row.decision !== "dropped" && row.decision !== "undecided";

export { behaviours };
export type BehaviourId = (typeof behaviours)[number]["id"];
