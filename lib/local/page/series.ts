// The time range of the page, its charts and its heartbeat strips: per endpoint the checks of a range, single ones or in buckets, and
// the incidents of that time.

import type { AlarmSettings } from "../../assess/alarms/alarm-table.ts";
import { titleOf } from "../../assess/alerts/render-alert.ts";
import type { AssessState } from "../../assess/state.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import { endOf } from "../../records/incident.ts";
import { labelOutcome } from "../../records/outcome.ts";
import { formatCount, plural } from "../../text.ts";
import { dayMs, hourMs } from "../../time.ts";
import type { RangeName, Tone } from "../server/api-schemas.ts";
import type { Series } from "../server/view-schemas.ts";
import type { CheckPoint, History } from "../store/history.ts";

export type RangeQuery = {
  range?: RangeName | undefined;
  from?: string | undefined;
  until?: string | undefined;
};

export type Range = { name: RangeName | "selected"; fromMs: number; untilMs: number };

const lengthsMs = { "1h": hourMs, "24h": dayMs, "7d": 7 * dayMs, "30d": 30 * dayMs } as const;

/** The shortest range: less would show no check at all. */
const minSpanMs = 10_000;

/** A range begins with the first check at the earliest, so that a young watch fills its charts. */
export function findRange(
  { range, from, until }: RangeQuery,
  defaultName: RangeName,
  nowMs: number,
  firstMs = nowMs,
): Range {
  if (from !== undefined) {
    const untilMs = until === undefined ? nowMs : Date.parse(until);
    return { name: "selected", fromMs: Math.min(Date.parse(from), untilMs - minSpanMs), untilMs };
  }
  const name = range ?? defaultName;
  const earliestMs = Math.min(firstMs, nowMs - minSpanMs);
  const fromMs = name === "all" ? earliestMs : Math.max(earliestMs, nowMs - lengthsMs[name]);
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
  const leastMs = (untilMs - fromMs) / maxBuckets;
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
  return {
    from: toIso(range.fromMs),
    until: toIso(range.untilMs),
    range: range.name,
    measures: [
      {
        name: "latency",
        label: "Latency",
        unit: "ms",
        threshold: slowMs,
        endpoints: [...endpointIds],
      },
      {
        name: "failures",
        label: "Failures",
        unit: "%",
        threshold: 100 * alarmShare,
        endpoints: [...endpointIds],
      },
      {
        name: "unauthorized",
        label: "401",
        unit: "%",
        threshold: 100 * alarmShare,
        endpoints: [...endpointIds],
      },
      // A single record may be old without a fault.
      {
        name: "age",
        label: "Data age",
        unit: "s",
        threshold: settings.frozenAfterSeconds,
        endpoints: endpointIds.filter(isList),
      },
    ],
    endpoints: endpointIds.map((endpoint) => {
      const checks = input.history.checks(endpoint, range);
      return {
        endpoint,
        ...readPoints(checks, range),
        cells: readCells(checks, range, countKnownDrift(state, endpoint), input.history),
      };
    }),
    incidents: readBands(state, range),
  };
}

/** Breaking differences from the first checks on are V1 as it is, and no change. */
const countKnownDrift = (state: AssessState, endpoint: EndpointId) =>
  Object.values(state.drift.rows).filter(
    (row) => row.endpoint === endpoint && row.finding.level === "breaking" && !row.isChange,
  ).length;

/** Requests that were never sent, and 429, say nothing about V1's health. */
const countsTowardsRates = ({ outcome, status }: CheckPoint) =>
  outcome !== "no-secret" && outcome !== "refused" && status !== 429;

const share = (part: number, whole: number) => Math.round((1_000 * part) / whole) / 10;
const roundMs = (ms: number) => Math.round(ms * 10) / 10;

type Points = Pick<
  Series["endpoints"][number],
  "at" | "latency" | "failures" | "unauthorized" | "age" | "bucketSeconds"
>;

