// The functions over moto, through a proxy that breaks real connections: before a request, before its answer and in the
// middle of an answer. Nothing is lost, and every alert arrives.
import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateTopicCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tableInput } from "../aws/dynamo-server.ts";
import { expectedAlerts, readContents, runFunctions } from "../faults/functions.ts";
import { countFaults, planFaults } from "../faults/plan.ts";
import { startBreakingProxy } from "../faults/proxy.ts";
import type { Story } from "../stories/types.ts";
import { startInbox } from "./inbox.ts";
import { type Aws, region, startAws } from "./moto.ts";

const seed = Number(process.env.V1WATCH_SEED ?? 1);
const start = "2026-03-02T00:00:00Z";

/** V1 fails for an hour. */
const story: Story = {
  ...{
    name: "broken-connections",
    kind: "fault",
    description: "V1 fails for an hour",
    start,
    days: 5 / 24,
    seed,
  },
  timeline: [{ from: "2h", to: "3h", effect: { kind: "respond", status: 503 } }],
  truth: { messages: [], maxPages: 0, maxMessages: 0 },
};

let aws: Aws;
beforeAll(async () => {
  aws = await startAws();
});
afterAll(() => aws?.stop());

test("the functions lose nothing while connections to AWS break, and every alert arrives", async () => {
  const clock = { nowMs: Date.parse(start) };
  const plan = planFaults({ seed, share: 0.08, nowMs: () => clock.nowMs });
  const proxy = await startBreakingProxy(aws.endpoint, plan, "aws");
  const inbox = await startInbox();
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const direct = { endpoint: aws.endpoint, region, credentials };
  const broken = { ...direct, endpoint: proxy.url, maxAttempts: 2 };
  const [dynamo, sns] = [new DynamoDBClient(direct), new SNSClient(direct)];
  const tableName = "broken-connections";
  await dynamo.send(new CreateTableCommand({ TableName: tableName, ...tableInput() }));
  const { TopicArn: topicArn = "" } = await sns.send(new CreateTopicCommand({ Name: tableName }));
  await sns.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: "http", Endpoint: inbox.url }));
  const clients = {
    ...{ dynamo: new DynamoDBClient(broken), sns: new SNSClient(broken) },
    cloudWatch: new CloudWatchClient(broken),
  };
  const run = await runFunctions({ ...{ story, plan, clock, tableName, topicArn, clients } });
  proxy.close();
  inbox.close();
  const stored = await readContents(dynamo, tableName);
  const arrived = inbox.alerts.map(({ id }) => id);
  const expected = await expectedAlerts([...stored.observations.values()]);
  console.log(
    `seed ${seed}: ${countFaults(plan)} broken connections, ${run.failedRuns} failed runs, ${stored.observations.size} observations, ${new Set(arrived).size} alerts in ${arrived.length} messages`,
  );
  expect(run.observations.filter(({ id }) => !stored.observations.has(id))).toEqual([]);
  expect(stored).toMatchObject({ unassessed: [], waiting: [] });
  expect(new Set(arrived)).toEqual(new Set(stored.alerts));
  expect([...expected].filter((id) => !arrived.includes(id))).toEqual([]);
  expect(arrived.filter((id) => id.startsWith("down-")).length).toBeGreaterThan(1);
  expect(countFaults(plan)).toBeGreaterThan(50);
});
