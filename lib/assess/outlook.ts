// One outlook from all signs: the gravest decides the level, all of them the confidence, each gives a reason.
import { type CountdownStep, type DateSource, daysUntil } from "./countdown.ts";
import { collectSigns, type OutlookLevel, outlookLevels } from "./outlook-signs.ts";
import { describeHeadline, describeNext } from "./outlook-words.ts";
import { dayMs, dayText } from "./phrases.ts";
import type { RetirementSigns } from "./retirement.ts";
import type { Span } from "./window-edges.ts";
import { count } from "./words.ts";

export type Outlook = {
  level: OutlookLevel;
  /** One sentence, or two with the date. */
  headline: string;
  /** 2026-12-31 */
  date?: string;
  dateSource?: DateSource;
  /** Negative once the date is past. */
  daysLeft?: number;
  /** The closest of the countdown's steps that has been reached. */
  step?: CountdownStep;
  /** A passed date with a living API is a state of its own. */
  dateState?: "ahead" | "passed-alive" | "passed-gone";
  /** 0 to 1: that V1 is leaving; for `calm`, that it is not. */
  confidence: number;
  /** Most important first. */
  reasons: string[];
  /** The next window in which V1 is likely to be switched off. */
  next?: Span & { text: string };
};

const maxReasons = 10;

export function formOutlook(signs: RetirementSigns): Outlook {
  const { countdown, brownouts } = signs;
  const found = collectSigns(signs).sort(
    (a, b) => outlookLevels.indexOf(b.level) - outlookLevels.indexOf(a.level) || b.weight - a.weight,
  );
  const level = found[0]?.level ?? "calm";
  const leaving = 1 - found.reduce((doubt, { weight }) => doubt * (1 - weight), 1);
  const confidence = level === "calm" ? calmConfidence(signs) : Math.min(leaving, 0.99);
  return {
    level,
    headline: describeHeadline(level, signs),
    ...(countdown && {
      date: dayText(countdown.dateMs),
      dateSource: countdown.source,
      daysLeft: countdown.daysLeft,
      ...(countdown.step !== undefined && { step: countdown.step }),
      dateState: countdown.state,
    }),
    confidence: Math.round(confidence * 100) / 100,
    reasons: (level === "calm" ? calmReasons(signs) : found.map(({ text }) => text)).slice(0, maxReasons),
    ...(brownouts.next &&
      brownouts.confidence >= 0.5 &&
      level !== "retired" && { next: { ...brownouts.next, text: describeNext(brownouts.next) } }),
  };
}

/** A week of silence is worth half, a month four fifths. */
function calmConfidence({ state, nowMs }: RetirementSigns): number {
  if (state.responses === 0) return 0;
  const days = Math.max(0, nowMs - state.firstMs) / dayMs;
  return Math.min(0.95, days / (days + 7));
}

function calmReasons({ state, brownouts, nowMs }: RetirementSigns): string[] {
  if (state.responses === 0) return ["V1 has not been asked yet"];
  const days = daysUntil(nowMs, state.firstMs);
  return [
    `no Sunset or Deprecation header in ${count(state.responses)} answers since ${dayText(state.firstMs)}`,
    ...(brownouts.windows.length > 0
      ? brownouts.reasons.slice(0, 1)
      : ["no window in which all endpoints were switched off together"]),
    "the data is V1's own: neither frozen nor empty nor shrunken, as far as it could be seen",
    ...(days < 7 ? ["the watch is less than a week old"] : []),
  ];
}
