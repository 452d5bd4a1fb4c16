// Whether V1 gives usable responses: outages of the API or of endpoints with their cause, rates of failures, latency.

import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Incident, RuleId } from "../../records/incident.ts";
import { isBad } from "../../records/outcome.ts";
import { countChecks, firstBadFrom, judgedChecks, lastGoodBefore, runOf } from "../history/queries.ts";
import type { History, Run } from "../history/types.ts";
import { findCause } from "./access.ts";
import {
  type Active,
  type Evaluation,
  type Inactive,
  isFiring,
  lastsUntilMs,
  type RuleContext,
  scopeOf,
} from "./rule.ts";

export const failureRules = [
  "down",
  "key-refused",
  "maybe-retired",
  "retired",
  "quota-exhausted",
  "access-refused",
  "throttled",
  "withdrawn",
  "gone",
  "serves-v2",
  "error-envelope",
  "not-json",
  "empty-list",
  "stub-data",
  "unsafe-response",
] as const satisfies readonly RuleId[];

/** Good checks of the endpoints came between their own bad ones: a rate of failures rather than an outage. */
export const isIntermittent = (context: HistoryContext, incident: Incident): boolean =>
  hasGoodBetween(context, incident, incident.facts.endpoints);

/** Where the outage is intermittent as a whole, one of its endpoints may have failed all the time. */
export function isIntermittentAt(context: HistoryContext, incident: Incident, endpoint: EndpointId): boolean {
  const all = endpointIds.filter((one) => lastsUntilMs(incident, one) !== undefined);
  return hasGoodBetween(context, incident, all) && hasGoodBetween(context, incident, [endpoint]);
}

type HistoryContext = Pick<RuleContext, "history" | "thresholds">;

function hasGoodBetween(
  { history, thresholds }: HistoryContext,
  incident: Incident,
  endpoints: readonly EndpointId[],
): boolean {
  const { facts, since } = incident;
  let [bad, total] = [0, 0];
  for (const endpoint of endpoints) {
    const untilMs = Math.min(Date.parse(facts.lastBadAt), lastsUntilMs(incident, endpoint) ?? 0);
    const own = judgedChecks(history, [endpoint], Date.parse(since)).filter(({ atMs }) => atMs <= untilMs);
    total += own.findLastIndex(isBad) + 1;
    bad += own.filter(isBad).length;
  }
  // Where no check of it is kept any more, its facts are all that is known.
  return total > 0 ? bad < thresholds.outageShare * total : facts.bad < thresholds.outageShare * facts.total;
}

const isFailure = ({ rule }: Incident) => (failureRules as readonly RuleId[]).includes(rule);
export const failuresOf = ({ incidents }: Pick<RuleContext, "incidents">): Incident[] =>
  incidents.filter(isFailure);

/** Firing incidents first; then the API as a whole; then each endpoint that fails and belongs to none of them. */
export function evaluateFailures(context: RuleContext): Evaluation[] {
  const { history } = context;
  const firing = failuresOf(context).filter(isFiring);
  const bad = endpointIds.filter((endpoint) => isFailing(history, endpoint));
  const isOfApi = firing.some(({ scope }) => scope === "api");
  const covered = new Set(firing.flatMap(({ endpoints }) => endpoints));
  const others = bad.filter((endpoint) => !covered.has(endpoint));
  // A wider incident takes the place of the narrower ones.
  if (!isOfApi && bad.length === endpointIds.length) {
    const outage = evaluateOutage(context, bad);
    if (firing.length === 0) return [outage];
    if (outage.isConfirmed && isShown(context, others)) return [outage];
    const narrower = firing.map((incident) => evaluateFiring(context, incident));
    return [...narrower, { ...outage, isConfirmed: false }];
  }
  return [
    ...firing.map((incident) => evaluateFiring(context, incident)),
    ...groupOutages(context, others).map((endpoints) => evaluateOutage(context, endpoints, firing)),
  ];
}

/** Endpoints that began to fail at about the same time, with the same cause and in enough checks, are one outage. */
function groupOutages(context: RuleContext, endpoints: readonly EndpointId[]): EndpointId[][] {
  const { history, thresholds } = context;
  const groups: { rule: RuleId; sinceMs: number; isGrown: boolean; endpoints: EndpointId[] }[] = [];
  for (const endpoint of endpoints) {
    const { sinceMs, count } = runOf(history, endpoint)!;
    const { rule } = describe(context, [endpoint], sinceMs, undefined);
    const isGrown = count >= thresholds.pageChecks;
    const known = groups.find(
      (group) =>
        isGrown &&
        group.isGrown &&
        group.rule === rule &&
        Math.abs(group.sinceMs - sinceMs) <= thresholds.sameOutageMs,
    );
    if (known) known.endpoints.push(endpoint);
    else groups.push({ rule, sinceMs, isGrown, endpoints: [endpoint] });
  }
  return groups.map((group) => group.endpoints);
}

