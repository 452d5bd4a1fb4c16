// Keyed hashes of the records of a response: two checks can be compared, and neither tells who was in it.
import { createHmac } from "node:crypto";
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { maxRecords, type Observation, recordDate } from "../../records/observation.ts";
import { isJsonObject, nameInRecord, recordsOf } from "./field-values.ts";

export type Hasher = (kind: "sample" | "id" | "values", text: string) => string;

/** HMAC-SHA-256, truncated to 10 hex digits. */
export const createHasher =
  (hashKey: string): Hasher =>
  (kind, text) =>
    createHmac("sha256", hashKey).update(`${kind}:${text}`).digest("hex").slice(0, 10);

/** As it was sent, where the record of the observation can hold it. Where it cannot, `findDrift` reports the format. */
function dateOf(value: unknown): string | null {
  const date = recordDate.safeParse(value);
  return date.success ? date.data : null;
}

const scalarOf = (value: unknown) =>
  typeof value === "object" ? null : typeof value === "string" ? value.slice(0, 100) : value;

/** The overall scores of a list that the document sorts by them. */
function overallScores(endpoint: EndpointId, objects: readonly Record<string, unknown>[]): number[] {
  const { sortedBy } = endpoints[endpoint];
  if (sortedBy === undefined) return [];
  const name = nameInRecord(endpoint, sortedBy);
  return objects.map((object) => object[name]).filter((score) => typeof score === "number");
}

/** The values stay here: only the counts are stored. */
export function countEqualScores(
  endpoint: EndpointId,
  objects: readonly Record<string, unknown>[],
): Observation["equalScores"] {
  const counts = new Map<number, number>();
  const scores = overallScores(endpoint, objects);
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  return scores.length > 0 ? { same: Math.max(...counts.values()), of: scores.length } : undefined;
}

/** Fewer scores than these would tell of a person. */
const medianRecords = 10;

/** To two digits: it tells nothing of any one of them. */
export function findMedianScore(
  endpoint: EndpointId,
  objects: readonly Record<string, unknown>[],
): number | undefined {
  const scores = overallScores(endpoint, objects)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const median = scores[Math.floor(scores.length / 2)];
  return scores.length < medianRecords || median === undefined ? undefined : Number(median.toPrecision(2));
}

/** Whether the response has another record than the one that was requested; undefined if the record has no id. */
export function isOtherRecord(endpoint: EndpointId, body: unknown, sampleId: string): boolean | undefined {
  const [record] = recordsOf(endpoint, body);
  const id = isJsonObject(record) ? record[nameInRecord(endpoint, endpoints[endpoint].recordId)] : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) !== sampleId : undefined;
}

export function hashRecords(endpoint: EndpointId, body: unknown, hasher: Hasher): Observation["records"] {
  const { recordId, timestamps, values: watched } = endpoints[endpoint];
  const [idName, ...valueNames] = [recordId, ...watched].map((path) => nameInRecord(endpoint, path));
  const dateName = timestamps[0] === undefined ? undefined : nameInRecord(endpoint, timestamps[0]);
  const records = recordsOf(endpoint, body)
    .slice(0, maxRecords)
    .flatMap((record) => {
      const id = isJsonObject(record) ? record[idName!] : undefined;
      if (!isJsonObject(record) || (typeof id !== "string" && typeof id !== "number")) return [];
      const values = valueNames.map((name) => scalarOf(record[name]));
      return [
        {
          id: hasher("id", String(id).slice(0, 100)),
          at: dateName === undefined ? null : dateOf(record[dateName]),
          values: hasher("values", JSON.stringify(values)),
        },
      ];
    });
  return records.length > 0 ? records : undefined;
}
