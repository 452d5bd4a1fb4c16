// DynamoDB as dynalite speaks it, in this process, with the table of the stack.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { afterAll } from "vitest";
import type { Access } from "../../lib/aws/signed-request.ts";
import { tableShape } from "../../lib/aws/table-shape.ts";
import { transmit } from "../../lib/aws/transport.ts";

// It has no types of its own.
const dynalite = createRequire(import.meta.url)("dynalite") as (options: object) => Server;

export const credentials = { accessKeyId: "test", secretAccessKey: "test" };

/** The connection breaks before a question has reached DynamoDB, or when it has done what was asked. */
export type Fault = "before" | "after" | undefined;
export type Question = { target: string; body: { IndexName?: string } };

export type Between = {
  fault?(question: Question): Fault;
  /** What arrives in place of DynamoDB's answer. */
  answer?(question: Question, status: number, body: string): { status: number; body: string };
};

export type Dynamo = {
  access(): Access;
  /** Somebody stands between, on the same machine. */
  accessThrough(between: Between, maxAttempts?: number): Promise<() => Access>;
  createTable(): Promise<string>;
};

export async function startDynamo(): Promise<Dynamo> {
  const server = dynalite({ createTableMs: 0 });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = addressOf(server);
  const region = "eu-west-1";
  const admin = new DynamoDBClient({ endpoint, region, credentials });
  const servers = [server];
  afterAll(async () => {
    admin.destroy();
    for (const each of servers) {
      each.close();
      each.closeAllConnections();
    }
  });
  let tables = 0;
  return {
    access: () => ({ region, credentials, endpoint }),
    async accessThrough(between, maxAttempts = 3) {
      const proxy = await startProxy(new URL(endpoint), between);
      servers.push(proxy);
      return () => ({ region, credentials, endpoint: addressOf(proxy), maxAttempts });
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

async function startProxy(to: URL, { fault, answer }: Between): Promise<Server> {
  const proxy = createServer(async (request, response) => {
    const body = await buffer(request);
    const question = { target: String(request.headers["x-amz-target"]), body: JSON.parse(body.toString()) };
    const kind = fault?.(question);
    if (kind === "before") return request.socket.destroy();
    const headers = request.headers as Record<string, string>;
    const came = await transmit(to, { method: "POST", headers, body }, 5_000);
    if (kind === "after") return request.socket.destroy();
    const told = answer?.(question, came.status, came.body.toString());
    response.writeHead(told?.status ?? came.status, { "content-type": "application/x-amz-json-1.0" });
    response.end(told?.body ?? came.body);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return proxy;
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
      Projection: {
        ProjectionType: index.projection,
        ...(index.included.length > 0 && { NonKeyAttributes: [...index.included] }),
      },
    })),
  };
}
