// What V1's data does while its responses are valid: whether it moves, shrinks, repeats itself, or is somebody else's.
import { thresholds } from "../../config/thresholds.ts";
import { isGood } from "../../records/outcome.ts";
import { dayMs, hourMs, instantText, minuteMs } from "../../time.ts";
import type { Check } from "../checks/check.ts";
import { type Mark, type MarkContext, type Rule, type RuleFacts, row } from "./rule.ts";

const dayOf = (ms: number) => Math.floor(ms / dayMs);

/** A rule about lists that were served: a warning, from checks in a row. `bad` says false where nothing is wrong. */
function listRow<Before extends object, Value extends object>(
  more: Pick<
    Rule<Before, Value>,
    "id" | "opens" | "facts" | "learn" | "limits" | "isGradual" | "inhibitedBy"
  > & {
    closes?: Rule["closes"];
    bad(check: Check, before: Before, context: MarkContext): Value | false | undefined;
    since?(before: Before): { sinceMs: number | undefined; checks?: number | undefined };
  },
) {
  const { bad, since, ...rest } = more;
  return row<Before, Value>({
    severity: "warning",
    closes: { checks: 2, forMs: 0 },
    ...rest,
    looksAt: { roles: ["list"] },
    mark: (check, before, context): Mark<Value> => {
      if (!isGood(check)) return undefined;
      const value = bad(check, before, context);
      if (value === undefined) return undefined;
      return value === false ? "good" : { bad: value, ...since?.(before) };
    },
    learn: (before, check, mark, context) => {
      if (isGood(check)) rest.learn?.(before, check, mark, context);
    },
  });
}

// ------------------------------------------------------------------------------------------------ freshness
/** The newest date may stand still for this long whatever the ordinary gaps are; 72 h until a whole week was seen. */
const { frozenAfterMs, frozenFirstWeekMs, frozenAtMostMs, holeMs, slowMs } = thresholds;
const frozenFactor = 1.5;
const gapDays = 35;
/** A gap that was told and is at least this share of another one is like it. */
const alikeShare = 0.7;
/** Dates this close are the same date in another precision. */
const sameDateMs = 1_000;

type Gap = { day: number; ms: number; wasTold: boolean };
type FrozenBefore = {
  startMs?: number;
  seenMs?: number;
  isHoled?: boolean;
  wasTold?: boolean;
  newestMs?: number;
  /** The first check that showed the newest date, and how many have since. */
  shownMs?: number;
  checks?: number;
  /** The list lags behind by a day or more: it stands still from the check that first showed it. */
  isLagging?: boolean;
  /** The longest gap of each day. */
  gaps?: Gap[];
};

const ordinaryGaps = ({ gaps = [] }: FrozenBefore): number[] =>
  gaps
    .filter(
      ({ wasTold, ms }) =>
        !wasTold || gaps.filter((other) => other.wasTold && other.ms >= alikeShare * ms).length >= 2,
    )
    .map(({ ms }) => ms);

function frozenLimitMs(before: FrozenBefore, atMs: number, { settings }: MarkContext): number {
  if (settings.frozenAfterMs !== undefined) return settings.frozenAfterMs;
  const leastMs = atMs - (before.startMs ?? atMs) >= 7 * dayMs ? frozenAfterMs : frozenFirstWeekMs;
  return Math.min(frozenAtMostMs, Math.max(leastMs, frozenFactor * Math.max(0, ...ordinaryGaps(before))));
}

type Frozen = { newestMs: number; stillMs: number; limitMs: number; longestMs?: number | undefined };

