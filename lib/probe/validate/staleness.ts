// How old the data of one response is, from the timestamps of all its records. An age that cannot be
// known is absent: no data is not an age of 0.

import * as z from "zod";
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { fields } from "../../contract/fields.ts";
import { maxAges, type Staleness } from "../../records/observation.ts";
import { type JsonObject, nameInRecord } from "./field-values.ts";

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
    staleness.ageSteps = toSteps(ages);
  }
  if (clock.targetNowMs !== undefined) {
    staleness.skewSeconds = Math.round((clock.targetNowMs - clock.nowMs) / 1000);
    staleness.muted = Math.abs(staleness.skewSeconds) > clock.maxSkewSeconds;
  }
  return staleness;
}

/** Records whose score is being calculated. */
function countCalculating(endpoint: EndpointId, records: readonly JsonObject[]): number {
  const flag = fields[endpoint].find((field) => field.evidence === "transitions");
  if (!flag) return 0;
  const name = nameInRecord(endpoint, flag.path);
  return records.filter((record) => record[name] === true).length;
}

/** Rounded to a tenth of a second. */
const toSeconds = (ms: number) => Math.round(ms / 100) / 10;

/** Ascending ages → the smallest in tenths of a second, then the distance of each from the one before. */
function toSteps(sorted: readonly number[]): number[] {
  const kept =
    sorted.length <= maxAges
      ? sorted
      : Array.from(
          { length: maxAges },
          (_, index) => sorted[Math.round((index * (sorted.length - 1)) / (maxAges - 1))]!,
        );
  const tenths = kept.map((ms) => Math.round(ms / 100));
  return tenths.map((tenth, index) => tenth - (tenths[index - 1] ?? 0));
}

/** Nearest rank: the smallest age that at least this share of the records does not exceed. */
const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;

// ISO 8601 date-times as the contract's schema accepts them, and names for how other dates are written.
/** The format that lib/contract/v1/schemas.ts gives to date-times. */
const dateTime = z.regexes.datetime({ offset: true, precision: null });

/** 2024-10-01T08:09:00.123456789Z */
const maxDateLength = 30;

const isDateTime = (text: string) => dateTime.test(text);

/**
 * Milliseconds since 1970, or undefined where the text is not a date-time with a time zone. Date.parse
 * alone reads February 30 as March 1, and a text without a zone in the time zone of this machine.
 */
export function parseDateTime(text: string): number | undefined {
  if (!isDateTime(text)) return undefined;
  // Node 24 misreads fractions of ten or more digits: .0002000000 becomes 2 milliseconds.
  return Date.parse(text.length > maxDateLength ? text.replace(/(\.\d{3})\d+/, "$1") : text);
}

/** Our own name for how a date is written; never a part of the text. */
export function nameDateFormat(text: string): string {
  if (text === "") return "empty";
  if (text.length > 64) return "text";
  if (isDateTime(text)) return "date-time";
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return isDateTime(`${text}T00:00:00Z`) ? "date" : "impossible-date";
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text)) return "zone-less";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?[+-]\d{4}$/.test(text)) return "basic-offset";
  // The end of a day: ISO 8601 allows it, RFC 3339 and most parsers do not.
  if (/^\d{4}-\d\d-\d\dT24:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return "hour-24";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text))
    return "impossible-date";
  if (/^\d{10}$/.test(text)) return "epoch-seconds";
  if (/^\d{13}$/.test(text)) return "epoch-milliseconds";
  if (/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /.test(text)) return "http-date";
  return "text";
}
