// The contract's schemas with unlisted keys forbidden, because the documented profile must not add keys.
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
