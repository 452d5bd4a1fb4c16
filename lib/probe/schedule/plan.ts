// Tick + probe state + budget → the requests to make now. Pure: no clock, no store.

import type { Config } from "../../config/config.ts";
import { type Request, rareRequests } from "../../config/cost.ts";
import { durationMs } from "../../config/durations.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { CheckReason } from "../../records/observation.ts";
import type { Confirmation, PendingCheck, ProbeState } from "../../records/probe-state.ts";
import { formatCount } from "../../text.ts";
import { hourMs, minuteMs } from "../../time.ts";
import {
  burst,
  computeCadenceMs,
  computeMonthBudget,
  computeRemainingBudget,
  findOpenSlot,
  isBudgetSpent,
  type RemainingBudget,
  scheduledAtMs,
  slotLengthMs,
  slotStartMs,
} from "./budget.ts";

export type PlannedRequest = Request & {
  reason: CheckReason;
  /** How often it may be sent, a retry or a second opinion included: the budget has room for no more. */
  attempts: 1 | 2;
  /** The slot of the clock that it uses. */
  slotMs?: number;
  /** After a 404, another sample is requested at once. */
  hasSecondOpinion?: true;
  /** It is sent only where the authenticated request of the same endpoint gets a 401. */
  isIfUnauthorized?: true;
  /** It is sent after all checks of the tick, and only where that of its endpoint is served. */
  isRare?: true;
  /** It is due, and there is no request left for it. */
  notSent?: "budget";
};

export type Plan = {
  requests: PlannedRequest[];
  /** Why what was due is not requested now. */
  deferred: string[];
  /** Scheduled checks that a spent budget cannot pay. Each is recorded as a check that was not sent. */
  notSent: PlannedRequest[];
};

/** A request that is due. `from` is the part of the budget that pays for it. */
type Candidate = Omit<PlannedRequest, "attempts"> & { from: "slot" | "reserve" | "rare" };

/** A stranger's Retry-After silences an endpoint for half an hour at the most. */
export const maxRetryAfterMs = 30 * 60_000;

/** For so long after the first 401 every check that gets one is made anonymously as well. */
const anonymousForMs = hourMs;
/** After that, one check of an endpoint that gets 401 in so much time is. */
const anonymousEveryMs = 2 * hourMs;

/** Extra checks after a change, in multiples of `cadence.confirm`. */
export const confirmationSteps = [1, 5, 10, 15] as const;
const lastStep = Math.max(...confirmationSteps);
/** What fails for so long within a day of another change is looked at so often, in multiples of `cadence.confirm` as well. */
export const longLook = { afterMs: hourMs, afterRounds: 1.5, checks: 20, steps: 4 } as const;

/** `only`: the endpoints are probed by functions of their own, and this is the plan of one of them. */
export function planRequests(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  only?: EndpointId,
): Plan {
  const scope = only ? [only] : endpointIds;
  const remaining = computeRemainingBudget(tickMs, probeState, config, only !== undefined);
  if (remaining.left === 0) {
    const reason = `all ${formatCount(config.budget.monthlyRequests)} requests of the month are made; the next is on ${day(remaining.monthEndMs)}`;
    return { requests: [], deferred: [reason], notSent: listNotSent(scope, tickMs, probeState, config) };
  }
  const deferred: string[] = [];
  const cadenceMs = computeCadenceMs(tickMs, probeState, config);
  const isReady = (endpoint: EndpointId) => waitsUntilMs(tickMs, probeState, endpoint, config) <= tickMs;
  const isDue = (endpoint: EndpointId, everyMs: number) =>
    scheduledAtMs(endpoint, { tickMs, probeState, config, everyMs }) <= tickMs;

  const scheduled = scope
    .filter((endpoint) => isReady(endpoint) && isDue(endpoint, cadenceMs))
    .map((endpoint) => scheduleCheck(endpoint, tickMs, config));
  const pending = duePending(tickMs, probeState, config, scope)
    .filter(({ endpoint }) => isReady(endpoint))
    .map(({ endpoint, variant, reason }): Candidate => ({ endpoint, variant, reason, from: "reserve" }));
  const rare = rareCandidates(
    tickMs,
    probeState,
    config,
    scheduled.map(({ endpoint }) => endpoint),
  );
  const checks = withoutDoubles([...scheduled, ...pending]).map((candidate): Candidate => {
    const { endpoint, variant } = candidate;
    const isKnown = probeState.endpoints[endpoint]?.last.authenticated?.class === "not-found";
    return variant === "authenticated" && !isKnown ? { ...candidate, hasSecondOpinion: true } : candidate;
  });
  const beside = anonymousBeside(tickMs, probeState, config, checks);
  const granted = grant(withoutDoubles([...checks, ...beside, ...rare]), remaining);

  for (const endpoint of scope) {
    const askedMs = askedUntilMs(tickMs, probeState, endpoint);
    const bookedMs = bookedUntilMs(tickMs, probeState, endpoint, config);
    if (askedMs > tickMs) deferred.push(`V1 asked to wait until ${minute(askedMs)} (Retry-After)`);
    else if (bookedMs > tickMs)
      deferred.push(
        `the last check was cut off before its answer was stored; the next is at ${minute(bookedMs)}`,
      );
  }
  if (scheduled.length === 0 && scope.some((endpoint) => isDue(endpoint, durationMs(config.cadence.calm)))) {
    if (cadenceMs > durationMs(config.cadence.calm)) {
      const minutes = Math.round(cadenceMs / 60_000);
      deferred.push(`the cadence is stretched to ${minutes} min; ${leftText(remaining)}`);
    }
  }
  const others = scope.filter((endpoint) => !scheduled.some((one) => one.endpoint === endpoint));
  return {
    requests: granted.requests,
    deferred: [...deferred, ...granted.deferred],
    notSent: listNotSent(others.filter(isReady), tickMs, probeState, config),
  };
}

