// How long each endpoint was part of an incident. One length is said of several endpoints only where it can be that of each.
import type { EndpointId } from "../contract/endpoints.ts";
import { earliest, type Latest, latest, type Onset } from "./tallies.ts";

/** From the first bad check to the last, and the good checks around them. */
export type Span = {
  endpoints: EndpointId[];
  onset: Onset;
  latest: Latest;
  goodBeforeMs: number | undefined;
  goodAfterMs: number | undefined;
};

/** From the first bad check to the last, and the most that the good checks around them allow. */
const shortestMs = (span: Span) => span.latest.atMs - span.onset.atMs;
const longestMs = ({ onset, goodBeforeMs, goodAfterMs }: Span) =>
  goodAfterMs === undefined ? Number.POSITIVE_INFINITY : goodAfterMs - (goodBeforeMs ?? onset.atMs);

const known = (times: readonly (number | undefined)[]) => times.filter((ms) => ms !== undefined);

function joinSpans(spans: readonly Span[]): Span {
  const onset = earliest(spans.map((span) => span.onset));
  const last = latest(spans.map((span) => span.latest));
  const before = known(spans.map(({ goodBeforeMs }) => goodBeforeMs)).filter((ms) => ms < onset.atMs);
  const after = known(spans.map(({ goodAfterMs }) => goodAfterMs)).filter((ms) => ms > last.atMs);
  return {
    endpoints: spans.flatMap(({ endpoints }) => endpoints),
    onset,
    latest: last,
    goodBeforeMs: before.length > 0 ? Math.max(...before) : undefined,
    goodAfterMs: after.length > 0 ? Math.min(...after) : undefined,
  };
}

/** Endpoints that one length fits are together; the longest first. */
export function groupSpans(own: readonly Span[]): Span[] {
  const groups: Span[][] = [];
  for (const one of own.toSorted((a, b) => shortestMs(b) - shortestMs(a))) {
    const group = groups.find((known) => {
      const all = [...known, one];
      const leastMs = shortestMs(joinSpans(all));
      return all.every((span) => longestMs(span) >= leastMs);
    });
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups.map(joinSpans);
}
