// Failures now and then: rates of scheduled checks, and latency.

import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Incident } from "../../records/incident.ts";
import { isBad } from "../../records/outcome.ts";
import type { Check } from "../history/check.ts";
import {
  goodChecks,
  hoursOf,
  instantText,
  judgedChecks,
  median,
  primaryChecks,
  runOf,
  watchedEndpoints,
} from "../history/queries.ts";
import type { History } from "../history/types.ts";
import { failuresOf, isIntermittentAt } from "./availability.ts";
import { type Evaluation, firingOf, lastsUntilMs, type RuleContext, scopeOf } from "./rule.ts";

type Scheduled = Pick<Check, "atMs" | "endpoint" | "label"> & { isBad: boolean; isUnauthorized: boolean };

/** Part of failures in a row that go on: an outage in the making, which is reported as such. */
function isInRun(history: History, { endpoint, atMs }: Scheduled): boolean {
  const run = runOf(history, endpoint);
  return run?.state === "bad" && run.count >= 3 && atMs >= run.sinceMs;
}

/** Scheduled checks, without those inside an outage that was reported: these count in neither bad nor total. */
function scheduledChecks(context: RuleContext): Scheduled[] {
  const outages = failuresOf(context)
    .filter(({ openedAt }) => openedAt !== undefined)
    .flatMap((one) =>
      endpointIds
        .filter((endpoint) => lastsUntilMs(one, endpoint) && !isIntermittentAt(context, one, endpoint))
        .map((endpoint) => ({
          endpoint,
          fromMs: Date.parse(one.since),
          untilMs: lastsUntilMs(one, endpoint)!,
        })),
    );
  const isInside = ({ endpoint, atMs }: Scheduled) =>
    outages.some((one) => one.endpoint === endpoint && atMs >= one.fromMs && atMs < one.untilMs);
  return judgedChecks(context.history, endpointIds)
    .filter(({ reason }) => reason === "scheduled")
    .map((check) => ({
      atMs: check.atMs,
      endpoint: check.endpoint,
      label: check.label,
      isBad: isBad(check),
      isUnauthorized: check.class === "unauthorized" || check.class === "quota",
    }))
    .filter((check) => !isInRun(context.history, check) && !isInside(check));
}

const isBadRow = (row: Scheduled) => row.isBad;

function countLabels(rows: readonly Scheduled[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { label } of rows) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}

