// The time range of the dashboard, its charts and its heartbeat strips: per endpoint the checks of a range, single ones or in buckets, and
// the incidents of that time.

import type { AlarmSettings } from "../../assess/alarms/alarm-table.ts";
import type { AssessState } from "../../assess/state.ts";
import { titleOf } from "../../assess/text/render-alert.ts";
import { firingIncidents } from "../../assess/verdict.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import { endOf, type RuleId } from "../../records/incident.ts";
import { labelOutcome } from "../../records/outcome.ts";
import { summarizeChecks } from "../../report/health-days.ts";
import { createSemaphore } from "../../semaphore.ts";
import { formatCount, plural } from "../../text.ts";
import { dayMs, hourMs } from "../../time.ts";
import type { RangeName, Series, Tone } from "../server/api-schemas.ts";
import { type CheckPoint, countsTowardsHealth, type History } from "../store/history.ts";
import { type Bucket, readBuckets } from "./buckets.ts";

export type RangeQuery = {
  range?: RangeName | undefined;
  from?: string | undefined;
  until?: string | undefined;
};

export type Range = { name: RangeName | "selected"; fromMs: number; untilMs: number };

const lengthsMs = { "1h": hourMs, "24h": dayMs, "7d": 7 * dayMs, "30d": 30 * dayMs } as const;

/** The shortest range: less would show no check at all. */
const minSpanMs = 10_000;

/**
 * Exactly the range that was chosen. Where none was, everything since the first check while that is shorter than the usual
 * range, so that a young watch fills its charts.
 */
export function findRange(
  { range, from, until }: RangeQuery,
  usualName: keyof typeof lengthsMs,
  nowMs: number,
  firstMs = nowMs,
): Range {
  if (from !== undefined) {
    const untilMs = until === undefined ? nowMs : Date.parse(until);
    return { name: "selected", fromMs: Math.min(Date.parse(from), untilMs - minSpanMs), untilMs };
  }
  const name = range ?? (nowMs - firstMs < lengthsMs[usualName] ? "all" : usualName);
  const fromMs = name === "all" ? Math.min(firstMs, nowMs - minSpanMs) : nowMs - lengthsMs[name];
  // A check of this very millisecond belongs to the range.
  return { name, fromMs, untilMs: nowMs + 1 };
}

const stepsMs = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1_000);

/** A whole number of seconds, minutes, hours or days, so that at most `maxBuckets` cover the range. */
export function bucketMsFor(
  { fromMs, untilMs }: Pick<Range, "fromMs" | "untilMs">,
  maxBuckets: number,
): number {
  const leastMs = Math.floor((untilMs - fromMs) / maxBuckets);
  return stepsMs.find((stepMs) => stepMs >= leastMs) ?? Math.ceil(leastMs / dayMs) * dayMs;
}

export type SeriesInput = { history: History; state: AssessState; range: Range; settings: AlarmSettings };

/** More checks than this are joined in buckets. */
const maxPoints = 180;
const maxCells = 60;

const toIso = (ms: number) => new Date(ms).toISOString();

/** One at a time: readers who ask for a year together wait for each other, and not the checks for them. */
const turn = createSemaphore(1);

export async function readSeries(input: SeriesInput): Promise<Series> {
  await turn.acquire();
  try {
    return await composeSeries(input);
  } finally {
    turn.release();
  }
}

