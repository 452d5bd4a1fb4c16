// Whether V1's data moves: the newest date of the list, a part of its records, and scores beside their dates.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Incident } from "../../records/incident.ts";
import { goodChecks, instantText, median } from "../history/queries.ts";
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

/** Times between moves of the newest date, as the hourly roll-ups show them; without those across a hole. */
export function ordinaryGaps(
  hours: readonly RollUp[],
  fromMs: number,
  told: readonly Incident[],
  holeMs: number,
): number[] {
  const gaps: number[] = [];
  const toldGaps: number[] = [];
  let before: { newestMs: number; hour: number } | undefined;
  let lastHour: number | undefined;
  let isHoled = false;
  for (const { hour, newestMs } of hours) {
    if (newestMs === undefined || hour * hourMs < fromMs) continue;
    if (lastHour !== undefined && (hour - lastHour) * hourMs > holeMs) isHoled = true;
    lastHour = hour;
    if (before && newestMs > before.newestMs) {
      const gapMs = newestMs - before.newestMs;
      const wasTold = told.some(({ since, resolvedAt }) => {
        const endMs = resolvedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(resolvedAt);
        return Date.parse(since) < newestMs && endMs > before!.newestMs;
      });
      if (!isHoled) (wasTold ? toldGaps : gaps).push(gapMs);
    }
    if (!before || newestMs !== before.newestMs) {
      before = { newestMs, hour };
      isHoled = false;
    }
  }
  // A gap that was told is ordinary only once a second like it has ended.
  return [...gaps, ...toldGaps.toSorted((a, b) => b - a).slice(1)];
}

/** How long the newest date may stand still. */
export function frozenLimit(
  { history, incidents, thresholds: limits, settings, nowMs }: RuleContext,
  endpoint: EndpointId,
) {
  const hours = history.endpoints[endpoint]?.hours ?? [];
  const told = incidents.filter(({ rule, openedAt }) => rule === "frozen" && openedAt !== undefined);
  const gaps = ordinaryGaps(hours, nowMs - limits.gapsFromMs, told, limits.holeMs);
  const longestMs = gaps.length > 0 ? Math.max(...gaps) : undefined;
  if (settings.frozenAfterMs !== undefined) return { limitMs: settings.frozenAfterMs, longestMs };
  const isYoung = nowMs - (hours[0]?.hour ?? nowMs / hourMs) * hourMs < 7 * dayMs;
  const floorMs = isYoung ? limits.frozenFirstWeekMs : limits.frozenAfterMs;
  return {
    limitMs: Math.min(limits.frozenAtMostMs, Math.max(floorMs, limits.frozenFactor * (longestMs ?? 0))),
    longestMs,
  };
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
    const stillMs = last.atMs - newestMs;
    const floorMs = context.settings.frozenAfterMs ?? context.thresholds.frozenAfterMs;
    if (!firing && stillMs <= floorMs) return { state: "inactive" };
    const { limitMs, longestMs } = frozenLimit(context, endpoint);
    const isSame =
      firing?.facts.newestDate !== undefined &&
      Math.abs(Date.parse(firing.facts.newestDate) - newestMs) <= 60_000;
    if (!isSame && stillMs <= limitMs) {
      const moved = checks.find(
        (check) => check.newestMs! > Date.parse(firing?.facts.newestDate ?? "") + 60_000,
      );
      return inactive(moved, nowMs);
    }
    // The first check after that date; where it is no longer kept, the roll-up's hour that first showed it.
    const shown = checks.filter((check) => Math.abs(check.newestMs! - newestMs) <= 60_000);
    const hour = (history.endpoints[endpoint]?.hours ?? []).find(
      (row) => row.newestMs !== undefined && Math.abs(row.newestMs - newestMs) <= 60_000,
    );
    const firstMs =
      firing && isSame
        ? Date.parse(firing.since)
        : Math.min(shown[0]?.atMs ?? last.atMs, hour ? Math.max(newestMs, hour.hour * hourMs) : last.atMs);
    return warn({
      ...{
        rule: "frozen",
        endpoint,
        key: instantText(newestMs),
        firstBadMs: firstMs,
        lastGoodMs: newestMs,
        lastBadMs: last.atMs,
      },
      ...{ bad: shown.length, total: shown.length, windowMs: last.atMs - (shown[0]?.atMs ?? last.atMs) },
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
    const told = firing?.facts.previousNewestDate;
    const highestMs = told ? Date.parse(told) : Math.max(...checks.map(({ newestMs }) => newestMs!));
    const { last, before } = tail(
      checks,
      ({ newestMs }) => newestMs! <= highestMs - (told ? 1 : thresholds.jumpBackMs),
    );
    if (last.length < (told ? 1 : thresholds.jumpBackChecks))
      return inactive(told ? checks.at(-1) : undefined, nowMs);
    return warn({
      ...{ rule: "date-jumped-back", endpoint, key: instantText(highestMs), ...span(last) },
      ...keptOnset(firing, last[0]!.atMs, before?.atMs),
      windowMs: last.at(-1)!.atMs - last[0]!.atMs,
      facts: { previousNewestDate: instantText(highestMs), newestDate: instantText(last.at(-1)!.newestMs!) },
    });
  });
}