export const frozen = listRow<FrozenBefore, Frozen>({
  id: "frozen",
  inhibitedBy: ["date-jumped-back"],
  opens: { run: { checks: 3, forMs: 0 } },
  closes: { checks: 1, forMs: 0 },
  bad: (check, before, context) => {
    if (check.newestMs === undefined || before.newestMs === undefined) return undefined;
    if (check.newestMs > before.newestMs + sameDateMs) return false;
    const { newestMs } = before;
    const stillMs = check.atMs - (before.isLagging ? (before.shownMs ?? newestMs) : newestMs);
    const limitMs = frozenLimitMs(before, check.atMs, context);
    const gaps = ordinaryGaps(before);
    const longestMs = gaps.length > 0 ? Math.max(...gaps) : undefined;
    return stillMs > limitMs && { newestMs, stillMs, limitMs, longestMs };
  },
  since: ({ shownMs, checks = 0 }) => ({ sinceMs: shownMs, checks: checks + 1 }),
  learn: (before, check, mark) => {
    const { atMs, newestMs } = check;
    if (newestMs === undefined) return;
    before.startMs ??= atMs;
    if (atMs - (before.seenMs ?? atMs) > holeMs) before.isHoled = true;
    before.seenMs = atMs;
    before.checks = (before.checks ?? 0) + 1;
    if (mark === "bad") before.wasTold = true;
    if (before.newestMs !== undefined && newestMs <= before.newestMs + sameDateMs) return;
    if (before.newestMs !== undefined && !before.isHoled) {
      const gap: Gap = { day: dayOf(atMs), ms: newestMs - before.newestMs, wasTold: before.wasTold ?? false };
      const others = (before.gaps ?? []).filter(({ day }) => day !== gap.day);
      const today = (before.gaps ?? []).find(({ day }) => day === gap.day);
      before.gaps = [...others, today && today.ms > gap.ms ? today : gap].slice(-gapDays);
    }
    before.isLagging = before.newestMs !== undefined && atMs - newestMs >= dayMs;
    before.newestMs = newestMs;
    before.shownMs = atMs;
    before.checks = 1;
    before.wasTold = false;
    before.isHoled = false;
  },
  facts: ({ value: { newestMs, stillMs, limitMs, longestMs } }): RuleFacts<"frozen"> => ({
    newestDate: instantText(newestMs),
    standsStillSeconds: Math.round(stillMs / 1_000),
    limitSeconds: Math.round(limitMs / 1_000),
    longestGapSeconds: longestMs === undefined ? undefined : Math.round(longestMs / 1_000),
  }),
});

export const dateJumpedBack = listRow<{ newestMs?: number }, { fromMs: number; toMs: number }>({
  id: "date-jumped-back",
  opens: { run: { checks: 3, forMs: hourMs } },
  bad: ({ newestMs }, before) => {
    if (newestMs === undefined || before.newestMs === undefined) return undefined;
    return before.newestMs - newestMs > dayMs && { fromMs: before.newestMs, toMs: newestMs };
  },
  learn: (before, { newestMs = 0 }) => {
    before.newestMs = Math.max(before.newestMs ?? newestMs, newestMs);
  },
  facts: ({ value }): RuleFacts<"date-jumped-back"> => ({
    previousNewestDate: instantText(value.fromMs),
    newestDate: instantText(value.toMs),
  }),
});

/** Records that a page and the snapshot of a week ago have in common; fewer say nothing. */
const partlyFrozenRecords = 15;
const snapshotDays = 8;
type Snapshot = { day: number; atMs: number; dates: Record<string, string | null> };
type PartlyFrozen = { still: number; of: number; fromMs: number };

export const partlyFrozen = listRow<{ days?: Snapshot[] }, PartlyFrozen>({
  id: "partly-frozen",
  isGradual: true,
  limits: { open: 0.5, close: 0.3 },
  inhibitedBy: ["frozen"],
  opens: { run: { checks: 20, forMs: 20 * hourMs } },
  bad: ({ atMs, rows }, { days = [] }, { limit }) => {
    const old = days.find(({ day }) => day === dayOf(atMs) - (snapshotDays - 1));
    if (!old || !rows) return undefined;
    const both = Object.entries(rows).filter(([id]) => old.dates[id]);
    const still = both.filter(([id, { at }]) => old.dates[id] === at).length;
    if (both.length < partlyFrozenRecords) return undefined;
    return still >= limit * both.length && { still, of: both.length, fromMs: old.atMs };
  },
  learn: (before, { atMs, rows }) => {
    const days = before.days ?? [];
    if (!rows || days.at(-1)?.day === dayOf(atMs)) return;
    const dates = Object.fromEntries(Object.entries(rows).map(([id, { at }]) => [id, at]));
    before.days = [...days, { day: dayOf(atMs), atMs, dates }].slice(-snapshotDays);
  },
  facts: ({ value }): RuleFacts<"partly-frozen"> => ({
    stillRecords: value.still,
    records: value.of,
    stillSince: instantText(value.fromMs),
  }),
});

