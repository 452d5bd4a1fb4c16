// The rows of an incident as people read them: who, how many of the checks, when. Rows that read the same are one line, and
// adding their counts is the only arithmetic. Nothing is said of a line that does not hold for each of its rows.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { FactRow, Facts } from "../../records/incident.ts";
import { formatCount, plural } from "../../text.ts";
import { isSameDay, minuteText, timeText } from "../../time.ts";
import { whereText } from "./text.ts";

type Line = { endpoints: EndpointId[]; row: FactRow };

const earliest = (one: string, other: string) => (one < other ? one : other);
const latest = (one: string, other: string) => (one > other ? one : other);
const both = (
  one: string | null | undefined,
  other: string | null | undefined,
  pick: (one: string, other: string) => string,
) => (one && other ? pick(one, other) : undefined);

/** Two rows as one. Its times hold for each of them. */
function join(one: FactRow, other: FactRow): FactRow {
  const counts = new Map(one.got.map(({ label, count }) => [label, count]));
  for (const { label, count } of other.got) counts.set(label, (counts.get(label) ?? 0) + count);
  const got = [...counts].map(([label, count]) => ({ label, count }));
  return {
    ...one,
    bad: one.bad + other.bad,
    total: one.total + other.total,
    throttled: (one.throttled ?? 0) + (other.throttled ?? 0) || undefined,
    got: got.sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1)),
    firstBadAt: earliest(one.firstBadAt, other.firstBadAt),
    lastBadAt: latest(one.lastBadAt, other.lastBadAt),
    lastGoodBeforeAt: both(one.lastGoodBeforeAt, other.lastGoodBeforeAt, latest) ?? null,
    firstGoodAfterAt: both(one.firstGoodAfterAt, other.firstGoodAfterAt, earliest) ?? null,
    onAndOffSince: both(one.onAndOffSince, other.onAndOffSince, earliest),
    window:
      one.window && other.window
        ? { from: earliest(one.window.from, other.window.from), to: latest(one.window.to, other.window.to) }
        : undefined,
  };
}

const labels = ({ got }: FactRow) =>
  got
    .map(({ label }) => label)
    .sort()
    .join();

/** What makes one line of two rows: the same responses, and the same kinds of times. */
const shapeOf = (row: FactRow) =>
  JSON.stringify([
    labels(row),
    row.variant,
    row.window !== undefined,
    row.hasUncounted,
    row.onAndOffSince !== undefined,
    row.lastGoodBeforeAt !== null,
    row.firstGoodAfterAt !== null,
  ]);

/** No good check of a row lies within the times of the line: a line that says "7 of 7" says it of each of its endpoints. */
const holdsFor = (
  line: FactRow,
  { bad, total, throttled, lastGoodBeforeAt, firstGoodAfterAt }: FactRow,
): boolean =>
  bad === total &&
  throttled === undefined &&
  (lastGoodBeforeAt === null || lastGoodBeforeAt < line.firstBadAt) &&
  (firstGoodAfterAt === null || firstGoodAfterAt > line.lastBadAt);

function isAlike(one: FactRow, other: FactRow): boolean {
  if (shapeOf(one) !== shapeOf(other)) return false;
  const line = join(one, other);
  return line.window !== undefined || (holdsFor(line, one) && holdsFor(line, other));
}

/** Lines of most endpoints first. */
export function foldRows(rows: readonly FactRow[]): Line[] {
  const lines: Line[] = [];
  for (const row of rows) {
    const known = lines.find((line) => isAlike(line.row, row));
    if (known) {
      known.endpoints.push(row.endpoint);
      known.row = join(known.row, row);
    } else lines.push({ endpoints: [row.endpoint], row });
  }
  return lines.sort((a, b) => b.endpoints.length - a.endpoints.length);
}

const maxLabels = 4;

