// The fields of every 200 body as a list, read from the zod schemas.
import * as z from "zod";
import { type EndpointId, endpointIds, endpoints, sampleSource } from "./endpoints.ts";
import { type EvidenceKind, type GapId, gaps } from "./gaps.ts";

type FieldType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "date-time";

export type Field = {
  /** The path from the root of the body, which is "", without array positions: `passports[].score`. */
  path: string;
  type: FieldType;
  /** The document allows it to be left out. */
  isOptional?: true | undefined;
  /** The document allows null. */
  isNullable?: true | undefined;
  /** The undocumented behaviour that the values of the field give evidence for, and the kind of this evidence. */
  gap?: GapId | undefined;
  evidence?: EvidenceKind | undefined;
  /** The values that V1's document shows as instances. */
  examples?: readonly string[] | undefined;
};

function typeOf(schema: z.ZodType): FieldType {
  if (schema instanceof z.ZodISODateTime) return "date-time";
  if (schema instanceof z.ZodNumberFormat) return "integer";
  return schema.type as FieldType;
}

const evidenceOf = (gap: GapId) => gaps.find(({ id }) => id === gap)!.evidence;

type Notes = { "x-gap"?: GapId; examples?: string[] };

/** Lists a schema and everything inside it, each field after the object or array that holds it. */
export function listFields(whole: z.ZodType, path = ""): Field[] {
  const isOptional = whole.safeParse(undefined).success || undefined;
  const isNullable = whole.safeParse(null).success || undefined;
  let schema = whole;
  let notes = (whole.meta() ?? {}) as Notes;
  while (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    schema = schema.unwrap() as z.ZodType;
    notes = { ...(schema.meta() as Notes), ...notes };
  }
  const { "x-gap": gap, examples } = notes;
  const field: Field = {
    path,
    type: typeOf(schema),
    isOptional,
    isNullable,
    gap,
    evidence: gap ? evidenceOf(gap) : undefined,
    examples,
  };
  if (schema instanceof z.ZodArray) return [field, ...listFields(schema.element as z.ZodType, `${path}[]`)];
  if (!(schema instanceof z.ZodObject)) return [field];
  const prefix = path && `${path}.`;
  const members = Object.entries(schema.shape) as [string, z.ZodType][];
  return [field, ...members.flatMap(([name, member]) => listFields(member, prefix + name))];
}

/** Every field of each 200 body, in the order of V1's document. */
export const fields: Readonly<Record<EndpointId, readonly Field[]>> = Object.fromEntries(
  endpointIds.map((endpoint) => [endpoint, listFields(endpoints[endpoint].body)]),
) as Record<EndpointId, Field[]>;

/** Whether the ids of samples are whole numbers, by the field that identifies a record of the list. */
export const isIdInteger: boolean = fields[sampleSource].some(
  ({ path, type }) => path === endpoints[sampleSource].recordId && type === "integer",
);

/** `passports[].score` → `passports[]`, `passports[]` → `passports`, `passports` → the body, "". */
export const holderOf = (path: string): string =>
  path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(path.lastIndexOf("."), 0));
