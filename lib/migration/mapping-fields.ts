// What of V1 needs a decision: every field that a 200 may hold, and every behaviour of the document.
import { type EndpointId, endpointIds, endpoints } from "../contract/endpoints.ts";

export type V1Field = {
  /** From the body's root, array positions collapsed: `passport.passport_socials[].source`. */
  path: string;
  endpoint: EndpointId;
};

type Schema = { def: unknown };
type Definition = { type: string; shape?: Record<string, Schema>; element?: Schema };

function leafPaths(schema: Schema, path: string): string[] {
  const { type, shape = {}, element } = schema.def as Definition;
  if (type === "array" && element) return leafPaths(element, `${path}[]`);
  if (type !== "object") return [path];
  return Object.entries(shape).flatMap(([name, field]) => leafPaths(field, path ? `${path}.${name}` : name));
}

export const v1Fields: readonly V1Field[] = endpointIds.flatMap((endpoint) =>
  leafPaths(endpoints[endpoint].response, "").map((path) => ({ path, endpoint })),
);

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
