// The outbox on the embedded store. A message is one row; for every receiver of its kind it has one delivery, which is
// its place in the queue of that receiver. Every call is one statement or one transaction.
import type { DatabaseSync } from "node:sqlite";
import {
  type DeliveryResult,
  messageAtMs,
  type Outbox,
  type OutboxMessage,
  type QueuedMessage,
  type ReceiverName,
  type ReceiverStatus,
} from "../../ports.ts";
import { type Alert, listUnresolved } from "../../records/alert.ts";
import { type HealthTracker, type RowReader, type TextRow, transact } from "./health.ts";

/** One delivery of an alert to one channel, as the page shows it. */
export type DeliveryRow = {
  alert: string;
  channel: string;
  state: "waiting" | "delivered" | "set-aside";
  tries: number;
  /** Of the latest try; null before the first. */
  at: string | null;
  why: string | null;
};

export type LocalOutbox = Outbox & {
  /** A drill that `notify --test` sent itself: the channels that accepted it are proven. */
  recordDrill(alert: Alert, accepted: readonly { name: string; reachesPeople: boolean }[]): Promise<void>;
  /** Nobody gets the message any more. */
  discard(message: OutboxMessage): Promise<void>;
  /** Messages that some receiver has not accepted, or that have no receiver yet. Oldest first. */
  waiting(): OutboxMessage[];
  /** The deliveries of the alerts of one incident, or of one alert. */
  deliveriesOf(idPrefix: string): DeliveryRow[];
  /** The latest alert that a channel accepted that reaches people, drills included. */
  lastProof(): { atMs: number; isDrill: boolean; channel: string } | "none";
};

type QueuedRow = TextRow & { tries: number; nextTryMs: number };

const maxSetAsideListed = 20;
const maxCounted = 100;
const toIso = (ms: number) => new Date(ms).toISOString();

