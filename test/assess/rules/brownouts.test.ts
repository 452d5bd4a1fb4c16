import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeBrownouts } from "../../../lib/assess/rules/retirement/brownouts.ts";
import {
  freshOutages,
  noteOutage,
  type OutageState,
} from "../../../lib/assess/rules/retirement/outage-windows.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { anyHistory, dayMs, hourMs, minuteMs, observationOf, tickOf } from "../observation-builder.ts";
import { type Fault, watch } from "../timeline.ts";

const midnightMs = Date.UTC(2026, 10, 2);

function fold(observations: readonly Observation[], state: OutageState = freshOutages()): OutageState {
  for (const observation of observations) noteOutage(state, observation);
  return state;
}

const window = (day: number, hour: number, hours: number, status = 503): Fault => {
  const fromMs = midnightMs + day * dayMs + hour * hourMs;
  return { fromMs, untilMs: fromMs + hours * hourMs, status };
};

/** The judgement some hours after the last window. */
function judge(faults: readonly Fault[], options: Parameters<typeof watch>[3] = {}, afterMs = 2 * hourMs) {
  const endMs = Math.max(...faults.map(({ untilMs }) => untilMs)) + afterMs;
  return judgeBrownouts(fold(watch(midnightMs - dayMs, endMs, faults, options)), endMs);
}

const phases = [
  { phaseMs: 0 },
  { phaseMs: 2_000 },
  { phaseMs: 7 * minuteMs },
  { phaseMs: 29 * minuteMs },
  { phaseMs: 5 * minuteMs, staggerMs: 20_000 },
];

describe("one outage", () => {
  test.each(phases)("of odd length is an accident, at phase %o", (phase) => {
    const { confidence, reasons, next } = judge([window(1, 3.37, 2.71)], phase);
    expect(confidence).toBeLessThan(0.4);
    expect(reasons).toEqual(["one 503 window of all endpoints: an accident, as far as one can tell"]);
    expect(next).toBeUndefined();
  });

  test("with checks every five minutes and round start and end has a slightly higher confidence", () => {
    const often = { cadenceMs: 5 * minuteMs, phaseMs: 60_000 };
    const round = judge([window(1, 7, 3)], often).confidence;
    expect(round).toBeGreaterThan(judge([window(1, 7.37, 2.71)], often).confidence + 0.1);
    expect(round).toBeLessThan(0.4);
  });
});

describe("the timetables of real brownouts", () => {
  const github = [2, 30].flatMap((day) => [window(day, 7, 3), window(day, 16, 3)]);

  test.each(phases)("two windows of three hours on one day, at phase %o", (phase) => {
    const { confidence, reasons, windows } = judge(github.slice(0, 2), phase);
    expect(confidence).toBeGreaterThanOrEqual(0.5);
    expect(reasons[0]).toBe("two 503 windows of 3 h on 2026-11-04, 07:00–10:00 and 16:00–19:00 UTC");
    expect(windows.map(({ fromMs, untilMs }) => [fromMs, untilMs])).toEqual(
      github.slice(0, 2).map(({ fromMs, untilMs }) => [fromMs, untilMs]),
    );
  });

  test.each(phases)("the same four weeks later, with the next window predicted, at phase %o", (phase) => {
    const { confidence, reasons, next } = judge(github, phase);
    expect(confidence).toBeGreaterThanOrEqual(0.8);
    expect(reasons).toContain("two 503 windows of 3 h, 07:00–10:00 UTC, 28 days apart");
    expect(next).toEqual({
      fromMs: midnightMs + 58 * dayMs + 7 * hourMs,
      untilMs: midnightMs + 58 * dayMs + 10 * hourMs,
    });
  });

  test.each([...phases, { retryAfterMs: hourMs }])(
    "weekly windows that grow, by the third, at phase %o",
    (phase) => {
      const hours = [1, 1, 4, 4, 8, 8, 24, 24];
      const weekly = hours.map((length, week) => window(2 + 7 * week, 12, length));
      for (let seen = 3; seen <= 8; seen++) {
        const { confidence, reasons, next } = judge(weekly.slice(0, seen), phase);
        expect(confidence, `${seen} windows`).toBeGreaterThanOrEqual(0.8);
        expect(reasons.some((reason) => reason.startsWith("the windows grow: 1 h, 1 h, 4 h"))).toBe(true);
        expect(next?.fromMs).toBe(midnightMs + (2 + 7 * seen) * dayMs + 12 * hourMs);
      }
    },
  );

  test.each(phases)("the odd hours of a day, by the third, at phase %o", (phase) => {
    const odd = [1, 3, 5, 7, 9].map((hour) => window(2, hour, 1));
    const { confidence, next } = judge(odd.slice(0, 3), phase, 40 * minuteMs);
    expect(confidence).toBeGreaterThanOrEqual(0.7);
    expect(next?.fromMs).toBe(midnightMs + 2 * dayMs + 7 * hourMs);
    expect(judge(odd, phase, 40 * minuteMs).confidence).toBeGreaterThanOrEqual(0.8);
  });

  test("brownouts may answer 410, 404, 401 or 429", () => {
    for (const status of [410, 404, 401, 429]) {
      const faults = github.map((fault) => ({ ...fault, status }));
      expect(judge(faults).confidence, String(status)).toBeGreaterThanOrEqual(0.8);
    }
  });

  test("an accident or two between them lowers the confidence and does not hide them", () => {
    const { confidence, reasons } = judge([...github, window(12, 3.2, 5.3), window(20, 14.1, 1.9)]);
    expect(confidence).toBeGreaterThan(0.6);
    expect(confidence).toBeLessThan(judge(github).confidence);
    expect(reasons.at(-1)).toBe("2 of 6 windows fit no pattern");
  });

  test("a window that opens when it was predicted is recognised while it lasts", () => {
    const [first, second, third] = [0, 7, 14].map((day) => window(2 + day, 12, 4));
    const nowMs = third!.fromMs + hourMs;
    const state = fold(watch(midnightMs, nowMs, [first!, second!, third!]));
    expect(judgeBrownouts(state, nowMs).open).toMatchObject({ answer: "503", expected: true });
  });
});

