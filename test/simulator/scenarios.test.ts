import { expect, test } from "vitest";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { effectKinds } from "../../lib/simulator/effects/index.ts";
import { days, hours } from "../../lib/simulator/population.ts";
import { activeEffects, createTimeline, rules, type Scenario } from "../../lib/simulator/scenario.ts";
import { type ScenarioName, scenarioNamed, scenarios } from "../../lib/simulator/scenarios.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { get } from "./client.ts";

const midnight = Date.UTC(2026, 10, 14);
const faulty = scenarios.filter(({ steps }) => steps.length > 0);

const effectsAt = (scenario: Scenario, time: number) => {
  const timeline = createTimeline(scenario, { now: midnight, startAtMs: 0 });
  return activeEffects(scenario, timeline, midnight + time).map(({ effect }) => effect);
};

test("The scenarios healthy and realistic expect no cause in 30 days", () => {
  for (const name of ["healthy", "realistic"] as const) {
    expect(scenarioNamed(name)).toMatchObject({ steps: [], truth: [], lengthMs: 30 * days });
  }
});

test("Every expected rule is the truth of some scenario", () => {
  const covered = new Set(scenarios.flatMap(({ truth }) => truth.map(({ rule }) => rule)));
  expect([...covered].toSorted()).toEqual([...rules].toSorted());
});

test.each(faulty)(
  "The scenario $name has its steps and truth on its timeline",
  ({ steps, truth, lengthMs, startAtMs }) => {
    expect(startAtMs).toBeLessThan(lengthMs);
    for (const { fromMs, untilMs = lengthMs, effects } of steps) {
      expect(fromMs).toBeGreaterThan(0);
      expect(untilMs).toBeGreaterThan(fromMs);
      expect(untilMs).toBeLessThanOrEqual(lengthMs);
      expect(effects.length).toBeGreaterThan(0);
      for (const { kind } of effects) expect(effectKinds).toContain(kind);
    }
    expect(truth.length).toBeGreaterThan(0);
    const first = Math.min(...steps.map(({ fromMs }) => fromMs));
    for (const { rule, fromMs, withinMs } of truth) {
      expect(rules).toContain(rule);
      expect(fromMs).toBeGreaterThanOrEqual(first);
      expect(withinMs).toBeGreaterThan(0);
      expect(fromMs + withinMs).toBeLessThanOrEqual(lengthMs);
    }
  },
);

test.each(faulty)(
  "The scenario $name is healthy at first, and its fault is visible over HTTP at its start",
  async (scenario) => {
    const clock = { time: midnight, now: () => clock.time };
    const name = scenario.name as ScenarioName;
    const [faultySimulator, healthySimulator] = await Promise.all([
      startSimulator({ passports: 60, clock, scenario: name }),
      startSimulator({ passports: 60, clock }),
    ]);
    const { population } = healthySimulator;
    const hasCredentials = (index: number) => population.credentials(index, { now: midnight }).length > 0;
    const id = population.idOf(population.ranked().find(hasCredentials) ?? 0);
    const paths = [
      "/api/v1/passports",
      `/api/v1/passports/${id}`,
      `/api/v1/passport_credentials?passport_id=${id}`,
    ];
    expect(paths.length).toBe(endpointIds.length);
    const read = (url: string, deadlineMs: number) =>
      Promise.all(
        paths.flatMap((path) => [
          get(url + path, { deadlineMs }),
          get(url + path, { deadlineMs, headers: { "X-API-KEY": "k" } }),
        ]),
      );
    const differs = async (deadlineMs: number) => {
      const [one, other] = await Promise.all([
        read(faultySimulator.url, deadlineMs),
        read(healthySimulator.url, 10_000),
      ]);
      return JSON.stringify(one) !== JSON.stringify(other);
    };
    expect(await differs(10_000)).toBe(false);
    faultySimulator.use(name, scenario.startAtMs);
    if (scenario.name === "frozen") clock.time += days;
    // Several rounds, because a flaky network does not affect every request.
    let isVisible = false;
    for (let round = 0; round < 5 && !isVisible; round++) isVisible = await differs(500);
    expect(isVisible).toBe(true);
    await Promise.all([faultySimulator.close(), healthySimulator.close()]);
  },
);

test("Brownouts at fixed hours of the day start at those hours, whenever the simulator was started", () => {
  const scenario = scenarioNamed("github-brownouts");
  for (const startHour of [0, 5, 23]) {
    const now = midnight + startHour * hours;
    const timeline = createTimeline(scenario, { now });
    const isOpen = (day: number, hour: number) =>
      activeEffects(scenario, timeline, midnight + day * days + hour * hours).length > 0;
    for (const day of [2, 30]) {
      const open = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isOpen(day, hour));
      expect(open).toEqual([7, 8, 9, 16, 17, 18]);
    }
    expect(isOpen(3, 7)).toBe(false);
    expect(isOpen(47, 0)).toBe(true);
  }
});

test("The weekly brownouts last 1, 1, 4, 4, 8, 8, 24 and 24 hours", () => {
  const scenario = scenarioNamed("sourcify-brownouts");
  const openHours = Array.from({ length: 8 }, (_, week) => {
    const hoursOfWeek = Array.from({ length: 7 * 24 }, (_, hour) => (week * 7 * 24 + hour) * hours);
    return hoursOfWeek.filter((time) => effectsAt(scenario, time).length > 0).length;
  });
  expect(openHours).toEqual([1, 1, 4, 4, 8, 8, 24, 24]);
  expect(effectsAt(scenario, 60 * days)).toEqual([{ kind: "status", status: 410 }]);
});

test("The last day has brownouts only in its odd hours", () => {
  const scenario = scenarioNamed("last-day-odd-hours");
  const open = Array.from(
    { length: 24 },
    (_, hour) => effectsAt(scenario, 2 * days + hour * hours).length > 0,
  );
  expect(open).toEqual(open.map((_, hour) => hour % 2 === 1));
});

test("createTimeline converts between scenario time and clock time at a higher speed", () => {
  const timeline = createTimeline(scenarioNamed("gone"), { now: midnight, startAtMs: days, speed: 60 });
  expect(timeline.timeAt(midnight)).toBe(days);
  expect(timeline.timeAt(midnight + hours)).toBe(days + 60 * hours);
  expect(timeline.instantOf(days + 60 * hours)).toBe(midnight + hours);
});
