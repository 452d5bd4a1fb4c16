// The catalogue of metrics, and Observation → data points. A fixed list: no response can add a metric.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import type { Case, Level, Observation } from "../records/observation.ts";

export const namespace = "V1Watch";
/** The only dimension; its values are the contract's endpoints. */
export const dimension = "Endpoint";

type Row = {
  unit: "Count" | "Milliseconds" | "Seconds" | "None";
  perEndpoint: boolean;
  /** CloudWatch bills a metric by the hour in which it is published, so most speak only when they must. */
  when: "always" | "eventful" | "daily";
  meaning: string;
};

const always = { perEndpoint: true, when: "always" } as const;
const eventful = { unit: "Count", perEndpoint: true, when: "eventful" } as const;
const daily = { perEndpoint: false, when: "daily" } as const;

const rows = {
  Answered: { ...always, unit: "Count", meaning: "1 where a keyed request got its JSON or a 401, 0 else" },
  LatencyMs: { ...always, unit: "Milliseconds", meaning: "a keyed request that got its JSON, start to end" },
  // One record may be a month old in good health; the newest of a whole page may not.
  NewestAgeSeconds: {
    ...{ ...always, perEndpoint: false, unit: "Seconds" },
    meaning: "age of the list's newest record; absent when unknown",
  },
  ProberHeartbeat: { ...always, perEndpoint: false, unit: "Count", meaning: "the prober ran" },
  AssessmentHeartbeat: { ...always, perEndpoint: false, unit: "Count", meaning: "the assessment ran" },
  Unauthorized: { ...eventful, meaning: "a keyed request got 401" },
  UnauthorizedKeyless: { ...eventful, meaning: "a request without a key got 401" },
  QuotaExhausted: {
    ...eventful,
    perEndpoint: false,
    meaning: "a refusal said that the key's quota is used up",
  },
  BreakingDrift: { ...eventful, meaning: "breaking differences from V1's document in a keyed answer" },
  AdditiveDrift: { ...eventful, meaning: "additions to V1's document in a keyed answer" },
  UndeliveredAlerts: { ...eventful, perEndpoint: false, meaning: "alerts that wait for SNS to accept them" },
  RecordAgeSeconds: { ...daily, perEndpoint: true, unit: "Seconds", meaning: "ages of all records" },
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

type Point = MetricPoint & { metric: MetricName };

/** One prober's tick: it lives, and this is what it saw. A tick that asked nothing lives too. */
export function pointsOfTick(
  atMs: number,
  observations: readonly Observation[],
  leading: Case = "keyed",
): MetricPoint[] {
  return [
    heartbeat("ProberHeartbeat", atMs),
    ...observations.flatMap((observation) => pointsOf(observation, leading)),
  ];
}

export function heartbeat(metric: "ProberHeartbeat" | "AssessmentHeartbeat", atMs: number): MetricPoint {
  return { metric, atMs, values: [1] };
}

/**
 * Only the leading case measures V1: keyed, or keyless where there is no key. What the rare cases get is
 * evidence, never a failure.
 */
export function pointsOf(observation: Observation, leading: Case = "keyed"): MetricPoint[] {
  const { endpoint, outcome, timings } = observation;
  const atMs = Date.parse(observation.at);
  const point = (metric: MetricName, value: number): Point => ({ metric, endpoint, atMs, values: [value] });
  const isUnauthorized = outcome.kind === "unauthorized";
  if (observation.case !== leading) {
    return observation.case === "keyless" && isUnauthorized ? [point("UnauthorizedKeyless", 1)] : [];
  }
  const isOk = outcome.kind === "ok";
  const isExhausted = !isOk && observation.notices.usage?.exhausted;
  const quota: Point[] = isExhausted ? [{ metric: "QuotaExhausted", atMs, values: [1] }] : [];
  if (isOwnFault(observation)) return quota;
  const newest = endpoint === "passport-list" ? knownAges(observation)?.newest : undefined;
  return [
    // A refused key is the business of Unauthorized: V1 is there.
    point("Answered", isOk || isUnauthorized ? 1 : 0),
    // The time of a failure is our deadline's, not V1's.
    ...(isOk ? [point("LatencyMs", timings.totalMs)] : []),
    ...(newest === undefined ? [] : [{ metric: "NewestAgeSeconds", atMs, values: [newest] }]),
    ...(isUnauthorized ? [point("Unauthorized", 1)] : []),
    ...quota,
    ...driftPoints(observation, "breaking", (count) => point("BreakingDrift", count)),
    ...driftPoints(observation, "additive", (count) => point("AdditiveDrift", count)),
  ].filter(isFinitePoint);
}

/** No secret, an address that we refuse to ask, or a pace that V1 finds too fast: none says that V1 fails. */
function isOwnFault({ outcome }: Observation): boolean {
  return outcome.kind === "no-secret" || outcome.kind === "refused" || outcome.status === 429;
}

function driftPoints({ findings }: Observation, level: Level, point: (count: number) => Point): Point[] {
  const count = findings.filter((finding) => finding.level === level).length;
  return count > 0 ? [point(count)] : [];
}

/** An age from clocks too far apart, or from the future, is not known, and what is not known is never 0. */
function knownAges({ staleness }: Observation) {
  const ages = staleness?.muted ? undefined : staleness?.ages;
  return ages && ages.newest >= 0 ? ages : undefined;
}

/** Once a day: the spread of the ages, weighted so that its median and p95 are those that were measured. */
export function recordAgePoints(observation: Observation, leading: Case = "keyed"): MetricPoint[] {
  const ages = knownAges(observation);
  const total = observation.staleness?.dated ?? 0;
  if (observation.case !== leading || !ages || total === 0) return [];
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

export type Status = {
  atMs: number;
  daysToRetirement?: number | undefined;
  budgetLeft?: number | undefined;
  openIncidents?: number | undefined;
  certificateDaysLeft?: number | undefined;
  undelivered?: number | undefined;
};

/** What the assessment knows: daily, and when it changes. What it does not know it does not say. */
export function statusPoints({ atMs, ...status }: Status): MetricPoint[] {
  const told: [MetricName, number | undefined][] = [
    ["DaysToRetirement", status.daysToRetirement],
    ["BudgetLeft", status.budgetLeft],
    ["OpenIncidents", status.openIncidents],
    ["CertificateDaysLeft", status.certificateDaysLeft],
    ["UndeliveredAlerts", status.undelivered || undefined],
  ];
  return told
    .flatMap(([metric, value]) => (value === undefined ? [] : [{ metric, atMs, values: [value] }]))
    .filter(isFinitePoint);
}

const isFinitePoint = ({ atMs, values }: MetricPoint) =>
  Number.isFinite(atMs) && values.length > 0 && values.every(Number.isFinite);
