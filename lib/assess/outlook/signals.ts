// Which signs of V1's end there are, how grave each is and how much it convinces. Rules, one by one.

import { describeDuration, plural } from "../alerts/text.ts";
import { dayMs, dayText, endpointsText } from "../date-text.ts";
import type { Countdown, DateSource } from "../rules/retirement/countdown.ts";
import type { NoticeEvent, NoticesHistory } from "../rules/retirement/notices-history.ts";
import type { RetirementSigns, Silence } from "../rules/retirement/retirement.ts";

export const outlookLevels = ["calm", "watch", "warning", "imminent", "retired"] as const;
export type OutlookLevel = (typeof outlookLevels)[number];

export type Sign = {
  level: OutlookLevel;
  /** 0 to 1: how much this alone convinces that V1 is leaving. */
  weight: number;
  text: string;
};

const sourceWeights: Record<DateSource, number> = {
  configured: 0.9,
  "sunset-all": 0.8,
  "sunset-some": 0.6,
};
const imminentDays = 7;
const warningDays = 90;
/** A date that has long passed without an end loses its terror, not its meaning. */
const livelyDays = -30;
/** A header that was not seen for so long is no longer said. */
const saidMs = 3 * dayMs;
const recentMs = 60 * dayMs;
/** Outages are over sooner, as a rule. */
const lastingMs = dayMs;

export function collectSigns(signs: RetirementSigns): Sign[] {
  return [
    ...signsOfGone(signs),
    ...signsOfDate(signs),
    ...signsOfSilence(signs),
    ...signsOfAccess(signs),
    ...signsOfBrownouts(signs),
    ...signsOfData(signs),
    ...signsOfNotices(signs),
  ];
}

function signsOfGone({ gone, countdown, nowMs }: RetirementSigns): Sign[] {
  if (!gone) return [];
  const where = endpointsText(gone.endpoints);
  const text = `${gone.class} since ${dayText(gone.sinceMs)}: ${plural(gone.responses, "answer")} in a row, ${where}`;
  const isEarly = nowMs - gone.sinceMs < dayMs && countdown?.state !== "passed-gone";
  return [
    { level: "retired", weight: isEarly ? 0.8 : 0.98, text },
    ...(isEarly
      ? [{ level: "watch" as const, weight: 0, text: "less than a day old: it could still be a brownout" }]
      : []),
  ];
}

function signsOfDate(signs: RetirementSigns): Sign[] {
  const { countdown, state, nowMs } = signs;
  if (!countdown || countdown.state === "passed-gone") return [];
  const { daysLeft, source, dateMs } = countdown;
  const isContradictory = Object.values(state.notices.current).some(({ Sunset }) => Sunset?.contradictory);
  const weight = sourceWeights[source] * (isContradictory && source !== "configured" ? 0.7 : 1);
  const dispute = signsOfDispute(countdown);
  const passed = `its date ${dayText(dateMs)} passed ${daysLeft === 0 ? "today" : `${plural(-daysLeft, "day")} ago`}`;
  if (countdown.state === "passed-alive") {
    const level = daysLeft < livelyDays ? "warning" : "imminent";
    return [{ level, weight: weight * 0.9, text: `${passed}, and V1 still answers` }, ...dispute];
  }
  if (countdown.state === "passed-silent")
    return [{ level: "imminent", weight, text: `${passed}, and ${describeUnserved(signs)}` }, ...dispute];
  const level = daysLeft <= imminentDays ? "imminent" : daysLeft <= warningDays ? "warning" : "watch";
  return [{ level, weight, text: describeDate(countdown, state.notices, nowMs) }, ...dispute];
}

/** An earlier one is beside a configured date, or has passed at one endpoint; otherwise the earliest is believed. */
function signsOfDispute({ dateMs, othersMs }: Countdown): Sign[] {
  const earlier = othersMs.filter((otherMs) => otherMs < dateMs).map(dayText);
  const later = othersMs.filter((otherMs) => otherMs > dateMs).map(dayText);
  const signs: (Sign | false)[] = [
    earlier.length > 0 && {
      level: "watch",
      weight: 0.2,
      text: `its own Sunset header names an earlier day: ${earlier.join(", ")}`,
    },
    later.length > 0 && {
      level: "watch",
      weight: 0,
      text: `other dates are announced too: ${later.join(", ")}`,
    },
  ];
  return signs.filter((sign) => sign !== false);
}

/** An outage that lasts is a sign by itself. */
export const lastingSilence = ({ silence, hasEnded }: RetirementSigns): Silence | undefined =>
  !hasEnded && silence && silence.lastMs - silence.sinceMs >= lastingMs ? silence : undefined;

function signsOfSilence(signs: RetirementSigns): Sign[] {
  if (!lastingSilence(signs) || signs.countdown?.state === "passed-silent") return [];
  return [{ level: "watch", weight: 0.4, text: describeUnserved(signs) }];
}

/** "it has given no usable answer since 2026-12-30" */
export const describeUnserved = ({ silence }: RetirementSigns) =>
  silence
    ? `it has given no usable answer since ${dayText(silence.sinceMs)}`
    : "no usable answer has been seen since";

