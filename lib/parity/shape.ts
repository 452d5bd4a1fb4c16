// One response of V2 against V2's own shape: the path and kind of each violation.
import { isSchema, type Schema, type Shape } from "../mapping/v2-shape.ts";

export type Breach = { path: string; kind: "missing" | "type" | "value" | "unlisted" };

const maxBreaches = 50;
/** Limits recursion, because a schema may reference itself without going deeper into the body. */
const maxDepth = 100;

/** Paths contain only property names from the schema, so that no key of the response body is stored. */
export function findBreaches(shape: Shape, schema: Schema, body: unknown): Breach[] {
  return [...collectBreaches(shape, schema, body).values()];
}

type BreachesByKey = Map<string, Breach>;

function collectBreaches(
  shape: Shape,
  root: unknown,
  body: unknown,
  start = { path: "", depth: 0 },
): BreachesByKey {
  const breaches: BreachesByKey = new Map();

  const report = (path: string, kind: Breach["kind"]) => {
    const name = path || "(body)";
    if (breaches.size < maxBreaches) breaches.set(`${name} ${kind}`, { path: name, kind });
  };

  const visitMembers = (schema: Schema, value: Schema, path: string, depth: number) => {
    const prefix = path ? `${path}.` : "";
    for (const name of [schema.required].flat()) {
      if (typeof name === "string" && !Object.hasOwn(value, name)) report(`${prefix}${name}`, "missing");
    }
    const properties = isSchema(schema.properties) ? schema.properties : {};
    for (const [name, part] of Object.entries(properties)) {
      if (Object.hasOwn(value, name)) visit(part, value[name], `${prefix}${name}`, depth + 1);
    }
    const isClosed = schema.additionalProperties === false;
    if (isClosed && Object.keys(value).some((name) => !Object.hasOwn(properties, name))) {
      report(path, "unlisted");
    }
  };

  const visit = (schemaOrBoolean: unknown, value: unknown, path: string, depth: number) => {
    if (schemaOrBoolean === false) report(path, "value");
    const schema = isSchema(schemaOrBoolean) ? shape.resolve(schemaOrBoolean) : undefined;
    if (!schema || depth > maxDepth || (value === null && schema.nullable === true)) return;
    const types = schema.type === undefined ? undefined : [schema.type].flat();
    if (types && !typeNames(value).some((name) => types.includes(name))) {
      report(path, "type");
      return;
    }
    if (Array.isArray(schema.enum) && !schema.enum.some((allowed) => isDeepEqual(allowed, value)))
      report(path, "value");
    if ("const" in schema && !isDeepEqual(schema.const, value)) report(path, "value");
    for (const part of [schema.allOf].flat()) visit(part, value, path, depth + 1);
    for (const choices of [schema.anyOf, schema.oneOf]) {
      const isValid = (choice: unknown) =>
        collectBreaches(shape, choice, value, { path, depth: depth + 1 }).size === 0;
      if (Array.isArray(choices) && !choices.some(isValid)) report(path, "type");
    }
    if (Array.isArray(value)) {
      for (const item of value) visit(schema.items, item, `${path}[]`, depth + 1);
    } else if (isSchema(value)) visitMembers(schema, value, path, depth);
  };

  visit(root, body, start.path, start.depth);
  return breaches;
}

function typeNames(value: unknown): string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value];
}

const isDeepEqual = (left: unknown, right: unknown) =>
  left === right || JSON.stringify(left) === JSON.stringify(right);
