// Incidents: pending → firing → resolved, one per family, place and occurrence. The id contains the start of the
// occurrence, so that a fault that returns is a new incident with new messages.

import { type Thresholds, thresholds } from "../config/thresholds.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Decision, Incident, RuleId, Severity } from "../records/incident.ts";
import { isAcknowledged, isIncidentMuted, isMuted, severities } from "../records/incident.ts";
import { isInMaintenance, type MaintenanceWindow } from "../records/maintenance.ts";
import { instantText } from "./history/queries.ts";
import type { History } from "./history/types.ts";
import { type FailedParts, isolate } from "./isolate.ts";
import {
  isSummaryDue,
  limitedMs,
  limitMessage,
  listOpen,
  type MessageCandidate,
  type ToldMessage,
} from "./message-limits.ts";
import {
  type Active,
  type Evaluate,
  type Evaluation,
  firingOf,
  type Inactive,
  isFiring,
  type RuleContext,
  type RuleSettings,
  toFacts,
} from "./rules/rule.ts";
import { families, ruleOf } from "./rules/table.ts";

export type Incidents = {
  /** Pending and firing. */
  incidents: Incident[];
  /** Oldest first; those of the last 60 days. */
  resolved: Incident[];
  /** What the limits of messages have to know beside the messages of the incidents. */
  messages: {
    /** Openings that a limit holds back. */
    heldBack: string[];
    /** What the next summary names. */
    forSummary: SummaryLine[];
    summaryAt?: string | undefined;
    /** Countdowns that were sent: those of the last 24 h, and the latest. */
    countdowns: { id: string; severity: Severity; at: string }[];
  };
};

export type SummaryLine = { incident: string; event: IncidentEvent["event"] | "missed"; at: string };

export const freshIncidents = (): Incidents => ({
  incidents: [],
  resolved: [],
  messages: { heldBack: [], forSummary: [], countdowns: [] },
});

const maxSummaryLines = 200;
const maxHeldBack = 50;

export type IncidentEvent = {
  event: "opened" | "changed" | "resolved" | "reminder";
  incident: Incident;
  at: string;
  /** Of the messages about this incident. */
  number: number;
  /** The ids of the announced incidents that it replaced. */
  supersedes?: string[];
};

/** 20261115T0250Z */
const stamp = (ms: number) => `${instantText(ms).slice(0, 16).replace(/[-:]/g, "")}Z`;

function createId(state: Incidents, { rule, scope, endpoints, firstBadMs }: Active): string {
  const place = scope === "endpoint" && endpoints[0] ? `${endpoints[0]}-` : "";
  const id = `${rule}-${place}${stamp(firstBadMs)}`;
  const known = [...state.incidents, ...state.resolved].filter(
    (one) => one.id === id || one.id.startsWith(`${id}-`),
  );
  return known.length === 0 ? id : `${id}-${known.length + 1}`;
}

/** What the evaluation of the incidents needs beside them. */
export type EvaluationInput = {
  history: History;
  nowMs: number;
  settings: Omit<RuleSettings, "isMuted">;
  decisions: readonly Decision[];
  /** Windows in which nothing is announced. What still fires after them is announced then. */
  maintenance?: readonly MaintenanceWindow[] | undefined;
  /** The rules on the time that has passed announce nothing. */
  isTimeDoubtful?: boolean | undefined;
  limits?: Thresholds;
  /** Parts of the assessment that threw before the rules were evaluated. */
  failed?: FailedParts;
};

/** These follow from the time that has passed, and not from a response. */
const timeRules: readonly RuleId[] = ["silent", "sunset-passed", "certificate", "frozen", "partly-frozen"];

const familyOf = ({ rule }: Incident) => ruleOf(rule).family;
const covers = (wider: Incident, endpoints: readonly EndpointId[]) =>
  endpoints.every((endpoint) => wider.endpoints.includes(endpoint));

/**
 * Evaluates every rule once. Replaces the incidents in the state and returns the messages that are to be sent. A family
 * that throws leaves its incidents as they were and is itself reported; all others are evaluated.
 */