/** By the usual share so many of the moved records would have changed: none is no chance. */
const expectedChanges = 9;
const unchangedForMs = 20 * hourMs;
type MovesBefore = {
  sinceMs?: number;
  checks?: number;
  moved?: number;
  movedBefore?: number;
  changedBefore?: number;
};

export const datesWithoutValues = listRow<MovesBefore, { moved: number }>({
  id: "dates-without-values",
  inhibitedBy: ["equal-scores", "dates-always-now", "frozen"],
  opens: { run: { checks: 3, forMs: 0 } },
  bad: ({ atMs, moved, changed }, before) => {
    const { sinceMs, movedBefore = 0, changedBefore = 0 } = before;
    if (moved === undefined || sinceMs === undefined || changedBefore === 0) return undefined;
    const total = (before.moved ?? 0) + moved;
    const isSure =
      (total * changedBefore) / movedBefore >= expectedChanges && atMs - sinceMs >= unchangedForMs;
    return changed === 0 && isSure && { moved: total };
  },
  since: ({ sinceMs, checks = 0 }) => ({ sinceMs, checks: checks + 1 }),
  learn: (before, { atMs, moved, changed = 0 }) => {
    if (moved === undefined) return;
    before.moved = (before.moved ?? 0) + moved;
    before.checks = (before.checks ?? 0) + 1;
    before.sinceMs ??= atMs;
    if (changed === 0) return;
    before.movedBefore = (before.movedBefore ?? 0) + before.moved;
    before.changedBefore = (before.changedBefore ?? 0) + changed;
    before.moved = 0;
    before.sinceMs = atMs;
    before.checks = 0;
  },
  facts: ({ value }): RuleFacts<"dates-without-values"> => ({ movedRecords: value.moved, changedRecords: 0 }),
});

/** Half of the dates are younger than this in every check of a day: they are made for the response. */
const alwaysNowMs = 2 * minuteMs;

export const datesAlwaysNow = listRow<object, { records: number }>({
  id: "dates-always-now",
  opens: { run: { checks: 10, forMs: dayMs, isAfterGood: true } },
  bad: ({ medianAgeMs, records = 0 }) => {
    if (medianAgeMs === undefined || records < 2) return undefined;
    return medianAgeMs < alwaysNowMs && { records };
  },
  facts: ({ value }): RuleFacts<"dates-always-now"> => ({
    records: value.records,
    limitSeconds: alwaysNowMs / 1_000,
  }),
});

export const futureDates = row<object, { future: number }>({
  id: "future-dates",
  severity: "digest",
  mark: (check) => {
    if (!isGood(check) || check.future === undefined) return undefined;
    return check.future > 0 ? { bad: { future: check.future } } : "good";
  },
  opens: { run: { checks: 3, forMs: 0 } },
  closes: { checks: 3, forMs: 0 },
  facts: ({ value }): RuleFacts<"future-dates"> => ({ records: value.future }),
});

// ------------------------------------------------------------------------------------------------ content
const equalShare = 0.9;
const equalRecords = 5;

export const equalScores = listRow<object, { same: number; of: number }>({
  id: "equal-scores",
  opens: { run: { checks: 3, forMs: 6 * hourMs, isAfterGood: true } },
  bad: ({ equalScores: scores }) => {
    if (!scores || scores.of < equalRecords) return undefined;
    return scores.same >= equalShare * scores.of && scores;
  },
  facts: ({ value }): RuleFacts<"equal-scores"> => ({ equalRecords: value.same, records: value.of }),
});

const jumpFactor = 3;
type ScoreBefore = { score?: number; atMs?: number };

export const scoresJumped = listRow<ScoreBefore, { from: number; to: number }>({
  id: "scores-jumped",
  inhibitedBy: ["equal-scores"],
  opens: { run: { checks: 3, forMs: hourMs } },
  bad: ({ medianScore }, { score }) => {
    if (medianScore === undefined || score === undefined) return undefined;
    const isOther = medianScore > jumpFactor * score || medianScore < score / jumpFactor;
    return isOther && { from: score, to: medianScore };
  },
  learn: (before, { atMs, medianScore = 0 }, mark) => {
    if (mark === "bad" || medianScore <= 0 || atMs - (before.atMs ?? 0) < dayMs) return;
    before.score = medianScore;
    before.atMs = atMs;
  },
  facts: ({ value }): RuleFacts<"scores-jumped"> => ({
    medianScore: value.to,
    medianScoreBefore: value.from,
  }),
});

