// The list of metrics, and Observation → data points. The list is fixed: no response can add a metric.

import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import type { Level, Observation } from "../records/observation.ts";
import { isOwnFault } from "../records/outcome.ts";

/** Each stack has a namespace of its own, so that two watches in one account do not mix their data points. */
export const namespaceOf = (stackName: string) =>
  stackName === "v1watch" ? "V1Watch" : `V1Watch/${stackName}`;

/** The functions that publish a heartbeat. */
export const functionNames = [...endpointIds.map((id) => `probe-${id}` as const), "assess"] as const;
export type FunctionName = (typeof functionNames)[number];

/** Every function publishes a heartbeat this often, whether or not it had anything to do. */
export const heartbeatEveryMs = 15 * 60_000;

type Row = {
  unit: "Count" | "Milliseconds" | "Seconds" | "None";
  dimension?: "Endpoint" | "Function";
  /** check: with every scheduled check. event: only when it happens. */
  when: "check" | "event" | "heartbeat" | "daily";
  meaning: string;
  /** How the dashboard combines several data points. */
  statistic: "Average" | "Maximum" | "Minimum" | "Sum" | "p50" | "p95";
  /** 0 or 1 a check: /metrics counts it since the start. */
  isCounter?: true;
  /** What it means that there is no data, where that is normal. */
  absent?: string;
};

const perCheck = { dimension: "Endpoint", when: "check" } as const;
const event = { unit: "Count", when: "event", absent: "it did not happen" } as const;
const daily = { when: "daily" } as const;

const rows = {
  RequestFailed: {
    statistic: "Average",
    isCounter: true,
    ...perCheck,
    unit: "Count",
    meaning: "1 where a scheduled check got neither JSON nor a 401, else 0: its average is the failure rate",
  },
  Unauthorized: {
    statistic: "Average",
    isCounter: true,
    ...perCheck,
    unit: "Count",
    meaning: "1 where a scheduled check got 401, else 0: its average is the rate of 401 responses",
  },
  BreakingDrift: {
    statistic: "Maximum",
    ...perCheck,
    unit: "Count",
    meaning: "breaking differences from V1's document in a response",
  },
  AdditiveDrift: {
    statistic: "Maximum",
    ...perCheck,
    unit: "Count",
    meaning: "fields in a response that V1's document does not list",
  },
  LatencyMs: {
    statistic: "p95",
    ...perCheck,
    unit: "Milliseconds",
    meaning: "duration of a check that got JSON",
  },
  RecordAgeSeconds: {
    statistic: "p50",
    ...perCheck,
    unit: "Seconds",
    meaning: "ages of all records of a response: the minimum is the newest record's; absent when unknown",
  },
  ConfirmationFailed: {
    statistic: "Sum",
    isCounter: true,
    ...event,
    dimension: "Endpoint",
    meaning: "1 where a confirmation or recovery check failed or got 401, else 0",
    absent: "no such check was necessary",
  },
  UnauthorizedAnonymous: {
    statistic: "Sum",
    isCounter: true,
    ...event,
    dimension: "Endpoint",
    meaning: "1 where a check without the key got 401, else 0",
    absent: "no such check was made",
  },
  QuotaExhausted: {
    statistic: "Sum",
    isCounter: true,
    ...event,
    meaning: "a response said that the key's quota is used up",
  },
  Heartbeat: {
    statistic: "Sum",
    unit: "Count",
    dimension: "Function",
    when: "heartbeat",
    meaning: "1 every 15 minutes from each function that runs",
  },
  AssessmentCompleted: {
    statistic: "Sum",
    unit: "Count",
    when: "heartbeat",
    meaning: "1 after a run of the assessment that caught up and in which no rule failed",
  },
  OpenIncidents: {
    statistic: "Maximum",
    unit: "Count",
    when: "heartbeat",
    meaning: "incidents that are firing",
  },
  UndeliveredAlerts: {
    statistic: "Maximum",
    unit: "Count",
    when: "heartbeat",
    meaning: "alerts that SNS has not accepted yet",
  },
  DaysToRetirement: {
    statistic: "Minimum",
    ...daily,
    unit: "None",
    meaning: "days until V1's best known date; negative after it",
    absent: "no date is known",
  },
  BudgetLeft: {
    statistic: "Minimum",
    ...daily,
    unit: "Count",
    meaning: "requests left of the month's budget",
  },
  CertificateDaysLeft: {
    statistic: "Minimum",
    ...daily,
    unit: "None",
    meaning: "days until V1's TLS certificate expires",
  },
  UnconfirmedSubscriptions: {
    statistic: "Sum",
    ...daily,
    unit: "Count",
    meaning: "subscriptions of the topic that are not confirmed or missing",
  },
} as const satisfies Record<string, Row>;

export type MetricName = keyof typeof rows;
export type Metric = Row & { name: MetricName };

export const metrics: readonly Metric[] = Object.entries(rows).map(([name, row]) => ({
  name: name as MetricName,
  ...row,
}));

export const metricOf = (name: MetricName): Row => rows[name];

