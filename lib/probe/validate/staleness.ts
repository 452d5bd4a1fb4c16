// How old the data of one response is, from the timestamps of all its records. An age that cannot be
// known is absent: no data is not an age of 0.
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { evidenceKindOf, fields } from "../../contract/fields.ts";
import type { Staleness } from "../../records/observation.ts";
import { nameInRecord } from "./field-values.ts";
import type { JsonObject } from "./json-values.ts";
import { parseDateTime } from "./timestamp.ts";

/** A timestamp this little ahead of our clock counts as now. */
const futureToleranceMs = 5_000;

export type Clock = {
  nowMs: number;
  /** From the Date and Age headers of the response. */
  targetNowMs?: number | undefined;
  maxSkewSeconds: number;
};

export function measureStaleness(
  endpoint: EndpointId,
  records: readonly JsonObject[],
  clock: Clock,
): Staleness {
  const names = endpoints[endpoint].timestamps.map((path) => nameInRecord(endpoint, path));
  const values = names.flatMap((name) => records.map((record) => record[name]));
  const times = values.flatMap((value) => (typeof value === "string" ? (parseDateTime(value) ?? []) : []));
  const missing = values.filter((value) => value === undefined).length;
  const nulls = values.filter((value) => value === null).length;
  const ages = times
    .map((time) => clock.nowMs - time)
    .filter((ageMs) => ageMs >= -futureToleranceMs)
    .map((ageMs) => Math.max(0, ageMs))
    .sort((one, other) => one - other);

  const staleness: Staleness = {
    records: values.length,
    dated: ages.length,
    missing,
    null: nulls,
    future: times.length - ages.length,
    unparsable: values.length - times.length - missing - nulls,
    calculating: countCalculating(endpoint, records),
    muted: false,
  };
  if (ages.length > 0) {
    staleness.ages = {
      newest: toSeconds(ages[0]!),
      p50: toSeconds(percentile(ages, 0.5)),
      p95: toSeconds(percentile(ages, 0.95)),
      oldest: toSeconds(ages.at(-1)!),
    };
  }
  if (clock.targetNowMs !== undefined) {
    staleness.skewSeconds = Math.round((clock.targetNowMs - clock.nowMs) / 1000);
    staleness.muted = Math.abs(staleness.skewSeconds) > clock.maxSkewSeconds;
  }
  return staleness;
}

/** Records whose score is being calculated. */
function countCalculating(endpoint: EndpointId, records: readonly JsonObject[]): number {
  const flag = fields[endpoint].find((field) => evidenceKindOf(field) === "transitions");
  if (!flag) return 0;
  const name = nameInRecord(endpoint, flag.path);
  return records.filter((record) => record[name] === true).length;
}

/** Rounded to a tenth of a second. */
const toSeconds = (ms: number) => Math.round(ms / 100) / 10;

/** Nearest rank: the smallest age that at least this share of the records does not exceed. */
const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