const sum = (rows: readonly RollUp[], field: "moved" | "changed") =>
  rows.reduce((all, row) => all + (row[field] ?? 0), 0);

/** Dates move and scores do not, though they used to. */
export function evaluateWithoutValues(context: RuleContext): Evaluation[] {
  const { history, nowMs, thresholds: limits } = context;
  const firing = firingOf(context, "dates-without-values");
  return listIds.map((endpoint) => {
    const hours = history.endpoints[endpoint]?.hours ?? [];
    if (hours.length === 0 || !isServed(history, endpoint)) return unknown;
    const lastIndex = hours.findLastIndex(({ changed }) => changed);
    const lastChange = hours[lastIndex]?.hour;
    const since = hours.slice(lastIndex + 1);
    const moved = sum(since, "moved");
    if (!firing && (lastChange === undefined || moved < limits.valuesMinMoved)) return unknown;
    const before = hours.slice(0, lastIndex + 1);
    const [movedBefore, changedBefore] = [sum(before, "moved"), sum(before, "changed")];
    if (firing) {
      const changed = hours.find(
        ({ hour, changed: count }) => count && hour * hourMs > Date.parse(firing.facts.lastBadAt),
      );
      if (changed) return { state: "inactive", firstGoodMs: changed.hour * hourMs, good: 2, lastMs: nowMs };
    }
    const chance = movedBefore > 0 ? (1 - changedBefore / movedBefore) ** moved : 1;
    const movedHours = since.filter((row) => row.moved);
    const isSure =
      movedBefore >= limits.valuesMinMoved && moved >= limits.valuesMinMoved && chance < limits.valuesChance;
    if (movedHours.length === 0 || (!firing && !isSure)) return unknown;
    const [first, last] = [movedHours[0]!.hour * hourMs, movedHours.at(-1)!.hour * hourMs];
    return warn({
      ...{
        rule: "dates-without-values",
        endpoint,
        key: "moved",
        lastBadMs: last,
        bad: movedHours.length,
        total: since.length,
      },
      ...keptOnset(firing, first, (lastChange ?? 0) * hourMs || undefined),
      windowMs: last - first,
      facts: { movedRecords: moved, changedRecords: 0 },
    });
  });
}

/** More of the list's records stand still for a week than used to. */
export function evaluatePartlyFrozen(context: RuleContext): Evaluation[] {
  const { history, nowMs, thresholds: limits } = context;
  const firing = firingOf(context, "partly-frozen");
  const shares = history.stillShares;
  const last = shares.slice(-limits.partlyFrozenDays);
  const before = shares.slice(0, -limits.partlyFrozenDays).slice(0, 21);
  const [endpoint] = listIds;
  if (
    !endpoint ||
    last.length < limits.partlyFrozenDays ||
    !isServed(history, endpoint) ||
    firingOf(context, "frozen")
  )
    return [unknown];
  const usual =
    firing?.facts.stillShareBefore ??
    (before.length >= limits.partlyFrozenBaselineDays ? median(before.map(({ share }) => share)) : undefined);
  if (usual === undefined) return [unknown];
  const isStill = ({ share }: { share: number }) => share >= usual + limits.partlyFrozenRise && share < 1;
  if (!last.every(isStill)) return [last.some(isStill) ? unknown : inactive(undefined, nowMs)];
  const at = (day: string) => Date.parse(day);
  return [
    warn({
      ...{
        rule: "partly-frozen",
        endpoint,
        key: "still",
        lastBadMs: at(last.at(-1)!.day),
        bad: last.length,
        total: last.length,
      },
      ...keptOnset(firing, at(last[0]!.day), at(before.at(-1)?.day ?? last[0]!.day)),
      facts: { stillShare: last.at(-1)!.share, stillShareBefore: usual, records: last.at(-1)!.of },
    }),
  ];
}