export function advanceIncidents(state: Incidents, input: EvaluationInput): IncidentEvent[] {
  const { nowMs, decisions, limits = thresholds } = input;
  const isInWindow = isInMaintenance(input.maintenance, nowMs);
  const settings: RuleSettings = { ...input.settings, isMuted: (id) => isMuted(decisions, id, nowMs) };
  const failed: FailedParts = { ...input.failed };
  const advanceFamily = (family: string, evaluate: Evaluate): IncidentEvent[] => {
    const evaluations = evaluate({
      history: input.history,
      nowMs,
      thresholds: limits,
      settings,
      incidents: [...state.incidents, ...state.resolved],
    });
    // A pending incident is no more than the evaluation that says so.
    state.incidents = state.incidents.filter(
      (incident) => familyOf(incident) !== family || incident.state !== "pending",
    );
    const before = new Set(state.incidents);
    for (const evaluation of evaluations) apply(state, family, evaluation, nowMs, limits);
    return state.incidents
      .filter((one) => familyOf(one) === family)
      .flatMap((incident) => {
        const { isTimeDoubtful = false } = input;
        const isQuiet = isInWindow || (isTimeDoubtful && timeRules.includes(incident.rule));
        const isCurrent = !before.has(incident) && !isTimeDoubtful;
        return notify({ state, incident, isCurrent, nowMs, decisions, limits, isQuiet });
      });
  };
  const events = tellWaitingEnds(state, nowMs);
  for (const [family, evaluate] of Object.entries(families)) {
    const { incidents, resolved, messages } = state;
    Object.assign(state, { incidents: [...incidents], resolved: [...resolved] });
    const sent = isolate(failed, family, () => advanceFamily(family, evaluate), undefined);
    if (sent) events.push(...sent);
    else Object.assign(state, { incidents, resolved, messages });
  }
  events.push(...advanceFamily("rule-failed", (context) => [evaluateFailed(context, failed)]));
  for (const incident of state.incidents.filter(({ state: name }) => name === "resolved")) {
    state.resolved.push(incident);
  }
  state.incidents = state.incidents.filter(({ state: name }) => name !== "resolved");
  const oldest = instantText(nowMs - limits.rollUpsKeptMs);
  state.resolved = state.resolved
    .filter(({ resolvedAt = oldest }) => resolvedAt >= oldest)
    .slice(-limits.maxResolved);
  return events;
}

/** Ends when a day has passed without a failure: a rule that fails now and then is one incident. */
function evaluateFailed(context: RuleContext, failed: FailedParts): Evaluation {
  const { nowMs } = context;
  const firing = firingOf(context, "rule-failed");
  if (Object.keys(failed).length === 0) {
    const isCalm = !firing || nowMs - Date.parse(firing.facts.lastBadAt) >= 24 * 3_600_000;
    return { state: isCalm ? "inactive" : "unknown" };
  }
  const failedParts = { ...firing?.facts.failedParts, ...failed };
  return {
    state: "active",
    rule: "rule-failed",
    severity: "warning",
    scope: "api",
    endpoints: [...endpointIds],
    firstBadMs: firing ? Date.parse(firing.facts.firstBadAt) : nowMs,
    lastGoodMs: undefined,
    lastBadMs: nowMs,
    bad: 0,
    total: 0,
    facts: { failedParts },
    key: Object.keys(failedParts).sort().join(",").slice(0, 300),
    isConfirmed: true,
  };
}

/** All messages of the last 24 h and of incidents that have not ended, as the limits see them. */
export function listTold(state: Incidents, nowMs: number): ToldMessage[] {
  const isRecent = (at: string) => nowMs - Date.parse(at) < limitedMs;
  const all = [...state.resolved, ...state.incidents];
  const byId = new Map(all.map((incident) => [incident.id, incident]));
  /** The end of an incident that was replaced is that of the last one that replaced it. */
  const isEndTold = ({ sent, supersededBy }: Incident): boolean => {
    if (supersededBy === undefined) return sent.some(({ event }) => event === "resolved");
    const replacement = byId.get(supersededBy);
    return replacement === undefined || isEndTold(replacement);
  };
  const relevant = all.filter(
    (incident) => incident.sent.length > 0 && (isRecent(incident.sent.at(-1)!.at) || !isEndTold(incident)),
  );
  const told = relevant.flatMap((incident) => {
    const candidate = candidateOf(state, incident);
    return incident.sent.map((one) => ({
      ...candidate,
      event: one.event as IncidentEvent["event"],
      severity: one.severity ?? incident.severity,
      isWide: one.isWide ?? isWide(incident),
      atMs: Date.parse(one.at),
      isInSummary: one.isInSummary ?? false,
    }));
  });
  const countdowns = state.messages.countdowns.map(({ id, severity, at }) => ({
    ...countdownCandidate(id, severity),
    atMs: Date.parse(at),
    isInSummary: false,
  }));
  return [...told, ...countdowns].toSorted((a, b) => a.atMs - b.atMs);
}

