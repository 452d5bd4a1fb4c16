// Against a server that says what DynamoDB says on a bad day; dynalite has none.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createLedger } from "../../lib/aws/ledger.ts";
import { findAccess } from "../../lib/aws/person-access.ts";
import { collect, openTable } from "../../lib/aws/table.ts";
import { emptyProbeState } from "../../lib/records/probe-state.ts";

type Batch = { RequestItems: { watch: { Keys: unknown[] } } };
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
  server.close();
  server.closeAllConnections();
});
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const credentials = { accessKeyId: "test", secretAccessKey: "test" };
const access = () => ({ region: "eu-west-1", credentials, endpoint });
const table = openTable({ tableName: "watch", access });
const key = (number: number) => ({ pk: `message#${number}`, sk: "message" });
const item = (number: number) => ({ pk: { S: `message#${number}` }, sk: { S: "message" } });

beforeEach(() => {
  asked.length = 0;
  answers = [];
});

describe("the table", () => {
  test.each([
    "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
    "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded",
    "com.amazon.coral.availability#ThrottlingException",
    "com.amazonaws.dynamodb.v20120810#ThrottlingException",
  ])("is requested again when it is throttled by %s", async (__type) => {
    answers = [{ status: 400, body: { __type } }, { status: 400, body: { __type } }, { body: {} }];
    expect(await table.put(item(1))).toBe(true);
    expect(asked).toHaveLength(3);
    expect(asked[2]?.body).toEqual(asked[0]?.body);
  });

  test("makes a write fail with the error's name, without an exception, when it stays throttled", async () => {
    const __type = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException";
    answers = [{ status: 400, body: { __type, message: "a stranger's words" } }];
    const ledger = createLedger({ tableName: "watch", retentionDays: 400, access });
    const why = "ProvisionedThroughputExceededException";
    expect(await ledger.writeProbeState(emptyProbeState, 0)).toEqual({ kind: "failed", why });
    await expect(ledger.readProbeState()).rejects.toThrow(/^DynamoDB refused GetItem$/);
  });

  test("reports a failed condition at the first attempt", async () => {
    const __type = "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException";
    answers = [{ status: 400, body: { __type } }];
    expect(await table.put(item(1), { if: "attribute_not_exists(pk)" })).toBe(false);
    expect(asked).toHaveLength(1);
  });

  test("makes a write fail with the HTTP status when a server that is not DynamoDB responds", async () => {
    answers = [{ status: 502, body: "<html>Bad Gateway</html>" }];
    await expect(table.put(item(1))).rejects.toMatchObject({ name: "Http502" });
  });

  test("is requested again for unprocessed keys of a batch until all are read", async () => {
    answers = [
      { body: { Responses: { watch: [item(1)] }, UnprocessedKeys: { watch: { Keys: [item(2), item(3)] } } } },
      { body: { Responses: { watch: [item(2)] }, UnprocessedKeys: { watch: { Keys: [item(3)] } } } },
      { body: { Responses: { watch: [item(3)] }, UnprocessedKeys: {} } },
    ];
    expect(await table.getAll([1, 2, 3].map(key))).toEqual([item(1), item(2), item(3)]);
    const keys = asked.map(({ body }) => (body as Batch).RequestItems.watch.Keys.length);
    expect(keys).toEqual([3, 2, 1]);
  });

  test("is not requested for ever when it never reads them", async () => {
    answers = [{ body: { Responses: {}, UnprocessedKeys: { watch: { Keys: [item(1)] } } } }];
    await expect(table.getAll([key(1)])).rejects.toThrow("left keys of a batch unread");
    expect(asked).toHaveLength(8);
  });

  test("is read page by page to the end", async () => {
    answers = [{ body: { Items: [item(1)], LastEvaluatedKey: item(1) } }, { body: { Items: [item(2)] } }];
    const query = { KeyConditionExpression: "toDo = :queue", ExpressionAttributeValues: {} };
    expect(await collect(table.query(query))).toEqual([item(1), item(2)]);
    expect(asked.map(({ body }) => (body as { ExclusiveStartKey?: unknown }).ExclusiveStartKey)).toEqual([
      undefined,
      item(1),
    ]);
  });

  test("is requested with credentials that are read for each request", async () => {
    let turn = 0;
    const renewed = openTable({
      tableName: "watch",
      access: async () => ({ ...access(), credentials: { ...credentials, accessKeyId: `id${++turn}` } }),
    });
    await renewed.remove(key(1));
    await renewed.remove(key(1));
    expect(asked.map(({ authorization }) => /Credential=(\w+)/.exec(authorization)?.[1])).toEqual([
      "id1",
      "id2",
    ]);
  });
});

test("on a developer's machine the credentials and region are those that the SDK finds", async () => {
  const before = { ...process.env };
  Object.assign(process.env, {
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "person",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_SESSION_TOKEN: "token",
  });
  try {
    const found = await findAccess({ AWS_ENDPOINT_URL: endpoint })();
    expect(found).toMatchObject({
      region: "eu-west-1",
      endpoint,
      credentials: { accessKeyId: "person", secretAccessKey: "secret", sessionToken: "token" },
    });
  } finally {
    process.env = before;
  }
});
