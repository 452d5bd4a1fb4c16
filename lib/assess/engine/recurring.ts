// Recurring windows: the one derived rule. Its checks are ended incidents of rules that can recur: three of the same
// endpoints at the same hour (two while a notice of V1's end is known) open it, and two that did not come end it.
import { everything, isMuted, type RuleId } from "../../records/incident.ts";
import { isInMaintenance } from "../../records/maintenance.ts";
import { dayMs, hourMs, instantText, minuteMs } from "../../time.ts";
import { latestOf } from "../checks/history.ts";
import {
  begin,
  createIncident,
  end,
  type Judging,
  type OpenIncident,
  type OutageWindow,
  openOf,
  type Pattern,
} from "./engine-state.ts";
import { factsOf } from "./facts.ts";
import { freshTally } from "./tallies.ts";

/** Starts of the same hour, to the accuracy of the checks; of an expected window, which may come later. */
const sameHourMs = 45 * minuteMs;
const expectedMs = 75 * minuteMs;
const memoryMs = 60 * dayMs;
const longestMs = 12 * hourMs;
/** An outage in an expected window becomes a page so long after its end. */
const outlastsMs = 5 * minuteMs;
/** Ends that agree. */
const agreeMs = 15 * minuteMs;
const windowsNeeded = 3;
const windowsNeededWithNotice = 2;
const missedToEnd = 2;
const maxWindows = 120;

const recurringRow = { id: "recurring-outages", severity: "warning" } as const;

const hoursApart = (a: number, b: number): number => {
  const apartMs = Math.abs(a - b) % dayMs;
  return Math.min(apartMs, dayMs - apartMs);
};
/** Day 0 of 1970 was a Thursday. */
const isWorkday = (day: number) => ![0, 6].includes((day + 4) % 7);

const isLike = (a: OutageWindow, b: OutageWindow, toleranceMs: number) =>
  a.row === b.row &&
  a.endpoints.join() === b.endpoints.join() &&
  hoursApart(a.firstBadMs, b.firstBadMs) <= toleranceMs;

const dayOf = (ms: number, anchorMs: number) => Math.round((ms - anchorMs) / dayMs);

function toWindow(judging: Judging, incident: OpenIncident): OutageWindow {
  const facts = factsOf(judging, incident, true);
  const firstBadMs = Date.parse(facts.firstBadAt);
  return {
    row: incident.row,
    endpoints: facts.endpoints,
    firstBadMs,
    lastBadMs: Date.parse(facts.lastBadAt),
    fromMs: facts.lastGoodBeforeAt ? Date.parse(facts.lastGoodBeforeAt) : firstBadMs,
    toMs: facts.firstGoodAfterAt ? Date.parse(facts.firstGoodAfterAt) : judging.nowMs,
    bad: facts.bad,
    total: facts.total,
    day: 0,
  };
}

const patternsOf = (judging: Judging) => openOf(judging, recurringRow.id);

/** Our own requests are too many. */
const ofOurs: readonly RuleId[] = ["quota-exhausted", "throttled"];

/** An outage of V1 that nobody planned. */
function isOutage({ maintenance, decisions }: Judging, { causes }: OpenIncident, window: OutageWindow) {
  const isPlanned = [window.firstBadMs, window.lastBadMs].every(
    (ms) => isInMaintenance(maintenance, ms) || isMuted(decisions, everything, ms),
  );
  return !isPlanned && causes.some(({ rule }) => !ofOurs.includes(rule));
}

/** An incident has ended: outages are noted as windows. */
export function noteWindow(judging: Judging, incident: OpenIncident): void {
  const { state, nowMs } = judging;
  const window = toWindow(judging, incident);
  if (window.lastBadMs - window.firstBadMs > longestMs || incident.comesAndGoes) return;
  if (!isOutage(judging, incident, window)) return;
  state.windows = [...state.windows.filter(({ firstBadMs }) => firstBadMs > nowMs - memoryMs), window].slice(
    -maxWindows,
  );
  if (openOf(judging, "error-rate").length > 0) return;
  const known = patternsOf(judging).find(({ pattern }) => isLike(pattern!.windows[0]!, window, expectedMs));
  if (known) {
    extend(known, window);
    return;
  }
  const same = state.windows.filter((one) => isLike(one, window, sameHourMs));
  const anchorMs = same[0]!.firstBadMs % dayMs;
  for (const one of same) one.day = dayOf(one.firstBadMs, anchorMs);
  const days = same.filter((one, index) => same.findLastIndex(({ day }) => day === one.day) === index);
  const hasNotice = state.open.some(({ row }) => judging.rules.find(({ id }) => id === row)?.isNotice);
  if (days.length < (hasNotice ? windowsNeededWithNotice : windowsNeeded)) return;
  const opened = createIncident(judging, recurringRow, window.endpoints, {
    onset: { atMs: days[0]!.firstBadMs, before: {} },
    parts: {},
  });
  opened.pattern = foresee(days, anchorMs);
  countWindows(opened);
  opened.key = `${window.endpoints.join()} ${instantText(days[0]!.firstBadMs).slice(11, 13)}`;
  begin(judging, opened);
}

