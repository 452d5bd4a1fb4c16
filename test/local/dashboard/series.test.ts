// The lines of the charts and the cells of the heartbeat strips, from stored checks.
import { expect, test } from "vitest";
import { freshState } from "../../../lib/assess/state.ts";
import { alarmSettings } from "../../../lib/config/assessment-settings.ts";
import { readSeries } from "../../../lib/local/dashboard/series.ts";
import { createHistory, type History } from "../../../lib/local/store/history.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { dayMs, hourMs, minuteMs } from "../../../lib/time.ts";
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
      const series = await readSeries({ history, state: freshState(), range, settings });
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

const changes = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant("add" as const), minutes: fc.integer({ min: 1, max: 900 }) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("late" as const),
        minutes: fc.integer({ min: 1, max: 90_000 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("damage" as const),
        minutes: fc.integer({ min: 1, max: 90_000 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("look" as const),
        minutes: fc.integer({ min: 10, max: 90_000 }),
      }),
    },
  ),
  { minLength: 4, maxLength: 25 },
);

test("What is remembered of earlier looks shows what a first look would, after new, late and deleted checks", async () => {
  await fc.assert(
    fc.asyncProperty(changes, async (given) => {
      const { ledger, history, database, rows, db } = openMemoryStore();
      let [nowMs, turn] = [startMs + 90_000 * minuteMs, 0];
      const add = (atMs: number) => {
        turn += 1;
        const outcome =
          turn % 7 === 0 ? { kind: "status" as const, status: 503 } : { kind: "ok" as const, status: 200 };
        return ledger.append({ ...checkOf(atMs, turn), outcome });
      };
      for (let atMs = startMs; atMs < nowMs; atMs += 300 * minuteMs) await add(atMs);
      const look = async (from: number) => {
        const input = { state: freshState(), settings };
        const range = { name: "selected" as const, fromMs: nowMs - from * minuteMs, untilMs: nowMs + 1 };
        const remembered = await readSeries({ ...input, range, history });
        expect(remembered).toEqual(
          await readSeries({ ...input, range, history: createHistory(database, rows) }),
        );
      };
      await look(90_000);
      for (const { kind, minutes } of given) {
        if (kind === "add") nowMs += minutes * minuteMs;
        if (kind === "add" || kind === "late")
          await add(kind === "add" ? nowMs : nowMs - minutes * minuteMs - turn);
        if (kind === "damage") {
          const row = db
            .prepare("SELECT id FROM observation WHERE at_ms > ? ORDER BY at_ms LIMIT 1")
            .get(nowMs - minutes * minuteMs) as { id: string } | undefined;
          if (!row) continue;
          db.prepare("UPDATE observation SET body = 'damaged' WHERE id = ?").run(row.id);
          expect(history.observation(row.id)).toBeUndefined();
        }
        if (kind === "look") await look(minutes);
        await look(90_000);
      }
    }),
    { numRuns: 15 },
  );
});

test("A second look at a year reads only the buckets at its ends, and those with new checks", async () => {
  const { ledger, history } = openMemoryStore();
  const days = 365;
  for (let atMs = startMs, turn = 0; atMs < startMs + days * dayMs; atMs += 6 * hourMs, turn += 1)
    await ledger.append(checkOf(atMs, turn));
  let rowsRead = 0;
  const counting: History = {
    ...history,
    checkPage(...given) {
      const page = history.checkPage(...given);
      rowsRead += page.length;
      return page;
    },
  };
  const look = async (untilMs: number) => {
    rowsRead = 0;
    const range = { name: "all" as const, fromMs: startMs, untilMs };
    await readSeries({ history: counting, state: freshState(), range, settings });
    return rowsRead;
  };
  const endMs = startMs + days * dayMs;
  expect(await look(endMs)).toBeGreaterThanOrEqual(2 * 4 * days);
  expect(await look(endMs)).toBeLessThan(100);
  await ledger.append(checkOf(endMs - 100 * dayMs + 1, 1));
  expect(await look(endMs + 1_000)).toBeLessThan(200);
});
