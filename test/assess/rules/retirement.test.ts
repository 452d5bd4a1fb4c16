import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formOutlook } from "../../../lib/assess/outlook/outlook.ts";
import {
  countDown,
  countdownStep,
  countdownSteps,
  findBestDate,
  type Life,
} from "../../../lib/assess/rules/retirement/countdown.ts";
import type { NoticeEvent } from "../../../lib/assess/rules/retirement/notices-history.ts";
import {
  judgeGone,
  noteRetirement,
  type RetirementState,
  readSigns,
} from "../../../lib/assess/rules/retirement/retirement.ts";
import { type Notices, type Observation, observation } from "../../../lib/records/observation.ts";
import { anyHistory, dayMs, hourMs, minuteMs, observationOf, tickOf } from "../observation-builder.ts";

const startMs = Date.UTC(2026, 10, 2);
const stepMs = 30 * minuteMs;
const iso = (ms: number) => new Date(ms).toISOString();

function fold(observations: readonly Observation[], state?: RetirementState): RetirementState {
  const folded = observations.reduce<RetirementState | undefined>(noteRetirement, state);
  if (!folded) throw new Error("there is nothing to fold");
  return folded;
}

const say = (fromMs: number, ticks: number, notices: Notices, status = 200) =>
  Array.from({ length: ticks }, (_, tick) => tickOf(fromMs + tick * stepMs, { notices, status })).flat();
const sunset = (dateMs: number): Notices => ({ sunset: iso(dateMs) });

const kinds = (events: readonly NoticeEvent[]) => events.map(({ kind, header }) => `${header} ${kind}`);

describe("notices", () => {
  const [january, december] = [Date.UTC(2027, 0, 31), Date.UTC(2026, 11, 31)];

  test("a date that appears on all endpoints is one event", () => {
    const { notices } = fold([...say(startMs, 4, {}), ...say(startMs + dayMs, 4, sunset(january))]);
    expect(notices.events).toEqual([
      expect.objectContaining({
        kind: "appeared",
        header: "Sunset",
        atMs: startMs + dayMs,
        toMs: january,
        endpoints: ["passport-list", "passport", "passport-credentials"],
      }),
    ]);
    expect(notices.current.passport?.Sunset).toMatchObject({
      dateMs: january,
      firstSeenMs: startMs + dayMs,
      lastSeenMs: startMs + dayMs + 3 * stepMs,
    });
  });

  test("a date that moves earlier or later is one event each, after it was seen twice", () => {
    const story = [...say(startMs, 3, sunset(january)), ...say(startMs + dayMs, 1, sunset(december))];
    expect(kinds(fold(story).notices.events)).toEqual(["Sunset appeared"]);
    const moved = [...story, ...say(startMs + dayMs + stepMs, 3, sunset(december))];
    expect(fold(moved).notices.events.at(-1)).toMatchObject({
      kind: "moved-earlier",
      fromMs: january,
      toMs: december,
      times: 1,
    });
    const back = [...moved, ...say(startMs + 5 * dayMs, 3, sunset(january))];
    expect(kinds(fold(back).notices.events)).toEqual([
      "Sunset appeared",
      "Sunset moved-earlier",
      "Sunset moved-later",
    ]);
  });

  test("two dates that alternate are not a move", () => {
    const turns = Array.from({ length: 40 }, (_, turn) =>
      say(startMs + turn * stepMs, 1, sunset(turn % 2 ? january : december)),
    ).flat();
    expect(kinds(fold(turns).notices.events)).toEqual(["Sunset appeared"]);
  });

  test("a date that moves with the clock is one event with a count", () => {
    const rolling = Array.from({ length: 500 }, (_, tick) =>
      say(startMs + tick * 2 * hourMs, 1, sunset(startMs + tick * 2 * hourMs + 30 * dayMs)),
    ).flat();
    const { events } = fold(rolling).notices;
    expect(kinds(events.slice(0, 2))).toEqual(["Sunset appeared", "Sunset moved-later"]);
    // One for every two days, not one for every answer.
    expect(events.length).toBeLessThan(25);
    expect(events.at(-2)?.times).toBeGreaterThan(10);
  });

  test("a date is withdrawn only after several good responses without it", () => {
    const story = say(startMs, 4, sunset(january));
    const after = startMs + dayMs;
    expect(kinds(fold([...story, ...say(after, 2, {})]).notices.events)).toEqual(["Sunset appeared"]);
    expect(kinds(fold([...story, ...say(after, 9, {}, 503)]).notices.events)).toEqual(["Sunset appeared"]);
    const state = fold([...story, ...say(after, 6, {})]);
    expect(state.notices.events.at(-1)).toMatchObject({ kind: "vanished", fromMs: january });
    expect(findBestDate(state.notices, undefined, 0)).toBeUndefined();
  });

  test("Sunset before Deprecation is contradictory, once", () => {
    const wrong: Notices = {
      ...sunset(december),
      deprecation: { form: "rfc9745", at: iso(january) },
      contradictory: true,
    };
    expect(kinds(fold(say(startMs, 5, wrong)).notices.events).sort()).toEqual([
      "Deprecation appeared",
      "Sunset appeared",
      "Sunset contradictory",
    ]);
  });

  test("rare variants do not count as primary responses", () => {
    const rare = observationOf({ variant: "unknown-id", at: startMs + 5, notices: sunset(december) });
    expect(fold([...say(startMs, 2, {}), rare]).notices.events).toEqual([]);
  });
});