/** Checks that `cadence.calm` asks for and a spent budget cannot pay: one for each slot. */
function listNotSent(
  scope: readonly EndpointId[],
  tickMs: number,
  probeState: ProbeState,
  config: Config,
): PlannedRequest[] {
  if (!isBudgetSpent(tickMs, probeState, config)) return [];
  return scope.flatMap((endpoint): PlannedRequest[] => {
    const slotMs = findOpenSlot(endpoint, tickMs, probeState, config);
    if (slotMs === undefined) return [];
    const variant = "authenticated";
    return [{ endpoint, variant, reason: "scheduled", slotMs, attempts: 1, notSent: "budget" }];
  });
}

const scheduleCheck = (endpoint: EndpointId, tickMs: number, config: Config): Candidate => ({
  endpoint,
  variant: "authenticated",
  reason: "scheduled",
  slotMs: slotStartMs(endpoint, tickMs, config),
  from: "slot",
});

const canBeAnonymous = ({ key, variants }: Config) => variants.anonymous && key !== "none";

/** Whether the key or V1 is at fault shows only beside a response to a request without the key. */
function anonymousBeside(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  checks: readonly Candidate[],
): Candidate[] {
  if (!canBeAnonymous(config)) return [];
  const beside = checks
    .filter(({ variant }) => variant === "authenticated")
    .map(
      ({ endpoint, reason }): Candidate => ({
        endpoint,
        variant: "anonymous",
        reason,
        isIfUnauthorized: true,
        from: "reserve",
      }),
    );
  const refusedForMs = (endpoint: EndpointId) => {
    const sinceMs = probeState.endpoints[endpoint]?.refusedSinceMs;
    return sinceMs === undefined ? undefined : Math.abs(tickMs - sinceMs);
  };
  if (endpointIds.some((endpoint) => (refusedForMs(endpoint) ?? anonymousForMs) < anonymousForMs))
    return beside;
  if (!isAnonymousDue(tickMs, probeState, config)) return [];
  return beside
    .filter(({ endpoint, reason }) => reason === "scheduled" && refusedForMs(endpoint) !== undefined)
    .slice(0, 1);
}

/** Whether no request without the key was made in that time, of whichever endpoint: by their slots the endpoints take turns. */
function isAnonymousDue(tickMs: number, { endpoints }: ProbeState, config: Config): boolean {
  // A slot may be half a slot early.
  const leastMs = anonymousEveryMs - slotLengthMs(config) / 2;
  return endpointIds.every(
    (one) => Math.abs(tickMs - (endpoints[one]?.last.anonymous?.atMs ?? 0)) >= leastMs,
  );
}

const isSame = (a: Request, b: Request) => a.endpoint === b.endpoint && a.variant === b.variant;

/** The first of each endpoint and variant. */
const withoutDoubles = (candidates: readonly Candidate[]) =>
  candidates.filter((one, index) => candidates.findIndex((other) => isSame(one, other)) === index);

