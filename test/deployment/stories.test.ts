// The same on AWS: the bundles of the functions, in AWS's runtime client and over a table that moto plays, give the same
// incidents as `v1watch replay` for parts of four stories. Minutes in which nothing is due are left out.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateTopicCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forCloudWatch } from "../../lib/assess/alarms/published.ts";
import { metrics, toDataPoints } from "../../lib/assess/metrics.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { type Config, loadConfig } from "../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { findNextTick, planRequests } from "../../lib/probe/schedule/plan.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { bundleInto } from "../../lib/stack/bundle.ts";
import { assessSettings, probeSettings } from "../../lib/stack/function-settings.ts";
import { startCloudWatch } from "../aws/cloudwatch-server.ts";
import { tableInput } from "../aws/dynamo-server.ts";
import { collect } from "../local/samples.ts";
import { playStory } from "../stories/play.ts";
import { startStoryServer } from "../stories/server.ts";
import { MINUTE, parseInstant, readStory, STORY_KEY, type Story } from "../stories/types.ts";
import { startInbox } from "./inbox.ts";
import { type Runtime, startRuntime } from "./lambda-runtime.ts";
import { type Aws, region, startAws } from "./moto.ts";

/** The part of each story that is played, in offsets from its start. Nothing in them is left to chance. */
const parts: [name: string, cut: { from: string; to: string }][] = [
  ["outage-starts-with-one-endpoint", { from: "5h", to: "12h" }],
  ["key-refused-then-everybody-refused", { from: "22h", to: "1d10h" }],
  ["drift-returns-after-an-end", { from: "1d1h", to: "1d12h" }],
  ["sunset-announced-on-all-endpoints", { from: "1d6h", to: "1d10h" }],
];

const cloudWatch = await startCloudWatch();
let aws: Aws;
let folder = "";
const runtimes: Runtime[] = [];

beforeAll(async () => {
  aws = await startAws();
  folder = mkdtempSync(join(tmpdir(), "v1watch-stories-"));
  for (const name of ["probe", "assess"] as const) {
    mkdirSync(join(folder, name));
    bundleInto(join(folder, name), name);
  }
  await aws.cli(
    ...["ssm", "put-parameter", "--name", "/v1watch/key", "--type", "SecureString", "--value", STORY_KEY],
  );
});

