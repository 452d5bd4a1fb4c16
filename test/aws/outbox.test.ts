// The outbox on dynalite, also where responses are lost and an index lags behind.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createOutbox, readProof } from "../../lib/aws/outbox.ts";
import { openTable, readUnreadable } from "../../lib/aws/table.ts";
import { thresholds } from "../../lib/config/thresholds.ts";
import { deliverPending } from "../../lib/delivery/outbox.ts";
import { messageAtMs, type OutboxMessage } from "../../lib/ports.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { acceptAlerts, markDelivered, pendingIn } from "../local/receivers.ts";
import { alertMessage, sampleAlert } from "../local/samples.ts";
import { describeOutbox } from "../local/store/outbox-contract.ts";
import { type Between, type Fault, startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();

const incidentFacts: Alert["facts"] = {
  rule: "down",
  scope: "api",
  endpoints: ["passport"],
  firstBadAt: "2026-11-01T00:00:00.000Z",
  lastGoodBeforeAt: null,
  lastBadAt: "2026-11-01T00:00:00.000Z",
  firstGoodAfterAt: null,
  bad: 1,
  total: 1,
  windowSeconds: 0,
};

async function open() {
  return createOutbox({
    tableName: await dynamo.createTable(),
    retentionDays: 400,
    client: dynamo.client,
  });
}

describeOutbox("DynamoDB", open, 5);

test("DynamoDB outbox: a waiting message never expires, and a delivered one is kept longer than its observations", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const outbox = createOutbox(options);
  const message = alertMessage(3);
  const read = () => openTable(options).get({ pk: `message#${message.id}`, sk: "message" });
  await outbox.put([message]);
  expect((await read())?.expiresAt).toBeUndefined();
  await markDelivered(outbox, message);
  const seconds = Math.ceil(messageAtMs(message) / 1_000) + 404 * 86_400;
  expect((await read())?.expiresAt).toBe(seconds);
});

test("DynamoDB outbox: a delivered alert id is known for the whole countdown, even with a short retention", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 30, client: dynamo.client };
  const outbox = createOutbox(options);
  const daysKept = async (message: OutboxMessage) => {
    await outbox.put([message]);
    await markDelivered(outbox, message);
    const item = await openTable(options).get({ pk: `message#${message.id}`, sk: "message" });
    return (Number(item?.expiresAt) - Math.ceil(messageAtMs(message) / 1_000)) / 86_400;
  };
  expect(await daysKept(alertMessage(3))).toBe(100);
  expect(await daysKept(alertMessage(3))).toBeGreaterThan(thresholds.countdownDays[0]);
});

test("DynamoDB outbox: the latest accepted alert is the proof that alerts arrive", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const outbox = createOutbox(options);
  const confirmedBy = (number: number) => ({ confirmedSince: alertMessage(number).alert.at });
  expect(await readProof(options, confirmedBy(1))).toBe("none");
  for (const number of [2, 1]) await markDelivered(outbox, alertMessage(number));
  const proof = { atMs: Date.parse(alertMessage(2).alert.at), isDrill: false };
  expect(await readProof(options, confirmedBy(2))).toEqual(proof);
  // Nobody is known to have been subscribed when it was accepted.
  expect(await readProof(options, confirmedBy(3))).toBe("none");
  expect(await readProof(options)).toBe("none");
});

test("DynamoDB outbox: an alert that no receiver wanted proves nothing, and a drill is named as one", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const outbox = createOutbox(options);
  const drill = sampleAlert(2, { event: "drill" });
  const message: OutboxMessage = { id: drill.id, kind: "alert", alert: drill };
  await outbox.record(message, acceptAlerts(), { state: "unwanted", atMs: 0 });
  const confirmed = { confirmedSince: alertMessage(1).alert.at };
  expect(await readProof(options, confirmed)).toBe("none");
  await markDelivered(outbox, message);
  expect(await readProof(options, confirmed)).toEqual({ atMs: Date.parse(drill.at), isDrill: true });
});

test("DynamoDB outbox: a delivered message keeps its id and loses its content; one that is set aside expires", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const outbox = createOutbox(options);
  const [delivered, given] = [alertMessage(1), alertMessage(2)];
  await outbox.put([delivered, given]);
  await markDelivered(outbox, delivered);
  await outbox.record(given, acceptAlerts(), { state: "set-aside", tries: 9, atMs: 9_000, why: "400" });
  const read = ({ id }: OutboxMessage) => openTable(options).get({ pk: `message#${id}`, sk: "message" });
  expect(Object.keys((await read(delivered)) ?? {}).toSorted()).toEqual(["expiresAt", "pk", "sk"]);
  const seconds = Math.ceil(messageAtMs(given) / 1_000) + 404 * 86_400;
  expect((await read(given))?.expiresAt).toBe(seconds);
  expect(await pendingIn(outbox)).toEqual([]);
});

