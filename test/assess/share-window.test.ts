// The window of a share counts what a list of all marks of the day counts.
import { expect, test } from "vitest";
import {
  addCounted,
  type CountedMarks,
  countAll,
  countBad,
  takeLatest,
} from "../../lib/assess/engine/share-window.ts";
import { fc } from "../random.ts";
import { startMs } from "./driver.ts";
import { dayMs, minuteMs } from "./observation-builder.ts";

const marks = fc.array(
  fc.record({
    gapMs: fc.integer({ min: 1_000, max: 40_000 }),
    label: fc.option(fc.constantFrom("401", "503")),
  }),
  { minLength: 40, maxLength: 400 },
);

test("The window counts every mark of the last day, names the first and the last bad one, and has an entry a minute", () => {
  fc.assert(
    fc.property(marks, fc.integer({ min: 1, max: 40 }), (given, stretch) => {
      const window: CountedMarks[] = [];
      const all: { atMs: number; label: string | null }[] = [];
      let atMs = startMs;
      for (const { gapMs, label } of given) {
        atMs += gapMs * stretch;
        all.push({ atMs, label });
        addCounted(window, atMs, label === null ? undefined : { value: label, labels: { [label]: 1 } });
      }
      // A minute is forgotten with its last mark.
      const isKept = (one: { atMs: number }) => one.atMs >= (window[0]?.fromMs ?? 0);
      const kept = all.filter(isKept);
      expect(all.filter((one) => one.atMs > atMs - dayMs).every(isKept)).toBe(true);
      expect(kept.every((one) => one.atMs > atMs - dayMs - minuteMs)).toBe(true);
      const bad = kept.filter(({ label }) => label !== null);
      expect(countAll(window)).toBe(kept.length);
      expect(countBad(window)).toBe(bad.length);
      const counted = window.flatMap((one) => one.bad ?? []);
      expect(counted[0]?.fromMs).toBe(bad[0]?.atMs);
      expect(counted.at(-1)?.atMs).toBe(bad.at(-1)?.atMs);
      expect(counted.at(-1)?.value).toBe(bad.at(-1)?.label);
      for (const label of ["401", "503"])
        expect(counted.reduce((sum, { labels }) => sum + (labels[label] ?? 0), 0)).toBe(
          bad.filter((one) => one.label === label).length,
        );
      expect(countBad(takeLatest(window.toReversed(), 36))).toBe(
        kept.slice(-36).filter(({ label }) => label !== null).length,
      );
      const minutes = new Set(kept.map((one) => Math.floor(one.atMs / minuteMs)));
      expect(window.length).toBeLessThanOrEqual(minutes.size + 37);
    }),
  );
});
