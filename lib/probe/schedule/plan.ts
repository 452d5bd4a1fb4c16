// Tick + what is remembered + budget → the requests to make now. Pure: no clock, no store.

import type { Config } from "../../config/config.ts";
import { needsList, type ProbeRequest, rareRequests } from "../../config/cost.ts";
import { durationMs } from "../../config/values.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { ProbeState } from "../../records/probe-state.ts";
import { burst, computeRemainingBudget, type RemainingBudget } from "./budget.ts";

/** `attempts` is how often it may be sent, a retry included: the budget has room for no more. */
export type PlannedRequest = ProbeRequest & { attempts: 1 | 2 };
export type Deferred = Partial<ProbeRequest> & { reason: string };

export type Plan = {
  requests: PlannedRequest[];
  /** The list is first asked once, without a retry, only to find a sample; count it with the first request. */
  lookup: boolean;
  /** What was due and is not asked, and why. */
  deferred: Deferred[];
  nextTickMs: number;
};

/** A request that is due, and what pays for it: the regular cadence's share, or what is beyond it. */
type Candidate = ProbeRequest & { from: "calm" | "spare" | "rare" };

/** A stranger's Retry-After silences an endpoint for a day at the most. */
export const maxRetryAfterMs = 86_400_000;

/** Schedulers are early or late by seconds; without slack an early tick would wait for a whole further one. */
const slackMs = (intervalMs: number) => Math.min(intervalMs / 6, 30_000);

/** `only`: the endpoints are probed by functions of their own, and this is the plan of one of them. */
export function planRequests(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  only?: EndpointId,
): Plan {
  const scope = only ? [only] : endpointIds;
  const lastMs = (endpoint: EndpointId) => probeState.endpoints[endpoint]?.lastMs.authenticated;
  const newestMs = Math.min(tickMs, Math.max(...scope.map((endpoint) => lastMs(endpoint) ?? 0)) || tickMs);
  const remaining = computeRemainingBudget(tickMs, probeState, config, newestMs, only !== undefined);
  if (remaining.left === 0) {
    const reason = `all ${digits(config.budget.monthlyRequests)} requests of the month are made; the next is on ${day(remaining.monthEndMs)}`;
    return { requests: [], lookup: false, deferred: [{ reason }], nextTickMs: remaining.monthEndMs };
  }

  const fastMs = durationMs(config.cadence.confirmation);
  const readyMs = (endpoint: EndpointId) =>
    waitsUntilMs(tickMs, probeState, config, { endpoint, variant: "authenticated" });
  const dueMs = (endpoint: EndpointId, everyMs: number) => nextDueMs(tickMs, lastMs(endpoint), everyMs);
  const isDue = (everyMs: number) => (endpoint: EndpointId) =>
    dueMs(endpoint, everyMs) - slackMs(everyMs) <= tickMs;

  const ready = scope.filter((endpoint) => readyMs(endpoint) <= tickMs);
  const suspicious = ready.filter((endpoint) => isSuspicious(tickMs, probeState, config, endpoint));
  const isCalmTick = ready.some(isDue(remaining.calmMs));
  // A calm tick asks every endpoint, so that their answers can be compared; but none twice in a moment.
  const authenticated: Candidate[] = (isCalmTick ? ready : suspicious)
    .filter(isDue(fastMs))
    .map((endpoint) => ({ endpoint, variant: "authenticated", from: isCalmTick ? "calm" : "spare" }));
  // Whether the key or V1 is at fault shows only beside an answer without the key.
  const anonymous: Candidate[] = authenticated
    .filter(() => config.variants.anonymous && config.key !== "none")
    .filter(({ endpoint }) => suspicious.includes(endpoint))
    .filter(({ endpoint }) => probeState.endpoints[endpoint]?.suspicion?.why === "unauthorized")
    .map(({ endpoint }) => ({ endpoint, variant: "anonymous", from: "spare" }));
  const rare = isCalmTick ? rareCandidates(tickMs, probeState, config, remaining.calmMs, scope) : [];
  const twice = (candidate: Candidate) => anonymous.some((other) => isSame(candidate, other));
  const granted = grant(
    [...authenticated, ...anonymous, ...rare.filter((candidate) => !twice(candidate))],
    remaining,
    config,
    only,
  );

  const deferred: Deferred[] = [];
  for (const endpoint of scope) {
    const until = readyMs(endpoint);
    if (until > tickMs)
      deferred.push({ endpoint, reason: `V1 asked to wait until ${minute(until)} (Retry-After)` });
  }
  if (!isCalmTick && ready.some(isDue(durationMs(config.cadence.calm)))) {
    deferred.push({
      reason: `the regular cadence is stretched to ${Math.round(remaining.calmMs / 60_000)} min; ${leftText(remaining)}`,
    });
  }
  deferred.push(...granted.deferred);

  const { requests, lookup } = granted;
  // Soon after any request: a suspicious answer has to be confirmed; after a calm one that tick asks nothing.
  if (requests.length > 0) return { requests, lookup, deferred, nextTickMs: tickMs + fastMs };
  const paused = (endpoint: EndpointId) => granted.deferred.some((row) => row.endpoint === endpoint);
  const instantsMs = scope.map((endpoint) => {
    const isFast = suspicious.includes(endpoint) && !paused(endpoint);
    return Math.max(readyMs(endpoint), dueMs(endpoint, isFast ? fastMs : remaining.calmMs));
  });
  const soonestMs = Math.ceil(Math.min(...instantsMs));
  return { requests, lookup, deferred, nextTickMs: soonestMs > tickMs ? soonestMs : tickMs + burst.windowMs };
}

