// What a configuration costs in a month of 30 days, by line, from counts that the configuration implies.
import { listAlarms } from "../assess/alarms.ts";
import { type Metric, metrics } from "../assess/metrics.ts";
import { alarmSettings, type Config, durationMs, requestsPerMonth } from "../config.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { signEveryMs } from "../records/alive.ts";
import { type Priced, prices } from "./prices.ts";
import { memoryMb, tickMs } from "./rhythm.ts";

export type CostLine = { line: string; usd: number; freeTierUsd: number };
export type Cost = { lines: CostLine[]; usd: number; freeTierUsd: number };

const dayMs = 86_400_000;
const monthMs = 30 * dayMs;
const hoursADay = 24;

const sampleMs = (config: Config) => alarmSettings(config).sampledSeconds * 1_000;

// Estimates, not measurements, on the high side; doubled, they add about 50 cents to a month.
const idleSeconds = 0.03;
const askSeconds = 2;
const assessSeconds = 1;
/** Packed, with its keys: from 0.9 for an answer as documented to 1.3 for one that drifts. */
const observationKb = 1.3;
const logKb = 1;
/** An item, its copy in by-time and its entry in to-do when it is made; item and entry when it is judged. */
const writesPerObservation = 2 * Math.ceil(observationKb) + 1 + Math.ceil(observationKb) + 1;
/** The pace, and that the numbers of this interval and of this day are told already. */
const writesPerAsk = 3 + 2.5;
const writesPerAssessment = 2;
/** The head of the checkpoints of the last 35 days. */
const writesPerCommit = 3;
const writesPerSign = 2;
/** Put and delivered, each with its entry in to-do. */
const writesPerParcel = 4;
/** The day's observations at half a unit for 4 KB, the newest checkpoint, and a few single items. */
const readsPerAssessment = (observationsADay: number) => (observationsADay * observationKb) / 8 + 20;
const alertsAMonth = 30;

/** The hours of a day in which a metric is published while V1 is calm: what CloudWatch bills. */
function calmHours(when: Metric["when"], config: Config): number {
  if (when === "always") return hoursADay;
  if (when === "sampled") return Math.min(hoursADay, dayMs / sampleMs(config));
  return when === "daily" ? 1 : 0;
}

/** Metrics in use at the same time, as CloudWatch bills them. */
export function calmMetrics(config: Config): number {
  const hours = metrics.map(
    ({ when, perEndpoint }) => (perEndpoint ? endpointIds.length : 1) * calmHours(when, config),
  );
  return hours.reduce((sum, each) => sum + each, 0) / hoursADay;
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
  const signs = Math.ceil(monthMs / signEveryMs);
  const assessments = Math.ceil(monthMs / durationMs(config.aws.assessEvery));
  const observations = month.total - month.lookups;
  const samples = (endpointIds.length + 1) * Math.ceil(monthMs / sampleMs(config));
  const daily = (endpointIds.length + 1) * (monthMs / dayMs);
  const told = samples + daily + signs + month.confirmations;
  const parcels = told + alertsAMonth;
  const probeGb = memoryMb.probe / 1_024;
  const assessGb = memoryMb.assess / 1_024;
  const storedGb = ((observations / 30) * config.aws.retentionDays * observationKb * 2) / 2 ** 20;
  const usesSecret = config.key !== "none" && "secret" in config.key;
  return {
    "custom metrics": { metric: calmMetrics(config) },
    "metric alarms": { alarmMetric: listAlarms().length + ownAlarmMetrics(config) },
    "composite alarms": { compositeAlarm: 2 },
    "metrics sent": { putMetricData: told },
    logs: { logGb: ((asks + assessments) * logKb) / 2 ** 20 },
    functions: {
      lambdaRequest: ticks + assessments,
      lambdaArmGbSecond:
        probeGb * (ticks * idleSeconds + asks * askSeconds) + assessGb * assessments * assessSeconds,
    },
    schedules: { schedule: ticks + assessments },
    table: {
      tableWrite:
        observations * writesPerObservation +
        asks * writesPerAsk +
        assessments * writesPerAssessment +
        Math.min(assessments, asks) * writesPerCommit +
        endpointIds.length * signs * writesPerSign +
        parcels * writesPerParcel,
      tableRead: ticks + asks * 4 + assessments * readsPerAssessment(observations / 30),
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
