// What the mapping must decide: every field of V1's 200 responses and every documented behaviour of V1.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { fields } from "../contract/fields.ts";
import { behaviours } from "../contract/v1/successor.ts";
import type { FieldRow, MappedRow, Mapping } from "../records/mapping.ts";

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

/** V2's paths and the last names of its fields, as the mapping has them. */
export function listSuccessorNames({ v2, fields: rows }: Mapping): { paths: string[]; names: string[] } {
  const names = Object.values(rows).flatMap((row) => {
    const path = row.decision === "dropped" ? undefined : row.path;
    return path === undefined
      ? []
      : [
          path
            .replace(/\[[^\]]*\]/g, "")
            .split(".")
            .at(-1)!,
        ];
  });
  return { paths: Object.values(v2.endpoints).map(({ path }) => path), names: [...new Set(names)] };
}