test("DynamoDB outbox: the status has the first failure and the cause of the latest, and counts up to 100", async () => {
  const outbox = await open();
  const queue = acceptAlerts();
  expect(await outbox.undelivered()).toEqual({ count: 0, oldestMs: undefined });
  expect(await outbox.status(queue)).toEqual({ waiting: 0, setAside: [] });
  const messages = Array.from({ length: 101 }, (_, number) => alertMessage(number));
  await outbox.put(messages);
  for (const [number, atMs] of [4_000, 2_000, 9_000, 3_000].entries())
    await outbox.record(alertMessage(number), queue, {
      state: "waiting",
      tries: 1,
      atMs,
      nextTryMs: 0,
      why: `failed at ${atMs}`,
    });
  const failing = { since: "1970-01-01T00:00:02.000Z", why: "failed at 9000" };
  expect(await outbox.status(queue)).toEqual({ waiting: 100, failing, setAside: [] });
  expect(await outbox.undelivered()).toEqual({ count: 100, oldestMs: messageAtMs(alertMessage(0)) });
});

test("DynamoDB outbox: the status names the 20 latest messages that were set aside", async () => {
  const outbox = await open();
  const messages = Array.from({ length: 21 }, (_, number) => alertMessage(number));
  await outbox.put(messages);
  for (const [number, message] of messages.entries())
    await outbox.record(message, acceptAlerts(), {
      state: "set-aside",
      tries: 1,
      atMs: number,
      why: "400",
    });
  const { setAside } = await outbox.status(acceptAlerts());
  const ids = setAside.map(({ id }) => id).toSorted();
  expect(ids).toEqual(
    messages
      .slice(1)
      .map(({ id }) => id)
      .toSorted(),
  );
});

test("DynamoDB outbox: messages that cannot be read are set aside and counted, and the others are delivered", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const outbox = createOutbox(options);
  const table = openTable(options);
  const messages = [0, 1, 2, 3, 4].map(alertMessage);
  await outbox.put(messages);
  const bodies = [null, '{"id":', "{}", JSON.stringify(alertMessage(4))];
  for (const [number, body] of bodies.entries()) {
    const item = await table.get({ pk: `message#${alertMessage(number).id}`, sk: "message" });
    await table.put({ ...item, body });
  }
  for (let run = 0; run < 2; run += 1)
    expect(await pendingIn(createOutbox(options))).toEqual([alertMessage(4)]);
  expect(await pendingIn(outbox)).toEqual([alertMessage(4)]);
  expect((await outbox.undelivered()).count).toBe(1);
  expect(await readUnreadable(options)).toEqual({
    count: 4,
    byTable: { message: 4 },
    latestMs: expect.any(Number),
  });
  // What was found stays in the table.
  const kept = await table.get({ pk: `message#${alertMessage(1).id}`, sk: "message" });
  expect(kept?.body).toBe('{"id":');
});

test("DynamoDB outbox: the announced incidents are those without a RESOLVED, also when all is delivered", async () => {
  const outbox = await open();
  const about = (id: string, event: Alert["event"], minute: number, more: Partial<Alert> = {}) => {
    const alert = sampleAlert(minute, { id, event, facts: incidentFacts, ...more });
    return { id, kind: "alert" as const, alert };
  };
  const messages = [
    about("a/1-opened", "opened", 1),
    about("a/2-resolved", "resolved", 2),
    about("b/1-opened", "opened", 1),
    about("b/2-changed", "changed", 3),
    about("c/1-opened", "opened", 1),
    about("d/1-opened", "opened", 4, { supersedes: ["c"] }),
    about("drill/1-drill", "drill", 5, { facts: null }),
  ];
  await outbox.put(messages.slice(0, 3));
  await outbox.put(messages);
  for (const message of messages) await markDelivered(outbox, message);
  const ids = (await outbox.announced()).map(({ id }) => id).toSorted();
  expect(ids).toEqual(["b/2-changed", "d/1-opened"]);
  await outbox.put([about("b/3-resolved", "resolved", 6)]);
  expect((await outbox.announced()).map(({ id }) => id)).toEqual(["d/1-opened"]);
});

