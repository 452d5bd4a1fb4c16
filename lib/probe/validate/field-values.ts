// The values of the contract's fields in a body. A body may hold a million items: the first ones show how
// it differs from the contract, and validating all of them would take memory without a bound.

import { type EndpointId, endpoints, nameInRecord as nameIn } from "../../contract/endpoints.ts";
import { fields, holderOf } from "../../contract/fields.ts";
import { looksLikeKey } from "../../records/secret-forms.ts";

/** Records that are validated: the first ones of a list. */
export const maxRecords = 500;
/** Items that are validated of every array inside a record: the first ones. */
export const maxItems = 50;

export const firstItems = (value: unknown): unknown =>
  Array.isArray(value) && value.length > maxItems ? value.slice(0, maxItems) : value;

export const isList = (endpoint: EndpointId) => endpoints[endpoint].records.endsWith("[]");

/** The field of the body that holds the records: `passports`; "" where it is the body itself. */
export const containerOf = (endpoint: EndpointId) => endpoints[endpoint].records.replace("[]", "");

/** What the body has in the place of its records: the list, or the one record. */
export function heldIn(endpoint: EndpointId, body: unknown): unknown {
  const container = containerOf(endpoint);
  if (container === "") return body;
  return isJsonObject(body) ? body[container] : undefined;
}

/** All records of a body, whatever their type. */
export function recordsOf(endpoint: EndpointId, body: unknown): readonly unknown[] {
  const held = heldIn(endpoint, body);
  if (isList(endpoint)) return Array.isArray(held) ? held : [];
  return held === undefined ? [] : [held];
}

/** The name in a record of a field such as `passports[].score`. */
export const nameInRecord = (endpoint: EndpointId, path: string): string =>
  nameIn(endpoints[endpoint], path) ?? path;

/** The value at a path without lists, such as `pagination.total` in a body or `profile.name` in a record. */
export const valueAt = (holder: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((held, name) => (isJsonObject(held) ? held[name] : undefined), holder);

/** The values at a path such as `passports[].score`: as many as there were places to look at. */
export type FieldValues = (path: string) => readonly unknown[];

/** The values of a field in the part of the body that is validated; undefined where the field is missing. */
export function readFieldValues(endpoint: EndpointId, body: unknown): FieldValues {
  const known = new Map<string, readonly unknown[]>([["", [body]]]);
  const valuesAt: FieldValues = (path) => {
    const values = known.get(path) ?? read(path);
    known.set(path, values);
    return values;
  };
  function read(path: string): unknown[] {
    const held = valuesAt(holderOf(path));
    if (path.endsWith("[]")) {
      const limit = path === endpoints[endpoint].records ? maxRecords : maxItems;
      return held.filter((value) => Array.isArray(value)).flatMap((array) => array.slice(0, limit));
    }
    const name = path.slice(path.lastIndexOf(".") + 1);
    return held.filter(isJsonObject).map((object) => object[name]);
  }
  return valuesAt;
}

// Parsed JSON: its types, its keys, and which names and values of the target may be stored.
export type JsonObject = Record<string, unknown>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type JsonType = "null" | "object" | "array" | "string" | "number" | "boolean";

export function jsonType(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as JsonType;
}

/** Stands for every key that isPlainKey refuses. */
export const dynamicKey = "<dynamic>";

/** Whether a key looks like the name of a field. Ids, addresses and tokens do not, and are not stored. */
export function isPlainKey(key: string): boolean {
  return (
    key.length <= 40 &&
    /^[A-Za-z]{1,20}(?:_[A-Za-z]{1,20}){0,5}(?:_?[0-9]{1,2}(?:_[a-z]{1,20})?)?$/.test(key) &&
    !looksSecret(key)
  );
}

// The forms of the values that V1's document shows: lens and active_wallet, and Activity. An address, an email, a
// wallet and most keys have neither.
const snakeCase = /^[a-z]{1,14}[0-9]{0,3}(?:_(?:[a-z]{1,14}[0-9]{0,3}|[0-9]{1,4})){0,5}$/;
const capitalisedWord = /^[A-Z][a-z]{1,13}$/;

/** Whether a value of source, category or type looks like a label. Other values are not stored. */
export function isPlainValue(value: string): boolean {
  return value.length <= 40 && (snakeCase.test(value) || capitalisedWord.test(value)) && !looksSecret(value);
}

/** Keys, hashes and wallets that consist of letters and single digits, and so have the form of a name. */
function looksSecret(text: string): boolean {
  if (looksLikeKey(text)) return true;
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g) ?? [];
  // In random letters the case changes after every second letter.
  if (words.length > 4 && text.length / words.length < 3) return true;
  if (words.filter((word) => /[0-9]/.test(word)).length > 2) return true;
  return text
    .split("_")
    .some((part) => /^[0-9a-f]{8,}$/i.test(part) || /[bcdfghjklmnpqrstvwxz]{7}/i.test(part));
}

/** Stands for the API key in use, where a text of the target contains it. */
const maskedKey = "<key>";
/** A shorter key may be a part of an ordinary word: it is masked only where it is the whole text. */
const minPartLength = 8;

const documentedTexts = new Set(
  Object.values(fields).flatMap((ofEndpoint) =>
    ofEndpoint.flatMap(({ path, examples = [] }) => [
      path.slice(path.lastIndexOf(".") + 1).replace("[]", ""),
      ...examples,
    ]),
  ),
);

export type KeyMask = (text: string) => string;

/** Masks the API key in use in a text of the target, but for the names and values of V1's document. */
export function createKeyMask(apiKey: string | undefined): KeyMask {
  if (apiKey === undefined || apiKey === "") return (text) => text;
  const escaped = RegExp.escape(apiKey);
  const pattern = new RegExp(apiKey.length < minPartLength ? `^${escaped}$` : escaped, "gi");
  return (text) => (documentedTexts.has(text) ? text : text.replace(pattern, maskedKey));
}

/** Masks the keys, texts and numbers of a parsed value. parseBody limits the depth, so recursion is safe. */
export function maskValue(value: unknown, mask: KeyMask): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value === "number") return mask(String(value)) === maskedKey ? maskedKey : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    // In place, because an array may have a million items.
    for (let at = 0; at < value.length; at++) value[at] = maskValue(value[at], mask);
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [mask(key), maskValue(member, mask)]),
  );
}

export const maskHeaders = (
  headers: Readonly<Record<string, string>>,
  mask: KeyMask,
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, mask(text)]));
