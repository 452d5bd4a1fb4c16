// The contract's schemas in other validators, as strict as each can be. They do a part of what v1watch
// does: types, formats and unlisted keys, but no ages, no evidence and no counts by path.
import * as z from "zod";
import { type EndpointId, endpointIds, endpoints } from "../lib/contract/endpoints.ts";

/** Validates a parsed body. The peers return undefined where nothing is wrong. */
export type Contender = { name: string; inspect: Record<EndpointId, (body: unknown) => unknown> };

function toStrict(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape).map(([key, field]) => [key, toStrict(field)] as const);
    return z.strictObject(Object.fromEntries(shape));
  }
  return schema instanceof z.ZodArray ? z.array(toStrict(schema.element)) : (schema as z.ZodType);
}

const forEach = (compile: (schema: z.ZodType) => (body: unknown) => unknown) =>
  Object.fromEntries(
    endpointIds.map((id) => [id, compile(toStrict(endpoints[id].body))]),
  ) as Contender["inspect"];

type Leaf = "string" | "number" | "integer" | "boolean" | "date-time";

function leafOf(schema: z.core.$ZodType): Leaf {
  const { type, format } = schema._zod.def as { type: string; format?: string };
  if (format === "datetime") return "date-time";
  if (format === "safeint") return "integer";
  return type as Leaf;
}

/** The same schema in another library, built from its functions for a leaf, a list and a strict object. */
function translate<T>(
  schema: z.core.$ZodType,
  build: { leaf(leaf: Leaf): T; list(item: T): T; object(fields: Record<string, T>): T },
): T {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(
      ([key, field]) => [key, translate(field, build)] as const,
    );
    return build.object(Object.fromEntries(fields));
  }
  if (schema instanceof z.ZodArray) return build.list(translate(schema.element, build));
  return build.leaf(leafOf(schema));
}

// The type checker cannot resolve these packages: they are installed in bench/ only.
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
