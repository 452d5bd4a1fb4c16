import { describe, expect, test } from "vitest";
import type { Alert } from "../../lib/records/alert.ts";
import type { Truth } from "../../lib/simulator/scenario.ts";
import { type ScenarioName, scenarioNamed, scenarioNames } from "../../lib/simulator/scenarios.ts";
import { type Replay, replay } from "./replay.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A date that moves is told as a change of the announcement. */
const tells = (alert: Alert, cause: Truth["cause"]) =>
  cause === "retirement/moved-earlier"
    ? alert.incident === "retirement/announced" && alert.event === "changed"
    : alert.incident === cause && (alert.event === "opened" || alert.event === "changed");

const told = ({ alerts }: Replay, { cause, fromMs }: Truth) =>
  alerts.find(({ atMs, alert }) => atMs >= fromMs && tells(alert, cause));

const isFaulty = (name: ScenarioName) => scenarioNamed(name).truth.length > 0;

/** As long as the truth needs, and a while to see what is said too much. */
const lengthOf = (name: ScenarioName) =>
  Math.max(
    ...scenarioNamed(name).truth.map(({ fromMs, withinMs }) => fromMs + Math.min(withinMs, 4 * dayMs)),
  ) +
  2 * hourMs;

describe.concurrent("every scenario ends with the alerts of its truth", () => {
  test.for(scenarioNames.filter(isFaulty))("%s is told, and in time", { timeout: 120_000 }, async (name) => {
    const { truth } = scenarioNamed(name);
    const result = await replay(name, lengthOf(name));
    for (const row of truth) {
      const found = told(result, row);
      const late = found && found.atMs - row.fromMs;
      console.log(
        `${name}: ${row.cause} told after ${late === undefined ? "never" : `${Math.round(late / 60_000)} min`}`,
      );
      expect(late, `${name}: ${row.cause}`).toBeLessThanOrEqual(row.withinMs);
    }
    // Nothing is told before anything is wrong, and never twice for one cause without a change between.
    const first = Math.min(...truth.map(({ fromMs }) => fromMs));
    const isIncident = ({ severity }: Alert) => severity !== "info";
    expect(result.alerts.filter(({ atMs, alert }) => atMs < first && isIncident(alert))).toEqual([]);
    const ids = result.alerts.map(({ alert }) => alert.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
