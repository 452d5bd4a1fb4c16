// One assessment: new observations are folded into the state, people are notified, metrics are sent.

import {
  createDeliveryMemory,
  type DeliveryCounts,
  type DeliveryLog,
  type DeliveryMemory,
  deliverPending,
} from "../delivery/outbox.ts";
import type { Ledger, Ports, Unassessed } from "../ports.ts";
import { type Alert, isOwnWarning } from "../records/alert.ts";
import { everything, isIncidentMuted, isMuted } from "../records/incident.ts";
import { isInMaintenance } from "../records/maintenance.ts";
import { emptyProbeState, type ProbeState } from "../records/probe-state.ts";
import { dayText, hourMs, instantText } from "../time.ts";
import type { IncidentEvent } from "./engine/engine-state.ts";
import {
  contextOf,
  type Folded,
  findWithdrawn,
  fold,
  readAt,
  renderAll,
  type Start,
  startAt,
  tickOf,
} from "./fold.ts";
import { type FailedParts, isolate } from "./isolate.ts";
import { type Status, statusPoints } from "./metrics.ts";
import { type Outlook, readOutlook } from "./outlook.ts";
import type { AssessSettings, AssessState } from "./state.ts";
import { tellAgain, tellEndedOnce } from "./telling/told-late.ts";
import { renderAlert, renderWithdrawn } from "./text/render-alert.ts";
import {
  budgetAlerts,
  countdownAlerts,
  countUnconfirmed,
  digestAlerts,
  type Evidence,
  endedBudgetAlerts,
  judgeAlarm,
  monitorAlert,
  subscriptionAlerts,
  unreadableAlerts,
  withoutOldReminders,
} from "./text/scheduled-alerts.ts";
import { firingIncidents, readSchedule, type Schedule } from "./verdict.ts";

export type Settings = Omit<AssessSettings, "decisions" | "isTimeDoubtful">;

export type Assessment = {
  state: AssessState;
  /** Undefined where it failed, and where there was no time to come up to now: the next run goes on. */
  outlook: Outlook | undefined;
  schedule: Schedule;
  alerts: Alert[];
  delivered: DeliveryCounts;
};

/** A function must end before its deadline, and keeps then what it has. */
export type Limits = {
  /** For folding. */
  untilMs?: number;
  /** For sending alerts. */
  tellUntilMs?: number;
  observationsAtOnce?: number;
  isTimeDoubtful?: boolean;
  /** What was sent, and what could not be sent or published. */
  log?: DeliveryLog | undefined;
};

/** Seconds of work: what was folded is kept this often. */
const usuallyAtOnce = 10_000;

/** A process that stays alive need not fold the day again at every tick. */
export type Memory = {
  /** Absent while a fold changes the state in place: after a failure the next run starts at a checkpoint. */
  latest?: { state: AssessState; at: string; unsaved: number };
  /** The retry delays of the receivers. */
  delivery?: DeliveryMemory;
  /** The last day on which all subscriptions were found to be confirmed. */
  subscriptionsDay?: string;
  /** The last hour in which the digest was made. */
  digestHour?: number;
  /** What threw when observations were folded last: a run without new ones has not repaired it. */
  failed?: FailedParts;
};

/**
 * Memory serves only where everything new is of a later tick; a late observation means to fold its day again. The state
 * is taken out of the memory, because the fold changes it: where the fold is not kept, the next one starts from a
 * checkpoint.
 */
function startFromMemory(memory: Memory, unassessed: readonly Unassessed[]): Start | undefined {
  const { latest } = memory;
  if (!latest || unassessed.some((one) => one.at <= latest.at || tickOf(one) <= latest.state.tickMs))
    return undefined;
  delete memory.latest;
  const { state, at, unsaved } = latest;
  return { state, fromMs: Date.parse(at) + 1, latestAt: at, unsaved };
}

export type Known = { state: AssessState; outlook: Outlook; schedule: Schedule };

