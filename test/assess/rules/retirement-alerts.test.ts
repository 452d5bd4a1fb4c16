import { describe, expect, test } from "vitest";
import { countdownAlerts } from "../../../lib/assess/alerts/scheduled-alerts.ts";
import { readSignals } from "../../../lib/assess/evaluate-rules.ts";
import { foldTick, groupTicks } from "../../../lib/assess/fold.ts";
import { type AssessState, freshState } from "../../../lib/assess/state.ts";
import type { Notices, Observation } from "../../../lib/records/observation.ts";
import { dayMs, hourMs, minuteMs, observationOf, tickOf } from "../observation-builder.ts";
import { replaySettings } from "../replay.ts";

const at = (instant: string) => Date.parse(instant);
const endMs = at("2026-12-31T00:00:00Z");
const startMs = endMs - 11 * dayMs;
const sunset = (dateMs = endMs): Notices => ({ sunset: new Date(dateMs).toISOString() });

/** Every half hour; the list is fresh each time. */
function stretch(fromMs: number, untilMs: number, overrides: Parameters<typeof tickOf>[1] = {}) {
  const ticks = Array.from({ length: (untilMs - fromMs) / (30 * minuteMs) }, (_, tick) => tick);
  return ticks.flatMap((tick) =>
    tickOf(fromMs + tick * 30 * minuteMs, { staleness: { ages: fresh }, ...overrides }),
  );
}
const fresh = { newest: 60, p50: 9e4, p95: 9e5, oldest: 9e6 };
const both = (fromMs: number, untilMs: number, overrides: Parameters<typeof tickOf>[1]) => [
  ...stretch(fromMs, untilMs, overrides),
  ...stretch(fromMs, untilMs, { ...overrides, variant: "anonymous" }),
];

const dns = { outcome: { kind: "network" as const, detail: "dns" } };
const timeout = { outcome: { kind: "timeout" as const } };

type Settings = { retirementDate?: string };

function live(observations: readonly Observation[], settings: Settings = {}, state = freshState()) {
  const told = groupTicks(observations)
    .flatMap((tick) => foldTick(state, tick, { ...replaySettings, ...settings }))
    .map(({ event, incident }) => `${event} ${incident.cause}`);
  return { state, told };
}
const lookOut = (state: AssessState, nowMs: number, settings: Settings = {}) =>
  readSignals(state, { ...replaySettings, ...settings }, nowMs).outlook!;
const resolved = (told: readonly string[]) => told.filter((one) => one.startsWith("resolved"));

describe("a date that passes while V1 is down", () => {
  test.each([
    ["a failing name", dns],
    ["503", { status: 503 }],
  ])("by %s is not reported as V1 serving after its date", (_, dead) => {
    const { told, state } = live([
      ...stretch(startMs, endMs - hourMs, { notices: sunset() }),
      ...stretch(endMs - hourMs, endMs + 5 * dayMs, dead),
    ]);
    expect(told).toEqual(["opened retirement/announced", "opened down"]);
    expect(lookOut(state, endMs + 5 * dayMs)).toMatchObject({
      level: "imminent",
      dateState: "passed-silent",
      headline:
        "V1's announced end, 2026-12-31, has passed, and it has given no usable answer since 2026-12-30.",
      reasons: ["its date 2026-12-31 passed 5 days ago, and it has given no usable answer since 2026-12-30"],
    });
  });

  test("by 401 to everybody is a closing, and no answer beyond its end", () => {
    const { told, state } = live([
      ...both(startMs, endMs - hourMs, { notices: sunset() }),
      ...both(endMs - hourMs, endMs + 3 * dayMs, { status: 401 }),
    ]);
    expect(told).toEqual(["opened retirement/announced", "opened access/retired-by-401"]);
    expect(lookOut(state, endMs + 3 * dayMs)).toMatchObject({ level: "retired", dateState: "passed-gone" });
  });

  test("by 410 from that moment on is reported once as gone", () => {
    const { told } = live([
      ...stretch(startMs, endMs, { notices: sunset() }),
      ...stretch(endMs, endMs + dayMs, { status: 410 }),
    ]);
    expect(told).toEqual(["opened retirement/announced", "changed retirement/gone"]);
  });

  test("has no usable response where no request was made since", () => {
    const { state } = live(stretch(startMs, endMs - dayMs, { notices: sunset() }));
    expect(lookOut(state, endMs + dayMs)).toMatchObject({
      dateState: "passed-silent",
      headline: "V1's announced end, 2026-12-31, has passed, and no usable answer has been seen since.",
    });
    const configured = live(stretch(startMs, endMs - dayMs)).state;
    expect(lookOut(configured, endMs + dayMs, { retirementDate: "2026-12-30" }).headline).toBe(
      "V1's configured end, 2026-12-30, has passed, and no usable answer has been seen since.",
    );
  });

  test("neither resolves nor counts as serving in an outage days after the date", () => {
    const { told, state } = live([
      ...stretch(startMs, endMs + 2 * dayMs, { notices: sunset() }),
      ...stretch(endMs + 2 * dayMs, endMs + 3 * dayMs, dns),
    ]);
    expect(told).toEqual(["opened retirement/announced", "changed retirement/date-passed", "opened down"]);
    expect(lookOut(state, endMs + 3 * dayMs).dateState).toBe("passed-silent");
    expect(state.incidents["retirement/date-passed"]?.incident.inhibitedBy).toBe("down");
    const list = observationOf({ at: endMs + 3 * dayMs, ...dns });
    const rest = tickOf(endMs + 3 * dayMs, { notices: sunset() }).slice(1);
    expect(lookOut(live([list, ...rest], {}, state).state, endMs + 3 * dayMs).dateState).toBe("passed-alive");
  });
});