const candidateOf = (state: Incidents, incident: Incident): Omit<MessageCandidate, "event"> => ({
  incident: incident.id,
  rule: incident.rule,
  group: familyOf(incident),
  severity: incident.severity,
  isWide: isWide(incident),
  replaces: listReplaced(state, incident),
});

/** A countdown counts as a message of the rule that announces the date. */
const countdownCandidate = (id: string, severity: Severity): MessageCandidate => ({
  incident: id,
  rule: "sunset",
  group: ruleOf("sunset").family,
  event: "notice",
  severity,
  isWide: true,
  replaces: [],
});

/** As many as one date has. */
const keptCountdowns = thresholds.countdownDays.length;

/** Whether a countdown may be sent now; it is remembered as sent. */
export function admitCountdown(state: Incidents, id: string, severity: Severity, nowMs: number): boolean {
  const { countdowns } = state.messages;
  if (countdowns.some((one) => one.id === id)) return false;
  if (limitMessage(listTold(state, nowMs), countdownCandidate(id, severity), nowMs) !== "send") return false;
  const recent = countdowns.filter(
    ({ at }, index) => index >= countdowns.length - keptCountdowns || nowMs - Date.parse(at) < limitedMs,
  );
  state.messages.countdowns = [...recent, { id, severity, at: instantText(nowMs) }];
  return true;
}

/** Its end was not told yet: by a message of its own, or by that of an incident that replaced it. */
export const isEndWaiting = ({ sent, supersededBy }: Incident): boolean =>
  supersededBy === undefined && sent.length > 0 && sent.every(({ event }) => event !== "resolved");

/** Ends that had to wait, because their group had no room for another opening. */
function tellWaitingEnds(state: Incidents, nowMs: number): IncidentEvent[] {
  const open = new Set(listOpen(listTold(state, nowMs)).map(({ incident }) => incident));
  if (open.size === 0) return [];
  return state.resolved
    .filter((incident) => !incident.supersededBy)
    .filter((incident) => [incident.id, ...listReplaced(state, incident)].some((id) => open.has(id)))
    .flatMap((incident) => tell(state, incident, "resolved", nowMs));
}

/** The lines of a summary that is due now; they are taken out of the state. */
export function takeSummary(state: Incidents, nowMs: number): SummaryLine[] | undefined {
  const { forSummary, summaryAt } = state.messages;
  const [first] = forSummary;
  const isDue = isSummaryDue({
    firstWaitingMs: first && Date.parse(first.at),
    lastSummaryMs: summaryAt === undefined ? undefined : Date.parse(summaryAt),
    nowMs,
  });
  if (!isDue) return undefined;
  state.messages = { ...state.messages, forSummary: [], summaryAt: instantText(nowMs) };
  return forSummary;
}

function replace(state: Incidents, incident: Incident): void {
  const index = state.incidents.findIndex(({ id }) => id === incident.id);
  if (index < 0) state.incidents.push(incident);
  else state.incidents[index] = incident;
}

function apply(
  state: Incidents,
  family: string,
  evaluation: Evaluation,
  nowMs: number,
  limits: Thresholds,
): void {
  const own = state.incidents.filter((incident) => isFiring(incident) && familyOf(incident) === family);
  const known = family === "failure" ? own.find(({ id }) => id === evaluation.incidentId) : own[0];
  if (evaluation.state === "unknown") return;
  if (evaluation.state === "inactive") {
    if (known && isRecovered(known, evaluation, nowMs, limits)) resolve(state, known, evaluation, nowMs);
    return;
  }
  if (known) continueIncident(state, known, evaluation);
  else open(state, evaluation, nowMs, limits);
}

