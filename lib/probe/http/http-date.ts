// Parses the three date formats of HTTP strictly. Date.parse accepts more formats, some of them in local
// time.

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const day = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const longDay = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)";
const month = `(?<month>${months.join("|")})`;
const time = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";

/** The end of the year 9999. Stored dates have years of four digits, and a leap second could exceed it. */
const maxInstantMs = 253_402_300_799_000;

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

function readLoose(groups: Record<string, string | undefined>): number | undefined {
  const {
    zone: name = "Z",
    monthNumber,
    month: monthName,
    hour = "00",
    minute = "00",
    second = "00",
  } = groups;
  const named = monthName ?? months[Number(monthNumber) - 1];
  if (named === undefined) return undefined;
  const atMs = readInstant({
    hour,
    minute,
    second,
    month: named,
    date: groups.date ?? "",
    year: groups.year ?? "",
  });
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(name);
  if (atMs === undefined || !offset) return atMs;
  const utcMs = atMs - (offset[1] === "+" ? 1 : -1) * (Number(offset[2]) * 60 + Number(offset[3])) * 60_000;
  return utcMs > maxInstantMs ? undefined : utcMs;
}

/** The earliest of one or several dates, where nothing but dates is written. */
export function parseDates(text: string): number | undefined {
  if (text.length > 1_000) return undefined;
  const strict = parseHttpDate(text);
  if (strict !== undefined) return strict;
  const found: number[] = [];
  let rest = text;
  for (const format of looseFormats) {
    for (const match of rest.matchAll(format)) {
      const atMs = readLoose(match.groups ?? {});
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

function readInstant(groups: Record<string, string>): number | undefined {
  const year = fullYear(groups.year ?? "");
  const monthIndex = months.indexOf(groups.month ?? "");
  const [date, hour, minute, second] = [groups.date, groups.hour, groups.minute, groups.second].map(
    Number,
  ) as [number, number, number, number];
  const leapSecond = hour === 23 && minute === 59 && second === 60;
  if (year < 1900 || hour > 23 || minute > 59 || (second > 59 && !leapSecond)) return undefined;
  const midnight = new Date(Date.UTC(year, monthIndex, date));
  // Date.UTC moves an invalid day, such as Feb 30 or day 00, to another month.
  if (date < 1 || midnight.getUTCMonth() !== monthIndex) return undefined;
  const atMs = midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000;
  return atMs > maxInstantMs ? undefined : atMs;
}

// RFC 850 years have two digits. The standard's rule depends on the current year; a fixed pivot is
// deterministic.
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}