describe("retirement and access incidents end only when V1 serves again", () => {
  const goneMs = startMs + dayMs;
  const gone = [...stretch(startMs, goneMs), ...stretch(goneMs, goneMs + 10 * dayMs, { status: 410 })];
  const laterMs = goneMs + 10 * dayMs;

  test("one timeout among ten days of 410 resolves nothing", () => {
    const hiccup = tickOf(laterMs, { status: 410 }).map((one) =>
      one.endpoint === "passport" ? observationOf({ at: laterMs, endpoint: "passport", ...timeout }) : one,
    );
    const rest = stretch(laterMs + 30 * minuteMs, laterMs + dayMs, { status: 410 });
    const { told, state } = live([...gone, ...hiccup]);
    expect(lookOut(state, laterMs).headline).toBe("V1 is gone: 410 on all three endpoints since 2026-12-21.");
    expect([...told, ...live(rest, {}, state).told]).toEqual(["opened retirement/gone"]);
  });

  test("410, then 503: reported as down, and gone is not resolved", () => {
    const { told, state } = live([...gone, ...stretch(laterMs, laterMs + dayMs, { status: 503 })]);
    expect(told).toEqual(["opened retirement/gone", "opened down"]);
    expect(lookOut(state, laterMs + dayMs).level).toBe("retired");
    expect(live(stretch(laterMs + dayMs, laterMs + 2 * dayMs), {}, state).told.sort()).toEqual([
      "resolved down",
      "resolved retirement/gone",
    ]);
  });

  test("401 to everybody, then 503: likewise", () => {
    const closed = [
      ...both(startMs, goneMs, {}),
      ...both(goneMs, laterMs, { status: 401 }),
      ...both(laterMs, laterMs + 3 * dayMs, { status: 503 }),
    ];
    const { told, state } = live(closed);
    expect(told).toEqual(["opened access/retired-by-401", "opened down"]);
    expect(lookOut(state, laterMs + 3 * dayMs).level).toBe("retired");
    const back = live(both(laterMs + 3 * dayMs, laterMs + 4 * dayMs, {}), {}, state);
    expect(back.told.sort()).toEqual(["resolved access/retired-by-401", "resolved down"]);
    expect(lookOut(back.state, laterMs + 4 * dayMs).level).toBe("calm");
  });

  test("a refused key, a withdrawn endpoint and a mandatory key need a served response too", () => {
    const outage = both(goneMs + dayMs, goneMs + 2 * dayMs, { status: 503 });
    const good = both(startMs, goneMs, {});
    const refused = [
      ...stretch(goneMs, goneMs + dayMs, { status: 401 }),
      ...stretch(goneMs, goneMs + dayMs, { variant: "anonymous" }),
    ];
    expect(resolved(live([...good, ...refused, ...outage]).told)).toEqual([]);
    const one = stretch(goneMs, goneMs + dayMs).map((each) =>
      each.endpoint === "passport" ? observationOf({ at: each.at, endpoint: "passport", status: 410 }) : each,
    );
    expect(resolved(live([...good, ...one, ...outage]).told)).toEqual([]);
    const mandatory = [
      ...stretch(goneMs, goneMs + dayMs),
      ...stretch(goneMs, goneMs + dayMs, { variant: "anonymous", status: 401 }),
    ];
    expect(resolved(live([...good, ...mandatory, ...outage]).told)).toEqual([]);
    const back = both(goneMs + 2 * dayMs, goneMs + 3 * dayMs, {});
    for (const story of [refused, one, mandatory])
      expect(resolved(live([...good, ...story, ...outage, ...back]).told)).toHaveLength(2);
  });
});

