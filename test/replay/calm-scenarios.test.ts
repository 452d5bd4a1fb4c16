import { expect, test } from "vitest";
import { alert as alertSchema } from "../../lib/records/alert.ts";
import { replay } from "../assess/replay.ts";

const dayMs = 86_400_000;

test.concurrent.for(["healthy", "realistic"] as const)(
  "30 days of %s without faults send no alert",
  async (name) => {
    const { alerts, requests, state, outlook } = await replay(name, 30 * dayMs);
    const incidents = alerts.filter(({ alert }) => alert.severity !== "info");
    expect(incidents.map(({ alert }) => alertSchema.parse(alert).subject)).toEqual([]);
    expect(requests).toBeLessThanOrEqual(5_000);
    expect(outlook?.level).toBe("low");
    // Weeks of state stay small enough for one item of a table.
    expect(JSON.stringify(state).length).toBeLessThan(400_000);
  },
);
