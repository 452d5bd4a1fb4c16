// 300 workers of a comparison at once lease their requests from shared counters on dynalite. docs/aws/scale.md has the figures
// that it prints.

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { openComparison } from "../../lib/aws/comparison.ts";
import { createLease, planSlices } from "../../lib/parity/lease.ts";
import { credentials, startDynamo } from "../aws/dynamo-server.ts";
import { createClock, mostInWindow } from "../parity/virtual-clock.ts";

const dynamo = await startDynamo();
const workers = 300;
const shards = 3;
/** A worker sends its next request after the response to the last one. */
const requestMs = 50;
const each = <T>(work: (worker: number) => Promise<T>) =>
  Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));

/** Workers are processes of their own: none waits for a socket of another. */
const client = new DynamoDBClient({
  endpoint: dynamo.endpoint,
  region: "eu-west-1",
  credentials,
  requestHandler: { httpAgent: { maxSockets: workers } },
});

test("300 workers never exceed the rate together, and none of them waits for its first token for long", async () => {
  const comparison = openComparison({ tableName: await dynamo.createTable(), client, bucket: "none" });
  const clock = createClock();
  const rate = 2_000;
  const { sliceMs, tokens } = planSlices(rate);
  const sentAt: number[] = [];
  const sent = new Map<number, number>();
  const writes = { granted: 0, refused: 0 };
  const startedMs = clock.now();
  const slices = () => (clock.now() - startedMs) / sliceMs;
  const isOver = () => (sent.size === workers && slices() > 10) || slices() > 100;
  await each(async (worker) => {
    const lease = createLease({
      rate,
      shards,
      sharedBy: workers,
      nowMs: clock.now,
      sleep: clock.sleep,
      async take(counter) {
        const isGranted = await clock.during(comparison.takeTokens("v1", counter));
        writes[isGranted ? "granted" : "refused"]++;
        return isGranted;
      },
    });
    const send = async () => {
      while (!isOver()) {
        await lease.acquire();
        sentAt.push(clock.now());
        sent.set(worker, (sent.get(worker) ?? 0) + 1);
        await clock.sleep(requestMs);
      }
    };
    void send();
  });
  await clock.runUntil(isOver);
  const most = mostInWindow(sentAt);
  const shares = [...sent.values()].sort((a, b) => a - b);
  console.log({
    workers,
    shards,
    rate,
    tokens,
    slices: slices(),
    most,
    requests: sentAt.length,
    ...writes,
    least: shares[0],
    median: shares[workers / 2],
    greatest: shares.at(-1),
  });
  expect(most).toBeLessThanOrEqual(rate);
  expect(sent.size).toBe(workers);
  // A worker is refused at most once in a slice; the run touches the slice that it began in and the one that it ended in.
  const touchedSlices = Math.floor(clock.now() / sliceMs) - Math.floor(startedMs / sliceMs) + 1;
  expect(writes.refused).toBeLessThanOrEqual(workers * touchedSlices);
});
