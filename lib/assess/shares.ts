// Shares: so many of the scheduled checks of a day are bad, one incident for all endpoints.
import { type EndpointId, endpointIds, sortEndpoints } from "../contract/endpoints.ts";
import { dayMs } from "../time.ts";
import { roundMsOf } from "./cadence.ts";
import {
  areLatestGood,
  begin,
  coveredSpans,
  createIncident,
  end,
  firesAt,
  isCovered,
  isRate,
  isShareInhibited,
  type Judging,
  type OpenIncident,
  openOf,
  viewOf,
} from "./engine-state.ts";
import type { AnyRule, ShareLevel } from "./rules/rule.ts";
import { type EndpointSeries, listSeries } from "./runs.ts";
import { type CountedMarks, countAll, countBad, takeLatest } from "./share-window.ts";
import { addLabels, type Onset } from "./tallies.ts";

/** A share ends by so many marks at least, or by this part of a day's where checks are rare. */
const enoughMarks = { count: 36, ofDay: 0.75 };

type EndpointMarks = CountedMarks & { endpoint: EndpointId };
type DayMarks = { endpoint: EndpointId; marks: readonly CountedMarks[] }[];

/** The marks of the last 24 h that count. */
const listCounted = (judging: Judging, rule: AnyRule, all: readonly EndpointSeries[]): DayMarks =>
  all.map(({ endpoint, series: { window = [] } }) => {
    const spans = coveredSpans(judging, rule, endpoint);
    const sinceMs = judging.nowMs - dayMs;
    const isAll = spans.length === 0 && (window[0]?.atMs ?? 0) > sinceMs;
    const isCounted = (one: CountedMarks) => one.atMs > sinceMs && !isCovered(spans, one);
    return { endpoint, marks: isAll ? window : window.filter(isCounted) };
  });

const sumOf = (day: DayMarks, count: (marks: readonly CountedMarks[]) => number): number =>
  day.reduce((sum, { marks }) => sum + count(marks), 0);

/** Of all endpoints together, the latest first; all of the day, or so many. */
function listLatest(day: DayMarks, count = Number.POSITIVE_INFINITY): EndpointMarks[] {
  const latest = day.flatMap(({ endpoint, marks }) =>
    marks.slice(-Math.min(count, marks.length || 1)).map((one) => ({ ...one, endpoint })),
  );
  return takeLatest(
    latest.sort((a, b) => b.atMs - a.atMs),
    count,
  );
}

export function judgeShare(judging: Judging, rule: AnyRule, levels: readonly ShareLevel[]): void {
  const all = listSeries(judging, rule);
  const [incident] = openOf(judging, rule.id);
  // Most of the time little is bad, and a day of checks every ten seconds need not be listed.
  const mostBad = all.reduce((sum, { series: { window = [] } }) => sum + countBad(window), 0);
  if (!incident && levels.every(({ bad }) => mostBad < bad)) return;
  const day = listCounted(judging, rule, all);
  const bad = sumOf(day, countBad);
  const total = sumOf(day, countAll);
  const level = levels.find(({ bad: least, of, share = 0 }) => {
    if (bad < least) return false;
    if (of === undefined) return bad >= share * total;
    const latest = listLatest(day, of);
    return countBad(latest) >= Math.max(least, share * countAll(latest));
  });
  if (!incident) {
    if (
      !level ||
      (!rule.opens.mayBeRun &&
        isMostlyRuns(judging, rule, all, { latest: listLatest(day, level.of), of: level.of }))
    )
      return;
    const onset: Onset = { atMs: judging.nowMs, before: {} };
    const opened = createIncident(judging, rule, [], { onset, parts: {} });
    countShare(judging, { rule, incident: opened, day, level });
    begin(judging, opened);
    replaceMixed(judging, rule, opened);
    return;
  }
  // While another incident covers its checks, nothing is known of the share; nor where few checks are left to count.
  if (isShareInhibited(judging, rule, incident.allEndpoints)) return;
  const dayMarks = (all.length * dayMs) / roundMsOf(judging, rule);
  const isOver =
    bad <= (rule.closes.bad ?? 0) &&
    total >= Math.min(enoughMarks.count, enoughMarks.ofDay * dayMarks) &&
    all.every(({ series }) => series.bad === undefined);
  if (isOver && areLatestGood(judging)) {
    end(judging, incident);
    return;
  }
  if (bad === 0) return;
  const isWorse = level?.severity === "page" && incident.severity !== "page";
  countShare(judging, { rule, incident, day, level: isWorse ? level : { bad: 0 } });
  if (isWorse) replaceMixed(judging, rule, incident);
}

