import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DataHealthState,
  dataThresholds,
  judgeDataHealth,
  noteDataHealth,
} from "../../../lib/assess/rules/data-health.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { anyHistory, dayMs, hourMs, minuteMs, observationOf, tickOf } from "../observation-builder.ts";

const startMs = Date.UTC(2026, 10, 1);
const stepMs = 30 * minuteMs;

const fold = (observations: readonly Observation[], state?: DataHealthState) =>
  observations.reduce<DataHealthState | undefined>((sofar, one) => noteDataHealth(sofar, one), state);

function judge(observations: readonly Observation[]) {
  const state = fold(observations);
  return state ? judgeDataHealth(state, Date.parse(observations.at(-1)?.at ?? "")) : [];
}

const times = <T>(fromMs: number, untilMs: number, make: (atMs: number) => T): T[] =>
  Array.from({ length: Math.floor((untilMs - fromMs) / stepMs) }, (_, step) => make(fromMs + step * stepMs));

/** A list whose newest record moves every `everyMs` until `frozenMs`. */
const list = (atMs: number, everyMs: number, frozenMs = Number.POSITIVE_INFINITY, more = {}) => {
  const newestMs = Math.floor(Math.min(atMs, frozenMs) / everyMs) * everyMs;
  const newest = (atMs - newestMs) / 1000;
  const ages = { newest, p50: newest + 10, p95: newest + 20, oldest: newest + 30 };
  return observationOf({ at: atMs, staleness: { total: 900, ages, ...more } });
};

const calm = times(startMs, startMs + 2 * dayMs, (atMs) => tickOf(atMs)).flat();
const afterMs = startMs + 2 * dayMs;
const marked = (body: "v2-shaped" | "stub-data" | "empty", ticks: number) =>
  Array.from({ length: ticks }, (_, tick) =>
    tickOf(afterMs + tick * stepMs, { notices: { body }, staleness: { total: 900 } }),
  ).flat();

describe("frozen", () => {
  const day = (days: number) => startMs + days * dayMs;

  test("data that changes is never frozen, however rarely", () => {
    for (const everyMs of [2 * hourMs, 9 * hourMs, 30 * hourMs]) {
      const history = times(day(0), day(30), (atMs) => list(atMs, everyMs));
      for (let end = 96; end < history.length; end += 37) expect(judge(history.slice(0, end))).toEqual([]);
    }
  });

  test("data that changed every few hours and stops for a day and a half is frozen, certainty sure", () => {
    const before = times(day(0), day(4), (atMs) => list(atMs, 5 * hourMs));
    const still = times(day(4), day(7), (atMs) => list(atMs, 5 * hourMs, day(4)));
    expect(judge([...before, ...still.slice(0, 60)])).toEqual([]);
    const [verdict] = judge([...before, ...still]);
    expect(verdict).toMatchObject({ cause: "data/frozen", certainty: "sure", endpoints: ["passport-list"] });
    expect(verdict?.sinceMs).toBeGreaterThan(day(4) - 5 * hourMs);
    expect(verdict?.sinceMs).toBeLessThanOrEqual(day(4));
    expect(verdict?.evidence[0]).toMatch(/^newest record has not moved for 3 d/);
  });

  test("data that changes once a day is frozen after six days", () => {
    const before = times(day(0), day(10), (atMs) => list(atMs, dayMs));
    const still = (days: number) => times(day(10), day(10 + days), (atMs) => list(atMs, dayMs, day(9)));
    expect(judge([...before, ...still(4)])).toEqual([]);
    expect(judge([...before, ...still(6)])).toHaveLength(1);
  });

  test("a freeze that ended is not learned as an interval", () => {
    const history = [
      ...times(day(0), day(4), (atMs) => list(atMs, 5 * hourMs)),
      ...times(day(4), day(8), (atMs) => list(atMs, 5 * hourMs, day(4))),
      ...times(day(8), day(10), (atMs) => list(atMs, 5 * hourMs)),
    ];
    expect(judge(history)).toEqual([]);
    const again = times(day(10), day(12), (atMs) => list(atMs, 5 * hourMs, day(10)));
    expect(judge([...history, ...again])).toHaveLength(1);
  });

  test("an outage counts neither as unchanged data nor as an interval", () => {
    const history = [
      ...times(day(0), day(4), (atMs) => list(atMs, 5 * hourMs)),
      ...times(day(4), day(9), (atMs) => observationOf({ at: atMs, status: 503 })),
    ];
    expect(judge(history)).toEqual([]);
    const resumed = [...history, ...times(day(9), day(10), (atMs) => list(atMs, 5 * hourMs))];
    const frozen = times(day(10), day(12), (atMs) => list(atMs, 5 * hourMs, day(10)));
    expect(judge([...resumed, ...frozen])).toHaveLength(1);
  });

  test("a pause of the watch is not learned as an interval", () => {
    const history = [
      ...times(day(0), day(4), (atMs) => list(atMs, 5 * hourMs)),
      ...times(day(5), day(6), (atMs) => list(atMs, 5 * hourMs)),
      ...times(day(6), day(8), (atMs) => list(atMs, 5 * hourMs, day(6))),
    ];
    expect(judge(history)).toHaveLength(1);
  });

  test("a long interval is learned after two false freezes", () => {
    let state: DataHealthState | undefined;
    let lastFrozenMs = 0;
    for (const one of times(day(0), day(40), (atMs) => list(atMs, 50 * hourMs))) {
      state = noteDataHealth(state, one);
      const atMs = Date.parse(one.at);
      if (judgeDataHealth(state, atMs).length > 0) lastFrozenMs = atMs;
    }
    expect(lastFrozenMs).toBeGreaterThan(day(3));
    expect(lastFrozenMs).toBeLessThan(day(9));
  });

  test("is never decided from muted ages, nor from one passport", () => {
    const muted = times(day(0), day(9), (atMs) => list(atMs, hourMs, day(2), { muted: true }));
    expect(judge(muted)).toEqual([]);
    const single = times(day(0), day(9), (atMs) => ({
      ...list(atMs, hourMs, day(2)),
      endpoint: "passport" as const,
    }));
    expect(judge(single)).toEqual([]);
  });

  test("data that was never observed to change is frozen with certainty guess", () => {
    expect(judge(times(day(0), day(3), (atMs) => list(atMs, hourMs, day(-5))))).toEqual([
      expect.objectContaining({ cause: "data/frozen", certainty: "guess" }),
    ]);
  });
});