function readPoints(checks: readonly CheckPoint[], range: Range): Points {
  const isSingle = checks.length <= maxPoints;
  const bucketMs = isSingle ? 1 : bucketMsFor(range, maxPoints);
  const groups = groupBy(checks.filter(countsTowardsRates), (check) => Math.floor(check.atMs / bucketMs));
  const points: Points = {
    bucketSeconds: isSingle ? 0 : bucketMs / 1_000,
    at: [],
    latency: [],
    failures: [],
    unauthorized: [],
    age: [],
  };
  const add = (atMs: number, group: readonly CheckPoint[]) => {
    const ok = group.filter(({ outcome }) => outcome === "ok");
    const latencies = ok.map(({ totalMs }) => totalMs).toSorted((a, b) => a - b);
    const ages = group.flatMap(({ newestAgeSeconds: age }) => (age === null ? [] : [age]));
    const refused = group.filter(({ outcome }) => outcome === "unauthorized").length;
    points.at.push(Math.round(atMs) / 1_000);
    points.latency.push(ok.length === 0 ? null : roundMs(latencies[Math.ceil(ok.length * 0.95) - 1] ?? 0));
    points.failures.push(group.length === 0 ? null : share(group.length - ok.length - refused, group.length));
    points.unauthorized.push(group.length === 0 ? null : share(refused, group.length));
    points.age.push(ages.length === 0 ? null : Math.round(Math.min(...ages)));
  };
  let lastMs: number | undefined;
  const holeMs = findHoleMs([...groups.values()].map(([first]) => first?.atMs ?? 0));
  for (const [index, group] of groups) {
    const atMs = isSingle ? (group[0]?.atMs ?? 0) : index * bucketMs;
    // While v1watch did not run nothing is known: the line is interrupted.
    if (lastMs !== undefined && atMs - lastMs > holeMs) add((atMs + lastMs) / 2, []);
    add(atMs, group);
    lastMs = atMs;
  }
  return points;
}

/** Three times the ordinary time between two points is a hole. */
function findHoleMs(times: readonly number[]): number {
  const gaps = times
    .slice(1)
    .map((ms, index) => ms - (times[index] ?? ms))
    .toSorted((a, b) => a - b);
  return 3 * Math.max(1_000, gaps[Math.floor(gaps.length * 0.75)] ?? 0);
}

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

type Cell = Series["endpoints"][number]["cells"][number];

const toneOrder: readonly Tone[] = ["ok", "unknown", "warning", "critical"];

function toneOf(check: CheckPoint, knownDrift: number): Tone {
  if (check.outcome === "no-secret" || check.outcome === "refused") return "unknown";
  if (check.status === 429) return "warning";
  if (check.outcome !== "ok") return "critical";
  return check.breaking > knownDrift ? "warning" : "ok";
}

/** One cell for each check, or for each bucket of a long range; it leads to its worst check. */
function readCells(
  checks: readonly CheckPoint[],
  range: Range,
  knownDrift: number,
  history: History,
): Cell[] {
  const isSingle = checks.length <= maxCells;
  const bucketMs = isSingle ? 1 : bucketMsFor(range, maxCells);
  const firstIndex = Math.floor(range.fromMs / bucketMs);
  // The bucket of now may have no check yet.
  const lastIndex = Math.floor(
    ((range.name === "selected" ? range.untilMs - 1 : checks.at(-1)?.atMs) ?? 0) / bucketMs,
  );
  const groups = groupBy(checks, (check) => Math.floor(check.atMs / bucketMs));
  const indexes = isSingle
    ? [...groups.keys()]
    : Array.from({ length: lastIndex - firstIndex + 1 }, (_, offset) => firstIndex + offset);
  const rank = (check: CheckPoint) => toneOrder.indexOf(toneOf(check, knownDrift));
  const cells = indexes.map((index) => {
    const group = groups.get(index) ?? [];
    const worst = group.reduce<CheckPoint | undefined>(
      (found, check) => (!found || rank(check) >= rank(found) ? check : found),
      undefined,
    );
    return { index, group, worst };
  });
  const ids = history.checkIds(cells.flatMap(({ worst }) => (worst ? [worst.seq] : [])));
  return cells.map(({ index, group, worst }): Cell => {
    const from = toIso(isSingle ? (worst?.atMs ?? 0) : index * bucketMs);
    const until = isSingle ? undefined : toIso((index + 1) * bucketMs);
    if (!worst) return { from, until, tone: "unknown", text: "no check", checks: 0 };
    const id = ids.get(worst.seq);
    const text = describeCell(group, worst, knownDrift);
    return {
      from,
      until,
      tone: toneOf(worst, knownDrift),
      text,
      checks: group.length,
      id,
    };
  });
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
