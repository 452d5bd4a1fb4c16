// Shares: so many of the scheduled checks of a day are bad, one incident for all endpoints.
import { type EndpointId, endpointIds, sortEndpoints } from "../../contract/endpoints.ts";
import { dayMs } from "../../time.ts";
import type { AnyRule, ShareLevel } from "../rules/rule.ts";
import { roundMsOf, roundsMs } from "./cadence.ts";
import { away } from "./comes-and-goes.ts";
import {
  begin,
  createIncident,
  end,
  firesAt,
  type IncidentPart,
  isRate,
  isShareInhibited,
  type Judging,
  type OpenIncident,
  openOf,
  partsOf,
  seriesAt,
  viewOf,
  withoutCovered,
} from "./engine-state.ts";
import { checksByChance, type EndpointSeries, listSeries } from "./runs.ts";
import { type CountedMarks, countAll, countBad, takeLatest } from "./share-window.ts";
import { addCounts, addLabels, freshTally, type Onset } from "./tallies.ts";

/** A share ends by so much of a day's marks at the latest. */
const enoughOfDay = 0.75;

type EndpointMarks = CountedMarks & { endpoint: EndpointId };
type Marks = { endpoint: EndpointId; marks: readonly CountedMarks[] }[];

/** The marks that count, of the scheduled checks of the last 24 h; `turns`: of all checks in a shorter time. */
function listCounted(
  judging: Judging,
  rule: AnyRule,
  all: readonly EndpointSeries[],
  turns?: ShareLevel["turns"],
): Marks {
  // What ended is forgotten: it would open at once again.
  const endedMs = judging.state.ended.findLast(({ row }) => row === rule.id)?.endedMs ?? 0;
  const sinceMs = Math.max(judging.nowMs - (turns?.withinMs ?? dayMs), endedMs);
  return all.map(({ endpoint, series }) => {
    const marks = (turns ? series.latest : series.window) ?? [];
    return { endpoint, marks: withoutCovered(judging, rule, { endpoint, marks, sinceMs }) };
  });
}

/** Of all endpoints together, the latest first; all of them, or so many. */
function listLatest(all: Marks, count = Number.POSITIVE_INFINITY): EndpointMarks[] {
  const latest = all.flatMap(({ endpoint, marks }) =>
    marks.slice(-Math.min(count, marks.length || 1)).map((one) => ({ ...one, endpoint })),
  );
  return takeLatest(
    latest.sort((a, b) => b.atMs - a.atMs),
    count,
  );
}

/** A level that holds, and the marks that it counts, the latest first. */
type Reached = { level: ShareLevel; marks: readonly EndpointMarks[] };

function findReached(
  judging: Judging,
  rule: AnyRule,
  all: readonly EndpointSeries[],
  levels: readonly ShareLevel[],
): Reached | undefined {
  const day = listCounted(judging, rule, all);
  const badOfDay = day.reduce((sum, { marks }) => sum + countBad(marks), 0);
  for (const level of levels) {
    const { of, turns, bad: least, share = 0 } = level;
    if (!turns && badOfDay < least) continue;
    const marks = listLatest(turns ? listCounted(judging, rule, all, turns) : day, of);
    const bad = countBad(marks);
    if (bad < least || bad < share * countAll(marks)) continue;
    if (turns && countReturns(marks) < turns.returns) continue;
    return { level, marks };
  }
  return undefined;
}

/** How often endpoints were bad again after good marks that followed bad ones. Marks: the latest first. */
function countReturns(marks: readonly EndpointMarks[]): number {
  let returns = 0;
  for (const endpoint of endpointIds) {
    const own = marks.filter((one) => one.endpoint === endpoint).reverse();
    const starts = own.filter(({ bad }, index) => bad && (index === 0 || !own[index - 1]!.bad));
    returns += Math.max(0, starts.length - 1);
  }
  return returns;
}

export function judgeShare(judging: Judging, rule: AnyRule, levels: readonly ShareLevel[]): void {
  const all = listSeries(judging, rule);
  const [incident] = openOf(judging, rule.id);
  if (incident) {
    followShare(judging, rule, { incident, all, levels });
    return;
  }
  // Most of the time little is bad, and a day of checks every ten seconds need not be listed.
  const mostBad = all.reduce((sum, { series }) => sum + countBad(series.window ?? []), 0);
  const latestBad = all.reduce((sum, { series }) => sum + countBad(series.latest ?? []), 0);
  if (levels.every(({ bad, turns }) => (turns ? latestBad : mostBad) < bad)) return;
  const reached = findReached(judging, rule, all, levels);
  if (!reached || (!rule.opens.mayBeRun && isMostlyRuns(judging, rule, all, reached))) return;
  const onset: Onset = { atMs: judging.nowMs, before: {} };
  const opened = createIncident(judging, rule, [], { onset, parts: {} });
  countShare(judging, { rule, incident: opened, reached });
  begin(judging, opened);
  replaceMixed(judging, rule, opened);
}

type Following = {
  incident: OpenIncident;
  all: readonly EndpointSeries[];
  levels: readonly ShareLevel[];
};

function followShare(judging: Judging, rule: AnyRule, following: Following): void {
  const { incident, all, levels } = following;
  // While another incident covers its checks, nothing is known of the share.
  if (isShareInhibited(judging, rule, incident.allEndpoints)) return;
  if (isAway(judging, rule, incident)) {
    end(judging, incident);
    return;
  }
  const reached = findReached(judging, rule, all, levels);
  const isWorse = reached?.level.severity === "page" && incident.severity !== "page";
  // Until the schedule shows it, too, the latest checks of all kinds are counted: up to the last bad one where fewer are bad by now.
  if (reached && (isWorse || incident.isOfAllChecks)) countShare(judging, { rule, incident, reached });
  else if (!incident.isOfAllChecks || hasNewBad(incident, all))
    countShare(judging, { rule, incident, reached: countNow(judging, rule, following) });
  if (isWorse) replaceMixed(judging, rule, incident);
}

