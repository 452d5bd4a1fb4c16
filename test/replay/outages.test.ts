// Three hours without the store, without the receivers of alerts, without the receiver of metrics, and without all of them:
// on one machine, and on servers that play DynamoDB, SNS and CloudWatch, behind a proxy that breaks real connections.
import { expect, onTestFinished, test } from "vitest";
import { runFunctions } from "../faults/functions.ts";
import { judgeFunctions } from "../faults/judge-functions.ts";
import { countFaults, type FaultPlan, listFaults, type Outage, planFaults } from "../faults/plan.ts";
import { connectionFaults } from "../faults/proxy.ts";
import { startLocalServers } from "../faults/servers.ts";
import { judgeRun, runWatch, withFolder } from "../faults/watch.ts";
import { HOUR, type Story } from "../stories/types.ts";

const seed = Number(process.env.V1WATCH_SEED ?? 1);
const start = "2026-03-02T00:00:00Z";
const startMs = Date.parse(start);

/** The hours of a day in which the ports of each list are out, for three hours each. */
const listOutages = (ports: Record<number, readonly string[]>): Outage[] =>
  Object.entries(ports).flatMap(([hour, names]) =>
    names.map((port) => {
      const fromMs = startMs + Number(hour) * HOUR;
      return { port, fromMs, untilMs: fromMs + 3 * HOUR };
    }),
  );

/** V1 fails in each outage: from half an hour after its start, for so many minutes. */
const storyWith = (hours: number, minutes: Record<number, number>): Story => ({
  name: "outages",
  kind: "fault",
  description: "V1 fails while something else is out",
  start,
  days: hours / 24,
  seed,
  timeline: Object.entries(minutes).map(([hour, length]) => ({
    from: `${hour}h30m`,
    to: `${hour}h${30 + length}m`,
    effect: { kind: "respond", status: 503 } as const,
  })),
  truth: { messages: [], maxPages: 0, maxMessages: 0 },
});

test("On one machine nothing is lost, and everything arrives in order", async () => {
  const store = ["ledger", "outbox"];
  const channels = ["webhook", "slack", "pagerduty", "email"].map((name) => `channel-${name}`);
  const metrics = ["receiver-metrics"];
  const outages = listOutages({
    2: store,
    7: channels,
    12: metrics,
    17: [...store, ...channels, ...metrics],
  });
  const story = storyWith(17, { 1: 60, 5: 60, 9: 60, 13: 60 });
  await withFolder(async (path) => {
    const calm = await runWatch({ story, path: path("calm.db"), seed, share: 0 });
    const run = await runWatch({ story, path: path("outages.db"), seed, share: 0, outages });
    expect(judgeRun(run, calm)).toEqual([]);
    const openings = [...run.stored.alerts.values()].filter(({ event }) => event === "opened");
    expect(openings.map(({ at }) => new Date(at).getUTCHours())).toEqual(
      expect.arrayContaining([1, 5, 9, 13]),
    );
    expect(run.degradedTicks).toBeGreaterThan(10);
  });
});

/** Plays the functions over servers of this process, each behind a proxy of its own. */
async function playFunctions(story: Story, plan: FaultPlan, clock: { nowMs: number }) {
  const servers = await startLocalServers(plan, onTestFinished);
  const run = await runFunctions({ story, plan, clock, servers });
  const judged = await judgeFunctions(run, servers, plan, clock.nowMs);
  console.log(
    `seed ${seed}: ${countFaults(plan)} broken connections, ${run.failedRuns} failed runs, ${judged.observations} observations, ${judged.alerts.length} alerts in ${judged.arrived.length} messages; sent before late observations were stored: ${judged.revised.join(" ") || "none"}`,
  );
  return { run, ...judged };
}

test("On AWS nothing is lost, and everything arrives once and in order", async () => {
  const clock = { nowMs: startMs };
  const outages = listOutages({
    1: ["dynamodb"],
    5: ["sns"],
    9: ["cloudwatch"],
    13: ["dynamodb", "sns", "cloudwatch"],
  });
  const plan = planFaults({ seed, share: 0, outages, nowMs: () => clock.nowMs });
  // Without the table nothing is requested: V1's fault is seen when the table is back.
  const result = await playFunctions(storyWith(17, { 1: 195, 5: 60, 9: 60, 13: 195 }), plan, clock);
  expect(result).toMatchObject({ faults: [], pointsTwice: 0 });
  // What began and ended while the table was away is told once, as over.
  expect(result.revised).toEqual(["silent-20260302T0024Z/1-opened", "silent-20260302T1224Z/1-opened"]);
  expect(result.arrived).toHaveLength(result.alerts.length);
  expect(result.arrived.filter((id) => /^down.*opened$/.test(id))).toHaveLength(4);
});

test("On AWS nine hours of broken connections lose nothing, and every alert is stored once and arrives", async () => {
  const clock = { nowMs: startMs };
  const plan = planFaults({ seed, share: 0.1, nowMs: () => clock.nowMs });
  const { run, faults, arrived, revised } = await playFunctions(storyWith(9, { 2: 60 }), plan, clock);
  expect(faults).toEqual([]);
  expect(revised).toEqual([]);
  expect(arrived.filter((id) => id.startsWith("down-")).length).toBeGreaterThan(1);
  expect(run.failedRuns).toBeGreaterThan(20);
  expect(listFaults(plan)).toEqual(
    expect.arrayContaining(connectionFaults.map((kind) => `dynamodb.connection: ${kind}`)),
  );
});
