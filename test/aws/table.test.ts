// Against a server that says what DynamoDB says on a bad day; dynalite has none.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { clientOptions, errorName } from "../../lib/aws/clients.ts";
import { createLedger } from "../../lib/aws/ledger.ts";
import { collect, openTable, tryWrite } from "../../lib/aws/table.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";

const asked: { verb: string; body: object; authorization: string }[] = [];
/** Answers of the next questions, the last one for all that follow. */
let answers: { status?: number; body: unknown }[] = [];

const server = createServer(async (request, response) => {
  const verb = String(request.headers["x-amz-target"]).replace("DynamoDB_20120810.", "");
  const authorization = String(request.headers.authorization);
  asked.push({ verb, body: (await json(request)) as object, authorization });
  const { status = 200, body } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { body: {} };
  response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => {
  vi.restoreAllMocks();
  server.close();
  server.closeAllConnections();
});
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const credentials = { accessKeyId: "test", secretAccessKey: "test" };
const client = new DynamoDBClient({ region: "eu-west-1", credentials, endpoint });
const table = openTable({ tableName: "watch", client });
const key = (number: number) => ({ pk: `message#${number}`, sk: "message" });
const wireItem = (number: number) => ({ pk: { S: `message#${number}` }, sk: { S: "message" } });

beforeEach(() => {
  // The waits between attempts are random, and as short as they can be here.
  vi.spyOn(Math, "random").mockReturnValue(0);
  asked.length = 0;
  answers = [];
});

describe("the table", () => {
  test.each([
    "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
    "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded",
    "com.amazon.coral.availability#ThrottlingException",
    "com.amazonaws.dynamodb.v20120810#ThrottlingException",
  ])("The table is requested again when it is throttled by %s", async (__type) => {
    answers = [{ status: 400, body: { __type } }, { status: 400, body: { __type } }, { body: {} }];
    expect(await table.put(key(1))).toBe(true);
    expect(asked).toHaveLength(3);
    expect(asked[2]?.body).toEqual(asked[0]?.body);
  });

  test("The table makes a write fail with the error's name, without an exception, when it stays throttled", async () => {
    const __type = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException";
    answers = [{ status: 400, body: { __type, message: "a stranger's words" } }];
    const ledger = createLedger({ tableName: "watch", retentionDays: 400, client });
    const why = "ProvisionedThroughputExceededException";
    expect(await ledger.writeProbeState(emptyProbeState, 0)).toEqual({ kind: "failed", why });
    await expect(ledger.readProbeState()).rejects.toMatchObject({ name: why });
  });

  test("The table reports a failed condition at the first attempt", async () => {
    const __type = "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException";
    answers = [{ status: 400, body: { __type } }];
    expect(await table.put(key(1), { if: "attribute_not_exists(pk)" })).toBe(false);
    expect(asked).toHaveLength(1);
  });

  test("The table makes a write fail with the HTTP status when a server that is not DynamoDB responds", async () => {
    answers = [{ status: 502, body: "<html>Bad Gateway</html>" }];
    expect(await tryWrite(() => table.put(key(1)))).toEqual({ kind: "failed", why: "Http502" });
  });

  test("The table is read item by item, without those that do not exist, and not at all for none", async () => {
    expect(await table.getAll([])).toEqual([]);
    expect(asked).toEqual([]);
    answers = [{ body: {} }, { body: { Item: wireItem(2) } }];
    expect(await table.getAll([1, 2, 3].map(key))).toEqual([key(2), key(2)]);
    for (const { body } of asked) expect(body).toMatchObject({ ConsistentRead: true });
  });

  test("The table is asked for one item consistently, and told the condition and its values", async () => {
    await table.get(key(1));
    await table.update(key(1), "SET a = :a", { if: "attribute_exists(pk)", values: { ":a": 1 } });
    await table.remove(key(1));
    expect(asked.map(({ verb, body }) => [verb, body])).toEqual([
      ["GetItem", { TableName: "watch", Key: wireItem(1), ConsistentRead: true }],
      [
        "UpdateItem",
        {
          TableName: "watch",
          Key: wireItem(1),
          UpdateExpression: "SET a = :a",
          ConditionExpression: "attribute_exists(pk)",
          ExpressionAttributeValues: { ":a": { N: "1" } },
        },
      ],
      ["DeleteItem", { TableName: "watch", Key: wireItem(1) }],
    ]);
  });

  test("The table is read page by page to the end", async () => {
    answers = [
      { body: { Items: [wireItem(1)], LastEvaluatedKey: wireItem(1) } },
      { body: { Items: [wireItem(2)] } },
    ];
    const query = { KeyConditionExpression: "toDo = :queue", ExpressionAttributeValues: {} };
    expect(await collect(table.query(query))).toEqual([key(1), key(2)]);
    expect(asked.map(({ body }) => (body as { ExclusiveStartKey?: unknown }).ExclusiveStartKey)).toEqual([
      undefined,
      wireItem(1),
    ]);
  });

  test("The table is requested with credentials that are read for each request", async () => {
    const hanging = createServer(() => {});
    hanging.listen(0, "127.0.0.1");
    await once(hanging, "listening");
    const { port } = hanging.address() as AddressInfo;
    const patient = new DynamoDBClient({
      region: "eu-west-1",
      credentials,
      endpoint: `http://127.0.0.1:${port}`,
      ...clientOptions({ attemptTimeoutMs: 50, maxAttempts: 2 }),
    });
    await expect(openTable({ tableName: "watch", client: patient }).get(key(1))).rejects.toMatchObject({
      name: "TimeoutError",
    });
    hanging.close();
    hanging.closeAllConnections();
  });
});

test.each([
  [undefined, "unknown"],
  [new Error("a secret"), "unknown"],
  [new Error("Region is missing"), "RegionMissing"],
  [Object.assign(new Error("a secret"), { code: "ECONNRESET" }), "ECONNRESET"],
  [Object.assign(new Error("a secret"), { name: "AggregateError", code: "ECONNREFUSED" }), "ECONNREFUSED"],
  [Object.assign(new Error("a secret"), { name: "a secret" }), "unknown"],
  [{ name: "a".repeat(61), $metadata: { httpStatusCode: 400 } }, "Http400"],
  [{ name: "UnknownError", $metadata: { httpStatusCode: 503 } }, "Http503"],
  [{ name: "Unknown", $metadata: { httpStatusCode: 500 } }, "Http500"],
  [{ name: "a".repeat(60), $metadata: { httpStatusCode: 400 } }, "a".repeat(60)],
  [{ name: "AccessDenied", code: "ECONNRESET", $metadata: { httpStatusCode: 403 } }, "AccessDenied"],
  [{ $metadata: { httpStatusCode: 404 } }, "Http404"],
  [{ code: "a secret" }, "unknown"],
  [{ name: "SyntaxError", $metadata: { httpStatusCode: 502 } }, "Http502"],
  [new SyntaxError("a secret"), "SyntaxError"],
])("The name of %s is %s", (error, name) => {
  expect(errorName(error)).toBe(name);
});

test("A client has a deadline for each attempt, and a region only where one is named", () => {
  const requestHandler = { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true };
  expect(clientOptions()).toEqual({ maxAttempts: 3, requestHandler });
  expect(clientOptions({ region: "eu-west-1", attemptTimeoutMs: 1_000, maxAttempts: 1 })).toEqual({
    region: "eu-west-1",
    maxAttempts: 1,
    requestHandler: { ...requestHandler, connectionTimeout: 1_000, requestTimeout: 1_000 },
  });
});
