// The alarm table, in CloudWatch's own words: the stack creates CloudWatch alarms from it, and evaluate-alarm.ts
// evaluates it on one machine.

import type { Thresholds } from "../../config/thresholds.ts";
import { type EndpointId, endpointIds, idsOf } from "../../contract/endpoints.ts";
import type { RuleId, Severity } from "../../records/incident.ts";
import { percent, plural } from "../../text.ts";
import { dayMs, describeDuration } from "../../time.ts";
import type { MetricName } from "../metrics.ts";

/** The value of the metric's dimension; empty for a metric without one. */
export type AlarmTarget = { endpoint?: EndpointId };

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
  thresholds: Thresholds;
  /** staleness.frozenAfter of the configuration. */
  frozenAfterSeconds: number;
  /** budget.monthlyRequests of the configuration. */
  monthlyRequests: number;
  /** The time between two scheduled checks of an endpoint: cadence.calm of the configuration. */
  checkSeconds: number;
};

const day = 86_400;

const everyEndpoint = endpointIds.map((endpoint) => ({ endpoint }));
const everyList = idsOf("list").map((endpoint) => ({ endpoint }));
const noDimension: readonly AlarmTarget[] = [{}];

const daily = { periodSeconds: day, evaluationPeriods: 1, datapointsToAlarm: 1 } as const;

export function alarmTable(settings: AlarmSettings): readonly AlarmRow[] {
  const { thresholds: limits } = settings;
  // Between two checks the state stays as it is (ignore), so an alarm returns to OK only with a good check.
  const checks = {
    periodSeconds: Math.min(day / 2, Math.max(600, limits.alarmPeriodChecks * settings.checkSeconds)),
    evaluationPeriods: limits.alarmPeriods,
    datapointsToAlarm: limits.alarmPeriods,
    treatMissingData: "ignore",
  } as const;
  const inPeriods = `in ${plural(limits.alarmPeriods, "period")} in a row`;
  const share = `${percent(limits.alarmShare)} or more of the scheduled checks`;
  const certificateDays = Math.floor(limits.certificateWarnMs / dayMs);
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
      threshold: limits.alarmShare,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      meaning: `${share} got neither JSON nor a 401, ${inPeriods}.`,
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
      threshold: limits.alarmShare,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      meaning: `${share} got 401, ${inPeriods}.`,
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
      ...checks,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      threshold: limits.quotaResponses,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      // Published only with such a response: no data means that there was none.
      treatMissingData: "notBreaching",
      meaning: `${limits.quotaResponses} or more responses of one period said that the key's quota is used up.`,
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
      meaning: `Every response has fields that are missing or of another type, ${inPeriods}.`,
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
      ...checks,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      threshold: settings.frozenAfterSeconds,
      comparisonOperator: "GreaterThanThreshold",
      // An unknown age publishes nothing: the data is neither fresh nor stale.
      treatMissingData: "missing",
      meaning: `The newest record of the list is older than ${describeDuration(settings.frozenAfterSeconds)}.`,
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
      threshold: limits.slowMs,
      comparisonOperator: "GreaterThanThreshold",
      // A failed check has no latency; request-failures reports it.
      treatMissingData: "missing",
      meaning: `No scheduled check took less than ${describeDuration(limits.slowMs / 1_000)}, ${inPeriods}.`,
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
      threshold: limits.retirementAlarmDays,
      comparisonOperator: "LessThanOrEqualToThreshold",
      // A date that was withdrawn is no longer published.
      treatMissingData: "notBreaching",
      meaning: `The best known date of V1's removal is ${plural(limits.retirementAlarmDays, "day")} away or nearer.`,
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
      threshold: certificateDays,
      comparisonOperator: "LessThanOrEqualToThreshold",
      // No data about a certificate does not mean that it was renewed.
      treatMissingData: "ignore",
      meaning: `V1's certificate expires in ${plural(certificateDays, "day")} or fewer.`,
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
      threshold: Math.floor(settings.monthlyRequests * limits.budgetShare),
      comparisonOperator: "LessThanOrEqualToThreshold",
      treatMissingData: "ignore",
      meaning: `At most ${percent(limits.budgetShare)} of the month's request budget is left; V1 is checked less often.`,
      runbook: "budget",
    },
    {
      id: "alerts-undelivered",
      title: "Alerts are not delivered",
      severity: "page",
      about: "v1watch",
      rule: "undelivered",
      targets: noDimension,
      signal: { metric: "UndeliveredAlerts", statistic: "Minimum" },
      periodSeconds: Math.ceil(limits.undeliveredForMs / 120_000) * 60,
      evaluationPeriods: 2,
      datapointsToAlarm: 2,
      threshold: 1,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      // The assessment publishes it with every run.
      treatMissingData: "notBreaching",
      meaning: `For ${describeDuration(limits.undeliveredForMs / 1_000)} SNS has not accepted all alerts.`,
      runbook: "undelivered",
    },
  ];
}

export type Alarm = { name: string; row: AlarmRow } & AlarmTarget;

/** Every alarm of the table by its own name: `slow-passport-list`, `budget-low`. */
export function listAlarms(table: readonly AlarmRow[]): Alarm[] {
  return table.flatMap((row) =>
    row.targets.map((target): Alarm => {
      const { endpoint } = target;
      return { name: endpoint === undefined ? row.id : `${row.id}-${endpoint}`, row, ...target };
    }),
  );
}
