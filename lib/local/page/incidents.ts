// The incidents of the page, with their decisions, and the incident timeline.
import { describeLength, titleOf } from "../../assess/alerts/render-alert.ts";
import { reproduce } from "../../assess/alerts/reproduce.ts";
import { ruleTexts } from "../../assess/alerts/rule-texts.ts";
import { momentText } from "../../assess/date-text.ts";
import { endOf, findMute } from "../../assess/incidents.ts";
import type { AssessState } from "../../assess/state.ts";
import { byWorst, firingIncidents } from "../../assess/verdict.ts";
import type { EndpointId } from "../../contract/endpoints.ts";
import { type Decision, type Incident, type RuleId, severities } from "../../records/incident.ts";
import { drawAxis, drawStrip, type Strip } from "../../report/charts.ts";
import type { IncidentView, NoticesView, Summary } from "../server/api-schemas.ts";

/** The latest acknowledgement and the active mute. */
function describeDecisions(decisions: readonly Decision[]): string {
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
  baseUrl: string,
): IncidentView {
  const { id, rule, scope, severity, state, since, openedAt, endpoints, facts } = incident;
  const resolvedAt = endOf(incident);
  const texts = ruleTexts[rule];
  const now = new Date(nowMs).toISOString();
  const decision = describeDecisions(findDecisions(incident, decisions, nowMs));
  return {
    ...{ id, rule, scope, severity, state, since, endpoints, facts },
    title: titleOf(incident),
    ...(openedAt !== undefined && { openedAt }),
    ...(resolvedAt !== undefined && { resolvedAt }),
    lasted: describeLength(facts, now),
    evidence: texts.facts(facts, now),
    impact: texts.impact(facts),
    steps: [...texts.steps],
    reproduce: reproduce(facts, baseUrl, false),
    runbook: rule,
    ...(decision !== "" && { decision }),
  };
}

const listIncidents = ({ incidents, resolved }: AssessState): Incident[] => [...resolved, ...incidents];

const rank = ({ severity }: Pick<Incident, "severity">) => severities.indexOf(severity);

/** Firing incidents, the worst first, and resolved incidents, latest first. Pending incidents are left out. */
export function readIncidents(
  state: AssessState,
  decisions: readonly Decision[],
  nowMs: number,
  baseUrl = "",
): { open: IncidentView[]; resolved: IncidentView[] } {
  const view = (incident: Incident) => viewIncident(incident, decisions, nowMs, baseUrl);
  return {
    open: firingIncidents(state).sort(byWorst).map(view),
    resolved: state.resolved.toSorted((a, b) => ((endOf(a) ?? "") < (endOf(b) ?? "") ? 1 : -1)).map(view),
  };
}

export function drawTimeline(
  state: AssessState,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Summary["timeline"] {
  const lanes = new Map<string, { worst: number; spans: Strip["spans"][number][] }>();
  for (const incident of listIncidents(state)) {
    if (incident.openedAt === undefined) continue;
    const end = endOf(incident);
    const span = {
      fromMs: Date.parse(incident.since),
      untilMs: end === undefined ? untilMs : Date.parse(end),
    };
    if (span.untilMs < fromMs || span.fromMs > untilMs) continue;
    const lane = lanes.get(incident.rule) ?? { worst: rank(incident), spans: [] };
    lane.spans.push({ ...span, tone: incident.severity });
    lane.worst = Math.min(lane.worst, rank(incident));
    lanes.set(incident.rule, lane);
  }
  const drawn = [...lanes]
    .sort(([a, laneA], [b, laneB]) => laneA.worst - laneB.worst || (a < b ? -1 : 1))
    .map(([rule, { spans }]) => drawLane(rule.replaceAll("-", " "), spans, fromMs, untilMs));
  return {
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    lanes: drawn,
    axis: drawAxis(fromMs, untilMs),
  };
}

function drawLane(label: string, spans: Strip["spans"], fromMs: number, untilMs: number) {
  const times = spans.length;
  const drawing = drawStrip({ label: `${label}, ${times} in this range`, fromMs, untilMs, spans });
  return { label, times, drawing };
}

/**
 * The decisions that apply to an incident, for the page and the command line: a mute of the incident or of its rule
 * until it ends, and an acknowledgement of the incident.
 */
export function findDecisions(
  { id, rule }: Incident,
  decisions: readonly Decision[],
  nowMs: number,
): Decision[] {
  const mute = findMute(decisions, id, nowMs) ?? findMute(decisions, rule, nowMs);
  return decisions.filter((decision) => {
    if (decision.kind === "mute") return decision === mute;
    const isExpired = decision.until !== undefined && Date.parse(decision.until) <= nowMs;
    return decision.subject === id && !isExpired;
  });
}

// The deprecation headers that are confirmed now, and the incidents about them so far.
const noticeRules: readonly RuleId[] = ["sunset", "sunset-passed", "deprecation"];
const isNotice = ({ rule, openedAt }: Incident) => noticeRules.includes(rule) && openedAt !== undefined;

export function readNotices({ incidents, resolved }: AssessState): NoticesView {
  const firing = incidents.filter((incident) => incident.state === "firing" && isNotice(incident));
  const events = [...resolved, ...incidents].filter(isNotice).flatMap(listEvents);
  return {
    current: firing.flatMap(readHeaders),
    events: events.sort((a, b) => (a.at < b.at ? 1 : -1)),
  };
}

/** Endpoints that send the same date are grouped. */
function readHeaders({ facts, since }: Incident): NoticesView["current"] {
  if (facts.source === "configured") return [];
  if (facts.notices) return facts.notices.map((header) => ({ header, endpoints: facts.endpoints, since }));
  const groups = new Map<string, EndpointId[]>();
  for (const endpoint of facts.endpoints) {
    const date = facts.dates?.[endpoint]?.slice(0, 10) ?? "";
    groups.set(date, [...(groups.get(date) ?? []), endpoint]);
  }
  return [...groups].map(([date, endpoints]) => ({
    header: "Sunset",
    endpoints,
    ...(date && { date }),
    since,
  }));
}

function listEvents(incident: Incident): NoticesView["events"] {
  const title = titleOf(incident);
  const end = endOf(incident);
  return [
    { at: incident.since, text: title },
    ...(incident.facts.changedAt ? [{ at: incident.facts.changedAt, text: `Changed: ${title}` }] : []),
    ...(end ? [{ at: end, text: `No longer sent: ${title}` }] : []),
  ];
}
