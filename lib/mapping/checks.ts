// Checks that the mapping's JSON Schema cannot express: every name exists, and the V1 and V2 paths have
// compatible list nesting.

import { editDistance, type Mistake, pathText, quote } from "../config/mistakes.ts";
import { api, endpoints, nameInRecord } from "../contract/endpoints.ts";
import type { MappedRow, Mapping, V2Endpoint } from "../records/mapping.ts";
import { behaviours, isMapped, v1Fields } from "./fields.ts";
import { countLists } from "./transform.ts";
import { findPath, type Shape } from "./v2-shape.ts";

const { idName, otherId } = api.sample;
/** `{passport_id}` and `{wallet}` in the path and query of an endpoint of V2. */
export const templateVariables: readonly string[] = [idName, ...(otherId ? [otherId.name] : [])];

/** `Did you mean …?` for a close match; otherwise the known names. */
export function suggestName(given: string, known: readonly string[]): string {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const [best] = known
    .map((name) => ({ name, distance: editDistance(plain(given.slice(0, 120)), plain(name)) }))
    .sort((a, b) => a.distance - b.distance);
  if (best && best.distance <= Math.max(2, given.length / 4)) return `Did you mean ${best.name}?`;
  return known.length > 12
    ? "`v1watch migrate coverage --json` lists them all."
    : `Known here: ${known.join(", ")}.`;
}

export function checkMapping(mapping: Mapping, shape?: Shape): Mistake[] {
  return [
    ...Object.entries(mapping.v2.endpoints).flatMap(([name, row]) => checkEndpoint(name, row, shape)),
    ...checkNames(
      "fields",
      "V1 field",
      mapping.fields,
      v1Fields.map(({ path }) => path),
    ),
    ...checkNames(
      "behaviours",
      "behaviour of V1",
      mapping.behaviours,
      behaviours.map(({ id }) => id),
    ),
    ...Object.entries(mapping.fields).flatMap(([path, row]) =>
      isMapped(row) ? checkMappedField(path, row, mapping, shape) : [],
    ),
  ];
}

function checkNames(section: string, thing: string, rows: object, known: readonly string[]): Mistake[] {
  return Object.keys(rows)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: pathText([section, name]),
      problem: `there is no such ${thing}.`,
      remedy: suggestName(name, known),
    }));
}

const templatesOf = ({ path, query = {} }: V2Endpoint) => [path, ...Object.values(query)];

function checkEndpoint(name: string, row: V2Endpoint, shape: Shape | undefined): Mistake[] {
  const path = pathText(["v2", "endpoints", name]);
  const unknown = templatesOf(row)
    .flatMap((template) => [...template.matchAll(/\{([^}]*)\}/g)].map(([, variable = ""]) => variable))
    .filter((variable) => !templateVariables.some((known) => known === variable))
    .map((variable) => ({
      path,
      problem: `${quote(`{${variable}}`)} is not a known variable.`,
      remedy: `Use ${templateVariables.map((known) => `{${known}}`).join(" or ")}.`,
    }));
  if (!shape || shape.schemaOf(name, row)) return unknown;
  const problem = `V2's shape has no 200 response for ${quote(row.path)}.`;
  return [...unknown, { path, problem, remedy: "Correct the path, or give a shape that has it." }];
}

/** Whether the V2 endpoint returns one record per request, so that V1's list needs many requests. */
const isPerRecord = (row: V2Endpoint) => templatesOf(row).some((template) => template.includes("{"));

function checkMappedField(
  path: string,
  row: MappedRow,
  mapping: Mapping,
  shape: Shape | undefined,
): Mistake[] {
  const at = pathText(["fields", path]);
  const { endpoints: known } = mapping.v2;
  const target = Object.hasOwn(known, row.endpoint) ? known[row.endpoint] : undefined;
  if (!target) {
    const problem = `there is no V2 endpoint ${quote(row.endpoint)}.`;
    return [{ path: `${at}.endpoint`, problem, remedy: suggestName(row.endpoint, Object.keys(known)) }];
  }
  const mistakes: Mistake[] = [];
  const field = v1Fields.find((known) => known.path === path);
  if (field) {
    const { role } = endpoints[field.endpoint];
    const isListField = role === "list" && nameInRecord(endpoints[field.endpoint], path) !== undefined;
    const transform = row.decision === "transformed" ? row.transform : undefined;
    const change = transform === "scalar-to-array" ? 1 : transform === "array-to-scalar" ? -1 : 0;
    const lists = countLists(path) - (isListField && isPerRecord(target) ? 1 : 0);
    const expectedCount = lists + change;
    if (expectedCount < 0) {
      const problem = "array-to-scalar needs a list in V1, but V1's field is not in a list.";
      mistakes.push({ path: `${at}.transform`, problem, remedy: "Use another transform, or `moved`." });
    } else if (countLists(row.path) !== expectedCount) {
      const describeListCount = (count: number) =>
        count === 0 ? "no list" : count === 1 ? "one list" : `${count} lists`;
      mistakes.push({
        path: `${at}.path`,
        problem: `contains ${describeListCount(countLists(row.path))}, but V1's field needs ${describeListCount(expectedCount)}.`,
        remedy: "Write [] after a list's name, or use array-to-scalar or scalar-to-array.",
      });
    }
  }
  const schema = shape?.schemaOf(row.endpoint, target);
  const found = shape && schema ? findPath(shape, schema, row.path) : { found: true as const };
  if (!found.found) {
    const problem = `V2's shape has no ${quote(found.name)} at this path.`;
    mistakes.push({ path: `${at}.path`, problem, remedy: suggestName(found.name, found.known) });
  }
  return mistakes;
}
