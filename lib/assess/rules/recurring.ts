// Outages of the same endpoints that come back at the same hour: maintenance or brownouts.
import type { Incident, WindowFact } from "../../records/incident.ts";
import { instantText } from "../history/queries.ts";
import { failuresOf } from "./availability.ts";
import { type Evaluation, endOf, firingOf, isFiring, type RuleContext, scopeOf } from "./rule.ts";

const dayMs = 86_400_000;

type OutageWindow = WindowFact & { incident: Incident };

/** Outages of the same endpoints on other days whose start may be the same time of the day. */
function similarWindows(context: RuleContext, latest: Incident): OutageWindow[] {
  const { thresholds } = context;
  const key = latest.endpoints.join(",");
  const startOf = ({ facts }: Incident) => ({
    afterMs: Date.parse(facts.lastGoodBeforeAt ?? facts.firstBadAt),
    byMs: Date.parse(facts.firstBadAt),
  });
  const own = startOf(latest);
  const isSimilar = (other: Incident) => {
    const { afterMs, byMs } = startOf(other);
    const days = Math.round((own.byMs - byMs) / dayMs);
    if (other === latest) return true;
    const shiftMs = days * dayMs;
    const isAtSameHour =
      Math.max(afterMs + shiftMs, own.afterMs) <=
      Math.min(byMs + shiftMs, own.byMs) + thresholds.recurringToleranceMs;
    return days > 0 && isAtSameHour;
  };
  return failuresOf(context)
    .filter(
      (one) =>
        one.openedAt !== undefined && !one.supersededBy && one.endpoints.join(",") === key && isSimilar(one),
    )
    .map((incident) => ({
      incident,
      after: incident.facts.lastGoodBeforeAt,
      firstBad: incident.facts.firstBadAt,
      lastBad: incident.facts.lastBadAt,
      firstGood: incident.facts.firstGoodAfterAt,
    }))
    .sort((a, b) => (a.firstBad < b.firstBad ? -1 : 1));
}

export function evaluateRecurring(context: RuleContext): Evaluation[] {
  const { nowMs, thresholds } = context;
  if (firingOf(context, "error-rate", "unauthorized-rate")) return [{ state: "unknown" }];
  const hasNotice = firingOf(context, "sunset", "sunset-passed", "deprecation") !== undefined;
  const needed = hasNotice ? thresholds.recurringWindowsWithNotice : thresholds.recurringWindows;
  const firing = firingOf(context, "recurring-outages");
  const latest = failuresOf(context)
    .filter(({ openedAt, supersededBy }) => openedAt !== undefined && !supersededBy)
    .sort((a, b) => (a.since < b.since ? 1 : -1));
  for (const incident of latest) {
    const windows = similarWindows(context, incident);
    if (windows.length < needed) continue;
    const last = windows.at(-1)!;
    const previous = windows.at(-2)!;
    const stepMs =
      Math.max(1, Math.round((Date.parse(last.firstBad) - Date.parse(previous.firstBad)) / dayMs)) * dayMs;
    const next = nextWindow(last, previous, stepMs);
    const endMs = Date.parse(next.until ?? next.from) + thresholds.sameOutageMs;
    if (nowMs > endMs && !isFiring(incident)) {
      // Outages of the same endpoints at another hour: while one of them is of the last round, it is no end.
      const laterMs = latest
        .filter((one) => one.since > last.lastBad && one.endpoints.join() === incident.endpoints.join())
        .map((one) => Date.parse(endOf(one) ?? instantText(nowMs)));
      const overMs = Math.max(endMs, ...laterMs);
      if (firing && laterMs.length > 0 && nowMs < overMs + stepMs) return [{ state: "unknown" }];
      return [{ state: "inactive", firstGoodMs: firing ? overMs : undefined, good: 2, lastMs: nowMs }];
    }
    const sum = (field: "bad" | "total") => windows.reduce((all, one) => all + one.incident.facts[field], 0);
    return [
      {
        state: "active",
        rule: "recurring-outages",
        severity: "warning",
        endpoints: incident.endpoints,
        scope: scopeOf(incident.endpoints),
        firstBadMs: Date.parse(windows[0]!.firstBad),
        lastGoodMs: windows[0]!.after ? Date.parse(windows[0]!.after) : undefined,
        lastBadMs: Date.parse(last.lastBad),
        bad: sum("bad"),
        total: sum("total"),
        facts: { windows: windows.slice(-12).map(({ incident: _, ...window }) => window), next },
        key: `${incident.endpoints.join(",")} ${windows[0]!.firstBad.slice(11, 13)}`,
        isConfirmed: true,
      },
    ];
  }
  return [{ state: "inactive", good: 2, lastMs: nowMs }];
}

/** The bounds of the last window, a step later; its length is that of the last one that ended. */
function nextWindow(last: OutageWindow, previous: OutageWindow, stepMs: number) {
  const later = (instant: string) => instantText(Date.parse(instant) + stepMs);
  const ended = last.firstGood ? last : previous;
  const lengthMs = ended.firstGood ? Date.parse(ended.firstGood) - Date.parse(ended.firstBad) : undefined;
  return {
    after: later(last.after ?? last.firstBad),
    from: later(last.firstBad),
    until: lengthMs === undefined ? null : instantText(Date.parse(last.firstBad) + stepMs + lengthMs),
  };
}