/** What is known now, without notifying anybody: for commands, the dashboard and the report. */
export async function readAssessment(
  ledger: Ledger,
  settings: Settings,
  nowMs: number,
  isTimeUp: () => boolean = () => false,
): Promise<Known> {
  const decisions = await ledger.decisions();
  const { unassessed } = await ledger.backlog();
  const [first] = unassessed;
  const now = new Date(nowMs).toISOString();
  const start = await startAt(ledger, first && first.at < now ? first.at : now);
  const { state, isWhole } = await fold({
    ledger,
    start,
    nowMs,
    settings: { ...settings, decisions },
    isEnough: isTimeUp,
  });
  if (!isWhole) throw new Error("the assessment is too far behind: there was no time to catch up with it");
  const { state: current } = readAt(state, { ...settings, decisions }, nowMs);
  const probeState = (await ledger.readProbeState())?.value;
  return {
    state: current,
    outlook: readOutlook(current, settings, nowMs),
    schedule: readSchedule(settings, probeState),
  };
}

const empty = { alerts: [], checkpoints: [], seen: new Set<string>(), failed: {} };

type CatchUpInput = {
  ports: Ports;
  settings: AssessSettings;
  nowMs: number;
  memory: Memory;
  limits: Limits;
};

/** `justKept`: the ids of observations that were kept a moment ago; a backlog that lags behind may still list them. */
async function foldBacklog(
  { ports, settings, nowMs, memory, limits }: CatchUpInput,
  justKept: ReadonlySet<string>,
): Promise<Folded & { isKept: boolean }> {
  const { untilMs = Infinity, observationsAtOnce = usuallyAtOnce } = limits;
  const isEnough = (observations: number) => observations >= observationsAtOnce || ports.nowMs() >= untilMs;
  for (let attempt = 1; ; attempt++) {
    const { version, ...backlog } = await ports.ledger.backlog();
    const unassessed = backlog.unassessed.filter(({ id }) => !justKept.has(id));
    const [first] = unassessed;
    if (!first && memory.latest) {
      const { state, unsaved } = memory.latest;
      return { ...empty, state, unsaved, isWhole: true, isKept: true };
    }
    const start =
      startFromMemory(memory, unassessed) ??
      (await startAt(ports.ledger, first?.at ?? new Date(nowMs).toISOString(), ports.outbox.announced));
    const folded = await fold({ ledger: ports.ledger, start, nowMs, settings, isEnough });
    const read: Unassessed[] = unassessed.filter(({ id }) => folded.seen.has(id));
    const firing = folded.isWhole ? listFiring(folded.state, settings, nowMs) : [];
    const isAsked = folded.alerts.length > 0 || firing.length > 0;
    const isLatest = () => isAll(ports.ledger, folded.state);
    // Where it is not known what people know, they get every message.
    const announced = isAsked ? await ports.outbox.announced().catch(() => undefined) : [];
    const alerts = announced
      ? await tellAgain(tellEndedOnce(folded.alerts, announced), firing, {
          announced,
          lastEnd: lastEndIn(ports),
          isLatest,
        })
      : folded.alerts;
    // Queued before it is marked as assessed: a crash between the two repeats a message id, and loses none.
    const kept = await ports.outbox.put(
      withoutOldReminders(alerts).map((alert) => ({ id: alert.id, kind: "alert", alert })),
    );
    if (kept.kind === "failed") return { ...folded, alerts, isKept: false };
    if (read.length === 0 && folded.checkpoints.length === 0) return { ...folded, alerts, isKept: true };
    if (await ports.ledger.commit({ version, folded: read, checkpoints: folded.checkpoints }))
      return { ...folded, alerts, isKept: true };
    // Another assessment was quicker; its backlog is shorter. Twice is a coincidence, more is not.
    if (attempt === 5) throw new Error("another assessment keeps committing first");
  }
}

