// The DynamoDB table: the few operations that the ledger and the outbox need, through the SDK's document client.

import { ConditionalCheckFailedException, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type { Failed, Unreadable } from "../ports.ts";
import { callTimeout, clientOptions, errorName } from "./clients.ts";
import { type Key, keyOf, orderKey, orderMs, tableShape, text, unreadableQueue } from "./table-shape.ts";

export type Item = Record<string, unknown>;
type Condition = { if: string; values?: Item | undefined };

type Query = {
  KeyConditionExpression: string;
  ExpressionAttributeValues: Item;
  IndexName?: string;
  ConsistentRead?: boolean;
  ScanIndexForward?: boolean;
  Limit?: number | undefined;
};

export type Table = {
  /** False where the condition does not hold. */
  put(item: Item, condition?: Condition): Promise<boolean>;
  update(key: Key, change: string, condition: Condition): Promise<boolean>;
  get(key: Key): Promise<Item | undefined>;
  /** Consistent, in no particular order, without the items that do not exist. */
  getAll(keys: readonly Key[]): Promise<Item[]>;
  query(input: Query): AsyncIterable<Item>;
  remove(key: Key): Promise<void>;
};

export type TableAddress = {
  tableName: string;
  region?: string | undefined;
  /** For tests; the SDK's own region and credentials otherwise. */
  client?: DynamoDBClient;
};

const callTimeoutMs = 15_000;

export function openTable({ tableName: TableName, region, client }: TableAddress): Table {
  const documents = DynamoDBDocumentClient.from(client ?? new DynamoDBClient(clientOptions({ region })));
  const limit = () => callTimeout(callTimeoutMs);

  const get = async (Key: Key): Promise<Item | undefined> =>
    (await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }), limit())).Item;

  return {
    put: (Item, condition) =>
      isConditionMet(
        documents.send(
          new PutCommand({
            TableName,
            Item,
            ConditionExpression: condition?.if,
            ExpressionAttributeValues: condition?.values,
          }),
          limit(),
        ),
      ),
    update: (Key, UpdateExpression, condition) =>
      isConditionMet(
        documents.send(
          new UpdateCommand({
            TableName,
            Key,
            UpdateExpression,
            ConditionExpression: condition.if,
            ExpressionAttributeValues: condition.values,
          }),
          limit(),
        ),
      ),
    get,
    async getAll(keys) {
      const found: Item[] = [];
      await forEach(keys, async (key) => {
        const item = await get(key);
        if (item) found.push(item);
      });
      return found;
    },
    async *query(input) {
      for await (const page of paginateQuery({ client: documents }, { TableName, ...input }))
        yield* page.Items ?? [];
    },
    async remove(Key) {
      await documents.send(new DeleteCommand({ TableName, Key }), limit());
    },
  };
}

async function isConditionMet(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

export type TableOptions = TableAddress & {
  /** How long observations are kept, and how long the id of a delivered message is kept. */
  retentionDays: number;
};

export async function tryWrite<T>(work: () => Promise<T>): Promise<T | Failed> {
  try {
    return await work();
  } catch (error) {
    return { kind: "failed", why: errorName(error) };
  }
}

/** Calls at the same time: fast for hundreds, and no burst that DynamoDB would throttle. */
const concurrency = 8;

export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: Math.min(concurrency, items.length) }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

/**
 * Takes an item that cannot be read out of every list, and keeps it with the bytes that it has. Where that is refused, such as
 * for a reader without the permission to write, it is only skipped.
 */
async function setUnreadableAside(table: Table, key: Key, atMs: number): Promise<void> {
  const { byTime, toDo } = tableShape.indexes;
  const change = `SET ${toDo.partitionKey} = :queue, ${toDo.sortKey} = :order REMOVE ${byTime.partitionKey}, ${byTime.sortKey}`;
  const values = { ":queue": unreadableQueue, ":order": orderKey(atMs, `${key.pk}/${key.sk}`) };
  await table.update(key, change, { if: "attribute_exists(pk)", values }).catch(() => {});
}

/** The value of an item, or undefined where the item cannot be read; it is set aside then. */
export async function readOrSetAside<T>(
  table: Table,
  item: Item,
  read: (item: Item) => T | undefined,
): Promise<T | undefined> {
  const value = attempt(() => read(item));
  if (value === undefined) await setUnreadableAside(table, keyOf(item), Date.now());
  return value;
}

/** The values of the items that can be read. */
export async function readItems<T>(
  table: Table,
  items: readonly Item[],
  read: (item: Item) => T | undefined,
): Promise<T[]> {
  const values: T[] = [];
  for (const item of items) {
    const value = await readOrSetAside(table, item, read);
    if (value !== undefined) values.push(value);
  }
  return values;
}

/** The text of an item's body by its schema. */
export const parseBody =
  <T>(schema: { parse(value: unknown): T }) =>
  (item: Item): T =>
    schema.parse(JSON.parse(text(item, "body")));

function attempt<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The items of a partition. */
export const listPartition = (table: Table, pk: string): Promise<Item[]> =>
  collect(
    table.query({
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
      ConsistentRead: true,
    }),
  );

/** The keys of what is still to do in a queue, oldest first, or the latest first. The index may lag behind the items. */
export async function listQueue(
  table: Table,
  queue: string,
  limit = Infinity,
  isLatestFirst = false,
): Promise<Item[]> {
  const items = table.query({
    IndexName: tableShape.indexes.toDo.name,
    KeyConditionExpression: "toDo = :queue",
    ExpressionAttributeValues: { ":queue": queue },
    ScanIndexForward: !isLatestFirst,
    Limit: Number.isFinite(limit) ? limit : undefined,
  });
  const listed: Item[] = [];
  if (limit > 0)
    for await (const item of items) {
      listed.push(item);
      if (listed.length >= limit) break;
    }
  return listed;
}

export const byOrder = (one: Item, other: Item) =>
  text(one, tableShape.indexes.toDo.sortKey) < text(other, tableShape.indexes.toDo.sortKey) ? -1 : 1;

/** How many items were set aside because they cannot be read, up to 100, by what they are, and when the latest was found. */
export async function readUnreadable(options: TableAddress): Promise<Unreadable> {
  const items = await listQueue(openTable(options), unreadableQueue, maxCounted, true);
  const byTable: Record<string, number> = {};
  for (const item of items) {
    const kind = keyOf(item).pk.split("#", 1)[0] ?? "";
    byTable[kind] = (byTable[kind] ?? 0) + 1;
  }
  const [latest] = items;
  const latestMs = latest && orderMs(text(latest, tableShape.indexes.toDo.sortKey));
  return { count: items.length, byTable, latestMs };
}

const maxCounted = 100;

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
