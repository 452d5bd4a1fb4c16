// Evaluates a row of the alarm table on one machine, as CloudWatch documents its evaluation.
import type { MetricPoint } from "../../records/metric-point.ts";
import type { AlarmMetric, AlarmRow, AlarmTarget, Statistic } from "./alarm-table.ts";

export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

export type Evidence = {
  /** Which of the row's alarms. */
  target: AlarmTarget;
  points: readonly MetricPoint[];
  previous: AlarmState;
  nowMs: number;
};

/** CloudWatch fetches more periods than it needs, in case some are empty. It does not say how many; its examples fetch two. */
const sparePeriods = 2;

export function evaluateAlarm(row: AlarmRow, { target, points, previous, nowMs }: Evidence): AlarmState {
  const periods = row.evaluationPeriods + sparePeriods;
  const periodMs = row.periodSeconds * 1_000;
  const endMs = lastEvaluationMs(row, nowMs);
  const startMs = endMs - periods * periodMs;
  const recent = points.filter(({ atMs }) => atMs >= startMs && atMs < endMs);
  // Oldest first, as CloudWatch draws them.
  const values = Array.from({ length: periods }, (_, index) => {
    const fromMs = startMs + index * periodMs;
    const inPeriod = recent.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + periodMs);
    return readPoints(row.signal, inPeriod, target);
  });
  return judge(values, row, previous);
}

/** Periods slide: they end with the last full minute, or the last full hour where they span more than a day. */
function lastEvaluationMs({ periodSeconds, evaluationPeriods }: AlarmRow, nowMs: number): number {
  const stepMs = periodSeconds * evaluationPeriods > 86_400 ? 3_600_000 : 60_000;
  return Math.floor(nowMs / stepMs) * stepMs;
}

type Judged = Pick<
  AlarmRow,
  "evaluationPeriods" | "datapointsToAlarm" | "threshold" | "comparisonOperator" | "treatMissingData"
>;

/** The values of the evaluation range, oldest first; undefined is missing. */
export function judge(
  values: readonly (number | undefined)[],
  row: Judged,
  previous: AlarmState,
): AlarmState {
  const { evaluationPeriods, datapointsToAlarm, treatMissingData } = row;
  const breaches = values.map((value) => (value === undefined ? undefined : isBreaching(value, row)));
  // Real data counts first, from as far back as it was fetched; only the rest is filled.
  const real = breaches.filter((breach) => breach !== undefined).slice(-evaluationPeriods);
  const lacking = evaluationPeriods - real.length;
  const breaching = real.filter(Boolean).length + (treatMissingData === "breaching" ? lacking : 0);
  if (breaching >= datapointsToAlarm) return "ALARM";
  const isFilled = treatMissingData === "breaching" || treatMissingData === "notBreaching";
  if (lacking === 0 || isFilled || real.includes(false)) return "OK";
  if (treatMissingData === "ignore") return previous;
  // Too few breaches, and nothing that speaks against them: they count once they are old enough
  // for the missing ones to have had their chance.
  const oldest = breaches.indexOf(true);
  return oldest >= 0 && breaches.length - oldest >= datapointsToAlarm ? "ALARM" : "INSUFFICIENT_DATA";
}

function isBreaching(value: number, { comparisonOperator, threshold }: Judged): boolean {
  switch (comparisonOperator) {
    case "GreaterThanOrEqualToThreshold":
      return value >= threshold;
    case "GreaterThanThreshold":
      return value > threshold;
    case "LessThanThreshold":
      return value < threshold;
    case "LessThanOrEqualToThreshold":
      return value <= threshold;
  }
}

function readPoints(
  { metric, statistic }: AlarmMetric,
  points: readonly MetricPoint[],
  target: AlarmTarget,
): number | undefined {
  const samples = points
    .filter((point) => point.metric === metric)
    .filter((point) => point.endpoint === target.endpoint)
    .flatMap(({ values, counts }) => values.map((value, index) => ({ value, count: counts?.[index] ?? 1 })));
  return aggregate(samples, statistic);
}

type Sample = { value: number; count: number };

/** Undefined where there is no sample, whatever the statistic: no data is not 0. */
export function aggregate(samples: readonly Sample[], statistic: Statistic): number | undefined {
  if (samples.length === 0) return undefined;
  const total = samples.reduce((sum, { count }) => sum + count, 0);
  const sum = samples.reduce((all, { value, count }) => all + value * count, 0);
  switch (statistic) {
    case "Sum":
      return sum;
    case "Average":
      return sum / total;
    case "SampleCount":
      return total;
    case "Minimum":
      return Math.min(...samples.map(({ value }) => value));
    case "Maximum":
      return Math.max(...samples.map(({ value }) => value));
    default:
      return percentile(samples, (Number(statistic.slice(1)) / 100) * total);
  }
}

/** Nearest rank. CloudWatch does not document its own rule; with few samples the two may differ by one. */
function percentile(samples: readonly Sample[], target: number): number | undefined {
  const sorted = samples.toSorted((a, b) => a.value - b.value);
  let reached = 0;
  for (const { value, count } of sorted) {
    reached += count;
    // The hair's breadth is for 0.95 * 20, which is a little more than 19.
    if (reached >= target - 1e-9) return value;
  }
  return sorted.at(-1)?.value;
}