/** Whether nothing is stored that is later than what a state knows. */
async function isAll(ledger: Ledger, { lastAt = "" }: AssessState): Promise<boolean> {
  for await (const { isDateWrong } of ledger.observations(Date.parse(lastAt) + 1, Number.MAX_SAFE_INTEGER))
    if (!isDateWrong) return false;
  return true;
}

/** Where it cannot be read, a message keeps its number. */
const lastEndIn =
  ({ outbox }: Ports) =>
  (incidentId: string) =>
    outbox.lastEnd(incidentId).catch(() => 0);

/** What people were told of and is open: to tell it again, where they think that it is over. */
const listFiring = (state: AssessState, settings: AssessSettings, nowMs: number) =>
  state.handover || isInMaintenance(settings.maintenance, nowMs)
    ? []
    : state.incidents
        .filter(({ state: now, sent }) => now === "firing" && sent.length > 0)
        .filter((incident) => !isIncidentMuted(incident, settings.decisions, nowMs))
        .map((incident) => ({
          id: incident.id,
          render(number: number): Alert {
            const event: IncidentEvent = {
              event: "opened",
              incident,
              at: instantText(nowMs),
              number,
              supersedes: undefined,
            };
            return renderAlert(event, contextOf(state, settings));
          },
        }));

/** Alerts first, so that the number of undelivered ones is that of now. */
async function deliverAndPublish(
  ports: Ports,
  status: Status,
  { tellUntilMs: untilMs = Infinity, memory, log }: Limits & { memory: DeliveryMemory },
): Promise<DeliveryCounts> {
  const delivered = await deliverPending(ports.outbox, ports.receivers, ports.nowMs, {
    untilMs,
    memory,
    log,
  });
  const undelivered = await ports.outbox.undelivered().catch(() => undefined);
  const points = statusPoints({ ...status, undeliveredAlerts: undelivered?.count });
  // The next run publishes the numbers of its time.
  await ports
    .publishMetrics?.(points)
    .catch((error: unknown) =>
      log?.onFailed?.({ id: `assessment ${new Date(status.atMs).toISOString()}`, to: "metrics", error }),
    );
  return delivered;
}

/** A long backlog is folded part by part, each of them kept before the next. */
async function catchUp(
  input: CatchUpInput,
): Promise<Pick<Folded, "state" | "alerts" | "isWhole"> & { isKept: boolean }> {
  const { ports, memory } = input;
  const { untilMs = Infinity } = input.limits;
  const alerts: Alert[] = [];
  const justKept = new Set<string>();
  const failed: FailedParts = {};
  let hasFolded = false;
  while (true) {
    const part = await foldBacklog(input, justKept);
    const { state, isWhole, isKept } = part;
    alerts.push(...part.alerts);
    for (const id of part.seen) justKept.add(id);
    Object.assign(failed, part.failed);
    hasFolded ||= part.seen.size > 0;
    if (hasFolded) memory.failed = failed;
    // What is not whole goes on from its checkpoint.
    if (isKept && isWhole && state.lastAt) memory.latest = { state, at: state.lastAt, unsaved: part.unsaved };
    if (isWhole || !isKept || ports.nowMs() >= untilMs) return { state, alerts, isWhole, isKept };
  }
}

type SubscriptionCheck = { alerts: Alert[]; unconfirmedSubscriptions?: number };

/** Daily, and until all are confirmed at every assessment. Without a list from SNS it is unknown: no point, no alert. */
async function checkSubscriptions(
  ports: Ports,
  settings: Settings,
  nowMs: number,
  { memory, open }: { memory: Memory; open: Alert | undefined },
): Promise<SubscriptionCheck> {
  const day = dayText(nowMs);
  if (!ports.readSubscriptions || memory.subscriptionsDay === day) return { alerts: [] };
  const status = await ports.readSubscriptions().catch(() => undefined);
  if (!status) return { alerts: [] };
  const unconfirmedSubscriptions = countUnconfirmed(status);
  if (unconfirmedSubscriptions === 0 && status.confirmed > 0) memory.subscriptionsDay = day;
  const { confirmedSince = status.at } = (await ports.ledger.subscriptionStatus()) ?? {};
  await ports.ledger.saveSubscriptionStatus({
    ...status,
    confirmedSince: status.confirmed > 0 ? confirmedSince : undefined,
  });
  return { alerts: subscriptionAlerts(status, open, settings, nowMs), unconfirmedSubscriptions };
}

