// The catalogue of metrics, and Observation → data points. A fixed list: no response can add a metric.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import type { Level, Observation, Variant } from "../records/observation.ts";
import { isOwnFault } from "./rules/response-class.ts";

/** Each stack has its own, so that one watch's numbers never pass for another's. */
export const namespaceOf = (stackName: string) =>
  stackName === "v1watch" ? "V1Watch" : `V1Watch/${stackName}`;
/** The only dimension; its values are the contract's endpoints. */
export const dimension = "Endpoint";

type Row = {
  unit: "Count" | "Milliseconds" | "Seconds" | "None";
  perEndpoint: boolean;
  /**
   * CloudWatch bills a metric by the hour in which it is published, so most speak only when they must.
   * sampled: now and then, as the configuration says; troubled: when it is bad, and good news until it is
   * taken; eventful: when it happens.
   */
  when: "always" | "sampled" | "daily" | "troubled" | "eventful";
  meaning: string;
};

const sampled = { perEndpoint: true, when: "sampled" } as const;
const troubled = { unit: "Count", perEndpoint: true, when: "troubled" } as const;
const eventful = { unit: "Count", perEndpoint: true, when: "eventful" } as const;
const daily = { perEndpoint: false, when: "daily" } as const;

const rows = {
  RequestFailed: {
    ...troubled,
    meaning: "1 where a authenticated request got neither its JSON nor a 401, 0 else",
  },
  Unauthorized: { ...troubled, meaning: "1 where a authenticated request got 401, 0 else" },
  BreakingDrift: {
    ...troubled,
    meaning: "breaking differences from V1's document in a authenticated answer",
  },
  LatencyMs: {
    ...sampled,
    unit: "Milliseconds",
    meaning: "a authenticated request that got its JSON, start to end",
  },
  // One record may be a month old in good health; the newest of a whole page may not.
  NewestAgeSeconds: {
    ...{ ...sampled, perEndpoint: false, unit: "Seconds" },
    meaning: "age of the list's newest record; absent when unknown",
  },
  ProbersAlive: {
    ...{ unit: "Count", perEndpoint: false, when: "always" },
    meaning: "probers that the assessment has heard of in the last half hour",
  },
  UnauthorizedAnonymous: { ...eventful, meaning: "a request without a key got 401" },
  QuotaExhausted: {
    ...eventful,
    perEndpoint: false,
    meaning: "a refusal said that the key's quota is used up",
  },
  AdditiveDrift: { ...eventful, meaning: "additions to V1's document in a authenticated answer" },
  UndeliveredAlerts: { ...eventful, perEndpoint: false, meaning: "alerts that wait for SNS to accept them" },
  RecordAgeSeconds: {
    ...daily,
    perEndpoint: true,
    unit: "Seconds",
    meaning: "ages of all records; the oldest, where one is shown",
  },
  DaysToRetirement: { ...daily, unit: "None", meaning: "to V1's best known date; negative once it passed" },
  BudgetLeft: { ...daily, unit: "Count", meaning: "requests left of the month's budget" },
  OpenIncidents: { ...daily, unit: "Count", meaning: "incidents that are open" },
  CertificateDaysLeft: { ...daily, unit: "None", meaning: "until V1's certificate expires" },
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

/** Every custom metric that can ever exist, as CloudWatch counts them: a name and its dimension. */
export const customMetrics: readonly { name: MetricName; endpoint?: EndpointId }[] = metrics.flatMap(
  ({ name, perEndpoint }) => (perEndpoint ? endpointIds.map((endpoint) => ({ name, endpoint })) : [{ name }]),
);

/** What one answer tells, by how often it is told. */
export type Told = Record<"now" | "sampled" | "daily", MetricPoint[]>;

const nothing: Told = { now: [], sampled: [], daily: [] };

/**
 * Only the primary variant measures V1: authenticated, or anonymous where there is no key. What the rare variants get is
 * evidence, never a failure.
 */
export function toDataPoints(observation: Observation, primary: Variant): Told {
  const { endpoint, outcome, timings } = observation;
  const atMs = Date.parse(observation.at);
  const point = (metric: MetricName, value: number) => ({ metric, endpoint, atMs, values: [value] });
  const isUnauthorized = outcome.kind === "unauthorized";
  if (observation.variant !== primary) {
    const isTelling = observation.variant === "anonymous" && isUnauthorized;
    return { ...nothing, now: isTelling ? [point("UnauthorizedAnonymous", 1)] : [] };
  }
  const isOk = outcome.kind === "ok";
  const isExhausted = !isOk && observation.notices.usage?.exhausted;
  const quota = isExhausted ? [{ metric: "QuotaExhausted", atMs, values: [1] }] : [];
  if (isOwnFault(observation)) return { ...nothing, now: quota };

  const outcomes = [
    point("RequestFailed", isOk || isUnauthorized ? 0 : 1),
    point("Unauthorized", isUnauthorized ? 1 : 0),
  ];
  const breaking = countFindings(observation, "breaking");
  const additive = countFindings(observation, "additive");
  // Without a body nothing is known of its shape.
  const drift = isOk ? [point("BreakingDrift", breaking)] : [];
  const newest = endpoint === "passport-list" ? knownAges(observation)?.newest : undefined;
  return {
    now: [...outcomes, ...drift, ...(additive > 0 ? [point("AdditiveDrift", additive)] : []), ...quota],
    sampled: [
      // The time of a failure is our deadline's, not V1's.
      ...(isOk ? [point("LatencyMs", timings.totalMs)] : []),
      ...(newest === undefined ? [] : [{ metric: "NewestAgeSeconds", atMs, values: [newest] }]),
    ].filter(isFinitePoint),
    daily: recordAgePoints(observation),
  };
}

const countFindings = ({ findings }: Observation, wanted: Level) =>
  findings.filter(({ level }) => level === wanted).length;

/** An age from clocks too far apart, or from the future, is not known, and what is not known is never 0. */
function knownAges({ staleness }: Observation) {
  const ages = staleness?.muted ? undefined : staleness?.ages;
  return ages && ages.newest >= 0 ? ages : undefined;
}

/** Once a day: the spread of the ages, weighted so that its median and p95 are those that were measured. */
function recordAgePoints(observation: Observation): MetricPoint[] {
  const ages = knownAges(observation);
  const total = observation.staleness?.dated ?? 0;
  if (!ages || total === 0) return [];
  const half = Math.ceil(total * 0.5);
  const most = Math.ceil(total * 0.95);
  const spread = [
    [ages.newest, 1],
    [ages.p50, half - 1],
    [ages.p95, most - half],
    [ages.oldest, total - most],
  ].filter(([, count]) => count! > 0);
  const values = spread.map(([age]) => age!);
  const counts = spread.map(([, count]) => count!);
  const { endpoint, at } = observation;
  return [{ metric: "RecordAgeSeconds", endpoint, atMs: Date.parse(at), values, counts }].filter(
    isFinitePoint,
  );
}

/** Says that somebody judges, and how many ask. */
export const alivePoint = (atMs: number, probers: number): MetricPoint => ({
  metric: "ProbersAlive",
  atMs,
  values: [probers],
});

export const undeliveredPoint = (atMs: number, alerts: number): MetricPoint => ({
  metric: "UndeliveredAlerts",
  atMs,
  values: [alerts],
});

export type Status = {
  atMs: number;
  daysToRetirement?: number | undefined;
  budgetLeft?: number | undefined;
  openIncidents?: number | undefined;
  certificateDaysLeft?: number | undefined;
};

/** What the assessment knows: daily, and when it changes. What it does not know it does not say. */
export function statusPoints({ atMs, ...status }: Status): MetricPoint[] {
  const told: [MetricName, number | undefined][] = [
    ["DaysToRetirement", status.daysToRetirement],
    ["BudgetLeft", status.budgetLeft],
    ["OpenIncidents", status.openIncidents],
    ["CertificateDaysLeft", status.certificateDaysLeft],
  ];
  return told
    .flatMap(([metric, value]) => (value === undefined ? [] : [{ metric, atMs, values: [value] }]))
    .filter(isFinitePoint);
}

const isFinitePoint = ({ atMs, values }: MetricPoint) =>
  Number.isFinite(atMs) && values.length > 0 && values.every(Number.isFinite);
