// Opens, changes, escalates and resolves: one incident per cause, told at most twice an hour. What people
// were last told is kept beside what is true, and the two are brought together whenever a message may go,
// so flapping is folded and a resolve is never lost.
import type { EndpointId } from "../contract/endpoints.ts";
import type { AlertEvent } from "../records/alert.ts";
import type { Cause, Incident, Severity } from "../records/incident.ts";
import { severities } from "../records/incident.ts";
import { policies } from "./incident-policies.ts";

/** What is true of one cause at the end of one tick. */
export type Signal = {
  cause: Cause;
  /** Undefined: this tick says nothing about it. */
  bad: boolean | undefined;
  /** When it began, where that is known to be before this tick. */
  sinceMs?: number | undefined;
  class: string;
  severity: Severity;
  endpoints: EndpointId[];
  evidence: string[];
};

/** When a tick began; `isRest`: it was folded before in part, and nothing is confirmed by it a second time. */
type Check = { startMs: number; isRest: boolean };

/** What people were last told, and when: the two latest messages are all that the limit needs. */
type Told = {
  state: "open" | "resolved";
  class: string;
  /** All that were told since it opened; absent in older states. */
  classes?: string[];
  severity: Severity;
  messages: number;
  lastMs: number[];
};

export type IncidentRecord = { incident: Incident; told?: Told };
export type IncidentRecords = Record<string, IncidentRecord>;
/** What may go on, and what is over: newest last. */
export type Incidents = { incidents: IncidentRecords; resolved: Incident[] };

export type IncidentEvent = { event: AlertEvent; incident: Incident; at: string; number: number };

const maxMessagesAnHour = 2;
const hourMs = 3_600_000;
/** Of its end or of the last message about it: an incident that returns within this time is the same one. */
const flapMs = hourMs;
const maxResolved = 200;
const maxClasses = 20;

const rank = (severity: Severity) => severities.indexOf(severity);

function createIncident(signal: Signal, at: string, startMs: number): Incident {
  return {
    schema: "v1watch/incident/1",
    id: signal.cause,
    cause: signal.cause,
    class: signal.class,
    severity: signal.severity,
    state: "pending",
    since: new Date(signal.sinceMs ?? startMs).toISOString(),
    lastBadAt: at,
    confirmations: 0,
    recoveries: 0,
    failed: 0,
    endpoints: signal.endpoints,
    evidence: signal.evidence,
    flaps: 0,
  };
}

/** Resolved, and so long ago that it would not be the same if it returned. */
function isBehind({ incident, told }: IncidentRecord, atMs: number): boolean {
  if (incident.state !== "resolved" || incident.resolvedAt === undefined) return false;
  return atMs - Math.max(Date.parse(incident.resolvedAt), ...(told?.lastMs ?? [])) > flapMs;
}

/** `before` is undefined, or an incident that this one continues. */
function advanceBad(
  before: IncidentRecord | undefined,
  signal: Signal,
  at: string,
  { startMs, isRest }: Check,
): IncidentRecord {
  const isFlap = before?.incident.state === "resolved";
  const base = before?.incident ?? createIncident(signal, at, startMs);
  const { firstGoodAt: _, resolvedAt: __, supersededBy: ___, ...kept } = base;
  const looks = isRest ? 0 : 1;
  const confirmations = isFlap ? 1 : Math.max(1, base.confirmations + looks);
  const opens = isFlap || base.state === "open" || confirmations >= policies[signal.cause].opens;
  const incident: Incident = {
    ...kept,
    class: signal.class,
    severity: signal.severity,
    endpoints: signal.endpoints,
    evidence: signal.evidence,
    lastBadAt: at,
    confirmations,
    recoveries: 0,
    failed: Math.max(1, base.failed + looks),
    flaps: base.flaps + (isFlap ? 1 : 0),
    state: opens ? "open" : "pending",
    ...(opens && { openedAt: base.openedAt ?? at }),
  };
  return { incident, ...(before?.told && { told: before.told }) };
}

/** Undefined where nothing is left to remember: it was never confirmed. */
function advanceGood(before: IncidentRecord, at: string, { isRest }: Check): IncidentRecord | undefined {
  const { incident } = before;
  if (isRest || incident.state === "resolved") return before;
  if (incident.state === "pending") return undefined;
  const better = {
    ...incident,
    recoveries: incident.recoveries + 1,
    firstGoodAt: incident.firstGoodAt ?? at,
  };
  if (better.recoveries < policies[incident.cause].resolves) return { ...before, incident: better };
  return { ...before, incident: { ...better, state: "resolved", resolvedAt: at } };
}

/** The first good answer, or where another cause took its place; undefined while it lasts. */
export const endOf = ({ state, firstGoodAt, resolvedAt }: Incident): string | undefined =>
  state === "resolved" ? (firstGoodAt ?? resolvedAt) : undefined;

