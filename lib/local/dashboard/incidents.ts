// The incidents of the dashboard, the view of one incident, and the decisions that people make about them.

import type { Settings } from "../../assess/assess.ts";
import type { AssessState } from "../../assess/state.ts";
import {
  type AlertContext,
  evidenceOf,
  impactOf,
  lengthOf,
  linksOf,
  titleOf,
} from "../../assess/text/render-alert.ts";
import { reproduce } from "../../assess/text/reproduce.ts";
import { textsOf } from "../../assess/text/rule-texts.ts";
import { byWorst, firingIncidents } from "../../assess/verdict.ts";
import type { Alert } from "../../records/alert.ts";
import { type Decision, endOf, everything, findMute, type Incident } from "../../records/incident.ts";
import { momentText } from "../../time.ts";
import type { CurrentState } from "../current-state.ts";
import type { IncidentPage, IncidentView } from "../server/api-schemas.ts";
import type { History } from "../store/history.ts";
import type { Store } from "../store/store.ts";

export type IncidentSources = {
  currentState: CurrentState;
  store: Store;
  settings: Settings;
  nowMs(): number;
};

/** The latest acknowledgement and the active mute. */
export function describeDecisions(decisions: readonly Decision[]): string {
  const ack = decisions.findLast(({ kind }) => kind === "ack");
  const mute = decisions.find(({ kind }) => kind === "mute");
  const end = mute?.until === undefined ? "" : ` until ${momentText(mute.until)}`;
  return [
    ...(ack ? [`acknowledged: ${ack.reason}`] : []),
    ...(mute ? [`muted${end}: ${mute.reason}`] : []),
  ].join("; ");
}

function viewIncident(
  incident: Incident,
  decisions: readonly Decision[],
  nowMs: number,
  context: AlertContext,
): IncidentView {
  const { baseUrl, uses } = context;
  const { id, rule, scope, severity, state, since, openedAt, endpoints, facts, supersededBy } = incident;
  const resolvedAt = endOf(incident);
  const now = new Date(nowMs).toISOString();
  const applying = findDecisions(incident, decisions, nowMs);
  const decision = describeDecisions(applying);
  const mute = applying.find(({ kind }) => kind === "mute");
  return {
    id,
    rule,
    scope,
    severity,
    state,
    since,
    endpoints,
    facts,
    title: titleOf(incident),
    openedAt,
    resolvedAt,
    supersededBy,
    lasted: lengthOf(facts, now),
    evidence: evidenceOf(incident, now),
    impact: impactOf(facts, uses),
    steps: [...textsOf(facts).steps()],
    reproduce: baseUrl === undefined ? "" : reproduce(facts, { ...context, baseUrl }),
    runbook: rule,
    decision: decision !== "" ? decision : undefined,
    isAcknowledged: applying.some(({ kind }) => kind === "ack"),
    mutedBy: mute?.subject,
  };
}

/** Firing incidents, the worst first, and resolved incidents, latest first. Pending incidents are left out. */
export function readIncidents(
  state: AssessState,
  decisions: readonly Decision[],
  nowMs: number,
  context: AlertContext = {},
): { open: IncidentView[]; resolved: IncidentView[] } {
  const view = (incident: Incident) => viewIncident(incident, decisions, nowMs, context);
  return {
    open: firingIncidents(state).sort(byWorst).map(view),
    resolved: state.resolved.toSorted((a, b) => ((endOf(a) ?? "") < (endOf(b) ?? "") ? 1 : -1)).map(view),
  };
}

/** What the view of one incident shows. Undefined if there is no such incident, or it is only unconfirmed. */
export async function readIncidentPage(
  { currentState, store, settings, nowMs }: IncidentSources,
  id: string,
): Promise<IncidentPage | undefined> {
  const state = currentState.assessState();
  const known = [...state.resolved, ...state.incidents].filter(({ openedAt }) => openedAt !== undefined);
  const incident = known.find((one) => one.id === id);
  if (!incident) return undefined;
  const decisions = await store.ledger.decisions();
  const view = (one: Incident) => viewIncident(one, decisions, nowMs(), settings);
  const isSamePlace = (one: Incident) => one.endpoints.some((each) => incident.endpoints.includes(each));
  const links = linksOf(id, incident.rule, settings);
  return {
    incident: view(incident),
    links,
    checks: readChecks(store.history, incident),
    notifications: store.history.sentAlertsOf(id).map(toSentAlertRow),
    occurrences: known
      .filter((one) => one.rule === incident.rule && one.id !== id && isSamePlace(one))
      .toSorted((a, b) => (a.since < b.since ? 1 : -1))
      .slice(0, maxOccurrences)
      .map((one) => ({ ...pick(one), title: titleOf(one), lasted: view(one).lasted })),
    decisions: decisions
      .filter(({ subject }) => [id, incident.rule, ...incident.endpoints].includes(subject))
      .map(({ kind, subject, reason, at, until }) => ({
        kind,
        subject,
        reason,
        at,
        until,
      })),
  };
}

const pick = ({ id, since, state }: Incident) => ({ id, since, state });
const toSentAlertRow = ({ id, at, event, severity, subject }: Alert) => ({
  id,
  at,
  event,
  severity,
  subject,
});

/** From the last check before the incident to the first after it; of a long one the first and the latest. */
function readChecks(history: History, incident: Incident): IncidentPage["checks"] {
  const { facts, endpoints } = incident;
  const fromMs = Date.parse(facts.lastGoodBeforeAt ?? facts.firstBadAt);
  const end = endOf(incident);
  const beforeMs = end === undefined ? undefined : Date.parse(end) + 1;
  const rows = endpoints.flatMap((endpoint) =>
    history.observationRows({ endpoint, isPrimary: true, fromMs, beforeMs, limit: maxChecks }),
  );
  return rows.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, maxChecks);
}

const maxOccurrences = 20;
const maxChecks = 60;

/**
 * The decisions that apply to an incident, for the dashboard and the command line: a mute of the incident or of its rule
 * until it ends, and an acknowledgement of the incident.
 */
export function findDecisions(
  { id, rule, endpoints }: Incident,
  decisions: readonly Decision[],
  nowMs: number,
): Decision[] {
  const ofEndpoints = endpoints.map((endpoint) => findMute(decisions, endpoint, nowMs));
  const mute =
    findMute(decisions, id, nowMs) ??
    findMute(decisions, rule, nowMs) ??
    (ofEndpoints.every(Boolean) ? ofEndpoints[0] : undefined) ??
    findMute(decisions, everything, nowMs);
  return decisions.filter((decision) => {
    if (decision.kind === "mute") return decision === mute;
    const isExpired = decision.until !== undefined && Date.parse(decision.until) <= nowMs;
    return decision.subject === id && !isExpired;
  });
}
