// HTTP's three date formats, read strictly: Date.parse accepts far more, and some of it by local time.

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const day = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const longDay = "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)";
const month = `(?<month>${months.join("|")})`;
const time = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";

/** The end of the year 9999, which a leap second may pass: a record has years of four digits. */
const maxInstantMs = 253_402_300_799_000;

const formats = [
  // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^${day}, (?<date>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`),
  // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^${longDay}, (?<date>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`),
  // asctime: Sun Nov  6 08:49:37 1994
  new RegExp(`^${day} ${month} (?<date>\\d\\d| \\d) ${time} (?<year>\\d{4})$`),
];

/** Milliseconds since 1970, or undefined. A weekday that does not fit is forgiven: hand-written headers
 * get it wrong, and the date is what counts. */
export function parseHttpDate(text: string): number | undefined {
  for (const format of formats) {
    const groups = format.exec(text)?.groups;
    if (groups) return readInstant(groups);
  }
  return undefined;
}

/**
 * What the target's clock shows, by the answer's headers. A shared cache keeps the origin's Date and adds an Age,
 * but some write a Date of their own: of the two instants it is the one nearer to our clock.
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
  const [date, hour, minute, second] = [groups.date, groups.hour, groups.minute, groups.second].map(Number);
  if (date === undefined || hour === undefined || minute === undefined || second === undefined)
    return undefined;
  const leapSecond = hour === 23 && minute === 59 && second === 60;
  if (year < 1900 || hour > 23 || minute > 59 || (second > 59 && !leapSecond)) return undefined;
  const midnight = new Date(Date.UTC(year, monthIndex, date));
  // Feb 30 and day 00 would have moved to another month.
  if (date < 1 || midnight.getUTCMonth() !== monthIndex) return undefined;
  const atMs = midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000;
  return atMs > maxInstantMs ? undefined : atMs;
}

// RFC 850 has two digits; the standard's rule needs a clock, a fixed pivot gives the same answer always.
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}
