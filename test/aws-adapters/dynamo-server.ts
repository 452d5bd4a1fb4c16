// DynamoDB as dynalite speaks it, in this process, with the table of the stack.
import { once } from "node:events";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { afterAll } from "vitest";
import { tableShape } from "../../lib/aws/table-shape.ts";

// It has no types of its own.
const dynalite = createRequire(import.meta.url)("dynalite") as (options: object) => Server;

export const credentials = { accessKeyId: "test", secretAccessKey: "test" };

export type Dynamo = { client(maxAttempts?: number): DynamoDBClient; createTable(): Promise<string> };

export async function startDynamo(): Promise<Dynamo> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: DynamoDBClient[] = [];
  const client = (maxAttempts = 3) => {
    clients.push(new DynamoDBClient({ endpoint, region: "eu-west-1", credentials, maxAttempts }));
    return clients.at(-1) as DynamoDBClient;
  };
  const admin = client();
  afterAll(async () => {
    for (const each of clients) each.destroy();
    server.close();
    server.closeAllConnections();
  });
  let tables = 0;
  return {
    client,
    async createTable() {
      const TableName = `v1watch-${tables++}`;
      await admin.send(new CreateTableCommand({ TableName, ...tableInput() }));
      await waitUntilTableExists({ client: admin, maxWaitTime: 10, minDelay: 0.01 }, { TableName });
      return TableName;
    },
  };
}

function tableInput() {
  const { partitionKey, sortKey, indexes } = tableShape;
  const shapes = [{ partitionKey, sortKey }, indexes.byTime, indexes.toDo];
  const schema = (shape: { partitionKey: string; sortKey: string }) => [
    { AttributeName: shape.partitionKey, KeyType: "HASH" as const },
    { AttributeName: shape.sortKey, KeyType: "RANGE" as const },
  ];
  return {
    BillingMode: "PAY_PER_REQUEST" as const,
    AttributeDefinitions: shapes
      .flatMap((shape) => [shape.partitionKey, shape.sortKey])
      .map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
    KeySchema: schema({ partitionKey, sortKey }),
    GlobalSecondaryIndexes: Object.values(indexes).map((index) => ({
      IndexName: index.name,
      KeySchema: schema(index),
      Projection: { ProjectionType: index.projection },
    })),
  };
}
