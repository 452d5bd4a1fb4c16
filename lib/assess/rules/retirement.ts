// What V1 announces in its headers and bodies, and outages that come back at the same hour.

import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Incident } from "../../records/incident.ts";
import { isGood } from "../../records/outcome.ts";
import type { Check } from "../history/check.ts";
import { checksOf, instantText, primaryChecks, watchedEndpoints } from "../history/queries.ts";
import type { History } from "../history/types.ts";
import { type Evaluation, firingOf, keptOnset, type RuleContext, scopeOf } from "./rule.ts";

const dayMs = 86_400_000;
const unreadable = "unreadable";
type Value = number | typeof unreadable | "none";

/** Only a good response can lack a header: a gateway's 503 does not carry V1's own. */
const tellingChecks = (history: History, endpoint: EndpointId): Check[] =>
  primaryChecks(history, endpoint).filter((check) => isGood(check) || check.notices !== undefined);

const hasNotices = (history: History) =>
  endpointIds.some((endpoint) =>
    primaryChecks(history, endpoint).some(({ notices }) => notices !== undefined),
  );

const sunsetOf = ({ notices }: Check): Value =>
  notices?.sunsetMs ?? (notices?.sunsetText === undefined ? "none" : unreadable);

type Confirmed = { endpoint: EndpointId; value: Value; check: Check };

/** The value of an endpoint: two consecutive checks agree, or two endpoints within an hour. */
function confirmedValues({ history, thresholds }: RuleContext): Confirmed[] {
  const isSame = (a: Value, b: Value) =>
    a === b || (typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= thresholds.sameDateMs);
  const rows = watchedEndpoints(history).map((endpoint) => ({
    endpoint,
    checks: tellingChecks(history, endpoint),
  }));
  return rows.flatMap(({ endpoint, checks }) => {
    const last = checks.at(-1);
    if (!last) return [];
    const value = sunsetOf(last);
    const agrees = rows.some(({ endpoint: other, checks: others }) => {
      const near = others.at(-1);
      return (
        other !== endpoint &&
        near &&
        value !== "none" &&
        isSame(sunsetOf(near), value) &&
        Math.abs(near.atMs - last.atMs) <= thresholds.noticeEndpointsMs
      );
    });
    const index = agrees
      ? checks.length - 1
      : checks.findLastIndex((check, at) => at > 0 && isSame(sunsetOf(checks[at - 1]!), sunsetOf(check)));
    const check = checks[index];
    return check ? [{ endpoint, value: sunsetOf(check), check }] : [];
  });
}

/** An endpoint has the header for the first time, or with another date than was reported. */
function isNewValue(
  { thresholds }: RuleContext,
  firing: Incident | undefined,
  endpoint: EndpointId,
  value: Value,
): boolean {
  if (!firing?.endpoints.includes(endpoint)) return true;
  const known = firing.facts.dates?.[endpoint];
  if (known === undefined || typeof value !== "number")
    return (known === undefined) !== (typeof value !== "number");
  return Math.abs(Date.parse(known) - value) > thresholds.sameDateMs;
}

/** A value that differs from what was reported waits until every endpoint was checked again, or for one round. */
function isSettled({ history, thresholds, nowMs }: RuleContext, sinceMs: number): boolean {
  if (nowMs - sinceMs >= thresholds.sameOutageMs) return true;
  return watchedEndpoints(history).every(
    (endpoint) => (tellingChecks(history, endpoint).at(-1)?.atMs ?? 0) >= sinceMs,
  );
}

/** Some endpoints have lost the header: the others have to be seen with it since, before that is reported. */
function isVanishing(
  { history }: RuleContext,
  sent: readonly Confirmed[],
  firing: Incident | undefined,
): boolean {
  const lost = (firing?.endpoints ?? []).filter((endpoint) => !sent.some((row) => row.endpoint === endpoint));
  if (lost.length === 0) return false;
  const lossMs = Math.min(
    ...lost.flatMap((endpoint) => firstWith(tellingChecks(history, endpoint), "none") ?? []),
  );
  return !sent.every(({ endpoint }) => {
    const last = tellingChecks(history, endpoint).at(-1);
    return last !== undefined && last.atMs > lossMs && sunsetOf(last) !== "none";
  });
}

/** A day such as 2026-12-31 has passed when it is over. */
export const endOfDayMs = (date: string) => Date.parse(date) + dayMs - 1_000;

