// Work on the table, by those who use it.
import type { Failed } from "../ports.ts";
import type { TableAddress } from "./table.ts";

export type TableOptions = TableAddress & {
  /** How long observations stay, and how long a delivered parcel is remembered. */
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
