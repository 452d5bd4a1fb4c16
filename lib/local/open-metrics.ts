// The same points that CloudWatch gets, as OpenMetrics. V1Watch/LatencyMs{Endpoint} is v1watch_latency_ms{endpoint}:
// what is measured is a gauge of the last value, what only happens is a counter since the start.
import { type Metric, metrics } from "../assess/metrics.ts";
import type { MetricPoint } from "../records/metric-point.ts";

export const contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export type Gauge = { name: string; meaning: string; samples: { labels?: string; value: number }[] };

export type MetricsRegistry = {
  note(points: readonly MetricPoint[]): void;
  render(further: readonly Gauge[]): string;
};

/** LatencyMs → v1watch_latency_ms */
export const openMetricsName = (name: string) =>
  `v1watch_${name.replace(/[A-Z]/g, (letter, index) => `${index > 0 ? "_" : ""}${letter.toLowerCase()}`)}`;

const isCounter = ({ when }: Metric) => when === "eventful" || when === "troubled";

/** What waits is asked for when it is read: the last number told would stay for ever. */
const tellable = metrics.filter(({ name }) => name !== "UndeliveredAlerts");

export function createMetricsRegistry(): MetricsRegistry {
  const values = new Map<string, Map<string, { value: number; atMs: number }>>();
  return {
    note(points) {
      for (const { metric, endpoint = "", atMs, values: told, counts } of points) {
        const row = tellable.find(({ name }) => name === metric);
        if (!row) continue;
        const samples = values.get(metric) ?? new Map();
        values.set(metric, samples);
        const before = samples.get(endpoint);
        const sum = told.reduce((all, value, index) => all + value * (counts?.[index] ?? 1), 0);
        if (isCounter(row)) samples.set(endpoint, { value: (before?.value ?? 0) + sum, atMs });
        // An outbox delivers late now and then: an old value does not cover a newer one.
        else if (!before || before.atMs <= atMs) samples.set(endpoint, { value: told.at(-1) ?? 0, atMs });
      }
    },
    render(further) {
      const lines: string[] = [];
      for (const row of tellable) {
        const name = openMetricsName(row.name);
        const samples = values.get(row.name);
        if (!samples) continue;
        lines.push(`# TYPE ${name} ${isCounter(row) ? "counter" : "gauge"}`, `# HELP ${name} ${row.meaning}`);
        for (const [endpoint, { value }] of samples)
          lines.push(
            `${name}${isCounter(row) ? "_total" : ""}${endpoint && `{endpoint="${endpoint}"}`} ${value}`,
          );
      }
      for (const { name, meaning, samples } of further) {
        lines.push(`# TYPE ${name} gauge`, `# HELP ${name} ${meaning}`);
        for (const { labels, value } of samples) lines.push(`${name}${labels ? `{${labels}}` : ""} ${value}`);
      }
      return `${[...lines, "# EOF"].join("\n")}\n`;
    },
  };
}
