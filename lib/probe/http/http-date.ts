// Parses the three date formats of HTTP strictly, and forms that a Sunset has in their place. Date.parse alone accepts more formats,
// some of them in local time.
import { parseDateTime } from "../validate/staleness.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const day = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const longDay = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)";
const month = `(?<month>${months.join("|")})`;
const time = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";

const formats = [
  // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^${day}, (?<date>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`),
  // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^${longDay}, (?<date>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`),
  // asctime: Sun Nov  6 08:49:37 1994
  new RegExp(`^${day} ${month} (?<date>\\d\\d| \\d) ${time} (?<year>\\d{4})$`),
];

/**
 * Milliseconds since 1970, or undefined. A wrong weekday is ignored, because hand-written headers often have
 * one.
 */
export function parseHttpDate(text: string): number | undefined {
  for (const format of formats) {
    const groups = format.exec(text)?.groups;
    if (groups) return readInstant(groups);
  }
  return undefined;
}

// Readable, and no HTTP-date: ISO 8601, UTC in place of GMT, offsets, a day of one digit.
const zone = "(?<zone>Z|UTC|GMT|[+-]\\d\\d:?\\d\\d)";
const looseFormats = [
  new RegExp(
    `(?:[A-Z][a-z]{2,8},? )?(?<date>\\d{1,2})[ -]${month}[a-z]{0,6}[ -](?<year>\\d{4}|\\d\\d) (?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d))? ?${zone}`,
    "g",
  ),
  new RegExp(
    `(?<year>\\d{4})-(?<monthNumber>\\d\\d)-(?<date>\\d\\d)(?:[T ](?<hour>\\d\\d):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:\\.\\d{1,9})?)? ?${zone}?)?`,
    "g",
  ),
];

/** The earliest of one or several dates, where nothing but dates is written. */
export function parseDates(text: string): number | undefined {
  if (text.length > 1_000) return undefined;
  const strict = parseHttpDate(text);
  if (strict !== undefined) return strict;
  const found: number[] = [];
  let rest = text;
  for (const format of looseFormats) {
    for (const match of rest.matchAll(format)) {
      const atMs = readInstant(match.groups ?? {});
      if (atMs === undefined) return undefined;
      found.push(atMs);
    }
    rest = rest.replace(format, " ");
  }
  return found.length > 0 && /^[\s,;"]*$/.test(rest) ? Math.min(...found) : undefined;
}

/**
 * The time of the target's clock according to the response headers. A shared cache keeps the origin's Date
 * and adds an Age, but some caches write their own Date. Of the two possible times, the one closer to this
 * clock is used.
 */
export function readTargetNow(
  { date, age = "" }: Readonly<Record<string, string>>,
  ownNowMs: number,
): number | undefined {
  const sentMs = date === undefined ? undefined : parseHttpDate(date);
  if (sentMs === undefined || !/^\d{1,10}$/.test(age)) return sentMs;
  const agedMs = sentMs + Number(age) * 1000;
  return Math.abs(agedMs - ownNowMs) < Math.abs(sentMs - ownNowMs) ? agedMs : sentMs;
}

/** HTTP knows no earlier year, and stored dates have years of four digits, which an offset could leave. */
const [minInstantMs, maxInstantMs] = [Date.parse("1900-01-01"), Date.parse("9999-12-31T23:59:59Z")];

function readInstant(groups: Record<string, string | undefined>): number | undefined {
  const { year = "", month = "", date = "", hour = "0", minute = "00", second = "00" } = groups;
  const monthNumber = groups.monthNumber ?? String(months.indexOf(month) + 1);
  const two = (digits: string) => digits.trim().padStart(2, "0");
  const offset = /^([+-]\d\d):?(\d\d)$/.exec(groups.zone ?? "");
  const atMs = parseDateTime(
    `${fullYear(year)}-${two(monthNumber)}-${two(date)}T${two(hour)}:${minute}:${second}${offset ? `${offset[1]}:${offset[2]}` : "Z"}`,
  );
  return atMs !== undefined && atMs >= minInstantMs && atMs <= maxInstantMs ? atMs : undefined;
}

// RFC 850 years have two digits. The standard's rule depends on the current year; a fixed pivot is
// deterministic.
const fullYear = (digits: string) =>
  digits.length > 2 ? digits : `${Number(digits) < 70 ? "20" : "19"}${digits}`;
