// Observations → state and messages, in the order of ticks, each observation once. The rules are evaluated after every
// tick and at every full hour, so the same observations end in the same state however they arrived.

import { type Checkpoint, dayOf, type Ledger, uselessCheckpoints } from "../ports.ts";
import { type Alert, incidentOf, numberOf } from "../records/alert.ts";
import { failureRules, type Incident, isMuted, type RuleId } from "../records/incident.ts";
import { teamDayOf } from "../records/maintenance.ts";
import type { Observation } from "../records/observation.ts";
import { hourMs, minuteMs } from "../time.ts";
import { noteCheck } from "./checks/history.ts";
import { isChange, noteDrift } from "./drift-history.ts";
import { judge, listIncidents, noteEnded, observe } from "./engine/engine.ts";
import type { IncidentEvent, Judging, OpenIncident } from "./engine/engine-state.ts";
import { noteEvidence } from "./gap-evidence.ts";
import { type FailedParts, isolate } from "./isolate.ts";
import { rules } from "./rules/table.ts";
import {
  type Announced,
  type AssessSettings,
  type AssessState,
  freshState,
  type Handover,
  isAssessState,
} from "./state.ts";
import { tell, toldBy } from "./telling/telling.ts";
import { renderAlert } from "./text/render-alert.ts";

/** A hole in the watch that is longer is not evaluated hour by hour. */
const maxHours = 24 * 60;

function createJudging(
  state: AssessState,
  settings: AssessSettings,
  nowMs: number,
  failed: FailedParts,
): Judging {
  const { decisions, maintenance, isTimeDoubtful, hour, timeZone } = settings;
  return {
    state,
    rules,
    history: state.history,
    nowMs,
    settings: { ...settings, isMuted: (id) => isMuted(decisions, id, nowMs) },
    decisions,
    maintenance,
    isTimeDoubtful,
    failed,
    teamDay: teamDayOf(nowMs, hour, timeZone),
    endings: [],
  };
}

function evaluate(
  state: AssessState,
  settings: AssessSettings,
  nowMs: number,
  failed: FailedParts = {},
): IncidentEvent[] {
  state.evaluatedMs = Math.max(state.evaluatedMs, nowMs);
  if (state.handover && nowMs > state.handover.untilMs) takeOver(state, state.handover);
  const judging = createJudging(state, settings, nowMs, failed);
  judge(judging);
  if (state.handover) noteAnnounced(state, state.handover);
  const events = state.handover ? [] : tell(judging);
  noteEnded(judging);
  return events;
}

/** Lists the incidents as they were at the last evaluation. Nothing that is decided or told depends on the list. */
export const showIncidents = (state: AssessState, settings: AssessSettings): void =>
  listIncidents(createJudging(state, settings, state.evaluatedMs, {}));

/** The full hours up to an instant: silence, dates and reminders are reported without an observation. */
export function advanceTo(
  state: AssessState,
  settings: AssessSettings,
  untilMs: number,
  /** Gets what failed. */
  allFailed: FailedParts = {},
): IncidentEvent[] {
  const events: IncidentEvent[] = [];
  if (state.observations === 0) return events;
  const first = Math.max(Math.floor(state.evaluatedMs / hourMs) + 1, Math.floor(untilMs / hourMs) - maxHours);
  for (let hour = first; hour * hourMs < untilMs; hour++) {
    const failed: FailedParts = {};
    events.push(...evaluate(state, settings, hour * hourMs, failed));
    Object.assign(allFailed, failed);
  }
  return events;
}

/** Whether a full hour has come since the last evaluation. */
const isHourDue = ({ evaluatedMs, observations }: AssessState, nowMs: number) =>
  observations > 0 && (Math.floor(evaluatedMs / hourMs) + 1) * hourMs < nowMs;

/** The state at an instant without an observation: the fold itself stays as it is. */
export function readAt(state: AssessState, settings: AssessSettings, nowMs: number) {
  const failed: FailedParts = {};
  if (!isHourDue(state, nowMs)) return { state, events: [], failed };
  const ahead = structuredClone(state);
  const events = advanceTo(ahead, settings, nowMs, failed);
  showIncidents(ahead, settings);
  return { state: ahead, events, failed };
}

