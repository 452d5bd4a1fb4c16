// The same points that CloudWatch gets, as OpenMetrics. V1Watch/LatencyMs{Endpoint} is v1watch_latency_ms{endpoint}:
// what is measured is a gauge of the last value, what only happens is a counter since the start.
import { type Metric, metrics } from "../../assess/metrics.ts";
import type { MetricPoint } from "../../records/metric-point.ts";
import { type Drawing, renderSvg } from "../../report/charts.ts";
import type { Verdict } from "./api-schemas.ts";

export const contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

export type Gauge = { name: string; meaning: string; samples: { labels?: string; value: number }[] };

export type MetricsRegistry = {
  note(points: readonly MetricPoint[]): void;
  render(further: readonly Gauge[]): string;
};

/** LatencyMs → v1watch_latency_ms */
export const openMetricsName = (name: string) =>
  `v1watch_${name.replace(/[A-Z]/g, (letter, index) => `${index > 0 ? "_" : ""}${letter.toLowerCase()}`)}`;

/** 0 or 1 a check: a counter since the start. */
const counters = [
  "RequestFailed",
  "Unauthorized",
  "ConfirmationFailed",
  "UnauthorizedAnonymous",
  "QuotaExhausted",
  "BreakingDrift",
  "AdditiveDrift",
];
const isCounter = ({ name }: Metric) => counters.includes(name);

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

// The verdict as a badge: for a README or a wall. The outlook, and before it what is wrong with V1 now.
/** White stands on each of them with a contrast of 4.5 or more. */
const grounds = { ok: "#1a7f37", look: "#9a6700", broken: "#cf222e", unknown: "#59636e" } as const;

const width = (text: string) => Math.round(text.length * 6.6 + 14);

export function renderBadge({ trouble, level, tone, daysLeft }: Verdict): string {
  const left =
    daysLeft === undefined ? "" : daysLeft < 0 ? ` · ${-daysLeft} d past` : ` · ${daysLeft} d left`;
  const outlook = level === "unknown" ? "not known yet" : `${level}${level === "retired" ? "" : left}`;
  const isNews = level !== "unknown" && level !== "calm";
  const word = trouble ? `${trouble.replace(/^V1 /, "")}${isNews ? ` · ${outlook}` : ""}` : outlook;
  const [name, said] = [width("V1"), width(word)];
  const label = (text: string, x: number): Drawing => [
    "text",
    {
      x,
      y: 14,
      fill: "#fff",
      "font-family": "system-ui, sans-serif",
      "font-size": 11,
      "text-anchor": "middle",
    },
    text,
  ];
  return renderSvg([
    "svg",
    { width: name + said, height: 20, role: "img", "aria-label": `V1: ${word}` },
    ["title", {}, `V1: ${word}`],
    ["rect", { width: name + said, height: 20, rx: 3, fill: grounds[tone] }],
    ["rect", { width: name, height: 20, rx: 3, fill: "#30363d" }],
    label("V1", name / 2),
    label(word, name + said / 2),
  ]);
}
