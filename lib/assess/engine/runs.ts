// Bad marks in a row, and when they are enough for an incident; good marks in a row, and when they are enough for its end.
import { thresholds } from "../../config/thresholds.ts";
import type { EndpointId } from "../../contract/endpoints.ts";
import { minuteMs } from "../../time.ts";
import { hasSample } from "../checks/check.ts";
import type { AnyRule, RunLimit } from "../rules/rule.ts";
import { roundsMs, together } from "./cadence.ts";
import {
  endpointsOf,
  type IncidentPart,
  type Judging,
  type OpenIncident,
  openOf,
  type Run,
  ruleOf,
  type Series,
  seriesAt,
  withoutCovered,
} from "./engine-state.ts";
import { type CountedMarks, countAll, countBad } from "./share-window.ts";
import { earliest, type Onset } from "./tallies.ts";

export type EndpointSeries = { endpoint: EndpointId; series: Series };

export const listSeries = (judging: Judging, rule: AnyRule): EndpointSeries[] =>
  endpointsOf(rule).map((endpoint) => ({ endpoint, series: seriesAt(judging.state, rule.id, endpoint) }));

export const spanMs = (run: Pick<Run, "firstMs" | "lastMs">) => run.lastMs - run.firstMs;

/** A check is made a moment after it is due, now more and now less: what of a time may be missing for that. */
const scatter = { share: 1 / 30, maxMs: 10_000 } as const;
/** Times that are made of extra checks. Longer ones are made of scheduled checks, whatever pageAfter says. */
const longestExtraMs = 30 * minuteMs;

/** alerts.pageAfter shortens or lengthens what a page needs; what a warning or an end needs it only shortens. */
export function neededMs({ settings }: Judging, forMs: number, isPage: boolean): number {
  const ratio = (settings.pageAfterMs ?? thresholds.pageAfterMs) / thresholds.pageAfterMs;
  const wantedMs = forMs > longestExtraMs ? forMs : forMs * (isPage ? ratio : Math.min(1, ratio));
  return wantedMs - Math.min(scatter.maxMs, wantedMs * scatter.share);
}

/** So seldom may chance alone make a run of marks where a share of all marks is of their kind anyway. */
const chance = 1 / 1_000;
export const checksByChance = (share: number): number =>
  share < 1 ? Math.ceil(Math.log(chance) / Math.log(share)) : Number.POSITIVE_INFINITY;
const maxByChance = 24;
/** Fewer marks before a run say nothing of a share. */
const enoughBefore = 6;

/** What a run on all of these endpoints needs while a share of their checks is known to be bad. */
export function harderAt(
  judging: Judging,
  rule: AnyRule,
  names: readonly EndpointId[],
): RunLimit | undefined {
  for (const harder of rule.harder ?? []) {
    const [incident] = openOf(judging, harder.while);
    const share = ruleOf(judging, harder.while);
    if (!incident || !share || !names.every((endpoint) => incident.endpoints.includes(endpoint))) continue;
    if (!names.every((name) => isExplained(seriesAt(judging.state, rule.id, name).bad, harder))) continue;
    const before = listBefore(judging, rule, { incident, share });
    const byChance = Math.min(maxByChance, checksByChance(shareOf(incident, before)));
    // Of an endpoint that was not bad before, the share says only that.
    const wasBad = names.every((name) => before.some((one) => one.endpoint === name && one.bad));
    const least = wasBad ? harder.checks : (rule.opens.run?.checks ?? 1);
    return { checks: Math.max(least, byChance), forMs: harder.forMs };
  }
  return undefined;
}

/** Whether its latest marks may be those of the share. */
const isExplained = (run: Run | undefined, { explains }: NonNullable<AnyRule["harder"]>[number]): boolean =>
  run === undefined || !explains || run.recent.some(({ value }) => explains(value));

/** The marks of a share since its first bad one, without those of the runs that are judged: these would prove themselves chance. */
const listBefore = (
  judging: Judging,
  rule: AnyRule,
  { incident, share }: { incident: OpenIncident; share: AnyRule },
): (CountedMarks & { endpoint: EndpointId })[] =>
  incident.allEndpoints.flatMap((endpoint) => {
    const { window: marks = [] } = seriesAt(judging.state, share.id, endpoint);
    const startMs = seriesAt(judging.state, rule.id, endpoint).bad?.firstMs ?? judging.nowMs + 1;
    return withoutCovered(judging, share, { endpoint, marks, sinceMs: 0 })
      .filter((one) => one.fromMs >= incident.onset.atMs && one.atMs < startMs)
      .map((one) => ({ ...one, endpoint }));
  });

