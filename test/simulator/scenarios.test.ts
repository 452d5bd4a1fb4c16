import { expect, test } from "vitest";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { effectKinds } from "../../lib/simulator/effects/index.ts";
import { days } from "../../lib/simulator/population.ts";
import { type ScenarioName, scenarioNamed, scenarios } from "../../lib/simulator/scenarios.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { get } from "./client.ts";

const midnight = Date.UTC(2026, 10, 14);
const faulty = scenarios.filter(({ steps }) => steps.length > 0);

test("The scenarios healthy and realistic expect no cause in 30 days", () => {
  for (const name of ["healthy", "realistic"] as const) {
    expect(scenarioNamed(name)).toMatchObject({ steps: [], truth: [], lengthMs: 30 * days });
  }
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
    for (const { fromMs, withinMs } of truth) {
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
