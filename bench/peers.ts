// The contract in other validators, as strict as each allows. They do part of the work: types, formats and
// unlisted keys, but no ages, no evidence and no counts by path.
import * as z from "zod";
import { type EndpointId, endpointIds, responses } from "../lib/contract/endpoints.ts";

/**
 * Validates a parsed body and returns all violations. The other validators return undefined for a valid body.
 */
export type Contender = { name: string; inspect: Record<EndpointId, (body: unknown) => unknown> };

function close(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape).map(([key, field]) => [key, close(field)] as const);
    return z.strictObject(Object.fromEntries(shape));
  }
  return schema instanceof z.ZodArray ? z.array(close(schema.element)) : (schema as z.ZodType);
}

const forEach = (compile: (schema: z.ZodType) => (body: unknown) => unknown) =>
  Object.fromEntries(endpointIds.map((id) => [id, compile(close(responses[id]))])) as Contender["inspect"];

type Leaf = "string" | "number" | "integer" | "boolean" | "date-time";

function leafOf(schema: z.core.$ZodType): Leaf {
  const { type, format } = schema._zod.def as { type: string; format?: string };
  if (format === "datetime") return "date-time";
  if (format === "safeint") return "integer";
  return type as Leaf;
}

/** Builds the same schema with another library from three constructors: leaf, list and strict object. */
function translate<T>(
  schema: z.core.$ZodType,
  builders: { leaf(leaf: Leaf): T; list(item: T): T; object(fields: Record<string, T>): T },
): T {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(
      ([key, field]) => [key, translate(field, builders)] as const,
    );
    return builders.object(Object.fromEntries(fields));
  }
  if (schema instanceof z.ZodArray) return builders.list(translate(schema.element, builders));
  return builders.leaf(leafOf(schema));
}

// Imported by a computed name, because these packages are installed only in bench/ and the type checker
// cannot find them.
// biome-ignore lint/suspicious/noExplicitAny: see above
const load = async (name: string): Promise<any> => await import(name);

export async function loadPeers(): Promise<Contender[]> {
  const [{ default: ajvModule }, { default: formats }, v, { type }] = await Promise.all(
    ["ajv", "ajv-formats", "valibot", "arktype"].map(load),
  );
  const Ajv = ajvModule.default ?? ajvModule;
  const ajv = new Ajv({ allErrors: true, strict: false });
  (formats.default ?? formats)(ajv);

  const valibot = {
    leaf: (leaf: Leaf) =>
      leaf === "date-time"
        ? v.pipe(v.string(), v.isoTimestamp())
        : leaf === "integer"
          ? v.pipe(v.number(), v.integer())
          : v[leaf](),
    list: v.array,
    object: v.strictObject,
  };
  const arktype = {
    leaf: (leaf: Leaf) =>
      type(leaf === "date-time" ? "string.date.iso" : leaf === "integer" ? "number.integer" : leaf),
    list: (item: { array(): unknown }) => item.array(),
    object: (fields: object) => type({ "+": "reject", ...fields } as never),
  };
  return [
    { name: "zod", inspect: forEach((schema) => (body) => schema.safeParse(body).error?.issues) },
    {
      name: "ajv",
      inspect: forEach((schema) => {
        const { $schema, ...jsonSchema } = z.toJSONSchema(schema);
        const validate = ajv.compile(jsonSchema);
        return (body) => (validate(body) ? undefined : validate.errors);
      }),
    },
    {
      name: "valibot",
      inspect: forEach((schema) => {
        const compiled = translate<unknown>(schema, valibot);
        return (body) => v.safeParse(compiled, body).issues;
      }),
    },
    {
      name: "arktype",
      inspect: forEach((schema) => {
        const compiled = translate<unknown>(schema, arktype as never) as (body: unknown) => unknown;
        return (body) => {
          const result = compiled(body);
          return result instanceof type.errors ? result : undefined;
        };
      }),
    },
  ];
}
