// The check history: what the reading of the next check needs of those before it. Bounded, plain JSON, a pure fold.
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Observation } from "../../records/observation.ts";
import { causeOfNotSent, isGood, isRefused } from "../../records/outcome.ts";
import { type Check, toCheck } from "./check.ts";
import type { EndpointHistory, History } from "./types.ts";

export const freshHistory = (): History => ({ endpoints: {}, anonymous: [], checks: 0 });

const freshEndpoint = (): EndpointHistory => ({
  latest: {},
  served: [],
  checksOfOthers: 0,
});

const maxServed = 12;
/** A month of a lasting refusal. */
export const maxAnonymous = 400;

const historyOf = (history: History, endpoint: EndpointId): EndpointHistory => {
  const own = history.endpoints[endpoint] ?? freshEndpoint();
  history.endpoints[endpoint] = own;
  return own;
};

/** The check as the rules see it; mutates the history. Observations come in the order of their ticks. */
export function noteCheck(history: History, observation: Observation, tick: readonly Observation[]): Check {
  const { endpoint, variant } = observation;
  const own = historyOf(history, endpoint);
  const check = toCheck(observation, own, history);
  if (isContradicted(observation, tick)) check.class = "none";
  own.lastMs = check.atMs;
  own.checksOfOthers = 0;
  if (check.isPrimary)
    for (const other of endpointIds)
      if (other !== endpoint && history.endpoints[other]) history.endpoints[other].checksOfOthers++;
  history.lastMs = Math.max(history.lastMs ?? check.atMs, check.atMs);
  if (check.isPrimary) history.primary = variant;
  noteNotSent(own, check);
  if (check.class === "none") return check;
  history.checks++;
  const before = own.latest[variant];
  const isAlike = before?.label === check.label;
  own.latest[variant] = {
    atMs: check.atMs,
    class: check.class,
    label: check.label,
    sinceMs: isAlike ? before.sinceMs : check.atMs,
    times: isAlike ? before.times + 1 : 1,
  };
  if (variant === "anonymous") {
    if (isGood(check)) history.isAnonymousEverServed = true;
    const state = isGood(check) ? "served" : isRefused(check) ? "refused" : "other";
    if (!check.isPrimary)
      history.anonymous = [...history.anonymous, { atMs: check.atMs, endpoint, state } as const].slice(
        -maxAnonymous,
      );
  }
  if (!check.isPrimary || !isGood(check)) return check;
  own.servedMs = check.atMs;
  if (check.sample !== undefined && !own.served.includes(check.sample))
    own.served = [...own.served, check.sample].slice(-maxServed);
  if (check.rows) own.records = { atMs: check.atMs, dates: check.rows };
  return check;
}

function noteNotSent(
  own: EndpointHistory,
  { isPrimary, notSent: reason, label, class: name, atMs }: Check,
): void {
  if (!isPrimary) return;
  if (reason !== undefined) own.notSent = { reason, cause: causeOfNotSent(label), atMs };
  else if (name !== "none") delete own.notSent;
}

/** A sample that is not found says nothing of V1 where another one is served at once. */
const isContradicted = (
  { endpoint, variant, outcome, reason }: Observation,
  tick: readonly Observation[],
): boolean =>
  outcome.status === 404 &&
  reason !== "second-opinion" &&
  endpoints[endpoint].role !== "list" &&
  tick.some(
    (other) =>
      other.reason === "second-opinion" &&
      other.endpoint === endpoint &&
      other.variant === variant &&
      other.outcome.kind === "ok",
  );

/** Of the primary variant. */
export const latestOf = ({ endpoints: known, primary }: History, endpoint: EndpointId) =>
  known[endpoint]?.latest[primary ?? "authenticated"];
