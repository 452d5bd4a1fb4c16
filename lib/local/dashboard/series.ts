// The time range of the dashboard, its charts and its heartbeat strips: per endpoint the checks of a range, single ones or in buckets, and
// the incidents of that time.

import type { AlarmSettings } from "../../assess/alarms/alarm-table.ts";
import { titleOf } from "../../assess/alerts/render-alert.ts";
import type { AssessState } from "../../assess/state.ts";
import { firingIncidents } from "../../assess/verdict.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import { endOf, type RuleId } from "../../records/incident.ts";
import { labelOutcome } from "../../records/outcome.ts";
import { summarizeChecks } from "../../report/health-days.ts";
import { formatCount, plural } from "../../text.ts";
import { dayMs, hourMs } from "../../time.ts";
import type { RangeName, Series, Tone } from "../server/api-schemas.ts";
import { type CheckPoint, countsTowardsHealth, type History } from "../store/history.ts";

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

export function readSeries(input: SeriesInput): Series {
  const { state, range, settings } = input;
  const { slowMs, alarmShare } = settings.thresholds;
  const isList = (endpoint: EndpointId) => endpoints[endpoint].role === "list";
  const all = [...endpointIds];
  const samples = new Map(
    endpointIds.flatMap((endpoint) => (isList(endpoint) ? [] : [...input.history.samples(endpoint, range)])),
  );
  const names = new Map(
    [...new Set(samples.values())].sort().map((sample, index) => [sample, `sample ${index + 1}`]),
  );
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
    endpoints: endpointIds.map((endpoint) => {
      const checks = input.history.checks(endpoint, range);
      return {
        endpoint,
        bucketSeconds: bucketMsOf(checks, range) / 1_000,
        lines: readLines(checks, range, (check) =>
          isList(endpoint) ? undefined : names.get(samples.get(check.seq) ?? ""),
        ),
        cells: readCells(checks, range, countKnownDrift(state, endpoint), input.history),
      };
    }),
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

/** 0 where each check is a point of its own. */
const bucketMsOf = (checks: readonly CheckPoint[], range: Range) =>
  checks.length <= maxPoints ? 0 : bucketMsFor(range, maxPoints);

/** `nameOf`: the name of the record that a check is about, where it is about one. */
function readLines(
  checks: readonly CheckPoint[],
  range: Range,
  nameOf: (check: CheckPoint) => string | undefined,
): Line[] {
  const counted = checks.filter(countsTowardsHealth);
  const bucketMs = bucketMsOf(checks, range);
  const line = (measure: MeasureName, summarise: (group: readonly CheckPoint[]) => number | null): Line => ({
    measure,
    ...toPoints(counted, bucketMs, summarise),
  });
  const shareOf = (is: (check: CheckPoint) => boolean) => (group: readonly CheckPoint[]) =>
    share(group.filter(is).length, group.length);
  const isRefused = ({ outcome }: CheckPoint) => outcome === "unauthorized";
  const isOk = ({ outcome }: CheckPoint) => outcome === "ok";
  const mostBreaking = (group: readonly CheckPoint[]) =>
    group.some(isOk) ? Math.max(...group.filter(isOk).map(({ breaking }) => breaking)) : null;
  // Each sample has a line of its own: one line through records of different ages would jump up and down.
  const byName = [...Map.groupBy(counted, nameOf)]
    .filter(([name], _, { length }) => length === 1 || name !== undefined)
    .toSorted(([one = ""], [other = ""]) => one.localeCompare(other, "en", { numeric: true }))
    .slice(-maxSamples);
  return [
    line("latency", latencyOf),
    line(
      "failures",
      shareOf((check) => !isOk(check) && !isRefused(check)),
    ),
    line("unauthorized", shareOf(isRefused)),
    line("drift", mostBreaking),
    ...byName.map(([name, ofOne]) => ({
      measure: "age" as const,
      name,
      ...toPoints(ofOne, bucketMs, newestAge),
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
function toPoints(
  checks: readonly CheckPoint[],
  bucketMs: number,
  summarise: (group: readonly CheckPoint[]) => number | null,
): Pick<Line, "at" | "values"> {
  const groups =
    bucketMs === 0
      ? checks.map((check) => [check])
      : [...Map.groupBy(checks, ({ atMs }) => Math.floor(atMs / bucketMs)).values()];
  const points = groups.map((group) => ({
    atMs: ((group[0]?.atMs ?? 0) + (group.at(-1)?.atMs ?? 0)) / 2,
    group,
  }));
  const holeMs = findHoleMs(points.map(({ atMs }) => atMs));
  const line: Pick<Line, "at" | "values"> = { at: [], values: [] };
  let lastMs: number | undefined;
  for (const { atMs, group } of points) {
    if (lastMs !== undefined && atMs - lastMs > holeMs) {
      line.at.push(Math.round((atMs + lastMs) / 2) / 1_000);
      line.values.push(null);
    }
    line.at.push(Math.round(atMs) / 1_000);
    line.values.push(summarise(group));
    lastMs = atMs;
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

/** One cell for each check, or for several that would be drawn at the same place; it leads to its worst check. */
function readCells(
  checks: readonly CheckPoint[],
  range: Range,
  knownDrift: number,
  history: History,
): Cell[] {
  const bucketMs = bucketMsFor(range, maxCells);
  const rank = (check: CheckPoint) => toneOrder.indexOf(toneOf(check, knownDrift));
  const groups = [...Map.groupBy(checks, ({ atMs }) => Math.floor(atMs / bucketMs))].map(
    ([index, group]) => ({
      group,
      worst: group.reduce((found, check) => (rank(check) >= rank(found) ? check : found)),
      fromMs: Math.max(range.fromMs, index * bucketMs),
      untilMs: Math.min(range.untilMs, (index + 1) * bucketMs),
    }),
  );
  const ids = history.checkIds(groups.map(({ worst }) => worst.seq));
  return groups.map(({ group, worst, fromMs, untilMs }) => ({
    from: toIso(group.length === 1 ? worst.atMs : fromMs),
    until: group.length === 1 ? undefined : toIso(untilMs),
    tone: toneOf(worst, knownDrift),
    text: describeCell(group, worst, knownDrift),
    checks: group.length,
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
