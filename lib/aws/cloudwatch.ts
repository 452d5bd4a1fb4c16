// Data points → CloudWatch's PutMetricData: one call for a check, which is far below the limits of a call (1,000 data points,
// 1 MB). The points of a check are derived from its stored observation, and published until CloudWatch has accepted them.

import {
  CloudWatchClient,
  type MetricDatum,
  PutMetricDataCommand,
  type StandardUnit,
} from "@aws-sdk/client-cloudwatch";
import type { MetricPoint } from "../records/metric-point.ts";
import type { Observation } from "../records/observation.ts";
import { dayMs } from "../time.ts";
import { callTimeout, clientOptions, describeError, errorName } from "./clients.ts";
import type { Unpublished } from "./ledger.ts";

/** Of one data point. */
const maxValues = 150;
const maxAgeMs = 14 * dayMs;
const maxAheadMs = 2 * 3_600_000;

/** A later run tries again, so a call gives up soon. */
const attemptTimeoutMs = 3_000;
const maxAttempts = 2;
const callTimeoutMs = 6_000;

export type CloudWatchOptions = {
  namespace: string;
  /** By metric. */
  units: Readonly<Record<string, StandardUnit>>;
  nowMs(): number;
  /** Hears, in a sentence, of points that CloudWatch would not take and that are not sent. */
  onDropped(cause: string): void;
  /** For tests; the SDK's own region and credentials otherwise. */
  client?: CloudWatchClient;
};

export type PublishMetrics = (points: readonly MetricPoint[]) => Promise<void>;

/** Rejects when CloudWatch did not accept all of the points. */
export function createCloudWatchPublisher(options: CloudWatchOptions): PublishMetrics {
  const client = options.client ?? new CloudWatchClient(clientOptions({ attemptTimeoutMs, maxAttempts }));
  return async (points) => {
    const MetricData = points.flatMap((point) => toData(point, options));
    if (MetricData.length === 0) return;
    await client.send(
      new PutMetricDataCommand({ Namespace: options.namespace, MetricData }),
      callTimeout(callTimeoutMs),
    );
  };
}

export type CheckPublisherOptions = {
  endpoint: Observation["endpoint"];
  unpublished: Unpublished;
  publish: PublishMetrics;
  toDataPoints(observation: Observation): MetricPoint[];
  nowMs(): number;
  onFailed(failed: { id: string; cause: string }): void;
};

export type CheckPublisher = {
  /**
   * Publishes the checks of the endpoint that were not published yet, oldest first, and returns how many. `own`: the ids
   * of those that were stored a moment ago. Never rejects.
   */
  publish(own: readonly string[], untilMs: number): Promise<number>;
  /** Whether the last run left something to a later one; true before the first. */
  hasMore(): boolean;
};

/** CloudWatch was reached and does not take these points: those of other checks are not held back by them. */
const refusals = /^(?:InvalidParameter|Validation|MissingRequiredParameter)/;

/** One prober has one: every check is published by the prober of its endpoint, so that no number is counted twice. */
export function createCheckPublisher(options: CheckPublisherOptions): CheckPublisher {
  const { endpoint, unpublished, publish, toDataPoints, nowMs, onFailed } = options;
  /** Accepted by CloudWatch while the table could not record it: never sent again by this process. */
  const accepted = new Set<string>();
  let hasMore = true;

  async function publishOne(observation: Observation): Promise<"published" | "refused" | "down"> {
    const { id } = observation;
    try {
      if (!accepted.has(id)) await publish(toDataPoints(observation));
    } catch (error) {
      onFailed({ id, cause: describeError(error) });
      return refusals.test(errorName(error)) ? "refused" : "down";
    }
    accepted.add(id);
    await unpublished.markPublished(id);
    accepted.delete(id);
    return "published";
  }

  return {
    hasMore: () => hasMore,
    async publish(own, untilMs) {
      let published = 0;
      let isRefused = false;
      hasMore = true;
      try {
        for await (const observation of unpublished.each(endpoint, own)) {
          if (nowMs() >= untilMs) return published;
          const result = await publishOne(observation);
          if (result === "down") return published;
          if (result === "published") published += 1;
          else isRefused = true;
        }
        hasMore = isRefused;
      } catch (error) {
        onFailed({ id: endpoint, cause: `the table cannot be read or written: ${describeError(error)}` });
      }
      return published;
    },
  };
}

function toData(point: MetricPoint, { units, nowMs, onDropped }: CloudWatchOptions): MetricDatum[] {
  const { metric, endpoint, atMs, values, counts = values.map(() => 1) } = point;
  const problem = findProblem(atMs, nowMs());
  if (problem) {
    onDropped(`A data point was not sent: ${metric} ${problem}.`);
    return [];
  }
  return chunk(values.length).map(([from, until]) => ({
    MetricName: metric,
    Timestamp: new Date(atMs),
    Unit: units[metric],
    Values: values.slice(from, until),
    Counts: counts.slice(from, until),
    Dimensions: endpoint ? [{ Name: "Endpoint", Value: endpoint }] : undefined,
  }));
}

function findProblem(atMs: number, nowMs: number): string | undefined {
  if (atMs < nowMs - maxAgeMs) return "is older than two weeks, which CloudWatch refuses";
  if (atMs > nowMs + maxAheadMs) return "is more than two hours in the future, which CloudWatch refuses";
  return undefined;
}

const chunk = (length: number) =>
  Array.from({ length: Math.ceil(length / maxValues) }, (_, index) => [
    index * maxValues,
    (index + 1) * maxValues,
  ]);