/** One incident for all failures now and then: of 401s where nearly all of them are. */
export function evaluateRates(context: RuleContext): Evaluation[] {
  const { nowMs, thresholds: limits } = context;
  const isCalm = endpointIds.every((endpoint) =>
    primaryChecks(context.history, endpoint).every((check) => !isBad(check)),
  );
  const firing = firingOf(context, "error-rate", "unauthorized-rate");
  if (isCalm && !firing) return [{ state: "inactive" }];
  const all = scheduledChecks(context);
  // Up to the last check that counts: while an outage lasts, no check does, and the rate is what it was before.
  const endMs = all.at(-1)?.atMs ?? nowMs;
  const day = all.filter(({ atMs }) => atMs > endMs - limits.rateWindowMs);
  const last = all.slice(-limits.ratePageOf);
  const dayBad = day.filter(isBadRow).length;
  const isPage = last.filter(isBadRow).length >= limits.ratePageBad;
  const isWarning = dayBad >= limits.rateWarningBad && dayBad >= limits.rateWarning * day.length;
  if (all.length === 0) return [{ state: "unknown" }];
  if (!isPage && !isWarning) {
    if (!firing) return [{ state: "inactive" }];
    const knownMs = Date.parse(firing.facts.lastBadAt);
    // Its last failure is part of an outage by now: that ends nothing.
    if (knownMs > endMs - limits.rateWindowMs && !all.some(({ atMs }) => atMs === knownMs))
      return [{ state: "unknown" }];
    if (isUnderHalf(all, nowMs, limits)) {
      const lastBadMs = Math.max(knownMs, all.findLast(isBadRow)?.atMs ?? 0);
      const firstGoodMs = all.find(({ atMs }) => atMs > lastBadMs)?.atMs;
      return [{ state: "inactive", firstGoodMs, good: limits.recoveryChecks, lastMs: nowMs }];
    }
    // Between the limit and half of it the incident goes on, with the numbers of the last 24 h.
    if (dayBad === 0) return [{ state: "unknown" }];
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
      facts: {
        responses: countLabels(bad),
        ...(isPage
          ? { limitBad: limits.ratePageBad }
          : { limitBad: limits.rateWarningBad, limitShare: limits.rateWarning }),
      },
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
  const key = `${severity} ${rate.toFixed(3)} ${instantText(nowMs).slice(0, 10)}`;
  const last = firing?.sent.findLast(({ event }) => event !== "reminder");
  if (!last) return key;
  const [lastSeverity, lastRate] = last.key.split(" ");
  const isDoubled = rate >= limits.rateUpdateFactor * Number(lastRate);
  const isDue = nowMs - Date.parse(last.at) >= limits.rateUpdateMs;
  return isDoubled || isDue || lastSeverity !== severity ? key : last.key;
}

/** At every check of the last 24 h, of which there are enough, the rate of the 24 h before it was under half its limit. */
function isUnderHalf(all: readonly Scheduled[], nowMs: number, limits: RuleContext["thresholds"]): boolean {
  const share = limits.rateWarning * limits.rateResolveShare;
  const recent = all.filter(({ atMs }) => atMs > nowMs - limits.rateResolveForMs);
  if (recent.length < limits.ratePageOf) return false;
  return recent.every(({ atMs: ms }) => {
    const window = all.filter(({ atMs }) => atMs > ms - limits.rateWindowMs && atMs <= ms);
    return window.filter(isBadRow).length <= share * window.length;
  });
}

/** The last good checks of an endpoint were all over 3 s, or ten times slower than its own week. */
export function evaluateSlow(context: RuleContext): Evaluation[] {
  const { history, thresholds: limits, nowMs } = context;
  const firing = firingOf(context, "slow");
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
  const endpoints = slow.map(({ endpoint }) => endpoint);
  const [firstMs, lastBadMs] = [bad[0]!.check.atMs, bad.at(-1)!.check.atMs];
  // An endpoint that was slow from its first check on has none before it.
  const before = slow.flatMap(({ before: one }) => (one && one.atMs < firstMs ? [one.atMs] : []));
  const kept = firing?.facts.lastGoodBeforeAt;
  return [
    {
      state: "active",
      rule: "slow",
      severity: "warning",
      endpoints,
      scope: scopeOf(endpoints),
      bad: bad.length,
      total: all.length,
      firstBadMs: firing ? Date.parse(firing.since) : firstMs,
      lastGoodMs: kept ? Date.parse(kept) : before.length > 0 ? Math.max(...before) : undefined,
      lastBadMs,
      windowMs: lastBadMs - firstMs,
      facts: {
        latencyMs: Math.round(worst.check.latencyMs),
        ...(worst.usualMs !== undefined && { usualLatencyMs: worst.usualMs }),
      },
      key: "slow",
      isConfirmed: true,
    },
  ];
}

/** The median of its hours; those of a slow time that was reported do not count. */
function usualLatency(
  history: History,
  endpoint: EndpointId,
  fromMs: number,
  firing: Incident | undefined,
): number | undefined {
  const untilMs = firing?.endpoints.includes(endpoint) ? Date.parse(firing.since) : Number.POSITIVE_INFINITY;
  const hours = hoursOf(history, endpoint).filter(
    ({ hour }) => hour * 3_600_000 >= fromMs && hour * 3_600_000 < untilMs,
  );
  const values = hours.flatMap(({ latencyMs }) => (latencyMs === undefined ? [] : [latencyMs]));
  return values.length >= 12 ? median(values) : undefined;
}
