// The evidence of an incident: one row for each endpoint, straight from its own checks. Nothing is merged over endpoints, and
// nothing here decides anything.
import type { EndpointId } from "../contract/endpoints.ts";
import { type FactRow, ownRules } from "../records/incident.ts";
import { instantText } from "../time.ts";
import {
  goodAfterMsOf,
  type IncidentPart,
  type Judging,
  type OpenIncident,
  ruleOf,
  seriesAt,
} from "./engine-state.ts";
import type { AnyRule } from "./rules/rule.ts";
import { type Counted, countBetween, freshTally, type Tally } from "./tallies.ts";

const instantOrNull = (ms: number | undefined) => (ms === undefined ? null : instantText(ms));

/** None where the checks are not what shows it: of the watch itself, of the time that has passed, of a pattern. */
export function rowsOf(judging: Judging, incident: OpenIncident, isOver: boolean): FactRow[] | undefined {
  const rule = ruleOf(judging, incident.row);
  if (!rule || rule.markTick || incident.pattern || ownRules.has(incident.rule)) return undefined;
  const isShare = rule.opens.share !== undefined;
  // The end of a share says of its numbers only that they are over.
  if (isShare && isOver) return undefined;
  const rows = (isShare ? incident.endpoints : incident.allEndpoints).flatMap((endpoint) => {
    const part = incident.parts[endpoint];
    if (!part) return [];
    return isShare ? toShareRow(endpoint, part) : toRow(judging, incident, { rule, endpoint, part });
  });
  return rows.length > 0 ? rows : undefined;
}

function toRow(
  { state }: Judging,
  { row, lasting }: OpenIncident,
  { rule, endpoint, part }: { rule: AnyRule; endpoint: EndpointId; part: IncidentPart },
): FactRow {
  const { bad: run } = seriesAt(state, row, endpoint);
  const first = part.shown ?? { firstMs: part.firstMs, before: part.before[endpoint] };
  // Of what came and went and lasts by now, the bad checks in a row.
  const lasts = lasting && run && run.sinceMs > first.firstMs ? run : undefined;
  const { firstMs, before } = lasts ? { firstMs: lasts.sinceMs, before: lasts.before[endpoint] } : first;
  const through = part.through[endpoint];
  const counted = countOne(before, through, endpoint);
  const uncounted = (through?.uncounted ?? 0) - (before?.uncounted ?? 0);
  return {
    endpoint,
    variant: rule.looksAt?.variants?.[0],
    bad: counted.bad,
    total: counted.total,
    throttled: uncounted > 0 ? uncounted : undefined,
    got: gotOf(counted),
    firstBadAt: instantText(firstMs),
    lastBadAt: instantText(part.lastMs),
    lastGoodBeforeAt: rule.isGradual ? null : instantOrNull(before?.goodMs),
    firstGoodAfterAt: rule.isGradual ? null : instantOrNull(goodAfterMsOf(state, row, endpoint, part.lastMs)),
    onAndOffSince: lasts && instantText(first.firstMs),
  };
}

function toShareRow(
  endpoint: EndpointId,
  { firstMs, lastMs, counted, window, hasCovered }: IncidentPart,
): FactRow[] {
  if (!counted || !window) return [];
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

const countOne = (before: Tally | undefined, through: Tally | undefined, endpoint: EndpointId): Counted =>
  countBetween({ [endpoint]: before ?? freshTally() }, { [endpoint]: through ?? freshTally() }, [endpoint]);

/** The most frequent first. */
const gotOf = ({ labels }: Counted): FactRow["got"] =>
  Object.entries(labels)
    .filter(([, count]) => count > 0)
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