describe("an outage", () => {
  const [downMs, nextMs] = [startMs + dayMs, startMs + 2 * dayMs];
  const outage = [...both(startMs, downMs, {}), ...both(downMs, nextMs, { status: 503 })];
  const told = (next: readonly Observation[]) => live([...outage, ...next]).told;

  test("changes its cause and is not resolved when it turns into a refused key", () => {
    const refused = stretch(nextMs, nextMs + dayMs, { status: 401 });
    expect(told([...refused, ...stretch(nextMs, nextMs + dayMs, { variant: "anonymous" })])).toEqual([
      "opened down",
      "changed access/key-revoked",
    ]);
  });

  test("becomes a withdrawal where V1 serves again except for one endpoint", () => {
    const without = stretch(nextMs, nextMs + dayMs).map((one) =>
      one.endpoint === "passport" ? observationOf({ at: one.at, endpoint: "passport", status: 410 }) : one,
    );
    expect(told(without)).toEqual(["opened down", "changed access/endpoint-withdrawn"]);
  });

  test("is not over while one endpoint keeps failing", () => {
    const some = stretch(nextMs, nextMs + dayMs).map((one) =>
      one.endpoint === "passport" ? observationOf({ at: one.at, endpoint: "passport", status: 503 }) : one,
    );
    expect(resolved(told(some))).toEqual([]);
  });
});

describe("the outlook of a V1 that does not respond", () => {
  const deadMs = startMs + 10 * dayMs;

  test.each([
    ["a failing name", dns],
    ["503", { status: 503 }],
  ])("is not calm after a day of %s", (_, dead) => {
    const story = stretch(startMs, deadMs);
    const soon = live([...story, ...stretch(deadMs, deadMs + 6 * hourMs, dead)]).state;
    expect(lookOut(soon, deadMs + 6 * hourMs).level).toBe("calm");
    const late = live([...story, ...stretch(deadMs, deadMs + 20 * dayMs, dead)]).state;
    expect(lookOut(late, deadMs + 20 * dayMs)).toMatchObject({
      level: "watch",
      headline: "V1 may be leaving: it has given no usable answer since 2026-12-30. It has not said when.",
      reasons: ["it has given no usable answer since 2026-12-30"],
    });
  });

  test("is unknown while our own quota is exhausted, once the last data is old", () => {
    const spent = { status: 401, notices: { usage: { exhausted: true } } };
    const { state } = live([...stretch(startMs, deadMs), ...stretch(deadMs, deadMs + 5 * dayMs, spent)]);
    expect(lookOut(state, deadMs + 5 * dayMs)).toMatchObject({
      level: "unknown",
      headline: "Nothing is known of V1 since 2026-12-29: it has shown no data.",
      confidence: 0,
    });
  });

  test("does not change because of a refused key while anonymous requests are served", () => {
    const { state } = live([
      ...both(startMs, deadMs, {}),
      ...stretch(deadMs, deadMs + 5 * dayMs, { status: 401 }),
      ...[0, 1, 2, 3, 4].flatMap((day) => tickOf(deadMs + day * dayMs + minuteMs, { variant: "anonymous" })),
    ]);
    expect(lookOut(state, deadMs + 5 * dayMs).level).toBe("calm");
  });

  test("keeps what was observed while no request is made", () => {
    const gone = live([...stretch(startMs, deadMs), ...stretch(deadMs, deadMs + dayMs, { status: 410 })]);
    const closed = live([...both(startMs, deadMs, {}), ...both(deadMs, deadMs + dayMs, { status: 401 })]);
    const calm = live(stretch(startMs, deadMs));
    for (const days of [1.9, 2.1, 30]) {
      const nowMs = deadMs + (1 + days) * dayMs;
      expect(lookOut(gone.state, nowMs).headline).toMatch(/^V1 is gone: 410/);
      expect(lookOut(closed.state, nowMs).level).toBe("retired");
      expect(lookOut(calm.state, nowMs)).toMatchObject({
        level: "calm",
        confidence: lookOut(calm.state, deadMs).confidence,
      });
    }
  });
});

