// The values of the contract's fields in a body. A body may hold a million items: the first ones show how
// it differs from the contract, and validating all of them would take memory without a bound.
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { fields, holderOf } from "../../contract/fields.ts";
import { isJsonObject } from "./json-values.ts";

/** Records that are validated: the first ones of a list. */
export const maxRecords = 500;
/** Items that are validated of every array inside a record: the first ones. */
export const maxItems = 50;

export const firstItems = (value: unknown): unknown =>
  Array.isArray(value) ? value.slice(0, maxItems) : value;

export const isList = (endpoint: EndpointId) => endpoints[endpoint].records.endsWith("[]");

/** The field of the body that holds the records: `passports`. */
export const containerOf = (endpoint: EndpointId) => endpoints[endpoint].records.replace("[]", "");

/** All records of a body, whatever their type. */
export function recordsOf(endpoint: EndpointId, body: unknown): readonly unknown[] {
  const held = isJsonObject(body) ? body[containerOf(endpoint)] : undefined;
  if (isList(endpoint)) return Array.isArray(held) ? held : [];
  return held === undefined ? [] : [held];
}

/** The name in a record of a field such as `passports[].score`. */
export const nameInRecord = (endpoint: EndpointId, path: string): string =>
  path.slice(`${endpoints[endpoint].records}.`.length);

/** By path, such as `passports[].score`. The number of values is the number of places that were looked at. */
export type FieldValues = ReadonlyMap<string, readonly unknown[]>;

/** The values of all fields in the part of the body that is validated; undefined where a field is missing. */
export function readFieldValues(endpoint: EndpointId, body: unknown): FieldValues {
  const values = new Map<string, unknown[]>([["", [body]]]);
  const limitOf = (path: string) => (path === endpoints[endpoint].records ? maxRecords : maxItems);
  // Every field comes after the object or array that holds it.
  for (const { path } of fields[endpoint]) {
    if (path === "") continue;
    const holders = values.get(holderOf(path))!;
    const name = path.slice(path.lastIndexOf(".") + 1);
    values.set(
      path,
      path.endsWith("[]")
        ? holders.flatMap((array) => (Array.isArray(array) ? array.slice(0, limitOf(path)) : []))
        : holders.filter(isJsonObject).map((object) => object[name]),
    );
  }
  return values;
}
