// The outbox on DynamoDB. A message is one item under its id; delivered, it leaves the list of what is to
// do and keeps its id for as long as an assessment could find the same event again.
import { dedupDays, messageAtMs, type Outbox, type OutboxMessage, type QueuedMessage } from "../ports.ts";
import { type Alert, alert, incidentOf, isOfIncident, listUnresolved, numberOf } from "../records/alert.ts";
import { outboxMessage } from "../records/outbox-message.ts";
import type { SubscriptionStatus } from "../records/subscription-status.ts";
import { minuteMs } from "../time.ts";
import {
  byOrder,
  forEach,
  type Item,
  listPartition,
  listQueue,
  openTable,
  parseBody,
  readItems,
  readOrSetAside,
  type Table,
  type TableOptions,
  tryWrite,
} from "./table.ts";
import { expiresAt, keyOf, orderKey, orderMs, tableShape, text } from "./table-shape.ts";

const { toDo } = tableShape.indexes;
const messageKey = (id: string) => ({ pk: `message#${id}`, sk: "message" });

/** Longer than SNS has to answer. */
const claimMs = 2 * minuteMs;

/** After its observations have gone, so that none of them can tell the event once more. */
const expirySlackDays = 4;

export function createOutbox(options: TableOptions): Outbox {
  const { retentionDays } = options;
  const table = openTable(options);
  /** Put by this process and not delivered yet: the index may not list it for a while. */
  const own = new Set<string>();

  return {
    async put(messages) {
      return tryWrite(async () => {
        const added = new Set<string>();
        await forEach(messages, async (message) => {
          const item = {
            ...messageKey(message.id),
            [toDo.partitionKey]: queue,
            [toDo.sortKey]: orderKey(messageAtMs(message), message.id),
            body: JSON.stringify(message),
          };
          if (!(await table.put(item, { if: "attribute_not_exists(pk)" }))) return;
          own.add(message.id);
          added.add(message.id);
        });
        await keepAnnounced(
          table,
          messages.filter(({ id }) => added.has(id)).map((message) => message.alert),
        );
        return { kind: "kept" };
      });
    },
    // The topic is the one receiver and its own only recipient, so that a message is its own place in the queue.
    async subscribe() {},
    async pending(_receiver, limit) {
      const listed = await listQueue(table, queue, limit);
      const known = new Set(listed.map((item) => keyOf(item).pk));
      const unlisted = [...own].map(messageKey).filter(({ pk }) => !known.has(pk));
      // The index may lag behind: what was delivered a moment ago is seen in the item itself.
      const found = await table.getAll([...listed.map(keyOf), ...unlisted].slice(0, limit));
      const items = found.filter((item) => text(item, toDo.partitionKey) === queue);
      const waiting = new Set(items.map((item) => keyOf(item).pk));
      for (const { pk } of found.map(keyOf)) if (!waiting.has(pk)) own.delete(pk.slice("message#".length));
      const queued: QueuedMessage[] = [];
      for (const item of items.sort(byOrder)) {
        const message = await readOrSetAside(table, item, readMessage);
        if (message)
          queued.push({ message, tries: Number(item.tries ?? 0), nextTryMs: Number(item.nextTryMs ?? 0) });
        else own.delete(keyOf(item).pk.slice("message#".length));
      }
      return queued;
    },
    // Two assessments may run at one instant, and SNS recognises no repetition.
    claim: ({ id }, nowMs) =>
      table.update(messageKey(id), "SET claimedUntilMs = :until", {
        if: "attribute_exists(toDo) AND (attribute_not_exists(claimedUntilMs) OR NOT claimedUntilMs BETWEEN :now AND :until)",
        values: { ":now": nowMs + 1, ":until": nowMs + claimMs },
      }),
    announced: async () => readItems(table, await listPartition(table, announcedPk), parseBody(alert)),
    async lastEnd(incidentId) {
      const keys = Array.from({ length: maxNumbered }, (_, index) =>
        messageKey(`${incidentId}/${index + 1}-resolved`),
      );
      const numbers = (await table.getAll(keys)).map((item) => numberOf({ id: keyOf(item).pk }));
      return Math.max(0, ...numbers);
    },
    async record(message, _receiver, result) {
      const key = messageKey(message.id);
      const isInQueue = "attribute_exists(toDo)";
      const keptDays = Math.max(retentionDays + expirySlackDays, dedupDays);
      const seconds = expiresAt(messageAtMs(message), keptDays);
      if (result.state === "waiting") {
        const { tries, nextTryMs, atMs, why } = result;
        await table.update(
          key,
          "SET tries = :tries, nextTryMs = :next, why = :why, failingSinceMs = if_not_exists(failingSinceMs, :at) REMOVE claimedUntilMs",
          {
            if: isInQueue,
            values: { ":tries": tries, ":next": nextTryMs, ":why": why, ":at": atMs },
          },
        );
        return;
      }
      own.delete(message.id);
      if (result.state === "set-aside") {
        const order = orderKey(result.atMs, message.id);
        await table.update(key, "SET toDo = :aside, toDoOrder = :order, why = :why, expiresAt = :seconds", {
          if: isInQueue,
          values: {
            ":aside": setAsideQueue,
            ":order": order,
            ":why": result.why,
            ":seconds": seconds,
          },
        });
        return;
      }
      // First: a crash between the two leaves a message that is sent again, and the proof was true.
      if (result.state === "delivered") await keepProof(table, message.alert);
      await table.update(key, "SET expiresAt = :seconds REMOVE toDo, toDoOrder, body", {
        if: isInQueue,
        values: { ":seconds": seconds },
      });
    },
    async undelivered() {
      const items = await listQueue(table, queue, maxCounted);
      return { count: items.length, oldestMs: items[0] && orderMs(text(items[0], toDo.sortKey)) };
    },
    async status() {
      const waiting = await table.getAll((await listQueue(table, queue, maxCounted)).map(keyOf));
      const failing = waiting
        .filter((item) => item.failingSinceMs !== undefined)
        .sort((one, other) => Number(one.failingSinceMs) - Number(other.failingSinceMs));
      const latest = await listQueue(table, setAsideQueue, maxListed, true);
      const aside = await table.getAll(latest.map(keyOf));
      const [first] = failing;
      return {
        waiting: waiting.length,
        failing: first && { since: toIso(Number(first.failingSinceMs)), why: text(failing.at(-1), "why") },
        setAside: aside.map((item) => ({
          id: keyOf(item).pk.slice("message#".length),
          at: toIso(orderMs(text(item, toDo.sortKey))),
          why: text(item, "why"),
        })),
      };
    },
  };
}

