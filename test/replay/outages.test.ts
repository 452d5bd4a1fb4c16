// Three hours without the store, without the receivers of alerts, without the receiver of metrics, and without all of them:
// on one machine, and on servers that play DynamoDB, SNS and CloudWatch, behind a proxy that breaks real connections.
import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SNSClient } from "@aws-sdk/client-sns";
import { expect, onTestFinished, test } from "vitest";
import type { Observation } from "../../lib/records/observation.ts";
import { startCloudWatch } from "../aws/cloudwatch-server.ts";
import { credentials, startDynamo } from "../aws/dynamo-server.ts";
import { readAlert, startQueues } from "../aws/queue-server.ts";
import { expectedAlerts, readContents, runFunctions } from "../faults/functions.ts";
import { countFaults, type FaultPlan, type Outage, planFaults } from "../faults/plan.ts";
import { startBreakingProxy } from "../faults/proxy.ts";
import { judgeArrivals, judgeRun, runWatch, withFolder } from "../faults/watch.ts";
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
  ...{
    name: "outages",
    kind: "fault",
    description: "V1 fails while something else is out",
    start,
    days: hours / 24,
    seed,
  },
  timeline: Object.entries(minutes).map(([hour, length]) => ({
    ...{ from: `${hour}h30m`, to: `${hour}h${30 + length}m` },
    effect: { kind: "respond", status: 503 } as const,
  })),
  truth: { messages: [], maxPages: 0, maxMessages: 0 },
});

test("on one machine nothing is lost, and everything arrives in order", async () => {
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

/** Servers of this process, each behind a proxy of its own. */
async function startServers(plan: FaultPlan) {
  const dynamo = await startDynamo();
  const [queues, cloudWatch] = [await startQueues(), await startCloudWatch()];
  const settings = { region: "eu-west-1", credentials, maxAttempts: 1 };
  const through = async (target: string, port: string) => {
    const proxy = await startBreakingProxy(target, plan, port);
    onTestFinished(() => proxy.close());
    return { ...settings, endpoint: proxy.url };
  };
  return {
    ...{ dynamo, queues, cloudWatch },
    clients: {
      dynamo: new DynamoDBClient(await through(dynamo.endpoint, "dynamodb")),
      sns: new SNSClient(await through(queues.endpoint, "sns")),
      cloudWatch: new CloudWatchClient(await through(cloudWatch.endpoint, "cloudwatch")),
    },
  };
}

/** Plays the functions, and returns what is wrong afterwards. */
async function playFunctions(story: Story, plan: FaultPlan, clock: { nowMs: number }) {
  const { dynamo, queues, cloudWatch, clients } = await startServers(plan);
  const [receive, tableName] = [await queues.subscribe("alerts", undefined), await dynamo.createTable()];
  const run = await runFunctions({ story, plan, clock, tableName, topicArn: queues.topicArn, clients });
  const stored = await readContents(dynamo.client, tableName);
  const arrived = (await receive()).map(({ Body }) => readAlert(Body).id);
  const points = cloudWatch.calls
    .flatMap(({ MetricData }) => MetricData)
    .filter(({ MetricName }) => MetricName === "RequestFailed")
    .map(({ Dimensions, Timestamp }) => `${Dimensions?.[0]?.Value} ${Timestamp * 1_000}`);
  /** A check that was never sent, because no sample was known yet, has none. */
  const scheduled = [...stored.observations.values()].filter(
    ({ isPrimary, reason, outcome }) => isPrimary && reason === "scheduled" && outcome.kind !== "refused",
  );
  const countPoints = ({ endpoint, at }: Observation) =>
    points.filter((point) => point === `${endpoint} ${Date.parse(at)}`).length;
  const expected = await expectedAlerts([...stored.observations.values()]);
  return {
    ...{ run, stored, arrived, expected },
    lost: run.observations.filter(({ id }) => !stored.observations.has(id)).map(({ id }) => id),
    withoutPoint: scheduled.filter((one) => countPoints(one) === 0).map(({ id }) => id),
    withCopies: scheduled.filter((one) => countPoints(one) > 1).map(({ id }) => id),
    missing: [...expected].filter((id) => !arrived.includes(id)),
    extra: stored.alerts.filter((id) => !expected.has(id)),
  };
}

test("on AWS nothing is lost, and everything arrives once and in order", async () => {
  const clock = { nowMs: startMs };
  const outages = listOutages({
    ...{ 1: ["dynamodb"], 5: ["sns"], 9: ["cloudwatch"], 13: ["dynamodb", "sns", "cloudwatch"] },
  });
  const plan = planFaults({ seed, share: 0, outages, nowMs: () => clock.nowMs });
  // Without the table nothing is requested: V1's fault is seen when the table is back.
  const result = await playFunctions(storyWith(17, { 1: 195, 5: 60, 9: 60, 13: 195 }), plan, clock);
  const { run, stored, arrived } = result;
  console.log(
    `${countFaults(plan)} broken connections, ${run.failedRuns} failed runs, ${stored.observations.size} observations, alerts: ${arrived.join(" ")}`,
  );
  expect(result).toMatchObject({ lost: [], missing: [], withoutPoint: [], withCopies: [] });
  expect(stored).toMatchObject({ unassessed: [], waiting: [] });
  expect(judgeArrivals(new Set(stored.alerts), new Map([["sns", arrived]]), new Map())).toEqual([]);
  expect(arrived.filter((id) => /^down.*opened$/.test(id))).toHaveLength(4);
});

test("on AWS nine hours of broken connections loses nothing, and every alert arrives", async () => {
  const clock = { nowMs: startMs };
  const plan = planFaults({ seed, share: 0.1, nowMs: () => clock.nowMs });
  const result = await playFunctions(storyWith(9, { 2: 60 }), plan, clock);
  const { run, stored, arrived, extra } = result;
  console.log(
    `seed ${seed}: ${countFaults(plan)} broken connections, ${run.failedRuns} failed runs, ${stored.observations.size} observations, ${new Set(arrived).size} alerts in ${arrived.length} messages; of a part of a tick: ${extra.join(" ") || "none"}`,
  );
  expect(result).toMatchObject({ lost: [], missing: [], withoutPoint: [] });
  expect(stored).toMatchObject({ unassessed: [], waiting: [] });
  expect(new Set(arrived)).toEqual(new Set(stored.alerts));
  expect(run.failedRuns).toBeGreaterThan(20);
});
