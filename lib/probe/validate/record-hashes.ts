// The first records of a response as keyed hashes: they tell whether a record's date or scores changed between two
// checks, and nothing of the person. The key belongs to the installation and never leaves it.
import { createHmac, randomBytes } from "node:crypto";
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { maxRecords, type Observation } from "../../records/observation.ts";

type Unknown = Record<string, unknown>;

export const createHashKey = (): string => randomBytes(16).toString("hex");

export const keyedHash = (hashKey: string, text: string): string =>
  createHmac("sha256", hashKey).update(text).digest("hex").slice(0, 10);

const isRecord = (value: unknown): value is Unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An instant with its zone; anything else is no date to compare. */
function readInstant(value: unknown): string | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)$/.test(value))
    return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** `passports[]` → the list; `passport` → the one record. */
function readRecords(endpoint: EndpointId, body: unknown): Unknown[] {
  const { records } = endpoints[endpoint];
  const container = isRecord(body) ? body[records.replace("[]", "")] : undefined;
  return (Array.isArray(container) ? container : [container]).filter(isRecord).slice(0, maxRecords);
}

const idOf = ({ id, passport_id: passportId }: Unknown) => passportId ?? id;
const scoresOf = (record: Unknown) =>
  Object.entries(record)
    .filter(([name, value]) => name.endsWith("score") && typeof value !== "boolean")
    .sort(([a], [b]) => (a < b ? -1 : 1));

export function hashRecords(
  endpoint: EndpointId,
  body: unknown,
  hashKey: string,
): NonNullable<Observation["records"]> {
  return readRecords(endpoint, body)
    .filter((record) => ["string", "number"].includes(typeof idOf(record)))
    .map((record) => ({
      id: keyedHash(hashKey, String(idOf(record))),
      at: readInstant(record.last_calculated_at),
      values: keyedHash(hashKey, JSON.stringify(scoresOf(record))),
    }));
}
