// A fault that comes and goes is one incident: it is told once as such, it ends once it has stayed away, and it is told again when
// it lasts. Every time is absolute: what was seen before makes none of them longer, and nothing is known of it after its end.
import { type EndpointId, sortEndpoints } from "../../contract/endpoints.ts";
import { dayMs, hourMs, minuteMs } from "../../time.ts";
import type { AnyRule } from "../rules/rule.ts";
import { type Rounds, roundsMs } from "./cadence.ts";
import {
  countOf,
  type GoodRun,
  type IncidentPart,
  type Judging,
  type OpenIncident,
  type Run,
  seriesAt,
  wholeOnsetOf,
} from "./engine-state.ts";
import { findConfirmed, listSeries, neededMs, onsetOf, spanMs } from "./runs.ts";

/** Bad so soon after an end is the same fault. */
export const soon: Rounds = { rounds: 3, leastMs: hourMs };
/** So many incidents that ended within a day. */
const oftenADay = 3;
/** Inside one incident: so often an endpoint was bad again; and so often after fewer good checks than an end needs. */
const returnsInside = { any: 3, mixed: 2 };
/** What comes and goes is over once all of its endpoints were good for so long. */
export const away: Rounds = { rounds: 4, leastMs: 2 * hourMs };
/** It lasts when an endpoint is bad in every check for so long; after a good moment that is no end, when it is so for long. */
const lasts: Rounds = { rounds: 1, leastMs: 30 * minuteMs };
export const lastsLong: Rounds = { rounds: 3, leastMs: 2 * hourMs };
/** The longest time that a notice has to stay away. */
const longestCalm: Rounds = { rounds: 6, leastMs: dayMs };

/** On opening: what ended a short while ago, or too often within a day, comes and goes. */
export function recognizeReturn(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  const { state, nowMs } = judging;
  const former = state.ended.filter(
    ({ row, isReplaced, endpoints }) =>
      row === rule.id && !isReplaced && endpoints.some((endpoint) => incident.endpoints.includes(endpoint)),
  );
  const soonMs = roundsMs(judging, rule, soon);
  const isBack = former.some(
    ({ goodAgainMs, endedMs }) => incident.onset.atMs - (goodAgainMs ?? endedMs) <= soonMs,
  );
  const isOften = former.filter(({ endedMs }) => endedMs > nowMs - dayMs).length >= oftenADay;
  if (isBack || isOften) incident.comesAndGoes = true;
}

/** What takes the place of something that comes and goes does so, too. */
export function inherit(incident: OpenIncident, replaced: OpenIncident): void {
  incident.comesAndGoes ||= replaced.comesAndGoes;
  incident.isMixed ||= replaced.isMixed;
  incident.stretchMs = Math.max(incident.stretchMs, replaced.stretchMs);
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
    const { firstMs, before, shown } = parts[endpoint] ?? part;
    parts[endpoint] = { ...part, firstMs, before, shown };
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

/** Whether what is bad now would be an incident by itself. */
const isConfirmed = (judging: Judging, rule: AnyRule): boolean =>
  findConfirmed(judging, rule, listSeries(judging, rule)).length > 0;

/** Bad checks over this time last. */
const lastingMsOf = (judging: Judging, rule: AnyRule, rounds: Rounds): number =>
  neededMs(judging, roundsMs(judging, rule, rounds), true);

type LastingRun = { endpoint: EndpointId; run: Run };

/** The runs of its endpoints that are bad now and last: of a page that was good again inside of it. */
export function listLasting(judging: Judging, rule: AnyRule, incident: OpenIncident): LastingRun[] {
  const { row, severity, endpoints, parts } = incident;
  const isBack = incident.comesAndGoes || Object.values(parts).some(({ returns = 0 }) => returns > 0);
  if (severity !== "page" || !isBack) return [];
  if (incident.lastsSinceMs === undefined && !isConfirmed(judging, rule)) return [];
  const neededMs = lastingMsOf(judging, rule, incident.comesAndGoes ? lasts : lastsLong);
  return endpoints
    .flatMap((endpoint) => {
      const run = seriesAt(judging.state, row, endpoint).bad;
      return run ? [{ endpoint, run }] : [];
    })
    .filter(({ run }) => spanMs(run) >= neededMs);
}

/** Whether it is bad without a break now, and the first check of that. */
export function noteLasting(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  const lasting = listLasting(judging, rule, incident);
  incident.lastsSinceMs = lasting.length > 0 ? Math.min(...lasting.map(({ run }) => run.firstMs)) : undefined;
}

/** It counts as if it had begun with the runs that last: only where all of its endpoints are bad, and for long enough together. */
export function lastingOnsetOf(
  judging: Judging,
  rule: AnyRule,
  { lastsSinceMs, endpoints }: OpenIncident,
): OpenIncident["lasting"] {
  const bad = listSeries(judging, rule).filter(
    ({ endpoint, series }) => endpoints.includes(endpoint) && series.bad,
  );
  if (lastsSinceMs === undefined || bad.length < endpoints.length) return undefined;
  const onset = onsetOf(judging, rule, bad);
  const lastMs = Math.max(...bad.map(({ series }) => series.bad!.lastMs));
  return lastMs - onset.atMs < lastingMsOf(judging, rule, lasts) ? undefined : onset;
}

/** How long all endpoints have to be good before the end, beside what every end needs. */
export function calmMsOf(judging: Judging, rule: AnyRule, { comesAndGoes, stretchMs }: OpenIncident): number {
  const { calm } = rule.closes;
  const leastMs = comesAndGoes ? roundsMs(judging, rule, away) : 0;
  if (calm === undefined) return leastMs;
  return Math.min(roundsMs(judging, rule, longestCalm), Math.max(leastMs, calm * stretchMs + 1));
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
