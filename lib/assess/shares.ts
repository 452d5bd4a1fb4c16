// Shares: so many of the scheduled checks of a day are bad, one incident for all endpoints.
import { type EndpointId, endpointIds, sortEndpoints } from "../contract/endpoints.ts";
import { dayMs } from "../time.ts";
import { roundMsOf } from "./cadence.ts";
import {
  areLatestGood,
  begin,
  end,
  isCovered,
  isShareInhibited,
  type Judging,
  nameIncident,
  type OpenIncident,
  openOf,
  tally,
  viewOf,
} from "./engine-state.ts";
import type { AnyRule, ShareLevel, StoredMark } from "./rules/rule.ts";
import { listSeries } from "./runs.ts";

/** A share ends by so many marks at least, or by this part of a day's where checks are rare. */
const enoughMarks = { count: 36, ofDay: 0.75 };

type CountedMark = StoredMark & { isBad: boolean; endpoint: EndpointId };

export function judgeShare(judging: Judging, rule: AnyRule, levels: readonly ShareLevel[]): void {
  const { nowMs } = judging;
  const all = listSeries(judging, rule);
  const [incident] = openOf(judging, rule.id);
  const day: CountedMark[] = all
    .flatMap(({ endpoint, series }) => (series.window ?? []).map((mark) => ({ ...mark, endpoint })))
    .filter((mark) => mark.atMs > nowMs - dayMs && !isCovered(judging, rule, mark))
    .sort((a, b) => b.atMs - a.atMs);
  const level = levels.find(({ bad, of, share = 0 }) => {
    const window = of === undefined ? day : day.slice(0, of);
    const count = window.filter(({ isBad }) => isBad).length;
    return count >= bad && count >= share * window.length;
  });
  const isInRun = all.some(({ series }) => (series.bad?.count ?? 0) >= 2);
  if (!incident) {
    // About to be everything: runs go first.
    if (!level || (isInRun && !rule.opens.mayBeRun)) return;
    const opened = begin(judging, rule, [], {});
    countShare(judging, { rule, incident: opened, day, level });
    nameIncident(judging, opened);
    replaceMixed(judging, rule, opened);
    return;
  }
  // While another incident covers its checks, nothing is known of the share; nor where few checks are left to count.
  if (isShareInhibited(judging, rule, incident.allEndpoints)) return;
  const bad = day.filter(({ isBad }) => isBad);
  const dayMarks = (all.length * dayMs) / roundMsOf(judging, rule);
  const isOver =
    bad.length <= (rule.closes.bad ?? 0) &&
    day.length >= Math.min(enoughMarks.count, enoughMarks.ofDay * dayMarks) &&
    all.every(({ series }) => series.bad === undefined);
  if (isOver && areLatestGood(judging)) {
    end(judging, incident);
    return;
  }
  if (bad.length === 0) return;
  const isWorse = level?.severity === "page" && incident.severity !== "page";
  countShare(judging, { rule, incident, day, level: isWorse ? level : { bad: 0 } });
  if (isWorse) replaceMixed(judging, rule, incident);
}

/** Where good and bad checks take turns, the share describes it better than the failure that was opened by some in a row. */
function replaceMixed(judging: Judging, { inhibitedBy = [] }: AnyRule, share: OpenIncident): void {
  for (const incident of judging.state.open) {
    const { row, isMixed, endpoints, severity } = incident;
    const isDescribed = isMixed && endpoints.every((endpoint) => share.endpoints.includes(endpoint));
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
  {
    rule,
    incident,
    day,
    level,
  }: { rule: AnyRule; incident: OpenIncident; day: readonly CountedMark[]; level: ShareLevel },
): void {
  const window = level.of === undefined ? day : day.slice(0, level.of);
  const bad = window.filter(({ isBad }) => isBad);
  if (level.severity) incident.severity = level.severity;
  incident.endpoints = endpointIds.filter((endpoint) => bad.some((mark) => mark.endpoint === endpoint));
  incident.allEndpoints = sortEndpoints([...incident.allEndpoints, ...incident.endpoints]);
  const own = window.filter(({ endpoint }) => incident.endpoints.includes(endpoint));
  for (const endpoint of incident.endpoints) {
    const marks = own.filter((mark) => mark.endpoint === endpoint);
    const worst = marks.filter(({ isBad }) => isBad);
    incident.parts[endpoint] = {
      firstMs: worst.at(-1)!.atMs,
      lastMs: worst[0]!.atMs,
      bad: worst.length,
      total: marks.length,
      goodSince: 0,
      recent: worst.slice(0, 3).reverse(),
      labels: {},
    };
  }
  const labels: Record<string, number> = {};
  for (const { value } of bad) tally(labels, rule.label?.(value));
  incident.labels = labels;
  incident.lastBadMs = bad[0]!.atMs;
  incident.overMs = Math.max(0, own[0]!.atMs - own.at(-1)!.atMs);
  incident.value = bad[0]!.value;
  if (rule.name) incident.rule = rule.name(viewOf(judging, incident));
  // Since the first bad one: before it nothing was wrong.
  incident.share = bad.length / own.filter(({ atMs }) => atMs >= bad.at(-1)!.atMs).length;
}
