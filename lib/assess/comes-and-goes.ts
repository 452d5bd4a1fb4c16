// A fault that comes and goes is one incident: it is told once as such, it ends only after it has stayed away for longer than
// it does in between, and it is told again when it lasts.
import { type EndpointId, sortEndpoints } from "../contract/endpoints.ts";
import { dayMs, hourMs, minuteMs } from "../time.ts";
import { type Rounds, roundsMs } from "./cadence.ts";
import {
  countOf,
  type EndedIncident,
  type GoodRun,
  type IncidentPart,
  type Judging,
  type OpenIncident,
  seriesAt,
  wholeOnsetOf,
} from "./engine-state.ts";
import type { AnyRule } from "./rules/rule.ts";
import { findConfirmed, listSeries, neededMs, spanMs } from "./runs.ts";

/** An onset so soon after an end is the same fault. */
const soon: Rounds = { rounds: 3, leastMs: hourMs };
/** So many incidents that ended within a day. */
const oftenADay = 3;
/** How long an incident that came and went is remembered, and the longest time that it has to stay away. */
const remembered: Rounds = { rounds: 6, leastMs: dayMs };
/** Inside one incident: so often an endpoint was bad again; and so often after fewer good checks than an end needs. */
const returnsInside = { any: 3, mixed: 2 };
/** It has to stay away for so many times as long as ever in between. */
const away = { stretches: 1.5, leastMs: hourMs };
/** It lasts when it is bad for so many times as long as ever before. */
const lasts = { stretches: 2, leastMs: 15 * minuteMs };

/** On opening: what was here a short while ago, came and went within a day, or opened too often in it, comes and goes. */
export function recognizeReturn(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  const { state, nowMs } = judging;
  const { onset } = incident;
  const awayMsOf = ({ goodAgainMs, endedMs }: EndedIncident) =>
    Math.max(0, onset.atMs - (goodAgainMs ?? endedMs));
  const rememberedMs = roundsMs(judging, rule, remembered);
  const former = state.ended.filter(
    (one) =>
      one.row === rule.id &&
      !one.isReplaced &&
      one.endedMs > nowMs - rememberedMs &&
      one.endpoints.some((endpoint) => incident.endpoints.includes(endpoint)),
  );
  const soonMs = roundsMs(judging, rule, soon);
  const isBack = former.some((one) => one.comesAndGoes || awayMsOf(one) <= soonMs);
  const isOften = former.filter(({ endedMs }) => endedMs > nowMs - dayMs).length >= oftenADay;
  if (!isBack && !isOften) return;
  incident.comesAndGoes = true;
  incident.stretchMs = Math.min(...former.map(awayMsOf));
}

/** What takes the place of something that comes and goes does so, too. */
export function inherit(incident: OpenIncident, replaced: OpenIncident): void {
  incident.comesAndGoes ||= replaced.comesAndGoes;
  incident.isMixed ||= replaced.isMixed;
  incident.stretchMs = Math.max(incident.stretchMs, replaced.stretchMs);
  incident.badStretchMs = Math.max(incident.badStretchMs, replaced.badStretchMs);
}

/** A notice that ended less than a day ago and is back with the same key comes and goes, on all the endpoints that it had. */
export function continueNotice({ state, nowMs }: Judging, incident: OpenIncident): void {
  const former = state.ended.findLast(
    ({ row, key, endedMs, isReplaced }) =>
      row === incident.row && key === incident.key && endedMs > nowMs - dayMs && !isReplaced,
  );
  if (!former) return;
  const parts: OpenIncident["parts"] = { ...former.parts };
  for (const [endpoint, part] of Object.entries(incident.parts) as [EndpointId, IncidentPart][]) {
    const { firstMs, before } = parts[endpoint] ?? part;
    parts[endpoint] = { ...part, firstMs, before };
  }
  incident.parts = parts;
  incident.allEndpoints = sortEndpoints([...incident.allEndpoints, ...former.endpoints]);
  incident.endpoints = incident.allEndpoints;
  incident.onset = wholeOnsetOf(incident);
  incident.comesAndGoes = true;
  incident.stretchMs = dayMs;
}

/** Inside: an endpoint is bad at `atMs` after these good checks. */
export function noteReturn(
  judging: Judging,
  { closes: { checks = 1, forMs = 0 } }: AnyRule,
  { incident, part, good, atMs }: { incident: OpenIncident; part: IncidentPart; good: GoodRun; atMs: number },
): void {
  incident.stretchMs = Math.max(incident.stretchMs, atMs - good.firstMs);
  part.returns = (part.returns ?? 0) + 1;
  const isMixed = good.count < checks || spanMs(good) < neededMs(judging, forMs, false);
  if (isMixed) part.mixed = (part.mixed ?? 0) + 1;
  if ((part.mixed ?? 0) >= returnsInside.mixed) incident.isMixed = true;
  if (incident.isMixed || part.returns >= returnsInside.any) incident.comesAndGoes = true;
}

/** Whether what comes and goes is bad for longer than ever: that is said until none of its endpoints is bad. */
export function noteLasting(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  const runs = incident.endpoints.flatMap((one) => seriesAt(judging.state, rule.id, one).bad ?? []);
  if (!incident.comesAndGoes || incident.severity !== "page" || runs.length === 0) {
    incident.lastsSinceMs = undefined;
    return;
  }
  const firstMs = Math.min(...runs.map((run) => run.firstMs));
  const lastMs = Math.max(...runs.map((run) => run.lastMs));
  if (lastMs - firstMs >= lastingMsOf(incident) && isConfirmed(judging, rule))
    incident.lastsSinceMs ??= firstMs;
}

/** How long it has to be bad in a row until it lasts. */
export const lastingMsOf = ({ badStretchMs }: OpenIncident): number =>
  Math.max(lasts.leastMs, lasts.stretches * badStretchMs);

/** Whether what is bad now would be an incident by itself. */
const isConfirmed = (judging: Judging, rule: AnyRule): boolean =>
  findConfirmed(judging, rule, listSeries(judging, rule)).length > 0;

/** How long all endpoints have to be good before the end, beside what every end needs. */
export function calmMsOf(judging: Judging, rule: AnyRule, { comesAndGoes, stretchMs }: OpenIncident): number {
  const { calm } = rule.closes;
  if (calm === undefined && !comesAndGoes) return 0;
  const stretchesMs = (calm ?? away.stretches) * stretchMs + 1;
  const leastMs = comesAndGoes ? away.leastMs : 0;
  return Math.min(roundsMs(judging, rule, remembered), Math.max(leastMs, stretchesMs));
}

/**
 * Another cause of what comes and goes has to be confirmed like an incident, and by a response that this one has not had
 * before: with one that it has had it is the same fault, unless that lasts.
 */
export function mayHaveOtherCause(judging: Judging, rule: AnyRule, incident: OpenIncident): boolean {
  if (!incident.comesAndGoes) return true;
  if (!isConfirmed(judging, rule)) return false;
  const label = rule.label?.(incident.value) ?? "";
  const { labels } = countOf(incident, incident.allEndpoints, wholeOnsetOf(incident));
  const times = labels[label] ?? 0;
  const now = listSeries(judging, rule).reduce((sum, { series }) => sum + (series.bad?.count ?? 0), 0);
  return times <= now || incident.lastsSinceMs !== undefined;
}
