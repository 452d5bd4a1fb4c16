// V1 is up only where the log of checks proves it: the reference below counts the log and knows nothing of the verdict's code.

import { describe, expect, test } from "vitest";
import { foldTick, groupTicks, showIncidents } from "../../lib/assess/fold.ts";
import { readOutlook } from "../../lib/assess/outlook.ts";
import { freshState } from "../../lib/assess/state.ts";
import { exitCodeOf, readSchedule, readVerdict, upValueOf } from "../../lib/assess/verdict.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { configure } from "../config/configure.ts";
import { fc } from "../random.ts";
import { dayMs, hourMs, minuteMs, observationOf } from "./observation-builder.ts";

const startMs = Date.parse("2026-11-15T00:00:00Z");
const calmMs = 36 * minuteMs;
const settings = { ...assessmentSettings(configure()), decisions: [] };
/** Two cadences, the confirmation and the deadline. */
const limitMs = 2 * calmMs + minuteMs + 10_000;
const anyLimitMs = (2 * calmMs) / endpointIds.length + minuteMs + 10_000;

type Check = Parameters<typeof observationOf>[0];
type Options = { nowMs: number; startedMs?: number; cadenceMs?: number; waits?: Record<string, number> };

function verdictOf(log: readonly Observation[], { nowMs, startedMs, cadenceMs, waits = {} }: Options) {
  const state = freshState();
  for (const tick of groupTicks(log)) foldTick(state, tick, settings);
  showIncidents(state, settings);
  const endpoints = Object.fromEntries(
    Object.entries(waits).map(([endpoint, notBeforeMs]) => [endpoint, { last: {}, notBeforeMs }]),
  );
  const schedule = readSchedule(settings, { cadenceMs, endpoints });
  const outlook = readOutlook(state, settings, nowMs);
  return { state, verdict: readVerdict({ state, outlook, schedule, nowMs, startedMs }) };
}

/** One served check of each endpoint, so long ago. */
const servedAgo = (nowMs: number, ...agesMs: [number, number, number]) =>
  endpointIds.map((endpoint, index) => observationOf({ endpoint, at: nowMs - agesMs[index]! }));

