// The incidents of the page, with their decisions, and the incident timeline.
import { causeWords, describeLength } from "../../assess/alerts/cause-texts.ts";
import { runbookHeading } from "../../assess/alerts/render-alert.ts";
import { momentText } from "../../assess/date-text.ts";
import { endOf } from "../../assess/incidents.ts";
import type { NoticeEvent } from "../../assess/rules/retirement/notices-history.ts";
import { type AssessState, findMute } from "../../assess/state.ts";
import { type Decision, type Incident, severities } from "../../records/incident.ts";
import { drawAxis, drawStrip, type Strip } from "../../report/charts.ts";
import type { IncidentView, Summary } from "../server/api-schemas.ts";

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

function viewIncident(incident: Incident, decisions: readonly Decision[], nowMs: number): IncidentView {
  const { id, cause, severity, state, since, openedAt, endpoints, evidence, flaps } = incident;
  const resolvedAt = endOf(incident);
  const texts = causeWords[cause];
  const decision = describeDecisions(findDecisions(incident, decisions, nowMs));
  return {
    ...{ id, cause, severity, state, since, endpoints, evidence, flaps },
    title: texts.title(incident),
    ...(openedAt !== undefined && { openedAt }),
    ...(resolvedAt !== undefined && { resolvedAt }),
    lasted: describeLength(incident, nowMs),
    so: texts.so,
    users: texts.users,
    todo: [...texts.todo],
    runbook: runbookHeading(cause),
    ...(decision !== "" && { decision }),
  };
}

const listIncidents = ({ incidents, resolved }: AssessState): Incident[] => [
  ...resolved,
  ...Object.values(incidents).map(({ incident }) => incident),
];

const rank = ({ severity }: Pick<Incident, "severity">) => severities.indexOf(severity);

/** Open incidents, most severe first, and resolved incidents, latest first. Unconfirmed incidents are left out. */
export function readIncidents(
  state: AssessState,
  decisions: readonly Decision[],
  nowMs: number,
): { open: IncidentView[]; resolved: IncidentView[] } {
  const confirmed = listIncidents(state).filter(({ openedAt }) => openedAt !== undefined);
  const view = (incident: Incident) => viewIncident(incident, decisions, nowMs);
  return {
    open: confirmed
      .filter((incident) => incident.state === "open")
      .sort((a, b) => rank(a) - rank(b) || (a.since < b.since ? 1 : -1))
      .map(view),
    resolved: confirmed
      .filter((incident) => incident.state === "resolved")
      .sort((a, b) => ((endOf(a) ?? "") < (endOf(b) ?? "") ? 1 : -1))
      .map(view),
  };
}

const laneName = (cause: string) => runbookHeading(cause).replaceAll("-", " ");

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
    const lane = lanes.get(incident.cause) ?? { worst: rank(incident), spans: [] };
    lane.spans.push({ ...span, tone: incident.severity });
    lane.worst = Math.min(lane.worst, rank(incident));
    lanes.set(incident.cause, lane);
  }
  const drawn = [...lanes]
    .sort(([a, laneA], [b, laneB]) => laneA.worst - laneB.worst || (a < b ? -1 : 1))
    .map(([cause, { spans }]) => drawLane(laneName(cause), spans, fromMs, untilMs));
  const events = state.retirement?.notices.events ?? [];
  const marks = events.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs).map(eventMark);
  if (marks.length > 0) drawn.push(drawLane("deprecation headers", marks, fromMs, untilMs));
  return {
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    lanes: drawn,
    axis: drawAxis(fromMs, untilMs),
  };
}

const eventMark = ({ atMs }: NoticeEvent) => ({ fromMs: atMs, untilMs: atMs, tone: "info" as const });

function drawLane(label: string, spans: Strip["spans"], fromMs: number, untilMs: number) {
  const times = spans.length;
  const drawing = drawStrip({ label: `${label}, ${times} in this range`, fromMs, untilMs, spans });
  return { label, times, drawing };
}

/**
 * The decisions that apply to an incident, for the page and the command line. A mute applies to every incident
 * of its cause until the mute ends; an acknowledgement does not apply to an incident that began after it.
 */
export function findDecisions(
  { id, since }: Incident,
  decisions: readonly Decision[],
  nowMs: number,
): Decision[] {
  const mute = findMute(decisions, id, nowMs);
  return decisions.filter((decision) => {
    const { kind, subject, at, until } = decision;
    if (kind === "mute") return decision === mute;
    const isExpired = until !== undefined && Date.parse(until) <= nowMs;
    return subject === id && Date.parse(at) >= Date.parse(since) && !isExpired;
  });
}