function open(state: Incidents, active: Active, nowMs: number, limits: Thresholds): void {
  const rule = ruleOf(active.rule, limits);
  const { scope, endpoints, firstBadMs, lastBadMs, bad } = active;
  const isLong = lastBadMs - firstBadMs >= rule.forMs[scope] - limits.slackMs && bad >= rule.minChecks;
  const isInhibited = state.incidents.some(
    (other) => isFiring(other) && rule.inhibitedBy.includes(other.rule) && covers(other, endpoints),
  );
  const isOpen = (active.isConfirmed ?? isLong) && !isInhibited;
  const incident: Incident = {
    schema: "v1watch/incident/2",
    id: createId(state, active),
    rule: active.rule,
    scope,
    endpoints,
    severity: active.severity,
    state: isOpen ? "firing" : "pending",
    since: instantText(firstBadMs),
    ...(isOpen && { openedAt: instantText(nowMs) }),
    facts: toFacts(active, undefined),
    key: active.key,
    sent: [],
  };
  // A wider incident takes the place of the narrower ones: they do not end.
  if (isOpen && rule.family === "failure")
    for (const other of state.incidents.filter(
      (one) => isFiring(one) && familyOf(one) === "failure" && covers(incident, one.endpoints),
    ))
      replace(state, {
        ...other,
        state: "resolved",
        resolvedAt: instantText(nowMs),
        supersededBy: incident.id,
      });
  replace(state, incident);
  if (isOpen) takeOverWaitingEnds(state, incident, nowMs);
}

/** A fault that returned before its end could be told has not ended: the new incident goes on with it. */
function takeOverWaitingEnds(state: Incidents, incident: Incident, nowMs: number): void {
  const open = new Set(listOpen(listTold(state, nowMs)).map((one) => one.incident));
  state.resolved = state.resolved.map((one) => {
    const isWaiting =
      !one.supersededBy &&
      familyOf(one) === familyOf(incident) &&
      [one.id, ...listReplaced(state, one)].some((id) => open.has(id));
    return isWaiting ? { ...one, supersededBy: incident.id } : one;
  });
}

/** A new cause, fewer or more endpoints, or only newer facts. */
function continueIncident(state: Incidents, known: Incident, active: Active): void {
  const isCause = active.rule !== known.rule;
  const isPlace = active.endpoints.join() !== known.endpoints.join();
  const changedAt = instantText(active.changedMs ?? active.lastBadMs);
  const changedAfterAt = active.changedAfterMs === undefined ? null : instantText(active.changedAfterMs);
  const change =
    isCause || isPlace
      ? { changedAt, changedAfterAt }
      : { changedAt: known.facts.changedAt, changedAfterAt: known.facts.changedAfterAt };
  const { rule, scope, endpoints } = active;
  // An endpoint that fails again is no longer recovered.
  const recovered = Object.fromEntries([
    ...Object.entries(known.recovered ?? {}).filter(
      ([endpoint]) => !endpoints.includes(endpoint as EndpointId),
    ),
    ...known.endpoints
      .filter((endpoint) => !endpoints.includes(endpoint))
      .map((endpoint) => [endpoint, changedAt]),
  ]);
  const isWorse = severities.indexOf(active.severity) < severities.indexOf(known.severity);
  replace(state, {
    ...known,
    rule,
    scope,
    endpoints,
    key: active.key,
    severity: isWorse || isCause ? active.severity : known.severity,
    ...(isCause && { changedAt }),
    ...((known.recovered || isPlace) && { recovered }),
    facts: {
      ...toFacts(active, undefined),
      ...(change.changedAt !== undefined && { changedAt: change.changedAt }),
      ...(change.changedAfterAt !== undefined && { changedAfterAt: change.changedAfterAt }),
    },
  });
}

/** Proven by good checks over some time, or said by the rule itself. */
function isRecovered(
  incident: Incident,
  { firstGoodMs, lastMs, good }: Inactive,
  nowMs: number,
  limits: Thresholds,
): boolean {
  if (firstGoodMs === undefined) return familyOf(incident) !== "failure";
  const isFailure = familyOf(incident) === "failure";
  const keepMs = isFailure ? limits.recoveredForMs : ruleOf(incident.rule, limits).keepFiringForMs;
  const isLong = (lastMs ?? nowMs) - firstGoodMs >= keepMs - limits.slackMs;
  return isLong && (good ?? 0) >= limits.recoveryChecks;
}

function resolve(state: Incidents, incident: Incident, { firstGoodMs }: Inactive, nowMs: number): void {
  replace(state, {
    ...incident,
    state: "resolved",
    resolvedAt: instantText(nowMs),
    facts: { ...incident.facts, firstGoodAfterAt: instantText(firstGoodMs ?? nowMs) },
  });
}

