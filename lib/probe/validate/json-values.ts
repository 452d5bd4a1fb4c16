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

/** Object keys in a parsed value at any depth. parseBody limits the depth, so recursion is safe. */
export function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) for (const item of value) keys += countKeys(item);
  else for (const key in value) keys += 1 + countKeys((value as JsonObject)[key]);
  return keys;
}

/** Stands for every key that isPlainKey refuses. */
export const dynamicKey = "<dynamic>";

/** Whether a key looks like the name of a field. Ids, addresses and tokens do not, and are not stored. */
export function isPlainKey(key: string): boolean {
  return (
    key.length <= 40 && /^[A-Za-z]{1,20}(?:_[A-Za-z]{1,20}){0,5}(?:_?[0-9]{1,2}(?:_[a-z]{1,20})?)?$/.test(key)
  );
}

/** Whether a value of source, category or type looks like a label. Other values are not stored. */
export function isPlainValue(value: string): boolean {
  return (
    value.length <= 40 &&
    /^[A-Za-z][A-Za-z0-9]*(?:[ _.:-][A-Za-z0-9]+)*$/.test(value) &&
    !/[0-9]{5}/.test(value)
  );
}