/** Takes candidates in their order while the remaining budget lasts, then retries from what is still spare. */
function grant(
  candidates: readonly Candidate[],
  remaining: RemainingBudget,
): Pick<Plan, "requests" | "deferred"> {
  const granted: Omit<PlannedRequest, "attempts">[] = [];
  const deferred: string[] = [];
  let { now, spare } = remaining;
  for (const { from, ...candidate } of candidates) {
    const floor = from === "rare" ? remaining.rareFloor : 0;
    if (now < 1) {
      const isShort = remaining.left < burst.requests;
      deferred.push(isShort ? leftText(remaining) : `at most ${burst.requests} requests in 10 s`);
    } else if (from !== "slot" && spare - 1 < floor) {
      const what =
        from === "rare"
          ? "a rare variant waits for a month with more room"
          : "the reserve for confirmation is spent";
      deferred.push(`${what}; ${leftText(remaining)}`);
    } else {
      now -= 1;
      if (from !== "slot") spare -= 1;
      granted.push(from === "rare" ? { ...candidate, isRare: true } : candidate);
    }
  }
  const requests = granted.map((request): PlannedRequest => {
    if (now < 1 || spare < 1) return { ...request, attempts: 1 };
    now -= 1;
    spare -= 1;
    return { ...request, attempts: 2 };
  });
  return { requests, deferred };
}

/** What V1 asked for, or a check that was not settled. */
const waitsUntilMs = (tickMs: number, probeState: ProbeState, endpoint: EndpointId, config: Config): number =>
  Math.max(askedUntilMs(tickMs, probeState, endpoint), bookedUntilMs(tickMs, probeState, endpoint, config));

/** A wait that lies further ahead was written by a clock that has since moved back. */
function askedUntilMs(tickMs: number, { endpoints }: ProbeState, endpoint: EndpointId): number {
  const atMs = endpoints[endpoint]?.notBeforeMs ?? 0;
  return atMs <= tickMs + maxRetryAfterMs ? atMs : 0;
}

/**
 * Whoever booked the requests died before it knew what came of them, or is still at work: the endpoint is due again after
 * 1, 2, 4 … min, up to its cadence.
 */
function bookedUntilMs(
  tickMs: number,
  { bookings }: ProbeState,
  endpoint: EndpointId,
  { cadence }: Config,
): number {
  const booking = bookings?.[endpoint];
  if (!booking) return 0;
  const calmMs = durationMs(cadence.calm);
  const untilMs = booking.atMs + Math.min(calmMs, minuteMs * 2 ** (booking.inARow - 1));
  return untilMs <= tickMs + calmMs ? untilMs : 0;
}

// Extra checks whose time has come.
const horizonMs = ({ cadence }: Config) => lastStep * durationMs(cadence.confirm);
const longLookMs = ({ cadence }: Config) => longLook.checks * longLook.steps * durationMs(cadence.confirm);

/** Endpoints that show something else than before the change. */
function stillDiffering({ endpoints }: ProbeState, { before }: Confirmation): EndpointId[] {
  return endpointIds.filter((endpoint) => {
    const [then, now] = [before?.[endpoint], endpoints[endpoint]];
    if (!then || !now) return false;
    if (then.class !== now.last.authenticated?.class) return true;
    const known = then.findings?.[now.sample ?? ""];
    return known !== undefined && known !== now.findings?.[now.sample ?? ""];
  });
}

/** What a sleeping machine or a clock that jumped left behind is not made up for: the slots are. */
const isInTime = ({ atMs }: PendingCheck, tickMs: number, config: Config) =>
  tickMs - atMs <= horizonMs(config) + maxRetryAfterMs && atMs - tickMs <= longLookMs(config);

function duePending(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  scope: readonly EndpointId[],
): PendingCheck[] {
  if (probeState.isReserveSpent) return [];
  return probeState.pending
    .filter((check) => scope.includes(check.endpoint) && check.atMs <= tickMs)
    .filter((check) => isInTime(check, tickMs, config))
    .filter((check) => isWanted(probeState, check));
}

function isWanted(probeState: ProbeState, { endpoint, condition, confirmationMs }: PendingCheck): boolean {
  if (condition === undefined) return true;
  if (condition === "failing") return probeState.endpoints[endpoint]?.failingSinceMs !== undefined;
  const confirmation = probeState.confirmations?.find(({ atMs }) => atMs === confirmationMs);
  const differing = confirmation ? stillDiffering(probeState, confirmation) : [];
  return differing.includes(endpoint) && (condition === "differs" || differing.length < endpointIds.length);
}

