// The alarm table, in CloudWatch's own words: the stack makes CloudWatch alarms of it, evaluate.ts interprets it.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Cause, Severity } from "../../records/incident.ts";
import type { MetricName } from "../metrics.ts";

export type AlarmRow = {
  id: string;
  title: string;
  severity: Severity;
  /** The incident's cause, where one fits; a rate of 401s may have several. */
  cause?: Cause;
  /** One alarm for each, on its dimension; none means one alarm without a dimension. */
  endpoints: readonly EndpointId[];
  signal: Signal;
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
  /** How far apart two samples of V1's latency are: aws.metricsEvery, or cadence.calm where that is longer. */
  sampledSeconds: number;
  /** cadence.calm of the configuration. */
  calmSeconds: number;
  /** cadence.confirm of the configuration. */
  suspiciousSeconds: number;
  /** aws.assessEvery of the configuration. */
  assessSeconds: number;
};

export const defaultAlarmSettings: AlarmSettings = {
  frozenAfterSeconds: 129_600,
  monthlyRequests: 5_000,
  sampledSeconds: 10_800,
  calmSeconds: 2_160,
  suspiciousSeconds: 60,
  assessSeconds: 300,
};

const minute = 60;
const hour = 3_600;
const day = 86_400;

// V1 is asked every 30 min while calm and every minute for 10 min after a surprise, so two periods of
// 10 min are a surprise that lasted. CloudWatch looks two periods further back than it is told to: 40 min,
// enough for two calm answers where nothing could be asked in between.
// Between the answers nothing is known, so the state stays (ignore): no resolve without an answer. Minimum: one
// good answer in a period, and it is a good period, so that none of them raises its alarm after V1 is well again.
const confirmed = { evaluationPeriods: 2, datapointsToAlarm: 2, treatMissingData: "ignore" } as const;

// A metric that goes silent leaves its last value behind in that wider look back; FILL makes silence a 0 at once.
const hourly = { periodSeconds: hour, evaluationPeriods: 1, datapointsToAlarm: 1 } as const;
const daily = { periodSeconds: day, evaluationPeriods: 1, datapointsToAlarm: 1 } as const;

