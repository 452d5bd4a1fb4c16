// Whether V1 gives usable responses: outages of the API or of endpoints with their cause, rates of failures, latency.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Incident, RuleId, Scope } from "../../records/incident.ts";
import { type Check, isBad } from "../history/check.ts";
import type { History, Run } from "../history/history.ts";
import {
  countChecks,
  goodChecks,
  judgedChecks,
  lastGoodBefore,
  median,
  onsetOf,
  primaryChecks,
  runOf,
  watchedEndpoints,
} from "../history/queries.ts";
import { findCause } from "./access.ts";
import { type Active, type Evaluation, type Inactive, isFiring, type RuleContext } from "./rule.ts";

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

const isFailure = ({ rule }: Incident) => (failureRules as readonly RuleId[]).includes(rule);
export const failuresOf = ({ incidents }: Pick<RuleContext, "incidents">): Incident[] =>
  incidents.filter(isFailure);

const scopeOf = (endpoints: readonly EndpointId[]): Scope =>
  endpoints.length === endpointIds.length ? "api" : "endpoint";

/** Firing incidents first; then the API as a whole; then each endpoint that fails and belongs to none of them. */
export function evaluateFailures(context: RuleContext): Evaluation[] {
  const { history } = context;
  const firing = failuresOf(context).filter(isFiring);
  const bad = watchedEndpoints(history).filter((endpoint) => runOf(history, endpoint)?.state === "bad");
  const api = firing.find(
    ({ scope, endpoints }) => scope === "api" && endpoints.length === endpointIds.length,
  );
  // A wider incident takes the place of the narrower ones.
  if (!api && bad.length === endpointIds.length) {
    const outage = evaluateOutage(context, bad, undefined);
    if (outage.isConfirmed || firing.length === 0) return [outage];
    return [...firing.map((incident) => evaluateFiring(context, incident)), outage];
  }
  const covered = new Set(firing.flatMap(({ endpoints }) => endpoints));
  return [
    ...firing.map((incident) => evaluateFiring(context, incident)),
    ...bad
      .filter((endpoint) => !covered.has(endpoint))
      .map((endpoint) => evaluateOutage(context, [endpoint], joined(context, firing, endpoint))),
  ];
}

/** An outage of another endpoint that began at about the same time is the same outage. */
function joined(
  { history, thresholds }: RuleContext,
  firing: readonly Incident[],
  endpoint: EndpointId,
): Incident | undefined {
  const sinceMs = runOf(history, endpoint)?.sinceMs ?? 0;
  return firing.find(({ since }) => Math.abs(Date.parse(since) - sinceMs) <= thresholds.sameOutageMs);
}

/** The earliest first failure within 37 min of the latest, so that an old fault of one endpoint does not backdate it. */
function startOf({ thresholds }: RuleContext, runs: readonly Run[]): number {
  const latestMs = Math.max(...runs.map(({ sinceMs }) => sinceMs));
  return Math.min(
    ...runs.map(({ sinceMs }) => sinceMs).filter((ms) => ms >= latestMs - thresholds.sameOutageMs),
  );
}

function evaluateOutage(context: RuleContext, endpoints: EndpointId[], joins: Incident | undefined): Active {
  const { history } = context;
  const runs = endpoints.map((endpoint) => runOf(history, endpoint)!);
  const own = describe(context, endpoints, startOf(context, runs), undefined);
  const isConfirmed = isLongEnough(context, own);
  if (!joins || !isConfirmed) return { ...own, isConfirmed };
  const all = endpointIds.filter(
    (endpoint) => joins.endpoints.includes(endpoint) || endpoints.includes(endpoint),
  );
  const fromMs = Math.min(Date.parse(joins.since), own.firstBadMs);
  return { ...describe(context, all, fromMs, joins), isConfirmed, incidentId: joins.id };
}

/** `for` and `minChecks` of an outage, over the checks since the last good one: longer for one endpoint, for 429, and
 * while a rate incident fires. */
function isLongEnough(context: RuleContext, { scope, rule, endpoints }: Active): boolean {
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
      isIntermittent(one, limits) && context.nowMs - Date.parse(one.facts.lastBadAt) < limits.rateWindowMs,
  );
  if (isRate || isMixed) return row.length >= limits.duringRateChecks && lengthMs >= limits.duringRateForMs;
  const scopeMs = scope === "api" ? limits.pageAfterMs : limits.pageEndpointAfterMs;
  const forMs = rule === "throttled" ? limits.throttledForMs : scopeMs;
  return lengthMs >= forMs - limits.slackMs && row.length >= limits.pageChecks;
}