/** Without the extra checks that were due at a tick: they were made, or there was no need. */
export function forgetDue(
  probeState: ProbeState,
  tickMs: number,
  config: Config,
  scope: readonly EndpointId[],
): ProbeState {
  const pending = probeState.pending.filter((check) => {
    if (!scope.includes(check.endpoint)) return true;
    if (!isInTime(check, tickMs, config)) return false;
    return check.atMs > tickMs || waitsUntilMs(tickMs, probeState, check.endpoint, config) > tickMs;
  });
  const confirmations = noteLasting(probeState, tickMs, config);
  const isSame = pending.length === probeState.pending.length && confirmations === probeState.confirmations;
  return isSame ? probeState : { ...probeState, pending, confirmations };
}

/** A change that did not last until its second step is remembered as such. */
function noteLasting(probeState: ProbeState, tickMs: number, config: Config): ProbeState["confirmations"] {
  const { confirmations } = probeState;
  const secondMs = confirmationSteps[1] * durationMs(config.cadence.confirm);
  const isDue = ({ atMs, hasLasted, before }: Confirmation) =>
    hasLasted === undefined && before !== undefined && atMs + secondMs <= tickMs;
  if (!confirmations?.some(isDue)) return confirmations;
  return confirmations.map((one) =>
    isDue(one) ? { ...one, hasLasted: stillDiffering(probeState, one).length > 0 } : one,
  );
}

/** The next instant at which something is due, by the state after a tick. */
export function findNextTick(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  only?: EndpointId,
): number {
  const { left, monthEndMs } = computeMonthBudget(tickMs, probeState, config);
  const isSpent = isBudgetSpent(tickMs, probeState, config);
  const cadenceMs = computeCadenceMs(tickMs, probeState, config);
  const scope = only ? [only] : endpointIds;
  const instantsMs = scope.flatMap((endpoint) => {
    const isOpen = findOpenSlot(endpoint, tickMs, probeState, config) !== undefined;
    const calmMs = durationMs(config.cadence.calm);
    const notSentMs = isOpen ? tickMs : slotStartMs(endpoint, tickMs, config) + calmMs;
    if (left === 0) return [notSentMs];
    const readyMs = waitsUntilMs(tickMs, probeState, endpoint, config);
    const slotMs = scheduledAtMs(endpoint, { tickMs, probeState, config, everyMs: cadenceMs });
    const pendingMs = probeState.pending.filter((one) => one.endpoint === endpoint).map(({ atMs }) => atMs);
    return [slotMs, ...pendingMs, ...(isSpent ? [notSentMs] : [])].map((atMs) => Math.max(atMs, readyMs));
  });
  // What is due and was not requested waits for the end of the burst's window.
  return Math.ceil(
    Math.min(...instantsMs.map((atMs) => (atMs > tickMs ? atMs : tickMs + burst.windowMs)), monthEndMs),
  );
}

/** Three looks on the first day learn what is usual. */
const firstLooks = 3;

/**
 * Rare requests are sent together with a scheduled check of their endpoint. Each is due once in `cadence.rare`, at its own
 * offset, so that they do not bunch. Missed ones are made up for one at a time.
 */
function rareCandidates(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  scheduled: readonly EndpointId[],
): Candidate[] {
  const everyMs = durationMs(config.cadence.rare);
  const periodMs = Math.floor(tickMs / everyMs) * everyMs;
  const all = rareRequests(config);
  return scheduled.flatMap((endpoint) => {
    const known = probeState.endpoints[endpoint];
    const own = all
      .map((request, index) => {
        const placeMs = periodMs + (index * everyMs) / all.length;
        const { atMs: lastMs = 0, looks = 0 } = known?.last[request.variant] ?? {};
        return { request, placeMs, lastMs, looks };
      })
      .filter(({ request }) => request.endpoint === endpoint);
    const due = own
      .filter(
        ({ placeMs, lastMs, looks }) =>
          (lastMs < periodMs && (placeMs <= tickMs || lastMs < periodMs - everyMs)) ||
          // The first looks show what is usual.
          (looks > 0 && looks < firstLooks) ||
          lastMs > tickMs + everyMs,
      )
      .sort((a, b) => a.lastMs - b.lastMs || a.placeMs - b.placeMs);
    const atOnce = Math.ceil((own.length * durationMs(config.cadence.calm)) / everyMs);
    return due
      .slice(0, atOnce)
      .map(({ request }): Candidate => ({ ...request, reason: "scheduled", from: "rare" }));
  });
}
const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
const minute = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const leftText = ({ left, monthEndMs }: RemainingBudget) =>
  `${formatCount(left)} requests are left until ${day(monthEndMs)}`;