const totalsKeptMs = 31 * dayMs;
type Total = { atMs: number; total: number };
const isContradictory = ({ findings = [] }: Check) => findings.some(({ kind }) => kind === "pagination");

/** The list's total is a fifth below the oldest one of the last 30 days. */
export const dataShrinking = listRow<{ totals?: Total[] }, { total: number; old: Total }>({
  id: "data-shrinking",
  limits: { open: 0.8, close: 0.85 },
  opens: { run: { checks: 3, forMs: hourMs } },
  bad: (check, { totals = [] }, { limit }) => {
    const { atMs, total } = check;
    const old = totals.find((one) => one.atMs > atMs - totalsKeptMs && one.atMs < atMs - 20 * hourMs);
    if (old === undefined || total === undefined || isContradictory(check)) return undefined;
    return total <= limit * old.total && { total, old };
  },
  learn: (before, check) => {
    const { atMs, total } = check;
    const totals = before.totals ?? [];
    if (total === undefined || isContradictory(check) || dayOf(totals.at(-1)?.atMs ?? 0) === dayOf(atMs))
      return;
    before.totals = [...totals, { atMs, total }].slice(-32);
  },
  facts: ({ value: { total, old } }): RuleFacts<"data-shrinking"> => ({
    records: total,
    recordsBefore: old.total,
    recordsBeforeAt: instantText(old.atMs),
  }),
});

export const duplicateRecords = listRow<object, { duplicates: number }>({
  id: "duplicate-records",
  opens: { run: { checks: 3, forMs: 0 } },
  bad: ({ duplicates }) => (duplicates === undefined ? undefined : duplicates > 0 && { duplicates }),
  facts: ({ value }): RuleFacts<"duplicate-records"> => ({ duplicates: value.duplicates }),
});

/** A record that moves between two requests is on both pages for a moment; several are no chance. */
const duplicatesOnPages = 3;

export const duplicatePages = row<object, { duplicates: number }>({
  id: "duplicate-pages",
  severity: "warning",
  inhibitedBy: ["duplicate-records"],
  looksAt: { variants: ["second-page"], roles: ["list"] },
  mark: (check) => {
    if (!isGood(check) || check.duplicates === undefined) return undefined;
    return check.duplicates >= duplicatesOnPages ? { bad: { duplicates: check.duplicates } } : "good";
  },
  opens: { run: { checks: 2, forMs: 4 * minuteMs, isAfterGood: true } },
  closes: { checks: 2, forMs: 0 },
  name: () => "duplicate-records",
  facts: ({ value }): RuleFacts<"duplicate-records"> => ({
    duplicates: value.duplicates,
    isOnTwoPages: true,
  }),
});

/** A documented field is null in a fifth of the records where it was in less than one of a hundred. */
const nullShare = 0.2;
const nullShareBefore = 0.01;
const nullRecords = 60;
const maxNullFields = 60;
type NullsBefore = { records?: number; nulls?: Record<string, number> };

export const nullFields = row<NullsBefore, { path: string; nulls: number; of: number }[]>({
  id: "null-fields",
  severity: "warning",
  inhibitedBy: ["breaking-drift"],
  // One record is too few records for a share.
  looksAt: { roles: ["list", "sublist"] },
  mark: (check, { records = 0, nulls = {} }) => {
    if (!isGood(check) || !check.records || records < nullRecords) return undefined;
    const odd = (check.nulls ?? []).filter(
      (field) => field.nulls >= nullShare * field.of && (nulls[field.path] ?? 0) < nullShareBefore * records,
    );
    return odd.length === 0 ? "good" : { bad: odd.slice(0, 12) };
  },
  learn: (before, check, mark) => {
    if (!isGood(check) || !check.records || mark === "bad") return;
    before.records = (before.records ?? 0) + check.records;
    before.nulls ??= {};
    for (const { path, nulls } of check.nulls ?? [])
      if (path in before.nulls || Object.keys(before.nulls).length < maxNullFields)
        before.nulls[path] = (before.nulls[path] ?? 0) + nulls;
  },
  opens: { run: { checks: 3, forMs: hourMs } },
  closes: { checks: 3, forMs: hourMs },
  key: (fields) =>
    fields
      .map(({ path }) => path)
      .sort()
      .join(", "),
  facts: ({ value }): RuleFacts<"null-fields"> => ({ nullFields: value }),
});

