// What people decide about incidents: whether they may, and what is sent to the channels about it.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Ports } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import {
  type Decision,
  everything,
  findMute,
  type Incident,
  isMuted,
  type RuleId,
  ruleIds,
  startMsOf,
} from "../records/incident.ts";
import { describeMaintenance, type MaintenanceWindow, maintenanceUntil } from "../records/maintenance.ts";
import { dayMs, momentText } from "../time.ts";
import type { AssessState } from "./state.ts";
import { type AlertContext, asciiLine, linksOf, titleOf } from "./text/render-alert.ts";

export type DecisionRequest = {
  kind: "ack" | "mute" | "unmute";
  /** The id of an incident or a finding; for a mute also a rule, an endpoint or `everything`. */
  subject: string;
  reason: string;
  /** When a mute of everything begins: a maintenance window that is planned. */
  from?: string | undefined;
  until?: string | undefined;
  /** Mute what is not firing now. */
  isAhead?: boolean;
};

export type CheckedDecision =
  | { kind: "valid"; decision: Decision; incident: Incident | undefined }
  | { kind: "refused"; problem: string };

const maxReason = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control codes are what it looks for
const control = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether a person may decide so now. A mute that would only apply to a future incident has to be asked for. */
function checkDecision(
  state: AssessState,
  decisions: readonly Decision[],
  request: DecisionRequest,
  nowMs: number,
): CheckedDecision {
  const refused = (problem: string): CheckedDecision => ({ kind: "refused", problem });
  const { kind, subject, until, isAhead = false } = request;
  const reason = request.reason.trim();
  const at = new Date(nowMs).toISOString();
  if (reason === "") return refused(`${kind} needs a reason, which is shown with the incident`);
  if (reason.length > maxReason || control.test(reason))
    return refused(`the reason must be one line of at most ${maxReason} characters`);
  const base = { schema: "v1watch/decision/1", subject, reason, at } as const;
  if (subject === everything) return checkWindow(decisions, request, base, nowMs);
  if (kind === "unmute") {
    if (!isMuted(decisions, subject, nowMs)) {
      const muted = listMuted(decisions, nowMs);
      return refused(
        muted.length === 0
          ? "nothing is muted"
          : `"${subject}" is not muted. Muted: ${muted.map((one) => `"${one}"`).join(", ")}`,
      );
    }
    // The newest mute of a subject counts: one that ends now ends the others.
    return { kind: "valid", decision: { ...base, kind: "mute", until: at }, incident: undefined };
  }
  const firing = state.incidents.filter((incident) => incident.state === "firing");
  const known = [
    ...[...state.incidents, ...state.resolved].map(({ id }) => id),
    ...Object.keys(state.drift.rows),
    ...(kind === "mute" ? [...ruleIds, ...endpointIds] : []),
  ];
  if (!known.includes(subject)) {
    const similar = known.filter((id) => id.includes(subject)).slice(0, 3);
    const hint = similar.length > 0 ? `. Did you mean ${similar.map((id) => `"${id}"`).join(" or ")}?` : "";
    const places = kind === "mute" ? "incident, finding, rule or endpoint" : "incident or finding";
    return refused(`there is no ${places} "${subject}"${hint}`);
  }
  if (kind === "mute" && !(Date.parse(until ?? "") > nowMs))
    return refused("mute needs an end in the future");
  const affected = firing.filter((incident) => isAbout(incident, subject));
  const row = state.drift.rows[subject];
  const isPresent = row !== undefined && Object.values(row.streaks).some(({ present }) => present > 0);
  if (kind === "mute" && affected.length === 0 && !isPresent && !isAhead)
    return refused(
      `"${subject}" is not firing: the mute would silence only what comes later. To do that, add --ahead`,
    );
  const decision: Decision = { ...base, kind, until };
  return { kind: "valid", decision, incident: affected.find(({ id }) => id === subject) };
}

/** Half a year: a window that nobody remembers is silence. */
const maxWindowMs = 180 * dayMs;

