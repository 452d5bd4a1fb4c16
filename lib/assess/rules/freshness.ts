// Whether V1's data moves: the newest date of the list, a part of its records, and scores beside their dates.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Incident } from "../../records/incident.ts";
import { goodChecks, hoursOf, instantText } from "../history/queries.ts";
import type { RollUp } from "../history/types.ts";
import {
  type Evaluation,
  firingOf,
  inactive,
  isServed,
  keptOnset,
  listIds,
  type RuleContext,
  span,
  tail,
  unknown,
  warn,
} from "./rule.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Dates this close are the same date in another precision. */
const sameDateMs = 60_000;

/** Times between moves of the newest date, as the hourly roll-ups show them; without those across a hole. */
export function ordinaryGaps(
  hours: readonly RollUp[],
  fromMs: number,
  reported: readonly Incident[],
  holeMs: number,
): number[] {
  const gaps: number[] = [];
  const reportedGaps: number[] = [];
  let before: { newestMs: number; hour: number } | undefined;
  let lastHour: number | undefined;
  let isHoled = false;
  for (const { hour, newestMs } of hours) {
    if (newestMs === undefined || hour * hourMs < fromMs) continue;
    if (lastHour !== undefined && (hour - lastHour) * hourMs > holeMs) isHoled = true;
    lastHour = hour;
    if (before && newestMs > before.newestMs) {
      const gapMs = newestMs - before.newestMs;
      const wasReported = reported.some(({ since, resolvedAt }) => {
        const endMs = resolvedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(resolvedAt);
        return Date.parse(since) < newestMs && endMs > before!.newestMs;
      });
      if (!isHoled) (wasReported ? reportedGaps : gaps).push(gapMs);
    }
    if (!before || newestMs !== before.newestMs) {
      before = { newestMs, hour };
      isHoled = false;
    }
  }
  // A gap that was reported is ordinary only once a second like it has ended.
  return [...gaps, ...reportedGaps.toSorted((a, b) => b - a).slice(1)];
}

/** How long the newest date may stand still. */
export function frozenLimit(
  { history, incidents, thresholds: limits, settings, nowMs }: RuleContext,
  endpoint: EndpointId,
) {
  const hours = hoursOf(history, endpoint);
  const reported = incidents.filter(({ rule, openedAt }) => rule === "frozen" && openedAt !== undefined);
  const gaps = ordinaryGaps(hours, nowMs - limits.gapsFromMs, reported, limits.holeMs);
  const longestMs = gaps.length > 0 ? Math.max(...gaps) : undefined;
  if (settings.frozenAfterMs !== undefined) return { limitMs: settings.frozenAfterMs, longestMs };
  const isYoung = nowMs - (hours[0]?.hour ?? nowMs / hourMs) * hourMs < 7 * dayMs;
  const floorMs = isYoung ? limits.frozenFirstWeekMs : limits.frozenAfterMs;
  return {
    limitMs: Math.min(limits.frozenAtMostMs, Math.max(floorMs, limits.frozenFactor * (longestMs ?? 0))),
    longestMs,
  };
}

/**
 * Since when the newest date stands still: since that date itself, or, where the data lags behind by a day or more, since the hour
 * before the first one that showed it. Single hours with another date in between are stray responses.
 */
function stillSinceMs(hours: readonly RollUp[], newestMs: number, strayHours: number): number {
  const rows = hours.filter((row) => row.newestMs !== undefined);
  let first = rows.length;
  for (let index = rows.length - 1, others = 0; index >= 0 && others <= strayHours; index -= 1) {
    const isSame = Math.abs(rows[index]!.newestMs! - newestMs) <= sameDateMs;
    others = isSame ? 0 : others + 1;
    if (isSame) first = index;
  }
  const before = rows[first - 1];
  const movedMs = before ? before.hour * hourMs : newestMs;
  return movedMs - newestMs >= dayMs ? movedMs : newestMs;
}

