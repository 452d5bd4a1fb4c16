// The tables of the embedded store, and which version of them this program reads.
import type { DatabaseSync } from "node:sqlite";
import { dedupDays } from "../../ports.ts";
import { historyTables } from "./history.ts";

/** "v1wa" in the file's header: a database of another program is never written to. */
const applicationId = 0x76317761;

/** Raised with every change of the tables or of what their rows hold; a store of another version is refused. */
const schemaVersion = 3;

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
   CREATE TABLE number (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
   INSERT INTO number VALUES ('commits', 0), ('forgotten_before_ms', 0);
   CREATE TABLE probe_state (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
   CREATE TABLE decision (
     at_ms INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
     PRIMARY KEY (at_ms, kind, subject)
   ) STRICT;
   -- A delivered message keeps its id and loses its body.
   CREATE TABLE outbox_message (id TEXT PRIMARY KEY, kind TEXT NOT NULL, at_ms INTEGER NOT NULL, body TEXT) STRICT;
   CREATE INDEX outbox_message_pending ON outbox_message (kind, at_ms, id) WHERE body IS NOT NULL;
   ${historyTables}`;

export type Condition = "ready" | "fresh" | "older" | "newer" | "foreign";

export function readCondition(db: DatabaseSync): Condition {
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

/** Whole or not at all; a full disk may have rolled back already. */
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

// Forgetting old observations without forgetting what was learned from them.
/** Rows in one transaction, so that an append never waits long. */
const batchRows = 1_000;
const dedupMs = dedupDays * 86_400_000;

/**
 * Forgets up to the newest checkpoint at or before the instant, and no unassessed observation: what
 * goes is in that checkpoint, and nothing older is taken any more that could unmake it.
 */
export function pruneStore(db: DatabaseSync, beforeMs: number, nowMs: number): number {
  const before = new Date(beforeMs).toISOString().slice(0, 10);
  const cut = db.prepare("SELECT max(day) AS day FROM checkpoint WHERE day <= ?").get(before) as {
    day: string | null;
  };
  const waiting = db.prepare("SELECT min(at_ms) AS atMs FROM observation WHERE assessed = 0").get() as {
    atMs: number | null;
  };
  if (cut.day === null) return 0;
  const cutMs = Date.parse(cut.day);
  if (waiting.atMs !== null && waiting.atMs < cutMs) return 0;
  transact(db, () => {
    db.prepare("UPDATE number SET value = max(value, ?) WHERE name = 'forgotten_before_ms'").run(cutMs);
    const forget = db.prepare("DELETE FROM outbox_message WHERE body IS NULL AND kind = ? AND at_ms < ?");
    forget.run("metrics", cutMs);
    forget.run("alert", Math.min(cutMs, nowMs - dedupMs));
  });
  const remove = db.prepare(
    `DELETE FROM observation WHERE seq IN (SELECT seq FROM observation WHERE at_ms < ? LIMIT ${batchRows})`,
  );
  let removed = 0;
  while (true) {
    const changes = Number(remove.run(cutMs).changes);
    removed += changes;
    if (changes < batchRows) return removed;
  }
}
