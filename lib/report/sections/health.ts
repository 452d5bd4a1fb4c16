// V1's health over the days that were watched: a table, then for each measure one chart per endpoint.

import type { HealthDay, Report } from "../../records/report.ts";
import { capitalise, formatCount } from "../../text.ts";
import { dayMs, dayText, minuteText } from "../../time.ts";
import type { Series } from "../charts.ts";
import { type Block, badge, code, heading, note, sentence, soft, tableOf } from "../document.ts";
import { age, milliseconds, percent } from "./words.ts";

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

type Watched = { fromMs: number; untilMs: number };

/** Days without a response are gaps. The last day ends with the report. */
function buildSeries(
  { endpoint, days }: EndpointHealth,
  { title, unit, top, read }: Measure,
  { fromMs, untilMs }: Watched,
): Series | undefined {
  if (days.length === 0) return undefined;
  const known = new Map(days.map((day) => [day.day, read(day)]));
  const points: { atMs: number; value: number | undefined }[] = [];
  for (let atMs = fromMs; atMs < untilMs; atMs += dayMs) {
    const value = known.get(dayText(atMs)) ?? undefined;
    points.push({ atMs, value: value === undefined ? undefined : Math.round(value * 10) / 10 });
  }
  points.push({ atMs: untilMs, value: points.at(-1)?.value });
  return { label: `${title} of ${endpoint}, by day`, unit, top, fromMs, untilMs, points };
}

export function composeHealth({
  health,
  incidents,
  period,
  generatedAt,
  monitor,
  timeLeft,
}: Report): Block[] {
  if (health.every(({ answers }) => answers === 0))
    return [sentence("No response of V1 was recorded in this period.")];
  const watched = { fromMs: Date.parse(period.from), untilMs: Date.parse(generatedAt) };
  // One day is one step, which shows nothing that the table does not.
  const hasCharts = watched.untilMs - watched.fromMs > 2 * dayMs;
  return [
    note(
      `${period.from} to ${period.until}, UTC: ${monitor.says.replace(/\.$/, "")}. Rates exclude the monitor's own faults and 429.${hasCharts ? " The charts have a value for each day, and gaps where there was no response." : ""}`,
    ),
    ...tableOf(
      [
        { title: "Endpoint", width: "tight" },
        { title: "Responses", width: "number" },
        { title: "Availability", width: "number" },
        { title: "Worst p95", width: "number" },
        { title: "Newest record", width: "number" },
        { title: "401", width: "number" },
      ],
      health.map((one) => [
        one.endpoint,
        formatCount(one.answers),
        percent(one.availability),
        milliseconds(one.worstP95Ms),
        age(one.newestAgeSeconds),
        percent(one.unauthorized),
      ]),
    ),
    ...(hasCharts
      ? measures.map(
          (measure): Block => ({
            kind: "charts",
            title: measure.title,
            charts: health.map((one) => ({
              name: one.endpoint,
              summary: measure.summarize(one),
              series: buildSeries(one, measure, watched),
            })),
          }),
        )
      : []),
    heading("Incidents"),
    ...composeIncidents(incidents),
    ...(timeLeft.reasons.length > 0
      ? [
          heading(`Why the retirement risk is ${timeLeft.level}`),
          { kind: "list", items: timeLeft.reasons.map(capitalise) } as const,
        ]
      : []),
  ];
}

const severityTones = { page: "bad", warning: "warning", info: "neutral" } as const;

/** An incident as a list shows it; `decision` is who acknowledged or muted it. */
type IncidentRow = Report["incidents"][number] & { decision?: string | undefined };

export function composeIncidents(incidents: readonly IncidentRow[]): Block[] {
  if (incidents.length === 0) return [sentence("None in this period.")];
  return tableOf(
    [
      { title: "Severity" },
      { title: "Incident", width: "wide" },
      { title: "Since (UTC)", width: "tight" },
      { title: "Until (UTC)", width: "tight" },
      { title: "Id" },
    ],
    incidents.map(({ id, title, severity, since, resolvedAt, state, decision }) => [
      badge(severityTones[severity], severity),
      decision === undefined ? title : [title, soft(` (${decision})`)],
      minuteText(since),
      state === "firing" ? badge("bad", "firing") : minuteText(resolvedAt ?? since),
      code(id),
    ]),
  );
}
