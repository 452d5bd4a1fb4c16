// The evidence of an incident: one row for each endpoint, straight from its own checks. Nothing is merged over endpoints, and
// nothing here decides anything.
import type { EndpointId } from "../../contract/endpoints.ts";
import { type FactRow, ownRules } from "../../records/incident.ts";
import { instantText } from "../../time.ts";
import type { AnyRule } from "../rules/rule.ts";
import {
  goodAfterMsOf,
  type IncidentPart,
  type Judging,
  type OpenIncident,
  ruleOf,
  seriesAt,
} from "./engine-state.ts";
import { type Counted, countBetween, freshTally, type Tally } from "./tallies.ts";

const instantOrNull = (ms: number | undefined) => (ms === undefined ? null : instantText(ms));

/** What an incident shows of one endpoint: its own bad checks, and the good ones around them. */
export type Evidence = {
  endpoint: EndpointId;
  firstMs: number;
  lastMs: number;
  goodBeforeMs: number | undefined;
  goodAfterMs: number | undefined;
  counted: Counted;
  throttled: number;
  /** It came and went since then, and this is about the bad checks in a row by now. */
  onAndOffSinceMs?: number | undefined;
};

/** That of each of these endpoints; not of a share, which counts a window. */
export const listEvidence = (
  { state }: Judging,
  { row, lasting, parts }: OpenIncident,
  names: readonly EndpointId[],
): Evidence[] =>
  names.flatMap((endpoint) => {
    const part = parts[endpoint];
    if (!part) return [];
    const { bad: run } = seriesAt(state, row, endpoint);
    const first = part.shown ?? { firstMs: part.firstMs, before: part.before[endpoint] };
    // Of what came and went and lasts by now, the bad checks in a row.
    const lasts = lasting && run && run.sinceMs > first.firstMs ? run : undefined;
    const { firstMs, before } = lasts ? { firstMs: lasts.sinceMs, before: lasts.before[endpoint] } : first;
    const { through } = part;
    return {
      endpoint,
      firstMs,
      lastMs: part.lastMs,
      goodBeforeMs: before?.goodMs,
      goodAfterMs: goodAfterMsOf(state, row, endpoint, part.lastMs),
      counted: countOne(before, through, endpoint),
      throttled: (through.uncounted ?? 0) - (before?.uncounted ?? 0),
      onAndOffSinceMs: lasts && first.firstMs,
    };
  });

/** None where the checks are not what shows it: of the watch itself, of the time that has passed, of a pattern. */
export function rowsOf(judging: Judging, incident: OpenIncident, isOver: boolean): FactRow[] | undefined {
  const rule = ruleOf(judging, incident.row);
  if (!rule || rule.markTick || incident.pattern || ownRules.has(incident.rule)) return undefined;
  const isShare = rule.opens.share !== undefined;
  // The end of a share says of its numbers only that they are over.
  if (isShare && isOver) return undefined;
  const rows = isShare
    ? incident.endpoints.flatMap((endpoint) => toShareRow(endpoint, incident.parts[endpoint]))
    : listEvidence(judging, incident, incident.allEndpoints).map((one) => toRow(rule, one));
  return rows.length > 0 ? rows : undefined;
}

const toRow = (rule: AnyRule, one: Evidence): FactRow => ({
  endpoint: one.endpoint,
  variant: rule.looksAt?.variants?.[0],
  bad: one.counted.bad,
  total: one.counted.total,
  throttled: one.throttled > 0 ? one.throttled : undefined,
  got: gotOf(one.counted),
  firstBadAt: instantText(one.firstMs),
  lastBadAt: instantText(one.lastMs),
  lastGoodBeforeAt: rule.isGradual ? null : instantOrNull(one.goodBeforeMs),
  firstGoodAfterAt: rule.isGradual ? null : instantOrNull(one.goodAfterMs),
  onAndOffSince: one.onAndOffSinceMs === undefined ? undefined : instantText(one.onAndOffSinceMs),
});

function toShareRow(endpoint: EndpointId, part: IncidentPart | undefined): FactRow[] {
  const { firstMs, lastMs, counted, window, hasCovered } = part ?? {};
  if (firstMs === undefined || lastMs === undefined || !counted || !window) return [];
  return [
    {
      endpoint,
      bad: counted.bad,
      total: counted.total,
      got: gotOf(counted),
      firstBadAt: instantText(firstMs),
      lastBadAt: instantText(lastMs),
      lastGoodBeforeAt: null,
      firstGoodAfterAt: null,
      window: { from: instantText(window.fromMs), to: instantText(window.toMs) },
      hasUncounted: hasCovered,
    },
  ];
}

const countOne = (before: Tally | undefined, through: Tally, endpoint: EndpointId): Counted =>
  countBetween({ [endpoint]: before ?? freshTally() }, { [endpoint]: through }, [endpoint]);

/** The most frequent first. */
const gotOf = ({ labels }: Counted): FactRow["got"] =>
  Object.entries(labels)
    .filter(([, count]) => count > 0)
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