/** The earliest first failure within 37 min of the latest, so that an old fault of one endpoint does not backdate it. */
function startOf({ thresholds }: RuleContext, runs: readonly Run[]): number {
  const latestMs = Math.max(...runs.map(({ sinceMs }) => sinceMs));
  return Math.min(
    ...runs.map(({ sinceMs }) => sinceMs).filter((ms) => ms >= latestMs - thresholds.sameOutageMs),
  );
}

/** With the same cause and at about the same time as an incident of another endpoint, it is the same outage. */
function evaluateOutage(
  context: RuleContext,
  endpoints: EndpointId[],
  firing: readonly Incident[] = [],
): Active {
  const { history, thresholds } = context;
  const runs = endpoints.map((endpoint) => runOf(history, endpoint)!);
  const own = describe(context, endpoints, startOf(context, runs), undefined);
  const isConfirmed = isLongEnough(context, own);
  const joins = firing.find(
    ({ rule, since }) =>
      rule === own.rule && Math.abs(Date.parse(since) - own.firstBadMs) <= thresholds.sameOutageMs,
  );
  if (!joins || !isConfirmed) return { ...own, isConfirmed };
  const all = endpointIds.filter(
    (endpoint) => joins.endpoints.includes(endpoint) || endpoints.includes(endpoint),
  );
  const fromMs = Math.min(Date.parse(joins.since), own.firstBadMs);
  const change = { changedMs: own.firstBadMs, changedAfterMs: own.lastGoodMs };
  return { ...describe(context, all, fromMs, joins), ...change, isConfirmed, incidentId: joins.id };
}

/** What is claimed of the API has to hold of the endpoints, too, that no incident is about yet. */
function isShown(context: RuleContext, endpoints: EndpointId[]): boolean {
  if (endpoints.length === 0) return true;
  const runs = endpoints.map((endpoint) => runOf(context.history, endpoint)!);
  const own = describe(context, endpoints, startOf(context, runs), undefined);
  return isLongEnough(context, { ...own, scope: "api" });
}

/** `for` and `minChecks` of an outage, over the checks since the last good one: longer for one endpoint, for 429, and
 * while a rate incident fires. */
function isLongEnough(context: RuleContext, active: Active): boolean {
  const { scope, rule, endpoints } = active;
  const { thresholds: limits, history, incidents } = context;
  const lastGoodMs = Math.max(0, ...endpoints.map((endpoint) => runOf(history, endpoint)?.beforeMs ?? 0));
  const row = judgedChecks(history, endpoints, lastGoodMs + 1);
  const lengthMs = row.length > 0 ? row.at(-1)!.atMs - row[0]!.atMs : 0;
  const isRate = incidents.some(
    (one) => isFiring(one) && (one.rule === "error-rate" || one.rule === "unauthorized-rate"),
  );
  // After a failure with good checks in between the next one is likely to be of the same sort.
  const isMixed = failuresOf({ incidents }).some(
    (one) =>
      context.nowMs - Date.parse(one.facts.lastBadAt) < limits.rateWindowMs && isIntermittent(context, one),
  );
  if (isRate || isMixed)
    return (
      row.length >= checksBeyondChance(context, endpoints, lastGoodMs) && lengthMs >= limits.duringRateForMs
    );
  const scopeMs = scope === "api" ? limits.pageAfterMs : limits.pageEndpointAfterMs;
  const forMs = rule === "throttled" ? limits.throttledForMs : scopeMs;
  // Since the last good check of these endpoints, and since the onset: an old fault of one endpoint confirms nothing.
  const ownMs = active.lastBadMs - active.firstBadMs;
  const isOwn = ownMs >= forMs - limits.slackMs && active.bad >= limits.pageChecks;
  return isOwn && lengthMs >= forMs - limits.slackMs && row.length >= limits.pageChecks;
}

/** How many failures in a row are more than chance at the failure rate of the 24 h before them. */
function checksBeyondChance(
  { history, thresholds: limits }: RuleContext,
  endpoints: readonly EndpointId[],
  untilMs: number,
): number {
  const day = judgedChecks(history, endpoints, untilMs - limits.rateWindowMs).filter(
    ({ atMs, reason }) => atMs <= untilMs && reason === "scheduled",
  );
  if (day.length === 0) return limits.duringRateChecks;
  const rate = day.filter(isBad).length / day.length;
  const count = Math.ceil(Math.log(limits.duringRateChance) / Math.log(rate));
  return Math.min(limits.duringRateMaxChecks, Math.max(limits.duringRateChecks, count));
}

