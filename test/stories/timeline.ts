/** Decides which behaviours of a story are active for a request, and what they do to the data. */
import { localTime, parseTimeOfDay, type StoryData, type World } from "./data.ts";
import {
  type Behaviour,
  DAY,
  type Endpoint,
  MINUTE,
  parseDuration,
  parseInstant,
  type RequestKind,
  type Story,
  unit,
  type Variant,
} from "./types.ts";

/** A behaviour with its position in the timeline and its parsed bounds. */
export interface TimelineEntry {
  number: number;
  behaviour: Behaviour;
  from: number;
  to: number;
}

export interface RequestContext {
  endpoint: Endpoint;
  variant: Variant;
  clock: number;
  /** Looked up only where a behaviour asks for it. */
  requestKind(): RequestKind;
}

export function parseTimeline(story: Story): TimelineEntry[] {
  const end = Date.parse(story.start) + story.days * DAY;
  return story.timeline.map((behaviour, number) => ({
    number,
    behaviour,
    from: parseInstant(story, behaviour.from ?? "0m"),
    to: behaviour.to === undefined ? end + 365 * DAY : parseInstant(story, behaviour.to),
  }));
}

/** Whether an instant lies in the behaviour's interval and, where it recurs, in one of its windows. */
export function isInWindow(entry: TimelineEntry, clock: number): boolean {
  if (clock < entry.from || clock >= entry.to) return false;
  const recur = entry.behaviour.recur;
  if (!recur) return true;
  const length = recur.minutes * MINUTE;
  if (recur.everyMinutes !== undefined) return (clock - entry.from) % (recur.everyMinutes * MINUTE) < length;
  const { minute } = localTime(clock, recur.zone);
  const sinceStart =
    ((minute - parseTimeOfDay(recur.at ?? "00:00") + 1440) % 1440) * MINUTE + (clock % MINUTE);
  if (sinceStart >= length) return false;
  const windowStart = clock - sinceStart;
  const { weekday } = localTime(windowStart, recur.zone);
  if (recur.weekdays && !(weekday && recur.weekdays.includes(weekday))) return false;
  const dayNumber = Math.floor(windowStart / DAY) - Math.floor(entry.from / DAY);
  return dayNumber % (recur.everyDays ?? 1) === 0;
}

/** The entries that apply to a request. */
export function activeEntries(
  story: Story,
  timeline: TimelineEntry[],
  request: RequestContext,
): TimelineEntry[] {
  return timeline.filter((entry) => {
    const { endpoints, variant, probability, requests } = entry.behaviour;
    if (endpoints && !endpoints.includes(request.endpoint)) return false;
    if (variant && variant !== "all" && variant !== request.variant) return false;
    if (!isInWindow(entry, request.clock)) return false;
    if (requests && !requests.includes(request.requestKind())) return false;
    return (
      probability === undefined ||
      unit(story.seed, "chance", entry.number, request.endpoint, request.variant, request.clock) < probability
    );
  });
}

/** Whether a behaviour covers a record; `key` identifies the record, `rank` is its rank at the start. */
export function coversRecord(
  story: Story,
  entry: TimelineEntry,
  key: string | number,
  rank: number,
  clock: number,
): boolean {
  const { share, ranks, flicker } = entry.behaviour;
  if (ranks && !ranks.includes(rank)) return false;
  return share === undefined || unit(story.seed, "record", entry.number, key, flicker ? clock : 0) < share;
}

/** Combines the behaviours that change the data itself: clocks, deletions and shifted dates. */
export function dataView(world: World, entries: TimelineEntry[], clock: number): StoryData {
  const { story } = world;
  const covers = (entry: TimelineEntry, index: number): boolean =>
    coversRecord(story, entry, index, world.rankAtStart(index), clock);
  const ofKind = (kind: string): TimelineEntry[] =>
    entries.filter((entry) => entry.behaviour.effect.kind === kind);
  const timed = entries.filter((entry) =>
    ["freeze", "rewind", "dates-only"].includes(entry.behaviour.effect.kind),
  );
  const removals = entries.filter((entry) => ["delete", "shrink"].includes(entry.behaviour.effect.kind));
  const overrides = entries.filter((entry) =>
    ["dates-now", "future-dates"].includes(entry.behaviour.effect.kind),
  );
  return {
    clocks(index) {
      const clocks = { values: clock, dates: clock };
      for (const entry of timed) {
        if (!covers(entry, index)) continue;
        const effect = entry.behaviour.effect;
        if (effect.kind === "freeze") clocks.values = clocks.dates = Math.min(clocks.dates, entry.from);
        if (effect.kind === "dates-only") clocks.values = Math.min(clocks.values, entry.from);
        if (effect.kind === "rewind") {
          clocks.values -= parseDuration(effect.by);
          clocks.dates -= parseDuration(effect.by);
        }
      }
      return clocks;
    },
    bulkAt: ofKind("bulk-recalculation").map((entry) => entry.from),
    isDeleted(index) {
      return removals.some((entry) => {
        const effect = entry.behaviour.effect;
        if (effect.kind !== "shrink") return covers(entry, index);
        const fraction = effect.fraction ?? ((effect.perDay ?? 0) * (clock - entry.from)) / DAY;
        return unit(story.seed, "shrink", index) < fraction;
      });
    },
    dateOverride(index) {
      const entry = overrides.find((candidate) => covers(candidate, index));
      if (!entry) return null;
      const effect = entry.behaviour.effect;
      return effect.kind === "future-dates" ? entry.from + parseDuration(effect.by) : clock;
    },
  };
}