const maxSamples = 12;
type SamplesBefore = { had?: string[] };

export const sublistEmpty = row<SamplesBefore, { sample: string }>({
  id: "sublist-empty",
  severity: "warning",
  looksAt: { roles: ["sublist"] },
  mark: (check, { had = [] }) => {
    if (!isGood(check) || check.sample === undefined || check.records === undefined) return undefined;
    if (!had.includes(check.sample)) return undefined;
    return check.records > 0 ? "good" : { bad: { sample: check.sample } };
  },
  learn: (before, check) => {
    const { sample } = check;
    if (!isGood(check) || sample === undefined || !check.records || before.had?.includes(sample)) return;
    before.had = [...(before.had ?? []), sample].slice(-maxSamples);
  },
  opens: { run: { checks: 3, forMs: hourMs, samples: 2 } },
  closes: { checks: 2, forMs: 0 },
  facts: ({ parts, endpoints }): RuleFacts<"sublist-empty"> => ({
    samples: new Set(endpoints.flatMap((one) => parts[one]?.recent.map(({ sample }) => sample) ?? [])).size,
  }),
});

/** A share, because the record that a broken cache always gives may be that of one of our samples. */
export const wrongRecord = row<object, boolean>({
  id: "wrong-record",
  severity: "page",
  looksAt: { roles: ["single"], reasons: ["scheduled"] },
  mark: (check) => {
    if (!isGood(check) || check.isOtherRecord === undefined) return undefined;
    return check.isOtherRecord ? { bad: true } : "good";
  },
  opens: { share: [{ bad: 3 }], mayBeRun: true },
  countsAll: true,
  closes: {},
});

// ------------------------------------------------------------------------------------------------ latency
const slowFactor = 10;
/** Ten times of very little is still little. */
const slowFloorMs = 500;
const latencyEveryMs = 4 * hourMs;
/** A week of them; those of two days are enough to know what is usual. */
const latencyTimes = 42;
const latencyTimesNeeded = 12;
type SlowBefore = { times?: { atMs: number; ms: number }[] };

function usualLatencyMs({ times = [] }: SlowBefore): number | undefined {
  if (times.length < latencyTimesNeeded) return undefined;
  return times.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

export const slow = row<SlowBefore, { ms: number; usualMs?: number | undefined }>({
  id: "slow",
  severity: "warning",
  isGradual: true,
  limits: { open: 1, close: 0.8 },
  mark: (check, before, { limit }) => {
    if (!isGood(check) || check.latencyMs === 0) return undefined;
    const usualMs = usualLatencyMs(before);
    const most = Math.min(slowMs, Math.max(slowFloorMs, slowFactor * (usualMs ?? Infinity)));
    return check.latencyMs > limit * most ? { bad: { ms: Math.round(check.latencyMs), usualMs } } : "good";
  },
  learn: (before, check, mark) => {
    const times = before.times ?? [];
    if (mark !== "good" || check.atMs - (times.at(-1)?.atMs ?? 0) < latencyEveryMs) return;
    before.times = [...times, { atMs: check.atMs, ms: Math.round(check.latencyMs) }].slice(-latencyTimes);
  },
  opens: { run: { checks: 3, forMs: 0 } },
  closes: { checks: 2, forMs: 0 },
  facts: ({ parts, endpoints, value }): RuleFacts<"slow"> => {
    const values = endpoints.flatMap((one) => parts[one]?.recent.map(({ value }) => value) ?? []);
    const worst = values.toSorted((a, b) => b.ms - a.ms)[0] ?? value;
    return { latencyMs: worst.ms, usualLatencyMs: worst.usualMs };
  },
});
