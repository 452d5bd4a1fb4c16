// The functions of AWS for virtual hours or months: a prober for each endpoint and an assessment, each of them once a
// minute, over whatever servers play DynamoDB, SNS and CloudWatch.

import { forCloudWatch } from "../../lib/assess/alarms/published.ts";
import { assess, type Memory, type Settings } from "../../lib/assess/assess.ts";
import { toDataPoints, units } from "../../lib/assess/metrics.ts";
import { recordUnsavedTicks } from "../../lib/assess/record-tick.ts";
import { createCheckPublisher, createCloudWatchPublisher } from "../../lib/aws/cloudwatch.ts";
import { createLedger, createUnpublished } from "../../lib/aws/ledger.ts";
import { createOutbox } from "../../lib/aws/outbox.ts";
import { createSnsReceiver, createSubscriptionReader } from "../../lib/aws/sns.ts";
import { assessmentSettings } from "../../lib/config/assessment-settings.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { type DeliveryCounts, deliverPending } from "../../lib/delivery/outbox.ts";
import { createVirtualTransport } from "../../lib/local/replay.ts";
import type { Ports } from "../../lib/ports.ts";
import { runTick } from "../../lib/probe/tick.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { startStoryServer } from "../stories/server.ts";
import { DAY, HOUR, MINUTE, STORY_KEY, type Story } from "../stories/types.ts";
import { type Acknowledged, noAcknowledgements, noteAcknowledged } from "./acknowledged.ts";
import type { FaultPlan } from "./plan.ts";
import type { Servers } from "./servers.ts";
import { configOf, readSentinels } from "./watch.ts";

export type FunctionsOptions = {
  story: Story;
  plan: FaultPlan;
  clock: { nowMs: number };
  servers: Servers;
  /** How often each endpoint is checked, where it is not the default. */
  calm?: string;
};

export type FunctionsRun = {
  /** As the probers made them: more than once where a tick was run again. */
  observations: Observation[];
  acknowledged: Acknowledged;
  failedRuns: number;
  settings: Settings;
  /** The key and the people that V1 has shown. */
  sentinels: string[];
};

const calmMs = 3 * HOUR;
const noCounts: DeliveryCounts = { delivered: 0, failed: 0, pending: 0 };
const readKey = async () => ({ kind: "key", key: STORY_KEY }) as const;

export async function runFunctions(options: FunctionsOptions): Promise<FunctionsRun> {
  const { story, plan, clock, servers, calm } = options;
  const { clients, tableName, topicArn } = servers;
  const nowMs = () => clock.nowMs;
  const endMs = Date.parse(story.start) + story.days * DAY;
  const server = await startStoryServer(story);
  const config = configOf(server.url, calm);
  const sentinels = await readSentinels(server.url, story);
  const settings = assessmentSettings(config);
  const table = { tableName, retentionDays: 400, client: clients.dynamo };
  const publish = createCloudWatchPublisher({
    namespace: "V1Watch",
    units,
    nowMs,
    onDropped() {},
    client: clients.cloudWatch,
  });
  const acknowledged = noAcknowledgements();
  const portsOf = (): Ports =>
    noteAcknowledged(
      {
        nowMs,
        readKey,
        ledger: createLedger({ ...table, nowMs }),
        outbox: createOutbox(table),
        receivers: [createSnsReceiver({ topicArn, client: clients.sns })],
        publishMetrics: publish,
        readSubscriptions: createSubscriptionReader({ topicArn, expected: 1, client: clients.sns }),
      },
      acknowledged,
    );
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

  const transports = endpointIds.map(() => createVirtualTransport());
  const probers = endpointIds.map((only: EndpointId, index) => {
    const ports = portsOf();
    const unsaved: Observation[][] = [];
    const publisher = createCheckPublisher({
      endpoint: only,
      unpublished: createUnpublished(table),
      publish,
      toDataPoints: (one) => forCloudWatch(toDataPoints(one, settings)),
      nowMs,
      onFailed() {},
    });
    return () =>
      invoke(
        async () => {
          const result = await runTick({
            tickMs: clock.nowMs,
            config,
            ledger: ports.ledger,
            readKey,
            nowMs,
            allowLoopback: true,
            only,
            transport: transports[index]!.transport,
            onObservation: (one) => void observations.push(one),
          });
          if (result.observations.length > 0) unsaved.push(result.observations);
          const own = unsaved.flat().map(({ id }) => id);
          const failed = (await recordUnsavedTicks(ports, unsaved)) ?? result.unsaved;
          if (own.length > 0 || publisher.hasMore()) await publisher.publish(own, Infinity);
          if (failed) throw new Error(failed.why);
          const isIdle = result.observations.length === 0 && !publisher.hasMore();
          return { isFailed: false, isIdle, nextTickMs: result.nextTickMs };
        },
        { isFailed: true, isIdle: false, nextTickMs: clock.nowMs },
      );
  });
  const ports = portsOf();
  const memory: Memory = {};
  const assessOnce = () =>
    invoke(async () => (await assess(ports, settings, memory)).delivered, {
      delivered: 0,
      failed: 1,
      pending: 1,
    });

  /** The idle minutes up to the next check are left out, and the assessment of its minute with them. */
  let isIdle = false;
  try {
    while (clock.nowMs < endMs + calmMs) {
      if (clock.nowMs >= endMs) plan.end();
      // The assessment of a minute begins with its checks, and does not see them.
      const counts: DeliveryCounts = isIdle ? noCounts : await assessOnce();
      const ticks = await Promise.all(probers.map((prober) => prober()));
      const nextMs = Math.min(...ticks.map(({ nextTickMs }) => nextTickMs));
      isIdle = ticks.every((one) => one.isIdle) && counts.pending + counts.failed === 0;
      // While all of them fail nothing changes: only every fifth minute is played.
      const stepMs = counts.failed > 0 && ticks.every((one) => one.isFailed) ? 5 * MINUTE : MINUTE;
      clock.nowMs = Math.max(clock.nowMs + stepMs, isIdle ? Math.ceil(nextMs / MINUTE) * MINUTE : 0);
    }
    await assessOnce();
    await deliverPending(ports.outbox, ports.receivers, nowMs);
    return { observations, acknowledged, failedRuns, settings, sentinels };
  } finally {
    for (const { close } of transports) close();
    await server.close();
  }
}
