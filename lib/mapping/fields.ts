// What the mapping must decide: every field of V1's 200 responses and every documented behaviour of V1.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { fields } from "../contract/fields.ts";
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

export const behaviours = [
  {
    id: "unknown-id",
    v1: "the response to an unknown id is undocumented (404 was observed)",
  },
  { id: "id-form", v1: "a passport's id is an integer" },
  { id: "wallet-as-id", v1: "a wallet address is accepted as a passport id" },
  { id: "key", v1: "the key is optional" },
  { id: "unauthorized", v1: "an unauthorized request returns 401" },
  { id: "pagination", v1: "the list is paginated" },
  { id: "sort", v1: "the list is sorted by score" },
  { id: "keyword", v1: "the list can be filtered by name" },
] as const satisfies readonly { id: string; v1: string }[];
export type BehaviourId = (typeof behaviours)[number]["id"];
