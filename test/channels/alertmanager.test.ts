import { expect, test } from "vitest";
import { renderAlertmanager } from "../../lib/channels/alertmanager.ts";
import { minuteMs, sampleAlert, startMs } from "../local/samples.ts";
import { fc } from "../random.ts";

type Report = { startsAt: number; endsAt: number };

/**
 * https://github.com/prometheus/alertmanager: Put() of provider/mem and Merge() of alert. Two reports of one alert are joined where
 * their times overlap; of two ends the later one counts, unless the new one is over.
 */
function merge(known: Report, told: Report, nowMs: number): Report {
  const overlaps =
    (told.endsAt > known.startsAt && told.endsAt < known.endsAt) ||
    (told.startsAt > known.startsAt && told.startsAt < known.endsAt);
  if (!overlaps) return told;
  const endsAt = told.endsAt > nowMs ? Math.max(known.endsAt, told.endsAt) : told.endsAt;
  return { startsAt: Math.min(known.startsAt, told.startsAt), endsAt };
}

test("An alert at Alertmanager fires until its RESOLVED is sent and no longer, whatever the clock showed when each was decided", () => {
  const errorMs = fc.integer({ min: -20 * 60, max: 20 * 60 }).map((minutes) => minutes * minuteMs);
  fc.assert(
    fc.property(errorMs, errorMs, (opened, resolved) => {
      const report = (nowMs: number, offsetMs: number, event: "opened" | "resolved"): Report => {
        const at = new Date(nowMs + offsetMs).toISOString();
        const [told] = renderAlertmanager(sampleAlert(1, { at, event }), nowMs);
        const { startsAt, endsAt } = told as { startsAt: string; endsAt: string };
        // It refuses an alert that ends before it starts.
        expect(endsAt >= startsAt).toBe(true);
        return { startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) };
      };
      const [openedMs, resolvedMs] = [startMs, startMs + 30 * minuteMs];
      const known = report(openedMs, opened, "opened");
      expect(known.startsAt <= openedMs && known.endsAt > resolvedMs).toBe(true);
      const ended = merge(known, report(resolvedMs, resolved, "resolved"), resolvedMs);
      expect(ended.endsAt).toBeLessThanOrEqual(resolvedMs);
    }),
  );
});
