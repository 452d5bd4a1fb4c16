// The outbox on DynamoDB. A message is one item under its id; delivered, it leaves the list of what is to
// do and keeps its id for as long as an assessment could find the same event again.
import { dedupDays, messageAtMs, type Outbox, type OutboxMessage } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { collect, forEach, openTable, type Table, type TableOptions, tryWrite } from "./table.ts";
import { expiresAt, keyOf, orderKey, tableShape, text } from "./table-shape.ts";

const { toDo } = tableShape.indexes;
const messageKey = (id: string) => ({ pk: `message#${id}`, sk: "message" });

/** After its observations have gone, so that none of them can tell the event once more. */
const expirySlackDays = 4;

export function createOutbox(options: TableOptions): Outbox {
  const { retentionDays } = options;
  const table = openTable(options);
  /** Put by this process and not delivered yet: the index may not list it for a while. */
  const own = new Map<string, OutboxMessage["kind"]>();

  return {
    async put(messages) {
      return tryWrite(async () => {
        await forEach(messages, async (message) => {
          const item = {
            ...messageKey(message.id),
            [toDo.partitionKey]: message.kind,
            [toDo.sortKey]: orderKey(messageAtMs(message), message.id),
            body: JSON.stringify(message),
          };
          if (await table.put(item, { if: "attribute_not_exists(pk)" })) own.set(message.id, message.kind);
        });
        return { kind: "kept" };
      });
    },
    async pending(kind, limit) {
      const listed = await collect(
        take(
          table.query({
            IndexName: toDo.name,
            KeyConditionExpression: "toDo = :queue",
            ExpressionAttributeValues: { ":queue": kind },
            Limit: limit,
          }),
          limit,
        ),
      );
      const known = new Set(listed.map((item) => keyOf(item).pk));
      const unlisted = [...own]
        .filter(([, its]) => its === kind)
        .map(([id]) => messageKey(id))
        .filter(({ pk }) => !known.has(pk));
      // The index may lag behind: what was delivered a moment ago is seen in the item itself.
      const found = await table.getAll([...listed.map(keyOf), ...unlisted].slice(0, limit));
      const items = found.filter((item) => item[toDo.sortKey]);
      const waiting = new Set(items.map((item) => keyOf(item).pk));
      for (const { pk } of found.map(keyOf)) if (!waiting.has(pk)) own.delete(pk.slice("message#".length));
      return items
        .sort((one, other) => (text(one, toDo.sortKey) < text(other, toDo.sortKey) ? -1 : 1))
        .map((item) => JSON.parse(text(item, "body")) as OutboxMessage);
    },
    async markDelivered(message) {
      // First: a crash between the two leaves a message that is sent again, and the proof was true.
      if (message.kind === "alert") await keepProof(table, message.alert);
      own.delete(message.id);
      const keptDays = Math.max(retentionDays + expirySlackDays, message.kind === "alert" ? dedupDays : 0);
      const seconds = expiresAt(messageAtMs(message), keptDays);
      await table.update(messageKey(message.id), "SET expiresAt = :seconds REMOVE toDo, toDoOrder, body", {
        if: "attribute_exists(toDo)",
        values: { ":seconds": seconds },
      });
    },
  };
}

const proofKey = { pk: "delivered-alert", sk: "latest" };

/** The latest alert that SNS accepted. */
export type Proof = { atMs: number; isDrill: boolean };

async function keepProof(table: Table, { at, event }: Alert): Promise<void> {
  const alertAt = Date.parse(at);
  const isNewer = "attribute_not_exists(pk) OR alertAt < :at";
  await table.put({ ...proofKey, alertAt, event }, { if: isNewer, values: { ":at": alertAt } });
}

export async function readProof(options: TableOptions): Promise<Proof | "none"> {
  const item = await openTable(options).get(proofKey);
  return item ? { atMs: Number(item.alertAt), isDrill: text(item, "event") === "drill" } : "none";
}

async function* take<T>(items: AsyncIterable<T>, limit: number): AsyncGenerator<T> {
  let taken = 0;
  if (limit > 0)
    for await (const item of items) {
      yield item;
      taken += 1;
      if (taken === limit) return;
    }
}
