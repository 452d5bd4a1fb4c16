// One outlook from all signs: the gravest decides the level, all of them the confidence, each gives a reason.

import { plural } from "../alerts/text.ts";
import { dayMs, dayText } from "../date-text.ts";
import {
  type CountdownStep,
  type DateSource,
  type DateState,
  daysUntil,
} from "../rules/retirement/countdown.ts";
import type { Span } from "../rules/retirement/outage-windows.ts";
import { heardOf, isServedLately, type RetirementSigns } from "../rules/retirement/retirement.ts";
import { describeHeadline, describeNext, describeSilence } from "./headline.ts";
import { collectSigns, type OutlookLevel, outlookLevels } from "./signals.ts";

export type Outlook = {
  /** `unknown` where V1 has shown no data, or none lately, nor any sign of its end: silence is not calm. */
  level: OutlookLevel | "unknown";
  /** One sentence, or two with the date. */
  headline: string;
  /** 2026-12-31 */
  date?: string;
  dateSource?: DateSource;
  /** Negative once the date is past. */
  daysLeft?: number;
  /** The closest of the countdown's steps that has been reached. */
  step?: CountdownStep;
  dateState?: DateState;
  /** 0 to 1: that V1 is leaving; for `calm`, that it is not; 0 for `unknown`. */
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
  const isCalm = heardOf(signs.state).bodies > 0 && isServedLately(signs.state);
  const level = found[0]?.level ?? (isCalm ? "calm" : "unknown");
  const leaving = 1 - found.reduce((doubt, { weight }) => doubt * (1 - weight), 1);
  const confidence = level === "calm" ? calmConfidence(signs) : Math.min(leaving, 0.99);
  const reasons =
    level === "calm"
      ? calmReasons(signs)
      : level === "unknown"
        ? silenceReasons(signs)
        : found.map(({ text }) => text);
  return {
    level,
    headline: level === "unknown" ? describeSilence(signs) : describeHeadline(level, signs),
    ...(countdown && {
      date: dayText(countdown.dateMs),
      dateSource: countdown.source,
      daysLeft: countdown.daysLeft,
      ...(countdown.step !== undefined && { step: countdown.step }),
      dateState: countdown.state,
    }),
    confidence: Math.round(confidence * 100) / 100,
    reasons: reasons.slice(0, maxReasons),
    ...(brownouts.next &&
      brownouts.confidence >= 0.5 &&
      level !== "retired" && { next: { ...brownouts.next, text: describeNext(brownouts.next) } }),
  };
}

/** A week of service without a sign is worth half, a month four fifths. */
function calmConfidence({ state }: RetirementSigns): number {
  const { servedMs = state.firstMs } = heardOf(state);
  const days = Math.max(0, servedMs - state.firstMs) / dayMs;
  return Math.min(0.95, days / (days + 7));
}

const noHeader = ({ state }: RetirementSigns) =>
  `no Sunset or Deprecation header in ${plural(heardOf(state).answers, "answer")} since ${dayText(state.firstMs)}`;

function calmReasons(signs: RetirementSigns): string[] {
  const { state, brownouts, nowMs } = signs;
  const isYoung = daysUntil(nowMs, state.firstMs) < 7;
  // Whether data stands still shows only with time.
  const faults = isYoung ? "neither empty nor data-shrinking" : "neither frozen nor empty nor data-shrinking";
  return [
    noHeader(signs),
    ...(brownouts.windows.length > 0
      ? brownouts.reasons.slice(0, 1)
      : ["no window in which all endpoints were switched off together"]),
    `the data is V1's own: ${faults}, as far as it could be seen`,
    ...(isYoung ? ["the watch is less than a week old"] : []),
  ];
}

function silenceReasons(signs: RetirementSigns): string[] {
  const { responses, firstMs } = signs.state;
  const { answers, bodies } = heardOf(signs.state);
  if (responses === 0) return ["V1 has not been asked yet"];
  if (answers === 0) return [`no answer came to ${plural(responses, "request")} since ${dayText(firstMs)}`];
  const kinds = Object.values(signs.state.answers).map(({ answer }) => (answer === "ok" ? "200" : answer));
  const last = [...new Set(kinds)].sort();
  const number = bodies > 0 ? "none of the last answers" : `none of ${plural(answers, "answer")}`;
  return [`${number} brought data; the last: ${last.join(", ")}`, noHeader(signs)];
}