/** endpoint/variant/tick */
export const tickOf = ({ id, at }: Pick<Observation, "id" | "at">): number => {
  // A second opinion has another part after the tick.
  const tickMs = Date.parse(id.split("/")[2] ?? "");
  return Number.isNaN(tickMs) ? Date.parse(at) : tickMs;
};

/** Groups by tick, in the order of ticks. */
export function groupTicks(observations: readonly Observation[]): Observation[][] {
  const ticks = new Map<number, Observation[]>();
  for (const observation of observations) {
    const tickMs = tickOf(observation);
    const known = ticks.get(tickMs);
    if (known) known.push(observation);
    else ticks.set(tickMs, [observation]);
  }
  return [...ticks].sort(([a], [b]) => a - b).map(([, tick]) => tick);
}

/** All observations of one tick; mutates the state. The incidents are listed by `showIncidents`, once after all ticks. */
export function foldTick(
  state: AssessState,
  tick: readonly Observation[],
  settings: AssessSettings,
  /** Gets what failed. */
  allFailed: FailedParts = {},
): IncidentEvent[] {
  const ordered = [...tick].sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
  const [first] = ordered;
  if (!first) return [];
  if (ordered.some(({ isAfterSleep }) => isAfterSleep)) state.history.sleptUntilMs = Date.parse(first.at);
  const events = advanceTo(state, settings, Date.parse(first.at), allFailed);
  const failed: FailedParts = {};
  for (const observation of ordered) {
    state.observations++;
    state.firstAt = state.firstAt && state.firstAt < observation.at ? state.firstAt : observation.at;
    state.lastAt = state.lastAt && state.lastAt > observation.at ? state.lastAt : observation.at;
    isolate(
      failed,
      "check-history",
      () => {
        noteDrift(state.drift, observation);
        const check = noteCheck(state.history, observation, ordered);
        check.findings = check.findings?.filter(({ id }) => isChange(state.drift, id));
        observe(createJudging(state, settings, check.atMs, failed), check);
      },
      undefined,
    );
    isolate(failed, "gap-evidence", () => noteEvidence(state.evidence, observation), undefined);
  }
  state.tickMs = Math.max(state.tickMs, tickOf(first));
  const atMs = Math.max(...ordered.map(({ at }) => Date.parse(at)));
  events.push(...evaluate(state, settings, Math.max(atMs, state.evaluatedMs), failed));
  Object.assign(allFailed, failed);
  return events;
}

/** A failure has several causes, each with its own id. */
const isSameFamily = (one: RuleId, other: RuleId): boolean =>
  one === other || [one, other].every((id) => (failureRules as readonly RuleId[]).includes(id));

/**
 * Every announced incident ends. With observations that were stored late, the fold may have another incident in its
 * place, or none. A clock that jumped back shows less than was known: that ends nothing.
 */
export function findWithdrawn(
  announced: readonly Alert[],
  { handover, incidents, resolved, open, lastAt = "" }: AssessState,
): { incident: Incident; replacement: Incident | undefined }[] {
  if (handover) return [];
  const known = new Set([
    ...incidents.map(({ id }) => id),
    ...resolved.filter(({ sent, supersededBy }) => sent.length > 0 || supersededBy).map(({ id }) => id),
    ...open.flatMap(({ supersedes }) => supersedes),
  ]);
  return announced
    .flatMap(toAnnounced)
    .map(({ incident }) => incident)
    .filter(({ id, facts }) => !known.has(id) && facts.lastBadAt <= lastAt)
    .map((incident) => ({
      incident,
      replacement: incidents.find((other) => other.sent.length > 0 && isSameFault(other, incident)),
    }));
}

type Fault = Pick<Incident, "id" | "rule" | "endpoints">;
const isSameFault = (one: Fault, other: Fault) =>
  isSameFamily(one.rule, other.rule) && one.endpoints.some((endpoint) => other.endpoints.includes(endpoint));

// A state that another version wrote is not read. It is computed again from the observations, without a message; what people
// were told is known from their alerts.

