// Breaking differences from V1's document beyond the baseline: in every check, or in a share of them.

import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { DriftFact, Incident } from "../../records/incident.ts";
import type { Variant } from "../../records/observation.ts";
import { isGood } from "../../records/outcome.ts";
import { type Check, hadPlace, placeOf } from "../history/check.ts";
import { checksOf } from "../history/queries.ts";
import { type Active, type Evaluation, firingOf, keptOnset, type RuleContext, scopeOf } from "./rule.ts";

type Finding = NonNullable<Check["findings"]>[number];

/** One finding in the checks of one endpoint and variant that could show it. */
type Series = { endpoint: EndpointId; finding: Finding; checks: Check[]; shows: boolean[] };

/** Differences in the data of a moment, not in its shape: confirmations a few minutes later see the same moment. */
const momentaryKinds = ["order", "filter", "pagination", "disagreement"];

const shows = (check: Check, id: string) => check.findings?.some((finding) => finding.id === id) ?? false;

function collectSeries({ history, settings, thresholds }: RuleContext): Series[] {
  const found: Series[] = [];
  for (const endpoint of endpointIds) {
    const good = checksOf(history, endpoint).filter(isGood);
    const findings = new Map<string, { finding: Finding; variants: Set<Variant> }>();
    for (const check of good)
      for (const finding of check.findings ?? []) {
        const known = findings.get(finding.id) ?? { finding, variants: new Set<Variant>() };
        findings.set(finding.id, { finding, variants: known.variants.add(check.variant) });
      }
    for (const [id, { finding, variants }] of findings) {
      if (settings.isMuted(id)) continue;
      const place = placeOf(finding.path);
      const variant =
        [...variants].find((name) => good.some((check) => check.isPrimary && check.variant === name)) ??
        [...variants][0]!;
      // A response that was cut may hide it, and one without the object says nothing.
      const isMomentary = momentaryKinds.includes(finding.kind);
      const checks = good.filter(
        (check) =>
          check.variant === variant &&
          (!isMomentary || check.reason === "scheduled") &&
          (shows(check, id) || (!check.isCut && hadPlace(check, place))),
      );
      const marks = checks.map((check) => shows(check, id));
      if (marks.filter(Boolean).length >= thresholds.driftChecks - 1)
        found.push({ endpoint, finding, checks, shows: marks });
    }
  }
  return found;
}

/** In a row at the end of the series. */
const trailing = ({ shows: marks }: Series, wanted: boolean) => marks.length - 1 - marks.lastIndexOf(!wanted);

/**
 * Whether so many in a row at the end are too unlikely for the share of the checks before them: then it is no longer a
 * share. Confirmations a few minutes apart may reach the same server, and are left out.
 */
function isBeyondChance(series: Series, fromMs: number, chance: number): boolean {
  const marks = series.shows.filter(
    (_, index) => series.checks[index]!.reason === "scheduled" && series.checks[index]!.atMs >= fromMs,
  );
  const before = marks.slice(0, marks.lastIndexOf(false) + 1);
  // One more of each kind: of few checks the share is not well known.
  const share = (before.filter(Boolean).length + 1) / (before.length + 2);
  return share ** (marks.length - before.length) < chance;
}

/** The series from the first check of the finding on that belongs to this occurrence. */
function sinceFirst(series: Series, fromMs: number): { checks: Check[]; marks: boolean[] } {
  const start = series.checks.findIndex(({ atMs }, index) => series.shows[index] && atMs >= fromMs);
  if (start < 0) return { checks: [], marks: [] };
  return { checks: series.checks.slice(start), marks: series.shows.slice(start) };
}

const toFact = (series: Series, bad: number, total: number): DriftFact => {
  const { id, path, kind, expected, observed, count, of } = series.finding;
  return { id, path, kind, expected, observed, records: count, ofRecords: of, bad, total };
};

type Drifting = { series: Series; checks: Check[]; marks: boolean[] };

