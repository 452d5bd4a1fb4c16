// Data points → CloudWatch's PutMetricData: one call for a tick, more only where the limits demand it.

import {
  CloudWatchClient,
  type MetricDatum,
  PutMetricDataCommand,
  type StandardUnit,
} from "@aws-sdk/client-cloudwatch";
import type { Receiver } from "../ports.ts";
import type { MetricPoint } from "../records/metric-point.ts";
import { dayMs } from "../time.ts";
import { callTimeout, clientOptions } from "./clients.ts";

// Limits of one PutMetricData call.
const maxData = 1_000;
const maxValues = 150;
/** A little less than 1 MB, for the envelope; counted before compression. */
const maxBytes = 1_000_000;
const maxMagnitude = 2 ** 360;
const maxAgeMs = 14 * dayMs;
const maxAheadMs = 2 * 3_600_000;

/** The outbox tries again later, so a call gives up soon. */
const attemptTimeoutMs = 3_000;
const maxAttempts = 2;
const callTimeoutMs = 6_000;

export type CloudWatchOptions = {
  namespace: string;
  /** Every metric there is, and its unit; a name that is not here is never sent. */
  units: Readonly<Record<string, StandardUnit>>;
  nowMs(): number;
  /** Hears of the points that CloudWatch would not take. */
  say(sentence: string): void;
  /** For tests; the SDK's own region and credentials otherwise. */
  client?: CloudWatchClient;
};

/** Rejects when CloudWatch did not accept: the outbox keeps the message and tries again. */
export function createCloudWatchReceiver(options: CloudWatchOptions): Extract<Receiver, { kind: "metrics" }> {
  const client = options.client ?? new CloudWatchClient(clientOptions({ attemptTimeoutMs, maxAttempts }));
  return {
    name: "cloudwatch",
    kind: "metrics",
    async send(points) {
      const data = points.flatMap((point) => toData(point, options));
      for (const batch of splitData(data)) {
        await client.send(
          new PutMetricDataCommand({ Namespace: options.namespace, MetricData: batch }),
          callTimeout(callTimeoutMs),
        );
      }
    },
  };
}

function toData(point: MetricPoint, { units, nowMs, say }: CloudWatchOptions): MetricDatum[] {
  const unit = Object.hasOwn(units, point.metric) ? units[point.metric] : undefined;
  const problem = unit ? findProblem(point.atMs, nowMs()) : "is not in the catalogue";
  if (!unit || problem) {
    say(`A data point was not sent: ${unit ? `${point.metric} ${problem}` : `its metric ${problem}`}.`);
    return [];
  }
  const samples = point.values
    .map((value, index) => ({ value, count: point.counts ? (point.counts[index] ?? 0) : 1 }))
    .filter(({ value, count }) => Math.abs(value) <= maxMagnitude && count > 0 && count <= maxMagnitude);
  const dropped = point.values.length - samples.length;
  if (dropped > 0) {
    say(
      `${dropped} of ${point.values.length} values of ${point.metric} were not sent: CloudWatch takes no such number.`,
    );
  }
  return chunk(samples, maxValues).map((part) => ({
    MetricName: point.metric,
    Timestamp: new Date(point.atMs),
    Unit: unit,
    Values: part.map(({ value }) => value),
    Counts: part.map(({ count }) => count),
    ...dimensionsOf(point),
  }));
}

function dimensionsOf({ endpoint, function: name }: MetricPoint): Pick<MetricDatum, "Dimensions"> {
  if (endpoint) return { Dimensions: [{ Name: "Endpoint", Value: endpoint }] };
  return name ? { Dimensions: [{ Name: "Function", Value: name }] } : {};
}

function findProblem(atMs: number, nowMs: number): string | undefined {
  if (!Number.isFinite(atMs)) return "has no time";
  if (atMs < nowMs - maxAgeMs) return "is older than two weeks, which CloudWatch refuses";
  if (atMs > nowMs + maxAheadMs) return "is more than two hours in the future, which CloudWatch refuses";
  return undefined;
}

function splitData(data: readonly MetricDatum[]): MetricDatum[][] {
  const batches: MetricDatum[][] = [];
  let bytes = 0;
  for (const datum of data) {
    const size = JSON.stringify(datum).length + 1;
    const last = batches.at(-1);
    if (last && last.length < maxData && bytes + size <= maxBytes) {
      last.push(datum);
      bytes += size;
    } else {
      batches.push([datum]);
      bytes = size;
    }
  }
  return batches;
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