const findSame = (open: readonly OpenIncident[], { incident }: Announced): OpenIncident | undefined =>
  open.find(({ id }) => id === incident.id) ?? open.find((one) => isSameFault(one, incident));

const toldMsOf = ({ incident: { sent } }: Announced): number => Date.parse(sent.at(-1)!.at);

/** What no alert says of an incident is as it was decided at the instant of the alert. */
function noteAnnounced({ open, evaluatedMs }: AssessState, { announced }: Handover): void {
  for (const one of announced) {
    if (one.key !== undefined || toldMsOf(one) > evaluatedMs) continue;
    const incident = findSame(open, one);
    one.key = incident?.key;
    one.share = incident?.share;
  }
}

/** The end of the rebuild: each firing incident that people know keeps its id and what they were told of it. */
function takeOver(state: AssessState, { announced }: Handover): void {
  delete state.handover;
  const unmatched = new Set(announced);
  const unknown = new Set(state.open);
  for (const isMatch of [(one: Fault, other: Fault) => one.id === other.id, isSameFault])
    for (const one of unmatched) {
      const incident = [...unknown].find((other) => isMatch(other, one.incident));
      if (!incident) continue;
      unmatched.delete(one);
      unknown.delete(incident);
      restoreTold(incident, one);
    }
  // What people were not told of is told now; the digest had its lines.
  for (const incident of unknown) incident.isNoted = incident.severity === "digest";
}

function restoreTold(incident: OpenIncident, announced: Announced): void {
  const { key = incident.key, share = incident.share, supersedes } = announced;
  const { id, sent } = announced.incident;
  incident.id = id;
  incident.sent = sent.map((message) => ({ ...message, key: key.slice(0, 300) }));
  incident.messageCount = sent.length;
  incident.supersedes = supersedes;
  incident.told = toldBy(announced.incident, { told: undefined, key, share }, toldMsOf(announced));
}

/** The incident of which an alert is the latest, as far as its messages tell it. */
function toAnnounced(alert: Alert): Announced[] {
  const { at, event, severity, scope, endpoints, facts, supersedes = [] } = alert;
  if (facts === null || facts.rule === "budget") return [];
  const latest = { event, at, key: "" };
  const opened = { event: "opened", at: facts.firstBadAt, key: "" };
  const sent = Array.from({ length: numberOf(alert) }, (_, index) => (index === 0 ? opened : latest));
  if (sent.length === 1) sent[0] = latest;
  const incident: Incident = {
    schema: "v1watch/incident/3",
    id: incidentOf(alert),
    rule: facts.rule,
    scope,
    endpoints,
    severity,
    state: "firing",
    since: facts.firstBadAt,
    openedAt: at,
    facts,
    key: "",
    sent,
  };
  return [{ incident, supersedes }];
}

/** `fromMs`: that of the newest checkpoint, before which everything was assessed. */
async function readHandover(
  ledger: Ledger,
  fromMs: number,
  readAlerts: () => Promise<Alert[]>,
): Promise<Handover> {
  const unassessed = new Set((await ledger.backlog()).unassessed.map(({ id }) => id));
  let untilMs = fromMs;
  for await (const { id, at, isDateWrong } of ledger.observations(fromMs, Number.POSITIVE_INFINITY))
    if (!unassessed.has(id) && !isDateWrong) untilMs = Math.max(untilMs, Date.parse(at));
  return { untilMs, announced: (await readAlerts()).flatMap(toAnnounced) };
}

export type Folded = {
  state: AssessState;
  alerts: Alert[];
  checkpoints: Checkpoint[];
  seen: Set<string>;
  /** What threw in any of the ticks. */
  failed: FailedParts;
  /** The observations since the last checkpoint. */
  unsaved: number;
  /** Up to now, and not only to some checkpoint. */
  isWhole: boolean;
};

/** A state, and the instant after all that is in it. */
export type Start = {
  state: AssessState;
  fromMs: number;
  /** The latest observation in it, where it is no checkpoint. */
  latestAt: string | undefined;
  /** The observations since the last checkpoint. */
  unsaved: number;
};

/**
 * A checkpoint at every midnight, and within the day where so many observations would have to be folded again: at the usual
 * cadence it has none.
 */