/** The facts of a failure of these endpoints since an instant. */
function describe(
  context: RuleContext,
  endpoints: EndpointId[],
  fromMs: number,
  incident: Incident | undefined,
): Active {
  const { history } = context;
  const firstBadMs = firstBadFrom(history, endpoints, fromMs);
  const startMs = Number.isFinite(firstBadMs) ? firstBadMs : fromMs;
  const lastBadMs = Math.max(startMs, ...endpoints.map((endpoint) => lastBadOf(history, endpoint) ?? 0));
  const { bad, total, responses } = countChecks(history, endpoints, startMs, lastBadMs);
  const scope = scopeOf(endpoints);
  const cause = findCause(context, endpoints, scope, startMs, incident);
  return {
    state: "active",
    severity: "page",
    endpoints,
    scope,
    lastBadMs,
    bad,
    total,
    firstBadMs: startMs,
    lastGoodMs: lastGoodBefore(history, endpoints, startMs),
    rule: cause.rule,
    facts: { responses, ...lastResponse(history, endpoints), ...cause.facts },
    key: `${cause.rule} ${endpoints.join(",")}`,
    ...(cause.changedMs !== undefined && {
      changedMs: cause.changedMs,
      changedAfterMs: cause.changedAfterMs,
    }),
  };
}

function lastResponse(history: History, endpoints: readonly EndpointId[]) {
  const last = judgedChecks(history, endpoints).findLast(isBad);
  return last ? { lastResponse: last.label } : {};
}

const isFailing = (history: History, endpoint: EndpointId) => runOf(history, endpoint)?.state === "bad";

function lastBadOf(history: History, endpoint: EndpointId): number | undefined {
  const run = runOf(history, endpoint);
  return run?.state === "bad" ? run.lastMs : run?.beforeMs;
}

/** A firing incident goes on, is narrowed to the endpoints that are left, or is over. */
function evaluateFiring(context: RuleContext, incident: Incident): Evaluation {
  const { history, thresholds } = context;
  const { endpoints, id } = incident;
  const sinceMs = Date.parse(incident.since);
  const left = endpoints.filter((endpoint) => isFailing(history, endpoint));
  if (left.length === 0) return { ...recoveryOf(history, endpoints), incidentId: id };
  const good = endpoints
    .filter((endpoint) => !left.includes(endpoint))
    .map((endpoint) => ({
      ...runOf(history, endpoint)!,
      // After failures with good checks in between, more of them are needed to be no chance.
      needed: isIntermittentAt(context, incident, endpoint)
        ? thresholds.duringRateChecks
        : thresholds.recoveryChecks,
    }));
  const firstGoodMs = Math.min(...good.map((run) => run.sinceMs));
  // All that are good have to have stayed so, while the others were seen to fail.
  const isProven =
    good.length > 0 &&
    good.every(
      (run) =>
        run.count >= run.needed && run.lastMs - firstGoodMs >= thresholds.recoveredForMs - thresholds.slackMs,
    ) &&
    left.every((one) => (lastBadOf(history, one) ?? 0) > firstGoodMs);
  const narrowed = isProven ? describe(context, left, sinceMs, incident) : undefined;
  if (!narrowed || narrowed.bad < thresholds.pageChecks)
    return { ...describe(context, endpoints, sinceMs, incident), isConfirmed: true, incidentId: id };
  // Another endpoint may have failed longer than the one that recovered first.
  const lastBads = good.map((run) => run.beforeMs ?? 0).filter((ms) => ms < firstGoodMs);
  const change = { changedMs: firstGoodMs, changedAfterMs: Math.max(...lastBads) };
  return { ...narrowed, ...change, isConfirmed: true, incidentId: id };
}

/** The first good check of the endpoints after the last bad one, and the good ones since. */
export function recoveryOf(history: History, endpoints: readonly EndpointId[]): Inactive {
  const lastBadMs = Math.max(0, ...endpoints.map((endpoint) => lastBadOf(history, endpoint) ?? 0));
  const good = judgedChecks(history, endpoints, lastBadMs + 1);
  return {
    state: "inactive",
    firstGoodMs: good[0]?.atMs,
    good: good.length,
    ...(good.length > 0 && { lastMs: good.at(-1)!.atMs }),
  };
}
