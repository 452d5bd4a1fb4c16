// Plans the requests of a tick from the probe state and the budget. Pure: it uses no clock and no store.

import type { Config } from "../../config/config.ts";
import { needsList, type ProbeRequest, rareRequests } from "../../config/cost.ts";
import { durationMs } from "../../config/values.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { CheckReason } from "../../records/observation.ts";
import type { ProbeState } from "../../records/probe-state.ts";
import { burst, computeRemainingBudget, type RemainingBudget } from "./budget.ts";

/** `attempts`: how often the request may be sent, including a retry. The budget covers no more. */
export type PlannedRequest = ProbeRequest & { attempts: 1 | 2; reason?: CheckReason };
export type Deferred = Partial<ProbeRequest> & { reason: string };

export type Plan = {
  requests: PlannedRequest[];
  /**
   * Whether the list is requested first, once and without a retry, to find a sample. It is counted with the
   * first request.
   */
  lookup: boolean;
  /** The requests that were due and are not sent, with the reason. */
  deferred: Deferred[];
  nextTickMs: number;
};

/** A request that is due, and the part of the budget that it uses. */
type Candidate = ProbeRequest & { from: "calm" | "spare" | "rare" };

/** A Retry-After header is honoured for at most a day. */
export const maxRetryAfterMs = 86_400_000;

/**
 * Schedulers are early or late by seconds. Without a tolerance, an early tick would skip its requests until
 * the next tick.
 */
const toleranceMs = (intervalMs: number) => Math.min(intervalMs / 6, 30_000);

/** `only`: each endpoint has its own function, and this is the plan of the function for this endpoint. */
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
    const reason = `all ${digits(config.budget.monthlyRequests)} requests of this month are used; the next request is on ${day(remaining.monthEndMs)}`;
    return { requests: [], lookup: false, deferred: [{ reason }], nextTickMs: remaining.monthEndMs };
  }

  const confirmationMs = durationMs(config.cadence.confirmation);
  const readyMs = (endpoint: EndpointId) =>
    waitsUntilMs(tickMs, probeState, config, { endpoint, variant: "authenticated" });
  const dueMs = (endpoint: EndpointId, everyMs: number) => nextDueMs(tickMs, lastMs(endpoint), everyMs);
  const isDue = (everyMs: number) => (endpoint: EndpointId) =>
    dueMs(endpoint, everyMs) - toleranceMs(everyMs) <= tickMs;

  const ready = scope.filter((endpoint) => readyMs(endpoint) <= tickMs);
  const confirming = ready.filter((endpoint) => isConfirming(tickMs, probeState, config, endpoint));
  const isCalmTick = ready.some(isDue(remaining.calmMs));
  // A regular tick checks every endpoint, so that their responses can be compared, except endpoints that were
  // just checked.
  const authenticated: Candidate[] = (isCalmTick ? ready : confirming)
    .filter(isDue(confirmationMs))
    .map((endpoint) => ({ endpoint, variant: "authenticated", from: isCalmTick ? "calm" : "spare" }));
  // Only a request without the key shows whether a 401 is caused by the key or by V1.
  const anonymous: Candidate[] = authenticated
    .filter(() => config.variants.anonymous && config.key !== "none")
    .filter(({ endpoint }) => confirming.includes(endpoint))
    .filter(({ endpoint }) => probeState.endpoints[endpoint]?.confirmation?.why === "unauthorized")
    .map(({ endpoint }) => ({ endpoint, variant: "anonymous", from: "spare" }));
  const rare = isCalmTick ? rareCandidates(tickMs, probeState, config, remaining.calmMs, scope) : [];
  const isAnonymousTwin = (candidate: Candidate) => anonymous.some((other) => isSame(candidate, other));
  const granted = grant(
    [...authenticated, ...anonymous, ...rare.filter((candidate) => !isAnonymousTwin(candidate))],
    remaining,
    config,
    only,
  );

  const deferred: Deferred[] = [];
  for (const endpoint of scope) {
    const until = readyMs(endpoint);
    if (until > tickMs)
      deferred.push({
        endpoint,
        reason: `waiting until ${minute(until)}, as requested by V1's Retry-After header`,
      });
  }
  if (!isCalmTick && ready.some(isDue(durationMs(config.cadence.calm)))) {
    deferred.push({
      reason: `the calm cadence is stretched to ${Math.round(remaining.calmMs / 60_000)} min; ${leftText(remaining)}`,
    });
  }
  deferred.push(...granted.deferred);

  const { requests, lookup } = granted;
  // The next tick follows soon after any request, in case a failed check has to be confirmed.
  if (requests.length > 0) return { requests, lookup, deferred, nextTickMs: tickMs + confirmationMs };
  const isDeferred = (endpoint: EndpointId) => granted.deferred.some((row) => row.endpoint === endpoint);
  const instantsMs = scope.map((endpoint) => {
    const isAtConfirmationCadence = confirming.includes(endpoint) && !isDeferred(endpoint);
    return Math.max(
      readyMs(endpoint),
      dueMs(endpoint, isAtConfirmationCadence ? confirmationMs : remaining.calmMs),
    );
  });
  const soonestMs = Math.ceil(Math.min(...instantsMs));
  return { requests, lookup, deferred, nextTickMs: soonestMs > tickMs ? soonestMs : tickMs + burst.windowMs };
}