export function createOutbox(
  db: DatabaseSync,
  { write, tryWrite }: HealthTracker,
  { read }: RowReader,
): LocalOutbox {
  const insert = db.prepare("INSERT INTO outbox_message VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
  const enqueue = db.prepare(
    `INSERT INTO delivery (receiver, message_id, message_at_ms, reaches_people)
     SELECT name, ?1, ?2, reaches_people FROM receiver`,
  );
  const receivers = db.prepare("SELECT name, reaches_people AS reachesPeople FROM receiver");
  const addReceiver = db.prepare("INSERT OR REPLACE INTO receiver VALUES (?, 'alert', ?)");
  const removeReceivers = db.prepare("DELETE FROM receiver");
  const unqueued = db.prepare(
    `SELECT id, at_ms AS atMs FROM outbox_message
     WHERE body IS NOT NULL AND id NOT IN (SELECT message_id FROM delivery)`,
  );
  const pending = db.prepare(
    `SELECT m.rowid, m.id AS key, m.body AS text, d.tries, d.next_try_ms AS nextTryMs FROM delivery d
     JOIN outbox_message m ON m.id = d.message_id AND m.body IS NOT NULL
     WHERE d.receiver = ? AND d.state = 'waiting' ORDER BY d.message_at_ms, d.message_id LIMIT ?`,
  );
  const deliver = db.prepare(
    "UPDATE delivery SET state = ?, at_ms = ?, why = NULL WHERE receiver = ? AND message_id = ?",
  );
  // A message that was accepted does not wait again, whatever a later record of the same try says.
  const fail = db.prepare(
    `UPDATE delivery SET state = ?, at_ms = ?2, tries = ?, next_try_ms = ?, why = ?,
     failing_since_ms = coalesce(failing_since_ms, ?2)
     WHERE receiver = ? AND message_id = ? AND state = 'waiting'`,
  );
  const proven = db.prepare(
    `INSERT OR REPLACE INTO delivery (receiver, message_id, message_at_ms, reaches_people, state, at_ms)
     VALUES (?1, ?2, ?3, ?4, 'delivered', ?3)`,
  );
  const removeAll = db.prepare("DELETE FROM delivery WHERE message_id = ? AND state = 'waiting'");
  const dropBody = db.prepare("UPDATE outbox_message SET body = NULL WHERE id = ?");
  const alerts = db.prepare(
    "SELECT rowid, id AS key, body AS text FROM outbox_message WHERE body IS NOT NULL",
  );
  const undelivered = db.prepare(
    `SELECT count(*) AS count, min(at_ms) AS oldestMs FROM outbox_message
     WHERE body IS NOT NULL AND (
       id IN (SELECT message_id FROM delivery JOIN receiver ON name = receiver WHERE state = 'waiting')
       OR id NOT IN (SELECT message_id FROM delivery))`,
  );
  const waiting = db.prepare(
    `SELECT rowid, id AS key, body AS text FROM outbox_message WHERE body IS NOT NULL AND (
       id IN (SELECT message_id FROM delivery WHERE state = 'waiting')
       OR id NOT IN (SELECT message_id FROM delivery)) ORDER BY at_ms, id`,
  );
  const summary = db.prepare(
    `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
       min(failing_since_ms) FILTER (WHERE state = 'waiting') AS failingSinceMs,
       max(at_ms) FILTER (WHERE state = 'delivered') AS deliveredMs
     FROM delivery WHERE receiver = ?`,
  );
  const latestCause = db.prepare(
    "SELECT why FROM delivery WHERE receiver = ? AND state = 'waiting' AND why IS NOT NULL ORDER BY at_ms DESC LIMIT 1",
  );
  const setAside = db.prepare(
    `SELECT message_id AS id, at_ms AS atMs, why FROM delivery WHERE receiver = ? AND state = 'set-aside'
     ORDER BY at_ms DESC LIMIT ${maxSetAsideListed}`,
  );
  const ofMessages = db.prepare(
    `SELECT message_id AS alert, receiver AS channel, state, tries, at_ms AS atMs, why FROM delivery
     WHERE (message_id = ?1 OR (message_id >= ?1 || '/' AND message_id < ?1 || '0')) AND state <> 'unwanted'
     ORDER BY message_at_ms, message_id, receiver`,
  );
  const proof = db.prepare(
    `SELECT d.at_ms AS atMs, d.receiver AS channel,
       CASE WHEN json_valid(m.body) THEN m.body ->> '$.alert.event' END AS event
     FROM delivery d JOIN outbox_message m ON m.id = d.message_id
     WHERE d.state = 'delivered' AND d.reaches_people = 1 ORDER BY d.at_ms DESC LIMIT 1`,
  );

  function record({ id }: OutboxMessage, { name }: ReceiverName, result: DeliveryResult): void {
    if (result.state === "waiting" || result.state === "set-aside") {
      const nextTryMs = result.state === "waiting" ? result.nextTryMs : 0;
      fail.run(result.state, result.atMs, result.tries, nextTryMs, result.why, name, id);
    } else deliver.run(result.state, result.atMs, name, id);
  }

  return {
    async put(messages) {
      return tryWrite(() =>
        transact(db, () => {
          for (const message of messages) {
            const atMs = messageAtMs(message);
            if (insert.run(message.id, message.kind, atMs, JSON.stringify(message)).changes > 0)
              enqueue.run(message.id, atMs);
          }
          return { kind: "kept" };
        }),
      );
    },
    async subscribe(given) {
      const rows = given.map(({ name, reachesPeople }) => ({ name, reachesPeople: Number(reachesPeople) }));
      const known = receivers.all() as typeof rows;
      const asText = (list: typeof rows) =>
        list
          .map(({ name, reachesPeople }) => `${name} ${reachesPeople}`)
          .toSorted()
          .join();
      if (given.length === 0 || asText(known) === asText(rows)) return;
      write(() =>
        transact(db, () => {
          removeReceivers.run();
          for (const { name, reachesPeople } of rows) addReceiver.run(name, reachesPeople);
          if (known.length > 0) return;
          for (const { id, atMs } of unqueued.all() as { id: string; atMs: number }[]) enqueue.run(id, atMs);
        }),
      );
    },
    async pending({ name }, limit) {
      return (pending.all(name, limit) as QueuedRow[]).flatMap((row): QueuedMessage[] => {
        const message = read("outbox_message", row);
        return message ? [{ message, tries: row.tries, nextTryMs: row.nextTryMs }] : [];
      });
    },
    async record(message, receiver, result) {
      write(() => transact(db, () => record(message, receiver, result)));
    },
    async announced() {
      const messages = (alerts.all() as TextRow[]).flatMap((row) => read("outbox_message", row) ?? []);
      return listUnresolved(messages.map(({ alert }) => alert));
    },
    async undelivered() {
      const { count, oldestMs } = undelivered.get() as { count: number; oldestMs: number | null };
      return { count: Math.min(count, maxCounted), oldestMs: oldestMs ?? undefined };
    },
    async status({ name }): Promise<ReceiverStatus> {
      const row = summary.get(name) as {
        waiting: number;
        failingSinceMs: number | null;
        deliveredMs: number | null;
      };
      const { why } = (latestCause.get(name) ?? { why: "" }) as { why: string };
      const aside = setAside.all(name) as { id: string; atMs: number; why: string }[];
      return {
        waiting: row.waiting,
        failing: row.failingSinceMs !== null ? { since: toIso(row.failingSinceMs), why } : undefined,
        setAside: aside.map(({ atMs, ...one }) => ({ ...one, at: toIso(atMs) })),
        deliveredAt: row.deliveredMs !== null ? toIso(row.deliveredMs) : undefined,
      };
    },
    async recordDrill(alert, accepted) {
      const atMs = Date.parse(alert.at);
      const message: OutboxMessage = { id: alert.id, kind: "alert", alert };
      write(() =>
        transact(db, () => {
          insert.run(alert.id, "alert", atMs, JSON.stringify(message));
          for (const { name, reachesPeople } of accepted)
            proven.run(name, alert.id, atMs, Number(reachesPeople));
        }),
      );
    },
    async discard({ id }) {
      write(() =>
        transact(db, () => {
          removeAll.run(id);
          dropBody.run(id);
        }),
      );
    },
    waiting: () => (waiting.all() as TextRow[]).flatMap((row) => read("outbox_message", row) ?? []),
    deliveriesOf(idPrefix) {
      const rows = ofMessages.all(idPrefix) as (Omit<DeliveryRow, "at"> & { atMs: number | null })[];
      return rows.map(({ atMs, ...row }) => ({ ...row, at: atMs === null ? null : toIso(atMs) }));
    },
    lastProof() {
      const row = proof.get() as { atMs: number; channel: string; event: string } | undefined;
      return row ? { atMs: row.atMs, isDrill: row.event === "drill", channel: row.channel } : "none";
    },
  };
}
