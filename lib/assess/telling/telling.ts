// The messages. Once in every evaluation, after everything was decided, each incident is compared with what people were last
// told of it; the difference is the message that is due. A limit or a silence delays a difference and never consumes it:
// the next evaluation compares again. What is no longer different then is not told. Nothing here decides anything.
import type { EndpointId } from "../../contract/endpoints.ts";
import { type Incident, isAcknowledged, isIncidentMuted } from "../../records/incident.ts";
import { isInMaintenance } from "../../records/maintenance.ts";
import { dayMs, hourMs, instantText } from "../../time.ts";
import { type Rounds, roundsMs } from "../engine/cadence.ts";
import { lastsLong, listLasting } from "../engine/comes-and-goes.ts";
import {
  type Ending,
  type IncidentEvent,
  isShareInhibited,
  type Judging,
  lastBadMsOf,
  type OpenIncident,
  ruleOf,
  seriesAt,
  type Told,
} from "../engine/engine-state.ts";
import { toRecord } from "../engine/facts.ts";
import { isolate } from "../isolate.ts";
import type { RowId } from "../rules/rule.ts";

/** Messages in 24 h, with those that are kept for the ends of what was told. Pages, what is worse and ends are sent beyond it. */
const messagesADay = { failure: 14, usual: 8, together: 19 };
/** Of a group of rows, for what is no page. */
const openingsAnHour = 2;
/** Of one incident; what is worse has more, and an end too. */
const changesADay = { other: 3, worse: 12 };
/** That it lasts is told once in this time; sooner again where it lasts for long. */
const lastsToldMs = { usual: 6 * hourMs, long: 2 * hourMs };
/** A key is news again a day after it was told: the values of several backends take turns. */
const keyKnownMs = dayMs;
/** The numbers of a share are told again after this time. */
const shareToldMs = 7 * dayMs;
/** What was told in these hours needs no reminder at the team's hour. */
const remindedAfterMs = 6 * hourMs;
/** Checks that did not show it for so long leave nothing to remind of: a share is falling, or another incident says more. */
const lastSeen: Rounds = { rounds: 2, leastMs: remindedAfterMs };
const maxNotes = 40;
const maxSent = 60;
const maxKeys = 20;
const maxSupersedes = 20;

/** Ends first, then what is new or different in the order of opening, then reminders. */
export function tell(judging: Judging): IncidentEvent[] {
  const { state, nowMs, endings, failed } = judging;
  const { messages } = state;
  messages.latest = messages.latest.filter(({ atMs }) => atMs > nowMs - dayMs);
  const isReminderDue = beginReminderDay(judging);
  const isolated = (incident: OpenIncident, work: () => IncidentEvent | undefined) =>
    isolate(failed, incident.row, work, undefined) ?? [];
  return [
    ...endings.flatMap((ending) => isolated(ending.incident, () => tellEnd(judging, ending))),
    ...state.open.flatMap((incident) => isolated(incident, () => tellDifference(judging, incident))),
    ...state.open.flatMap((incident) =>
      isReminderDue ? isolated(incident, () => remind(judging, incident)) : [],
    ),
  ];
}

/** Only what was told is resolved. What was replaced ends with the incident that took its place. */
function tellEnd(judging: Judging, { incident, successor }: Ending): IncidentEvent | undefined {
  const { told, supersedes, id, isHeldBack } = incident;
  if (successor) {
    const known = told ? [...supersedes, id] : supersedes;
    successor.supersedes = [...successor.supersedes, ...known].slice(-maxSupersedes);
    return undefined;
  }
  if (told || supersedes.length > 0) return send(judging, incident, "resolved");
  if (isHeldBack) note(judging, incident);
  return undefined;
}

function tellDifference(judging: Judging, incident: OpenIncident): IncidentEvent | undefined {
  if (incident.severity === "digest") {
    if (!incident.isNoted) note(judging, incident);
    incident.isNoted = true;
    return undefined;
  }
  if (isSilenced(judging, incident)) return undefined;
  return incident.told ? tellChange(judging, incident, incident.told) : tellOpening(judging, incident);
}

/** A page waits for nothing, and neither does what takes the place of something that people were told of. */
function tellOpening(judging: Judging, incident: OpenIncident): IncidentEvent | undefined {
  if (!isBadNow(judging, incident, "every")) return undefined;
  const { severity, supersedes, row } = incident;
  const mayWait = severity !== "page" && supersedes.length === 0;
  incident.isHeldBack = mayWait && !(mayOpen(judging, row) && hasRoom(judging, row, 2));
  return incident.isHeldBack ? undefined : send(judging, incident, "opened");
}