/** By name, for CloudWatch. */
export const units: Readonly<Record<MetricName, Row["unit"]>> = Object.fromEntries(
  metrics.map(({ name, unit }) => [name, unit]),
) as Record<MetricName, Row["unit"]>;

export type CustomMetric = { name: MetricName; endpoint?: EndpointId; function?: FunctionName };

/** Every custom metric that can exist, as CloudWatch counts them: a name with the value of its dimension. */
export const customMetrics: readonly CustomMetric[] = metrics.flatMap(
  ({ name, dimension }): CustomMetric[] => {
    if (dimension === "Endpoint") return endpointIds.map((endpoint) => ({ name, endpoint }));
    return dimension === "Function" ? functionNames.map((each) => ({ name, function: each })) : [{ name }];
  },
);

/** The data points of one check, with the check's own time. What is unknown is absent, never 0. */
export function toDataPoints(observation: Observation): MetricPoint[] {
  const { endpoint, outcome, variant, reason, isPrimary } = observation;
  const atMs = Date.parse(observation.at);
  const point = (metric: MetricName, value: number): MetricPoint => ({
    metric,
    endpoint,
    atMs,
    values: [value],
  });
  const isOk = outcome.kind === "ok";
  const isUnauthorized = outcome.kind === "unauthorized";
  if (!isPrimary) {
    const isComparable = variant === "anonymous" && (isOk || isUnauthorized);
    return isComparable ? [point("UnauthorizedAnonymous", isUnauthorized ? 1 : 0)] : [];
  }
  const isExhausted = !isOk && observation.notices.usage?.exhausted;
  const quota: MetricPoint[] = isExhausted ? [{ metric: "QuotaExhausted", atMs, values: [1] }] : [];
  // Without a key, without a sample or throttled: it says nothing about V1's health.
  if (isOwnFault(observation)) return quota;
  if (reason !== "scheduled") return [point("ConfirmationFailed", isOk ? 0 : 1), ...quota];
  return [
    point("RequestFailed", isOk || isUnauthorized ? 0 : 1),
    point("Unauthorized", isUnauthorized ? 1 : 0),
    ...(isOk
      ? [
          point("BreakingDrift", countFindings(observation, "breaking")),
          point("AdditiveDrift", countFindings(observation, "additive")),
          // The duration of a failure is our own deadline, not V1's latency.
          point("LatencyMs", observation.timings.totalMs),
        ]
      : []),
    ...recordAgePoints(observation),
    ...quota,
  ].filter(isFinitePoint);
}

const countFindings = ({ findings }: Observation, wanted: Level) =>
  findings.filter(({ level }) => level === wanted).length;

/** The distribution of the ages as values and counts, so that its minimum, median and p95 are the measured ones. */
function recordAgePoints({ endpoint, at, staleness }: Observation): MetricPoint[] {
  // An age is unknown where the clocks differ too much or the date lies in the future.
  const ages = staleness?.muted ? undefined : staleness?.ages;
  const total = staleness?.dated ?? 0;
  if (!ages || ages.newest < 0 || total === 0) return [];
  const half = Math.ceil(total * 0.5);
  const most = Math.ceil(total * 0.95);
  const distribution = [
    { age: ages.newest, count: 1 },
    { age: ages.p50, count: half - 1 },
    { age: ages.p95, count: most - half },
    { age: ages.oldest, count: total - most },
  ].filter(({ count }) => count > 0);
  return [
    {
      metric: "RecordAgeSeconds",
      endpoint,
      atMs: Date.parse(at),
      values: distribution.map(({ age }) => age),
      counts: distribution.map(({ count }) => count),
    },
  ];
}

export const heartbeatPoint = (atMs: number, name: FunctionName): MetricPoint => ({
  metric: "Heartbeat",
  function: name,
  atMs,
  values: [1],
});

export type Status = {
  atMs: number;
  openIncidents?: number | undefined;
  undeliveredAlerts?: number | undefined;
  daysToRetirement?: number | undefined;
  budgetLeft?: number | undefined;
  certificateDaysLeft?: number | undefined;
  unconfirmedSubscriptions?: number | undefined;
};

/** What the assessment knows. What it does not know is absent. */
export function statusPoints({ atMs, ...status }: Status): MetricPoint[] {
  const values: [MetricName, number | undefined][] = [
    ["OpenIncidents", status.openIncidents],
    ["UndeliveredAlerts", status.undeliveredAlerts],
    ["DaysToRetirement", status.daysToRetirement],
    ["BudgetLeft", status.budgetLeft],
    ["CertificateDaysLeft", status.certificateDaysLeft],
    ["UnconfirmedSubscriptions", status.unconfirmedSubscriptions],
  ];
  return values
    .flatMap(([metric, value]) => (value === undefined ? [] : [{ metric, atMs, values: [value] }]))
    .filter(isFinitePoint);
}

const isFinitePoint = ({ atMs, values }: MetricPoint) =>
  Number.isFinite(atMs) && values.length > 0 && values.every(Number.isFinite);