describe("the evidence that V1 is up", () => {
  const outcome = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Check>({ status: 200 }) },
    { weight: 3, arbitrary: fc.constantFrom<Check>({ status: 503 }, { status: 401 }, { status: 404 }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Check>(
        { outcome: { kind: "refused", detail: "address" }, attempts: [] },
        { outcome: { kind: "no-secret" }, attempts: [] },
      ),
    },
  );
  /** Rounds of checks with the same outcome, four minutes apart; some leave an endpoint out. */
  const log = fc
    .array(
      fc.record({
        outcome,
        rounds: fc.nat(6),
        left: fc.option(fc.constantFrom(...endpointIds), { freq: 4 }),
      }),
      { maxLength: 6 },
    )
    .map((parts) => {
      const rounds = parts.flatMap((part) => Array.from({ length: part.rounds }, () => part));
      return rounds.flatMap(({ outcome: got, left }, index) =>
        endpointIds
          .filter((endpoint) => endpoint !== left)
          .map((endpoint) => observationOf({ ...got, endpoint, at: startMs + index * 4 * minuteMs })),
      );
    });

  /** Gaps, nothing sent, everything refused, stopped, from the future, an endpoint missing. */
  test("V1 is up, and its exit code is 0, only with a recent served check of every endpoint", () => {
    const seen = { up: 0, fault: 0, unknown: 0 };
    fc.assert(
      fc.property(log, fc.integer({ min: -30, max: 120 }), (checks, minutes) => {
        const endMs = Math.max(startMs, ...checks.map(({ at }) => Date.parse(at)));
        const nowMs = endMs + minutes * minuteMs;
        const { state, verdict } = verdictOf(checks, { nowMs });
        seen[verdict.kind]++;
        const isSent = ({ outcome: { kind } }: Observation) => kind !== "refused" && kind !== "no-secret";
        const ages = (rows: readonly Observation[]) => rows.map(({ at }) => nowMs - Date.parse(at));
        const served = (endpoint: EndpointId) =>
          ages(checks.filter((one) => one.endpoint === endpoint && one.outcome.kind === "ok"));
        const isProven =
          ages(checks.filter(isSent)).some((age) => age <= anyLimitMs) &&
          endpointIds.every((endpoint) =>
            served(endpoint).some((age) => age <= limitMs && age >= -2 * minuteMs),
          );
        if (verdict.kind === "up") expect(isProven).toBe(true);
        if (!checks.some(isSent)) expect(verdict.kind).toBe("unknown");
        expect(exitCodeOf(verdict)).toBe({ up: 0, fault: 1, unknown: 2 }[verdict.kind]);
        expect(verdict.headline.startsWith("V1 is up")).toBe(verdict.kind === "up");
        expect(verdict.headline.startsWith("Unknown: ")).toBe(verdict.kind === "unknown");
        expect(upValueOf(verdict, state) === undefined || verdict.kind !== "unknown").toBe(true);
        if (verdict.kind === "up") expect(upValueOf(verdict, state)).toBe(1);
      }),
      { numRuns: 250 },
    );
    // The generator reaches all three.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });

  const nowMs = startMs + dayMs;

  test("V1 is up until a check of one endpoint is older than two cadences, and then names that endpoint", () => {
    expect(verdictOf(servedAgo(nowMs, 0, 0, limitMs), { nowMs }).verdict.kind).toBe("up");
    const { verdict } = verdictOf(servedAgo(nowMs, 0, 0, limitMs + 1_000), { nowMs });
    expect(verdict).toMatchObject({
      kind: "unknown",
      headline: "Unknown: passport-credentials was last served at 2026-11-15 22:46 UTC",
    });
  });

  test("A monitor that has stopped is unknown after two slots, with the age of the last check and what was due", () => {
    const log = servedAgo(nowMs, 20 * minuteMs, 8 * minuteMs, 32 * minuteMs);
    expect(verdictOf(log, { nowMs }).verdict.kind).toBe("up");
    const laterMs = nowMs + 41 * minuteMs;
    expect(verdictOf(log, { nowMs: laterMs }).verdict.headline).toBe(
      "Unknown: no check since 2026-11-15 23:52 UTC, 49 min ago; one was due every 12 min. Is the monitor running?",
    );
    expect(verdictOf(log, { nowMs: laterMs, startedMs: laterMs - minuteMs }).verdict.headline).toBe(
      "Unknown: no check since 2026-11-15 23:52 UTC, 49 min ago; v1watch was started at 00:40 UTC and has completed none",
    );
  });

  test("A cadence that the budget stretches makes a check due later", () => {
    const log = servedAgo(nowMs, 3 * hourMs, 3 * hourMs, 3 * hourMs);
    expect(verdictOf(log, { nowMs }).verdict.kind).toBe("unknown");
    expect(verdictOf(log, { nowMs, cadenceMs: 3 * calmMs }).verdict.kind).toBe("up");
  });

  test("While V1 asks to wait, no check is due", () => {
    const agoMs = 90 * minuteMs;
    const log = servedAgo(nowMs, agoMs, agoMs, agoMs);
    const waits = Object.fromEntries(
      endpointIds.map((endpoint) => [endpoint, nowMs - agoMs + 30 * minuteMs]),
    );
    expect(verdictOf(log, { nowMs }).verdict.kind).toBe("unknown");
    expect(verdictOf(log, { nowMs, waits }).verdict.kind).toBe("up");
  });

  test("Settings of the first release, without a cadence, fall back to a third of the time after which a watch was silent", () => {
    const schedule = readSchedule({ silentAfterMs: 3 * calmMs }, undefined);
    expect(schedule).toEqual(readSchedule(settings, undefined));
  });
});

describe("a fault that is old", () => {
  const failing = (status: number, minutes: number) =>
    Array.from({ length: minutes / 2 }, (_, index) =>
      endpointIds.map((endpoint) => observationOf({ status, endpoint, at: startMs + index * 2 * minuteMs })),
    ).flat();

  test("A fault is in the past tense, and unknown, once V1 was not checked for two slots", () => {
    const log = failing(503, 30);
    const endMs = startMs + 28 * minuteMs;
    expect(verdictOf(log, { nowMs: endMs }).verdict).toMatchObject({
      kind: "fault",
      incident: { rule: "down" },
    });
    expect(verdictOf(log, { nowMs: endMs + hourMs }).verdict).toMatchObject({
      kind: "unknown",
      headline: "Unknown: V1 was down on all 3 endpoints (503) when last checked at 00:28 UTC, 1 h ago",
    });
  });

  test("A check without the key keeps a fault fresh", () => {
    const log = failing(503, 30);
    const laterMs = startMs + 90 * minuteMs;
    const anonymous = endpointIds.map((endpoint) =>
      observationOf({ status: 503, endpoint, at: laterMs, variant: "anonymous", isPrimary: false }),
    );
    expect(verdictOf([...log, ...anonymous], { nowMs: laterMs }).verdict.kind).toBe("fault");
  });

  test("An endpoint of which nothing is stored is dated by its last check, as in its message", () => {
    const lastMs = startMs + 2 * 12 * minuteMs;
    const failingMs = lastMs + 4 * hourMs;
    const log = Array.from({ length: 26 }, (_, round) => startMs + round * 12 * minuteMs).flatMap((at) =>
      endpointIds
        .filter((endpoint) => endpoint !== "passport-list" || at <= lastMs)
        .map((endpoint) => observationOf({ endpoint, at, status: at < failingMs ? 200 : 503 })),
    );
    const nowMs = Date.parse(log.at(-1)!.at) + minuteMs;
    const { verdict } = verdictOf(log, { nowMs });
    expect(verdict).toMatchObject({
      kind: "fault",
      headline: "v1watch does not check passport-list · since 00:24 UTC (and 1 more)",
    });
  });

  test("An API that is retired stays so, with the age of the last check", () => {
    const log = Array.from({ length: 27 }, (_, index) =>
      endpointIds.map((endpoint) => observationOf({ status: 410, endpoint, at: startMs + index * hourMs })),
    ).flat();
    const { verdict } = verdictOf(log, { nowMs: startMs + 40 * hourMs });
    expect(verdict).toMatchObject({ kind: "fault", incident: { rule: "retired" } });
    expect(verdict.headline).toMatch(/ · last checked at 02:00 UTC, 14 h ago$/);
  });
});
