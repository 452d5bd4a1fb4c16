// Incidents: pending → firing → resolved, one per family, place and occurrence. The id contains the start of the
// occurrence, so that a fault that returns is a new incident with new messages.

import { type Thresholds, thresholds } from "../config/thresholds.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Decision, Incident, RuleId } from "../records/incident.ts";
import { isAcknowledged, isIncidentMuted, isMuted, severities } from "../records/incident.ts";
import { isInMaintenance, type MaintenanceWindow } from "../records/maintenance.ts";
import { instantText } from "./history/queries.ts";
import type { History } from "./history/types.ts";
import { type FailedParts, isolate } from "./isolate.ts";
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
  /** When an incident of a rule was announced, of the last 24 h: the limit of openings counts these. */
  openings: { rule: RuleId; at: string }[];
};

export const freshIncidents = (): Incidents => ({ incidents: [], resolved: [], openings: [] });

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
        return notify(state, incident, isCurrent, nowMs, decisions, limits, isQuiet);
      });
  };
  const events: IncidentEvent[] = [];
  for (const [family, evaluate] of Object.entries(families)) {
    const [incidents, openings] = [[...state.incidents], [...state.openings]];
    const sent = isolate(failed, family, () => advanceFamily(family, evaluate), undefined);
    if (sent) events.push(...sent);
    else Object.assign(state, { incidents, openings });
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
  state.openings = state.openings.filter(({ at }) => nowMs - Date.parse(at) < 24 * 3_600_000);
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
    ...{ rule: active.rule, scope, endpoints, severity: active.severity },
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
    ...{ rule, scope, endpoints, key: active.key },
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

/** `isCurrent`: the facts are of this evaluation and of a clock that is right; an earlier one is not reminded of. */
function notify(
  state: Incidents,
  incident: Incident,
  isCurrent: boolean,
  nowMs: number,
  decisions: readonly Decision[],
  limits: Thresholds,
  isQuiet: boolean,
): IncidentEvent[] {
  if (incident.state === "pending") return [];
  const wasAnnounced = incident.sent.length > 0;
  const replaced = listReplaced(state, incident);
  const last = incident.sent.findLast(({ event }) => event !== "reminder");
  const { key } = incident;
  const send = (event: IncidentEvent["event"]): IncidentEvent[] => {
    const at = instantText(nowMs);
    const sent = { ...incident, sent: [...incident.sent, { event, at, key }] };
    replace(state, sent);
    if (event === "opened" && replaced.length === 0) state.openings.push({ rule: incident.rule, at });
    return [
      {
        ...{ event, incident: sent, at, number: sent.sent.length },
        ...(replaced.length > 0 && { supersedes: replaced }),
      },
    ];
  };
  if (incident.state === "resolved") {
    // Whatever was opened gets its RESOLVED. For what another incident replaced, it is that of the other incident,
    // even if the other one was never announced itself.
    const isDue = wasAnnounced || replaced.length > 0;
    return isDue && !incident.supersededBy ? send("resolved") : [];
  }
  if (isQuiet || isIncidentMuted(incident, decisions, nowMs)) return [];
  // The limit of openings neither counts nor holds back an incident that replaces an announced one.
  if (!wasAnnounced)
    return replaced.length > 0 || mayOpen(state, incident, nowMs, limits) ? send("opened") : [];
  const isSaid = incident.sent.some(
    (one) => one.key === key && nowMs - Date.parse(one.at) < limits.sameCauseAgainMs,
  );
  const recent = incident.sent.filter(
    ({ at, event }) => event !== "reminder" && nowMs - Date.parse(at) < 3_600_000,
  );
  if (last && key !== last.key && !isSaid && recent.length <= limits.openingsPerHour) return send("changed");
  const isDue = nowMs - Date.parse(incident.sent.at(-1)!.at) >= limits.reminderMs;
  // A reminder repeats no number that is no longer true.
  const isReminded =
    incident.severity === "page" && isDue && isCurrent && !isAcknowledged(incident, decisions, nowMs);
  return isReminded ? send("reminder") : [];
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

function mayOpen(state: Incidents, incident: Incident, nowMs: number, limits: Thresholds): boolean {
  const times = state.openings
    .filter(({ rule }) => rule === incident.rule)
    .map(({ at }) => nowMs - Date.parse(at));
  return (
    times.filter((ms) => ms < 3_600_000).length < limits.openingsPerHour &&
    times.filter((ms) => ms < 24 * 3_600_000).length < limits.openingsPerDay
  );
}

export const isWide = ({ endpoints }: Incident) => endpoints.length === endpointIds.length;