/** A maintenance window: from now on or planned, and ended or called off by `unmute`. */
function checkWindow(
  decisions: readonly Decision[],
  { kind, from, until }: DecisionRequest,
  base: Pick<Decision, "schema" | "subject" | "reason" | "at">,
  nowMs: number,
): CheckedDecision {
  const refused = (problem: string): CheckedDecision => ({ kind: "refused", problem });
  const valid = (decision: Decision): CheckedDecision => ({ kind: "valid", decision, incident: undefined });
  if (kind === "ack") return refused("only incidents and findings can be acknowledged");
  if (kind === "unmute") {
    if (findMute(decisions, everything, nowMs)) return valid({ ...base, kind: "mute", until: base.at });
    const next = findPlannedWindow(decisions, nowMs);
    if (!next) return refused("no maintenance window is open or planned");
    return valid({ ...base, kind: "mute", from: next.from, until: next.from });
  }
  const startMs = from === undefined ? nowMs : Math.max(nowMs, Date.parse(from));
  const endMs = Date.parse(until ?? "");
  if (!(endMs > startMs)) return refused("a maintenance window needs an end after its start and after now");
  if (endMs - startMs > maxWindowMs) return refused("a maintenance window has at most 180 days");
  return valid({ ...base, kind: "mute", from: startMs > nowMs ? from : undefined, until });
}

/** The next window that has not begun and was not called off. */
function findPlannedWindow(decisions: readonly Decision[], nowMs: number): Decision | undefined {
  const starts = decisions
    .filter(({ kind, subject }) => kind === "mute" && subject === everything)
    .map(startMsOf)
    .filter((startMs) => startMs > nowMs)
    .sort((a, b) => a - b);
  return starts
    .map((startMs) => findMute(decisions, everything, startMs))
    .find((found) => found !== undefined);
}

/** Records the decision, and notifies the channels of an acknowledgement. */
export async function decide(input: {
  ports: Pick<Ports, "ledger" | "outbox">;
  state: AssessState;
  request: DecisionRequest;
  context: AlertContext;
  nowMs: number;
}): Promise<CheckedDecision> {
  const { state, request, context, nowMs } = input;
  const { ledger, outbox } = input.ports;
  const checked = checkDecision(state, await ledger.decisions(), request, nowMs);
  if (checked.kind === "refused") return checked;
  const { decision, incident } = checked;
  await ledger.decide(decision);
  // People hear that somebody took on what they were told of.
  if (decision.kind === "ack" && incident && incident.sent.length > 0) {
    const alert = acknowledgedAlert(incident, decision, context);
    await outbox.put([{ id: alert.id, kind: "alert", alert }]);
  }
  return checked;
}

const isAbout = ({ id, rule, endpoints, facts }: Incident, subject: string): boolean =>
  [id, rule, ...endpoints].includes(subject as RuleId | EndpointId) ||
  (facts.findings ?? []).some((finding) => finding.id === subject);

/** The subjects with a mute that applies now. */
const listMuted = (decisions: readonly Decision[], nowMs: number): string[] =>
  [...new Set(decisions.map(({ subject }) => subject))].filter((subject) =>
    isMuted(decisions, subject, nowMs),
  );

/** Notifies the channels that a person has taken on an incident. PagerDuty acknowledges its own. */
function acknowledgedAlert(incident: Incident, { reason, at }: Decision, context: AlertContext): Alert {
  const { id, rule, scope, endpoints, severity, facts } = incident;
  return {
    schema: "v1watch/alert/3",
    id: `${id}/${at.replace(/[-:.]/g, "")}-acknowledged`,
    at,
    event: "acknowledged",
    severity,
    rule,
    scope,
    endpoints,
    subject: asciiLine(`[v1watch] ACKNOWLEDGED: ${titleOf(incident)}`, 100),
    sections: [
      { label: "", lines: [`Acknowledged: ${reason}`, "Reminders about it stop; its end is still sent."] },
    ],
    facts,
    links: linksOf(id, rule, context),
  };
}

/** That no notifications are sent now, by the configuration or by somebody; or the next window that somebody planned. */
export function describeQuiet(
  windows: readonly MaintenanceWindow[] | undefined,
  decisions: readonly Decision[],
  nowMs: number,
): string | undefined {
  const muted = findMute(decisions, everything, nowMs);
  const ends = [maintenanceUntil(windows, nowMs), muted?.until].filter((end) => end !== undefined);
  const [end] = ends.sort().toReversed();
  if (end !== undefined) return describeMaintenance(end, muted?.reason);
  const next = findPlannedWindow(decisions, nowMs);
  return next?.from !== undefined && next.until !== undefined
    ? `Maintenance is planned from ${momentText(next.from)} to ${momentText(next.until)}: ${next.reason}`
    : undefined;
}