function nameEvent(incident: Incident, told: Told | undefined, replaced: boolean): AlertEvent | undefined {
  if (incident.state === "pending") return undefined;
  if (!told || told.state === "resolved") {
    if (incident.state === "resolved") return undefined;
    return replaced ? "changed" : "opened";
  }
  if (incident.state === "resolved") return incident.supersededBy ? undefined : "resolved";
  if (rank(incident.severity) < rank(told.severity)) return "escalated";
  const isKnown = policies[incident.cause].isFolded && told.classes?.includes(incident.class);
  return incident.class === told.class || isKnown ? undefined : "changed";
}

/** Brings what people were told up to what is true, if a message may go now. */
function tell(
  current: IncidentRecord,
  atMs: number,
  isMuted: boolean,
  replaced: boolean,
): { next: IncidentRecord; event?: IncidentEvent } {
  const { incident, told } = current;
  const event = nameEvent(incident, told, replaced);
  const recent = (told?.lastMs ?? []).filter((ms) => atMs - ms < hourMs);
  if (!event || isMuted || recent.length >= maxMessagesAnHour) return { next: current };
  const number = (told?.messages ?? 0) + 1;
  return {
    next: {
      incident,
      told: {
        state: incident.state === "resolved" ? "resolved" : "open",
        class: incident.class,
        classes: [...(event === "opened" ? [] : (told?.classes ?? [])), incident.class].slice(-maxClasses),
        severity: incident.severity,
        messages: number,
        lastMs: [...recent, atMs].slice(-maxMessagesAnHour),
      },
    },
    event: { event, incident, at: new Date(atMs).toISOString(), number },
  };
}

/** What is over and was told moves to the past, so that the open ones stay few. */
function retire({ incidents, resolved }: Incidents, atMs: number): void {
  for (const [id, current] of Object.entries(incidents)) {
    if (!isBehind(current, atMs) || current.told?.state === "open") continue;
    resolved.push(current.incident);
    delete incidents[id];
  }
  if (resolved.length > maxResolved) resolved.splice(0, resolved.length - maxResolved);
}

/** One tick: every signal once, wider causes first. Mutates the incidents and returns what is to be told. */
export function advanceIncidents(
  { incidents, resolved }: Incidents,
  signals: readonly Signal[],
  atMs: number,
  isMuted: (id: string) => boolean,
  look: Check = { startMs: atMs, isRest: false },
): IncidentEvent[] {
  const at = new Date(atMs).toISOString();
  const badNow = new Map(signals.flatMap((signal) => (signal.bad ? [[signal.cause, signal]] : [])));
  const replaced = new Set<string>();
  retire({ incidents, resolved }, atMs);

  for (const signal of signals) {
    const id = signal.cause;
    const before = incidents[id];
    // One endpoint's trouble hides nothing that others say.
    const places = signal.bad ? signal.endpoints : (before?.incident.endpoints ?? []);
    const covers = (wider: Signal | undefined) =>
      wider !== undefined && places.every((endpoint) => wider.endpoints.includes(endpoint));
    const hider = policies[signal.cause].inhibitedBy?.find(
      (cause) => cause !== signal.cause && covers(badNow.get(cause)),
    );
    if (hider) {
      if (before && before.incident.state !== "resolved")
        before.incident = { ...before.incident, inhibitedBy: hider };
      continue;
    }
    if (before?.incident.inhibitedBy) {
      const { inhibitedBy: _, ...shown } = before.incident;
      before.incident = shown;
    }
    if (signal.bad === undefined) continue;
    // An end that nobody could be told goes on for people; who muted it did not wait for one.
    const isAnew = signal.bad && before && isBehind(before, atMs) && isMuted(id);
    if (isAnew) resolved.push(before.incident);
    const after = signal.bad
      ? advanceBad(isAnew ? undefined : before, signal, at, look)
      : before && advanceGood(before, at, look);
    if (after) incidents[id] = after;
    else delete incidents[id];
    const hasOpened = after?.incident.state === "open" && before?.incident.state !== "open";
    if (!hasOpened) continue;
    for (const cause of policies[signal.cause].supersedes ?? []) {
      // What goes on beside it has not become it.
      if (badNow.has(cause) && !policies[cause].inhibitedBy?.includes(signal.cause)) continue;
      for (const other of Object.values(incidents)) {
        if (other.incident.cause !== cause || other.incident.state === "resolved") continue;
        if (other.told?.state === "open") replaced.add(id);
        other.incident = { ...other.incident, state: "resolved", resolvedAt: at, supersededBy: id };
        if (other.told) other.told = { ...other.told, state: "resolved" };
      }
    }
  }

  const events: IncidentEvent[] = [];
  for (const [id, current] of Object.entries(incidents)) {
    if (current.incident.inhibitedBy) continue;
    const { next, event } = tell(current, atMs, isMuted(id), replaced.has(id));
    incidents[id] = next;
    if (event) events.push(event);
  }
  return events;
}
