// The data points of CloudWatch in the text format of Prometheus, and the badge. V1Watch/LatencyMs{Endpoint} becomes
// v1watch_latency_seconds{endpoint}: a measured value is a gauge with the last value, an event is a counter since the start.
import { metrics } from "../../assess/metrics.ts";
import { upValueOf } from "../../assess/verdict.ts";
import type { MetricPoint } from "../../records/metric-point.ts";
import { type Drawing, renderSvg } from "../../report/svg.ts";
import { readHealth, type Sources } from "../dashboard/summary.ts";
import type { Tone, Verdict } from "./api-schemas.ts";

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

export type Gauge = {
  name: string;
  meaning: string;
  samples: { labels?: Record<string, string>; value: number }[];
};

/** What is read anew for every scrape. */
export async function readGauges(sources: Sources): Promise<Gauge[]> {
  const { currentState } = sources;
  const health = await readHealth(sources);
  const tick = currentState.tick();
  const up = upValueOf(currentState.verdict(sources.nowMs()), currentState.assessState());
  return [
    {
      name: "v1watch_up",
      meaning: "1 while every endpoint of V1 is served, 0 while V1 fails, absent while neither is known",
      samples: up === undefined ? [] : [{ value: up }],
    },
    {
      name: "v1watch_last_tick_timestamp_seconds",
      meaning: "time of the last tick of the watch loop",
      samples: tick ? [{ value: tick.tickMs / 1_000 }] : [],
    },
    {
      name: "v1watch_undelivered_alerts",
      meaning: "alerts that at least one channel has not accepted yet",
      samples: [{ value: health.undelivered }],
    },
    {
      name: "v1watch_channel_failing",
      meaning: "1 while a notification channel fails",
      samples: health.channels.map(({ name, state }) => ({
        labels: { channel: name },
        value: state === "failing" ? 1 : 0,
      })),
    },
    {
      name: "v1watch_store_degraded",
      meaning: "1 while the store cannot save observations",
      samples: [{ value: health.state === "ok" ? 0 : 1 }],
    },
    {
      name: "v1watch_heap_bytes",
      meaning: "JavaScript heap in use by this process",
      samples: [{ value: process.memoryUsage().heapUsed }],
    },
    {
      name: "v1watch_incident_open",
      meaning: "1 for each firing incident, by rule",
      samples: currentState
        .assessState()
        .incidents.filter((incident) => incident.state === "firing")
        .map(({ rule, severity, id }) => ({
          labels: { rule, severity, incident: id },
          value: 1,
        })),
    },
  ];
}

export type MetricsRegistry = {
  note(points: readonly MetricPoint[]): void;
  render(gauges: readonly Gauge[]): string;
};

/** LatencyMs → v1watch_latency_seconds: Prometheus uses base units. */
export const prometheusName = (name: string) =>
  `v1watch_${name.replace(/Ms$/, "Seconds").replace(/[A-Z]/g, (letter, index) => `${index > 0 ? "_" : ""}${letter.toLowerCase()}`)}`;

const escapes: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

const renderLabels = (labels: Record<string, string> = {}) => {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (sign) => escapes[sign] ?? sign)}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
};

/** UndeliveredAlerts is read from the outbox for each scrape; a stored data point would never return to 0. */
const storedMetrics = metrics.filter(({ name }) => name !== "UndeliveredAlerts");

