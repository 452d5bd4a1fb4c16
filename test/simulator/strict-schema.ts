// The contract's schemas with every object closed: the documented face adds no key of its own.
import * as z from "zod";

export function strict(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    return z.strictObject(
      Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, strict(field)])),
    );
  }
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element));
  return schema as z.ZodType;
}
