// How long each endpoint was part of an incident. One length is said of several endpoints only where it can be that of each.
import type { EndpointId } from "../contract/endpoints.ts";
import type { EndpointSpan, Facts } from "../records/incident.ts";

export type SharedSpan = EndpointSpan & { endpoints: EndpointId[] };

type Own = { endpoint: EndpointId; span: EndpointSpan };

const ms = (instant: string) => Date.parse(instant);

/** From the first bad check to the last, and the most that the good checks around them allow. */
const shortestMs = ({ firstBadAt, lastBadAt }: EndpointSpan) => ms(lastBadAt) - ms(firstBadAt);
const longestMs = ({ firstBadAt, lastGoodBeforeAt, firstGoodAfterAt }: EndpointSpan) =>
  firstGoodAfterAt === null
    ? Number.POSITIVE_INFINITY
    : ms(firstGoodAfterAt) - ms(lastGoodBeforeAt ?? firstBadAt);

function joinSpans(own: readonly Own[]): SharedSpan {
  const spans = own.map(({ span }) => span);
  const firstBadAt = spans.map((span) => span.firstBadAt).sort()[0]!;
  const lastBadAt = spans
    .map((span) => span.lastBadAt)
    .sort()
    .at(-1)!;
  const before = spans.flatMap(({ lastGoodBeforeAt }) => lastGoodBeforeAt ?? []).sort();
  const after = spans.flatMap(({ firstGoodAfterAt }) => firstGoodAfterAt ?? []).sort();
  return {
    endpoints: own.map(({ endpoint }) => endpoint),
    firstBadAt,
    lastGoodBeforeAt: before.findLast((at) => at < firstBadAt) ?? null,
    lastBadAt,
    firstGoodAfterAt: after.find((at) => at > lastBadAt) ?? null,
    bad: spans.reduce((sum, { bad }) => sum + bad, 0),
    total: spans.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Endpoints that one length fits are together; the longest first. */
export function groupSpans(spans: NonNullable<Facts["spans"]>): SharedSpan[] {
  const groups: Own[][] = [];
  const own = Object.entries(spans).map(([endpoint, span]) => ({ endpoint: endpoint as EndpointId, span }));
  for (const one of own.sort((a, b) => shortestMs(b.span) - shortestMs(a.span))) {
    const group = groups.find((known) => {
      const all = [...known, one];
      const leastMs = shortestMs(joinSpans(all));
      return all.every(({ span }) => longestMs(span) >= leastMs);
    });
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups.map(joinSpans);
}

/** What is counted over the same time: the facts themselves, or groups of their endpoints where they differ. */
export function countedSpans(facts: Facts): SharedSpan[] {
  const { spans = {}, endpoints } = facts;
  const own = Object.entries(spans).filter(([endpoint]) => endpoints.includes(endpoint as EndpointId));
  return own.length > 0 ? groupSpans(Object.fromEntries(own)) : [facts];
}
