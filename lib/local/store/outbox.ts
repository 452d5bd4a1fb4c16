// The outbox on the embedded store. A message is one row; for every receiver it has one delivery, which is
// its place in the queue of that receiver. Every call is one statement or one transaction.
import { messageAtMs, type Outbox, type QueuedMessage, type ReceiverStatus } from "../../ports.ts";
import { type Alert, listEnded } from "../../records/alert.ts";
import { type Delivered, theMessage } from "../../records/receipt.ts";
import type { DeliveryView } from "../server/api-schemas.ts";
import type { Database } from "./database.ts";
import { insertMessage, numberOf, type RowReader, type TextRow } from "./rows.ts";

export type LocalOutbox = Outbox & {
  /** A drill that `notify --test` sent itself: the channels that accepted it are proven. */
  recordDrill(
    alert: Alert,
    proven: readonly { name: string; reachesPeople: boolean; receipts: Delivered }[],
  ): Promise<void>;
  /** The deliveries of the alerts of one incident, or of one alert. */
  deliveriesOf(idPrefix: string): DeliveryView[];
  /** The latest alert that a channel accepted that reaches people, drills included. */
  lastProof(): { atMs: number; isDrill: boolean; channel: string } | "none";
};

type QueuedRow = TextRow & { tries: number; nextTryMs: number; accepted: string | null };

/** Without a list that can be read, everybody gets the message: twice is better than not at all. */
function readAccepted(text: string | null): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text ?? "null");
    return Array.isArray(list) ? list.filter((one) => typeof one === "string") : undefined;
  } catch {
    return undefined;
  }
}

const maxSetAsideListed = 20;
const maxCounted = 100;
const toIso = (ms: number) => new Date(ms).toISOString();
const toInstant = (ms: number | null | undefined) => (typeof ms === "number" ? toIso(ms) : undefined);

/** Messages that have no receiver yet, or wait for one that there is. */
const waiting = `
   SELECT at_ms FROM outbox_message INDEXED BY outbox_message_unqueued WHERE queued IS NULL
   UNION ALL SELECT at_ms FROM outbox_message WHERE id IN (
     SELECT message_id FROM delivery INDEXED BY delivery_state
     WHERE state = 'waiting' AND receiver IN (SELECT name FROM receiver))`;

/** By the receiver, and when it accepted its latest message. */
const failures = `SELECT failing_since_ms AS sinceMs, at_ms AS atMs, why FROM delivery INDEXED BY delivery_state
     WHERE receiver = ?1 AND state = 'waiting' AND failing_since_ms IS NOT NULL
   UNION ALL SELECT failing_since_ms, at_ms, why FROM delivery
     WHERE receiver = ?1 AND state = 'set-aside' AND at_ms > ?2 AND why <> 'unreadable' AND failing_since_ms IS NOT NULL`;

