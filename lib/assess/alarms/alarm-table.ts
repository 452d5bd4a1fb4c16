// The alarm table, in CloudWatch's own words: the stack creates CloudWatch alarms from it, and evaluate-alarm.ts
// evaluates it on one machine.
import { type EndpointId, endpointIds, idsOf } from "../../contract/endpoints.ts";
import type { RuleId, Severity } from "../../records/incident.ts";
import { type FunctionName, functionNames, heartbeatEveryMs, type MetricName } from "../metrics.ts";

/** The value of the metric's dimension; empty for a metric without one. */
export type AlarmTarget = { endpoint?: EndpointId; function?: FunctionName };

export type Statistic = "Sum" | "Average" | "Minimum" | "Maximum" | "SampleCount" | `p${number}`;

/** What an alarm reads: one metric over one period, reduced to a number. */
export type AlarmMetric = { metric: MetricName; statistic: Statistic };

export type AlarmRow = {
  id: string;
  title: string;
  severity: Severity;
  /** Alarms about V1 notify only while the assessment cannot; alarms about v1watch itself always do. */
  about: "v1" | "v1watch";
  /** The incident that it corresponds to; a rate of 401 responses may have several causes. */
  rule?: RuleId;
  /** One alarm for each. */
  targets: readonly AlarmTarget[];
  signal: AlarmMetric;
  periodSeconds: number;
  evaluationPeriods: number;
  datapointsToAlarm: number;
  threshold: number;
  comparisonOperator:
    | "GreaterThanOrEqualToThreshold"
    | "GreaterThanThreshold"
    | "LessThanThreshold"
    | "LessThanOrEqualToThreshold";
  treatMissingData: "missing" | "ignore" | "breaching" | "notBreaching";
  meaning: string;
  /** Heading in docs/runbook.md. */
  runbook: string;
};

export type AlarmSettings = {
  /** staleness.frozenAfter of the configuration. */
  frozenAfterSeconds: number;
  /** budget.monthlyRequests of the configuration. */
  monthlyRequests: number;
  /** The time between two scheduled checks of an endpoint: cadence.calm of the configuration. */
  checkSeconds: number;
};

const minute = 60;
const hour = 3_600;
const day = 86_400;

export const defaultAlarmSettings: AlarmSettings = {
  frozenAfterSeconds: 36 * hour,
  monthlyRequests: 5_000,
  checkSeconds: 36 * minute,
};

const everyEndpoint = endpointIds.map((endpoint) => ({ endpoint }));
const everyList = idsOf("list").map((endpoint) => ({ endpoint }));
const noDimension: readonly AlarmTarget[] = [{}];

const daily = { periodSeconds: day, evaluationPeriods: 1, datapointsToAlarm: 1 } as const;

