// V2's response shape, read from an OpenAPI 3 document or a JSON Schema, and path lookups in it.
import type { V2Endpoint } from "../records/mapping.ts";
import { parsePath } from "./transform.ts";

export type Schema = Record<string, unknown>;

export type Shape = {
  /** As it was read. */
  document: Schema;
  /** The schema of an endpoint's 200 response; undefined if the document has none. */
  schemaOf(name: string, endpoint: V2Endpoint): Schema | undefined;
  /** Follows local references; undefined if one is unresolvable or circular. */
  resolve(schema: Schema): Schema | undefined;
};

const maxReferences = 32;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function memberOf(value: unknown, ...names: string[]): unknown {
  let current = value;
  for (const name of names) {
    if (!isSchema(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

const asSchema = (value: unknown) => (isSchema(value) ? value : undefined);

/** Undefined if the document is neither OpenAPI 3 nor a JSON Schema. */
export function readShape(document: unknown): Shape | undefined {
  if (!isSchema(document)) return undefined;
  const version = document.openapi;
  if (document.swagger !== undefined) return undefined;
  if (version !== undefined && !String(version).startsWith("3.")) return undefined;

  function resolve(schema: Schema): Schema | undefined {
    let current: Schema | undefined = schema;
    for (let hop = 0; current && typeof current.$ref === "string"; hop++) {
      if (hop >= maxReferences || !current.$ref.startsWith("#")) return undefined;
      const names = current.$ref.slice(1).split("/").slice(1);
      current = asSchema(memberOf(document, ...names.map(unescapePointer)));
    }
    return current;
  }

  function schemaOf(name: string, { path }: V2Endpoint): Schema | undefined {
    if (version === undefined) {
      const named = memberOf(document, "$defs", name) ?? memberOf(document, "definitions", name);
      return (
        asSchema(named) ?? (memberOf(document, "properties") === undefined ? undefined : asSchema(document))
      );
    }
    const paths = memberOf(document, "paths");
    // The same path template may use different variable names in the mapping and in the document.
    const plain = (template: string) => template.replace(/\{[^}]*\}/g, "{}").replace(/\/$/, "");
    const key = Object.keys(asSchema(paths) ?? {}).find((template) => plain(template) === plain(path));
    if (key === undefined) return undefined;
    const responses = memberOf(paths, key, "get", "responses");
    const response = asSchema(
      memberOf(responses, "200") ?? memberOf(responses, "2XX") ?? memberOf(responses, "default"),
    );
    return asSchema(memberOf(response && resolve(response), "content", "application/json", "schema"));
  }

  return { document, schemaOf, resolve };
}

/** Decodes the URL escapes and then the JSON Pointer escapes of a reference's segment. */
function unescapePointer(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // An invalid URL escape is kept as it is; the reference is then unresolvable.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The resolved schema and, recursively, the parts of its allOf, anyOf and oneOf. */
function partsOf(shape: Shape, schema: Schema, depth = 0): Schema[] {
  const resolved = shape.resolve(schema);
  if (!resolved || depth > maxReferences) return [];
  const combined = [resolved.allOf, resolved.anyOf, resolved.oneOf].flat().filter(isSchema);
  return [resolved, ...combined.flatMap((part) => partsOf(shape, part, depth + 1))];
}

/** Whether the schema allows any member. A schema that lists properties is treated as complete. */
function isOpen({
  type,
  properties,
  items,
  additionalProperties: more,
  allOf,
  anyOf,
  oneOf,
}: Schema): boolean {
  if (more === true || isSchema(more)) return true;
  const hasNoConstraints = [properties, items, allOf, anyOf, oneOf].every((part) => part === undefined);
  return hasNoConstraints && (type === undefined || type === "object");
}

export type PathLookup = { found: true } | { found: false; name: string; known: string[] };

/** Whether a path exists in the schema; if not, the first unknown name and the names known at that level. */
export function findPath(shape: Shape, root: Schema, path: string): PathLookup {
  let current = partsOf(shape, root);
  for (const { name, isList } of parsePath(path)) {
    const next = current.map((part) => memberOf(part.properties, name)).filter(isSchema);
    if (next.length === 0) {
      // An unresolvable reference says nothing about its members, so the path is accepted.
      if (current.length === 0 || current.some(isOpen)) return { found: true };
      const known = current.flatMap(({ properties }) => Object.keys(asSchema(properties) ?? {}));
      return { found: false, name, known };
    }
    current = next.flatMap((part) => partsOf(shape, part));
    if (!isList) continue;
    const isArray = current.some(({ type }) => type === undefined || [type].flat().includes("array"));
    if (current.length > 0 && !isArray) return { found: false, name: `${name}[]`, known: [name] };
    current = current
      .map(({ items }) => items)
      .filter(isSchema)
      .flatMap((part) => partsOf(shape, part));
  }
  return { found: true };
}
