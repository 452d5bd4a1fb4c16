// V1's health over the period: for each measure, one chart per endpoint.

import type { HealthDay, Report } from "../../records/report.ts";
import { dayMs } from "../../time.ts";
import { drawSeries, type Series } from "../charts.ts";
import {
  age,
  badge,
  html,
  type Markup,
  milliseconds,
  minute,
  percent,
  renderSvg,
  table,
  trusted,
} from "../markup.ts";

type EndpointHealth = Report["health"][number];

type Measure = {
  title: string;
  unit: string;
  /** The minimum upper limit of the scale. */
  top: number;
  read(day: HealthDay): number | null;
  /** The period's value as text. */
  summarize(health: EndpointHealth): string;
};

const measures: readonly Measure[] = [
  {
    title: "Availability",
    unit: " %",
    top: 100,
    read: ({ ok, answers }) => (100 * ok) / answers,
    summarize: ({ availability }) => percent(availability),
  },
  {
    title: "Latency, p95",
    unit: " ms",
    top: 100,
    read: ({ p95Ms }) => p95Ms,
    summarize: ({ worstP95Ms }) => `worst ${milliseconds(worstP95Ms)}`,
  },
  {
    title: "Newest record's age",
    unit: " h",
    top: 24,
    read: ({ newestAgeSeconds }) => (newestAgeSeconds === null ? null : newestAgeSeconds / 3_600),
    summarize: ({ newestAgeSeconds }) => `now ${age(newestAgeSeconds)}`,
  },
  {
    title: "401",
    unit: " %",
    top: 10,
    read: ({ unauthorized, answers }) => (100 * unauthorized) / answers,
    summarize: ({ unauthorized }) => percent(unauthorized),
  },
];

/** Days without a response are gaps. A point after the last day gives that day the same width as the others. */
function buildSeries(days: readonly HealthDay[], { title, read }: Measure, endpoint: string): Series {
  const known = new Map(days.map((day) => [day.day, read(day)]));
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  const points: { atMs: number; value: number | undefined }[] = [];
  if (first !== undefined && last !== undefined) {
    for (let atMs = Date.parse(first); atMs <= Date.parse(last); atMs += dayMs) {
      const value = known.get(new Date(atMs).toISOString().slice(0, 10)) ?? undefined;
      points.push({ atMs, value: value === undefined ? undefined : Math.round(value * 10) / 10 });
    }
    points.push({ atMs: Date.parse(last) + dayMs, value: points.at(-1)?.value });
  }
  return { label: `${title} of ${endpoint}, by day`, points };
}

export function renderHealth({ health, incidents, period }: Report): Markup {
  if (health.every(({ answers }) => answers === 0))
    return html`<p>No response of V1 was recorded in this period.</p>`;
  return html`<p class="note">Daily values, ${period.from} to ${period.until}, UTC. Gaps are days without a response. Rates exclude the monitor's own faults and 429.</p>
${measures.map(
  (measure) =>
    html`<h3>${measure.title}</h3><div class="charts">${health.map(
      (endpointHealth) =>
        html`<figure><figcaption><b>${endpointHealth.endpoint}</b><span class="soft">${measure.summarize(endpointHealth)}</span></figcaption>${
          endpointHealth.days.length > 0
            ? trusted(
                renderSvg(
                  drawSeries(buildSeries(endpointHealth.days, measure, endpointHealth.endpoint), {
                    width: 320,
                    height: 110,
                    unit: measure.unit,
                    top: measure.top,
                  }),
                ),
              )
            : html`<p class="soft">no response</p>`
        }</figure>`,
    )}</div>`,
)}
<h3>Incidents</h3>
${renderIncidents(incidents)}`;
}

const severityTones = { page: "bad", warning: "warning", info: "neutral" } as const;

function renderIncidents(incidents: Report["incidents"]): Markup {
  if (incidents.length === 0) return html`<p>None in this period.</p>`;
  return table(
    [
      { title: "Incident", isWide: true },
      { title: "Severity" },
      { title: "Since", isTight: true },
      { title: "Until", isTight: true },
    ],
    incidents.map(({ title, severity, since, resolvedAt, state }) => [
      title,
      badge(severityTones[severity], severity),
      minute(since),
      state === "firing" ? badge("bad", "firing") : minute(resolvedAt ?? since),
    ]),
  );
}