describe("what is not a brownout", () => {
  const story = (make: (atMs: number, bad: boolean) => Observation[]) => {
    const [one, other] = [window(2, 7, 3), window(2, 16, 3)];
    const isBad = (atMs: number) =>
      [one, other].some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
    const state = freshOutages();
    for (let atMs = midnightMs; atMs < midnightMs + 4 * dayMs; atMs += 30 * minuteMs)
      fold(make(atMs, isBad(atMs)), state);
    return judgeBrownouts(state, midnightMs + 4 * dayMs).windows.length;
  };

  test("a window in which one endpoint is served", () => {
    const make = (atMs: number, bad: boolean) =>
      tickOf(atMs).map((one) =>
        bad && one.endpoint !== "passport"
          ? observationOf({ ...one, status: 503, outcome: { kind: "status", status: 503 } })
          : one,
      );
    expect(story(make)).toBe(0);
    expect(story((atMs, bad) => tickOf(atMs, { status: bad ? 503 : 200 }))).toBe(2);
  });

  test("a breakdown: 502, resets, timeouts, or a mix of them", () => {
    expect(story((atMs, bad) => tickOf(atMs, { status: bad ? 502 : 200 }))).toBe(0);
    expect(
      story((atMs, bad) => tickOf(atMs, bad ? { outcome: { kind: "network", detail: "reset" } } : {})),
    ).toBe(0);
    const mixed = [503, 500, 502];
    expect(
      story((atMs, bad) => tickOf(atMs, { status: bad ? mixed[(atMs / (30 * minuteMs)) % 3]! : 200 })),
    ).toBe(0);
  });

  test("endpoints that fail one after the other", () => {
    const make = (atMs: number, bad: boolean) =>
      tickOf(atMs).map((one) => {
        const isLate = one.endpoint === "passport" && new Date(atMs).getUTCHours() % 9 === 7;
        return bad && !isLate ? observationOf({ at: atMs, endpoint: one.endpoint, status: 503 }) : one;
      });
    expect(story(make)).toBe(0);
  });

  test("two windows of unlike length on one day", () => {
    expect(judge([window(2, 4, 2), window(2, 14, 7)]).confidence).toBeLessThan(0.4);
  });

  test("our own exhausted quota", () => {
    const notices = { usage: { exhausted: true } };
    expect(story((atMs, bad) => tickOf(atMs, bad ? { status: 401, notices } : {}))).toBe(0);
  });

  test("restarts of a minute, however regular", () => {
    const faults = [0, 7, 14, 21].map((day) => window(2 + day, 10, 1 / 60));
    expect(judge(faults).windows).toEqual([]);
  });
});

test("random outages over three months are taken for brownouts in at most 2 of 100 histories", () => {
  const outage = fc.record({
    fromMs: fc.integer({ min: 0, max: 90 * 24 * 60 }).map((minutes) => midnightMs + minutes * minuteMs),
    minutes: fc.integer({ min: 10, max: 12 * 60 }),
  });
  const histories = fc.sample(fc.array(outage, { minLength: 2, maxLength: 12 }), {
    numRuns: 400,
    seed: 20261115,
  });
  let mistaken = 0;
  for (const outages of histories) {
    // Only the checks near an outage matter; the time between outages is one good check at each end.
    const state = freshOutages();
    const faults: Fault[] = [];
    for (const { fromMs, minutes } of outages.sort((a, b) => a.fromMs - b.fromMs)) {
      if (fromMs < (faults.at(-1)?.untilMs ?? 0) + 2 * hourMs) continue;
      faults.push({ fromMs, untilMs: fromMs + minutes * minuteMs });
    }
    // Mistaken at any time is mistaken.
    const confidences = faults.map((fault) => {
      const startMs = Math.floor(fault.fromMs / hourMs) * hourMs - hourMs;
      fold(watch(startMs, fault.untilMs + hourMs, [fault]), state);
      return judgeBrownouts(state, fault.untilMs + hourMs).confidence;
    });
    if (confidences.some((confidence) => confidence >= 0.5)) mistaken++;
  }
  expect(histories).toHaveLength(400);
  expect(mistaken / histories.length).toBeLessThanOrEqual(0.02);
});

test("any history: no exception, a confidence from 0 to 1, and a JSON round trip changes nothing", () => {
  fc.assert(
    fc.property(anyHistory(80), (history) => {
      const whole = fold(history);
      const half = Math.floor(history.length / 2);
      const first = JSON.parse(JSON.stringify(fold(history.slice(0, half))));
      expect(fold(history.slice(half), first)).toEqual(whole);
      const { confidence, reasons } = judgeBrownouts(whole, Date.parse(history.at(-1)?.at ?? "2026-11-01"));
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      for (const reason of reasons) expect(reason.length).toBeLessThanOrEqual(200);
    }),
    { numRuns: 200 },
  );
});

test("years of outages leave a bounded state", () => {
  const state = freshOutages();
  for (let tick = 0; tick < 7_000; tick++)
    fold(tickOf(midnightMs + tick * 30 * minuteMs, { status: tick % 12 < 5 ? 503 : 200 }), state);
  expect(JSON.stringify(state).length).toBeLessThan(12_000);
});
