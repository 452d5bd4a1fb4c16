// v1watch aws alarms: evaluates the CloudWatch alarms of the stack on the observations of a watch.

import { type Alarm, type AlarmTarget, alarmTable, listAlarms } from "../assess/alarms/alarm-table.ts";
import { type AlarmState, evaluateAlarm } from "../assess/alarms/evaluate-alarm.ts";
import {
  functionNames,
  heartbeatEveryMs,
  heartbeatPoint,
  statusPoints,
  toDataPoints,
} from "../assess/metrics.ts";
import { alarmSettings, assessmentSettings } from "../config/assessment-settings.ts";
import type { Config } from "../config/config.ts";
import { requestsLeft } from "../probe/schedule/budget.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import type { Observation } from "../records/observation.ts";
import { emptyProbeState } from "../records/probe-state.ts";
import { dayMs, hourMs, minuteMs } from "../time.ts";
import { exitCodes, type Run } from "./command.ts";
import { print } from "./layout.ts";
import { describeStatus, listChannelNames } from "./notify.ts";
import { type OpenedWatch, openWatch } from "./open-watch.ts";

/** At least as long as the longest evaluation range in the alarm table. */
const evaluationRangeMs = 9 * dayMs;

/** How long after a data point the alarm is evaluated. */
const evaluationDelayMs = 61_000;

/** Heartbeats are not stored: functions count as running while the latest observation is not overdue. */
function heartbeatPoints(observations: readonly Observation[], config: Config, nowMs: number): MetricPoint[] {
  const { silentAfterMs } = assessmentSettings(config);
  const points: MetricPoint[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const [index, { at }] of observations.entries()) {
    const next = observations[index + 1];
    const untilMs = Math.min(next ? Date.parse(next.at) : nowMs, Date.parse(at) + silentAfterMs);
    for (let atMs = Date.parse(at); atMs <= untilMs; atMs += heartbeatEveryMs) {
      if (atMs - lastMs < heartbeatEveryMs && next) continue;
      // A minute before: only full minutes are evaluated.
      for (const name of functionNames) points.push(heartbeatPoint(atMs - minuteMs, name));
      lastMs = atMs;
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
  const observations: Observation[] = [];
  for await (const observation of store.ledger.observations(nowMs - evaluationRangeMs, nowMs))
    observations.push(observation);
  const probeState = (await store.ledger.readProbeState())?.value ?? emptyProbeState;
  const { certificateMs } = state.history;
  const status = statusPoints({
    atMs: nowMs - minuteMs,
    daysToRetirement: outlook?.daysLeft,
    budgetLeft: requestsLeft(nowMs, probeState, config),
    openIncidents: state.incidents.filter((incident) => incident.state === "firing").length,
    certificateDaysLeft:
      certificateMs === undefined ? undefined : Math.floor((certificateMs - nowMs) / dayMs),
  });
  const { count, oldestMs = nowMs } = await store.outbox.undelivered();
  const undelivered: MetricPoint[] = [];
  for (let atMs = oldestMs; atMs < nowMs; atMs += heartbeatEveryMs)
    undelivered.push(...statusPoints({ atMs, undeliveredAlerts: count }));
  return [
    ...observations.flatMap(toDataPoints),
    ...status,
    ...undelivered,
    ...heartbeatPoints(observations, config, nowMs),
  ];
}

/**
 * An alarm keeps its state while data is missing. Its current state therefore depends on its earlier states, and the
 * alarm is evaluated at every point in time at which CloudWatch could have changed it.
 */
function evaluateOverTime(alarm: Alarm, points: readonly MetricPoint[], nowMs: number): AlarmState {
  const { signal, periodSeconds, evaluationPeriods } = alarm.row;
  const own = points
    .filter((point) => point.metric === signal.metric)
    .filter((point) => point.endpoint === alarm.endpoint && point.function === alarm.function)
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
      target: { endpoint: alarm.endpoint, function: alarm.function } as AlarmTarget,
      points: own.slice(from, until),
      previous: state,
      nowMs: atMs,
    });
  }
  return state;
}

type AlarmRow = {
  name: string;
  state: AlarmState;
  endpoint?: string | undefined;
  severity: string;
  runbook: string;
  meaning: string;
};

/** The channels beside the alarms: CloudWatch knows only that alerts are not delivered, not where. */
async function readChannelRows({ store, config, isTable }: OpenedWatch): Promise<AlarmRow[]> {
  const names = isTable ? ["sns"] : listChannelNames(config);
  return Promise.all(
    names.map(async (name) => {
      const status = await store.outbox.status({ name, kind: "alert" });
      const isProven = status.deliveredAt !== undefined || isTable;
      return {
        name: `channel ${name}`,
        state: status.failing || status.setAside.length > 0 ? "ALARM" : isProven ? "OK" : "INSUFFICIENT_DATA",
        severity: "warning",
        runbook: "undelivered",
        meaning: describeStatus(status),
      };
    }),
  );
}

const rank: Record<AlarmState, number> = { ALARM: 0, INSUFFICIENT_DATA: 1, OK: 2 };

const renderAlarms = (rows: readonly AlarmRow[]): string =>
  [
    "  state\talarm\tcondition",
    ...rows.map(({ name, state, meaning }) => `  ${state}\t${name}\t${meaning}`),
    "",
  ].join("\n");

export const alarms: Run = (values, _positionals, io) =>
  openWatch(values, io, async (watch) => {
    const { config, nowMs } = watch;
    const points = await recomputePoints(watch);
    const evaluated = [
      ...listAlarms(alarmTable(alarmSettings(config))).map((alarm): AlarmRow => {
        const { runbook, severity, meaning } = alarm.row;
        const state = evaluateOverTime(alarm, points, nowMs);
        return { name: alarm.name, state, endpoint: alarm.endpoint, severity, runbook, meaning };
      }),
      ...(await readChannelRows(watch)),
    ].sort((a, b) => rank[a.state] - rank[b.state]);
    if (values.json)
      io.out(
        `${JSON.stringify(
          evaluated.map(({ meaning, ...row }) =>
            row.name.startsWith("channel ") ? { ...row, meaning } : row,
          ),
          null,
          2,
        )}\n`,
      );
    else print(io, renderAlarms(evaluated));
    return evaluated.some(({ state }) => state === "ALARM") ? exitCodes.findings : exitCodes.success;
  });