describe("a configured date beside V1's own", () => {
  const earlyMs = at("2026-12-25T00:00:00Z");
  const configured = { retirementDate: "2027-06-30" };
  const announcing = [
    ...stretch(startMs, startMs + dayMs),
    ...stretch(startMs + dayMs, startMs + 2 * dayMs, { notices: sunset(earlyMs) }),
  ];

  test("does not suppress what V1 announces, and the earlier day is a reason", () => {
    const { told, state } = live(announcing, configured);
    expect(told).toEqual(["opened retirement/announced"]);
    const { date, reasons } = lookOut(state, startMs + 2 * dayMs, configured);
    expect(date).toBe("2027-06-30");
    expect(reasons).toEqual([
      "the configuration names 2027-06-30",
      "its own Sunset header names an earlier day: 2026-12-25",
    ]);
  });

  test("resolves nothing when it is set while V1 announces", () => {
    const { state } = live(announcing);
    const rest = stretch(startMs + 2 * dayMs, startMs + 3 * dayMs, { notices: sunset(earlyMs) });
    expect(live(rest, { retirementDate: "2026-12-25" }, state).told).toEqual([]);
  });
});

test("no countdown alert is sent after V1 has ended", () => {
  const soonMs = endMs - 2 * dayMs;
  const settings = { ...replaySettings };
  const announced = (overrides: Parameters<typeof tickOf>[1]) => [
    ...both(startMs, startMs + dayMs, { notices: sunset() }),
    ...both(startMs + dayMs, soonMs, overrides),
  ];
  const counted = (overrides: Parameters<typeof tickOf>[1]) =>
    countdownAlerts(live(announced(overrides)).state, settings, soonMs).length;
  expect(counted({ notices: sunset() })).toBe(1);
  expect(counted({ status: 410 })).toBe(0);
  expect(counted({ status: 401 })).toBe(0);
});

