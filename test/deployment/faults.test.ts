// The functions over moto, through a proxy that breaks real connections in six ways. Nothing is lost, everything is stored
// once, and every alert arrives.
import { expect, onTestFinished, test } from "vitest";
import { runFunctions } from "../faults/functions.ts";
import { judgeFunctions } from "../faults/judge-functions.ts";
import { countFaults, listFaults, planFaults } from "../faults/plan.ts";
import { connectionFaults } from "../faults/proxy.ts";
import { startMotoServers } from "../faults/servers.ts";
import type { Story } from "../stories/types.ts";

const seed = Number(process.env.V1WATCH_SEED ?? 1);
const start = "2026-03-02T00:00:00Z";

/** V1 fails for an hour. */
const story: Story = {
  name: "broken-connections",
  kind: "fault",
  description: "V1 fails for an hour",
  start,
  days: 5 / 24,
  seed,
  timeline: [{ from: "2h", to: "3h", effect: { kind: "respond", status: 503 } }],
  truth: { messages: [], maxPages: 0, maxMessages: 0 },
};

test("The functions lose nothing while connections to AWS break, and every alert is stored once and arrives", async () => {
  const clock = { nowMs: Date.parse(start) };
  const plan = planFaults({ seed, share: 0.08, nowMs: () => clock.nowMs });
  const servers = await startMotoServers(plan, onTestFinished);
  const run = await runFunctions({ story, plan, clock, servers });
  const judged = await judgeFunctions(run, servers, plan, clock.nowMs);
  const { faults, observations, alerts, arrived, revised } = judged;
  console.log(
    `seed ${seed}: ${countFaults(plan)} broken connections, ${run.failedRuns} failed runs, ${observations} observations, ${alerts.length} alerts in ${arrived.length} messages`,
  );
  expect(faults).toEqual([]);
  expect(revised).toEqual([]);
  expect(arrived.filter((id) => id.startsWith("down-")).length).toBeGreaterThan(1);
  expect(countFaults(plan)).toBeGreaterThan(50);
  expect(listFaults(plan)).toEqual(connectionFaults.map((kind) => `aws.connection: ${kind}`).toSorted());
});
