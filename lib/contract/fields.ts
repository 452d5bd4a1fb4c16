// schemas.ts as plain rows, for code that has to be small and quick to load, which zod is not. The table is
// written by `npm run generate`; a test fails while it is not what the schemas say.
import type { EndpointId } from "./endpoints.ts";
import table from "./field-table.json" with { type: "json" };
import type { GapId } from "./gaps.ts";

export type FieldType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "date-time";

export type Field = {
  /** From the body's root, which is "", with array positions collapsed: `passports[].score`. */
  path: string;
  type: FieldType;
  gap?: GapId;
  /** The values that the document shows as instances. */
  examples?: readonly string[];
};

/** Every field of each 200 body, in the document's order, each after what holds it. */
export const fields = table as Record<EndpointId, readonly Field[]>;

/** `passports[].score` → `passports[]`, `passports[]` → `passports`, `passports` → the body, "". */
export const holderOf = (path: string): string =>
  path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(path.lastIndexOf("."), 0));
