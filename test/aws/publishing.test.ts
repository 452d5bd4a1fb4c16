// The data points of checks on their way from the table to CloudWatch, over servers that play both.
import { beforeEach, expect, test } from "vitest";
import { toDataPoints, units } from "../../lib/assess/metrics.ts";
import { createCheckPublisher, createCloudWatchPublisher } from "../../lib/aws/cloudwatch.ts";
import { createLedger, createUnpublished } from "../../lib/aws/ledger.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { dayMs, hourMs, minuteMs, observationOf } from "../assess/observation-builder.ts";
import { collect } from "../local/samples.ts";
import { startCloudWatch } from "./cloudwatch-server.ts";
import { type Between, startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();
const cloudWatch = await startCloudWatch();
beforeEach(() => cloudWatch.clear());

const startMs = Date.parse("2026-11-15T00:00:00Z");
const endpoint = "passport";
const down = { status: 503, type: "ServiceUnavailable" };
const checkAt = (atMs: number) => observationOf({ endpoint, at: atMs });

/** A table with the checks of one prober; `startProcess` is a process that Lambda starts for it. */
async function open(between: Between = {}) {
  const clock = { nowMs: startMs };
  const nowMs = () => clock.nowMs;
  const tableName = await dynamo.createTable();
  const options = { tableName, retentionDays: 400, client: dynamo.client };
  const ledger = createLedger({ ...options, nowMs });
  const failed: { id: string; cause: string }[] = [];
  const dropped: string[] = [];
  const broken = await dynamo.clientThrough(between, 1);
  const startProcess = () =>
    createCheckPublisher({
      endpoint,
      unpublished: createUnpublished({ ...options, client: broken }),
      publish: createCloudWatchPublisher({
        namespace: "V1Watch",
        units,
        nowMs,
        onDropped: (cause) => dropped.push(cause),
        client: cloudWatch.client,
      }),
      toDataPoints: (observation) => toDataPoints(observation, {}),
      nowMs,
      onFailed: (one) => failed.push(one),
    });
  const unpublished = () => collect(createUnpublished(options).each(endpoint, []));
  return { clock, ledger, failed, dropped, startProcess, unpublished };
}

/** The times of all data points of a metric, in the order in which CloudWatch accepted them. */
const acceptedTimes = (metric = "RequestFailed") =>
  cloudWatch.calls.flatMap(({ MetricData }) =>
    MetricData.filter(({ MetricName }) => MetricName === metric).map(({ Timestamp }) => Timestamp * 1_000),
  );

const timesOf = (checks: readonly Observation[]) => checks.map(({ at }) => Date.parse(at));

test("In three hours without CloudWatch no data point is lost or doubled, though every process ends meanwhile", async () => {
  const { clock, ledger, failed, startProcess, unpublished } = await open();
  const checks = Array.from({ length: 16 }, (_, index) => checkAt(startMs + index * 30 * minuteMs));
  const isOut = (atMs: number) => atMs >= startMs + 2 * hourMs && atMs < startMs + 5 * hourMs;
  let publisher = startProcess();
  for (const check of checks) {
    const atMs = Date.parse(check.at);
    expect(await ledger.append(check)).toEqual({ kind: "new" });
    // The tick of the check, and one in which nothing is due.
    for (const tickMs of [atMs, atMs + 5 * minuteMs]) {
      clock.nowMs = tickMs;
      cloudWatch.answers.length = 0;
      if (isOut(tickMs)) cloudWatch.answers.push(down, down);
      if (tickMs === atMs || publisher.hasMore())
        await publisher.publish(tickMs === atMs ? [check.id] : [], Infinity);
    }
    if (atMs === startMs + 4 * hourMs) publisher = startProcess();
  }
  expect(acceptedTimes()).toEqual(timesOf(checks));
  expect(acceptedTimes("RecordAgeSeconds")).toEqual(timesOf(checks));
  expect(await unpublished()).toEqual([]);
  expect(publisher.hasMore()).toBe(false);
  expect(failed).toHaveLength(12);
  expect(failed[0]).toEqual({ id: checks[4]?.id, cause: "ServiceUnavailable: no" });
});

test("A tick that is run again, by this process or another one, publishes nothing twice", async () => {
  const { ledger, startProcess } = await open();
  const check = checkAt(startMs);
  for (const publisher of [startProcess(), startProcess()])
    for (const kind of ["new", "known"]) {
      if (cloudWatch.calls.length === 0) expect(await ledger.append(check)).toEqual({ kind });
      await publisher.publish([check.id], Infinity);
    }
  expect(acceptedTimes()).toEqual([startMs]);
});

test("A check of a tick whose process ended before it was published is published by the next process", async () => {
  const { ledger, startProcess } = await open();
  await ledger.append(checkAt(startMs));
  const publisher = startProcess();
  expect(publisher.hasMore()).toBe(true);
  expect(await publisher.publish([], Infinity)).toBe(1);
  expect(acceptedTimes()).toEqual([startMs]);
});

test("A check is assessed and published in any order or at once, and is in no queue afterwards", async () => {
  const orders = [
    ["publish", "assess"],
    ["assess", "publish"],
    ["publish", "publish", "assess", "assess"],
    ["assess", "assess", "publish", "publish"],
  ] as const;
  for (const isAtOnce of [false, true])
    for (const order of orders) {
      const { ledger, startProcess, unpublished } = await open();
      const check = checkAt(startMs);
      await ledger.append(check);
      const done = {
        publish: () => startProcess().publish([check.id], Infinity),
        async assess() {
          const { version } = await ledger.backlog();
          await ledger.commit({ version, folded: [check], checkpoints: [] });
        },
      };
      if (isAtOnce) await Promise.all(order.map((step) => done[step]()));
      else for (const step of order) await done[step]();
      if (isAtOnce && order.length > 2) await done.assess();
      expect((await ledger.backlog()).unassessed).toEqual([]);
      expect(await unpublished()).toEqual([]);
    }
});

test("A check that is published is still to be assessed, and one that is assessed still to be published", async () => {
  const { ledger, startProcess, unpublished } = await open();
  const [first, second] = [checkAt(startMs), checkAt(startMs + hourMs)];
  await ledger.append(first);
  await startProcess().publish([], Infinity);
  await ledger.append(second);
  await ledger.commit({ version: 0, folded: [second], checkpoints: [] });
  expect((await ledger.backlog()).unassessed).toEqual([{ id: first.id, at: first.at }]);
  expect(await unpublished()).toEqual([second]);
});

test("A check that CloudWatch accepted while the table could not record it is recorded later, and not sent again", async () => {
  let isOut = true;
  const fault: Between["fault"] = ({ target }) =>
    isOut && target.endsWith(".UpdateItem") ? "before" : undefined;
  const { ledger, failed, startProcess, unpublished } = await open({ fault });
  const check = checkAt(startMs);
  await ledger.append(check);
  const publisher = startProcess();
  expect(await publisher.publish([check.id], Infinity)).toBe(0);
  expect(failed).toEqual([{ id: endpoint, cause: expect.stringMatching(/^the table cannot be/) }]);
  expect(publisher.hasMore()).toBe(true);
  isOut = false;
  expect(await publisher.publish([], Infinity)).toBe(1);
  expect(acceptedTimes()).toEqual([startMs]);
  expect(await unpublished()).toEqual([]);
});

test("A check that CloudWatch refuses holds back no other, stays to be published, and is named with the cause", async () => {
  const { ledger, failed, startProcess, unpublished } = await open();
  const [odd, good] = [checkAt(startMs), checkAt(startMs + hourMs)];
  for (const check of [odd, good]) await ledger.append(check);
  cloudWatch.answers.push({ status: 400, type: "InvalidParameterValueException" });
  const publisher = startProcess();
  await publisher.publish([], Infinity);
  expect(acceptedTimes()).toEqual(timesOf([good]));
  expect(failed).toEqual([{ id: odd.id, cause: "InvalidParameterValueException: no" }]);
  expect(await unpublished()).toEqual([odd]);
  expect(publisher.hasMore()).toBe(true);
});

test("A check of two weeks ago is not sent, which is said, and is not tried again", async () => {
  const { clock, ledger, dropped, startProcess, unpublished } = await open();
  await ledger.append(checkAt(startMs));
  clock.nowMs = startMs + 14 * dayMs + 1;
  await startProcess().publish([], Infinity);
  expect(cloudWatch.calls).toEqual([]);
  expect(dropped[0]).toMatch(/RequestFailed is older than two weeks/);
  expect(await unpublished()).toEqual([]);
});

test("A prober publishes the checks of its own endpoint only, also one that the index does not list yet", async () => {
  const answer: Between["answer"] = ({ body }, status, text) =>
    body.IndexName === "to-do"
      ? { status, body: JSON.stringify({ Items: [], Count: 0, ScannedCount: 0 }) }
      : { status, body: text };
  const { ledger, startProcess } = await open({ answer });
  const other = observationOf({ endpoint: "passport-list", at: startMs + minuteMs });
  const [own, unlisted] = [checkAt(startMs), checkAt(startMs + hourMs)];
  for (const check of [own, other, unlisted]) await ledger.append(check);
  await startProcess().publish([own.id, other.id], Infinity);
  expect(acceptedTimes()).toEqual([startMs]);
});

test("Nothing is begun after the time of a run, and the next one goes on", async () => {
  const { clock, ledger, startProcess } = await open();
  for (const hour of [0, 1]) await ledger.append(checkAt(startMs + hour * hourMs));
  const publisher = startProcess();
  expect(await publisher.publish([], clock.nowMs)).toBe(0);
  expect(publisher.hasMore()).toBe(true);
  expect(await publisher.publish([], Infinity)).toBe(2);
});
