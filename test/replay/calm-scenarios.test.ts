import { expect, test } from "vitest";
import { alert as alertSchema } from "../../lib/records/alert.ts";
import { replay } from "../assess/replay.ts";

const dayMs = 86_400_000;

test("Two weeks of the simulator with its realistic oddities send no alert, and keep a state that fits into one item of a table", async () => {
  const { alerts, requests, state, outlook } = await replay("realistic", 14 * dayMs);
  const incidents = alerts.filter(({ alert }) => alert.severity !== "info");
  expect(incidents.map(({ alert }) => alertSchema.parse(alert).subject)).toEqual([]);
  expect(requests).toBeLessThanOrEqual(5_000);
  expect(outlook?.level).toBe("low");
  expect(JSON.stringify(state).length).toBeLessThan(400_000);
});
