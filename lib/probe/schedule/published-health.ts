// Good news is told until CloudWatch has taken it, and then no more: each hour in which it is told is billed.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { GoodNews, News, ProbeState, Suspicion } from "../../records/probe-state.ts";

export function newsOf({ endpoints }: ProbeState): News {
  return Object.fromEntries(endpointIds.map((endpoint) => [endpoint, endpoints[endpoint]?.told ?? {}]));
}

/** What still holds of what was told, after an answer that made something suspect. */
export function keepNews({ answers, fits }: GoodNews, why: Suspicion | undefined): GoodNews {
  const isDrift = why === "drift" || why === "notice";
  return {
    ...(answers && (!why || isDrift) && { answers }),
    ...(fits && !isDrift && { fits }),
  };
}

export const isNews = ({ answers, fits }: GoodNews, known: GoodNews = {}): boolean =>
  (answers && !known.answers) || (fits && !known.fits) || false;

/** CloudWatch has taken what a tick told; where V1 was asked again meanwhile, that answer has the say. */
export function noteNews(
  probeState: ProbeState,
  endpoint: EndpointId,
  askedMs: number,
  news: GoodNews,
): ProbeState {
  const known = probeState.endpoints[endpoint];
  if (!known || !isNews(news, known.told) || (known.lastMs.authenticated ?? 0) > askedMs) return probeState;
  const told = { ...known.told, ...news };
  return { ...probeState, endpoints: { ...probeState.endpoints, [endpoint]: { ...known, told } } };
}
