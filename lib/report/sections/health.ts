// V1's health over the period: one row of pictures a measure, one picture an endpoint.
import { dayMs } from "../../assess/date-text.ts";
import type { HealthDay, Report } from "../../records/report.ts";
import { drawSeries, renderSvg, type Series } from "../charts.ts";
import { age, badge, html, type Markup, milliseconds, minute, percent, table, trusted } from "../markup.ts";

type Health = Report["health"][number];

type Measure = {
  title: string;
  unit: string;
  /** The scale's least top. */
  top: number;
  read(day: HealthDay): number | null;
  /** The period in one number. */
  sum(health: Health): string;
};

const measures: readonly Measure[] = [
  {
    title: "Availability",
    unit: " %",
    top: 100,
    read: ({ ok, answers }) => (100 * ok) / answers,
    sum: ({ availability }) => percent(availability),
  },
  {
    title: "Latency, p95",
    unit: " ms",
    top: 100,
    read: ({ p95Ms }) => p95Ms,
    sum: ({ worstP95Ms }) => `worst ${milliseconds(worstP95Ms)}`,
  },
  {
    title: "Newest record's age",
    unit: " h",
    top: 24,
    read: ({ newestAgeSeconds }) => (newestAgeSeconds === null ? null : newestAgeSeconds / 3_600),
    sum: ({ newestAgeSeconds }) => `now ${age(newestAgeSeconds)}`,
  },
  {
    title: "401",
    unit: " %",
    top: 10,
    read: ({ unauthorized, answers }) => (100 * unauthorized) / answers,
    sum: ({ unauthorized }) => percent(unauthorized),
  },
];

/** Days without an answer stay gaps; the last day is as wide as the others. */
function seriesOf(days: readonly HealthDay[], { title, read }: Measure, endpoint: string): Series {
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
  if (health.every(({ answers }) => answers === 0)) return html`<p>V1 was not asked in this period.</p>`;
  return html`<p class="note">By day, ${period.from} to ${period.until}, UTC. Gaps are days without an answer. Our own faults and 429 are in no rate.</p>
${measures.map(
  (measure) =>
    html`<h3>${measure.title}</h3><div class="charts">${health.map(
      (one) =>
        html`<figure><figcaption><b>${one.endpoint}</b><span class="soft">${measure.sum(one)}</span></figcaption>${
          one.days.length > 0
            ? trusted(
                renderSvg(
                  drawSeries(seriesOf(one.days, measure, one.endpoint), {
                    width: 320,
                    height: 110,
                    unit: measure.unit,
                    top: measure.top,
                  }),
                ),
              )
            : html`<p class="soft">no answer</p>`
        }</figure>`,
    )}</div>`,
)}
<h3>Incidents</h3>
${renderIncidents(incidents)}`;
}

const severityTones = { page: "bad", warning: "look", info: "quiet" } as const;

function renderIncidents(incidents: Report["incidents"]): Markup {
  if (incidents.length === 0) return html`<p>None in this period.</p>`;
  return table(
    [
      { title: "What", isWide: true },
      { title: "How grave" },
      { title: "Since", isTight: true },
      { title: "Until", isTight: true },
    ],
    incidents.map(({ title, severity, since, resolvedAt, state }) => [
      title,
      badge(severityTones[severity], severity),
      minute(since),
      state === "open" ? badge("bad", "open") : minute(resolvedAt ?? since),
    ]),
  );
}