/**
 * Accepts candidates in order while the budget lasts, then allows retries from the remaining spare requests.
 */
function grant(
  candidates: readonly Candidate[],
  remaining: RemainingBudget,
  config: Config,
  only: EndpointId | undefined,
) {
  const granted: (ProbeRequest & Pick<PlannedRequest, "reason">)[] = [];
  const deferred: Deferred[] = [];
  let { now, spare } = remaining;
  let lookup = false;
  for (const { from, ...candidate } of candidates) {
    const hasList = lookup || granted.some((request) => isSame(request, listRequest));
    const isListMissing = needsList(candidate, config) && !hasList;
    const cost = isListMissing ? 2 : 1;
    const floor = from === "rare" ? remaining.reserve : 0;
    if (now < cost) {
      const reason =
        remaining.left < burst.requests
          ? leftText(remaining)
          : `the limit of ${burst.requests} requests in 10 s is reached`;
      deferred.push({ ...candidate, reason });
      continue;
    }
    if (from !== "calm" && spare - cost < floor) {
      const text =
        from === "rare"
          ? "a rare variant is not sent, because the rest of the budget is reserved"
          : "a confirmation is not sent, because the calm cadence needs the rest of the budget";
      deferred.push({ ...candidate, reason: `${text}; ${leftText(remaining)}` });
      continue;
    }
    now -= cost;
    if (from !== "calm") spare -= cost;
    // When one plan covers all endpoints, the list's response is stored as an observation too.
    if (isListMissing && only) lookup = true;
    else if (isListMissing) granted.push(listRequest);
    granted.push({ ...candidate, ...(from === "spare" && { reason: "confirmation" }) });
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

/** A last time far in the future was written before the clock was set back, so it is ignored. */
function nextDueMs(tickMs: number, lastMs: number | undefined, everyMs: number): number {
  return lastMs === undefined || lastMs > tickMs + everyMs ? tickMs : lastMs + everyMs;
}

function waitsUntilMs(tickMs: number, probeState: ProbeState, config: Config, request: ProbeRequest): number {
  const requested: EndpointId[] = needsList(request, config)
    ? [request.endpoint, "passport-list"]
    : [request.endpoint];
  const instantsMs = requested.map((endpoint) => probeState.endpoints[endpoint]?.notBeforeMs ?? 0);
  return Math.max(...instantsMs.filter((atMs) => atMs <= tickMs + maxRetryAfterMs), 0);
}

function isConfirming(tickMs: number, probeState: ProbeState, config: Config, endpoint: EndpointId): boolean {
  const sinceMs = probeState.endpoints[endpoint]?.confirmation?.sinceMs;
  return sinceMs !== undefined && Math.abs(tickMs - sinceMs) <= durationMs(config.cadence.confirmFor);
}

/**
 * Each rare request has its own time slot in the period, so that they are spread evenly. Missed ones are sent
 * one by one.
 */
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
      const slotMs = Math.floor((tickMs - phaseMs) / everyMs) * everyMs + phaseMs;
      return {
        request,
        slotMs,
        lastMs: probeState.endpoints[request.endpoint]?.lastMs[request.variant] ?? 0,
      };
    })
    .filter(({ request }) => scope.includes(request.endpoint))
    .filter(({ slotMs, lastMs }) => lastMs < slotMs || lastMs > tickMs + everyMs)
    .filter(({ request }) => waitsUntilMs(tickMs, probeState, config, request) <= tickMs)
    .sort((a, b) => a.lastMs - b.lastMs || a.slotMs - b.slotMs);
  const perTick = Math.ceil((all.length * calmMs) / everyMs);
  return due.slice(0, perTick).map(({ request }) => ({ ...request, from: "rare" }));
}

const digits = (number: number) => number.toLocaleString("en");
const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
const minute = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const leftText = ({ left, monthEndMs }: RemainingBudget) =>
  `${digits(left)} requests are left until ${day(monthEndMs)}`;