export function alarmTable(settings: AlarmSettings = defaultAlarmSettings): readonly AlarmRow[] {
  // Two scheduled checks fall into each period, and two periods have to breach: one failed check raises nothing.
  // Between two checks the state stays as it is (ignore), so an alarm returns to OK only with a good check.
  const checks = {
    periodSeconds: Math.min(day / 2, Math.max(10 * minute, 2 * settings.checkSeconds)),
    evaluationPeriods: 2,
    datapointsToAlarm: 2,
    treatMissingData: "ignore",
  } as const;
  return [
    {
      id: "request-failures",
      title: "Requests to V1 fail",
      severity: "page",
      about: "v1",
      rule: "down",
      targets: everyEndpoint,
      // A 401 is not a failure here: the next row counts it.
      signal: { metric: "RequestFailed", statistic: "Average" },
      ...checks,
      threshold: 0.5,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      meaning: "Half or more of the scheduled checks got neither JSON nor a 401, in two periods in a row.",
      runbook: "down",
    },
    {
      id: "unauthorized",
      title: "V1 answers with 401",
      severity: "page",
      about: "v1",
      // All endpoints get the same key, so the list stands for them.
      targets: everyList,
      signal: { metric: "Unauthorized", statistic: "Average" },
      ...checks,
      threshold: 0.5,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      meaning: "Half or more of the scheduled checks got 401, in two periods in a row.",
      runbook: "unauthorized",
    },
    {
      id: "quota-exhausted",
      title: "The key's quota is used up",
      severity: "page",
      about: "v1",
      rule: "quota-exhausted",
      targets: noDimension,
      signal: { metric: "QuotaExhausted", statistic: "Sum" },
      ...{ ...checks, evaluationPeriods: 1, datapointsToAlarm: 1 },
      threshold: 2,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      // Published only with such a response: no data means that there was none.
      treatMissingData: "notBreaching",
      meaning: "Two or more responses of one period said that the key's quota is used up.",
      runbook: "quota-exhausted",
    },
    {
      id: "breaking-drift",
      title: "V1's responses break its document",
      severity: "warning",
      about: "v1",
      rule: "breaking-drift",
      targets: everyEndpoint,
      // Minimum: every response of the period has breaking differences.
      signal: { metric: "BreakingDrift", statistic: "Minimum" },
      ...checks,
      threshold: 0,
      comparisonOperator: "GreaterThanThreshold",
      meaning: "Every response of two periods has fields that are missing or of another type.",
      runbook: "breaking-drift",
    },
    {
      id: "stale-data",
      title: "V1's data is stale",
      severity: "warning",
      about: "v1",
      rule: "frozen",
      targets: everyList,
      // The minimum of the ages is the newest record's.
      signal: { metric: "RecordAgeSeconds", statistic: "Minimum" },
      ...{ ...checks, evaluationPeriods: 1, datapointsToAlarm: 1 },
      threshold: settings.frozenAfterSeconds,
      comparisonOperator: "GreaterThanThreshold",
      // An unknown age publishes nothing: the data is neither fresh nor stale.
      treatMissingData: "missing",
      meaning: "The newest record of the list is older than the configured limit.",
      runbook: "frozen",
    },
    {
      id: "slow",
      title: "V1 is slow",
      severity: "warning",
      about: "v1",
      rule: "slow",
      // The list is the longest response of the same server, so it stands for the others.
      targets: everyList,
      // Minimum: no check of the period was fast. A period has too few checks for a percentile.
      signal: { metric: "LatencyMs", statistic: "Minimum" },
      ...checks,
      threshold: 3_000,
      comparisonOperator: "GreaterThanThreshold",
      // A failed check has no latency; request-failures reports it.
      treatMissingData: "missing",
      meaning: "No scheduled check of two periods took less than 3 s.",
      runbook: "slow",
    },
    {
      id: "retirement-near",
      title: "V1's retirement date is near",
      severity: "warning",
      about: "v1",
      rule: "sunset",
      targets: noDimension,
      signal: { metric: "DaysToRetirement", statistic: "Minimum" },
      ...daily,
      threshold: 30,
      comparisonOperator: "LessThanOrEqualToThreshold",
      // A date that was withdrawn is no longer published.
      treatMissingData: "notBreaching",
      meaning: "The best known date of V1's removal is 30 days away or nearer.",
      runbook: "sunset",
    },
    {
      id: "certificate-expiring",
      title: "V1's certificate expires soon",
      severity: "warning",
      about: "v1",
      rule: "certificate",
      targets: noDimension,
      signal: { metric: "CertificateDaysLeft", statistic: "Minimum" },
      ...daily,
      threshold: 14,
      comparisonOperator: "LessThanOrEqualToThreshold",
      // No data about a certificate does not mean that it was renewed.
      treatMissingData: "ignore",
      meaning: "V1's certificate expires in 14 days or fewer.",
      runbook: "certificate",
    },
    {
      id: "budget-low",
      title: "The month's request budget is nearly used up",
      severity: "warning",
      about: "v1",
      rule: "budget",
      targets: noDimension,
      signal: { metric: "BudgetLeft", statistic: "Minimum" },
      ...daily,
      // A month without incidents leaves more.
      threshold: Math.floor(settings.monthlyRequests * 0.02),
      comparisonOperator: "LessThanOrEqualToThreshold",
      treatMissingData: "ignore",
      meaning: "At most 2 % of the month's request budget is left; V1 is checked less often.",
      runbook: "budget",
    },
    {
      id: "heartbeat",
      title: "A function does not run",
      severity: "page",
      about: "v1watch",
      rule: "silent",
      targets: functionNames.map((name) => ({ function: name })),
      signal: { metric: "Heartbeat", statistic: "SampleCount" },
      periodSeconds: heartbeatEveryMs / 1_000,
      evaluationPeriods: 3,
      datapointsToAlarm: 3,
      threshold: 1,
      comparisonOperator: "LessThanThreshold",
      // Missing data is what this alarm is for. CloudWatch looks back two periods further where some are empty, so it
      // is raised 45 to 75 minutes after the last heartbeat.
      treatMissingData: "breaching",
      meaning: "The function published no heartbeat for 45 minutes or longer.",
      runbook: "silent",
    },
    {
      id: "alerts-undelivered",
      title: "Alerts are not delivered",
      severity: "page",
      about: "v1watch",
      rule: "undelivered",
      targets: noDimension,
      signal: { metric: "UndeliveredAlerts", statistic: "Minimum" },
      periodSeconds: hour / 2,
      evaluationPeriods: 2,
      datapointsToAlarm: 2,
      threshold: 1,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      // The assessment publishes it with its heartbeat; without one, the heartbeat alarm breaches.
      treatMissingData: "notBreaching",
      meaning: "For an hour SNS has not accepted all alerts.",
      runbook: "undelivered",
    },
  ];
}

export type Alarm = { name: string; row: AlarmRow } & AlarmTarget;

/** Every alarm of the table by its own name: `slow-passport-list`, `heartbeat-assess`, `budget-low`. */
export function listAlarms(table: readonly AlarmRow[] = alarmTable()): Alarm[] {
  return table.flatMap((row) =>
    row.targets.map((target): Alarm => {
      const value = target.endpoint ?? target.function;
      return { name: value === undefined ? row.id : `${row.id}-${value}`, row, ...target };
    }),
  );
}
