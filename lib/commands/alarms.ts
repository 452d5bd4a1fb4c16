// v1watch alarms: evaluates the CloudWatch alarms of the stack on the observations of a watch.
import { type Alarm, alarmTable, listAlarms } from "../assess/alarms/alarm-table.ts";
import { type AlarmState, evaluateAlarm } from "../assess/alarms/evaluate-alarm.ts";
import { groupTicks, tickOf } from "../assess/fold.ts";
import { alivePoint, goodNewsOf, statusPoints, undeliveredPoint } from "../assess/metrics.ts";
import { metricsMessages } from "../assess/record-tick.ts";
import { primaryVariant } from "../assess/rules/response-class.ts";
import { alarmSettings, assessmentSettings, type Config, durationMs } from "../config/config.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { requestsLeft } from "../probe/schedule/budget.ts";
import { findConfirmationReason } from "../probe/schedule/probe-state.ts";
import { retainPublishedHealth } from "../probe/schedule/published-health.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import type { Observation } from "../records/observation.ts";
import type { PublishedHealthByEndpoint } from "../records/probe-state.ts";
import { emptyProbeState, heartbeatIntervalMs } from "../records/probe-state.ts";
import { type Command, exitCodes } from "./command.ts";
import { type OpenedWatch, openWatch, storeHelp, storeOptions } from "./open-watch.ts";

/** At least as long as the longest evaluation range in the alarm table. */
const evaluationRangeMs = 9 * 86_400_000;

const minuteMs = 60_000;

const hourMs = 60 * minuteMs;

/** How long after a data point the alarm is evaluated. */
const evaluationDelayMs = 61_000;

const heartbeatTimes = (fromMs: number, untilMs: number): number[] =>
  Array.from(
    { length: Math.max(1, Math.ceil((untilMs - fromMs) / heartbeatIntervalMs)) },
    (_, index) => fromMs + index * heartbeatIntervalMs,
  );

/**
 * Heartbeats of the assessment are not stored, so they are reconstructed: the assessment counts as running while the
 * latest observation is not overdue.
 */
function alivePoints(observations: readonly Observation[], config: Config, nowMs: number): MetricPoint[] {
  const { silentAfterMs } = assessmentSettings(config);
  const points: MetricPoint[] = [];
  let previousMs = Number.NEGATIVE_INFINITY;
  for (const [index, { at }] of observations.entries()) {
    const next = observations[index + 1];
    const untilMs = Math.min(next ? Date.parse(next.at) : nowMs, Date.parse(at) + silentAfterMs);
    for (const atMs of heartbeatTimes(Date.parse(at), untilMs)) {
      if (atMs - previousMs < heartbeatIntervalMs && next) continue;
      // One minute earlier, because only complete minutes are evaluated: a watch that has just started is not silent.
      points.push(alivePoint(atMs - minuteMs, endpointIds.length));
      previousMs = atMs;
    }
  }
  return points;
}

/** The data points that this watch would have published, recomputed from its observations. */
async function recomputePoints({
  state,
  store,
  config,
  outlook,
  nowMs,
}: OpenedWatch): Promise<MetricPoint[]> {
  const primary = primaryVariant(state.availability.primary);
  const everyMs = durationMs(config.aws.metricsEvery);
  const observations: Observation[] = [];
  for await (const observation of store.ledger.observations(nowMs - evaluationRangeMs, nowMs))
    observations.push(observation);
  const published: PublishedHealthByEndpoint = {};
  const points: MetricPoint[] = [];
  const messageIds = new Set<string>();
  for (const tick of groupTicks(observations)) {
    const tickMs = tickOf(tick[0]!);
    const sparing = { everyMs, told: published };
    for (const message of metricsMessages({ tickMs, observations: tick, primary, sparing })) {
      // The outbox accepts each message id once.
      if (message.kind === "metrics" && !messageIds.has(message.id)) points.push(...message.points);
      messageIds.add(message.id);
    }
    for (const observation of tick.filter(({ variant }) => variant === primary)) {
      const kept = retainPublishedHealth(
        published[observation.endpoint] ?? {},
        findConfirmationReason(observation),
      );
      published[observation.endpoint] = { ...kept, ...goodNewsOf([observation], primary) };
    }
  }
  const probeState = (await store.ledger.readProbeState())?.value ?? emptyProbeState;
  const { certificateMs } = state.availability;
  const status = statusPoints({
    atMs: nowMs - minuteMs,
    daysToRetirement: outlook?.daysLeft,
    budgetLeft: requestsLeft(nowMs, probeState, config),
    openIncidents: Object.values(state.incidents).filter(({ incident }) => incident.state === "open").length,
    certificateDaysLeft:
      certificateMs === undefined ? undefined : Math.floor((certificateMs - nowMs) / 86_400_000),
  });
  const pending = await store.outbox.pending("alert", 100);
  const [oldest] = pending;
  const undelivered =
    oldest?.kind === "alert"
      ? heartbeatTimes(Date.parse(oldest.alert.at), nowMs).map((atMs) =>
          undeliveredPoint(atMs, pending.length),
        )
      : [];
  return points.concat(status, undelivered, alivePoints(observations, config, nowMs));
}

