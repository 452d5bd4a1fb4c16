// Keyed hashes of the records of a response: two checks can be compared, and neither tells who was in it.
import { createHmac } from "node:crypto";
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { maxRecords, type Observation, recordDate } from "../../records/observation.ts";

export type Hasher = (kind: "sample" | "id" | "values", text: string) => string;

/** HMAC-SHA-256, truncated to 10 hex digits. */
export const createHasher =
  (hashKey: string): Hasher =>
  (kind, text) =>
    createHmac("sha256", hashKey).update(`${kind}:${text}`).digest("hex").slice(0, 10);

const maxRemembered = 5_000;

/** The same records come again and again in a process that stays alive. */
export function rememberHashes(hasher: Hasher): Hasher {
  const known = new Map<string, string>();
  return (kind, text) => {
    const name = `${kind}:${text}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= maxRemembered) known.clear();
    const hash = hasher(kind, text);
    known.set(name, hash);
    return hash;
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const scoreFields = ["activity_score", "identity_score", "skills_score", "score", "max_score"] as const;

/** As it was sent, where the record of the observation can hold it. Where it cannot, `findDrift` reports the format. */
function dateOf(value: unknown): string | null {
  const date = recordDate.safeParse(value);
  return date.success ? date.data : null;
}

const scalarOf = (value: unknown) =>
  typeof value === "object" ? null : typeof value === "string" ? value.slice(0, 100) : value;

/** The values stay here: only the counts are stored. */
export function countEqualScores(objects: readonly Record<string, unknown>[]): Observation["equalScores"] {
  const counts = new Map<unknown, number>();
  const scores = objects.map(({ score }) => score).filter((score) => typeof score === "number");
  for (const score of scores) counts.set(score, (counts.get(score) ?? 0) + 1);
  return scores.length > 0 ? { same: Math.max(...counts.values()), of: scores.length } : undefined;
}

export function hashRecords(endpoint: EndpointId, body: unknown, hasher: Hasher): Observation["records"] {
  const container = endpoints[endpoint].records.replace("[]", "");
  const held = isRecord(body) ? body[container] : undefined;
  const list = Array.isArray(held) ? held : [held];
  const records = list.slice(0, maxRecords).flatMap((record) => {
    const id = isRecord(record) ? (record.passport_id ?? record.id) : undefined;
    if (!isRecord(record) || (typeof id !== "string" && typeof id !== "number")) return [];
    const values = scoreFields.map((name) => scalarOf(record[name]));
    return [
      {
        id: hasher("id", String(id).slice(0, 100)),
        at: dateOf(record.last_calculated_at),
        values: hasher("values", JSON.stringify(values)),
      },
    ];
  });
  return records.length > 0 ? records : undefined;
}