function tellChange(judging: Judging, incident: OpenIncident, told: Told): IncidentEvent | undefined {
  const difference = findDifference(judging, incident, told);
  if (difference === undefined || !isBadNow(judging, incident, "some")) return undefined;
  told.changesMs = told.changesMs.filter((atMs) => atMs > judging.nowMs - dayMs);
  if (told.changesMs.length >= changesADay[difference]) return undefined;
  if (difference === "other" && !hasRoom(judging, incident.row, 1)) return undefined;
  told.changesMs.push(judging.nowMs);
  return send(judging, incident, "changed");
}

/** Each field that is compared stands still while the fault does: one that follows the latest mark would be told with every check. */
function findDifference(
  judging: Judging,
  incident: OpenIncident,
  told: Told,
): keyof typeof changesADay | undefined {
  const { nowMs } = judging;
  const { severity, pattern, endpoints, key } = incident;
  const last = told.keys.at(-1)!;
  if (severity === "page" && told.severity !== "page") return "worse";
  if (pattern) return undefined;
  if (ruleOf(judging, incident.row)?.opens.share) {
    const bad = incident.counted?.bad ?? 0;
    const isDoubled = (incident.share ?? 0) >= 2 * (told.share ?? 0) && bad > told.facts.bad;
    return isDoubled || nowMs - last.atMs >= shareToldMs ? "other" : undefined;
  }
  if (endpoints.some((endpoint) => !told.everyEndpoint.includes(endpoint))) return "worse";
  if (isLastingNews(judging, incident, told)) return "worse";
  if (incident.rule !== told.facts.rule || !isSame(endpoints, told.facts.endpoints)) return "other";
  const isKnown = told.keys.some((one) => one.key === key && nowMs - one.atMs <= keyKnownMs);
  // Where another cause shows, too, that is the news, as soon as further checks agree on it.
  return key !== last.key && !isKnown && incident.nextCause === undefined ? "other" : undefined;
}

/** It lasts, and was good since people were told of it. Where another cause shows, further checks decide first what is told. */
function isLastingNews(judging: Judging, incident: OpenIncident, { keys, facts }: Told): boolean {
  const { nowMs } = judging;
  const rule = ruleOf(judging, incident.row);
  if (!rule || incident.lastsSinceMs === undefined || incident.nextCause) return false;
  const toldMs = keys.at(-1)!.atMs;
  const lasting = listLasting(judging, rule, incident);
  const isLong = (sinceMs: number) => nowMs - sinceMs >= roundsMs(judging, rule, lastsLong);
  // Of an endpoint that was told to be good, nothing is known that this could repeat.
  if (lasting.some(({ endpoint, run }) => !facts.endpoints.includes(endpoint) && isLong(run.firstMs)))
    return true;
  const sinceMs = Math.min(...lasting.map(({ run }) => run.firstMs).filter((ms) => ms > toldMs));
  return Number.isFinite(sinceMs) && nowMs - toldMs >= lastsToldMs[isLong(sinceMs) ? "long" : "usual"];
}

const isSame = (one: readonly EndpointId[], other: readonly EndpointId[]) => one.join() === other.join();

/** Returns whether a new day of the team has begun, which is the time of reminders. */
function beginReminderDay({ state, teamDay, isTimeDoubtful }: Judging): boolean {
  const { reminderDay } = state.messages;
  state.messages.reminderDay = Math.max(teamDay, reminderDay ?? teamDay);
  return reminderDay !== undefined && teamDay > reminderDay && !isTimeDoubtful;
}

/** A page that nobody has acknowledged. */
function remind(judging: Judging, incident: OpenIncident): IncidentEvent | undefined {
  const { told, sent, severity, row } = incident;
  const { nowMs, decisions } = judging;
  const isDue =
    told !== undefined &&
    severity === "page" &&
    nowMs - Date.parse(sent.at(-1)!.at) >= remindedAfterMs &&
    !isAcknowledged(incident, decisions, nowMs) &&
    !isSilenced(judging, incident) &&
    wasBadLately(judging, incident) &&
    isBadNow(judging, incident, "every") &&
    hasRoom(judging, row, 1);
  return isDue ? send(judging, incident, "reminder") : undefined;
}

