// How the table is reached: lazily, so that the SDK loads while the probe waits for the network.
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Failed } from "../ports.ts";
import type { Table } from "./table.ts";

export type TableOptions = {
  tableName: string;
  /** How long observations stay, and how long a delivered parcel is remembered. */
  retentionDays: number;
  client?(): Promise<DynamoDBClient>;
};

export function reachTable({ tableName, client }: TableOptions): () => Promise<Table> {
  let opened: Promise<Table> | undefined;
  const open = async () => {
    const { createClient, openTable } = await import("./table.ts");
    return openTable(tableName, client ? await client() : createClient());
  };
  return () => {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

export async function tryWrite<T>(work: () => Promise<T>): Promise<T | Failed> {
  try {
    return await work();
  } catch (error) {
    // The SDK's name of the error; its message may repeat what was sent.
    const name = String((error as Error)?.name);
    return { kind: "failed", why: /^\w{1,60}$/.test(name) ? name : "unknown" };
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
