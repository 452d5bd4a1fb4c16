// Evaluates an alarm as it stands in a template, in the way that CloudWatch documents. Its own test compares it with the
// examples of CloudWatch's user guide; LocalStack's evaluation is compared with it in test/deployment.

export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

/** The properties of AWS::CloudWatch::Alarm that decide. */
export type AlarmDefinition = {
  Statistic: string;
  /** In seconds. */
  Period: number;
  EvaluationPeriods: number;
  DatapointsToAlarm: number;
  Threshold: number;
  ComparisonOperator: string;
  TreatMissingData: string;
};

/** What the alarm's metric got, oldest first. */
export type Sample = { atMs: number; value: number; count?: number };

/** CloudWatch fetches more periods than it needs, in case some are empty. It does not say how many; its examples fetch two. */
const sparePeriods = 2;

export function evaluateAlarm(
  alarm: AlarmDefinition,
  samples: readonly Sample[],
  previous: AlarmState,
  nowMs: number,
): AlarmState {
  const periods = alarm.EvaluationPeriods + sparePeriods;
  const periodMs = alarm.Period * 1_000;
  const startMs = lastEvaluationMs(alarm, nowMs) - periods * periodMs;
  let from = firstFrom(samples, startMs);
  // Oldest first, as CloudWatch draws them.
  const values = Array.from({ length: periods }, (_, index) => {
    const endMs = startMs + (index + 1) * periodMs;
    const first = from;
    while (from < samples.length && samples[from]!.atMs < endMs) from += 1;
    return from === first ? undefined : aggregate(samples.slice(first, from), alarm.Statistic);
  });
  return judge(values, alarm, previous);
}

/** The index of the first sample that is not older. */
function firstFrom(samples: readonly Sample[], startMs: number): number {
  let low = 0;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (samples[middle]!.atMs < startMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Periods slide: they end with the last full minute, or the last full hour where they span more than a day. */
function lastEvaluationMs({ Period, EvaluationPeriods }: AlarmDefinition, nowMs: number): number {
  const stepMs = Period * EvaluationPeriods > 86_400 ? 3_600_000 : 60_000;
  return Math.floor(nowMs / stepMs) * stepMs;
}

type Judged = Omit<AlarmDefinition, "Statistic" | "Period">;

/** The values of the evaluation range, oldest first; undefined is missing. */
export function judge(
  values: readonly (number | undefined)[],
  alarm: Judged,
  previous: AlarmState,
): AlarmState {
  const { EvaluationPeriods, DatapointsToAlarm, TreatMissingData } = alarm;
  const breaches = values.map((value) => (value === undefined ? undefined : isBreaching(value, alarm)));
  // Real data counts first, from as far back as it was fetched; only the rest is filled.
  const real = breaches.filter((breach) => breach !== undefined).slice(-EvaluationPeriods);
  const lacking = EvaluationPeriods - real.length;
  const breaching = real.filter(Boolean).length + (TreatMissingData === "breaching" ? lacking : 0);
  if (breaching >= DatapointsToAlarm) return "ALARM";
  const isFilled = TreatMissingData === "breaching" || TreatMissingData === "notBreaching";
  if (lacking === 0 || isFilled || real.includes(false)) return "OK";
  if (TreatMissingData === "ignore") return previous;
  // Too few breaches, and nothing that speaks against them: they count once they are old enough
  // for the missing ones to have had their chance.
  const oldest = breaches.indexOf(true);
  return oldest >= 0 && breaches.length - oldest >= DatapointsToAlarm ? "ALARM" : "INSUFFICIENT_DATA";
}

function isBreaching(value: number, { ComparisonOperator, Threshold }: Judged): boolean {
  switch (ComparisonOperator) {
    case "GreaterThanOrEqualToThreshold":
      return value >= Threshold;
    case "GreaterThanThreshold":
      return value > Threshold;
    case "LessThanThreshold":
      return value < Threshold;
    case "LessThanOrEqualToThreshold":
      return value <= Threshold;
    default:
      throw new Error(`${ComparisonOperator} is not known here`);
  }
}

type Counted = { value: number; count?: number };

/** Undefined where there is no sample, whatever the statistic: no data is not 0. */
export function aggregate(samples: readonly Counted[], statistic: string): number | undefined {
  if (samples.length === 0) return undefined;
  const total = samples.reduce((sum, { count = 1 }) => sum + count, 0);
  const sum = samples.reduce((all, { value, count = 1 }) => all + value * count, 0);
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
function percentile(samples: readonly Counted[], target: number): number | undefined {
  const sorted = samples.toSorted((a, b) => a.value - b.value);
  let reached = 0;
  for (const { value, count = 1 } of sorted) {
    reached += count;
    // The hair's breadth is for 0.95 * 20, which is a little more than 19.
    if (reached >= target - 1e-9) return value;
  }
  return sorted.at(-1)?.value;
}
