// The message economy, for every rule: an incident is opened once, changed three times a day at the most, reminded of
// once a day and resolved once. Each opening keeps back the message of its end, so that what was announced always ends.
import type { Severity } from "../records/incident.ts";
import { isAcknowledged, isIncidentMuted } from "../records/incident.ts";
import { isInMaintenance } from "../records/maintenance.ts";
import { dayMs, hourMs } from "../time.ts";
import {
  factsOf,
  firesAt,
  goodAfter,
  type IncidentEvent,
  instantText,
  type Judging,
  type OpenIncident,
  partsOf,
  ruleOf,
  seriesAt,
  toRecord,
} from "./engine-state.ts";
import type { RowId } from "./rules/rule.ts";

/** Of all rules together, in 24 h: from the next one on, only OPENED and RESOLVED of pages are sent. */
const messagesADay = 19;
/** Three incidents, and one more that comes and goes. */
const usualEconomy = { messages: 8, openings: 4 };
const openingsAnHour = 2;
const changesADay = 3;
const maxNotes = 40;
const maxResolved = 200;
const maxEnded = 80;
const maxSent = 60;

/** The limits of a row, which all rows of its group have together. */
function economyOf(judging: Judging, row: RowId) {
  return { group: row, ...usualEconomy, ...ruleOf(judging, row)?.economy };
}

const isOfGroup = (judging: Judging, group: string) => (one: { row: RowId }) =>
  economyOf(judging, one.row).group === group;

/** Whether so many more messages of a row fit, with the ends of all that was announced. */
function hasRoom(judging: Judging, row: RowId, more: number, limit = Infinity): boolean {
  const { state, nowMs } = judging;
  const { economy } = state;
  economy.sent = economy.sent.filter(({ atMs }) => atMs > nowMs - dayMs);
  const announced = state.open.filter(({ sent }) => sent.length > 0);
  const { group, messages } = economyOf(judging, row);
  const isOwn = isOfGroup(judging, group);
  const own = economy.sent.filter(isOwn).length + announced.filter(isOwn).length;
  return own + more <= messages && economy.sent.length + announced.length + more <= limit;
}

/** These follow from the time that has passed, and not from a response. */
const timeRows: readonly RowId[] = ["silent", "configured-end", "certificate", "frozen", "partly-frozen"];

/** Nobody is told in a maintenance window, nor of what is muted, nor of what a clock that jumped may have made. */
function isSilenced(judging: Judging, incident: OpenIncident): boolean {
  const { decisions, maintenance, nowMs, isTimeDoubtful = false } = judging;
  if (isTimeDoubtful && timeRows.includes(incident.row)) return true;
  return isInMaintenance(maintenance, nowMs) || isIncidentMuted(incident, decisions, nowMs);
}

/** Opens, or keeps silent until there is room. What opens again and again is told once, as coming and going. */
export function announce(judging: Judging, incident: OpenIncident): void {
  const { state, nowMs } = judging;
  if (incident.severity === "digest") {
    if (!incident.isCounted) note(judging, incident);
    incident.isCounted = true;
    return;
  }
  count(judging, incident);
  const limit = incident.severity === "page" ? undefined : messagesADay;
  // What takes the place of an announced incident takes over its message, too.
  const more = incident.replaces.length > 0 ? 1 : 2;
  if (isSilenced(judging, incident)) return;
  const mayBeSent = incident.replaces.length > 0 || mayOpen(judging, incident);
  if (!mayBeSent || !hasRoom(judging, incident.row, more, limit)) {
    incident.isHeldBack = true;
    return;
  }
  state.economy.openings = state.economy.openings.filter(({ atMs }) => atMs > nowMs - dayMs);
  say(judging, incident, "opened");
}

/** The last opening of a day is that of something that comes and goes; what opens too often in an hour waits. */
function mayOpen(judging: Judging, { row }: OpenIncident): boolean {
  const { state, nowMs } = judging;
  const limits = economyOf(judging, row);
  const openings = state.economy.sent.filter(isOfGroup(judging, limits.group)).filter((one) => one.isOpening);
  const inHour = openings.filter(({ atMs }) => atMs > nowMs - hourMs);
  return inHour.length < openingsAnHour && openings.length < limits.openings;
}

/** For the daily digest: what has no message of its own, and what ended before there was room for one. */
function note({ state, nowMs }: Judging, { rule, endpoints, isHeldBack }: OpenIncident): void {
  state.notes = [...state.notes, { atMs: nowMs, rule, endpoints, isHeldBack }].slice(-maxNotes);
}

function count(judging: Judging, incident: OpenIncident): void {
  const { state, nowMs } = judging;
  if (incident.isCounted) return;
  incident.isCounted = true;
  const { economy } = state;
  const { group, openings } = economyOf(judging, incident.row);
  const own = economy.openings.filter(isOfGroup(judging, group));
  const within = (ms: number) => own.filter((one) => one.atMs > nowMs - ms);
  incident.comesAndGoes =
    incident.isReturned || within(hourMs).length >= openingsAnHour || within(dayMs).length >= openings - 1;
  const former = state.ended.findLast(({ row }) => row === incident.row);
  const goodMs = factsOf(judging, incident, false).lastGoodBeforeAt;
  const calmMs =
    former?.goodAgainMs !== undefined && goodMs ? Math.max(0, Date.parse(goodMs) - former.goodAgainMs) : 0;
  economy.openings.push({ row: incident.row, atMs: nowMs, calmMs });
  const calms = incident.comesAndGoes ? [calmMs, ...within(dayMs).map((one) => one.calmMs)] : [];
  incident.stretchMs = incident.isReturned ? dayMs : Math.max(0, ...calms);
}

