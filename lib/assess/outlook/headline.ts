// The outlook's headline: the most important thing first, in whole words.

import { plural } from "../alerts/text.ts";
import { clockText, dayText, endpointsText } from "../date-text.ts";
import type { Countdown } from "../rules/retirement/countdown.ts";
import type { Span } from "../rules/retirement/outage-windows.ts";
import { heardOf, type RetirementSigns } from "../rules/retirement/retirement.ts";
import { describeUnserved, lastingSilence, type OutlookLevel } from "./signals.ts";

export function describeHeadline(level: OutlookLevel, signs: RetirementSigns): string {
  const { gone, countdown } = signs;
  const date = countdown?.state === "ahead" ? ` ${describeBestDate(countdown)}` : "";
  switch (level) {
    case "calm":
      return "V1 shows no sign of leaving.";
    case "watch":
      return `V1 may be leaving${lastingSilence(signs) ? `: ${describeUnserved(signs)}` : ""}.${date || " It has not said when."}`;
    case "retired":
      return gone
        ? `V1 is gone: ${gone.class} on ${endpointsText(gone.endpoints)} since ${dayText(gone.sinceMs)}.`
        : "V1 is closed: every request gets 401, with the key and without.";
    case "warning":
      return countdown?.state === "passed-alive"
        ? describeOutlived(countdown)
        : `V1 is probably leaving.${date || " It has not said when."}`;
    case "imminent":
      return `${describeImminence(signs)}${date}`;
  }
}

/** Before V1 has shown any data, or long after, and without any sign. */
export function describeSilence({ state }: RetirementSigns): string {
  const { answers, bodies, servedMs } = heardOf(state);
  if (bodies > 0 && servedMs !== undefined)
    return `Nothing is known of V1 since ${dayText(servedMs)}: it has shown no data.`;
  const why = answers > 0 ? ": it has shown no data" : state.responses > 0 ? ": it has not answered" : "";
  return `Nothing is known of V1 yet${why}.`;
}

function describeImminence(signs: RetirementSigns): string {
  const { countdown, data, access } = signs;
  const has = (cause: string) => data.some((verdict) => verdict.cause === cause);
  if (has("data/serves-v2")) return "V1 still answers, but in the shape of V2.";
  if (has("data/stub-data")) return "V1 still answers, but its data is gone.";
  if (access.some(({ cause }) => cause === "access/retired-by-401"))
    return "V1 seems to be closing: authenticated and anonymous requests get 401.";
  if (countdown?.state === "passed-alive") return describeOutlived(countdown);
  if (countdown?.state === "passed-silent") {
    const whose = countdown.source === "configured" ? "configured" : "announced";
    return `V1's ${whose} end, ${dayText(countdown.dateMs)}, has passed, and ${describeUnserved(signs)}.`;
  }
  return "V1 is about to leave.";
}

function describeOutlived({ dateMs, daysLeft }: Countdown): string {
  const ago = daysLeft === 0 ? "today" : `${plural(-daysLeft, "day")} ago`;
  return `V1 has outlived its date: ${dayText(dateMs)} passed ${ago}, and it still answers.`;
}

/** "Best date: 2026-12-31 (47 days), from its Sunset header, seen on all endpoints since 2026-11-02." */
function describeBestDate({ dateMs, daysLeft, source, endpoints, sinceMs }: Countdown): string {
  const left = daysLeft === 0 ? "today" : plural(daysLeft, "day");
  const where = source === "sunset-all" ? "all endpoints" : endpointsText(endpoints);
  const from =
    source === "configured"
      ? "from the configuration"
      : `from its Sunset header, seen on ${where} since ${dayText(sinceMs ?? dateMs)}`;
  return `Best date: ${dayText(dateMs)} (${left}), ${from}.`;
}

export const describeNext = ({ fromMs }: Span) =>
  `a further window is likely on ${dayText(fromMs)} from ${clockText(fromMs)} UTC`;