export function alarmTable(settings: AlarmSettings = defaultAlarmSettings): readonly AlarmRow[] {
  const lasting = { ...confirmed, periodSeconds: Math.max(10 * minute, settings.suspiciousSeconds) } as const;
  const sampled = {
    periodSeconds: Math.min(day, Math.max(hour, settings.sampledSeconds)),
    evaluationPeriods: 2,
    datapointsToAlarm: 2,
  } as const;
  return [
    {
      id: "down",
      title: "V1 does not answer",
      severity: "page",
      cause: "down",
      endpoints: endpointIds,
      // A 401 is an answer: it is the business of the next row.
      signal: { metric: "RequestFailed", statistic: "Minimum" },
      ...lasting,
      threshold: 1,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      meaning: "No authenticated request got JSON or a 401 in two periods with requests.",
      runbook: "down",
    },
    {
      id: "unauthorized",
      title: "V1 answers authenticated requests with 401",
      severity: "page",
      endpoints: endpointIds,
      signal: { metric: "Unauthorized", statistic: "Minimum" },
      ...lasting,
      threshold: 1,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      meaning: "Every authenticated request got 401 in two periods with requests.",
      runbook: "unauthorized",
    },
    {
      id: "quota-exhausted",
      title: "The key's quota is used up",
      severity: "page",
      cause: "access/quota-exhausted",
      endpoints: [],
      signal: { metric: "QuotaExhausted", statistic: "Sum", fill: 0 },
      // Long enough that the next refusals come before it is over.
      ...hourly,
      periodSeconds: Math.min(day, Math.max(hour, 2 * settings.calmSeconds)),
      threshold: 2,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      // Told only with such a refusal: silence is no quota problem.
      treatMissingData: "notBreaching",
      meaning: "Two or more refusals of late said that the key's quota is used up.",
      runbook: "quota-exhausted",
    },
    {
      id: "breaking-drift",
      title: "V1's answers break its document",
      severity: "warning",
      cause: "drift/breaking",
      endpoints: endpointIds,
      signal: { metric: "BreakingDrift", statistic: "Minimum" },
      ...lasting,
      threshold: 0,
      comparisonOperator: "GreaterThanThreshold",
      meaning: "Every authenticated answer of two periods had fields that are missing or of another type.",
      runbook: "breaking",
    },
    {
      id: "frozen-data",
      title: "V1's data has stopped moving",
      severity: "warning",
      cause: "data/frozen",
      endpoints: [],
      signal: { metric: "NewestAgeSeconds", statistic: "Minimum" },
      // An age grows steadily: one sample is enough.
      ...{ ...sampled, evaluationPeriods: 1, datapointsToAlarm: 1 },
      threshold: settings.frozenAfterSeconds,
      comparisonOperator: "GreaterThanThreshold",
      // An unknown age emits nothing: neither fresh nor frozen.
      treatMissingData: "missing",
      meaning: "The newest record of the list is older than staleness.frozenAfter.",
      runbook: "frozen",
    },
    {
      id: "slow",
      title: "V1 is slow",
      severity: "warning",
      cause: "slow",
      endpoints: endpointIds,
      // So few samples have no percentile worth the name: not one of them was fast.
      signal: { metric: "LatencyMs", statistic: "Minimum" },
      ...sampled,
      threshold: 3_000,
      comparisonOperator: "GreaterThanThreshold",
      // Without an answer there is no latency to judge; `down` speaks.
      treatMissingData: "missing",
      meaning:
        "No authenticated answer of two periods, of those that CloudWatch is told, took less than 3 s.",
      runbook: "slow",
    },
    {
      id: "retirement-near",
      title: "V1 is leaving soon",
      severity: "warning",
      cause: "retirement/announced",
      endpoints: [],
      signal: { metric: "DaysToRetirement", statistic: "Minimum" },
      ...daily,
      threshold: 30,
      comparisonOperator: "LessThanOrEqualToThreshold",
      // A date that was withdrawn is told no more, and then V1 is not known to leave.
      treatMissingData: "notBreaching",
      meaning: "The best known date of V1's removal is 30 days away or nearer.",
      runbook: "announced",
    },
    {
      id: "certificate-expiring",
      title: "V1's certificate expires soon",
      severity: "warning",
      cause: "monitor/certificate",
      endpoints: [],
      signal: { metric: "CertificateDaysLeft", statistic: "Minimum" },
      ...daily,
      threshold: 14,
      comparisonOperator: "LessThanOrEqualToThreshold",
      // A certificate that was not seen is not a renewed one.
      treatMissingData: "ignore",
      meaning: "V1's certificate expires in 14 days or fewer.",
      runbook: "certificate",
    },
    {
      id: "budget-low",
      title: "The month's requests are nearly spent",
      severity: "warning",
      cause: "monitor/budget",
      endpoints: [],
      signal: { metric: "BudgetLeft", statistic: "Minimum" },
      ...daily,
      // A calm month of 31 days leaves more.
      threshold: Math.floor(settings.monthlyRequests * 0.02),
      comparisonOperator: "LessThanOrEqualToThreshold",
      // Told daily; a day without it spends nothing and refills nothing.
      treatMissingData: "ignore",
      meaning: "At most 2 % of the month's request budget is left; V1 is watched less often.",
      runbook: "budget",
    },
    {
      id: "prober-silent",
      title: "The prober is silent",
      severity: "page",
      cause: "monitor/silent",
      endpoints: [],
      signal: { metric: "ProbersAlive", statistic: "Minimum" },
      // Counted every quarter of an hour at the most. Twice: the first assessment of all may come before the first probe.
      periodSeconds: Math.max(15 * minute, settings.assessSeconds),
      evaluationPeriods: 2,
      datapointsToAlarm: 2,
      threshold: 1,
      comparisonOperator: "LessThanThreshold",
      // The assessment counts them; where it is silent too, the next row breaches.
      treatMissingData: "missing",
      meaning: "For most of an hour no prober ran: nobody watches V1.",
      runbook: "silent",
    },
    {
      id: "assessment-silent",
      title: "The assessment is silent",
      severity: "page",
      cause: "monitor/silent",
      endpoints: [],
      signal: { metric: "ProbersAlive", statistic: "SampleCount", fill: 0 },
      ...hourly,
      threshold: 1,
      comparisonOperator: "LessThanThreshold",
      // Missing data is the very thing to tell.
      treatMissingData: "breaching",
      meaning: "For an hour no assessment ran: what the probers see, nobody is told.",
      runbook: "silent",
    },
    {
      id: "alerts-undelivered",
      title: "Alerts wait undelivered",
      severity: "page",
      cause: "monitor/undelivered",
      endpoints: [],
      signal: { metric: "UndeliveredAlerts", statistic: "Maximum", fill: 0 },
      periodSeconds: Math.max(30 * minute, settings.assessSeconds + 10 * minute),
      // 2 of 3: a run that is late by a minute does not interrupt it.
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
      threshold: 1,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      // Told only while alerts wait: silence means that none does.
      treatMissingData: "notBreaching",
      meaning: "Alerts were waiting for SNS in two of the last three periods.",
      runbook: "undelivered",
    },
  ];
}

export type Alarm = { name: string; row: AlarmRow; endpoint?: EndpointId };

/** Every alarm of the table by its own name: `down-passport-list`, `prober-silent`. */
export function listAlarms(table: readonly AlarmRow[] = alarmTable()): Alarm[] {
  return table.flatMap((row): Alarm[] =>
    row.endpoints.length === 0
      ? [{ name: row.id, row }]
      : row.endpoints.map((endpoint) => ({ name: `${row.id}-${endpoint}`, row, endpoint })),
  );
}

// What an alarm reads, as data: written for CloudWatch and computed on a laptop, so that neither is parsed.
export type Statistic = "Sum" | "Average" | "Minimum" | "Maximum" | "SampleCount" | `p${number}`;

/** One metric over one period, reduced to a number. */
export type Reading = { metric: MetricName; statistic: Statistic };

/** CloudWatch bills an alarm for every metric that it reads, so each reads one. */
export type Signal = Reading & {
  /** Where there is no data there is this number instead: FILL. */
  fill?: number;
};

/** In CloudWatch's words; undefined where the metric itself is what is read. */
export const renderFill = ({ fill }: Signal): string | undefined =>
  fill === undefined ? undefined : `FILL(m1, ${fill})`;
