import { expect, test } from "vitest";
import { countdownSteps } from "../../lib/assess/rules/retirement/countdown.ts";
import { createOutbox, readProof } from "../../lib/aws/outbox.ts";
import { openTable } from "../../lib/aws/table.ts";
import { type Parcel, parcelAtMs } from "../../lib/ports.ts";
import { alertParcel, metricsParcel } from "../local/samples.ts";
import { describeOutbox } from "../local/store/outbox-contract.ts";
import { startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();

async function open() {
  return createOutbox({
    tableName: await dynamo.createTable(),
    retentionDays: 400,
    access: dynamo.access,
  });
}

describeOutbox("DynamoDB", open, 5);

test("DynamoDB: outbox: a parcel never expires while it waits, and outlives its observations when it is gone", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, access: dynamo.access };
  const outbox = createOutbox(options);
  const parcel = metricsParcel(3);
  const read = () => openTable(options).get({ pk: `parcel#${parcel.id}`, sk: "parcel" });
  await outbox.put([parcel]);
  expect((await read())?.expiresAt).toBeUndefined();
  await outbox.markDelivered(parcel);
  const seconds = Math.ceil(parcelAtMs(parcel) / 1_000) + 404 * 86_400;
  expect((await read())?.expiresAt).toEqual({ N: String(seconds) });
});

test("DynamoDB: outbox: a delivered alert is known for every step of a countdown, however short the retention", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 30, access: dynamo.access };
  const outbox = createOutbox(options);
  const daysKept = async (parcel: Parcel) => {
    await outbox.put([parcel]);
    await outbox.markDelivered(parcel);
    const item = await openTable(options).get({ pk: `parcel#${parcel.id}`, sk: "parcel" });
    return (Number(item?.expiresAt?.N) - Math.ceil(parcelAtMs(parcel) / 1_000)) / 86_400;
  };
  expect(await daysKept(metricsParcel(3))).toBe(34);
  expect(await daysKept(alertParcel(3))).toBe(100);
  expect(await daysKept(alertParcel(3))).toBeGreaterThan(countdownSteps[0]);
});

test("DynamoDB: outbox: the latest alert that was accepted is the proof that the way works", async () => {
  const options = { tableName: await dynamo.createTable(), retentionDays: 400, access: dynamo.access };
  const outbox = createOutbox(options);
  expect(await readProof(options)).toBe("none");
  await outbox.markDelivered(metricsParcel(3));
  expect(await readProof(options)).toBe("none");
  for (const number of [2, 1]) await outbox.markDelivered(alertParcel(number));
  expect(await readProof(options)).toEqual({ atMs: Date.parse(alertParcel(2).alert.at), isDrill: false });
});