async function composeSeries({ history, state, range, settings }: SeriesInput): Promise<Series> {
  const { slowMs, alarmShare } = settings.thresholds;
  const isList = (endpoint: EndpointId) => endpoints[endpoint].role === "list";
  const all = [...endpointIds];
  const read = [];
  for (const endpoint of endpointIds) {
    const knownDrift = countKnownDrift(state, endpoint);
    const bucketMs = history.countChecks(endpoint, range) <= maxPoints ? 0 : bucketMsFor(range, maxPoints);
    const points =
      bucketMs === 0
        ? history.checks(endpoint, range).map((check) => summarisePoint([check]))
        : (
            await readBuckets({
              history,
              endpoint,
              bucketMs,
              span: range,
              summarise: summarisePoint,
              name: "points",
            })
          ).map(({ summary }) => summary);
    const cells = await readBuckets({
      history,
      endpoint,
      bucketMs: bucketMsFor(range, maxCells),
      span: range,
      summarise: (checks) => summariseCell(checks, knownDrift),
      name: `cells ${knownDrift}`,
    });
    read.push({ endpoint, bucketMs, points, cells });
  }
  const samples = read.flatMap(({ endpoint, points }) =>
    isList(endpoint) ? [] : points.flatMap((point) => point.samples),
  );
  const names = new Map([...new Set(samples)].sort().map((sample, index) => [sample, `sample ${index + 1}`]));
  return {
    from: toIso(range.fromMs),
    until: toIso(range.untilMs),
    range: range.name,
    measures: [
      { name: "latency", label: "Latency", unit: "ms", threshold: slowMs, endpoints: all },
      { name: "failures", label: "Failures", unit: "%", threshold: 100 * alarmShare, endpoints: all },
      { name: "unauthorized", label: "401", unit: "%", threshold: 100 * alarmShare, endpoints: all },
      // A single record may be old without a fault.
      {
        name: "age",
        label: "Data age",
        unit: "s",
        threshold: settings.frozenAfterSeconds,
        endpoints: endpointIds.filter(isList),
      },
      { name: "drift", label: "Drift", unit: "fields", endpoints: [] },
    ],
    measure: findMeasure(state),
    endpoints: read.map(({ endpoint, bucketMs, points, cells }) => ({
      endpoint,
      bucketSeconds: bucketMs / 1_000,
      lines: readLines(points, (sample) => (isList(endpoint) ? undefined : names.get(sample ?? ""))),
      cells: readCells(cells, range, history),
    })),
    incidents: readBands(state, range),
  };
}

type MeasureName = Series["measures"][number]["name"];

/** What shows the fault of a rule. A rule without a row shows in no chart. */
const measureOf: Partial<Record<RuleId, MeasureName>> = {
  down: "failures",
  "key-refused": "unauthorized",
  "maybe-retired": "failures",
  retired: "failures",
  "quota-exhausted": "unauthorized",
  "access-refused": "failures",
  withdrawn: "failures",
  gone: "failures",
  "not-json": "failures",
  "unsafe-response": "failures",
  "error-rate": "failures",
  "unauthorized-rate": "unauthorized",
  "recurring-outages": "failures",
  "breaking-drift": "drift",
  "partial-drift": "drift",
  "null-fields": "drift",
  "error-envelope": "drift",
  "dates-without-values": "age",
  "dates-always-now": "age",
  "partly-frozen": "age",
  frozen: "age",
  "date-jumped-back": "age",
  "future-dates": "age",
  slow: "latency",
};

/** The chart to begin with: that of the worst firing incident which has one. */
function findMeasure(state: AssessState): MeasureName {
  for (const { rule, facts } of firingIncidents(state)) {
    const name = measureOf[rule];
    // Who is refused may get another status than 401, and who is gone may get 401.
    if (name === "failures" || name === "unauthorized")
      return facts.lastResponse === "401"
        ? "unauthorized"
        : facts.lastResponse === undefined
          ? name
          : "failures";
    if (name !== undefined) return name;
  }
  return "latency";
}

/** Breaking differences from the first checks on are V1 as it is, and no change. */
const countKnownDrift = (state: AssessState, endpoint: EndpointId) =>
  Object.values(state.drift.rows).filter(
    (row) => row.endpoint === endpoint && row.finding.level === "breaking" && !row.isChange,
  ).length;

const share = (part: number, whole: number) => Math.round((1_000 * part) / whole) / 10;

type Line = Series["endpoints"][number]["lines"][number];