/** Offers a message about an incident to the limits. */
function tell(
  state: Incidents,
  incident: Incident,
  event: IncidentEvent["event"],
  nowMs: number,
): IncidentEvent[] {
  const candidate = { ...candidateOf(state, incident), event };
  const verdict = limitMessage(listTold(state, nowMs), candidate, nowMs);
  const { messages } = state;
  const heldBack = messages.heldBack.filter((id) => id !== incident.id);
  if (verdict === "hold") {
    if (event === "opened")
      state.messages = { ...messages, heldBack: [...heldBack, incident.id].slice(-maxHeldBack) };
    return [];
  }
  const at = instantText(nowMs);
  const isInSummary = verdict === "summary";
  const { severity, isWide: wide, replaces } = candidate;
  const entry = { event, at, key: incident.key, severity, isWide: wide, isInSummary };
  const told = { ...incident, sent: [...incident.sent, entry] };
  const index = state.resolved.indexOf(incident);
  if (index >= 0) state.resolved[index] = told;
  else replace(state, told);
  const line = { incident: incident.id, event, at };
  const forSummary = isInSummary
    ? [...messages.forSummary, line].slice(-maxSummaryLines)
    : messages.forSummary;
  state.messages = { ...messages, heldBack, forSummary };
  if (isInSummary) return [];
  const number = told.sent.length;
  return [
    { event, incident: told, at, number, ...(replaces.length > 0 ? { supersedes: [...replaces] } : {}) },
  ];
}

/** An incident that ended before it could be announced: the next summary names it. */
function noteMissed(state: Incidents, { id }: Incident, nowMs: number): void {
  const { heldBack, forSummary } = state.messages;
  if (!heldBack.includes(id)) return;
  const line: SummaryLine = { incident: id, event: "missed", at: instantText(nowMs) };
  state.messages = {
    ...state.messages,
    heldBack: heldBack.filter((one) => one !== id),
    forSummary: [...forSummary, line].slice(-maxSummaryLines),
  };
}

type NotifyInput = {
  state: Incidents;
  incident: Incident;
  /** The facts are of this evaluation, and not of an earlier one because nothing is known now. */
  isCurrent: boolean;
  nowMs: number;
  decisions: readonly Decision[];
  limits: Thresholds;
  isQuiet: boolean;
};

function notify({
  state,
  incident,
  isCurrent,
  nowMs,
  decisions,
  limits,
  isQuiet,
}: NotifyInput): IncidentEvent[] {
  if (incident.state === "pending") return [];
  const wasAnnounced = incident.sent.length > 0;
  const last = incident.sent.findLast(({ event }) => event !== "reminder");
  const { key } = incident;
  if (incident.state === "resolved") {
    if (incident.supersededBy) return [];
    // Whatever was opened gets its RESOLVED. For what another incident replaced, it is that of the other incident,
    // even if the other one was never announced itself.
    if (wasAnnounced || listReplaced(state, incident).length > 0)
      return tell(state, incident, "resolved", nowMs);
    noteMissed(state, incident, nowMs);
    return [];
  }
  if (isQuiet || isIncidentMuted(incident, decisions, nowMs)) return [];
  if (!wasAnnounced) return tell(state, incident, "opened", nowMs);
  const isSaid = incident.sent.some(
    (one) => one.key === key && nowMs - Date.parse(one.at) < limits.sameCauseAgainMs,
  );
  if (last && key !== last.key && !isSaid) return tell(state, incident, "changed", nowMs);
  const isDue = nowMs - Date.parse(incident.sent.at(-1)!.at) >= limits.reminderMs;
  // A reminder repeats no number that is no longer true.
  const isReminded =
    incident.severity === "page" && isDue && isCurrent && !isAcknowledged(incident, decisions, nowMs);
  return isReminded ? tell(state, incident, "reminder", nowMs) : [];
}

const maxReplaced = 20;

/** The announced incidents that it replaced, itself or through another incident. */
function listReplaced({ incidents, resolved }: Incidents, { id }: Incident): string[] {
  const replaced = [...resolved, ...incidents].filter(({ supersededBy }) => supersededBy !== undefined);
  const ids = new Set([id]);
  // An incident is replaced by a later one, so the latest first finds every chain.
  for (const one of replaced.toReversed()) if (ids.has(one.supersededBy!)) ids.add(one.id);
  return replaced
    .filter((one) => one.id !== id && ids.has(one.id) && one.sent.length > 0)
    .map((one) => one.id)
    .slice(-maxReplaced);
}

export const isWide = ({ endpoints }: Incident) => endpoints.length === endpointIds.length;
