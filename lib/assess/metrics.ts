// The list of metrics, and Observation → data points. The list is fixed: no response can add a metric.

import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import { type Level, type Observation, readAges } from "../records/observation.ts";
import { isOwnFault } from "../records/outcome.ts";
import { dayMs, daysUntil } from "../time.ts";
import { chooseRetirementDate } from "./retirement-date.ts";

/** Each stack has a namespace of its own, so that two watches in one account do not mix their data points. */
export const namespaceOf = (stackName: string) =>
  stackName === "v1watch" ? "V1Watch" : `V1Watch/${stackName}`;

type Row = {
  unit: "Count" | "Milliseconds" | "Seconds" | "None";
  dimension?: "Endpoint";
  /**
   * check: with every scheduled check. event: only when it happens. assessment: at the end of every run of the assessment.
   * daily: once a day, and once by each new process of the assessment.
   */
  when: "check" | "event" | "assessment" | "daily";
  meaning: string;
  /** 0 or 1 each time: /metrics counts it since the start. */
  isCounter?: true;
};

const perCheck = { dimension: "Endpoint", when: "check" } as const;
const event = { unit: "Count", when: "event" } as const;
const assessment = { when: "assessment" } as const;

const rows = {
  RequestFailed: {
    isCounter: true,
    ...perCheck,
    unit: "Count",
    meaning: "1 where a scheduled check got neither JSON nor a 401, else 0: its average is the failure rate",
  },
  Unauthorized: {
    isCounter: true,
    ...perCheck,
    unit: "Count",
    meaning: "1 where a scheduled check got 401, else 0: its average is the rate of 401 responses",
  },
  BreakingDrift: {
    ...perCheck,
    unit: "Count",
    meaning: "breaking differences from V1's document in a response",
  },
  LatencyMs: {
    ...perCheck,
    unit: "Milliseconds",
    meaning: "duration of a check that got JSON",
  },
  RecordAgeSeconds: {
    ...perCheck,
    unit: "Seconds",
    meaning: "ages of all records of a response: the minimum is the newest record's; absent when unknown",
  },
  ConfirmationFailed: {
    isCounter: true,
    ...event,
    dimension: "Endpoint",
    meaning: "1 where a confirmation or recovery check failed or got 401, else 0",
  },
  UnauthorizedAnonymous: {
    isCounter: true,
    ...event,
    dimension: "Endpoint",
    meaning: "1 where a check without the key got 401, else 0",
  },
  QuotaExhausted: {
    isCounter: true,
    ...event,
    meaning: "a response said that the key's quota is used up",
  },
  DaysToRetirement: {
    unit: "None",
    when: "check",
    meaning:
      "days until V1's best known date, negative after it: the configured date, or a Sunset header in two checks",
  },
  CertificateDaysLeft: {
    unit: "None",
    when: "check",
    meaning: "days until V1's TLS certificate expires",
  },
  ClockSkewSeconds: {
    unit: "Seconds",
    when: "check",
    meaning: "seconds by which V1's clock and this one differ, whichever is ahead",
  },
  AssessmentCompleted: {
    isCounter: true,
    ...assessment,
    unit: "Count",
    meaning: "1 at the end of an assessment that processed all observations and in which no rule failed",
  },
  OpenIncidents: {
    ...assessment,
    unit: "Count",
    meaning: "incidents that are firing",
  },
  UndeliveredAlerts: {
    ...assessment,
    unit: "Count",
    meaning: "alerts that SNS has not accepted yet",
  },
  BudgetLeft: {
    ...assessment,
    unit: "Count",
    meaning: "requests left of the month's budget",
  },
  UnconfirmedSubscriptions: {
    when: "daily",
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

export type CustomMetric = { name: MetricName; endpoint?: EndpointId };

/** Every custom metric that can exist, as CloudWatch counts them: a name with the value of its dimension. */
export const customMetrics: readonly CustomMetric[] = metrics.flatMap(
  ({ name, dimension }): CustomMetric[] =>
    dimension === "Endpoint" ? endpointIds.map((endpoint) => ({ name, endpoint })) : [{ name }],
);

export type MetricSettings = {
  /** retirement.date of the configuration, such as 2026-12-31. */
  retirementDate?: string | undefined;
};

/** The data points of one check, with the check's own time. What is unknown is absent, never 0. */
export function toDataPoints(observation: Observation, settings: MetricSettings): MetricPoint[] {
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
  if (reason !== "scheduled")
    return isOwnFault(observation) ? quota : [point("ConfirmationFailed", isOk ? 0 : 1), ...quota];
  const dates = datePoints(observation, settings).filter(isFinitePoint);
  // Without a key, without a sample or throttled: it says nothing about V1's health.
  if (isOwnFault(observation)) return [...dates, ...quota];
  return [
    point("RequestFailed", isOk || isUnauthorized ? 0 : 1),
    point("Unauthorized", isUnauthorized ? 1 : 0),
    ...(isOk
      ? [
          point("BreakingDrift", countFindings(observation, "breaking")),
          // The duration of a failure is our own deadline, not V1's latency.
          point("LatencyMs", observation.timings.totalMs),
        ]
      : []),
    ...recordAgePoints(observation),
    ...dates,
    ...skewPoints(observation),
    ...quota,
  ].filter(isFinitePoint);
}

const countFindings = ({ findings }: Observation, wanted: Level) =>
  findings.filter(({ level }) => level === wanted).length;

/** The ages of all records: each distinct one with the number of records that have it. */
function recordAgePoints({ endpoint, at, staleness }: Observation): MetricPoint[] {
  // An age is unknown where the clocks differ too much.
  const ages = staleness && !staleness.muted ? readAges(staleness) : [];
  if (ages.length === 0) return [];
  const counts = new Map<number, number>();
  for (const age of ages) counts.set(age, (counts.get(age) ?? 0) + 1);
  return [
    {
      metric: "RecordAgeSeconds",
      endpoint,
      atMs: Date.parse(at),
      values: [...counts.keys()],
      counts: [...counts.values()],
    },
  ];
}

/** Beyond staleness.maxSkew ages are unknown, and RecordAgeSeconds has no data: this says why. */
function skewPoints({ at, staleness }: Observation): MetricPoint[] {
  const seconds = staleness?.skewSeconds;
  return seconds === undefined
    ? []
    : [{ metric: "ClockSkewSeconds", atMs: Date.parse(at), values: [Math.abs(seconds)] }];
}

/** How long V1 has left by its own announcement or by the configuration, and its certificate. */
function datePoints({ at, notices, outcome, tls }: Observation, settings: MetricSettings): MetricPoint[] {
  const atMs = Date.parse(at);
  const sunsetMs = notices.sunset === undefined ? Number.NaN : Date.parse(notices.sunset);
  // A date that has come while V1 does not serve is the failure's matter, as in the assessment.
  const isAnnounced = notices.isSunsetRepeated === true && (sunsetMs >= atMs || outcome.kind === "ok");
  const date = chooseRetirementDate(settings.retirementDate, isAnnounced ? sunsetMs : undefined, atMs);
  const certificateDays = tls ? Math.floor((Date.parse(tls.expiresAt) - atMs) / dayMs) : undefined;
  return [
    ...(date ? [{ metric: "DaysToRetirement", atMs, values: [daysUntil(date.dateMs, atMs)] }] : []),
    ...(certificateDays === undefined
      ? []
      : [{ metric: "CertificateDaysLeft", atMs, values: [certificateDays] }]),
  ];
}

/** What the assessment knows. What it does not know is absent. */
export type Status = {
  atMs: number;
  assessmentCompleted?: 1 | undefined;
  openIncidents?: number | undefined;
  undeliveredAlerts?: number | undefined;
  budgetLeft?: number | undefined;
  unconfirmedSubscriptions?: number | undefined;
};

export function statusPoints({ atMs, ...status }: Status): MetricPoint[] {
  const values: [MetricName, number | undefined][] = [
    ["AssessmentCompleted", status.assessmentCompleted],
    ["OpenIncidents", status.openIncidents],
    ["UndeliveredAlerts", status.undeliveredAlerts],
    ["BudgetLeft", status.budgetLeft],
    ["UnconfirmedSubscriptions", status.unconfirmedSubscriptions],
  ];
  return values
    .flatMap(([metric, value]) => (value === undefined ? [] : [{ metric, atMs, values: [value] }]))
    .filter(isFinitePoint);
}

const isFinitePoint = ({ atMs, values }: MetricPoint) =>
  Number.isFinite(atMs) && values.length > 0 && values.every(Number.isFinite);