export function createMetricsRegistry(): MetricsRegistry {
  const values = new Map<string, Map<string, { value: number; atMs: number }>>();
  return {
    note(points) {
      for (const { metric, endpoint, atMs, values: pointValues, counts } of points) {
        const row = storedMetrics.find((each) => each.name === metric);
        if (!row) continue;
        const samples = values.get(metric) ?? new Map();
        values.set(metric, samples);
        const labels = renderLabels(endpoint ? { endpoint } : {});
        const before = samples.get(labels);
        const sum = pointValues.reduce((total, value, index) => total + value * (counts?.[index] ?? 1), 0);
        if (row.isCounter) samples.set(labels, { value: (before?.value ?? 0) + sum, atMs });
        // An older value does not replace a newer one. Of several values the smallest counts: the
        // age of the newest record.
        else if (!before || before.atMs <= atMs)
          samples.set(labels, { value: Math.min(...pointValues), atMs });
      }
    },
    render(gauges) {
      const lines: string[] = [];
      for (const row of storedMetrics) {
        const name = `${prometheusName(row.name)}${row.isCounter ? "_total" : ""}`;
        const samples = values.get(row.name);
        if (!samples) continue;
        lines.push(`# HELP ${name} ${row.meaning}`, `# TYPE ${name} ${row.isCounter ? "counter" : "gauge"}`);
        const scale = row.unit === "Milliseconds" ? 1_000 : 1;
        for (const [labels, { value }] of samples) lines.push(`${name}${labels} ${value / scale}`);
      }
      for (const { name, meaning, samples } of gauges) {
        lines.push(`# HELP ${name} ${meaning}`, `# TYPE ${name} gauge`);
        for (const { labels, value } of samples) lines.push(`${name}${renderLabels(labels)} ${value}`);
      }
      return `${lines.join("\n")}\n`;
    },
  };
}

/** White text has a contrast of at least 4.5 on each of these background colours. */
const backgrounds: Record<Tone, string> = {
  ok: "#1a7f37",
  info: "#0b57d0",
  warning: "#9a6700",
  critical: "#cf222e",
  unknown: "#59636e",
};

/** Between a warning and a fault, because nothing is broken yet. */
const imminentBackground = "#c2410c";

/** The icon of the browser's tab: the tone as colour and as shape. */
export function renderIcon(tone: Tone): string {
  const shape: Drawing =
    tone === "critical"
      ? ["rect", { x: 9, y: 9, width: 14, height: 14, fill: "#fff" }]
      : tone === "warning"
        ? ["path", { d: "M16 8 25 24H7Z", fill: "#fff" }]
        : [
            "circle",
            {
              cx: 16,
              cy: 16,
              r: 7,
              fill: tone === "unknown" ? "none" : "#fff",
              stroke: "#fff",
              "stroke-width": 3,
            },
          ];
  return renderSvg([
    "svg",
    { viewBox: "0 0 32 32" },
    ["rect", { width: 32, height: 32, rx: 7, fill: backgrounds[tone] }],
    shape,
  ]);
}

const textWidth = (text: string) => Math.round(text.length * 6.6 + 14);

/** The verdict as a badge, for a README or a wall display: the current fault, then the retirement risk. */
export function renderBadge(verdict: Verdict): string {
  const { trouble, level, tone } = verdict;
  const text = describeBadge(verdict);
  const isImminent = tone !== "unknown" && !trouble && level === "imminent";
  const background = isImminent ? imminentBackground : backgrounds[tone];
  const [nameWidth, valueWidth] = [textWidth("V1"), textWidth(text)];
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
    { width: nameWidth + valueWidth, height: 20, role: "img", "aria-label": `V1: ${text}` },
    ["title", {}, `V1: ${text}`],
    ["rect", { width: nameWidth + valueWidth, height: 20, rx: 3, fill: background }],
    ["rect", { width: nameWidth, height: 20, rx: 3, fill: "#30363d" }],
    label("V1", nameWidth / 2),
    label(text, nameWidth + valueWidth / 2),
  ]);
}

function describeBadge({ kind, trouble, level, daysLeft }: Verdict): string {
  if (kind === "unknown" && !trouble) return "unknown";
  const days =
    daysLeft === undefined ? "" : daysLeft < 0 ? ` · ${-daysLeft} d overdue` : ` · ${daysLeft} d left`;
  const risk = level === "retired" ? "retired" : `retirement risk ${level}${level === "unknown" ? "" : days}`;
  if (!trouble) return risk;
  const fault = trouble.replace(/^V1 /, "");
  const hasSignals = level !== "unknown" && level !== "low" && !fault.endsWith(risk);
  return hasSignals ? `${fault} · ${risk}` : fault;
}
