// DynamoDB's verbs, as few as the ledger and the outbox need; each is one signed request.
import type { Failed } from "../ports.ts";
import { type Access, askAws, hostOf } from "./signed-request.ts";
import type { Key } from "./table-shape.ts";

/** As it travels: a number is its digits, bytes are base64. */
export type AttributeValue = { S?: string; N?: string; B?: string; M?: Item };
export type Item = { [name: string]: AttributeValue };
type Condition = { if: string; values?: Item };

export type Query = {
  KeyConditionExpression: string;
  ExpressionAttributeValues: Item;
  IndexName?: string;
  ConsistentRead?: boolean;
  Limit?: number;
};

export type Table = {
  /** False where the condition does not hold. */
  put(item: Item, condition?: Condition): Promise<boolean>;
  update(key: Key, change: string, condition: Condition): Promise<boolean>;
  get(key: Key): Promise<Item | undefined>;
  /** Consistent, in no particular order, without those that are gone. */
  getAll(keys: readonly Key[]): Promise<Item[]>;
  query(input: Query): AsyncIterable<Item>;
  remove(key: Key): Promise<void>;
};

type Answer = {
  Item?: Item;
  Items?: Item[];
  LastEvaluatedKey?: Item;
  Responses?: Record<string, Item[]>;
  UnprocessedKeys?: Record<string, { Keys: Item[] }>;
};

/** What DynamoDB takes in one batch. */
const batchKeys = 100;
const batchTries = 8;
const timeoutMs = 5_000;

export type TableAddress = {
  tableName: string;
  /** Asked at every call: credentials are renewed. */
  access(): Access | Promise<Access>;
};

export function openTable({ tableName: TableName, access: findAccess }: TableAddress): Table {
  async function ask(verb: string, question: object): Promise<Answer> {
    const access = await findAccess();
    const { status, body } = await askAws(
      {
        service: "dynamodb",
        method: "POST",
        url: new URL(access.endpoint ?? `https://${hostOf("dynamodb", access.region)}/`),
        headers: {
          "content-type": "application/x-amz-json-1.0",
          "x-amz-target": `DynamoDB_20120810.${verb}`,
        },
        body: JSON.stringify(question),
        timeoutMs,
      },
      access,
    );
    if (status === 200) return JSON.parse(body) as Answer;
    throw Object.assign(new Error(`DynamoDB refused ${verb}`), { name: nameError(status, body) });
  }

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
    let missing: Item[] = keys.map(marshal);
    for (let tries = 0; missing.length > 0; tries += 1) {
      if (tries === batchTries) throw new Error("DynamoDB left keys of a batch unread");
      const RequestItems = { [TableName]: { Keys: missing, ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await ask("BatchGetItem", { RequestItems });
      found.push(...(Responses?.[TableName] ?? []));
      missing = UnprocessedKeys?.[TableName]?.Keys ?? [];
    }
    return found;
  }

  return {
    put: (Item, condition) => holds(ask("PutItem", { TableName, Item, ...conditional(condition) })),
    update: (key, UpdateExpression, condition) =>
      holds(ask("UpdateItem", { TableName, Key: marshal(key), UpdateExpression, ...conditional(condition) })),
    async get(key) {
      return (await ask("GetItem", { TableName, Key: marshal(key), ConsistentRead: true })).Item;
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
        const page = await ask("Query", { TableName, ...input, ExclusiveStartKey });
        yield* page.Items ?? [];
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
    },
    async remove(key) {
      await ask("DeleteItem", { TableName, Key: marshal(key) });
    },
  };
}

const marshal = ({ pk, sk }: Key): Item => ({ pk: { S: pk }, sk: { S: sk } });

function conditional(condition: Condition | undefined) {
  if (!condition) return {};
  const { if: ConditionExpression, values } = condition;
  return { ConditionExpression, ...(values && { ExpressionAttributeValues: values }) };
}

/** AWS's own name of the error; its message may repeat what was sent. */
function nameError(status: number, body: string): string {
  return /"__type"\s*:\s*"(?:[^"#]*#)?(\w{1,60})"/.exec(body)?.[1] ?? `Http${status}`;
}

// Work on the table, by those who use it.
export type TableOptions = TableAddress & {
  /** How long observations stay, and how long a delivered message is remembered. */
  retentionDays: number;
};

export async function tryWrite<T>(work: () => Promise<T>): Promise<T | Failed> {
  try {
    return await work();
  } catch (error) {
    // AWS's or Node's name of the error; its message may repeat what was sent.
    const { name, code } = (error ?? {}) as NodeJS.ErrnoException;
    const why = name === "Error" ? String(code) : String(name);
    return { kind: "failed", why: /^\w{1,60}$/.test(why) ? why : "unknown" };
  }
}

/** Calls at a time: quick for hundreds, and no burst that DynamoDB would throttle. */
const lanes = 8;

export async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: Math.min(lanes, items.length) }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
