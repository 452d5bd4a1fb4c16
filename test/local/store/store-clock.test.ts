// The clock of a store at the boundaries of its tolerance; whole histories with jumps are in clock.test.ts.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createStoreClock } from "../../../lib/local/store/retention.ts";
import { dayMs, minuteMs, startMs } from "../samples.ts";

const hourMs = 60 * minuteMs;

/** A machine whose clock was last right at `startMs`, and starts so much later. */
function open(startedAfterMs: number, machineAheadMs = 0, prunedBeforeMs = 0) {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE metadata (name TEXT PRIMARY KEY, value)");
  db.prepare("INSERT INTO metadata VALUES ('clock_ms', ?)").run(startMs);
  db.prepare("INSERT INTO metadata VALUES ('pruned_before_ms', ?)").run(prunedBeforeMs);
  const time = { passedMs: 0, aheadMs: machineAheadMs };
  const clock = createStoreClock(db, {
    nowMs: () => startMs + startedAfterMs + time.passedMs + time.aheadMs,
    monotonicMs: () => 5_000 + time.passedMs,
  });
  const savedMs = () =>
    Number(db.prepare("SELECT value FROM metadata WHERE name = 'clock_ms'").get()?.value) - startMs;
  return { clock, time, savedMs };
}

test.each([
  ["within an hour", hourMs, true],
  ["later", hourMs + 1, false],
])("after a start %s of the last right time the clock is trusted without V1: %s", (_, afterMs, isRight) => {
  const { clock } = open(afterMs);
  expect(clock.check(undefined)).toEqual({ isRight });
});

test.each([
  [600, true],
  [-600, true],
  [601, false],
  [-601, false],
])("V1's clock that differs by %d s confirms the clock: %s", (skewSeconds, isRight) => {
  const { clock } = open(2 * hourMs);
  expect(clock.check(skewSeconds).isRight).toBe(isRight);
  // Once confirmed it stays right.
  expect(clock.check(undefined).isRight).toBe(isRight);
});

test("the right time is stored every quarter of an hour", () => {
  const { clock, time, savedMs } = open(0);
  time.passedMs = 15 * minuteMs - 1;
  clock.check(undefined);
  expect(savedMs()).toBe(0);
  time.passedMs = 15 * minuteMs;
  clock.check(undefined);
  expect(savedMs()).toBe(15 * minuteMs);
});

test.each([
  ["10 minutes, which is no jump", 10 * minuteMs, 10 * minuteMs],
  ["more, which is a jump", 10 * minuteMs + 1, 0],
  ["10 minutes back", -10 * minuteMs, -10 * minuteMs],
  ["more back", -10 * minuteMs - 1, 0],
])("a clock that moves by %s", (_, aheadMs, shownMs) => {
  const { clock, time } = open(0);
  time.aheadMs = aheadMs;
  expect(clock.nowMs() - startMs).toBe(shownMs);
});

test("a jump is reported when V1's clock disagrees with it, and is followed when V1's clock agrees", () => {
  const { clock, time } = open(0);
  time.aheadMs = 2 * dayMs;
  expect(clock.check(0)).toEqual({
    isRight: true,
    problem:
      "The clock of this machine shows 2026-11-03T00:00Z, which is 2 d ahead. v1watch goes on with 2026-11-01T00:00Z until V1's clock agrees with it.",
  });
  time.aheadMs = -2 * dayMs;
  expect(clock.check(0).problem).toContain("2026-10-30T00:00Z, which is 2 d behind");
  time.aheadMs = 2 * dayMs;
  expect(clock.check(2 * 86_400)).toEqual({ isRight: true });
  expect(clock.nowMs() - startMs).toBe(2 * dayMs);
});

test.each([
  ["at most 7 days, is believed after an hour without V1", 7 * dayMs, true],
  ["more than 7 days, is not", 7 * dayMs + 1, false],
])("a machine that was suspended for %s", (_, aheadMs, isBelieved) => {
  const { clock, time } = open(0);
  time.aheadMs = aheadMs;
  expect(clock.check(undefined).problem === undefined).toBe(isBelieved);
  expect(clock.nowMs() - startMs).toBe(0);
  time.passedMs = hourMs - 1;
  clock.check(undefined);
  expect(clock.nowMs() - startMs).toBe(hourMs - 1);
  time.passedMs = hourMs;
  clock.check(undefined);
  expect(clock.nowMs() - startMs).toBe(isBelieved ? aheadMs + hourMs : hourMs);
});

test("at a start with a clock that is years ahead the time goes on from V1's clock", () => {
  const { clock } = open(0, 730 * dayMs);
  expect(clock.check(-700 * 86_400).problem).toContain("ahead");
  expect(clock.nowMs() - startMs).toBe(30 * dayMs);
  // V1's clock before the last right time is not believed.
  const other = open(0, 730 * dayMs);
  other.clock.check(-731 * 86_400);
  expect(other.clock.nowMs() - startMs).toBe(730 * dayMs);
});

