// What a configuration costs in a month of 30 days, by line, from counts that the configuration implies.
import { type AlarmRow, alarmTable, listAlarms, renderExpression } from "../assess/alarms.ts";
import { metrics } from "../assess/metrics.ts";
import { type Config, durationMs, requestsPerMonth } from "../config.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { type Priced, prices } from "./prices.ts";
import { beatMs, memoryMb, tickMs } from "./rhythm.ts";

export type CostLine = { line: string; usd: number; freeTierUsd: number };
export type Cost = { lines: CostLine[]; usd: number; freeTierUsd: number };

const monthMs = 30 * 86_400_000;
const hoursADay = 24;

// Estimates, not measurements, on the high side; doubled, they add about 50 cents to a month.
const idleSeconds = 0.03;
const askSeconds = 2;
const assessSeconds = 1;
/** Packed, with its keys: from 0.9 for an answer as documented to 1.3 for one that drifts. */
const observationKb = 1.3;
const logKb = 1;
/** An item and its copy in by-time are written when it is made and when it is judged; to-do is one unit. */
const writesPerObservation = 2 * (2 * Math.ceil(observationKb) + 1);
const writesPerAsk = 3;
const writesPerParcel = 6;
/** The day's observations at half a unit for 4 KB, the newest checkpoint, and a few single items. */
const readsPerAssessment = (observationsADay: number) => (observationsADay * observationKb) / 8 + 20;
const alertsAMonth = 30;

/** Metrics in use at the same time, as CloudWatch bills them: by the hour in which they are published. */
export function calmMetrics(): number {
  return metrics
    .map(({ when, perEndpoint }) => {
      const count = perEndpoint ? endpointIds.length : 1;
      return when === "always" ? count : when === "daily" ? count / hoursADay : 0;
    })
    .reduce((sum, count) => sum + count, 0);
}

export function countAlarmMetrics(table: readonly AlarmRow[]): number {
  return listAlarms(table)
    .map(({ row }) => Object.keys(renderExpression(row.signal).metrics).length)
    .reduce((sum, count) => sum + count, 0);
}

/** What the stack adds to the alarm table: failed functions, each subscription's dead letters, the drill. */
const ownAlarmMetrics = ({ aws }: Config) =>
  1 + aws.subscriptions.filter((to) => !("slack" in to)).length + (aws.drill ? 1 : 0);

type Counts = Partial<Record<Priced, number>>;

function countUse(config: Config): Record<string, Counts> {
  const month = requestsPerMonth(config, { apart: true });
  const ticks = endpointIds.length * Math.ceil(monthMs / tickMs(config));
  const calmAsks = endpointIds.length * Math.ceil(monthMs / durationMs(config.cadence.calm));
  const asks = Math.min(ticks, calmAsks + month.confirmations);
  const beats = endpointIds.length * Math.ceil(monthMs / beatMs);
  const assessments = Math.ceil(monthMs / durationMs(config.aws.assessEvery));
  const observations = month.total - month.lookups;
  const parcels = asks + beats + assessments + alertsAMonth;
  const probeGb = memoryMb.probe / 1_024;
  const assessGb = memoryMb.assess / 1_024;
  const storedGb = ((observations / 30) * config.aws.retentionDays * observationKb * 2) / 2 ** 20;
  const usesSecret = config.key !== "none" && "secret" in config.key;
  return {
    "custom metrics": { metric: calmMetrics() },
    "metric alarms": { alarmMetric: countAlarmMetrics(alarmTable()) + ownAlarmMetrics(config) },
    "composite alarms": { compositeAlarm: 2 },
    "metrics sent": { putMetricData: asks + beats + assessments },
    logs: { logGb: ((asks + assessments) * logKb) / 2 ** 20 },
    functions: {
      lambdaRequest: ticks + assessments,
      lambdaArmGbSecond:
        probeGb * (ticks * idleSeconds + asks * askSeconds) + assessGb * assessments * assessSeconds,
    },
    schedules: { schedule: ticks + assessments },
    table: {
      tableWrite: observations * writesPerObservation + asks * writesPerAsk + parcels * writesPerParcel,
      tableRead: ticks + parcels * 4 + assessments * readsPerAssessment(observations / 30),
      tableGb: storedGb,
      tableBackupGb: storedGb,
    },
    "encryption key": { key: 1, keyRequest: asks + alertsAMonth },
    "secret, messages": {
      secret: usesSecret ? 1 : 0,
      email: alertsAMonth * config.aws.subscriptions.length,
      queueRequest: alertsAMonth,
    },
  };
}

export function price(line: string, counts: Counts): CostLine {
  const rows = Object.entries(counts).map(([name, count]) => ({ ...prices[name as Priced], count }));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    line,
    usd: sum(rows.map(({ usd, count }) => usd * count)),
    freeTierUsd: sum(rows.map(({ usd, count, free }) => usd * Math.max(0, count - free))),
  };
}

export function estimateCost(config: Config): Cost {
  const lines = Object.entries(countUse(config)).map(([line, counts]) => price(line, counts));
  return {
    lines,
    usd: lines.reduce((sum, { usd }) => sum + usd, 0),
    freeTierUsd: lines.reduce((sum, { freeTierUsd }) => sum + freeTierUsd, 0),
  };
}
