// Maintenance windows: times of every week, or one time, in which no notification is sent. Checks go on.
import * as z from "zod";
import { dayMs, hourMs, minuteMs, momentText } from "../time.ts";

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
type Weekday = (typeof weekdays)[number];

const dayForm = { error: `a list of days (${weekdays.map((day) => `"${day}"`).join(", ")})` };
const clockForm = { error: 'a time of day (such as "22:00")' };
const zoneForm = { error: 'a time zone (such as "Europe/Berlin" or "UTC")' };
const clock = z.string(clockForm).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, clockForm);

export const zone = z.string(zoneForm).refine(isTimeZone, zoneForm);

const weeklyForm = '{ "days": […], "from": "22:00", "to": "02:00", "timeZone": … }';
const onceForm = '{ "start": "2026-12-01T22:00:00Z", "end": … }';

const weeklyWindow = z
  .strictObject({
    days: z
      .array(z.enum(weekdays, dayForm), dayForm)
      .min(1, dayForm)
      .default([...weekdays])
      .describe("The days on which the window begins."),
    from: clock.describe("When it begins."),
    to: clock.describe("When it ends. If this is not after the beginning, it is on the next day."),
    timeZone: zone.default("UTC").describe("The time zone of days and times."),
  })
  .meta({ title: "every week", description: "A window that recurs every week." });

const instantForm = { error: 'an instant (such as "2026-12-01T22:00:00Z")' };
const instant = z.iso.datetime({ ...instantForm, offset: true });

const singleWindow = z
  .strictObject({
    start: instant.describe("When it begins."),
    end: instant.describe("When it ends."),
  })
  .refine(({ start, end }) => Date.parse(end) > Date.parse(start), {
    error: 'an end after the start (such as "2026-12-02T04:00:00Z")',
    path: ["end"],
  })
  .meta({
    title: "once",
    description: "A window that happens once. The dashboard sets and stops one, too.",
  });

export const maintenanceWindow = z.union([weeklyWindow, singleWindow], {
  error: `a maintenance window (of every week, ${weeklyForm}, or once, ${onceForm})`,
});
type WeeklyWindow = z.infer<typeof weeklyWindow>;
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const dayMinutes = 1_440;

/** The weekday and the minute of the day that a clock on the wall shows. */
function wallClock(atMs: number, timeZone: string): { day: Weekday; minute: number } {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(atMs);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return {
    day: read("weekday").slice(0, 3).toLowerCase() as Weekday,
    minute: Number(read("hour")) * 60 + Number(read("minute")),
  };
}

let latestOffset = { zone: "UTC", hour: 0, offsetMs: 0 };

/** How far a clock on the wall is ahead of UTC. */
function zoneOffsetMs(atMs: number, zone: string): number {
  if (zone === "UTC") return 0;
  const hour = Math.floor(atMs / hourMs);
  if (latestOffset.zone === zone && latestOffset.hour === hour) return latestOffset.offsetMs;
  const { minute } = wallClock(atMs, zone);
  const minutesUtc = Math.floor(atMs / minuteMs) % dayMinutes;
  const ahead = (minute - minutesUtc + 1.5 * dayMinutes) % dayMinutes;
  latestOffset = { zone, hour, offsetMs: (ahead - dayMinutes / 2) * minuteMs };
  return latestOffset.offsetMs;
}

/** Reminders, countdowns and the digest are sent at this hour unless the team sets another one. */
export const usualHour = 9;

/** The number of the day that begins at the team's hour. */
export const teamDayOf = (atMs: number, hour = usualHour, zone = "UTC"): number =>
  Math.floor((atMs + zoneOffsetMs(atMs, zone) - hour * hourMs) / dayMs);

const minuteOf = (clockText: string) => Number(clockText.slice(0, 2)) * 60 + Number(clockText.slice(3));

/** A window that goes on after midnight belongs to the day on which it began. */
function isWithinWeekly({ days, from, to, timeZone }: WeeklyWindow, atMs: number): boolean {
  const { day, minute } = wallClock(atMs, timeZone);
  const [start, end] = [minuteOf(from), minuteOf(to)];
  const yesterday = weekdays[(weekdays.indexOf(day) + 6) % 7]!;
  if (end > start) return days.includes(day) && minute >= start && minute < end;
  return (days.includes(day) && minute >= start) || (days.includes(yesterday) && minute < end);
}

const isWithin = (window: MaintenanceWindow, atMs: number): boolean =>
  "start" in window
    ? atMs >= Date.parse(window.start) && atMs < Date.parse(window.end)
    : isWithinWeekly(window, atMs);

export const isInMaintenance = (windows: readonly MaintenanceWindow[] | undefined, atMs: number): boolean =>
  (windows ?? []).some((window) => isWithin(window, atMs));

/** The end of the windows that are open now, by the clock on the wall; undefined outside of them. */
export function maintenanceUntil(
  windows: readonly MaintenanceWindow[] | undefined,
  nowMs: number,
): string | undefined {
  if (!isInMaintenance(windows, nowMs)) return undefined;
  let atMs = Math.floor(nowMs / minuteMs) * minuteMs;
  // Windows may follow one another; those of the week at most a week without a gap.
  for (let minute = 0; minute < 8 * dayMinutes && isInMaintenance(windows, atMs); minute += 1) {
    const once = (windows ?? []).find((window) => "start" in window && isWithin(window, atMs));
    atMs = once && "end" in once ? Date.parse(once.end) : atMs + minuteMs;
  }
  return new Date(atMs).toISOString();
}

export const describeMaintenance = (until: string, reason?: string) =>
  `Maintenance until ${momentText(until)}${reason === undefined ? "" : ` (${reason})`}: only the RESOLVED of what was announced before is sent.`;