describe("a fault that turns into another", () => {
  const calm = both(startMs, startMs + dayMs, {});
  const from = (hours: number) => startMs + dayMs + hours * hourMs;
  /** One endpoint is so, the others are served. */
  const passport = (fromMs: number, untilMs: number, overrides: Parameters<typeof tickOf>[1]) => {
    const isHit = ({ endpoint }: Observation) => endpoint === "passport";
    return [
      ...stretch(fromMs, untilMs).filter((one) => !isHit(one)),
      ...stretch(fromMs, untilMs, overrides).filter(isHit),
    ];
  };
  const noSample = { outcome: { kind: "refused" as const, detail: "no-sample" }, staleness: null };

  test.each([
    ["503", { status: 503 }],
    ["403", { status: 403 }],
    ["no sample", noSample],
  ])("a withdrawn endpoint that returns %s for days has not recovered", (_, later) => {
    const { told } = live([
      ...calm,
      ...passport(from(0), from(3), { status: 410 }),
      ...passport(from(3), from(75), later),
    ]);
    expect(told).toContain("opened access/endpoint-withdrawn");
    expect(resolved(told)).not.toContain("resolved access/endpoint-withdrawn");
  });

  test("a replaced key and a 503 where it was refused last are not a withdrawn endpoint", () => {
    const { told } = live([
      ...calm,
      ...both(from(0), from(2), { status: 401 }),
      ...passport(from(2), from(3), { status: 503 }),
    ]);
    expect(told).not.toContain("opened access/endpoint-withdrawn");
  });

  test("an exhausted quota that is no longer reported does not hide a retirement by 401", () => {
    const used = { usage: { current: 5_000, limit: 5_000, exhausted: true } };
    const { told } = live([
      ...calm,
      ...stretch(from(0), from(2), { status: 401, notices: used }),
      ...both(from(2), from(80), { status: 401 }),
    ]);
    expect(told[0]).toBe("opened access/quota-exhausted");
    expect(told.at(-1)).toMatch(/access\/retired-by-401$/);
  });

  test("an outage with changing statuses is one incident", () => {
    const classes = [{ status: 503 }, { status: 502 }, { status: 500 }, timeout];
    const week = stretch(from(0), from(7 * 24)).map((one, index) =>
      observationOf({ at: one.at, endpoint: one.endpoint, ...classes[Math.floor(index / 3) % 4] }),
    );
    const { told } = live([...calm, ...week]);
    expect(told[0]).toBe("opened down");
    expect(told.length).toBeLessThanOrEqual(8);
    expect(new Set(told.slice(1))).toEqual(new Set(["changed down"]));
  });

  test("an endpoint that returns 429 after its outage has not recovered", () => {
    const { told } = live([
      ...calm,
      ...passport(from(0), from(2), { status: 503 }),
      ...passport(from(2), from(3.5), { status: 429 }),
    ]);
    expect(told).toEqual(["opened down"]);
  });

  test("a withdrawn endpoint that then fails in another way does not change the outlook", () => {
    const { state } = live([
      ...calm,
      ...passport(from(0), from(3), { status: 410 }),
      ...passport(from(3), from(9), { status: 503 }),
    ]);
    expect(lookOut(state, from(9)).level).toBe("warning");
  });

  test("one tick of 401 before an outage is not a retirement by 401", () => {
    const { told, state } = live([
      ...calm,
      ...both(from(0), from(0.5), { status: 401 }),
      ...both(from(0.5), from(72), { status: 503 }),
    ]);
    expect(told).toEqual(["opened down"]);
    expect(lookOut(state, from(72)).level).not.toBe("retired");
  });

  test("an outage that continues beside a refused key is reported once", () => {
    const { told } = live([
      ...calm,
      ...passport(from(0), from(2), { status: 503 }),
      ...stretch(from(2), from(6), { variant: "anonymous" }),
      ...stretch(from(2), from(6), { status: 401 }).filter(({ endpoint }) => endpoint !== "passport"),
      ...stretch(from(2), from(6), { status: 503 }).filter(({ endpoint }) => endpoint === "passport"),
    ]);
    expect(told.filter((line) => line === "opened down")).toHaveLength(1);
  });

  test("one endpoint's outage does not inhibit what the others announce", () => {
    const { told } = live([
      ...calm,
      ...passport(from(0), from(3), { status: 500 }),
      ...passport(from(3), from(8), { status: 500 }).map((one) =>
        one.endpoint === "passport" ? one : { ...one, notices: sunset() },
      ),
    ]);
    expect(told).toEqual(["opened down", "opened retirement/announced"]);
  });

  test("a list with records again resolves stub-data, though one endpoint stays empty", () => {
    const empty = { notices: { body: "empty" as const } };
    const { told } = live([
      ...calm,
      ...stretch(from(0), from(3), empty),
      ...stretch(from(3), from(8)).map((one) =>
        one.endpoint === "passport-credentials" ? { ...one, ...empty } : one,
      ),
    ]);
    expect(told).toEqual(["opened data/stub-data", "resolved data/stub-data"]);
  });

  test("a watch that continues without a key resolves no-secret", () => {
    const noSecret = { outcome: { kind: "no-secret" as const }, staleness: null };
    const { told } = live([
      ...stretch(startMs, startMs + dayMs),
      ...stretch(from(0), from(2), noSecret),
      ...stretch(from(2), from(80), { variant: "anonymous" }),
    ]);
    expect(told).toEqual(["opened monitor/no-secret", "resolved monitor/no-secret"]);
  });

  test("a prober with a Retry-After of a minute is silent after a day", () => {
    const declared = { status: 503, notices: { retryAfterSeconds: 60 } };
    const { told } = live([
      ...calm,
      ...passport(from(0), from(0.5), declared),
      ...stretch(from(0.5), from(60)).filter(({ endpoint }) => endpoint !== "passport"),
    ]);
    expect(told).toContain("opened monitor/silent");
  });
});

describe("dates that differ", () => {
  const early = startMs + 3 * dayMs;

  test("V1's own date passes though a later one is configured", () => {
    const { told } = live(stretch(startMs, early + dayMs, { notices: sunset(early) }), {
      retirementDate: "2027-06-30",
    });
    expect(told).toEqual(["opened retirement/announced", "changed retirement/date-passed"]);
  });

  test("a configured date that has passed gives way to V1's own, and nothing is reported twice", () => {
    const { told, state } = live(stretch(startMs, early + 2 * dayMs, { notices: sunset() }), {
      retirementDate: "2026-12-22",
    });
    expect(told).toEqual(["opened retirement/announced"]);
    const { date } = lookOut(state, early + 2 * dayMs, { retirementDate: "2026-12-22" });
    expect(date).toBe("2026-12-31");
  });

  test("one endpoint's passed date leaves the countdown to the others' date", () => {
    const observations = stretch(startMs, early + dayMs).map((one) => ({
      ...one,
      notices: one.endpoint === "passport" ? sunset(early) : sunset(),
    }));
    expect(lookOut(live(observations).state, early + dayMs)).toMatchObject({
      date: "2026-12-31",
      dateState: "ahead",
    });
  });
});
