import { createLedger } from "../../lib/aws/ledger.ts";
import { describeLedger } from "../local/store/ledger-contract.ts";
import { startDynamo } from "./dynamo-server.ts";

const dynamo = await startDynamo();
const retentionDays = 400;

async function open() {
  const tableName = await dynamo.createTable();
  return createLedger({ tableName, retentionDays, client: dynamo.client });
}

describeLedger("DynamoDB", open, { appends: 1_000, runs: 4 });