test("DynamoDB outbox: a lost response stores and delivers no message twice", async () => {
  const faults: Fault[] = [];
  const client = await dynamo.clientThrough({ fault: () => faults.shift() });
  const outbox = createOutbox({ tableName: await dynamo.createTable(), retentionDays: 400, client });
  faults.push("after");
  expect(await outbox.put([alertMessage(1)])).toEqual({ kind: "kept" });
  expect(await pendingIn(outbox)).toEqual([alertMessage(1)]);
  faults.push("after");
  await markDelivered(outbox, alertMessage(1));
  expect(await pendingIn(outbox)).toEqual([]);
});

test("DynamoDB outbox: a message is not kept, with the error's name and without an exception, where there is no table", async () => {
  const outbox = createOutbox({ tableName: "absent", retentionDays: 400, client: dynamo.client });
  expect(await outbox.put([alertMessage(1)])).toEqual({ kind: "failed", why: "ResourceNotFoundException" });
});

test("DynamoDB outbox: what this process has put is returned while the index does not list it yet", async () => {
  let reads = 0;
  const answer: Between["answer"] = (question, status, body) => {
    if ("ConsistentRead" in question.body && "Key" in question.body) reads += 1;
    if (question.body.IndexName !== "to-do") return { status, body };
    return { status, body: JSON.stringify({ Items: [], Count: 0, ScannedCount: 0 }) };
  };
  const client = await dynamo.clientThrough({ answer });
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client };
  const outbox = createOutbox(options);
  const messages = [alertMessage(1), alertMessage(2)] as const;
  await outbox.put(messages);
  expect(await pendingIn(outbox, 10)).toEqual(messages);
  expect(await pendingIn(outbox, 1)).toHaveLength(1);
  // Another process delivered it meanwhile: the item itself says so.
  await markDelivered(createOutbox(options), messages[0]);
  expect(await pendingIn(outbox, 10)).toEqual([messages[1]]);
  expect(reads).toBeGreaterThan(0);
  await outbox.put(messages);
  await markDelivered(outbox, messages[1]);
  const before = reads;
  expect(await pendingIn(outbox, 10)).toEqual([]);
  expect(reads).toBe(before);
});

test("DynamoDB outbox: two assessments at one instant publish a page once, and one that is killed leaves it to the next after two minutes", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const message = alertMessage(1);
  await createOutbox(options).put([message]);
  const startMs = messageAtMs(message) + 60_000;
  const sent: number[] = [];
  /** An assessment in a process of its own. SNS answers after both have read the queue. */
  const run = (atMs: number, end: "answers" | "killed") =>
    deliverPending(
      createOutbox(options),
      [
        {
          name: "sns",
          reachesPeople: true,
          async send() {
            sent.push(atMs);
            await sleep(100);
            if (end === "killed") await new Promise(() => {});
            return acceptedByReceiver();
          },
        },
      ],
      () => atMs,
    );
  // It never comes back.
  void run(startMs, "killed");
  await expect.poll(() => sent).toEqual([startMs]);
  await run(startMs + 119_000, "answers");
  expect(sent).toEqual([startMs]);
  const after = startMs + 121_000;
  const counts = await Promise.all([run(after, "answers"), run(after, "answers")]);
  expect(sent).toEqual([startMs, after]);
  expect(counts.map(({ delivered }) => delivered).sort()).toEqual([0, 1]);
  await run(after + 600_000, "answers");
  expect(sent).toHaveLength(2);
});

test("DynamoDB outbox: a message that SNS refused is tried again at its time, whatever was claimed, and one whose claim cannot be stored is sent", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const message = alertMessage(1);
  const outbox = createOutbox(options);
  await outbox.put([message]);
  const startMs = messageAtMs(message) + 60_000;
  expect(await outbox.claim?.(message, startMs)).toBe(true);
  expect(await outbox.claim?.(message, startMs + 1_000)).toBe(false);
  const failed = {
    state: "waiting",
    atMs: startMs,
    tries: 1,
    nextTryMs: startMs + 15_000,
    why: "x",
  } as const;
  await outbox.record(message, { name: "sns" }, failed);
  expect(await outbox.claim?.(message, startMs + 15_000)).toBe(true);
  // A clock that was wrong claims nothing for years.
  const other = createOutbox(options);
  expect(await other.claim?.(message, startMs - 86_400_000)).toBe(true);
  const alerts: Alert[] = [];
  const broken = { ...createOutbox(options), claim: () => Promise.reject(new Error("throttled")) };
  await deliverPending(broken, [acceptAlerts((alert) => alerts.push(alert))], () => startMs + 900_000);
  expect(alerts.map(({ id }) => id)).toEqual([message.id]);
});