describe("the best date", () => {
  const [early, late] = [Date.UTC(2026, 11, 31), Date.UTC(2027, 0, 31)];

  test("is the configured one, else Sunset of all endpoints, else of some, the earliest", () => {
    const all = fold(say(startMs, 2, sunset(late))).notices;
    expect(findBestDate(all, "2026-12-01", 0)).toMatchObject({ source: "configured", othersMs: [late] });
    expect(findBestDate(all, undefined, 0)).toMatchObject({ source: "sunset-all", dateMs: late });
    const some = fold([
      ...say(startMs, 2, {}),
      observationOf({ at: startMs + hourMs, endpoint: "passport", notices: sunset(late) }),
      observationOf({ at: startMs + hourMs, endpoint: "passport-list", notices: sunset(early) }),
    ]).notices;
    expect(findBestDate(some, undefined, 0)).toMatchObject({
      source: "sunset-some",
      dateMs: early,
      endpoints: ["passport-list"],
      othersMs: [late],
    });
  });

  test("reaches each step of the countdown on its day, and none before the 90th", () => {
    const dateMs = Date.UTC(2026, 11, 31, 12);
    expect(countdownStep(dateMs, dateMs - 91 * dayMs)).toBeUndefined();
    for (const step of countdownSteps) {
      expect(countdownStep(dateMs, dateMs - step * dayMs)).toBe(step);
      if (step > 0) expect(countdownStep(dateMs, dateMs - (step + 1) * dayMs)).not.toBe(step);
    }
    expect(countdownStep(dateMs, Date.UTC(2026, 10, 14))).toBe(60);
    expect(countdownStep(dateMs, dateMs + 9 * dayMs)).toBe(0);
  });

  test("has passed when the configured day is over", () => {
    const best = findBestDate({ current: {}, events: [] }, "2026-12-31", 0);
    const at = (text: string, life: Life) => best && countDown(best, Date.parse(text), life);
    const servesMs = Date.parse("2027-01-01T00:00:00Z");
    const lives = { hasEnded: false, servesMs };
    expect(at("2026-12-31T23:00:00Z", lives)).toMatchObject({ state: "ahead", daysLeft: 0, step: 0 });
    expect(at("2027-01-01T00:00:00Z", lives)).toMatchObject({ state: "passed-alive", daysLeft: -1 });
    expect(at("2027-01-02", { hasEnded: true, servesMs })?.state).toBe("passed-gone");
    expect(at("2027-01-02", { hasEnded: false })?.state).toBe("passed-silent");
    expect(at("2027-01-02", { hasEnded: false, servesMs: servesMs - dayMs })?.state).toBe("passed-silent");
  });
});

