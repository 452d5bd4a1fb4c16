// The rows that a schema amounts to, for the table that the walker reads.
import type * as z from "zod";
import type { Field } from "../../lib/contract/fields.ts";
import type { GapId } from "../../lib/contract/gaps.ts";

type Definition = { type: string; format?: string; shape?: Record<string, z.ZodType>; element?: z.ZodType };

function typeOf({ type, format }: Definition): string {
  if (type === "string" && format === "datetime") return "date-time";
  return type === "number" && format === "safeint" ? "integer" : type;
}

export function deriveFields(schema: z.ZodType, path = ""): Field[] {
  const definition = schema.def as unknown as Definition;
  const told = (schema.meta() ?? {}) as { "x-gap"?: GapId; examples?: string[] };
  const row = {
    path,
    type: typeOf(definition) as Field["type"],
    ...(told["x-gap"] && { gap: told["x-gap"] }),
    ...(told.examples && { examples: told.examples }),
  };
  const { shape = {}, element } = definition;
  const prefix = path && `${path}.`;
  const inside = Object.entries(shape).flatMap(([name, field]) => deriveFields(field, prefix + name));
  return [row, ...inside, ...(element ? deriveFields(element, `${path}[]`) : [])];
}