export function createOutbox(db: Database, { read }: RowReader): LocalOutbox {
  const enqueue = (id: string, atMs: number) =>
    db.run(
      `INSERT INTO delivery (receiver, message_id, message_at_ms, reaches_people)
       SELECT name, ?1, ?2, reaches_people FROM receiver`,
      ...[id, atMs],
    );
  /** False where the store refuses writes: it is only skipped then. */
  const isSetAside = ({ rowid }: TextRow) =>
    db.get("SELECT 1 FROM outbox_message WHERE rowid = ?", rowid) === undefined;
  /** Also where it has the message, but not the end of another incident. */
  const isTold = (receiver: string, incident: string) =>
    db.get(
      `SELECT 1 FROM delivery WHERE receiver = ?1 AND message_id >= ?2 || '/' AND message_id < ?2 || '0'
       AND (state = 'delivered' OR instr(accepted, ?3) > 0) LIMIT 1`,
      ...[receiver, incident, JSON.stringify(theMessage)],
    ) !== undefined;
  /** By their text, which does not change: they are asked for at every assessment, and validating one takes long. */
  let latestRead: ReadonlyMap<string, Alert> = new Map();

  return {
    async put(messages) {
      return db.tryWrite(() =>
        db.transact(() => {
          for (const message of messages)
            if (insertMessage(db, message)) enqueue(message.id, messageAtMs(message));
          return { kind: "kept" };
        }),
      );
    },
    async subscribe(given) {
      const rows = given.map(({ name, reachesPeople }) => ({ name, reachesPeople: Number(reachesPeople) }));
      const known = db.all<(typeof rows)[number]>(
        "SELECT name, reaches_people AS reachesPeople FROM receiver",
      );
      const asText = (list: typeof rows) =>
        list
          .map(({ name, reachesPeople }) => `${name} ${reachesPeople}`)
          .toSorted()
          .join();
      if (given.length === 0 || asText(known) === asText(rows)) return;
      await db.write(() =>
        db.transact(() => {
          db.run("DELETE FROM receiver");
          for (const { name, reachesPeople } of rows)
            db.run("INSERT OR REPLACE INTO receiver VALUES (?, ?)", name, reachesPeople);
          if (known.length > 0) return;
          const unqueued = db.all<{ id: string; atMs: number }>(
            "SELECT id, at_ms AS atMs FROM outbox_message WHERE queued IS NULL",
          );
          for (const { id, atMs } of unqueued) enqueue(id, atMs);
        }),
      );
    },
    async pending({ name }, limit) {
      const rows = db.all<QueuedRow>(
        `SELECT m.rowid, m.id AS key, m.body AS text, d.tries, d.next_try_ms AS nextTryMs, d.accepted
         FROM delivery d
         JOIN outbox_message m ON m.id = d.message_id
         WHERE d.receiver = ? AND d.state = 'waiting' ORDER BY d.message_at_ms, d.message_id LIMIT ?`,
        ...[name, limit],
      );
      return rows.flatMap((row): QueuedMessage[] => {
        const message = read("outbox_message", row);
        if (!message) return [];
        const { tries, nextTryMs } = row;
        const told = listEnded(message.alert).filter((incident) => isTold(name, incident));
        const accepted = readAccepted(row.accepted);
        return [{ message, tries, nextTryMs, accepted, told: told.length > 0 ? told : undefined }];
      });
    },
    async record({ id }, { name }, result) {
      await db.write(() => {
        if (result.state === "waiting" || result.state === "set-aside")
          // A message that was accepted does not wait again, whatever a later record of the same try says.
          db.run(
            `UPDATE delivery SET state = ?1, at_ms = ?2, tries = ?3, next_try_ms = ?4, why = ?5,
             failing_since_ms = coalesce(failing_since_ms, ?2), accepted = ?8
             WHERE receiver = ?6 AND message_id = ?7 AND state = 'waiting'`,
            ...[result.state, result.atMs, result.tries],
            ...[result.state === "waiting" ? result.nextTryMs : 0, result.why, name, id],
            result.accepted ? JSON.stringify(result.accepted) : null,
          );
        else
          db.run(
            "UPDATE delivery SET state = ?, at_ms = ?, why = NULL WHERE receiver = ? AND message_id = ?",
            ...[result.state, result.atMs, name, id],
          );
      });
    },
    async announced() {
      const alerts = new Map<string, Alert>();
      // One that cannot be read is set aside, and the one before it takes its place.
      for (let isWhole = false; !isWhole; ) {
        isWhole = true;
        alerts.clear();
        const rows = db.all<TextRow & { text: string }>(
          `SELECT m.rowid, m.id AS key, m.body AS text FROM announced a JOIN outbox_message m ON m.id = a.message_id
           ORDER BY m.at_ms, m.id`,
        );
        for (const row of rows) {
          const alert = latestRead.get(row.text) ?? read("outbox_message", row)?.alert;
          if (alert) alerts.set(row.text, alert);
          else isWhole = !isSetAside(row);
        }
      }
      latestRead = alerts;
      return [...alerts.values()];
    },
    async lastEnd(incidentId) {
      const row = db.get<{ number: number | null }>(
        `SELECT max(${numberOf("id")}) AS number FROM outbox_message
         WHERE id >= ?1 || '/' AND id < ?1 || '0' AND id LIKE '%-resolved'`,
        incidentId,
      );
      return row?.number ?? 0;
    },
    async undelivered() {
      const row = db.get<{ count: number; oldestMs: number | null }>(
        `SELECT count(*) AS count, min(at_ms) AS oldestMs FROM (${waiting})`,
      );
      return { count: Math.min(row?.count ?? 0, maxCounted), oldestMs: row?.oldestMs ?? undefined };
    },
    async status({ name }): Promise<ReceiverStatus> {
      const { deliveredMs } = db.get<{ deliveredMs: number | null }>(
        "SELECT max(at_ms) AS deliveredMs FROM delivery WHERE receiver = ? AND state = 'delivered'",
        name,
      ) ?? { deliveredMs: null };
      const { waiting } = db.get<{ waiting: number }>(
        "SELECT count(*) AS waiting FROM delivery WHERE receiver = ? AND state = 'waiting'",
        name,
      ) ?? { waiting: 0 };
      // A message that was given up shows that the receiver fails, until it accepts another one.
      const failing = db.get<{ sinceMs: number | null; why: string | null }>(
        `SELECT min(sinceMs) AS sinceMs, (SELECT why FROM (${failures}) WHERE why IS NOT NULL ORDER BY atMs DESC LIMIT 1) AS why
         FROM (${failures})`,
        ...[name, deliveredMs ?? 0],
      );
      const aside = db.all<{ id: string; atMs: number; why: string }>(
        `SELECT message_id AS id, at_ms AS atMs, why FROM delivery WHERE receiver = ? AND state = 'set-aside'
         ORDER BY at_ms DESC LIMIT ${maxSetAsideListed}`,
        name,
      );
      const since = toInstant(failing?.sinceMs);
      return {
        waiting,
        failing: since === undefined ? undefined : { since, why: failing?.why ?? "" },
        setAside: aside.map(({ atMs, ...one }) => ({ ...one, at: toIso(atMs) })),
        deliveredAt: toInstant(deliveredMs),
      };
    },
    async recordDrill(alert, proven) {
      await db.write(() =>
        db.transact(() => {
          insertMessage(db, { id: alert.id, kind: "alert", alert });
          for (const { name, reachesPeople } of proven)
            db.run(
              `INSERT OR REPLACE INTO delivery (receiver, message_id, message_at_ms, reaches_people, state, at_ms)
               VALUES (?1, ?2, ?3, ?4, 'delivered', ?3)`,
              ...[name, alert.id, Date.parse(alert.at), Number(reachesPeople)],
            );
        }),
      );
    },
    deliveriesOf(idPrefix) {
      const rows = db.all<Omit<DeliveryView, "at"> & { atMs: number | null }>(
        `SELECT message_id AS alert, receiver AS channel, state, tries, at_ms AS atMs, why FROM delivery
         WHERE (message_id = ?1 OR (message_id >= ?1 || '/' AND message_id < ?1 || '0')) AND state <> 'unwanted'
         ORDER BY message_at_ms, message_id, receiver`,
        idPrefix,
      );
      return rows.map(({ atMs, ...row }) => ({ ...row, at: atMs === null ? null : toIso(atMs) }));
    },
    lastProof() {
      const row = db.get<{ atMs: number; channel: string; event: string | null }>(
        `SELECT d.at_ms AS atMs, d.receiver AS channel,
           CASE WHEN json_valid(m.body) THEN m.body ->> '$.alert.event' END AS event
         FROM delivery d JOIN outbox_message m ON m.id = d.message_id
         WHERE d.state = 'delivered' AND d.reaches_people = 1 ORDER BY d.at_ms DESC LIMIT 1`,
      );
      return row ? { atMs: row.atMs, isDrill: row.event === "drill", channel: row.channel } : "none";
    },
  };
}