/** The list's newest date stands still. */
export function evaluateFrozen(context: RuleContext): Evaluation[] {
  const { history, nowMs } = context;
  const firing = firingOf(context, "frozen");
  return listIds.map((endpoint) => {
    const checks = goodChecks(history, endpoint).filter(({ newestMs }) => newestMs !== undefined);
    const last = checks.at(-1);
    if (!last || !isServed(history, endpoint) || firingOf(context, "date-jumped-back")) return unknown;
    const newestMs = last.newestMs!;
    const isBack = checks.some((check) => check.newestMs! - newestMs >= context.thresholds.jumpBackMs);
    if (isBack && !firing) return unknown;
    const hours = hoursOf(history, endpoint);
    const stillMs = last.atMs - stillSinceMs(hours, newestMs, context.thresholds.strayHours);
    const floorMs = context.settings.frozenAfterMs ?? context.thresholds.frozenAfterMs;
    if (!firing && stillMs <= floorMs) return { state: "inactive" };
    const { limitMs, longestMs } = frozenLimit(context, endpoint);
    const isSame =
      firing?.facts.newestDate !== undefined &&
      Math.abs(Date.parse(firing.facts.newestDate) - newestMs) <= sameDateMs;
    if (!isSame && stillMs <= limitMs) {
      const moved = checks.find(
        (check) => check.newestMs! > Date.parse(firing?.facts.newestDate ?? "") + sameDateMs,
      );
      return inactive(moved, nowMs);
    }
    // The first check after that date; where it is no longer kept, the end of the roll-up's hour that first showed it.
    const shown = checks.filter((check) => Math.abs(check.newestMs! - newestMs) <= sameDateMs);
    const hour = hours.find(
      (row) => row.newestMs !== undefined && Math.abs(row.newestMs - newestMs) <= sameDateMs,
    );
    const firstMs =
      firing && isSame
        ? Date.parse(firing.since)
        : Math.min(shown[0]?.atMs ?? last.atMs, hour ? (hour.hour + 1) * hourMs : last.atMs);
    return warn({
      rule: "frozen",
      endpoint,
      key: instantText(newestMs),
      firstBadMs: firstMs,
      lastGoodMs: newestMs,
      lastBadMs: last.atMs,
      bad: shown.length,
      total: shown.length,
      windowMs: last.atMs - (shown[0]?.atMs ?? last.atMs),
      facts: {
        newestDate: instantText(newestMs),
        standsStillSeconds: Math.round(stillMs / 1_000),
        limitSeconds: Math.round(limitMs / 1_000),
        ...(longestMs !== undefined && { longestGapSeconds: Math.round(longestMs / 1_000) }),
      },
    });
  });
}

/** The newest date is a day or more earlier than it was. */
export function evaluateJumpedBack(context: RuleContext): Evaluation[] {
  const { history, nowMs, thresholds } = context;
  const firing = firingOf(context, "date-jumped-back");
  return listIds.map((endpoint) => {
    const checks = goodChecks(history, endpoint).filter(({ newestMs }) => newestMs !== undefined);
    if (checks.length === 0 || !isServed(history, endpoint)) return unknown;
    const known = firing?.facts.previousNewestDate;
    const highestMs = known ? Date.parse(known) : Math.max(...checks.map(({ newestMs }) => newestMs!));
    const { last, before } = tail(
      checks,
      ({ newestMs }) => newestMs! <= highestMs - (known ? 1 : thresholds.jumpBackMs),
    );
    if (last.length < (known ? 1 : thresholds.jumpBackChecks))
      return inactive(known ? checks.at(-1) : undefined, nowMs);
    return warn({
      rule: "date-jumped-back",
      endpoint,
      key: instantText(highestMs),
      ...span(last),
      ...keptOnset(firing, last[0]!.atMs, before?.atMs),
      windowMs: last.at(-1)!.atMs - last[0]!.atMs,
      facts: { previousNewestDate: instantText(highestMs), newestDate: instantText(last.at(-1)!.newestMs!) },
    });
  });
}

const sum = (rows: readonly RollUp[], field: "moved" | "changed") =>
  rows.reduce((all, row) => all + (row[field] ?? 0), 0);

/** The chance that all changes lie in the first moves, if every move is equally likely to be one (hypergeometric). */
function chanceOfNoChange(movedBefore: number, changedBefore: number, moved: number): number {
  let chance = 1;
  for (let index = 0; index < moved; index++)
    chance *= (movedBefore - changedBefore + index + 1) / (movedBefore + index + 1);
  return chance;
}

