// What of V1 needs a decision: every field that a 200 may hold, and every behaviour of the document.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { fields } from "../contract/fields.ts";
import type { FieldRow, PlacedRow } from "../records/mapping.ts";

export type V1Field = {
  /** From the body's root, array positions collapsed: `passport.passport_socials[].source`. */
  path: string;
  endpoint: EndpointId;
};

export const v1Fields: readonly V1Field[] = endpointIds.flatMap((endpoint) =>
  fields[endpoint]
    .filter(({ type }) => type !== "object" && type !== "array")
    .map(({ path }) => ({ path, endpoint })),
);

/** A field that V2 has somewhere, by the mapping's word. */
export const isPlaced = (row: FieldRow): row is PlacedRow =>
  row.decision !== "dropped" && row.decision !== "undecided";

export const behaviours = [
  { id: "unknown-id", section: "4.4", v1: "an unknown id: not shown (404 was seen)" },
  { id: "id-form", section: "2.1", v1: "a passport's id is an integer" },
  { id: "wallet-as-id", section: "4.2", v1: "a wallet serves as the id of a passport" },
  { id: "key", section: "5", v1: "the key is optional" },
  { id: "unauthorized", section: "7", v1: "an unauthorized request answers 401" },
  { id: "pagination", section: "2.4", v1: "the list comes in pages" },
  { id: "sort", section: "4.1", v1: "the list is sorted by score" },
  { id: "keyword", section: "4.1", v1: "the list is filtered by name" },
] as const;
export type BehaviourId = (typeof behaviours)[number]["id"];