/** The instants of the first and the last check of it. */
type Extent = { firstMs: number; lastMs: number };

/** What one check, or the checks of a bucket, show in the charts. */
type Point = {
  /** Of those that count towards health; undefined where there are none. */
  counted?: (Extent & Record<Exclude<MeasureName, "age">, number | null>) | undefined;
  ages: (Extent & { sample: string | null; newest: number | null })[];
  samples: string[];
};

function summarisePoint(checks: readonly CheckPoint[]): Point {
  const counted = checks.filter(countsTowardsHealth);
  const isRefused = ({ outcome }: CheckPoint) => outcome === "unauthorized";
  const isOk = ({ outcome }: CheckPoint) => outcome === "ok";
  const shareOf = (is: (check: CheckPoint) => boolean) => share(counted.filter(is).length, counted.length);
  const served = counted.filter(isOk);
  return {
    counted:
      counted.length > 0
        ? {
            ...extentOf(counted),
            latency: latencyOf(counted),
            failures: shareOf((check) => !isOk(check) && !isRefused(check)),
            unauthorized: shareOf(isRefused),
            drift: served.length > 0 ? Math.max(...served.map(({ breaking }) => breaking)) : null,
          }
        : undefined,
    ages: [...Map.groupBy(counted, ({ sample }) => sample)].map(([sample, own]) => ({
      ...extentOf(own),
      sample,
      newest: newestAge(own),
    })),
    samples: [...new Set(checks.flatMap(({ sample }) => sample ?? []))],
  };
}

const extentOf = (checks: readonly CheckPoint[]): Extent => ({
  firstMs: checks[0]?.atMs ?? 0,
  lastMs: checks.at(-1)?.atMs ?? 0,
});

/** `nameOf`: the name of the record that a check is about, where it is about one. */
function readLines(points: readonly Point[], nameOf: (sample: string | null) => string | undefined): Line[] {
  const counted = points.flatMap((point) => point.counted ?? []);
  const line = (measure: Exclude<MeasureName, "age">): Line => ({
    measure,
    ...toLine(
      counted.map((point) => ({ firstMs: point.firstMs, lastMs: point.lastMs, value: point[measure] })),
    ),
  });
  // Each sample has a line of its own: one line through records of different ages would jump up and down.
  const byName = [
    ...Map.groupBy(
      points.flatMap(({ ages }) => ages),
      ({ sample }) => nameOf(sample),
    ),
  ]
    .filter(([name], _, { length }) => length === 1 || name !== undefined)
    .toSorted(([one = ""], [other = ""]) => one.localeCompare(other, "en", { numeric: true }))
    .slice(-maxSamples);
  return [
    line("latency"),
    line("failures"),
    line("unauthorized"),
    line("drift"),
    ...byName.map(([name, ofOne]) => ({
      measure: "age" as const,
      name,
      ...toLine(ofOne.map((age) => ({ firstMs: age.firstMs, lastMs: age.lastMs, value: age.newest }))),
    })),
  ];
}

const maxSamples = 8;

function latencyOf(group: readonly CheckPoint[]): number | null {
  const { p95Ms } = summarizeChecks(group);
  return p95Ms === null ? null : Math.round(p95Ms * 10) / 10;
}

function newestAge(group: readonly CheckPoint[]): number | null {
  const { newestAgeSeconds } = summarizeChecks(group);
  return newestAgeSeconds === null ? null : Math.round(newestAgeSeconds);
}

/** One point for each check, or for each bucket. While v1watch did not run nothing is known: the line is interrupted. */
function toLine(
  values: readonly { firstMs: number; lastMs: number; value: number | null }[],
): Pick<Line, "at" | "values"> {
  const points = values.map(({ firstMs, lastMs, value }) => ({ atMs: (firstMs + lastMs) / 2, value }));
  const holeMs = findHoleMs(points.map(({ atMs }) => atMs));
  const line: Pick<Line, "at" | "values"> = { at: [], values: [] };
  let knownMs: number | undefined;
  for (const { atMs, value } of points) {
    if (knownMs !== undefined && atMs - knownMs > holeMs) {
      line.at.push(Math.round((atMs + knownMs) / 2) / 1_000);
      line.values.push(null);
    }
    line.at.push(Math.round(atMs) / 1_000);
    line.values.push(value);
    knownMs = atMs;
  }
  return line;
}