export function evaluateSunset(context: RuleContext): Evaluation[] {
  const { history, nowMs } = context;
  const firing = firingOf(context, "sunset", "sunset-passed");
  if (!firing && context.settings.retirementDate === undefined && !hasNotices(history))
    return [{ state: "inactive" }];
  const values = confirmedValues(context);
  const sent = values.filter(({ value }) => value !== "none");
  if (sent.length === 0) return evaluateConfigured(context, values.length > 0, firing);
  const endpoints = sent.map(({ endpoint }) => endpoint);
  const isSent = (check: Check) => sunsetOf(check) !== "none";
  const seen = endpoints.flatMap((endpoint) => seriesOf(tellingChecks(history, endpoint), isSent));
  const changes = sent
    .filter(({ endpoint, value }) => isNewValue(context, firing, endpoint, value))
    .flatMap(({ endpoint, value }) => firstWith(tellingChecks(history, endpoint), value) ?? []);
  if (changes.length > 0 && !isSettled(context, Math.min(...changes))) return [{ state: "unknown" }];
  if (isVanishing(context, sent, firing)) return [{ state: "unknown" }];
  const dates = sent.flatMap(({ endpoint, value }) =>
    typeof value === "number" ? [{ endpoint, ms: value }] : [],
  );
  const ahead = dates.filter(({ ms }) => ms > nowMs);
  const dateMs = Math.min(...(ahead.length > 0 ? ahead : dates).map(({ ms }) => ms));
  const text = sent.find(({ value }) => value === unreadable)?.check.notices?.sunsetText;
  const isPassed = dates.length > 0 && ahead.length === 0;
  const servedMs = Math.max(
    0,
    ...endpoints.flatMap((endpoint) =>
      checksOf(history, endpoint)
        .filter(isGood)
        .map(({ atMs }) => atMs),
    ),
  );
  // A date that has come while V1 does not serve is the failure's matter.
  if (isPassed && servedMs < dateMs) return [{ state: "unknown" }];
  const previous = firing?.facts.date;
  const isMoved =
    previous !== undefined &&
    Number.isFinite(dateMs) &&
    Math.abs(Date.parse(previous) - dateMs) > context.thresholds.sameDateMs;
  const previousDate = isMoved ? previous : firing?.facts.previousDate;
  const all = endpoints.flatMap((endpoint) => tellingChecks(history, endpoint));
  return [
    {
      state: "active",
      rule: isPassed ? "sunset-passed" : "sunset",
      severity: "warning",
      endpoints,
      scope: scopeOf(endpoints),
      ...seriesFacts(all, seen, firing),
      facts: {
        source: "sunset",
        ...(Number.isFinite(dateMs) && { date: instantText(dateMs) }),
        ...(dates.length > 0 && {
          dates: Object.fromEntries(dates.map(({ endpoint, ms }) => [endpoint, instantText(ms)])),
        }),
        ...(text !== undefined && { dateText: text }),
        ...(previousDate !== undefined && { previousDate }),
      },
      key: `${isPassed ? "passed" : "ahead"} ${Number.isFinite(dateMs) ? instantText(dateMs).slice(0, 13) : unreadable} ${endpoints.join(",")}`,
      isConfirmed: true,
    },
  ];
}

/** The checks with this property since two in a row, or the first of all, were without it. */
function seriesOf(checks: readonly Check[], has: (check: Check) => boolean): Check[] {
  const isWithout = (check: Check | undefined) => check === undefined || !has(check);
  const start = checks.findLastIndex((check, index) => isWithout(check) && isWithout(checks[index - 1]));
  return checks.slice(start + 1).filter(has);
}

/** Undefined where no check is kept: 72 h after V1's end there is none that could show a header. */
const firstWith = (checks: readonly Check[], value: Value): number | undefined =>
  checks[checks.findLastIndex((check) => sunsetOf(check) !== value) + 1]?.atMs ?? checks.at(-1)?.atMs;

/** Counted over the checks that are kept; the onset of a firing incident stays. */
function seriesFacts(all: readonly Check[], seen: readonly Check[], firing: Incident | undefined) {
  const times = seen.map(({ atMs }) => atMs);
  const fromMs = Math.min(...times);
  const lastBadMs = Math.max(...times);
  const before = all.filter(({ atMs }) => atMs < fromMs).map(({ atMs }) => atMs);
  return {
    ...keptOnset(firing, fromMs, before.length > 0 ? Math.max(...before) : undefined),
    lastBadMs,
    bad: times.length,
    total: all.filter(({ atMs }) => atMs >= fromMs && atMs <= lastBadMs).length,
    windowMs: lastBadMs - fromMs,
  };
}