describe("a fake-OK response", () => {
  test.each([
    ["v2-shaped", "data/serves-v2"],
    ["stub-data", "data/stub-data"],
  ] as const)("%s on every endpoint, twice, is %s", (body, cause) => {
    expect(judge([...calm, ...marked(body, 1)])).toEqual([]);
    const [verdict, ...others] = judge([...calm, ...marked(body, 2)]);
    expect(others).toEqual([]);
    expect(verdict).toMatchObject({ cause, certainty: "sure", sinceMs: afterMs });
    expect(verdict?.endpoints).toHaveLength(3);
  });

  test("an empty list that had records is stub data", () => {
    const [verdict] = judge([...calm, ...marked("empty", 2)]);
    expect(verdict).toMatchObject({
      cause: "data/stub-data",
      class: "no record",
      endpoints: ["passport-list"],
    });
    expect(verdict?.evidence[0]).toBe("a 200 without any record: the last 2 answers, passport-list");
  });

  test("credentials that are empty for some samples are not stub data", () => {
    const now = (atMs: number, step: number) =>
      observationOf({
        at: atMs,
        endpoint: "passport-credentials",
        notices: step % 8 < 4 ? { body: "empty" } : {},
      });
    const turns = times(startMs, afterMs, (atMs) => now(atMs, (atMs - startMs + 4 * stepMs) / stepMs));
    for (let end = 12; end <= turns.length; end++) expect(judge(turns.slice(0, end))).toEqual([]);
    const zeros = times(startMs, afterMs, (atMs) =>
      observationOf({ at: atMs, endpoint: "passport", notices: { body: "stub-data" } }),
    );
    expect(judge(zeros)).toEqual([]);
  });

  test("a good response ends it", () => {
    expect(judge([...calm, ...marked("stub-data", 5), ...tickOf(afterMs + dayMs)])).toEqual([]);
  });
});

describe("data-shrinking", () => {
  const totals = (fromMs: number, untilMs: number, total: number) =>
    times(fromMs, untilMs, (atMs) => list(atMs, hourMs, undefined, { total }));

  test("a total of 3 where there were 900 is reported after the second response", () => {
    const before = totals(startMs, afterMs, 900);
    expect(judge([...before, ...totals(afterMs, afterMs + stepMs, 3)])).toEqual([]);
    const [verdict] = judge([...before, ...totals(afterMs, afterMs + 2 * stepMs, 3)]);
    expect(verdict).toMatchObject({ cause: "data/data-shrinking", sinceMs: afterMs, certainty: "sure" });
    expect(verdict?.evidence).toEqual(["the list says 3 records in total; it used to say 900"]);
    expect(judge([...before, ...totals(afterMs, afterMs + 60 * dayMs, 3)])).toHaveLength(1);
  });

  test("a total that falls slowly by a third is not reported", () => {
    expect(judge([...totals(startMs, afterMs, 900), ...totals(afterMs, afterMs + dayMs, 600)])).toEqual([]);
  });
});

test("any history: no exception, bounded state, and a JSON round trip changes nothing", () => {
  fc.assert(
    fc.property(anyHistory(60), (history) => {
      const state = fold(history);
      if (!state) return;
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      const half = Math.floor(history.length / 2);
      const first = fold(history.slice(0, half));
      expect(fold(history.slice(half), first && JSON.parse(JSON.stringify(first)))).toEqual(state);
      for (const { evidence } of judgeDataHealth(
        state,
        Date.parse(history.at(-1)?.at ?? ""),
        dataThresholds,
      )) {
        for (const line of evidence) expect(line.length).toBeLessThanOrEqual(200);
      }
    }),
    { numRuns: 200 },
  );
});

test("20,000 observations leave a small state", () => {
  const history = Array.from({ length: 20_000 }, (_, step) => list(startMs + step * stepMs, 3 * hourMs));
  expect(JSON.stringify(fold(history)).length).toBeLessThan(4_000);
});
