// The functions of AWS for virtual hours: a prober for each endpoint and an assessment, each of them once a minute, over
// whatever servers play DynamoDB, SNS and CloudWatch. What is left afterwards is read from the table itself.
import { inflateRawSync } from "node:zlib";
import type { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import type { SNSClient } from "@aws-sdk/client-sns";
import { assess, type Memory } from "../../lib/assess/assess.ts";
import { groupTicks } from "../../lib/assess/fold.ts";
import { units } from "../../lib/assess/metrics.ts";
import { recordTick, recordUnsavedTicks } from "../../lib/assess/record-tick.ts";
import { createCloudWatchReceiver } from "../../lib/aws/cloudwatch.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { createOutbox } from "../../lib/aws/outbox.ts";
import { createSnsReceiver } from "../../lib/aws/sns.ts";
import { assessmentSettings } from "../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { deliverPending } from "../../lib/delivery/outbox.ts";
import { createMemoryLedger, createMemoryOutbox } from "../../lib/local/memory-ports.ts";
import { createVirtualTransport } from "../../lib/local/replay.ts";
import type { Ports } from "../../lib/ports.ts";
import { runTick } from "../../lib/probe/tick.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { startStoryServer } from "../stories/server.ts";
import { DAY, HOUR, MINUTE, STORY_KEY, type Story } from "../stories/types.ts";
import type { FaultPlan } from "./plan.ts";
import { configOf } from "./watch.ts";

export type FunctionsOptions = {
  story: Story;
  plan: FaultPlan;
  clock: { nowMs: number };
  tableName: string;
  topicArn: string;
  /** Through whatever breaks their connections. */
  clients: { dynamo: DynamoDBClient; sns: SNSClient; cloudWatch: CloudWatchClient };
};

export type FunctionsRun = { observations: Observation[]; failedRuns: number };

const calmMs = 3 * HOUR;
const readKey = async () => ({ kind: "key", key: STORY_KEY }) as const;

export async function runFunctions(options: FunctionsOptions): Promise<FunctionsRun> {
  const { story, plan, clock, tableName, topicArn, clients } = options;
  const nowMs = () => clock.nowMs;
  const endMs = Date.parse(story.start) + story.days * DAY;
  const server = await startStoryServer(story);
  const config = configOf(server.url);
  const table = { tableName, retentionDays: 400, client: clients.dynamo };
  const metrics = { namespace: "V1Watch", units, nowMs, say() {}, client: clients.cloudWatch };
  const portsOf = (): Ports => ({
    ...{ nowMs, readKey, ledger: createLedger({ ...table, nowMs }), outbox: createOutbox(table) },
    receivers: [createSnsReceiver({ topicArn, client: clients.sns }), createCloudWatchReceiver(metrics)],
  });
  const observations: Observation[] = [];
  let failedRuns = 0;
  /** Lambda invokes a function that failed once more, for the same tick. */
  async function invoke<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    for (const _ of ["the tick", "its retry"])
      try {
        return await work();
      } catch {
        failedRuns += 1;
      }
    return otherwise;
  }

  const transports = endpointIds.map(createVirtualTransport);
  const probers = endpointIds.map((only: EndpointId, index) => {
    const ports = portsOf();
    const unsaved: Observation[][] = [];
    return () =>
      invoke(
        async () => {
          const result = await runTick({
            ...{
              tickMs: clock.nowMs,
              config,
              ledger: ports.ledger,
              readKey,
              nowMs,
              allowLoopback: true,
              only,
            },
            ...{ transport: transports[index]!.transport },
            onObservation: (one) => void observations.push(one),
          });
          if (result.observations.length > 0) unsaved.push(result.observations);
          const failed = (await recordUnsavedTicks(ports, unsaved)) ?? result.unsaved;
          if (failed) throw new Error(failed.why);
          return { isFailed: false, isIdle: result.observations.length === 0, nextTickMs: result.nextTickMs };
        },
        { isFailed: true, isIdle: false, nextTickMs: clock.nowMs },
      );
  });
  const ports = portsOf();
  const memory: Memory = {};
  const assessOnce = () =>
    invoke(async () => (await assess(ports, assessmentSettings(config), memory)).delivered, {
      delivered: 0,
      failed: 1,
      pending: 1,
    });

  try {
    while (clock.nowMs < endMs + calmMs) {
      if (clock.nowMs >= endMs) plan.end();
      // The assessment of a minute begins with its checks, and does not see them.
      const { pending, failed } = await assessOnce();
      const ticks = await Promise.all(probers.map((prober) => prober()));
      const isIdle = ticks.every((one) => one.isIdle) && pending + failed === 0;
      const nextMs = Math.min(...ticks.map(({ nextTickMs }) => nextTickMs), clock.nowMs + HOUR);
      // While all of them fail nothing changes: only every fifth minute is played.
      const stepMs = failed > 0 && ticks.every((one) => one.isFailed) ? 5 * MINUTE : MINUTE;
      clock.nowMs = Math.max(clock.nowMs + stepMs, isIdle ? Math.ceil(nextMs / MINUTE) * MINUTE : 0);
    }
    await assessOnce();
    await deliverPending(ports.outbox, ports.receivers, nowMs);
    return { observations, failedRuns };
  } finally {
    for (const { close } of transports) close();
    await server.close();
  }
}

export type TableContents = {
  observations: Map<string, Observation>;
  unassessed: string[];
  /** Ids of all alerts, and of those that still wait. */
  alerts: string[];
  waiting: string[];
};

/** Read by a scan, without the code of the ledger and the outbox, over a connection that does not break. */
export async function readContents(client: DynamoDBClient, TableName: string): Promise<TableContents> {
  const contents: TableContents = { observations: new Map(), unassessed: [], alerts: [], waiting: [] };
  for await (const page of paginateScan({ client }, { TableName, ConsistentRead: true }))
    for (const { pk, toDo, body } of page.Items ?? []) {
      const [kind = "", id = ""] = pk?.S?.split(/#(.*)/s) ?? [];
      if (kind === "observation") {
        contents.observations.set(id, JSON.parse(inflateRawSync(body?.B ?? new Uint8Array()).toString()));
        if (toDo) contents.unassessed.push(id);
      }
      if (kind !== "message") continue;
      if (!id.startsWith("metrics/")) contents.alerts.push(id);
      if (toDo) contents.waiting.push(id);
    }
  return contents;
}

/** The alerts of the same observations where each tick is assessed when it has come, and nothing fails. */
export async function expectedAlerts(observations: readonly Observation[], baseUrl = "http://127.0.0.1:1") {
  const ids = new Set<string>();
  const clock = { nowMs: 0 };
  const ports: Ports = {
    ...{ nowMs: () => clock.nowMs, readKey, outbox: createMemoryOutbox() },
    ...{ ledger: createMemoryLedger(emptyProbeState), receivers: [acceptAlerts(({ id }) => ids.add(id))] },
  };
  const memory: Memory = {};
  for (const tick of groupTicks(observations)) {
    await recordTick(ports, tick);
    clock.nowMs = Math.max(...tick.map(({ at }) => Date.parse(at))) + MINUTE;
    await assess(ports, assessmentSettings(configOf(baseUrl)), memory);
  }
  return ids;
}