const mostUnsaved = 150;
const checkpointEveryMs = 5 * minuteMs;

/** The name of the checkpoint between two observations; undefined where there is none. */
function findCheckpoint(fromAt: string, at: string, unsaved: number): string | undefined {
  if (dayOf(fromAt) !== dayOf(at)) return dayOf(at);
  const startMs = Math.floor(Date.parse(at) / checkpointEveryMs) * checkpointEveryMs;
  const isPassed = Date.parse(fromAt) < startMs;
  return isPassed && unsaved >= mostUnsaved ? new Date(startMs).toISOString() : undefined;
}

/** No longer than a silence that is reported: an observation ahead of its time must not look like one. */
const maxAheadMs = 3_600_000;

/**
 * A checkpoint that another version wrote is computed again from the newest one that this version knows, or from the first
 * observation. `readAlerts`: the alerts of incidents that have not ended; without it the state is only shown.
 */
export async function startAt(
  ledger: Ledger,
  at: string,
  readAlerts?: () => Promise<Alert[]>,
): Promise<Start> {
  let newestMs: number | undefined;
  for (let latest = at; ; ) {
    const checkpoint = await ledger.checkpointAt(latest);
    const fromMs = checkpoint ? Date.parse(checkpoint.day) : 0;
    if (checkpoint && !isAssessState(checkpoint.state)) {
      newestMs ??= fromMs;
      latest = new Date(fromMs - 1).toISOString();
      continue;
    }
    const state = checkpoint ? structuredClone(checkpoint.state as AssessState) : freshState();
    if (newestMs !== undefined && readAlerts)
      state.handover ??= await readHandover(ledger, newestMs, readAlerts);
    return { state, fromMs, latestAt: undefined, unsaved: 0 };
  }
}

export const contextOf = ({ history }: AssessState, settings: AssessSettings) => ({
  ...settings,
  isAnonymous: history.primary === "anonymous",
});

export const renderAll = (
  state: AssessState,
  events: readonly IncidentEvent[],
  settings: AssessSettings,
): Alert[] => events.map((event) => renderAlert(event, contextOf(state, settings)));

/** Of a long backlog the ledger would drop all but these again. */
function withoutUseless(checkpoints: readonly Checkpoint[]): Checkpoint[] {
  const useless = new Set(uselessCheckpoints(checkpoints.map(({ day }) => day)));
  return checkpoints.filter(({ day }) => !useless.has(day));
}

/** From a start up to now, tick by tick; or to the checkpoint at which it is enough. */
export async function fold(input: {
  ledger: Ledger;
  start: Start;
  nowMs: number;
  settings: AssessSettings;
  isEnough: (observations: number) => boolean;
}): Promise<Folded> {
  const { ledger, start, nowMs, settings, isEnough } = input;
  const { state } = start;
  const alerts: Alert[] = [];
  let checkpoints: Checkpoint[] = [];
  const seen = new Set<string>();
  const failed: FailedParts = {};
  let unfolded: Observation[] = [];
  let { latestAt, unsaved } = start;
  const close = () => {
    for (const tick of groupTicks(unfolded))
      alerts.push(...renderAll(state, foldTick(state, tick, settings, failed), settings));
    if (unfolded.length > 0) showIncidents(state, settings);
    unfolded = [];
  };
  // A prober's clock may be ahead of ours by a little; what lies further ahead waits for its time.
  for await (const observation of ledger.observations(start.fromMs, nowMs + maxAheadMs)) {
    const { at, id, isDateWrong } = observation;
    if (isDateWrong) {
      seen.add(id);
      continue;
    }
    const name = latestAt === undefined ? undefined : findCheckpoint(latestAt, at, unsaved);
    if (name !== undefined) {
      close();
      checkpoints = withoutUseless([...checkpoints, { day: name, state: structuredClone(state) }]);
      unsaved = 0;
      if (isEnough(seen.size)) return { state, alerts, checkpoints, seen, failed, unsaved, isWhole: false };
    }
    latestAt = at;
    unsaved++;
    unfolded.push(observation);
    seen.add(id);
  }
  close();
  return { state, alerts, checkpoints, seen, failed, unsaved, isWhole: true };
}
