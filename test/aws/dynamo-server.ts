// DynamoDB as dynalite speaks it, in this process, with the table of the stack.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { afterAll } from "vitest";
import { tableShape } from "../../lib/aws/table-shape.ts";

// It has no types of its own.
const dynalite = createRequire(import.meta.url)("dynalite") as (options: object) => Server;

export const credentials = { accessKeyId: "test", secretAccessKey: "test" };

/** The connection breaks before a question has reached DynamoDB, or when it has done what was asked. */
export type Fault = "before" | "after" | undefined;
export type Question = {
  target: string;
  body: { IndexName?: string; ConsistentRead?: boolean; Item?: Record<string, { S?: string }> };
};

export type Between = {
  fault?(question: Question): Fault | Promise<Fault>;
  /** What arrives in place of DynamoDB's answer. */
  answer?(question: Question, status: number, body: string): { status: number; body: string };
};

export type Dynamo = {
  endpoint: string;
  client: DynamoDBClient;
  /** A client that reaches the server through a proxy, which breaks connections or changes responses. */
  clientThrough(between: Between, maxAttempts?: number): Promise<DynamoDBClient>;
  createTable(): Promise<string>;
};

/** `onEnd` gets what stops the server: after all tests of the file, where nothing else is given. */
export async function startDynamo(onEnd: (stop: () => Promise<void>) => void = afterAll): Promise<Dynamo> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = addressOf(server);
  const region = "eu-west-1";
  const admin = new DynamoDBClient({ endpoint, region, credentials });
  const servers = [server];
  onEnd(async () => {
    admin.destroy();
    for (const each of servers) {
      each.close();
      each.closeAllConnections();
    }
  });
  let tables = 0;
  return {
    endpoint,
    client: admin,
    async clientThrough(between, maxAttempts = 3) {
      const proxy = await startProxy(endpoint, between);
      servers.push(proxy);
      return new DynamoDBClient({ region, credentials, endpoint: addressOf(proxy), maxAttempts });
    },
    async createTable() {
      const TableName = `v1watch-${tables++}`;
      await admin.send(new CreateTableCommand({ TableName, ...tableInput() }));
      await waitUntilTableExists({ client: admin, maxWaitTime: 10, minDelay: 0.01 }, { TableName });
      return TableName;
    },
  };
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function startProxy(to: string, { fault, answer }: Between): Promise<Server> {
  const proxy = createServer(async (request, response) => {
    const body = await buffer(request);
    const question = { target: String(request.headers["x-amz-target"]), body: JSON.parse(body.toString()) };
    const kind = await fault?.(question);
    if (kind === "before") return request.socket.destroy();
    const { "x-amz-target": target, authorization, "x-amz-date": date } = request.headers;
    const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": target, authorization };
    const received = await fetch(to, {
      method: "POST",
      headers: { ...(headers as Record<string, string>), "x-amz-date": String(date) },
      body: new Uint8Array(body),
    });
    const text = await received.text();
    if (kind === "after") return request.socket.destroy();
    const changed = answer?.(question, received.status, text);
    response.writeHead(changed?.status ?? received.status, { "content-type": "application/x-amz-json-1.0" });
    response.end(changed?.body ?? text);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
}

/** The table of the stack, for whichever server plays DynamoDB. */
export function tableInput() {
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
      Projection: {
        ProjectionType: index.projection,
        ...(index.included.length > 0 && { NonKeyAttributes: [...index.included] }),
      },
    })),
  };
}