function describe(
  rule: Active["rule"],
  severity: Active["severity"],
  rows: readonly Drifting[],
  firing: Incident | undefined,
): Active {
  const endpoints = endpointIds.filter((endpoint) => rows.some(({ series }) => series.endpoint === endpoint));
  const badTimes = rows.flatMap(({ checks, marks }) =>
    checks.filter((_, index) => marks[index]).map(({ atMs }) => atMs),
  );
  const firstBadMs = Math.min(...badTimes);
  const lastBadMs = Math.max(...badTimes);
  const before = rows.flatMap(({ series }) =>
    series.checks
      .filter((check, index) => check.atMs < firstBadMs && !series.shows[index])
      .map(({ atMs }) => atMs),
  );
  // Over the checks of all endpoints concerned: one that shows several of the findings is one check.
  const perCheck = new Map<string, boolean>();
  for (const { series, checks, marks } of rows)
    for (const [index, { atMs, variant }] of checks.entries()) {
      if (atMs > lastBadMs) continue;
      const key = `${series.endpoint} ${variant} ${atMs}`;
      perCheck.set(key, (perCheck.get(key) ?? false) || marks[index]!);
    }
  const findings = rows
    .map(({ series, marks }) => toFact(series, marks.filter(Boolean).length, marks.lastIndexOf(true) + 1))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    state: "active",
    rule,
    severity,
    endpoints,
    scope: scopeOf(endpoints),
    // Where an endpoint has recovered, the onset is that of those that are left.
    ...keptOnset(
      firing?.endpoints.every((endpoint) => endpoints.includes(endpoint)) ? firing : undefined,
      firstBadMs,
      before.length > 0 ? Math.max(...before) : undefined,
    ),
    lastBadMs,
    bad: [...perCheck.values()].filter(Boolean).length,
    total: perCheck.size,
    windowMs: lastBadMs - firstBadMs,
    facts: {
      findings: findings.slice(0, 24),
      ...(findings.length > 24 && { findingsOmitted: findings.length - 24 }),
    },
    key: findings
      .map(({ id }) => id)
      .join("; ")
      .slice(0, 300),
    isConfirmed: true,
  };
}

/** Where an occurrence of the same finding was resolved, it starts after that. */
function startOf({ incidents }: RuleContext, rule: string, id: string): number {
  const ends = incidents
    .filter(
      (one) =>
        one.rule === rule &&
        one.resolvedAt !== undefined &&
        one.facts.findings?.some((finding) => finding.id === id),
    )
    .map(({ resolvedAt }) => Date.parse(resolvedAt!));
  return Math.max(0, ...ends);
}

export function evaluateBreaking(context: RuleContext): Evaluation[] {
  const { thresholds, nowMs } = context;
  const firing = firingOf(context, "breaking-drift");
  const partial = firingOf(context, "partial-drift");
  const rows: Drifting[] = [];
  const nearly: Drifting[] = [];
  const ending: Series[] = [];
  for (const series of collectSeries(context)) {
    const { id } = series.finding;
    const wasFiring = firing?.facts.findings?.some((finding) => finding.id === id) ?? false;
    const isShared = partial?.facts.findings?.some((finding) => finding.id === id) ?? false;
    const last = trailing(series, true);
    const run = series.checks.slice(series.checks.length - last);
    const lengthMs = run.length > 0 ? run.at(-1)!.atMs - run[0]!.atMs : 0;
    const isOver = wasFiring && trailing(series, false) >= thresholds.recoveryChecks;
    if (isOver) ending.push(series);
    const isNew =
      last >= thresholds.driftChecks &&
      lengthMs >= thresholds.pageAfterMs - thresholds.slackMs &&
      (!isShared || isBeyondChance(series, Date.parse(partial!.since), thresholds.runByChance));
    const fromMs = Math.max(
      startOf(context, "breaking-drift", id),
      wasFiring ? Date.parse(firing!.facts.firstBadAt) : (run[0]?.atMs ?? 0),
    );
    const row = { series, ...sinceFirst(series, fromMs) };
    if (wasFiring ? !isOver : isNew) rows.push(row);
    // Another field of the same change, seen twice already.
    else if (!isOver && !isShared && last >= thresholds.driftChecks - 1) nearly.push(row);
  }
  if (rows.length > 0) rows.push(...nearly);
  // One field is as before: the others have to be seen with the change since, before that is reported.
  const endMs = Math.min(
    ...ending.map(({ checks, shows: marks }) => checks[marks.lastIndexOf(true) + 1]!.atMs),
  );
  const isEnding =
    ending.length > 0 &&
    rows.some(({ checks, marks }) => (checks[marks.lastIndexOf(true)]?.atMs ?? 0) <= endMs);
  if (rows.length > 0 && isEnding) return [{ state: "unknown" }];
  if (rows.length > 0) return [describe("breaking-drift", "page", rows, firing)];
  if (!firing) return [{ state: "inactive" }];
  // Nothing was validated since: neither there nor over.
  if (ending.length === 0 && !isGone(context, firing)) return [{ state: "unknown" }];
  const lastBadMs = Math.max(
    0,
    ...ending.map(({ checks, shows: marks }) => checks[marks.lastIndexOf(true)]!.atMs),
  );
  const after = ending.flatMap(({ checks }) =>
    checks.map(({ atMs }) => atMs).filter((atMs) => atMs > lastBadMs),
  );
  // Proven like the end of an outage: good checks of every endpoint, over five minutes.
  const firstGoodMs = after.length > 0 ? Math.min(...after) : nowMs;
  if (after.length > 0 && Math.max(...after) - firstGoodMs < thresholds.recoveredForMs - thresholds.slackMs)
    return [{ state: "unknown" }];
  return [{ state: "inactive", firstGoodMs, good: thresholds.recoveryChecks, lastMs: nowMs }];
}