/**
 * An alarm keeps its state while data is missing. Its current state therefore depends on its earlier states, and the
 * alarm is evaluated at every point in time at which CloudWatch could have changed it.
 */
function evaluateOverTime(alarm: Alarm, points: readonly MetricPoint[], nowMs: number): AlarmState {
  const { signal, periodSeconds, evaluationPeriods } = alarm.row;
  const own = points
    .filter(({ metric, endpoint }) => metric === signal.metric && (!endpoint || endpoint === alarm.endpoint))
    .sort((a, b) => a.atMs - b.atMs);
  // The state can change when a data point enters a period and when it leaves it.
  const periodMs = periodSeconds * 1_000;
  const periods = evaluationPeriods + 3;
  const instants = own.flatMap(({ atMs }) =>
    Array.from({ length: periods }, (_, period) => atMs + evaluationDelayMs + period * periodMs),
  );
  const minutes = new Set(instants.map((atMs) => Math.floor(atMs / minuteMs) * minuteMs));
  const past = [...minutes].filter((atMs) => atMs <= nowMs).sort((a, b) => a - b);
  let state: AlarmState = "INSUFFICIENT_DATA";
  let from = 0;
  let until = 0;
  for (const atMs of [...past, nowMs]) {
    // Only the points in the evaluation range, because one point a minute for nine days is slow to filter each time.
    while (until < own.length && own[until]!.atMs <= atMs) until++;
    while (from < until && own[from]!.atMs < atMs - periods * periodMs - hourMs) from++;
    state = evaluateAlarm(alarm.row, {
      endpoint: alarm.endpoint,
      points: own.slice(from, until),
      previous: state,
      nowMs: atMs,
    });
  }
  return state;
}

type EvaluatedAlarm = Alarm & { state: AlarmState };

const rank: Record<AlarmState, number> = { ALARM: 0, INSUFFICIENT_DATA: 1, OK: 2 };

function renderAlarms(evaluated: readonly EvaluatedAlarm[]): string {
  const width = Math.max(...evaluated.map(({ name }) => name.length));
  const line = (state: string, name: string, when: string) =>
    `  ${state.padEnd(17)}  ${name.padEnd(width)}  ${when}`;
  const rows = evaluated.map(({ name, state, row }) => line(state, name, row.meaning));
  return `${[line("state", "alarm", "condition"), ...rows].join("\n")}\n`;
}

export const alarms: Command = {
  name: "alarms",
  summary: "evaluate the CloudWatch alarms of the stack on this watch's data",
  help: `v1watch alarms [--json]

Evaluates the alarm table that the AWS stack deploys on the observations of the last nine days, from the store
on this machine or, with --table, from a watch in AWS. Heartbeats are estimated from the observations. Composite
alarms and alarms on queues are not included.

${storeHelp}

Exit codes: 0 no alarm in state ALARM, 1 at least one, 2 usage error.

Example: v1watch alarms --json
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    openWatch(values, io, async (watch) => {
      const { config, nowMs } = watch;
      const points = await recomputePoints(watch);
      const evaluated = listAlarms(alarmTable(alarmSettings(config)))
        .map((alarm): EvaluatedAlarm => ({ ...alarm, state: evaluateOverTime(alarm, points, nowMs) }))
        .sort((a, b) => rank[a.state] - rank[b.state]);
      const json = evaluated.map(({ name, state, endpoint, row: { runbook, severity } }) => ({
        name,
        state,
        endpoint,
        severity,
        runbook,
      }));
      io.out(values.json ? `${JSON.stringify(json, null, 2)}\n` : renderAlarms(evaluated));
      return evaluated.some(({ state }) => state === "ALARM") ? exitCodes.findings : exitCodes.success;
    }),
};