/**
 * A part of the assessment that throws is an alarm until it is made again: `error` is the name of what it threw, undefined
 * where it was made. A part that was not tried is not judged.
 */
function failureAlerts(
  part: string,
  error: string | undefined,
  { warned, context, nowMs }: { warned: readonly Alert[]; context: AssessSettings; nowMs: number },
): Alert[] {
  const start = `assessment-failed-${part}-`;
  const lines: Evidence["lines"] =
    error === undefined
      ? [`The ${part} of v1watch is made again`]
      : [
          `v1watch failed to make its ${part} (${error})`,
          "This is a fault of v1watch, not of V1.",
          "Report the names above as a bug of v1watch.",
        ];
  return judgeAlarm(
    warned.find(({ id }) => id.startsWith(start)),
    { isBad: error !== undefined, lines },
    () => monitorAlert(`${start}${dayText(nowMs).replaceAll("-", "")}`, lines, context, nowMs),
    nowMs,
  );
}

/** What the alerts of this moment are made of: everything new is assessed, and `now` is the state at `nowMs`. */
type Moment = {
  ports: Ports;
  settings: AssessSettings;
  memory: Memory;
  nowMs: number;
  now: ReturnType<typeof readAt>;
  probeState: ProbeState;
};

type Told = {
  alerts: Alert[];
  outlook: Outlook | undefined;
  /** The parts that threw. */
  failed: FailedParts;
  budgetLeft: number;
  unconfirmedSubscriptions: number | undefined;
};

/** During a maintenance window or a mute of everything nothing new is told: it is due again later. */
const isQuietAt = ({ isTimeDoubtful, maintenance, decisions }: AssessSettings, nowMs: number): boolean =>
  isTimeDoubtful === true || isInMaintenance(maintenance, nowMs) || isMuted(decisions, everything, nowMs);