/** Whether a check is bad that came after those that are counted. */
function hasNewBad({ parts }: OpenIncident, all: readonly EndpointSeries[]): boolean {
  const countedMs = Math.max(...Object.values(parts).map(({ lastMs }) => lastMs));
  return all.some(({ series: { marks } }) => -Math.min(0, ...marks) > countedMs);
}

/** Its window as it is now, whatever level it reaches. */
function countNow(judging: Judging, rule: AnyRule, { incident, all, levels }: Following): Reached {
  const { of, turns } = levels.find((level) => level.turns && incident.isOfAllChecks) ?? {};
  const marks = listLatest(listCounted(judging, rule, all, turns && { ...turns, withinMs: dayMs }), of);
  return { level: { bad: 0, turns }, marks };
}

/** All of its endpoints are good for long enough, and in so many checks in a row that they are no chance at its share. */
function isAway(judging: Judging, rule: AnyRule, { allEndpoints, share = 0 }: OpenIncident): boolean {
  const own = listSeries(judging, rule).filter(({ endpoint }) => allEndpoints.includes(endpoint));
  const awayMs = roundsMs(judging, rule, away);
  if (!own.every(({ series: { good } }) => good !== undefined && good.watchedMs >= awayMs)) return false;
  // What another incident covers is no part of the share, but a good check after it is good all the same.
  const marks = listLatest(own.map(({ endpoint, series }) => ({ endpoint, marks: series.window ?? [] })));
  const lastBad = marks.findIndex(({ bad }) => bad);
  const good = countAll(lastBad < 0 ? marks : marks.slice(0, lastBad));
  const dayMarks = (own.length * dayMs) / roundMsOf(judging, rule);
  return good >= Math.min(enoughOfDay * dayMarks, checksByChance(1 - share));
}

/**
 * Bad checks in a row that may become everything go first. Where so many of the latest checks are bad, they do so only if most of
 * these are theirs; what an incident tells already is not about to become one.
 */
function isMostlyRuns(
  judging: Judging,
  { inhibitedBy = [] }: AnyRule,
  all: readonly EndpointSeries[],
  { level: { of }, marks }: Reached,
): boolean {
  const running = all
    .filter(
      ({ endpoint, series }) => (series.bad?.count ?? 0) >= 2 && !firesAt(judging, inhibitedBy, endpoint),
    )
    .reduce((sum, { series }) => sum + series.bad!.count, 0);
  return running > 0 && (of === undefined || 2 * running > countBad(marks));
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

type PartOfShare = { endpoint: EndpointId; level: ShareLevel; window: readonly EndpointMarks[] };

/** What is counted of one endpoint, and whether its log has checks since the beginning of the window that are not. */
function countPart(
  judging: Judging,
  rule: AnyRule,
  { endpoint, level, window }: PartOfShare,
): Pick<IncidentPart, "counted" | "window" | "hasCovered"> {
  const own = window.filter((one) => one.endpoint === endpoint);
  const labels: Record<string, number> = {};
  for (const { bad } of own) if (bad) addLabels(labels, bad.labels);
  const fromMs = window.at(-1)!.fromMs;
  const series = seriesAt(judging.state, rule.id, endpoint);
  const every = ((level.turns ? series.latest : series.window) ?? []).filter((one) => one.fromMs >= fromMs);
  const unmarkedMs = level.turns ? series.unmarkedMs?.latest : series.unmarkedMs?.window;
  const isLess = countAll(every) > countAll(own);
  return {
    counted: { bad: countBad(own), total: countAll(own), labels, kinds: {} },
    window: { fromMs: own.at(-1)!.fromMs, toMs: own[0]!.atMs },
    hasCovered: isLess || (unmarkedMs ?? 0) >= fromMs || undefined,
  };
}

/** What is said of a share is said of its current window. */
function countShare(
  judging: Judging,
  { rule, incident, reached }: { rule: AnyRule; incident: OpenIncident; reached: Reached },
): void {
  const { level, marks: window } = reached;
  const bad = window.flatMap(({ bad: marks, endpoint }) => (marks ? [{ ...marks, endpoint }] : []));
  const [latest] = bad;
  if (!latest) return;
  if (level.severity) incident.severity = level.severity;
  incident.isOfAllChecks = level.turns ? true : undefined;
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
    // The window moves on; what the incident has covered stays covered.
    const coversFromMs = Math.min(incident.parts[endpoint]?.coversFromMs ?? firstMs, firstMs);
    const part = { firstMs, coversFromMs, lastMs, recent, before: {}, through: freshTally() };
    incident.parts[endpoint] = { ...part, ...countPart(judging, rule, { endpoint, level, window: own }) };
  }
  incident.counted = addCounts(partsOf(incident, incident.endpoints).flatMap(({ counted }) => counted ?? []));
  incident.hasCovered =
    partsOf(incident, incident.endpoints).some(({ hasCovered }) => hasCovered) || undefined;
  incident.onset = { atMs: bad.at(-1)!.fromMs, before: {} };
  incident.overMs = Math.max(0, own[0]!.atMs - own.at(-1)!.fromMs);
  incident.value = latest.value;
  if (rule.name) incident.rule = rule.name(viewOf(judging, incident));
  // From the first bad one to the good one after the last: before and after that nothing was wrong.
  const first = own.findLastIndex((marks) => marks.bad);
  const last = own.findIndex((marks) => marks.bad);
  incident.share = countBad(own) / countAll(own.slice(Math.max(0, last - 1), first + 1));
}
