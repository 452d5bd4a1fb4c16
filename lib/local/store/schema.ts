// The tables of the embedded store, their schema version, and the deletion of old observations.
import type { DatabaseSync } from "node:sqlite";
import { dedupDays } from "../../ports.ts";
import { historyTables } from "./history.ts";

/** "v1wa" in the SQLite file header. A database of another application is never written to. */
const applicationId = 0x76317761;

/** Incremented with every change of the tables or of the records in them. A store of another version is refused. */
const schemaVersion = 5;

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
   -- The body of a delivered message is deleted; its id stays, so that it is not sent twice.
   CREATE TABLE outbox_message (id TEXT PRIMARY KEY, kind TEXT NOT NULL, at_ms INTEGER NOT NULL, body TEXT) STRICT;
   CREATE INDEX outbox_message_pending ON outbox_message (kind, at_ms, id) WHERE body IS NOT NULL;
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
      "DELETE FROM outbox_message WHERE body IS NULL AND kind = ? AND at_ms < ?",
    );
    removeDelivered.run("metrics", cutoffMs);
    removeDelivered.run("alert", Math.min(cutoffMs, nowMs - dedupMs));
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