/** `isWorse`: it grew to all endpoints, or its severity rose; that is told beyond the limit of changes. */
export function change(judging: Judging, incident: OpenIncident, isWorse = false): void {
  const { nowMs } = judging;
  // What was never announced is opened with what is true then.
  if (incident.sent.length === 0) return;
  incident.changesMs = incident.changesMs.filter((atMs) => atMs > nowMs - dayMs);
  const isFull = incident.changesMs.length >= changesADay && !isWorse;
  if (isFull || isSilenced(judging, incident) || !hasRoom(judging, incident.row, 1, messagesADay)) return;
  incident.changesMs.push(nowMs);
  say(judging, incident, "changed");
}

function say(judging: Judging, incident: OpenIncident, event: IncidentEvent["event"]): void {
  const { state, nowMs, events } = judging;
  const at = instantText(nowMs);
  const [first, ...later] = [...incident.sent, { event, at, key: incident.key.slice(0, 300) }];
  const number = (incident.messages ?? incident.sent.length) + 1;
  incident.messages = number;
  // The first one says since when people know.
  incident.sent = [first!, ...later.slice(-maxSent)];
  incident.lastToldMs = nowMs;
  const isOver = event === "resolved";
  const record = toRecord(judging, incident, isOver ? nowMs : undefined);
  if (!isOver && event !== "reminder") incident.told = record.facts;
  state.economy.sent.push({ row: incident.row, atMs: nowMs, isOpening: event === "opened" });
  events.push({
    event,
    incident: record,
    at,
    number,
    supersedes: incident.replaces.length > 0 ? incident.replaces : undefined,
  });
}

/** The incident is over, or another one takes its place: then it has no message of its own. */
export function end(judging: Judging, incident: OpenIncident, supersededBy?: string): void {
  const { state, nowMs } = judging;
  state.open = state.open.filter((one) => one !== incident);
  incident.endpoints = incident.announced;
  // The end of what was replaced is told with that of what replaced it, announced itself or not.
  const isTold = incident.sent.length > 0 || incident.replaces.length > 0;
  if (isTold && supersededBy === undefined) say(judging, incident, "resolved");
  if (!isTold && incident.isHeldBack) note(judging, incident);
  const record = toRecord(judging, incident, nowMs);
  record.supersededBy = supersededBy;
  state.resolved = [...state.resolved, record].slice(-maxResolved);
  const lastMs = Math.max(...partsOf(incident, incident.announced).map((part) => part.lastMs));
  const again = incident.announced
    .map((endpoint) => goodAfter(seriesAt(state, incident.row, endpoint), lastMs))
    .filter((ms) => ms !== undefined);
  state.ended = [
    ...state.ended,
    {
      row: incident.row,
      id: incident.id,
      endpoints: incident.announced,
      key: incident.key,
      endedMs: nowMs,
      parts: incident.parts,
      goodAgainMs: again.length > 0 ? Math.min(...again) : undefined,
    },
  ].slice(-maxEnded);
}

/** What had to wait for room, or for the end of a maintenance window; and once a day, at the team's hour, reminders. */
export function announceLater(judging: Judging): void {
  for (const incident of [...judging.state.open])
    if (incident.sent.length === 0 && isStillBad(judging, incident)) announce(judging, incident);
}

/** A share whose numbers are old is told no more: its last bad mark has left the window, or another page says it. */
function isStillBad(judging: Judging, incident: OpenIncident): boolean {
  const { state, nowMs } = judging;
  if (incident.pattern) return true;
  const rule = ruleOf(judging, incident.row);
  if (rule?.opens.share) {
    const isCovered = incident.announced.some((one) => firesAt(judging, rule.inhibitedBy ?? [], one));
    return !isCovered && (incident.lastBadMs ?? 0) > nowMs - dayMs;
  }
  return incident.endpoints.every((endpoint) => seriesAt(state, incident.row, endpoint).bad !== undefined);
}

/** What was said in these hours needs no reminder at the team's hour. */
const remindedAfterMs = 6 * hourMs;

export function remind(judging: Judging): void {
  const { state, nowMs, teamDay, decisions } = judging;
  const isNewDay = state.economy.day !== undefined && teamDay > state.economy.day;
  state.economy.day = Math.max(teamDay, state.economy.day ?? teamDay);
  if (!isNewDay || judging.isTimeDoubtful) return;
  for (const incident of state.open) {
    const isDue =
      incident.sent.length > 0 &&
      incident.severity === ("page" satisfies Severity) &&
      nowMs - (incident.lastToldMs ?? nowMs) >= remindedAfterMs &&
      isStillBad(judging, incident);
    const isTaken = isAcknowledged(incident, decisions, nowMs);
    if (
      isDue &&
      !isTaken &&
      !isSilenced(judging, incident) &&
      hasRoom(judging, incident.row, 1, messagesADay)
    )
      say(judging, incident, "reminder");
  }
}