/** "Sunset header appeared 13 days ago; moved earlier once (was 2027-01-31)" */
function describeDate(
  { source, dateMs, sinceMs }: Countdown,
  { events }: NoticesHistory,
  nowMs: number,
): string {
  if (source === "configured") return `the configuration names ${dayText(dateMs)}`;
  const moves = (["moved-earlier", "moved-later"] as const).flatMap((kind) => {
    const alike = events.filter((event) => event.kind === kind && event.header === "Sunset");
    const times = alike.reduce((sum, event) => sum + event.times, 0);
    const was = alike.at(-1)?.fromMs;
    return times > 0 && was !== undefined
      ? [`${kind.replace("-", " ")} ${timesText(times)} (was ${dayText(was)})`]
      : [];
  });
  return [`Sunset header appeared ${agoText(nowMs - (sinceMs ?? nowMs))}`, ...moves].join("; ");
}

const timesText = (times: number) => (times === 1 ? "once" : times === 2 ? "twice" : `${times} times`);
const agoText = (ms: number) =>
  ms >= 2 * dayMs ? `${plural(Math.floor(ms / dayMs), "day")} ago` : `${describeDuration(ms / 1000)} ago`;

function signsOfAccess({ access }: RetirementSigns): Sign[] {
  return access.flatMap(({ cause, certainty, endpoints }): Sign[] => {
    if (cause === "access/retired-by-401") {
      const level = certainty === "sure" ? "retired" : certainty === "likely" ? "imminent" : "watch";
      const weight = { sure: 0.85, likely: 0.6, guess: 0.3 }[certainty];
      return [{ level, weight, text: "every request gets 401, with the key and without" }];
    }
    if (cause === "access/endpoint-withdrawn") {
      const weight = certainty === "sure" ? 0.55 : 0.35;
      return [
        { level: "warning", weight, text: `${endpointsText(endpoints)} is withdrawn while the others live` },
      ];
    }
    if (cause === "access/key-mandatory")
      return [{ level: "watch", weight: 0.25, text: "requests without a key are no longer served" }];
    return [];
  });
}

function signsOfBrownouts({ brownouts }: RetirementSigns): Sign[] {
  const { confidence, reasons, open } = brownouts;
  if (confidence < 0.4) return [];
  const verdict = `looks like announced brownouts (confidence ${confidence.toFixed(1)})`;
  const signs = reasons.map(
    (reason, index): Sign => ({
      level: index > 0 ? "watch" : confidence >= 0.5 ? "warning" : "watch",
      weight: index > 0 ? 0 : confidence,
      text: index > 0 ? reason : `${reason}: ${verdict}`,
    }),
  );
  if (open?.expected)
    signs.push({
      level: "warning",
      weight: 0.3,
      text: `a window of ${open.answer} is open now, when one was due`,
    });
  return signs;
}

const dataSigns: Record<string, { level: OutlookLevel; weight: number }> = {
  "data/serves-v2": { level: "imminent", weight: 0.7 },
  "data/stub-data": { level: "imminent", weight: 0.6 },
  "data/frozen": { level: "watch", weight: 0.35 },
  "data/data-shrinking": { level: "watch", weight: 0.35 },
};

function signsOfData({ data }: RetirementSigns): Sign[] {
  return data.flatMap(({ cause, certainty, evidence }) => {
    const row = dataSigns[cause];
    const [text] = evidence;
    if (!row || !text) return [];
    return certainty === "guess"
      ? [{ level: "watch" as const, weight: row.weight / 3, text }]
      : [{ level: row.level, weight: row.weight, text }];
  });
}

function signsOfNotices({ state, countdown, nowMs }: RetirementSigns): Sign[] {
  const { current, events, successorMs = 0, warningMs = 0 } = state.notices;
  const said = (header: "Sunset" | "Deprecation") =>
    Object.values(current).flatMap((notices) => notices[header] ?? []);
  const deprecations = said("Deprecation");
  const sinceMs = Math.min(...deprecations.map(({ firstSeenMs }) => firstSeenMs));
  const isUnreadable = said("Sunset").some(({ dateMs }) => dateMs === undefined);
  const last = (kind: NoticeEvent["kind"]) =>
    events.findLast((event) => event.kind === kind && nowMs - event.atMs <= recentMs);
  const vanished = last("vanished");
  const signs: (Sign | false)[] = [
    deprecations.length > 0 && {
      level: "watch",
      weight: countdown ? 0.2 : 0.4,
      text: `Deprecation header since ${dayText(sinceMs)}`,
    },
    isUnreadable && { level: "watch", weight: 0.4, text: "a Sunset header whose date cannot be read" },
    said("Sunset").some(({ contradictory }) => contradictory) && {
      level: "watch",
      weight: 0,
      text: "Sunset is earlier than Deprecation: an error of the sender",
    },
    vanished !== undefined && {
      level: "watch",
      weight: 0.2,
      text: `${vanished.header} header vanished on ${dayText(vanished.atMs)}${vanished.fromMs === undefined ? "" : ` (was ${dayText(vanished.fromMs)})`}`,
    },
    nowMs - successorMs <= saidMs && {
      level: "watch",
      weight: 0.2,
      text: "it links to its successor version",
    },
    nowMs - warningMs <= saidMs && {
      level: "watch",
      weight: 0.1,
      text: "it sends a persistent warning (299)",
    },
  ];
  return signs.filter((sign) => sign !== false);
}