function wasBadLately(judging: Judging, incident: OpenIncident): boolean {
  const { row, endpoints } = incident;
  const rule = ruleOf(judging, row);
  if (!rule || timeRows.includes(row)) return true;
  const checkedMs = Math.max(
    ...endpoints.map((endpoint) => judging.history.endpoints[endpoint]?.lastMs ?? 0),
  );
  return lastBadMsOf(incident, endpoints) > checkedMs - roundsMs(judging, rule, lastSeen);
}

// ------------------------------------------------------------------------------------------------ limits and silence
/** Rows of one group have their limits together. */
const groupOf = ({ rules }: Judging, row: RowId): string => rules.find(({ id }) => id === row)?.group ?? row;

/** Whether so many more messages of a row fit, with the ends of all that was told. */
function hasRoom(judging: Judging, row: RowId, more: number): boolean {
  const { open, messages } = judging.state;
  const group = groupOf(judging, row);
  const rows = [...messages.latest, ...open.filter(({ told }) => told)].map((one) => one.row);
  const own = rows.filter((one) => groupOf(judging, one) === group).length;
  const limit = group === "failure" ? messagesADay.failure : messagesADay.usual;
  return own + more <= limit && rows.length + more <= messagesADay.together;
}

function mayOpen(judging: Judging, row: RowId): boolean {
  const { state, nowMs } = judging;
  const group = groupOf(judging, row);
  const openings = state.messages.latest.filter(
    (one) => one.isOpening && one.atMs > nowMs - hourMs && groupOf(judging, one.row) === group,
  );
  return openings.length < openingsAnHour;
}

/** These follow from the time that has passed, and not from a response. */
const timeRows: readonly RowId[] = ["silent", "configured-end", "certificate", "frozen", "partly-frozen"];

/** Nobody is told in a maintenance window, nor of what is muted, nor of what a clock that jumped may have made. */
function isSilenced(judging: Judging, incident: OpenIncident): boolean {
  const { decisions, maintenance, nowMs, isTimeDoubtful = false } = judging;
  if (isTimeDoubtful && timeRows.includes(incident.row)) return true;
  return isInMaintenance(maintenance, nowMs) || isIncidentMuted(incident, decisions, nowMs);
}

/** The numbers of a share are old once its last bad mark has left the window, or while another incident says more. */
function isBadNow(judging: Judging, incident: OpenIncident, who: "every" | "some"): boolean {
  const { state, nowMs } = judging;
  const { row, pattern, endpoints, allEndpoints } = incident;
  if (pattern) return true;
  const rule = ruleOf(judging, row);
  if (rule?.opens.share)
    return lastBadMsOf(incident, endpoints) > nowMs - dayMs && !isShareInhibited(judging, rule, allEndpoints);
  return endpoints[who]((endpoint) => seriesAt(state, row, endpoint).bad !== undefined);
}

// ------------------------------------------------------------------------------------------------ what was told
function send(judging: Judging, incident: OpenIncident, event: IncidentEvent["event"]): IncidentEvent {
  const { state, nowMs } = judging;
  const at = instantText(nowMs);
  const number = incident.messageCount + 1;
  const [first, ...later] = [...incident.sent, { event, at, key: incident.key.slice(0, 300) }];
  // The first one says since when people know.
  const sent = [first!, ...later.slice(-maxSent)];
  const record = toRecord(judging, { ...incident, sent }, event === "resolved" ? nowMs : undefined);
  incident.sent = sent;
  incident.messageCount = number;
  if (event === "opened" || event === "changed") incident.told = toldBy(record, incident, nowMs);
  state.messages.latest.push({ row: incident.row, atMs: nowMs, isOpening: event === "opened" });
  const supersedes = incident.supersedes.length > 0 ? incident.supersedes : undefined;
  return { event, incident: record, at, number, supersedes };
}

/** What people know after a message that shows the incident as this record. */
export function toldBy(
  record: Incident,
  { told, key, share }: Pick<OpenIncident, "told" | "key" | "share">,
  atMs: number,
): Told {
  const { severity, facts, endpoints } = record;
  const otherKeys = (told?.keys ?? []).filter((one) => one.key !== key);
  return {
    severity,
    facts,
    everyEndpoint: [...new Set([...(told?.everyEndpoint ?? []), ...endpoints])],
    keys: [...otherKeys, { key, atMs }].slice(-maxKeys),
    share,
    changesMs: told?.changesMs ?? [],
  };
}

/** For the daily digest: what has no message of its own, and what ended before there was room for one. */
function note({ state, nowMs }: Judging, { rule, endpoints, isHeldBack }: OpenIncident): void {
  state.notes = [...state.notes, { atMs: nowMs, rule, endpoints, isHeldBack }].slice(-maxNotes);
}
