// The whole watch on one machine while every port and every channel fails, by a seed.
import { expect, test } from "vitest";
import { countFaults, listFaults } from "../faults/plan.ts";
import { judgeRun, runWatch, storyOf, withFolder } from "../faults/watch.ts";

const seed = Number(process.env.V1WATCH_SEED ?? 1);

/** Called often enough for a fault in three days. */
const calls = [
  ...["append", "backlog", "commit", "observations", "readProbeState", "writeProbeState", "decisions"].map(
    (name) => `ledger.${name}`,
  ),
  ...["put", "subscribe", "pending", "record", "undelivered"].map((name) => `outbox.${name}`),
];

test("Three days in which every port and channel fails lose and repeat nothing, and end as without faults", async () => {
  await withFolder(async (path) => {
    const story = storyOf(seed, 3);
    const calm = await runWatch({ story, path: path("calm.db"), seed, share: 0 });
    expect(judgeRun(calm, calm)).toEqual([]);
    const run = await runWatch({ story, path: path("faults.db"), seed, share: 0.08, outShare: 0.05 });
    console.log(
      `seed ${seed}: ${countFaults(run.plan)} faults, ${run.degradedTicks} ticks with a failed write; ${run.stored.observations.size} observations and ${run.stored.alerts.size} alerts in ${run.accepted.size} channels`,
    );
    expect(judgeRun(run, calm)).toEqual([]);
    const events = [...run.stored.alerts.values()].map(({ event }) => event);
    for (const event of ["opened", "resolved"] as const) expect(events).toContain(event);
    expect(run.degradedTicks).toBeGreaterThan(20);
    const failed = listFaults(run.plan).map((text) => text.split(":")[0]);
    expect(calls.filter((call) => !failed.includes(call))).toEqual([]);
  });
});