/** Dates move and scores do not, though they used to. */
export function evaluateWithoutValues(context: RuleContext): Evaluation[] {
  const { history, nowMs, thresholds: limits } = context;
  const firing = firingOf(context, "dates-without-values");
  return listIds.map((endpoint) => {
    const hours = hoursOf(history, endpoint);
    const medianAgeMs = goodChecks(history, endpoint).at(-1)?.medianAgeMs;
    // Dates that are the time of the response move without a calculation.
    const isAlwaysNow = medianAgeMs !== undefined && medianAgeMs < limits.alwaysNowMs;
    if (hours.length === 0 || !isServed(history, endpoint) || isAlwaysNow) return unknown;
    if (firing) {
      const changed = hours.find(
        (row) => row.changed && row.hour * hourMs > Date.parse(firing.facts.lastBadAt),
      );
      if (changed) return { state: "inactive", firstGoodMs: changed.hour * hourMs, good: 2, lastMs: nowMs };
    }
    const lastIndex = hours.findLastIndex(({ changed }) => changed);
    // Where scores never changed, it means nothing that they do not change now.
    if (lastIndex === -1 && !firing) return unknown;
    const before = hours.slice(0, lastIndex + 1);
    const since = hours.slice(lastIndex + 1);
    const movedHours = since.filter((row) => row.moved);
    const moved = sum(movedHours, "moved");
    const isSure =
      moved >= limits.valuesMinMoved &&
      movedHours.length >= limits.valuesMinHours &&
      chanceOfNoChange(sum(before, "moved"), sum(before, "changed"), moved) < limits.valuesChance;
    if (movedHours.length === 0 || (!firing && !isSure)) return unknown;
    // A check of the first hour showed it: at the end of that hour it was so.
    const last = movedHours.at(-1)!.hour * hourMs;
    const first = Math.min((movedHours[0]!.hour + 1) * hourMs, last);
    return warn({
      rule: "dates-without-values",
      endpoint,
      key: "moved",
      lastBadMs: last,
      bad: movedHours.length,
      total: since.length,
      ...keptOnset(firing, first, before.length > 0 ? before.at(-1)!.hour * hourMs : undefined),
      windowMs: last - first,
      facts: { movedRecords: moved, changedRecords: 0 },
    });
  });
}

/**
 * A part of the list's records stands still for much longer than nine of ten of them used to. Time in which the whole
 * list stood still, and was reported, does not count.
 */
export function evaluatePartlyFrozen(context: RuleContext): Evaluation[] {
  const { history, incidents, nowMs, thresholds: limits } = context;
  const firing = firingOf(context, "partly-frozen");
  return listIds.map((endpoint) => {
    const own = history.endpoints[endpoint];
    const last = goodChecks(history, endpoint).at(-1);
    const week = history.snapshots[0];
    if (!own?.records || !last || !week || !isServed(history, endpoint) || firingOf(context, "frozen"))
      return unknown;
    const movesAgainMs = Math.max(
      0,
      ...incidents
        .filter(({ rule, resolvedAt }) => rule === "frozen" && resolvedAt !== undefined)
        .map(({ resolvedAt }) => Date.parse(resolvedAt!)),
    );
    const dates = Object.entries(own.records).flatMap(([id, { at }]) => (at === null ? [] : [{ id, at }]));
    if (dates.length < limits.partlyFrozenRecords) return unknown;
    // Seen with the same date in the oldest snapshot: a record that is new to the page did not stand still there.
    const stillMs = dates
      .filter(({ id, at }) => week.dates[id] === at)
      .map(({ at }) => last.atMs - Math.max(Date.parse(at), movesAgainMs));
    const needed = Math.ceil(limits.partlyFrozenShare * dates.length);
    if (stillMs.length < needed) return inactive(firing && last, nowMs);
    const sinceMs = last.atMs - stillMs.toSorted((a, b) => b - a)[needed - 1]!;
    const before = history.ages.filter(({ day }) => Date.parse(day) <= sinceMs);
    const usualMs = firing
      ? firing.facts.usualAgeSeconds! * 1_000
      : Math.max(...(before.length > 0 ? before : history.ages.slice(0, 1)).map(({ upperMs }) => upperMs));
    const limitMs = Math.max(limits.partlyFrozenAfterMs, limits.partlyFrozenFactor * usualMs);
    const still = stillMs.filter((ms) => ms > limitMs).length;
    if (still < needed) return inactive(firing && last, nowMs);
    return warn({
      rule: "partly-frozen",
      endpoint,
      key: "still",
      lastBadMs: last.atMs,
      bad: 1,
      total: 1,
      ...keptOnset(firing, last.atMs, undefined),
      facts: {
        stillRecords: still,
        records: dates.length,
        limitSeconds: Math.round(limitMs / 1_000),
        usualAgeSeconds: Math.round(usualMs / 1_000),
      },
    });
  });
}
