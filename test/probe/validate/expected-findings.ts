// The structural findings of a body by a plain recursion over its values, as an independent expectation
// for the validation: every value is compared with its schema and counted by path.
import { type EndpointId, endpoints } from "../../../lib/contract/endpoints.ts";
import { isPlainKey } from "../../../lib/probe/validate/field-values.ts";
import { nameDateFormat } from "../../../lib/probe/validate/staleness.ts";
import type { Body } from "./bodies.ts";

const typeOf = (value: unknown): string =>
  value === undefined ? "missing" : value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

/** The kind of a finding and, where its id has it, what was observed. */
function problemOf(schema: Body, value: unknown): string | undefined {
  const { type, format } = schema.def;
  const observed = typeOf(value);
  if (observed === "missing" || observed === "null") return observed;
  if (observed !== type) return `retyped ${observed}`;
  if (type === "number" && !Number.isFinite(value)) return "format non-finite";
  if (format === "safeint" && !Number.isInteger(value)) return "non-integer";
  if (format === "safeint" && !Number.isSafeInteger(value)) return "format unsafe-integer";
  if (format === "datetime" && !schema.safeParse(value).success)
    return `format ${nameDateFormat(value as string)}`;
  return undefined;
}

export function expectedFindings(
  endpoint: EndpointId,
  body: unknown,
): Record<string, [count: number, of: number]> {
  const container = endpoints[endpoint].records.replace("[]", "");
  const places = new Map<string, number>();
  const problems = new Map<string, { path: string; count: number }>();
  /** The unlisted keys of every object at a path, with the types of their values. */
  const unlisted = new Map<string, [key: string, type: string][][]>();

  const visit = (schema: Body, value: unknown, path: string): void => {
    places.set(path, (places.get(path) ?? 0) + 1);
    const problem = problemOf(schema, value);
    if (problem !== undefined) {
      const isEnvelope = path === "" || path === container;
      const id = `${endpoint} ${path || "(body)"} ${isEnvelope ? `envelope ${typeOf(value)}` : problem}`;
      problems.set(id, { path, count: (problems.get(id)?.count ?? 0) + 1 });
      return;
    }
    const { type, shape, element } = schema.def;
    if (type === "array") {
      const limit = path === container ? 500 : 50;
      for (const item of (value as unknown[]).slice(0, limit)) visit(element, item, `${path}[]`);
    }
    if (type === "object") {
      const members = new Map(Object.entries(value as object));
      for (const key of Object.keys(shape))
        visit(shape[key], members.get(key), path ? `${path}.${key}` : key);
      const extra = [...members].filter(([key]) => !Object.hasOwn(shape, key));
      const objects = unlisted.get(path) ?? [];
      unlisted.set(path, [...objects, extra.map(([key, member]) => [key, typeOf(member)])]);
    }
  };
  visit(endpoints[endpoint].body, body, "");

  const expected: Record<string, [number, number]> = {};
  for (const [id, { path, count }] of problems) expected[id] = [count, places.get(path)!];
  for (const [path, objects] of unlisted) {
    const names = objects.flatMap((keys) => keys.map(([key]) => key)).filter(isPlainKey);
    const reported = new Set([...new Set(names)].sort().slice(0, 16));
    for (const [key, type] of objects.flat()) {
      const name = reported.has(key) ? key : "<dynamic>";
      const id = `${endpoint} ${path ? `${path}.${name}` : name} extra ${type}`;
      expected[id] = [Math.min((expected[id]?.[0] ?? 0) + 1, objects.length), objects.length];
    }
  }
  return expected;
}