describe("gone", () => {
  const calm = say(startMs, 10, {});
  const answers = (status: number, ticks: number) =>
    Array.from({ length: ticks }, (_, tick) => tickOf(startMs + dayMs + tick * minuteMs, { status })).flat();

  test.each([404, 410, 302])("%i on all endpoints, twice, is gone", (status) => {
    expect(judgeGone(fold([...calm, ...answers(status, 1)]))).toBeUndefined();
    expect(judgeGone(fold([...calm, ...answers(status, 2)]))).toMatchObject({
      class: String(status),
      sinceMs: startMs + dayMs,
      responses: 6,
    });
  });

  test("a change from 410 to 404 keeps its start and changes its class", () => {
    const later = tickOf(startMs + dayMs + hourMs, { status: 404 });
    expect(judgeGone(fold([...calm, ...answers(410, 3), ...later]))).toMatchObject({
      class: "404",
      sinceMs: startMs + dayMs,
    });
  });

  test("one served endpoint, a 503, or a 404 of unknown samples only is not gone", () => {
    expect(judgeGone(fold([...calm, ...answers(503, 5)]))).toBeUndefined();
    const two = answers(410, 5).filter(({ endpoint }) => endpoint !== "passport");
    expect(judgeGone(fold([...calm, ...two]))).toBeUndefined();
    const unknown = answers(404, 5).map((one) => ({ ...one, notices: {} }));
    expect(judgeGone(fold([...calm, ...unknown]))).toBeUndefined();
    // Without a list there is no sample to ask for, and the other 404s agree at least.
    const list = unknown.map((one) =>
      one.endpoint === "passport-list" ? { ...one, notices: { withdrawn: true as const } } : one,
    );
    expect(judgeGone(fold([...calm, ...list]))?.class).toBe("404");
  });

  test("without a key, anonymous responses are the primary ones", () => {
    const anonymous = [...calm, ...answers(410, 3)].map((one) => ({ ...one, variant: "anonymous" as const }));
    expect(judgeGone(fold(anonymous))?.class).toBe("410");
  });
});

test("the histories of these tests are valid observations", () => {
  fc.assert(
    fc.property(anyHistory(10), (history) => {
      for (const one of history) expect(observation.safeParse(one).error).toBeUndefined();
    }),
  );
  expect(observation.safeParse(observationOf()).error).toBeUndefined();
});

test("any history: no exception in any rule, and a JSON round trip changes nothing", () => {
  fc.assert(
    fc.property(anyHistory(80), fc.constantFrom(undefined, "2026-11-20", "not a date"), (history, date) => {
      if (history.length < 2) return;
      const whole = fold(history);
      const half = Math.floor(history.length / 2);
      const first: RetirementState = JSON.parse(JSON.stringify(fold(history.slice(0, half))));
      expect(fold(history.slice(half), first)).toEqual(whole);
      for (const nowMs of [Date.parse(history.at(-1)?.at ?? ""), 0, Date.UTC(2040, 0)]) {
        const { confidence, reasons, headline } = formOutlook(
          readSigns(whole, { data: [], access: [] }, nowMs, { date }),
        );
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThan(1);
        expect(reasons.length).toBeGreaterThan(0);
        for (const text of [...reasons, headline]) expect(text.length).toBeLessThanOrEqual(200);
      }
    }),
    { numRuns: 300 },
  );
});

test("20,000 observations with many faults leave a small state", () => {
  const statuses = [200, 200, 200, 503, 503, 404, 200, 302, 200];
  let state: RetirementState | undefined;
  for (let tick = 0; tick < 6_700; tick++) {
    const atMs = startMs + tick * stepMs;
    const notices = tick % 7 < 4 ? sunset(startMs + ((tick * 7919) % 400) * dayMs) : {};
    const status = statuses[Math.floor(tick / 5) % statuses.length] ?? 200;
    for (const one of tickOf(atMs, { status, notices })) state = noteRetirement(state, one);
  }
  expect(JSON.stringify(state).length).toBeLessThan(20_000);
});
