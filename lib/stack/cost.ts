// What a configuration costs in a month of 30 days, by line, from counts that the configuration implies.

import { alarmTable, listAlarms, listFallbacks } from "../assess/alarms/alarm-table.ts";
import { publishedMetrics } from "../assess/alarms/published.ts";
import { type Metric, metricOf } from "../assess/metrics.ts";
import { tableShape } from "../aws/table-shape.ts";
import { alarmSettings } from "../config/assessment-settings.ts";
import { type Config, durationMs, requestsPerMonth } from "../config/config.ts";
import { tickMs } from "../config/tick.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { dayMs } from "../time.ts";
import { type CostLine, type Counts, price } from "./prices.ts";
import { memoryMb } from "./rhythm.ts";

export type Cost = { lines: CostLine[]; usd: number; freeTierUsd: number };

export const usd = (amount: number) => `$${amount.toFixed(2)}`;

export const monthMs = 30 * dayMs;
const hoursADay = 24;

// Estimates, not measurements, on the high side; doubled, they add about 50 cents to a month.
const idleSeconds = 0.03;
const checkSeconds = 2;
const assessSeconds = 1;
/** Packed, with its keys: from 0.9 for an answer as documented to 1.3 for one that drifts. */
const observationKb = 1.3;
const logKb = 1;
/**
 * In the order of the sum. When an observation is stored: the item and its copy in the index by-time, then its entry in the index
 * to-do. When it is published: the item, then its move to another queue (a deletion and a new entry). When it is assessed: a
 * condition that fails and the item, then its entry.
 */
const writesPerObservation =
  2 * Math.ceil(observationKb) + 1 + Math.ceil(observationKb) + 2 + 2 * Math.ceil(observationKb) + 1;
/** The probe state: the requests are booked, and settled. */
const writesPerCheck = 6;
const writesPerAssessment = 2;
/** The head of the checkpoints of the last 35 days. */
const writesPerCommit = 3;
/** Put and delivered, each with its entry in to-do. */
const writesPerMessage = 4;
/** The day's observations at half a unit for 4 KB, the newest checkpoint, and a few single items. */
const readsPerAssessment = (observationsADay: number) => (observationsADay * observationKb) / 8 + 20;
const alertsAMonth = 30;

/** How many hours of a day have a data point of a metric while V1 is healthy: CloudWatch bills by the hour. */
function publishedHours({ name, when }: Pick<Metric, "name" | "when">, config: Config): number {
  if (when === "assessment") return hoursADay;
  if (when === "check") return Math.min(hoursADay, dayMs / durationMs(config.cadence.calm));
  if (when === "daily") return 1;
  const isAnonymousChecked = config.variants.anonymous && config.key !== "none";
  const isRare = name === "UnauthorizedAnonymous" && isAnonymousChecked;
  return isRare ? Math.min(hoursADay, dayMs / durationMs(config.cadence.rare)) : 0;
}

/** Metrics in use at the same time, as CloudWatch bills them. */
export function billedMetrics(config: Config): number {
  const hours = publishedMetrics.map(({ name }) =>
    publishedHours({ name, when: metricOf(name).when }, config),
  );
  return hours.reduce((sum, each) => sum + each, 0) / hoursADay;
}

/** Of the watch itself: four kinds for each prober, two for the assessment, the table's two, its indexes', and six that are single. */
const watchAlarms = ({ aws }: Config) =>
  4 * endpointIds.length + 2 + 2 + Object.keys(tableShape.indexes).length + 6 + (aws.drill ? 1 : 0);

/** v1watch-unhealthy; in fallback also those that stand in for the assessment. */
const compositeAlarms = (config: Config) =>
  config.aws.alarms.notify === "fallback" ? 1 + listFallbacks(alarmTable(alarmSettings(config))).length : 1;

const countTicks = (config: Config) => endpointIds.length * Math.ceil(monthMs / tickMs(config));
const countAssessments = ({ aws }: Config) => Math.ceil(monthMs / durationMs(aws.assessEvery));

/** Runs of the probers and of the assessment in a month. */
const countRuns = (config: Config) => countTicks(config) + countAssessments(config);

function countUse(config: Config): Record<string, Counts> {
  const month = requestsPerMonth(config);
  const ticks = countTicks(config);
  const scheduledChecks = endpointIds.length * Math.ceil(monthMs / durationMs(config.cadence.calm));
  const checks = Math.min(ticks, scheduledChecks + month.confirmations);
  const assessments = countAssessments(config);
  const observations = month.total;
  // One call for each check and each assessment.
  const metricCalls = observations + assessments;
  const probeGb = memoryMb.probe / 1_024;
  const assessGb = memoryMb.assess / 1_024;
  const storedGb = ((observations / 30) * config.aws.retentionDays * observationKb * 2) / 2 ** 20;
  const usesSecret = config.key !== "none" && "secret" in config.key;
  return {
    "custom metrics": { metric: billedMetrics(config) },
    "metric alarms": {
      alarmMetric: listAlarms(alarmTable(alarmSettings(config))).length + watchAlarms(config),
    },
    "composite alarms": { compositeAlarm: compositeAlarms(config) },
    "metrics sent": { putMetricData: metricCalls },
    logs: { logGb: ((checks + assessments) * logKb) / 2 ** 20 },
    functions: {
      lambdaRequest: countRuns(config),
      lambdaArmGbSecond:
        probeGb * (ticks * idleSeconds + checks * checkSeconds) + assessGb * assessments * assessSeconds,
    },
    schedules: { schedule: countRuns(config) },
    table: {
      tableWrite:
        observations * writesPerObservation +
        checks * writesPerCheck +
        assessments * writesPerAssessment +
        Math.min(assessments, checks) * writesPerCommit +
        alertsAMonth * writesPerMessage,
      tableRead: ticks + checks * 4 + assessments * readsPerAssessment(observations / 30),
      tableGb: storedGb,
      tableBackupGb: storedGb,
    },
    "encryption key": { key: 1, keyRequest: checks + alertsAMonth },
    "secret, messages": {
      secret: usesSecret ? 1 : 0,
      // Each alert once; the watch's topic is silent in a month without incidents of its own.
      email: alertsAMonth * config.aws.subscriptions.length,
      queueRequest: alertsAMonth,
    },
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