afterAll(async () => {
  for (const runtime of runtimes) await runtime.stop();
  await aws?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Of an incident's alerts all that does not depend on seconds. */
const outline = (alerts: readonly Alert[]) =>
  alerts
    .filter(({ event }) => event !== "digest")
    // The alerts of one instant have no order.
    .sort((a, b) => (a.at === b.at ? (a.rule < b.rule ? -1 : 1) : a.at < b.at ? -1 : 1))
    .map(({ event, severity, rule, scope, endpoints, facts }) => ({
      event,
      severity,
      rule,
      scope,
      endpoints: endpoints.toSorted(),
      firstBad: facts?.firstBadAt.slice(0, 16),
      firstGood: facts?.firstGoodAfterAt?.slice(0, 16) ?? null,
    }));

/** `published`, `expected`: the data points of checks in CloudWatch, and those of the observations in the table. */
type Invocation = { invocations: number; alerts: Alert[]; published: string[]; expected: string[] };

const ofChecks = new Set<string>(
  metrics.filter(({ when }) => when === "check" || when === "event").map(({ name }) => name),
);
const pointText = (point: {
  metric: string;
  endpoint?: string | undefined;
  atMs: number;
  samples: [number, number][];
}) => JSON.stringify([point.metric, point.endpoint ?? "", new Date(point.atMs).toISOString(), point.samples]);
const pair = (values: readonly number[], counts: readonly number[] | undefined) =>
  values.map((value, index): [number, number] => [value, counts?.[index] ?? 1]);

/** Those of checks that were published since this was called last. */
const takePublished = (): string[] =>
  cloudWatch.calls
    .splice(0)
    .flatMap(({ MetricData }) => MetricData)
    .filter(({ MetricName }) => ofChecks.has(MetricName))
    .map(({ MetricName, Dimensions, Timestamp, Values, Counts }) =>
      pointText({
        metric: MetricName,
        endpoint: Dimensions?.[0]?.Value,
        atMs: Math.round(Timestamp * 1_000),
        samples: pair(Values, Counts),
      }),
    )
    .sort();

async function playOnAws(story: Story, cut: { from: string; to: string }): Promise<Invocation> {
  const clockFile = join(folder, `clock-${story.name}`);
  let nowMs = parseInstant(story, cut.from);
  let aheadMs = 0;
  const server = await startStoryServer(story, () => Date.now() + aheadMs);
  const inbox = await startInbox();
  const options = {
    endpoint: aws.endpoint,
    region,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  };
  const [dynamo, sns] = [new DynamoDBClient(options), new SNSClient(options)];
  const TableName = story.name;
  await dynamo.send(new CreateTableCommand({ TableName, ...tableInput() }));
  const { TopicArn = "" } = await sns.send(new CreateTopicCommand({ Name: story.name }));
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: "http", Endpoint: inbox.url }));
  const fileText = JSON.stringify({ baseUrl: server.url, key: { ssm: "/v1watch/key" } });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  const config: Config = loaded.config;
  const ledger = createLedger({ tableName: TableName, retentionDays: 400, client: dynamo });

  const start = async (name: "probe" | "assess", own: Record<string, string>) => {
    const environment = {
      ...aws.environment,
      // It keeps what it is sent as it is.
      AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch.endpoint,
      TABLE: TableName,
      NAMESPACE: "V1Watch",
      RETENTION_DAYS: "400",
      TOPIC: TopicArn,
      SUBSCRIPTIONS: "1",
      ...own,
    };
    writeFileSync(clockFile, "0");
    const runtime = await startRuntime({ taskRoot: join(folder, name), environment, clockFile });
    runtimes.push(runtime);
    return runtime;
  };
  const probes = new Map<EndpointId, Runtime>();
  for (const endpoint of endpointIds)
    probes.set(endpoint, await start("probe", { ENDPOINT: endpoint, SETTINGS: probeSettings(config) }));
  const assess = await start("assess", { SETTINGS: assessSettings(config) });

  let invocations = 0;
  const invoke = async (runtime: Runtime | undefined) => {
    invocations += 1;
    const answer = await runtime?.invoke({ tick: new Date(nowMs).toISOString() });
    expect(answer?.ok, `${JSON.stringify(answer)} ${runtime?.log().slice(-1_500)}`).toBe(true);
  };
  let isNew = true;
  while (nowMs < parseInstant(story, cut.to)) {
    aheadMs = nowMs + 1_000 - Date.now();
    writeFileSync(clockFile, String(aheadMs));
    const { value: probeState } = (await ledger.readProbeState()) ?? { value: emptyProbeState };
    const due = endpointIds.filter(
      (endpoint) => planRequests(nowMs, probeState, config, endpoint).requests.length > 0,
    );
    // The assessment of a minute begins with its checks, and does not see them.
    if (isNew) await invoke(assess);
    await Promise.all(due.map((endpoint) => invoke(probes.get(endpoint))));
    isNew = due.length > 0;
    const nextMs = Math.min(...endpointIds.map((one) => findNextTick(nowMs, probeState, config, one)));
    nowMs = isNew ? nowMs + MINUTE : Math.max(nowMs + MINUTE, Math.ceil(nextMs / MINUTE) * MINUTE);
  }
  for (const runtime of [...probes.values(), assess]) await runtime.stop();
  inbox.close();
  await server.close();
  const observations = await collect(ledger.observations(parseInstant(story, cut.from), nowMs + MINUTE));
  const expected = observations
    .flatMap((one) => forCloudWatch(toDataPoints(one, {})))
    .map(({ values, counts, ...point }) => pointText({ ...point, samples: pair(values, counts) }))
    .sort();
  return { invocations, alerts: inbox.alerts, published: takePublished(), expected };
}

test.each(parts)(
  "The story %s has the same incidents on AWS as in a replay, and publishes the data points of the stored observations",
  async (name, cut) => {
    const story = readStory(join(import.meta.dirname, "..", "stories", "stories", `${name}.json`));
    const { messages } = await playStory(story, cut);
    const local = messages.map(({ alert }) => alert);
    const startedMs = performance.now();
    const { alerts, invocations, published, expected } = await playOnAws(story, cut);
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(
      `${name}: ${invocations} invocations and ${published.length} data points in ${seconds} s: ${alerts.map(({ subject }) => subject).join(" · ")}`,
    );
    expect(outline(alerts)).toEqual(outline(local));
    expect(outline(alerts).length).toBeGreaterThan(0);
    expect(published).toEqual(expected);
    expect(published.length).toBeGreaterThan(0);
  },
);
