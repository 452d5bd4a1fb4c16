import { expect, test } from "vitest";
import { createOutbox, readProof } from "../../lib/aws/outbox.ts";
import { openTable } from "../../lib/aws/table.ts";
import { thresholds } from "../../lib/config/thresholds.ts";
import { messageAtMs, type OutboxMessage } from "../../lib/ports.ts";
import { markDelivered } from "../local/receivers.ts";
import { alertMessage, metricsMessage } from "../local/samples.ts";
import { describeOutbox } from "../local/store/outbox-contract.ts";
import { startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();

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
  const message = metricsMessage(3);
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
  expect(await daysKept(metricsMessage(3))).toBe(34);
  expect(await daysKept(alertMessage(3))).toBe(100);
  expect(await daysKept(alertMessage(3))).toBeGreaterThan(thresholds.countdownDays[0]);
});

test("DynamoDB outbox: the latest accepted alert is the proof that alerts arrive", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, client: dynamo.client };
  const outbox = createOutbox(options);
  const confirmedBy = (number: number) => ({ confirmedSince: alertMessage(number).alert.at });
  expect(await readProof(options, confirmedBy(1))).toBe("none");
  await markDelivered(outbox, metricsMessage(3));
  expect(await readProof(options, confirmedBy(1))).toBe("none");
  for (const number of [2, 1]) await markDelivered(outbox, alertMessage(number));
  const proof = { atMs: Date.parse(alertMessage(2).alert.at), isDrill: false };
  expect(await readProof(options, confirmedBy(2))).toEqual(proof);
  // Nobody is known to have been subscribed when it was accepted.
  expect(await readProof(options, confirmedBy(3))).toBe("none");
  expect(await readProof(options)).toBe("none");
});