function extend(incident: OpenIncident, window: OutageWindow): void {
  const pattern = incident.pattern!;
  window.day = dayOf(window.firstBadMs, pattern.anchorMs);
  const isNew = pattern.windows.at(-1)!.day !== window.day;
  const windows = isNew ? [...pattern.windows, window].slice(-12) : pattern.windows;
  incident.pattern = foresee(windows, pattern.anchorMs);
  countWindows(incident);
}

/** The next day by the pattern's own days: on workdays while no other had one, every day, every so many days. */
function foresee(windows: OutageWindow[], anchorMs: number): Pattern {
  const days = windows.map(({ day }) => day);
  const gaps = days.slice(1).map((day, index) => day - days[index]!);
  const isOnWorkdays = days.every(isWorkday) && gaps.every((gap) => gap === 1 || gap === 3);
  const everyDays = isOnWorkdays ? 1 : Math.max(1, Math.min(...gaps));
  const nextDay = dayAfter({ isOnWorkdays, everyDays }, days.at(-1)!);
  return { windows, anchorMs, missed: 0, nextDay, wasServed: false, everyDays, isOnWorkdays };
}

function dayAfter(
  { isOnWorkdays, everyDays }: Pick<Pattern, "isOnWorkdays" | "everyDays">,
  day: number,
): number {
  let next = day + everyDays;
  while (isOnWorkdays && !isWorkday(next)) next++;
  return next;
}

/** The facts of a pattern are those of its windows. */
function countWindows(incident: OpenIncident): void {
  const { windows } = incident.pattern!;
  const [first] = windows;
  const add = (field: "bad" | "total") => windows.reduce((total, window) => total + window[field], 0);
  const [firstMs, lastMs] = [first!.firstBadMs, windows.at(-1)!.lastBadMs];
  incident.onset = { atMs: firstMs, before: {} };
  incident.counted = { bad: add("bad"), total: add("total"), labels: {}, kinds: {} };
  incident.parts = Object.fromEntries(
    incident.endpoints.map((endpoint) => [
      endpoint,
      { firstMs, coversFromMs: firstMs, lastMs, recent: [], before: {}, through: freshTally() },
    ]),
  );
}

/**
 * Inside a window that is expected an outage is a warning. Three windows are needed for that, and their ends have to
 * agree: the end lies after every last bad check and before every first good one.
 */
export function expectWindow(judging: Judging, incident: OpenIncident): void {
  const firstBadMs = incident.onset.atMs;
  for (const { pattern } of patternsOf(judging)) {
    const { windows, anchorMs, nextDay } = pattern!;
    const day = dayOf(firstBadMs, anchorMs);
    const [first] = windows;
    const isExpected =
      first!.row === incident.row &&
      day === nextDay &&
      windows.length >= windowsNeeded &&
      hoursApart(firstBadMs, first!.firstBadMs) <= expectedMs;
    if (!isExpected) continue;
    const leastMs = Math.max(...windows.map((window) => window.lastBadMs - window.day * dayMs));
    const mostMs = Math.min(...windows.map((window) => window.toMs - window.day * dayMs));
    if (leastMs > mostMs + agreeMs) continue;
    incident.severity = "warning";
    incident.windowEndMs = day * dayMs + Math.max(leastMs, mostMs);
  }
}

/** The outage goes on after the end of its window: it is a page. */
export function raiseOutlasting(incident: OpenIncident): void {
  const { windowEndMs, parts } = incident;
  const lastMs = Math.max(...incident.endpoints.map((endpoint) => parts[endpoint]?.lastMs ?? 0));
  if (windowEndMs === undefined || lastMs < windowEndMs + outlastsMs) return;
  incident.severity = "page";
  incident.windowEndMs = undefined;
}

/** An expected window that did not come, although somebody looked; after two of them the pattern is over. */
export function judgePatterns(judging: Judging): void {
  const { nowMs } = judging;
  for (const incident of patternsOf(judging)) {
    const pattern = incident.pattern!;
    pattern.wasServed ||= wasServedInWindow(judging, incident, pattern);
    const lengthMs = Math.max(...pattern.windows.map((window) => window.toMs - window.firstBadMs));
    const endMs = pattern.nextDay * dayMs + pattern.anchorMs + lengthMs + expectedMs;
    if (nowMs < endMs || openOf(judging, pattern.windows[0]!.row).length > 0) continue;
    incident.pattern = {
      ...pattern,
      missed: pattern.missed + (pattern.wasServed ? 1 : 0),
      nextDay: dayAfter(pattern, pattern.nextDay),
      wasServed: false,
    };
    if (incident.pattern.missed >= missedToEnd) end(judging, incident);
  }
}

/** Whether V1 served an endpoint at a time that would be inside of the expected window. */
function wasServedInWindow({ history }: Judging, { endpoints }: OpenIncident, pattern: Pattern): boolean {
  const { windows, nextDay } = pattern;
  const fromMs =
    nextDay * dayMs + Math.min(...windows.map(({ firstBadMs, day }) => firstBadMs - day * dayMs));
  const toMs = nextDay * dayMs + Math.max(...windows.map((window) => window.toMs - window.day * dayMs));
  return endpoints.some((endpoint) => {
    const latest = latestOf(history, endpoint);
    return latest?.class === "ok" && latest.atMs >= fromMs && latest.atMs <= toMs;
  });
}
