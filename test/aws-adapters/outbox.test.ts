import { createOutbox } from "../../lib/aws/outbox.ts";
import { describeOutbox } from "../local/outbox-contract.ts";
import { startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();
const client = dynamo.client();

async function open() {
  return createOutbox({
    tableName: await dynamo.createTable(),
    retentionDays: 400,
    client: async () => client,
  });
}

describeOutbox("DynamoDB", open, 5);