/** Undefined where it is the message of another item. */
function readMessage(item: Item): OutboxMessage | undefined {
  const message = parseBody(outboxMessage)(item);
  return messageKey(message.id).pk === item.pk ? message : undefined;
}

/** No incident has more messages: of one there are 15 in a day that tell a change. */
const maxNumbered = 80;

const announcedPk = "announced";

/**
 * The latest alert of each incident that has not ended, because the body of a delivered message is deleted. Written after
 * the messages: what is missing after a crash between the two is an incident that may be announced once more.
 */
async function keepAnnounced(table: Table, added: readonly Alert[]): Promise<void> {
  const ofIncidents = added.filter(isOfIncident);
  const open = new Map(listUnresolved(ofIncidents).map((one) => [incidentOf(one), one]));
  const ended = new Set(ofIncidents.flatMap((one) => [incidentOf(one), ...(one.supersedes ?? [])]));
  await forEach([...open], ([id, latest]) =>
    table.put({ pk: announcedPk, sk: id, body: JSON.stringify(latest) }),
  );
  await forEach(
    [...ended].filter((id) => !open.has(id)),
    (id) => table.remove({ pk: announcedPk, sk: id }),
  );
}

/** The queue of what waits in the index to-do, and that of what was given up. */
const queue = "alert";
const setAsideQueue = "set-aside-alert";

const maxCounted = 100;
const maxListed = 20;
const toIso = (ms: number) => new Date(ms).toISOString();

const proofKey = { pk: "delivered-alert", sk: "latest" };

/** The latest alert that SNS accepted. */
export type Proof = { atMs: number; isDrill: boolean };

async function keepProof(table: Table, { at, event }: Alert): Promise<void> {
  const alertAt = Date.parse(at);
  const isNewer = "attribute_not_exists(pk) OR alertAt < :at";
  await table.put({ ...proofKey, alertAt, event }, { if: isNewer, values: { ":at": alertAt } });
}

/** The topic reaches nobody until a confirmed subscription was seen, whatever SNS accepted before. */
export async function readProof(
  options: TableOptions,
  { confirmedSince }: Pick<SubscriptionStatus, "confirmedSince"> = {},
): Promise<Proof | "none"> {
  const item = await openTable(options).get(proofKey);
  const isProven = item && confirmedSince && Number(item.alertAt) >= Date.parse(confirmedSince);
  return isProven ? { atMs: Number(item.alertAt), isDrill: text(item, "event") === "drill" } : "none";
}