/** The facts of a failure of these endpoints since an instant. */
function describe(
  context: RuleContext,
  endpoints: EndpointId[],
  fromMs: number,
  incident: Incident | undefined,
): Active {
  const { history } = context;
  const { firstBadMs } = onsetOf(history, endpoints, fromMs);
  const startMs = Number.isFinite(firstBadMs) ? firstBadMs : fromMs;
  const lastBadMs = Math.max(startMs, ...endpoints.map((endpoint) => lastBadOf(history, endpoint) ?? 0));
  const { bad, total, responses } = countChecks(history, endpoints, startMs, lastBadMs);
  const scope = scopeOf(endpoints);
  const cause = findCause(context, endpoints, scope, startMs, incident);
  return {
    state: "active",
    severity: "page",
    ...{ endpoints, scope, lastBadMs, bad, total, firstBadMs: startMs },
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

function lastBadOf(history: History, endpoint: EndpointId): number | undefined {
  const run = runOf(history, endpoint);
  return run?.state === "bad" ? run.lastMs : run?.beforeMs;
}

/** A firing incident goes on, is narrowed to the endpoints that are left, or is over. */
function evaluateFiring(context: RuleContext, incident: Incident): Evaluation {
  const { history, thresholds } = context;
  const { endpoints, id } = incident;
  const sinceMs = Date.parse(incident.since);
  const left = endpoints.filter((endpoint) => runOf(history, endpoint)?.state === "bad");
  if (left.length === 0) return { ...recoveryOf(history, endpoints), incidentId: id };
  const good = endpoints
    .filter((endpoint) => !left.includes(endpoint))
    .map((endpoint) => runOf(history, endpoint)!);
  const firstGoodMs = Math.min(...good.map((run) => run.sinceMs));
  // All that are good have to have stayed so, while the others were seen to fail.
  const isProven =
    good.length > 0 &&
    !isIntermittent(incident, thresholds) &&
    good.every(
      (run) =>
        run.count >= thresholds.recoveryChecks &&
        run.lastMs - firstGoodMs >= thresholds.recoveredForMs - thresholds.slackMs,
    ) &&
    left.every((one) => (lastBadOf(history, one) ?? 0) > firstGoodMs);
  const narrowed = isProven ? describe(context, left, sinceMs, incident) : undefined;
  const isNarrowed = narrowed !== undefined && narrowed.bad >= thresholds.pageChecks;
  const active = isNarrowed ? narrowed : describe(context, endpoints, sinceMs, incident);
  return { ...active, isConfirmed: true, incidentId: id };
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

/** Good checks came in between: it is a rate of failures rather than an outage. */
const isIntermittent = ({ facts }: Incident, limits: RuleContext["thresholds"]) =>
  facts.bad < limits.outageShare * facts.total;

type Scheduled = { atMs: number; endpoint: EndpointId; isBad: boolean; isUnauthorized: boolean };

/** Scheduled checks, without those inside an outage that was told: these count in neither bad nor total. */
function scheduledChecks(context: RuleContext): Scheduled[] {
  const outages = failuresOf(context).filter(
    (one) => one.openedAt !== undefined && !isIntermittent(one, context.thresholds),
  );
  const isInside = ({ endpoint, atMs }: Scheduled) =>
    outages.some(({ endpoints, since, facts }) => {
      const end = facts.firstGoodAfterAt;
      const isThere = endpoints.includes(endpoint) || facts.endpoints.includes(endpoint);
      return isThere && atMs >= Date.parse(since) && (end === null || atMs < Date.parse(end));
    });
  return judgedChecks(context.history, endpointIds)
    .filter(({ reason }) => reason === "scheduled")
    .map((check) => ({
      ...{ atMs: check.atMs, endpoint: check.endpoint, isBad: isBad(check) },
      isUnauthorized: check.class === "unauthorized" || check.class === "quota",
    }))
    .filter((check) => outages.length === 0 || !isInside(check));
}

const isBadRow = (row: Scheduled) => row.isBad;

/** One incident for all failures now and then: of 401s where nearly all of them are. */
export function evaluateRates(context: RuleContext): Evaluation[] {
  const { nowMs, thresholds: limits } = context;
  const isCalm = endpointIds.every((endpoint) =>
    primaryChecks(context.history, endpoint).every((check) => !isBad(check)),
  );
  const hasRate = context.incidents.some((one) => isFiring(one) && one.rule.endsWith("-rate"));
  if (isCalm && !hasRate) return [{ state: "inactive" }];
  const all = scheduledChecks(context);
  const firing = context.incidents.find(
    (one) => isFiring(one) && (one.rule === "error-rate" || one.rule === "unauthorized-rate"),
  );
  const day = all.filter(({ atMs }) => atMs > nowMs - limits.rateWindowMs);
  const last = all.slice(-limits.ratePageOf);
  const dayBad = day.filter(isBadRow).length;
  const isPage = last.filter(isBadRow).length >= limits.ratePageBad;
  const isWarning = dayBad >= limits.rateWarningBad && dayBad >= limits.rateWarning * day.length;
  if (all.length === 0) return [{ state: "unknown" }];
  if (!isPage && !isWarning) {
    if (!firing) return [{ state: "inactive" }];
    // Between the limit and half of it, the facts of the last time over the limit stand.
    if (!isUnderHalf(all, nowMs, limits)) return [{ state: "unknown" }];
    const lastBadMs = all.findLast(isBadRow)?.atMs ?? 0;
    const firstGoodMs = all.find(({ atMs }) => atMs > lastBadMs)?.atMs;
    return [{ state: "inactive", firstGoodMs, good: limits.recoveryChecks, lastMs: nowMs }];
  }
  const wasPage = firing?.severity === "page";
  const window = isPage ? last : day;
  const endpoints = endpointIds.filter((endpoint) =>
    window.some((row) => row.isBad && row.endpoint === endpoint),
  );
  const rows = window.filter(({ endpoint }) => endpoints.includes(endpoint));
  const bad = rows.filter(isBadRow);
  const isUnauthorized =
    bad.filter((row) => row.isUnauthorized).length >= limits.unauthorizedShare * bad.length;
  const rate = bad.length / rows.length;
  return [
    {
      state: "active",
      rule: isUnauthorized ? "unauthorized-rate" : "error-rate",
      severity: isPage || wasPage ? "page" : "warning",
      scope: scopeOf(endpoints),
      endpoints,
      firstBadMs: bad[0]!.atMs,
      lastGoodMs: rows.findLast((row) => !row.isBad && row.atMs < bad[0]!.atMs)?.atMs,
      lastBadMs: bad.at(-1)!.atMs,
      bad: bad.length,
      total: rows.length,
      windowMs: isPage ? Math.max(0, rows.at(-1)!.atMs - rows[0]!.atMs) : limits.rateWindowMs,
      facts: isPage
        ? { limitBad: limits.ratePageBad }
        : { limitBad: limits.rateWarningBad, limitShare: limits.rateWarning },
      key: rateKey(firing, isPage || wasPage ? "page" : "warning", rate, nowMs, limits),
      isConfirmed: true,
    },
  ];
}

/** Another key when the severity rises, when the rate has doubled, and weekly. */
function rateKey(
  firing: Incident | undefined,
  severity: string,
  rate: number,
  nowMs: number,
  limits: RuleContext["thresholds"],
): string {
  const key = `${severity} ${rate.toFixed(3)}`;
  const told = firing?.sent.findLast(({ event }) => event !== "reminder");
  if (!told) return key;
  const [toldSeverity, toldRate] = told.key.split(" ");
  const isDoubled = rate >= limits.rateUpdateFactor * Number(toldRate);
  const isDue = nowMs - Date.parse(told.at) >= limits.rateUpdateMs;
  return isDoubled || isDue || toldSeverity !== severity ? key : told.key;
}

/** At every check of the last 24 h, the rate of the 24 h before it was under half of its limit. */
function isUnderHalf(all: readonly Scheduled[], nowMs: number, limits: RuleContext["thresholds"]): boolean {
  const share = limits.rateWarning * limits.rateResolveShare;
  const times = [
    ...all.filter(({ atMs }) => atMs > nowMs - limits.rateResolveForMs).map(({ atMs }) => atMs),
    nowMs,
  ];
  return times.every((ms) => {
    const window = all.filter(({ atMs }) => atMs > ms - limits.rateWindowMs && atMs <= ms);
    return window.length === 0 || window.filter(isBadRow).length <= share * window.length;
  });
}

/** The last good checks of an endpoint were all over 3 s, or ten times slower than its own week. */
export function evaluateSlow(context: RuleContext): Evaluation[] {
  const { history, thresholds: limits, nowMs } = context;
  const firing = context.incidents.find((one) => isFiring(one) && one.rule === "slow");
  const rows = watchedEndpoints(history).flatMap((endpoint) => {
    const checks = goodChecks(history, endpoint);
    const wasSlow = firing?.endpoints.includes(endpoint) ?? false;
    const isQuick = checks
      .slice(-limits.slowChecks)
      .every(({ latencyMs }) => latencyMs <= limits.slowFloorMs);
    if (checks.length < limits.slowChecks || (isQuick && !wasSlow)) return [];
    const usualMs = usualLatency(history, endpoint, nowMs - limits.slowWeekMs, firing);
    const factorMs = Math.max(limits.slowFloorMs, limits.slowFactor * (usualMs ?? limits.slowMs));
    const limitMs = Math.min(limits.slowMs, factorMs);
    const isSlow = ({ latencyMs }: Check) => latencyMs > limitMs;
    const inRow = checks.length - 1 - checks.findLastIndex((check) => !isSlow(check));
    const isFast = !checks.slice(-limits.slowChecks).some(isSlow);
    return [{ endpoint, checks, usualMs, isSlow, inRow, wasSlow, isFast }];
  });
  if (rows.length === 0) return [{ state: firing ? "unknown" : "inactive" }];
  const isActive = rows.some(({ inRow }) => inRow >= limits.slowChecks);
  const involved = rows.filter(
    ({ inRow, wasSlow }) => wasSlow || (isActive && inRow >= limits.slowChecks - 1),
  );
  if (involved.every(({ isFast }) => isFast)) {
    const fast = involved.flatMap(({ checks }) => checks.slice(-limits.slowChecks)).map(({ atMs }) => atMs);
    return [
      {
        state: "inactive",
        firstGoodMs: fast.length > 0 ? Math.min(...fast) : undefined,
        good: fast.length,
        lastMs: nowMs,
      },
    ];
  }
  if (!isActive) return [{ state: "unknown" }];
  const slow = involved.map((row) => {
    const start =
      row.wasSlow && firing
        ? row.checks.findIndex(({ atMs }) => atMs >= Date.parse(firing.since))
        : row.checks.length - row.inRow;
    const end = row.checks.findLastIndex(row.isSlow);
    return { ...row, before: row.checks[start - 1], own: row.checks.slice(start, end + 1) };
  });
  const all = slow.flatMap(({ own, isSlow, usualMs }) =>
    own.map((check) => ({ check, usualMs, isSlow: isSlow(check) })),
  );
  const bad = all.filter((one) => one.isSlow).sort((a, b) => a.check.atMs - b.check.atMs);
  const worst = bad.toSorted((a, b) => b.check.latencyMs - a.check.latencyMs)[0]!;
  const before = slow.flatMap((row) => (row.before ? [row.before.atMs] : []));
  const endpoints = slow.map(({ endpoint }) => endpoint);
  const [firstMs, lastBadMs] = [bad[0]!.check.atMs, bad.at(-1)!.check.atMs];
  const kept = firing?.facts.lastGoodBeforeAt;
  return [
    {
      state: "active",
      ...{
        rule: "slow",
        severity: "warning",
        endpoints,
        scope: scopeOf(endpoints),
        bad: bad.length,
        total: all.length,
      },
      firstBadMs: firing ? Date.parse(firing.since) : firstMs,
      lastGoodMs: kept
        ? Date.parse(kept)
        : before.length > 0
          ? Math.max(...before.filter((ms) => ms < firstMs))
          : undefined,
      ...{ lastBadMs, windowMs: lastBadMs - firstMs },
      facts: {
        latencyMs: Math.round(worst.check.latencyMs),
        ...(worst.usualMs !== undefined && { usualLatencyMs: worst.usualMs }),
      },
      key: "slow",
      isConfirmed: true,
    },
  ];
}

/** The median of its hours; those of a slow time that was told do not count. */
function usualLatency(
  history: History,
  endpoint: EndpointId,
  fromMs: number,
  firing: Incident | undefined,
): number | undefined {
  const untilMs = firing?.endpoints.includes(endpoint) ? Date.parse(firing.since) : Number.POSITIVE_INFINITY;
  const hours = (history.endpoints[endpoint]?.hours ?? []).filter(
    ({ hour }) => hour * 3_600_000 >= fromMs && hour * 3_600_000 < untilMs,
  );
  const values = hours.flatMap(({ latencyMs }) => (latencyMs === undefined ? [] : [latencyMs]));
  return values.length >= 12 ? median(values) : undefined;
}