/** "503", or "503 (4), timeout (2)" where there are several. */
function gotText({ got }: FactRow): string {
  if (got.length === 1) return got[0]!.label;
  const shown = got.slice(0, maxLabels).map(({ label, count }) => `${label} (${formatCount(count)})`);
  const others = got.slice(maxLabels).reduce((sum, { count }) => sum + count, 0);
  return [...shown, ...(others > 0 ? [`others (${formatCount(others)})`] : [])].join(", ");
}

/** What the bad checks of a rule did, and what its good checks are called. */
export type RowWords = { counted: string; good: string };

/** "503 in 7 of 7 checks", "7 of 7 checks had a Sunset header" */
function countText(row: FactRow, { counted }: RowWords): string {
  const noun = row.variant === "anonymous" ? "anonymous check" : "check";
  const count = `${formatCount(row.bad)} of ${plural(row.total, noun)}`;
  const more = row.throttled ? `, ${formatCount(row.throttled)} more throttled (429)` : "";
  return `${row.got.length > 0 ? `${gotText(row)} in ${count}` : `${count} ${counted}`}${more}`;
}

const timeOn = (instant: string, at: string) =>
  isSameDay(instant, at) ? instant.slice(11, 16) : minuteText(instant);

/** "06:00-06:05 UTC", "2026-03-03 03:24 to 2026-03-04 08:48 UTC" */
function rangeText(from: string, to: string, at: string): string {
  if (minuteText(from) === minuteText(to)) return timeText(to, at);
  if (!isSameDay(from, to)) return `${minuteText(from)} to ${minuteText(to)} UTC`;
  return `${isSameDay(to, at) ? "" : `${to.slice(0, 10)} `}${from.slice(11, 16)}-${to.slice(11, 16)} UTC`;
}

/** "503 in 7 of 7 checks, 06:00-06:05 UTC, last good 05:48" */
function presentText(row: FactRow, words: RowWords, at: string): string {
  const { window, firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt, onAndOffSince } = row;
  return [
    countText(row, words),
    rangeText(window?.from ?? firstBadAt, window?.to ?? lastBadAt, at),
    ...(window ? [`the last at ${timeOn(lastBadAt, at)}`] : []),
    ...(lastGoodBeforeAt ? [`last ${words.good} ${timeOn(lastGoodBeforeAt, at)}`] : []),
    ...(onAndOffSince ? [`on and off since ${timeOn(onAndOffSince, at)}`] : []),
    ...(firstGoodAfterAt ? [`${words.good} since ${timeOn(firstGoodAfterAt, at)}`] : []),
  ].join(", ");
}

/** Between two checks: "05:48-06:00". */
function betweenTimes(from: string | null, to: string, day: string): string {
  if (from === null || minuteText(from) === minuteText(to)) return timeOn(to, day);
  return isSameDay(from, to)
    ? `${timeOn(from, day)}-${to.slice(11, 16)}`
    : `${timeOn(from, day)} to ${timeOn(to, day)}`;
}

/** "from 05:48-06:00 until 07:48-08:00 UTC, 503 in 20 of 20 checks" */
function pastText(row: FactRow, words: RowWords, at: string): string {
  const { bad, total, firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt } = row;
  const day = isSameDay(lastGoodBeforeAt ?? firstBadAt, at) ? at : "";
  const began = `${bad < total ? "on and off " : ""}from ${betweenTimes(lastGoodBeforeAt, firstBadAt, day)}`;
  const ended = firstGoodAfterAt
    ? `until ${betweenTimes(lastBadAt, firstGoodAfterAt, day)}`
    : `to ${timeOn(lastBadAt, day)}`;
  return `${began} ${ended} UTC, ${countText(row, words)}`;
}

/** One line for each endpoint, or for several that read the same. */
export const rowLines = ({ rows = [] }: Facts, words: RowWords, at: string, isOver: boolean): string[] =>
  foldRows(rows).map(
    ({ endpoints, row }) => `${whereText(endpoints)}: ${(isOver ? pastText : presentText)(row, words, at)}`,
  );
