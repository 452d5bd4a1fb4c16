import { expect, test } from "vitest";
import type * as z from "zod";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { type Field, fields, holderOf } from "../../lib/contract/fields.ts";
import type { GapId } from "../../lib/contract/gaps.ts";
import { responses } from "../../lib/contract/responses.ts";

type Definition = { type: string; format?: string; shape?: Record<string, z.ZodType>; element?: z.ZodType };

function typeOf({ type, format }: Definition): string {
  if (type === "string" && format === "datetime") return "date-time";
  return type === "number" && format === "safeint" ? "integer" : type;
}

/** The rows that a schema amounts to. */
function readFields(schema: z.ZodType, path = ""): Field[] {
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
  const inside = Object.entries(shape).flatMap(([name, field]) => readFields(field, prefix + name));
  return [row, ...inside, ...(element ? readFields(element, `${path}[]`) : [])];
}

test.each(endpointIds)("the rows of %s say what its schema says, in its order", (endpoint) => {
  expect(fields[endpoint]).toEqual(readFields(responses[endpoint]));
});

test.each(endpointIds)("every row of %s but the body's comes after the one that holds it", (endpoint) => {
  const paths = fields[endpoint].map(({ path }) => path);
  expect(paths[0]).toBe("");
  for (const [index, path] of paths.entries())
    if (index > 0) expect(paths.slice(0, index)).toContain(holderOf(path));
});
