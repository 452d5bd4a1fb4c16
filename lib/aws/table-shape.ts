// The names of the one DynamoDB table, which the stack that creates it and the code that uses it share.
export const tableShape = {
  partitionKey: "pk",
  sortKey: "sk",
  /** Seconds since 1970, for DynamoDB's own expiry. */
  timeToLive: "expiresAt",
  indexes: {
    /** Observations by endpoint and time. */
    byTime: {
      name: "by-time",
      partitionKey: "endpoint",
      sortKey: "atId",
      // What is still to do is not in it, so that marking an item as done does not write it again.
      projection: "INCLUDE",
      included: ["body"],
    },
    /** Sparse: what still has to be assessed or delivered, and nothing else. */
    toDo: {
      name: "to-do",
      partitionKey: "toDo",
      sortKey: "toDoOrder",
      projection: "KEYS_ONLY",
      included: [],
    },
  },
} as const;

/** Sorts as text like (at, id), whatever precision `at` was written with. */
export const orderKey = (atMs: number, id = "") => `${String(atMs).padStart(15, "0")}#${id}`;

export const orderMs = (key: string) => Number(key.slice(0, 15));

export const expiresAt = (atMs: number, retentionDays: number) =>
  Math.ceil(atMs / 1000) + retentionDays * 86_400;

/** The queue of items that cannot be read. They stay in the table, and outside of every other list. */
export const unreadableQueue = "unreadable";

export type Key = { pk: string; sk: string };
type Attributes = Readonly<Record<string, unknown>>;

export const text = (item: Attributes | undefined, name: string) => String(item?.[name] ?? "");
export const keyOf = (item: Attributes): Key => ({ pk: text(item, "pk"), sk: text(item, "sk") });