test("at a start with a clock before the last right time the time goes on from there", () => {
  const { clock } = open(0, -dayMs);
  expect(clock.nowMs() - startMs).toBe(-10 * minuteMs);
});

test("a clock that starts before the deleted observations goes on from their end", () => {
  expect(open(0, 0, startMs + dayMs).clock.nowMs() - startMs).toBe(dayMs);
  expect(open(0, 0, startMs - dayMs).clock.nowMs() - startMs).toBe(0);
});

test("the clock of a store without numbers is the machine's, and is right when V1's clock agrees", () => {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE metadata (name TEXT PRIMARY KEY, value)");
  const clock = createStoreClock(db, { nowMs: () => startMs, monotonicMs: () => 0 });
  expect(clock.nowMs()).toBe(startMs);
  expect(clock.check(undefined)).toEqual({ isRight: false });
  expect(clock.check(1)).toEqual({ isRight: true });
});

test("V1's clock alone makes a clock that has not jumped neither wrong nor another one", () => {
  for (const skewSeconds of [3_600, -3_600, -30 * 86_400]) {
    const { clock } = open(0);
    expect(clock.check(skewSeconds)).toEqual({ isRight: true });
    expect(clock.nowMs()).toBe(startMs);
  }
});

test("after a jump that V1's clock confirms neither way, the time is not right", () => {
  const { clock, time, savedMs } = open(0);
  time.aheadMs = 2 * dayMs;
  time.passedMs = hourMs;
  const { isRight, problem } = clock.check(3_600);
  expect(isRight).toBe(false);
  expect(problem).toContain("2 d ahead");
  expect(savedMs()).toBe(0);
  // Nor after an hour, as it would be if V1 did not answer.
  time.passedMs = 3 * hourMs;
  expect(clock.check(3_600).isRight).toBe(false);
  expect(clock.nowMs() - startMs).toBe(3 * hourMs);
});

test("a jump back is reported without V1 too, and is never believed without it", () => {
  const { clock, time } = open(0);
  time.aheadMs = -dayMs;
  const { isRight, problem } = clock.check(undefined);
  expect(isRight).toBe(true);
  expect(problem).toContain("1 d behind");
  time.passedMs = 2 * hourMs;
  clock.check(undefined);
  expect(clock.nowMs() - startMs).toBe(2 * hourMs);
});

test("the hour of a suspended machine begins with its latest jump", () => {
  const { clock, time } = open(0);
  const at = (minutes: number, aheadMs: number) => {
    time.passedMs = minutes * minuteMs;
    time.aheadMs = aheadMs;
    clock.check(undefined);
    return clock.nowMs() - startMs - time.passedMs;
  };
  expect([at(0, dayMs), at(30, 0), at(40, dayMs), at(70, dayMs), at(100, dayMs)]).toEqual([
    ...[0, 0, 0, 0, dayMs],
  ]);
});

test("a clock that is not known to be right is not stored as right", () => {
  const { clock, savedMs } = open(2 * hourMs);
  clock.check(undefined);
  expect(savedMs()).toBe(0);
  clock.check(0);
  expect(savedMs()).toBe(2 * hourMs);
});

test("a right time before the one that is stored replaces it", () => {
  const { clock, time, savedMs } = open(0);
  time.aheadMs = -dayMs;
  expect(clock.check(-86_400)).toEqual({ isRight: true });
  expect(savedMs()).toBe(-dayMs);
});

test.each([
  ["7 days ahead of V1's is not corrected", 7 * 86_400, 30 * dayMs],
  ["more than 7 days ahead of V1's is corrected", 7 * 86_400 + 1, 23 * dayMs - 1_000],
])("at a start a clock that is %s", (_, aheadSeconds, passedMs) => {
  const { clock } = open(0, 30 * dayMs);
  clock.check(-aheadSeconds);
  expect(clock.nowMs() - startMs).toBe(passedMs);
});

test("at a start V1's clock is believed from the last right time on", () => {
  const { clock } = open(0, 30 * dayMs);
  clock.check(-30 * 86_400);
  expect(clock.nowMs()).toBe(startMs);
});

test("the time is in whole milliseconds", () => {
  const { clock, time } = open(0);
  time.aheadMs = dayMs;
  time.passedMs = 1_000.4;
  expect(clock.nowMs() - startMs).toBe(1_000);
});

test("a clock that was not known to be right is, once V1's clock agrees with the time that has passed", () => {
  const { clock, time } = open(2 * hourMs);
  time.aheadMs = 2 * dayMs;
  expect(clock.check(undefined).isRight).toBe(false);
  expect(clock.check(0).isRight).toBe(true);
  expect(clock.nowMs() - startMs).toBe(2 * hourMs);
});