function shareOf({ share = 0 }: OpenIncident, before: readonly CountedMarks[]): number {
  const total = countAll(before);
  return total < enoughBefore ? share : countBad(before) / total;
}

function isRunEnough(judging: Judging, rule: AnyRule, { endpoint, series }: EndpointSeries): boolean {
  const run = series.bad;
  if (!run) return false;
  const { checks, forMs } = harderAt(judging, rule, [endpoint]) ?? rule.opens.run!;
  const { samples = 1 } = rule.opens.run!;
  const isAboutSamples = hasSample(endpoint) && !run.hasUnsampled;
  return (
    run.count >= checks &&
    spanMs(run) >= neededMs(judging, forMs, rule.severity === "page") &&
    (!isAboutSamples || run.samples.length >= samples)
  );
}

/** The marks of its bad run from an instant on. */
const countSince = ({ bad, marks }: Series, fromMs: number): number =>
  bad!.firstMs >= fromMs ? bad!.count : marks.filter((mark) => -mark >= fromMs).length;

export function areBadTogether(judging: Judging, rule: AnyRule, among: readonly EndpointSeries[]): boolean {
  const limit = rule.opens.run?.together;
  const bad = among.filter(({ series }) => series.bad);
  if (!limit || bad.length < limit.endpoints) return false;
  if (!bad.every(({ series }) => series.bad!.count >= limit.each)) return false;
  const names = bad.map(({ endpoint }) => endpoint);
  const harder = harderAt(judging, rule, names);
  const { checks, forMs } = harder ?? limit;
  const runs = bad.map(({ series }) => series.bad!);
  // An old fault of one endpoint proves nothing of the others.
  const onsetMs = Math.max(...runs.map((run) => run.firstMs)) - roundsMs(judging, rule, together);
  const firstMs = Math.min(...runs.map((run) => run.firstMs).filter((ms) => ms >= onsetMs));
  const lastMs = Math.max(...runs.map((run) => run.lastMs));
  const isRecent = runs.every((run) => run.lastMs >= firstMs);
  // Where a share is bad anyway, each has bad checks in a row by chance: only those since the last good check of any count.
  const goodMs = harder
    ? Math.max(...bad.map(({ endpoint, series }) => series.bad!.before[endpoint]?.goodMs ?? 0))
    : 0;
  const fromMs = Math.max(firstMs, goodMs + 1);
  const count = bad.reduce((total, { series }) => total + countSince(series, fromMs), 0);
  return (
    isRecent && count >= checks && lastMs - firstMs >= neededMs(judging, forMs, rule.severity === "page")
  );
}

/** The endpoints that open an incident now: those whose run is enough and who is bad beside them, or all together. */
export function findConfirmed(
  judging: Judging,
  rule: AnyRule,
  among: readonly EndpointSeries[],
): EndpointSeries[] {
  const bad = among.filter(({ series }) => series.bad);
  if (areBadTogether(judging, rule, among)) return bad;
  const enough = bad.filter((one) => isRunEnough(judging, rule, one));
  if (enough.length === 0) return [];
  const { atMs: firstMs } = onsetOf(judging, rule, enough);
  return bad.filter(
    (one) =>
      enough.includes(one) ||
      (one.series.bad!.count >= 2 &&
        Math.abs(one.series.bad!.firstMs - firstMs) <= roundsMs(judging, rule, together)),
  );
}

/** The earliest onset within one round of the latest, so that an old fault of one endpoint does not backdate it. */
export function onsetOfParts(
  judging: Judging,
  rule: AnyRule,
  parts: readonly Pick<IncidentPart, "firstMs" | "before">[],
): Onset {
  const latestMs = Math.max(...parts.map(({ firstMs }) => firstMs));
  const earliestMs = latestMs - roundsMs(judging, rule, together);
  const onsets = parts.map(({ firstMs, before }) => ({ atMs: firstMs, before }));
  return earliest(onsets.filter(({ atMs }) => atMs >= earliestMs));
}

export const onsetOf = (judging: Judging, rule: AnyRule, bad: readonly EndpointSeries[]): Onset =>
  onsetOfParts(
    judging,
    rule,
    bad.map(({ series }) => ({ firstMs: series.bad!.sinceMs, before: series.bad!.before })),
  );
