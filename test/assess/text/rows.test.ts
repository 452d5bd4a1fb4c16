// Rows as people read them: every field that a line shows changes it, and a line of several rows holds for each of them.
import { describe, expect, test } from "vitest";
import { foldRows, rowLines } from "../../../lib/assess/text/rows.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import type { FactRow, Facts } from "../../../lib/records/incident.ts";
import { fc, runs } from "../../random.ts";

const at = "2026-03-03T12:00:00.000Z";
const minutesAgo = (minutes: number) => new Date(Date.parse(at) - minutes * 60_000).toISOString();

const anyRow = (endpoint: FactRow["endpoint"]) =>
  fc
    .record({
      first: fc.integer({ min: 60, max: 4_000 }),
      length: fc.nat(50),
      before: fc.option(fc.integer({ min: 1, max: 90 })),
      after: fc.option(fc.integer({ min: 1, max: 90 })),
      bad: fc.integer({ min: 1, max: 40 }),
      good: fc.constantFrom(0, 0, 0, 3),
      labels: fc.subarray(["401", "503", "timeout"]),
    })
    .map(({ first, length, before, after, bad, good, labels }): FactRow => {
      const got = labels.map((label, index) => ({ label, count: bad + labels.length - index }));
      return {
        endpoint,
        bad: got.length > 0 ? got.reduce((sum, { count }) => sum + count, 0) : bad,
        total: (got.length > 0 ? got.reduce((sum, { count }) => sum + count, 0) : bad) + good,
        got,
        firstBadAt: minutesAgo(first),
        lastBadAt: minutesAgo(first - length),
        lastGoodBeforeAt: before === null ? null : minutesAgo(first + before),
        firstGoodAfterAt: after === null ? null : minutesAgo(first - length - after),
      };
    });

const factsOf = (rows: FactRow[]) => ({ rows }) as Facts;
const textOf = (row: FactRow, isOver: boolean) =>
  rowLines(factsOf([row]), { counted: "failed", good: "good" }, at, isOver).join("\n");

describe("rows as people read them", () => {
  test("A row reads as one line", () => {
    const row: FactRow = {
      endpoint: "passport",
      bad: 6,
      total: 9,
      got: [
        { label: "503", count: 4 },
        { label: "timeout", count: 2 },
      ],
      firstBadAt: minutesAgo(60),
      lastBadAt: minutesAgo(30),
      lastGoodBeforeAt: minutesAgo(1_440),
      firstGoodAfterAt: minutesAgo(10),
    };
    expect(textOf(row, false)).toBe(
      "passport: 503 (4), timeout (2) in 6 of 9 checks, 11:00-11:30 UTC, last good 2026-03-02 12:00, good since 11:50",
    );
    expect(textOf(row, true)).toBe(
      "passport: on and off from 2026-03-02 12:00 to 2026-03-03 11:00 until 2026-03-03 11:30-11:50 UTC, 503 (4), timeout (2) in 6 of 9 checks",
    );
    const window = { from: minutesAgo(1_440), to: minutesAgo(5) };
    expect(textOf({ ...row, got: [], window, lastGoodBeforeAt: null, firstGoodAfterAt: null }, false)).toBe(
      "passport: 6 of 9 checks failed, 2026-03-02 12:00 to 2026-03-03 11:55 UTC, the last at 11:30",
    );
    expect(textOf({ ...row, onAndOffSince: minutesAgo(600), firstGoodAfterAt: null }, false)).toContain(
      "last good 2026-03-02 12:00, on and off since 02:00",
    );
  });

  test("Another number or another instant is another line", () => {
    fc.assert(
      fc.property(anyRow("passport"), fc.boolean(), (row, isOver) => {
        const later = (instant: string) => new Date(Date.parse(instant) + 60_000 * 7).toISOString();
        const { got, firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt } = row;
        const others: FactRow[] = [
          { ...row, bad: row.bad + 1 },
          { ...row, total: row.total + 1 },
          { ...row, throttled: 3 },
          { ...row, endpoint: "passport-list" },
          { ...row, firstBadAt: new Date(Date.parse(firstBadAt) - 30_000 * 100).toISOString() },
          { ...row, lastBadAt: later(lastBadAt) },
          ...(lastGoodBeforeAt ? [{ ...row, lastGoodBeforeAt: later(lastGoodBeforeAt) }] : []),
          ...(firstGoodAfterAt ? [{ ...row, firstGoodAfterAt: later(firstGoodAfterAt) }] : []),
          ...(got.length > 1
            ? [{ ...row, got: got.map((one, index) => (index > 0 ? one : { ...one, count: one.count + 1 })) }]
            : []),
        ];
        for (const other of others) expect(textOf(other, isOver)).not.toBe(textOf(row, isOver));
      }),
      { numRuns: runs(60) },
    );
  });

  test("A line of several endpoints has no good check of any of them within its times, and their sums", () => {
    const rows = fc.tuple(...endpointIds.map(anyRow));
    fc.assert(
      fc.property(rows, (all) => {
        const lines = foldRows(all);
        expect(lines.flatMap(({ endpoints }) => endpoints).sort()).toEqual([...endpointIds].sort());
        for (const { endpoints, row } of lines) {
          const parts = all.filter(({ endpoint }) => endpoints.includes(endpoint));
          expect(row.bad).toBe(parts.reduce((sum, { bad }) => sum + bad, 0));
          expect(row.total).toBe(parts.reduce((sum, { total }) => sum + total, 0));
          if (parts.length < 2) continue;
          for (const part of parts) {
            expect(part.bad).toBe(part.total);
            expect((part.lastGoodBeforeAt ?? "") < row.firstBadAt).toBe(true);
            expect((part.firstGoodAfterAt ?? "9") > row.lastBadAt).toBe(true);
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