/** Takes candidates in their order while the remaining budget lasts, then retries from what is still spare. */
function grant(
  candidates: readonly Candidate[],
  remaining: RemainingBudget,
  config: Config,
  only: EndpointId | undefined,
) {
  const granted: ProbeRequest[] = [];
  const deferred: Deferred[] = [];
  let { now, spare } = remaining;
  let lookup = false;
  for (const { from, ...candidate } of candidates) {
    const hasList = lookup || granted.some((request) => isSame(request, listRequest));
    const lacksList = needsList(candidate, config) && !hasList;
    const cost = lacksList ? 2 : 1;
    const floor = from === "rare" ? remaining.reserve : 0;
    if (now < cost) {
      const reason =
        remaining.left < burst.requests
          ? leftText(remaining)
          : `${burst.requests} requests in 10 s are enough`;
      deferred.push({ ...candidate, reason });
      continue;
    }
    if (from !== "calm" && spare - cost < floor) {
      const what =
        from === "rare"
          ? "a rare variant waits for a month with more room"
          : "the confirmation cadence would take from the calm one";
      deferred.push({ ...candidate, reason: `${what}; ${leftText(remaining)}` });
      continue;
    }
    now -= cost;
    if (from !== "calm") spare -= cost;
    // Where one planner has all endpoints, the list's answer is an observation as well.
    if (lacksList && only) lookup = true;
    else if (lacksList) granted.push(listRequest);
    granted.push(candidate);
  }
  const requests = granted.map((request): PlannedRequest => {
    if (now < 1 || spare < 1) return { ...request, attempts: 1 };
    now -= 1;
    spare -= 1;
    return { ...request, attempts: 2 };
  });
  return { requests, lookup, deferred };
}

const listRequest: ProbeRequest = { endpoint: "passport-list", variant: "authenticated" };

const isSame = (a: ProbeRequest, b: ProbeRequest) => a.endpoint === b.endpoint && a.variant === b.variant;

/** A last time far ahead was written by a clock that has since moved back: it says nothing. */
function nextDueMs(tickMs: number, lastMs: number | undefined, everyMs: number): number {
  return lastMs === undefined || lastMs > tickMs + everyMs ? tickMs : lastMs + everyMs;
}

function waitsUntilMs(tickMs: number, probeState: ProbeState, config: Config, request: ProbeRequest): number {
  const asked: EndpointId[] = needsList(request, config)
    ? [request.endpoint, "passport-list"]
    : [request.endpoint];
  const instantsMs = asked.map((endpoint) => probeState.endpoints[endpoint]?.notBeforeMs ?? 0);
  return Math.max(...instantsMs.filter((atMs) => atMs <= tickMs + maxRetryAfterMs), 0);
}

function isSuspicious(tickMs: number, probeState: ProbeState, config: Config, endpoint: EndpointId): boolean {
  const sinceMs = probeState.endpoints[endpoint]?.suspicion?.sinceMs;
  return sinceMs !== undefined && Math.abs(tickMs - sinceMs) <= durationMs(config.cadence.confirmFor);
}

/** Each rare request has its own place in the period, so that they never bunch; what was missed comes one by one. */
function rareCandidates(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  calmMs: number,
  scope: readonly EndpointId[],
): Candidate[] {
  const everyMs = durationMs(config.cadence.rare);
  const all = rareRequests(config);
  const due = all
    .map((request, index) => {
      const phaseMs = (index * everyMs) / all.length;
      const placeMs = Math.floor((tickMs - phaseMs) / everyMs) * everyMs + phaseMs;
      return {
        request,
        placeMs,
        lastMs: probeState.endpoints[request.endpoint]?.lastMs[request.variant] ?? 0,
      };
    })
    .filter(({ request }) => scope.includes(request.endpoint))
    .filter(({ placeMs, lastMs }) => lastMs < placeMs || lastMs > tickMs + everyMs)
    .filter(({ request }) => waitsUntilMs(tickMs, probeState, config, request) <= tickMs)
    .sort((a, b) => a.lastMs - b.lastMs || a.placeMs - b.placeMs);
  const atOnce = Math.ceil((all.length * calmMs) / everyMs);
  return due.slice(0, atOnce).map(({ request }) => ({ ...request, from: "rare" }));
}

const digits = (number: number) => number.toLocaleString("en");
const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
const minute = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const leftText = ({ left, monthEndMs }: RemainingBudget) =>
  `${digits(left)} requests are left until ${day(monthEndMs)}`;
