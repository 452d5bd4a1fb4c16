// Reads an ISO 8601 date-time without Date.parse, whose answer depends on the machine's time zone
// and forgives February 30. Accepts what the contract's schema accepts; a test holds the two together.

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number) => (year & 3) === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Days since 1970-01-01 in the Gregorian calendar, with years that begin in March. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = (((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) | 0) + day - 1;
  return era * 146_097 + yearOfEra * 365 + (yearOfEra >> 2) - ((yearOfEra / 100) | 0) + dayOfYear - 719_468;
}

const dash = 45;
const colon = 58;
const dot = 46;
const upperT = 84;
const upperZ = 90;
const plus = 43;

/** Milliseconds since 1970, or NaN where the text is not a date-time with a zone. */
export function parseDateTime(text: string): number {
  const length = text.length;
  // A stranger may send megabytes; no date-time needs more than 64 characters.
  if (length < 20 || length > 64) return Number.NaN;
  const y1 = text.charCodeAt(0) - 48;
  const y2 = text.charCodeAt(1) - 48;
  const y3 = text.charCodeAt(2) - 48;
  const y4 = text.charCodeAt(3) - 48;
  const mo1 = text.charCodeAt(5) - 48;
  const mo2 = text.charCodeAt(6) - 48;
  const d1 = text.charCodeAt(8) - 48;
  const d2 = text.charCodeAt(9) - 48;
  const h1 = text.charCodeAt(11) - 48;
  const h2 = text.charCodeAt(12) - 48;
  const mi1 = text.charCodeAt(14) - 48;
  const mi2 = text.charCodeAt(15) - 48;
  // Below zero where any of them is not a digit: one branch in place of twelve, on every timestamp.
  let digits =
    y1 | (9 - y1) | y2 | (9 - y2) | y3 | (9 - y3) | y4 | (9 - y4) | mo1 | (9 - mo1) | mo2 | (9 - mo2);
  digits |= d1 | (9 - d1) | d2 | (9 - d2) | h1 | (9 - h1) | h2 | (9 - h2) | mi1 | (9 - mi1) | mi2 | (9 - mi2);
  const marks =
    (text.charCodeAt(4) ^ dash) |
    (text.charCodeAt(7) ^ dash) |
    (text.charCodeAt(10) ^ upperT) |
    (text.charCodeAt(13) ^ colon);
  if (digits < 0 || marks !== 0) return Number.NaN;
  const year = y1 * 1000 + y2 * 100 + y3 * 10 + y4;
  const month = mo1 * 10 + mo2;
  const day = d1 * 10 + d2;
  const hour = h1 * 10 + h2;
  const minute = mi1 * 10 + mi2;
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59) return Number.NaN;
  if (day > 28 && day > daysInMonth[month - 1]! && !(month === 2 && day === 29 && isLeap(year)))
    return Number.NaN;

  const s1 = text.charCodeAt(17) - 48;
  const s2 = text.charCodeAt(18) - 48;
  if ((s1 | (9 - s1) | s2 | (9 - s2)) < 0 || s1 > 5 || text.charCodeAt(16) !== colon) return Number.NaN;
  let at = 19;
  let millisecond = 0;
  if (text.charCodeAt(at) === dot) {
    const firstDigit = ++at;
    let scale = 100;
    let digit = text.charCodeAt(at) - 48;
    while (digit >= 0 && digit <= 9) {
      millisecond += digit * scale;
      scale = (scale / 10) | 0;
      digit = text.charCodeAt(++at) - 48;
    }
    if (at === firstDigit) return Number.NaN;
  }

  let offsetMinutes = 0;
  const zone = text.charCodeAt(at);
  if (zone === upperZ) {
    if (at + 1 !== length) return Number.NaN;
  } else {
    if ((zone !== plus && zone !== dash) || at + 6 !== length || text.charCodeAt(at + 3) !== colon)
      return Number.NaN;
    const zh1 = text.charCodeAt(at + 1) - 48;
    const zh2 = text.charCodeAt(at + 2) - 48;
    const zm1 = text.charCodeAt(at + 4) - 48;
    const zm2 = text.charCodeAt(at + 5) - 48;
    if ((zh1 | (9 - zh1) | zh2 | (9 - zh2) | zm1 | (9 - zm1) | zm2 | (9 - zm2)) < 0) return Number.NaN;
    const hours = zh1 * 10 + zh2;
    if (hours > 23 || zm1 > 5) return Number.NaN;
    offsetMinutes = (zone === plus ? 1 : -1) * (hours * 60 + zm1 * 10 + zm2);
  }
  return (
    daysSinceEpoch(year, month, day) * 86_400_000 +
    ((hour * 60 + minute - offsetMinutes) * 60 + s1 * 10 + s2) * 1000 +
    millisecond
  );
}

/** Whether the punctuation is a UTC date-time's; the digits are not looked at. */
export function hasDateTimeMarks(text: string): boolean {
  const length = text.length;
  return (
    length >= 20 &&
    length <= 32 &&
    text.charCodeAt(length - 1) === upperZ &&
    text.charCodeAt(4) === dash &&
    text.charCodeAt(10) === upperT &&
    text.charCodeAt(16) === colon
  );
}

/** Our own name for how a date-like text is written; never a part of the text. */
export function nameDateFormat(text: string): string {
  if (text === "") return "empty";
  if (text.length > 64) return "text";
  if (!Number.isNaN(parseDateTime(text))) return "date-time";
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    return Number.isNaN(parseDateTime(`${text}T00:00:00Z`)) ? "impossible-date" : "date";
  }
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text)) return "zone-less";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?[+-]\d{4}$/.test(text)) return "basic-offset";
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text))
    return "impossible-date";
  if (/^\d{10}$/.test(text)) return "epoch-seconds";
  if (/^\d{13}$/.test(text)) return "epoch-milliseconds";
  if (/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /.test(text)) return "http-date";
  return "text";
}
