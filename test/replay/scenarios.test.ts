import { describe, expect, test } from "vitest";
import type { Alert } from "../../lib/records/alert.ts";
import type { Truth } from "../../lib/simulator/scenario.ts";
import { type ScenarioName, scenarioNamed, scenarioNames } from "../../lib/simulator/scenarios.ts";
import { type Replay, replay } from "../assess/replay.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const reports = ({ rule, event }: Alert, truth: Truth) =>
  rule === truth.rule &&
  (truth.event === undefined ? event === "opened" || event === "changed" : event === truth.event);

const findReport = ({ alerts }: Replay, truth: Truth) =>
  alerts.find(({ atMs, alert }) => atMs >= truth.fromMs && reports(alert, truth));

/**
 * What shows at once is played in simulation.test.ts, and the months of one scenario in demonstration.test.ts; these need days,
 * at the calm cadence, and no weeks.
 */
const takesDays = (name: ScenarioName) => {
  const lengthMs = lengthOf(name);
  return lengthMs > 2 * dayMs && lengthMs < 14 * dayMs;
};

/** As long as the expected incidents need, plus two hours to see surplus alerts. */
const lengthOf = (name: ScenarioName) =>
  Math.max(
    ...scenarioNamed(name).truth.map(({ fromMs, withinMs }) => fromMs + Math.min(withinMs, 4 * dayMs)),
  ) +
  2 * hourMs;

describe.concurrent("a scenario that takes days produces the alerts of its expected incidents", () => {
  test.for(scenarioNames.filter(takesDays))(
    "The scenario %s, which takes days, is reported in time",
    async (name) => {
      const { truth } = scenarioNamed(name);
      const result = await replay(name, lengthOf(name));
      for (const row of truth) {
        const found = findReport(result, row);
        const late = found && found.atMs - row.fromMs;
        console.log(
          `${name}: ${row.rule} reported after ${late === undefined ? "never" : `${Math.round(late / 60_000)} min`}`,
        );
        expect(late, `${name}: ${row.rule}`).toBeLessThanOrEqual(row.withinMs);
      }
      // No alert is sent before the first fault, and alert ids are unique.
      const first = Math.min(...truth.map(({ fromMs }) => fromMs));
      const isIncident = ({ severity }: Alert) => severity !== "info";
      expect(result.alerts.filter(({ atMs, alert }) => atMs < first && isIncident(alert))).toEqual([]);
      const ids = result.alerts.map(({ alert }) => alert.id);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );
});