/** Every alert that is due now. A part that throws is reported by name, and the others go on. */
async function makeAlerts(moment: Moment): Promise<Told> {
  const { ports, settings, memory, nowMs, now, probeState } = moment;
  const { state } = now;
  const context = contextOf(state, settings);
  const isQuiet = isQuietAt(settings, nowMs);
  const failed: FailedParts = {};
  const tried = new Set<string>();
  const attempt = <T>(part: string, make: () => T, otherwise: T): T => {
    tried.add(part);
    return isolate(failed, part, make, otherwise);
  };

  // What was announced and has not ended. Where it cannot be read now, no alarm begins or ends.
  const announced = await ports.outbox.announced().catch(() => undefined);
  const warned = announced?.filter(isOwnWarning);
  // Days and months are not counted by a clock that may be wrong.
  const warnedInTime = settings.isTimeDoubtful ? undefined : warned;
  const open = warnedInTime?.find(({ rule }) => rule === "undelivered");
  const subscriptions: SubscriptionCheck = warnedInTime
    ? await checkSubscriptions(ports, settings, nowMs, { memory, open })
    : { alerts: [] };
  const unreadable = warnedInTime && (await ports.readUnreadable?.().catch(() => undefined));

  const outlook = attempt("outlook", () => readOutlook(state, settings, nowMs), undefined);
  const spent = probeState.spent[new Date(nowMs).toISOString().slice(0, 7)] ?? 0;
  const budgetLeft = Math.max(0, settings.monthlyRequests - spent);
  const isReserveSpent = probeState.isReserveSpent ?? false;
  const budget = attempt("budget", () => budgetAlerts(budgetLeft, isReserveSpent, context, nowMs), []);
  const withdrawn = () =>
    findWithdrawn(announced ?? [], state).map(({ incident, replacement }) =>
      renderWithdrawn(incident, replacement, nowMs, context),
    );
  const events = renderAll(state, now.events, settings);
  const scheduled = () => [
    ...attempt("countdown", () => (outlook ? countdownAlerts(state, outlook, settings, nowMs) : []), []),
    ...attempt("digest", () => makeDigest(state, settings, memory, nowMs), []),
    ...budget,
  ];
  const alerts = [
    ...attempt("withdrawn", withdrawn, []),
    ...withoutOldReminders(
      announced
        ? await tellAgain(events, [], { announced, lastEnd: lastEndIn(ports), isLatest: async () => true })
        : events,
    ),
    ...subscriptions.alerts.filter(({ event }) => !isQuiet || event === "resolved"),
    ...(isQuiet ? [] : scheduled()),
    ...(warnedInTime && failed.budget === undefined
      ? endedBudgetAlerts(warnedInTime, budget, budgetLeft, nowMs)
      : []),
    ...(warnedInTime && unreadable ? unreadableAlerts(unreadable, warnedInTime, context, nowMs) : []),
  ];
  // Last, because the parts above may fail.
  for (const part of warned ? tried : [])
    alerts.push(...failureAlerts(part, failed[part], { warned: warned ?? [], context, nowMs }));
  const { unconfirmedSubscriptions } = subscriptions;
  return { alerts, outlook, failed, budgetLeft, unconfirmedSubscriptions };
}

/** Once an hour, because observations may come late. */
function makeDigest(state: AssessState, settings: AssessSettings, memory: Memory, nowMs: number): Alert[] {
  const hour = Math.floor(nowMs / hourMs);
  if (memory.digestHour === hour) return [];
  const alerts = digestAlerts(state, settings, nowMs);
  memory.digestHour = hour;
  return alerts;
}

export async function assess(
  ports: Ports,
  given: Settings,
  memory: Memory = {},
  limits: Limits = {},
): Promise<Assessment> {
  const nowMs = ports.nowMs();
  const { isTimeDoubtful = false } = limits;
  const settings = { ...given, decisions: await ports.ledger.decisions(), isTimeDoubtful };
  const { state, alerts, isWhole, isKept } = await catchUp({ ports, settings, nowMs, memory, limits });
  const now = isWhole ? readAt(state, settings, nowMs) : undefined;
  const probeState = (await ports.ledger.readProbeState())?.value ?? emptyProbeState;
  const schedule = readSchedule(settings, probeState);
  memory.delivery ??= createDeliveryMemory();
  const { delivery } = memory;
  const openIncidents = firingIncidents(now?.state ?? state).length;
  const finish = (known: Omit<Status, "atMs">) =>
    deliverAndPublish(ports, { ...known, atMs: nowMs, openIncidents }, { ...limits, memory: delivery });
  if (!now) return { state, outlook: undefined, schedule, alerts, delivered: await finish({}) };

  const told = await makeAlerts({ ports, settings, memory, nowMs, now, probeState });
  const kept = await ports.outbox.put(told.alerts.map((alert) => ({ id: alert.id, kind: "alert", alert })));
  const failed = { ...told.failed, ...now.failed, ...memory.failed };
  const isCompleted = isKept && kept.kind === "kept" && Object.keys(failed).length === 0;
  const delivered = await finish({
    assessmentCompleted: isCompleted ? 1 : undefined,
    budgetLeft: told.budgetLeft,
    unconfirmedSubscriptions: told.unconfirmedSubscriptions,
  });
  return {
    state: now.state,
    outlook: told.outlook,
    schedule,
    alerts: [...alerts, ...told.alerts],
    delivered,
  };
}