/** No header: a configured date may have passed while V1 serves. */
function evaluateConfigured(
  context: RuleContext,
  isKnown: boolean,
  firing: Incident | undefined,
): Evaluation[] {
  const { history, settings, nowMs } = context;
  const dateMs = settings.retirementDate === undefined ? Number.NaN : endOfDayMs(settings.retirementDate);
  const served = endpointIds
    .flatMap((endpoint) => checksOf(history, endpoint).filter((check) => check.isPrimary && isGood(check)))
    .filter(({ atMs }) => atMs > dateMs)
    .map(({ atMs }) => atMs);
  const isFromHeader = firing?.facts.source === "sunset";
  if (nowMs > dateMs && served.length >= context.thresholds.noticeChecks && !isFromHeader) {
    const endpoints = [...endpointIds];
    return [
      {
        state: "active",
        rule: "sunset-passed",
        severity: "warning",
        scope: "api",
        endpoints,
        firstBadMs: firing ? Date.parse(firing.since) : Math.min(...served),
        lastGoodMs: undefined,
        lastBadMs: Math.max(...served),
        bad: served.length,
        total: served.length,
        windowMs: Math.max(...served) - Math.min(...served),
        facts: { source: "configured", date: instantText(dateMs) },
        key: `passed ${settings.retirementDate}`,
        isConfirmed: true,
      },
    ];
  }
  if (!isKnown) return [{ state: "unknown" }];
  // Every endpoint that had it has to have lost it; a V1 that serves nothing shows no headers.
  const without = (firing?.endpoints ?? []).map((endpoint) => {
    const checks = tellingChecks(history, endpoint);
    return checks.slice(checks.findLastIndex((check) => sunsetOf(check) !== "none") + 1);
  });
  if (without.some((checks) => checks.length < context.thresholds.noticeChecks))
    return [{ state: "unknown" }];
  const times = without.flatMap((checks) => checks.map(({ atMs }) => atMs));
  return [
    {
      state: "inactive",
      firstGoodMs: times.length > 0 ? Math.min(...times) : undefined,
      good: times.length,
      lastMs: nowMs,
    },
  ];
}

/** Deprecation, Link, Warning 299 and messages in bodies: one warning, and another when a new kind appears. */
export function evaluateDeprecation(context: RuleContext): Evaluation[] {
  const { history, thresholds, nowMs } = context;
  const firing = firingOf(context, "deprecation");
  if (!firing && !hasNotices(history)) return [{ state: "inactive" }];
  const rows = watchedEndpoints(history).map((endpoint) => ({
    endpoint,
    checks: tellingChecks(history, endpoint),
  }));
  const kinds = [
    ...new Set(rows.flatMap(({ checks }) => checks.flatMap(({ notices }) => notices?.deprecation ?? []))),
  ].sort();
  const has = (kind: string) => (check: Check | undefined) =>
    check?.notices?.deprecation?.includes(kind) ?? false;
  const confirmed = kinds.flatMap((kind) => {
    const endpoints = rows.filter(({ checks }) => {
      const isTwice = checks.some(
        (check, index) => index > 0 && has(kind)(check) && has(kind)(checks[index - 1]),
      );
      const last = checks.findLast(has(kind));
      const isElsewhere = rows.some(
        ({ checks: others }) =>
          others !== checks &&
          last &&
          others.some(
            (check) => has(kind)(check) && Math.abs(check.atMs - last.atMs) <= thresholds.noticeEndpointsMs,
          ),
      );
      return last !== undefined && (isTwice || isElsewhere);
    });
    return endpoints.length > 0 ? [{ kind, endpoints: endpoints.map(({ endpoint }) => endpoint) }] : [];
  });
  const any = ({ notices }: Check) => notices?.deprecation !== undefined;
  const seen = rows.flatMap(({ checks }) => checks.filter(any));
  const lastSeenMs = Math.max(0, ...seen.map(({ atMs }) => atMs));
  if (confirmed.length === 0 || nowMs - lastSeenMs > thresholds.deprecationGoneMs) {
    const after = rows.flatMap(({ checks }) =>
      checks.filter(({ atMs }) => atMs > lastSeenMs && nowMs - lastSeenMs > thresholds.deprecationGoneMs),
    );
    if (firing && after.length < thresholds.noticeChecks) return [{ state: "unknown" }];
    return [{ state: "inactive", firstGoodMs: after[0]?.atMs, good: after.length, lastMs: nowMs }];
  }
  if (!firing && !isSettled(context, Math.min(...seen.map(({ atMs }) => atMs))))
    return [{ state: "unknown" }];
  const endpoints = endpointIds.filter((endpoint) =>
    confirmed.some((row) => row.endpoints.includes(endpoint)),
  );
  const own = rows.filter(({ endpoint }) => endpoints.includes(endpoint)).flatMap(({ checks }) => checks);
  const names = confirmed.map(({ kind }) => kind);
  const lastKey = firing?.sent.findLast(({ event }) => event !== "reminder")?.key;
  const isKnown = lastKey !== undefined && names.every((name) => lastKey.split("; ").includes(name));
  return [
    {
      state: "active",
      rule: "deprecation",
      severity: "warning",
      endpoints,
      scope: scopeOf(endpoints),
      ...seriesFacts(own, own.filter(any), firing),
      facts: { notices: names },
      key: isKnown ? lastKey : names.join("; ").slice(0, 300),
      isConfirmed: true,
    },
  ];
}
