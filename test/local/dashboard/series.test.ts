// The lines of the charts and the cells of the heartbeat strips, from stored checks.
import { expect, test } from "vitest";
import { freshState } from "../../../lib/assess/state.ts";
import { alarmSettings } from "../../../lib/config/assessment-settings.ts";
import { readSeries } from "../../../lib/local/dashboard/series.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { hourMs } from "../../../lib/time.ts";
import { configure } from "../../config/configure.ts";
import { fc } from "../../random.ts";
import { sampleObservation, startMs } from "../samples.ts";
import { openMemoryStore } from "../store/memory-store.ts";

const settings = alarmSettings(configure());

const samples = ["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"];

/** Sample number n was calculated n days before the start and is never calculated again. */
function checkOf(atMs: number, turn: number): Observation {
  const at = new Date(atMs).toISOString();
  const sample = samples[turn % samples.length] ?? "";
  const newest = (atMs - startMs) / 1_000 + (turn % samples.length) * 86_400;
  return sampleObservation(0, {
    id: `passport/authenticated/${at}`,
    endpoint: "passport",
    at,
    sample,
    staleness: {
      records: 1,
      dated: 1,
      missing: 0,
      null: 0,
      future: 0,
      unparsable: 0,
      calculating: 0,
      muted: false,
      ages: { newest, p50: newest, p95: newest, oldest: newest },
    },
  });
}

const steps = fc.array(fc.integer({ min: 1_000, max: 20 * 60_000 }), { minLength: 1, maxLength: 400 });

test("Samples have a line each, which never falls while their records stand still, and cells stand where the checks were", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 72 }), async (gaps, hours) => {
      const { ledger, history } = openMemoryStore();
      let atMs = startMs;
      const instants = gaps.map((gap) => {
        atMs += gap;
        return atMs;
      });
      for (const [turn, instant] of instants.entries()) await ledger.append(checkOf(instant, turn));
      const range = { name: "selected" as const, fromMs: startMs, untilMs: startMs + hours * hourMs };
      const series = readSeries({ history, state: freshState(), range, settings });
      const passport = series.endpoints.find(({ endpoint }) => endpoint === "passport");
      const shown = instants.filter((instant) => instant < range.untilMs);

      const ages = passport?.lines.filter(({ measure }) => measure === "age") ?? [];
      expect(ages.length).toBe(Math.min(samples.length, shown.length));
      for (const { values } of ages) {
        const known = values.filter((value) => value !== null);
        expect(known).toEqual(known.toSorted((a, b) => a - b));
      }
      const cells = passport?.cells ?? [];
      expect(cells.reduce((sum, { checks }) => sum + checks, 0)).toBe(shown.length);
      let next = 0;
      for (const { from, until, checks } of cells) {
        const own = shown.slice(next, next + checks);
        next += checks;
        if (until === undefined) expect(own).toEqual([Date.parse(from)]);
        for (const instant of own) {
          expect(instant).toBeGreaterThanOrEqual(Date.parse(from));
          expect(instant).toBeLessThan(until === undefined ? instant + 1 : Date.parse(until));
        }
      }
      expect([series.from, series.until].map((text) => Date.parse(text))).toEqual([
        range.fromMs,
        range.untilMs,
      ]);
    }),
    { numRuns: 25 },
  );
});
