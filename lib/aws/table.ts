// DynamoDB's verbs, as few as the ledger and the outbox need. Loaded only when first used: it brings the SDK.
import {
  type AttributeValue,
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { Key } from "./table-shape.ts";

export type Item = Record<string, AttributeValue>;
type Condition = { if: string; values?: Item };

export type Table = {
  /** False where the condition does not hold. */
  put(item: Item, condition?: Condition): Promise<boolean>;
  update(key: Key, change: string, condition: Condition): Promise<boolean>;
  get(key: Key): Promise<Item | undefined>;
  /** Consistent, in no particular order, without those that are gone. */
  getAll(keys: readonly Key[]): Promise<Item[]>;
  query(input: Omit<QueryCommandInput, "TableName">): AsyncIterable<Item>;
  remove(key: Key): Promise<void>;
};

/** What DynamoDB takes in one batch. */
const batchKeys = 100;
const batchTries = 8;

export function createClient(): DynamoDBClient {
  return new DynamoDBClient({ requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000 } });
}

export function openTable(TableName: string, client: DynamoDBClient): Table {
  async function holds(write: Promise<unknown>): Promise<boolean> {
    try {
      await write;
      return true;
    } catch (error) {
      if ((error as Error).name === "ConditionalCheckFailedException") return false;
      throw error;
    }
  }

  async function getBatch(keys: readonly Key[]): Promise<Item[]> {
    const found: Item[] = [];
    let missing = keys.map(marshal);
    for (let tries = 0; missing.length > 0; tries += 1) {
      if (tries === batchTries) throw new Error("DynamoDB left keys of a batch unread");
      const request = { RequestItems: { [TableName]: { Keys: missing, ConsistentRead: true } } };
      const answer = await client.send(new BatchGetItemCommand(request));
      found.push(...(answer.Responses?.[TableName] ?? []));
      missing = (answer.UnprocessedKeys?.[TableName]?.Keys ?? []) as typeof missing;
    }
    return found;
  }

  return {
    put: (Item, condition) =>
      holds(client.send(new PutItemCommand({ TableName, Item, ...conditional(condition) }))),
    update: (key, UpdateExpression, condition) =>
      holds(
        client.send(
          new UpdateItemCommand({
            TableName,
            Key: marshal(key),
            UpdateExpression,
            ...conditional(condition),
          }),
        ),
      ),
    async get(key) {
      const request = { TableName, Key: marshal(key), ConsistentRead: true };
      return (await client.send(new GetItemCommand(request))).Item;
    },
    async getAll(keys) {
      const found: Item[] = [];
      for (let from = 0; from < keys.length; from += batchKeys)
        found.push(...(await getBatch(keys.slice(from, from + batchKeys))));
      return found;
    },
    async *query(input) {
      let ExclusiveStartKey: Item | undefined;
      do {
        const page = await client.send(
          new QueryCommand({ TableName, ...input, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
        );
        yield* page.Items ?? [];
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
    },
    async remove(key) {
      await client.send(new DeleteItemCommand({ TableName, Key: marshal(key) }));
    },
  };
}

const marshal = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

function conditional(condition: Condition | undefined) {
  if (!condition) return {};
  const { if: ConditionExpression, values } = condition;
  return { ConditionExpression, ...(values && { ExpressionAttributeValues: values }) };
}
