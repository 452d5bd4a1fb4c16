// The tables of the embedded store, their schema version, and the deletion of old observations.
import type { DatabaseSync } from "node:sqlite";
import { dedupDays } from "../../ports.ts";
import { historyTables } from "./history.ts";

/** "v1wa" in the SQLite file header. A database of another application is never written to. */
export const applicationId = 0x76317761;

/** Incremented with every change of the tables or of the records in them. A store of another version is refused. */
const schemaVersion = 6;

const tables = `
   CREATE TABLE observation (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     at_ms INTEGER NOT NULL,
     assessed INTEGER NOT NULL DEFAULT 0,
     body TEXT NOT NULL
   ) STRICT;
   CREATE INDEX observation_time ON observation (at_ms, id);
   CREATE INDEX observation_unassessed ON observation (at_ms, id) WHERE assessed = 0;
   CREATE TABLE checkpoint (day TEXT PRIMARY KEY, state BLOB NOT NULL) STRICT;
   CREATE TABLE metadata (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
   INSERT INTO metadata VALUES ('commits', 0), ('pruned_before_ms', 0);
   CREATE TABLE probe_state (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
   CREATE TABLE decision (
     at_ms INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
     PRIMARY KEY (at_ms, kind, subject)
   ) STRICT;
   CREATE TABLE subscription_status (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL) STRICT;
   -- The body of a delivered metrics message is deleted; its id stays, so that it is not sent twice.
   CREATE TABLE outbox_message (id TEXT PRIMARY KEY, kind TEXT NOT NULL, at_ms INTEGER NOT NULL, body TEXT) STRICT;
   CREATE INDEX outbox_message_pending ON outbox_message (kind, at_ms, id) WHERE body IS NOT NULL;
   CREATE TABLE receiver (name TEXT PRIMARY KEY, kind TEXT NOT NULL, reaches_people INTEGER NOT NULL) STRICT;
   -- The place of a message in the queue of one receiver, and what became of it there.
   CREATE TABLE delivery (
     receiver TEXT NOT NULL, message_id TEXT NOT NULL, message_at_ms INTEGER NOT NULL,
     reaches_people INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
     tries INTEGER NOT NULL DEFAULT 0, next_try_ms INTEGER NOT NULL DEFAULT 0,
     failing_since_ms INTEGER, at_ms INTEGER, why TEXT,
     PRIMARY KEY (receiver, message_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX delivery_state ON delivery (receiver, state, message_at_ms, message_id);
   CREATE INDEX delivery_message ON delivery (message_id);
   ${historyTables}`;

export type SchemaStatus = "ready" | "fresh" | "older" | "newer" | "foreign";

export function readSchemaStatus(db: DatabaseSync): SchemaStatus {
  const version = readPragma(db, "user_version");
  if (readPragma(db, "application_id") === applicationId) {
    if (version === schemaVersion) return "ready";
    return version < schemaVersion ? "older" : "newer";
  }
  const { count } = db.prepare("SELECT count(*) AS count FROM sqlite_schema").get() as { count: number };
  return count === 0 && version === 0 ? "fresh" : "foreign";
}

export function createTables(db: DatabaseSync): void {
  transact(db, () => {
    db.exec(tables);
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
  });
}

function readPragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

/** Runs `work` in one transaction. SQLite may have rolled back already if the disk is full. */
export function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** The number of rows deleted in one transaction, so that an append never waits long for the lock. */
const batchRows = 1_000;
const dedupMs = dedupDays * 86_400_000;

/**
 * Deletes the observations before the newest checkpoint at or before `beforeMs`, and returns their number.
 * The checkpoint contains their assessment, and later appends from that time are refused as too old. Deletes
 * nothing if an observation of that time is not assessed yet.
 */
export function pruneStore(db: DatabaseSync, beforeMs: number, nowMs: number): number {
  const before = new Date(beforeMs).toISOString().slice(0, 10);
  const cutoff = db.prepare("SELECT max(day) AS day FROM checkpoint WHERE day <= ?").get(before) as {
    day: string | null;
  };
  const unassessed = db.prepare("SELECT min(at_ms) AS atMs FROM observation WHERE assessed = 0").get() as {
    atMs: number | null;
  };
  if (cutoff.day === null) return 0;
  const cutoffMs = Date.parse(cutoff.day);
  if (unassessed.atMs !== null && unassessed.atMs < cutoffMs) return 0;
  transact(db, () => {
    db.prepare("UPDATE metadata SET value = max(value, ?) WHERE name = 'pruned_before_ms'").run(cutoffMs);
    const removeDelivered = db.prepare(
      `DELETE FROM outbox_message WHERE kind = ? AND at_ms < ?
       AND NOT EXISTS (SELECT 1 FROM delivery WHERE message_id = id AND state = 'waiting')`,
    );
    removeDelivered.run("metrics", cutoffMs);
    removeDelivered.run("alert", Math.min(cutoffMs, nowMs - dedupMs));
    db.exec("DELETE FROM delivery WHERE message_id NOT IN (SELECT id FROM outbox_message)");
  });
  const remove = db.prepare(
    `DELETE FROM observation WHERE seq IN (SELECT seq FROM observation WHERE at_ms < ? LIMIT ${batchRows})`,
  );
  let removed = 0;
  while (true) {
    const changes = Number(remove.run(cutoffMs).changes);
    removed += changes;
    if (changes < batchRows) return removed;
  }
}