/**
 * Bad checks in a row that may become everything go first. Where so many of the latest checks are bad, they do so only if most of
 * these are theirs; what an incident tells already is not about to become one.
 */
function isMostlyRuns(
  judging: Judging,
  { inhibitedBy = [] }: AnyRule,
  all: readonly EndpointSeries[],
  { latest, of }: { latest: readonly CountedMarks[]; of: number | undefined },
): boolean {
  const running = all
    .filter(
      ({ endpoint, series }) => (series.bad?.count ?? 0) >= 2 && !firesAt(judging, inhibitedBy, endpoint),
    )
    .reduce((sum, { series }) => sum + series.bad!.count, 0);
  return running > 0 && (of === undefined || 2 * running > countBad(latest));
}

/** Where good and bad checks take turns, the share describes it better than the failure that was opened by some in a row. */
function replaceMixed(judging: Judging, { inhibitedBy = [] }: AnyRule, share: OpenIncident): void {
  for (const incident of judging.state.open) {
    const { row, endpoints, severity } = incident;
    const isDescribed = isRate(incident) && endpoints.every((endpoint) => share.endpoints.includes(endpoint));
    if (!isDescribed || !inhibitedBy.includes(row)) continue;
    // What takes the place of a page is not less than a page.
    if (severity === "page") share.severity = "page";
    share.allEndpoints = sortEndpoints([...share.allEndpoints, ...incident.allEndpoints]);
    end(judging, incident, share);
  }
}

/** What is said of a share is said of its current window. */
function countShare(
  judging: Judging,
  { rule, incident, day, level }: { rule: AnyRule; incident: OpenIncident; day: DayMarks; level: ShareLevel },
): void {
  const window = listLatest(day, level.of);
  const bad = window.flatMap(({ bad: marks, endpoint }) => (marks ? [{ ...marks, endpoint }] : []));
  const [latest] = bad;
  if (!latest) return;
  if (level.severity) incident.severity = level.severity;
  incident.endpoints = endpointIds.filter((endpoint) => bad.some((marks) => marks.endpoint === endpoint));
  incident.allEndpoints = sortEndpoints([...incident.allEndpoints, ...incident.endpoints]);
  const own = window.filter(({ endpoint }) => incident.endpoints.includes(endpoint));
  for (const endpoint of incident.endpoints) {
    const worst = bad.filter((one) => one.endpoint === endpoint);
    const recent = worst
      .slice(0, 3)
      .reverse()
      .map(({ atMs, value }) => ({ atMs, value }));
    const { fromMs: firstMs } = worst.at(-1)!;
    const lastMs = worst[0]!.atMs;
    incident.parts[endpoint] = { firstMs, coversFromMs: firstMs, lastMs, recent, before: {}, through: {} };
  }
  const labels: Record<string, number> = {};
  for (const one of bad) addLabels(labels, one.labels);
  incident.counted = { bad: countBad(own), total: countAll(own), labels, kinds: {} };
  const fromMs = own.at(-1)!.fromMs;
  const all = listSeries(judging, rule).flatMap(({ endpoint, series: { window: marks = [] } }) =>
    incident.endpoints.includes(endpoint) ? marks.filter((one) => one.fromMs >= fromMs) : [],
  );
  const hasUnmarked = listSeries(judging, rule).some(
    ({ endpoint, series: { unmarkedMs = 0 } }) =>
      incident.endpoints.includes(endpoint) && unmarkedMs >= fromMs,
  );
  const isLess = countAll(all) > countAll(own.filter((one) => one.fromMs >= fromMs));
  incident.hasCovered = isLess || hasUnmarked || undefined;
  incident.onset = { atMs: bad.at(-1)!.fromMs, before: {} };
  incident.overMs = Math.max(0, own[0]!.atMs - own.at(-1)!.fromMs);
  incident.value = latest.value;
  if (rule.name) incident.rule = rule.name(viewOf(judging, incident));
  // Since the first bad one: before it nothing was wrong.
  const firstBadMs = bad.at(-1)!.fromMs;
  incident.share = countBad(own) / countAll(own.filter(({ atMs }) => atMs >= firstBadMs));
}