/** Three times the ordinary time between two points is a hole. */
function findHoleMs(times: readonly number[]): number {
  const gaps = times
    .slice(1)
    .map((ms, index) => ms - (times[index] ?? ms))
    .toSorted((a, b) => a - b);
  return 3 * Math.max(1_000, gaps[Math.floor(gaps.length * 0.75)] ?? 0);
}

type Cell = Series["endpoints"][number]["cells"][number];

const toneOrder: readonly Tone[] = ["ok", "unknown", "warning", "critical"];

function toneOf(check: CheckPoint, knownDrift: number): Tone {
  if (check.outcome === "no-secret" || check.outcome === "refused") return "unknown";
  if (check.status === 429) return "warning";
  if (check.outcome !== "ok") return "critical";
  return check.breaking > knownDrift ? "warning" : "ok";
}

/** The checks of a cell: its worst one, the latest of equals. */
type CellSummary = { checks: number; worst: CheckPoint; tone: Tone; text: string };

function summariseCell(checks: readonly CheckPoint[], knownDrift: number): CellSummary {
  const rank = (check: CheckPoint) => toneOrder.indexOf(toneOf(check, knownDrift));
  const worst = checks.reduce((found, check) => (rank(check) >= rank(found) ? check : found));
  const text = describeCell(checks, worst, knownDrift);
  return { checks: checks.length, worst, tone: toneOf(worst, knownDrift), text };
}

/** One cell for each check, or for several that would be drawn at the same place; it leads to its worst check. */
function readCells(buckets: readonly Bucket<CellSummary>[], range: Range, history: History): Cell[] {
  const bucketMs = bucketMsFor(range, maxCells);
  const ids = history.checkIds(buckets.map(({ summary }) => summary.worst.seq));
  return buckets.map(({ index, summary: { checks, worst, tone, text } }) => ({
    from: toIso(checks === 1 ? worst.atMs : Math.max(range.fromMs, index * bucketMs)),
    until: checks === 1 ? undefined : toIso(Math.min(range.untilMs, (index + 1) * bucketMs)),
    tone,
    text,
    checks,
    id: ids.get(worst.seq),
  }));
}

function describeCell(group: readonly CheckPoint[], worst: CheckPoint, knownDrift: number): string {
  const { outcome, status, totalMs, breaking } = worst;
  const name = labelOutcome({ kind: outcome, status: status ?? undefined });
  const drift = breaking > knownDrift ? `, ${plural(breaking, "breaking difference")}` : "";
  if (group.length === 1) return `${name}, ${formatCount(Math.round(totalMs))} ms${drift}`;
  const bad = group.filter((check) => toneOf(check, knownDrift) === "critical").length;
  return bad > 0
    ? `${bad} of ${plural(group.length, "check")} failed: ${name}`
    : `${plural(group.length, "check")}, ${name}${drift}`;
}

/** Incidents that were announced and lie in the range, oldest first. */
function readBands(state: AssessState, { fromMs, untilMs }: Range): Series["incidents"] {
  return [...state.resolved, ...state.incidents]
    .filter(({ openedAt, since }) => openedAt !== undefined && Date.parse(since) <= untilMs)
    .flatMap((incident) => {
      const { id, rule, severity, since, endpoints: affected } = incident;
      const until = endOf(incident);
      if (until !== undefined && Date.parse(until) < fromMs) return [];
      return [
        {
          id,
          rule,
          severity,
          endpoints: affected,
          title: titleOf(incident),
          from: since,
          until,
        },
      ];
    })
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
}
