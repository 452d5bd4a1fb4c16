// Durations, instants and days as numbers and as people read them. Every instant is written in UTC.

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** 130 min → "2 h 10 min": two units at the most, because nobody acts on the third. */
export function describeDuration(seconds: number): string {
  const units: [string, number][] = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ];
  const whole = Math.max(0, Math.round(seconds));
  const first = units.findIndex(([, size]) => whole >= size);
  if (first < 0) return "0 s";
  const [name, size] = units[first]!;
  const head = `${Math.floor(whole / size)} ${name}`;
  const next = units[first + 1];
  const rest = next ? Math.floor((whole % size) / next[1]) : 0;
  return rest > 0 && next ? `${head} ${rest} ${next[0]}` : head;
}

/** The same, rounded up: what takes up to so long never takes longer than it says. */
export function describeAtMost(seconds: number): string {
  const step = seconds >= 86_400 ? 3_600 : seconds >= 3_600 ? 60 : 1;
  return describeDuration(Math.ceil(seconds / step) * step);
}

/** "36 to 60 min", "2 h 48 min to 3 h 12 min": one unit where both have the same, or fit into minutes. */
export function describeRange(fromSeconds: number, toSeconds: number): string {
  const [from, to] = [describeDuration(fromSeconds), describeAtMost(toSeconds)];
  if (from === to) return from;
  if (to === "1 h" && fromSeconds >= 60) return `${Math.floor(fromSeconds / 60)} to 60 min`;
  const [number, unit, ...rest] = from.split(" ");
  return rest.length === 0 && to.split(" ").length === 2 && to.endsWith(` ${unit}`)
    ? `${number} to ${to}`
    : `${from} to ${to}`;
}

// Years of four digits: a stranger's age of a million years must not end in an exception.
const [earliestMs, latestMs] = [Date.parse("0001-01-01"), Date.parse("9999-12-31T23:59Z")];
const instant = (ms: number) => new Date(Math.min(Math.max(ms, earliestMs), latestMs)).toISOString();

/** Calendar days (UTC), so that 31 December is one day from 30 December at any hour; negative once it is past. */
export const daysUntil = (dateMs: number, nowMs: number) =>
  Math.floor(dateMs / dayMs) - Math.floor(nowMs / dayMs);

/** 2026-12-31 */
export const dayText = (ms: number) => instant(ms).slice(0, 10);

/** 07:00 */
export const clockText = (ms: number) => instant(ms).slice(11, 16);

/** 2026-12-31 07:00 */
export const minuteText = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)}`;

/** 2026-12-31 07:00 UTC */
export const momentText = (instant: string) => `${minuteText(instant)} UTC`;

/** 2026-12-31T07:00:00.000Z */
export const instantText = (ms: number): string => new Date(ms).toISOString();

/** 2026-12-31 07:00 UTC, of milliseconds since 1970. */
export const momentOf = (ms: number) => momentText(instantText(ms));

export const isSameDay = (one: string, other: string) => one.slice(0, 10) === other.slice(0, 10);

/** 07:00 UTC on the day of `at`, else with the date. */
export const timeText = (instant: string, at: string) =>
  isSameDay(instant, at) ? `${instant.slice(11, 16)} UTC` : momentText(instant);

/** Instants are written without seconds. */
const isSameMinute = (one: string, other: string) => one.slice(0, 16) === other.slice(0, 16);

/** "from 02:50 UTC to 02:55 UTC", each with its date unless both are of the day of `at`. */
export function spanText(from: string, to: string, at: string): string {
  if (isSameMinute(from, to)) return `at ${timeText(to, at)}`;
  const day = isSameDay(from, at) ? at : "";
  return `from ${timeText(from, day)} to ${timeText(to, day)}`;
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

const dayAndMonth = (instant: string) =>
  `${Number(instant.slice(8, 10))} ${months[Number(instant.slice(5, 7)) - 1]!}`;

/** "19 September", with the year where it is not that of `at`. */
export const dayWords = (instant: string, at: string) =>
  `${dayAndMonth(instant)}${instant.slice(0, 4) === at.slice(0, 4) ? "" : ` ${instant.slice(0, 4)}`}`;

/** "13 to 14 January", "31 December 2026 to 1 January 2027" */
function dayRange(from: string, to: string, at: string): string {
  if (isSameDay(from, to)) return dayWords(to, at);
  if (from.slice(0, 4) !== to.slice(0, 4))
    return `${dayAndMonth(from)} ${from.slice(0, 4)} to ${dayAndMonth(to)} ${to.slice(0, 4)}`;
  const start = from.slice(0, 7) === to.slice(0, 7) ? String(Number(from.slice(8, 10))) : dayAndMonth(from);
  return `${start} to ${dayWords(to, at)}`;
}

const isWithinOneNight = (after: string, by: string) => Date.parse(by) - Date.parse(after) < dayMs / 2;

/** After "since": "02:40–02:50 UTC", "2027-01-13 23:48–00:00 UTC", "13 to 14 January (between two checks)", or "about 02:50 UTC" without a check before. */
export function sinceText(after: string | null, by: string, at: string): string {
  if (after === null) return `about ${timeText(by, at)}`;
  if (isSameMinute(after, by)) return timeText(by, at);
  if (!isSameDay(after, by) && !isWithinOneNight(after, by))
    return `${dayRange(after, by, at)} (between two checks)`;
  const day = isSameDay(after, at) ? "" : `${after.slice(0, 10)} `;
  return `${day}${after.slice(11, 16)}–${by.slice(11, 16)} UTC`;
}

/** The same, as short as it may be: "13 to 14 January". */
export const sinceDayText = (after: string | null, by: string, at: string): string =>
  dayRange(after ?? by, by, at);

/** After "it began": "between 02:40 and 02:50 UTC": after the first instant, at or before the second. */
export function betweenText(after: string | null, by: string, at: string): string {
  if (after === null) return `at or before ${timeText(by, at)}`;
  if (isSameMinute(after, by)) return `at ${timeText(by, at)}`;
  const day = isSameDay(by, at) ? "" : `${by.slice(0, 10)} `;
  return isSameDay(after, by)
    ? `between ${day}${after.slice(11, 16)} and ${by.slice(11, 16)} UTC`
    : `between ${after.slice(0, 10)} ${after.slice(11, 16)} and ${momentText(by)}`;
}
