// ISO 8601 date-times as the contract's schema accepts them, and names for how other dates are written.
import * as z from "zod";

/** The format that lib/contract/schemas.ts gives to date-times. */
const dateTime = z.iso.datetime({ offset: true });

/**
 * Milliseconds since 1970, or undefined where the text is not a date-time with a time zone. Date.parse
 * alone reads February 30 as March 1, and a text without a zone in the time zone of this machine.
 */
export function parseDateTime(text: string): number | undefined {
  if (!dateTime.safeParse(text).success) return undefined;
  // Node 24 misreads fractions of ten or more digits: .0002000000 becomes 2 milliseconds.
  return Date.parse(text.replace(/(\.\d{3})\d+/, "$1"));
}

/** Our own name for how a date is written; never a part of the text. */
export function nameDateFormat(text: string): string {
  if (text === "") return "empty";
  if (text.length > 64) return "text";
  if (parseDateTime(text) !== undefined) return "date-time";
  if (/^\d{4}-\d\d-\d\d$/.test(text))
    return parseDateTime(`${text}T00:00:00Z`) === undefined ? "impossible-date" : "date";
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text)) return "zone-less";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?[+-]\d{4}$/.test(text)) return "basic-offset";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text))
    return "impossible-date";
  if (/^\d{10}$/.test(text)) return "epoch-seconds";
  if (/^\d{13}$/.test(text)) return "epoch-milliseconds";
  if (/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /.test(text)) return "http-date";
  return "text";
}