/** The checks that showed it are no longer kept, and good ones came since. */
function isGone({ history, thresholds }: RuleContext, { endpoints }: Incident): boolean {
  return endpoints.every((endpoint) => {
    const good = checksOf(history, endpoint).filter((check) => check.isPrimary && isGood(check));
    return (
      good.length >= thresholds.driftChecks &&
      good.slice(-thresholds.driftChecks).every(({ findings }) => findings === undefined)
    );
  });
}

/** After the last run of checks that were enough for breaking drift: what all checks showed is no share of them. */
function endOfFullRun({ thresholds }: RuleContext, { checks, shows: marks }: Series): number {
  let endMs = 0;
  let first = 0;
  for (const [index, check] of checks.entries()) {
    if (!marks[index]) first = index + 1;
    else if (
      index - first + 1 >= thresholds.driftChecks &&
      check.atMs - checks[first]!.atMs >= thresholds.pageAfterMs - thresholds.slackMs
    )
      endMs = check.atMs + 1;
  }
  return endMs;
}

/** A canary: some checks show it, not all. */
export function evaluatePartial(context: RuleContext): Evaluation[] {
  const { thresholds, nowMs } = context;
  const firing = firingOf(context, "partial-drift");
  const breaking = firingOf(context, "breaking-drift");
  const rows: Drifting[] = [];
  let lastSeenMs = 0;
  let isSeen = false;
  for (const series of collectSeries(context)) {
    const { id } = series.finding;
    const wasFiring = firing?.facts.findings?.some((finding) => finding.id === id) ?? false;
    // Now in all checks. What was reported as a share goes on, and ends with it.
    if (!wasFiring && breaking?.facts.findings?.some((finding) => finding.id === id)) continue;
    // A list that changes while it is read contradicts itself now and then: no canary.
    if (momentaryKinds.includes(series.finding.kind)) continue;
    const { checks, marks } = sinceFirst(
      series,
      Math.max(
        startOf(context, "breaking-drift", id),
        startOf(context, "partial-drift", id),
        wasFiring ? 0 : endOfFullRun(context, series),
      ),
    );
    const times = checks.filter((_, index) => marks[index]).map(({ atMs }) => atMs);
    const lastMs = times.at(-1) ?? 0;
    if (wasFiring) lastSeenMs = Math.max(lastSeenMs, lastMs);
    const isFresh = nowMs - lastMs <= thresholds.shareGoneMs;
    const isShare =
      times.length >= thresholds.shareChecks && times.length < thresholds.driftShare * marks.length;
    if (isFresh && (wasFiring || isShare)) isSeen = true;
    if (wasFiring || (isFresh && isShare)) rows.push({ series, checks, marks });
  }
  if (isSeen) {
    const active = describe("partial-drift", "warning", rows, firing);
    // Another message only for another field.
    const known = new Set(firing?.facts.findings?.map(({ id }) => id));
    const isKnown = active.facts.findings?.every(({ id }) => known.has(id));
    return [{ ...active, key: isKnown && firing ? firing.key : active.key }];
  }
  if (!firing) return [{ state: "inactive" }];
  if (lastSeenMs === 0 && !isGone(context, firing)) return [{ state: "unknown" }];
  const lastBadMs = Math.max(lastSeenMs, Date.parse(firing.facts.lastBadAt));
  const after = firing.endpoints.flatMap((endpoint) =>
    checksOf(context.history, endpoint).filter((check) => isGood(check) && check.atMs > lastBadMs),
  );
  if (after.length < thresholds.driftChecks) return [{ state: "unknown" }];
  return [
    {
      state: "inactive",
      firstGoodMs: Math.min(...after.map(({ atMs }) => atMs)),
      good: after.length,
      lastMs: nowMs,
    },
  ];
}
