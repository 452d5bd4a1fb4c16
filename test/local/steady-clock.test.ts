import { expect, test } from "vitest";
import { createSteadyClock } from "../../lib/local/steady-clock.ts";
import { hourMs, minuteMs, startMs } from "./wrong-clock.ts";

/** Two clocks of a machine and V1's, which is right. */
function prepare({ wrongByMs = 0, isV1Elsewhere = true } = {}) {
  const time = { trueMs: startMs, uptimeMs: 5_000, wrongByMs };
  const clock = createSteadyClock({
    wallMs: () => time.trueMs + time.wrongByMs,
    uptimeMs: () => time.uptimeMs,
    isV1Elsewhere,
  });
  /** Ticks a minute apart, with a response of V1 or without. */
  const run = (minutes: number, hasDate = true) => {
    let movedMs = 0;
    for (let minute = 0; minute < minutes; minute += 1) {
      time.trueMs += minuteMs;
      time.uptimeMs += minuteMs;
      const skewSeconds = (time.trueMs - clock.nowMs()) / 1_000;
      movedMs += clock.settle(hasDate ? skewSeconds : undefined);
    }
    return movedMs;
  };
  const errorMs = () => clock.nowMs() - time.trueMs;
  return { time, clock, run, errorMs };
}

test.each([-4 * hourMs, 4 * minuteMs, 20 * hourMs])(
  "A clock that is wrong by %d ms and then right is not followed, whether V1 answers or not",
  (wrongByMs) => {
    for (const hasDate of [true, false]) {
      const { time, clock, run, errorMs } = prepare();
      run(10);
      time.wrongByMs = wrongByMs;
      expect(run(60, hasDate)).toBe(0);
      expect([errorMs(), clock.aheadMs(), clock.isSure()]).toEqual([0, wrongByMs, false]);
      time.wrongByMs = 0;
      expect(run(1, hasDate)).toBe(0);
      expect([errorMs(), clock.aheadMs()]).toEqual([0, 0]);
    }
  },
);

test.each([
  { answers: true, minutes: 1 },
  { answers: false, minutes: 120 },
])(
  "A clock that was wrong from the start is followed $minutes min after it was set right, where V1 answers: $answers",
  ({ answers, minutes }) => {
    for (const wrongByMs of [-3 * hourMs, 3 * hourMs]) {
      const { time, clock, run, errorMs } = prepare({ wrongByMs });
      expect(run(5)).toBe(0);
      expect([errorMs(), clock.aheadMs(), clock.isSure()]).toEqual([wrongByMs, 0, false]);
      time.wrongByMs = 0;
      expect(errorMs()).toBe(wrongByMs);
      expect(run(minutes - 1, answers)).toBe(0);
      expect(run(1, answers)).toBe(-wrongByMs);
      expect([errorMs(), clock.aheadMs(), clock.isSure()]).toEqual([0, 0, true]);
    }
  },
);

test("A machine that slept has made no step: the time since its start counts the sleep", () => {
  const { time, clock, run, errorMs } = prepare();
  run(5);
  time.trueMs += 9 * hourMs;
  time.uptimeMs += 9 * hourMs;
  expect([errorMs(), clock.aheadMs()]).toEqual([0, 0]);
});

test("A virtual machine that was paused for hours is right as soon as V1 has answered", () => {
  const { time, run, errorMs } = prepare();
  run(5);
  time.trueMs += 9 * hourMs;
  expect(errorMs()).toBe(-9 * hourMs);
  expect(run(1)).toBe(9 * hourMs);
  expect(errorMs()).toBe(0);
});

test("A V1 on this machine is no witness: it has the same clock", () => {
  const { time, clock, run } = prepare({ isV1Elsewhere: false });
  run(5);
  time.wrongByMs = hourMs;
  time.trueMs += hourMs;
  expect(run(30)).toBe(0);
  expect(clock.isSure()).toBe(false);
});

test("A V1 whose own clock is wrong decides nothing, and a clock that a time service moves a little is followed", () => {
  const { time, clock, errorMs } = prepare();
  time.wrongByMs = hourMs;
  expect(clock.settle(3 * 86_400)).toBe(0);
  expect([errorMs(), clock.isSure()]).toEqual([0, false]);
  time.wrongByMs = 0;
  for (let minute = 0; minute < 100; minute += 1) {
    time.trueMs += minuteMs;
    time.uptimeMs += minuteMs + 2_000;
    expect(errorMs()).toBe(0);
  }
  expect(clock.aheadMs()).toBe(0);
});
