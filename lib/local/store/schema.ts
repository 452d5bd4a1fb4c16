// The tables of the embedded store and their schema version.
import { DatabaseSync } from "node:sqlite";
import { transact } from "./database.ts";
import { historyTables } from "./history.ts";
import { numberOf } from "./rows.ts";

/** "v1wa" in the SQLite file header. A database of another application is never written to. */
export const applicationId = 0x76317761;

/** Incremented with every change of the tables or of the records in them. The oldest is that of the first release. */
const schemaVersion = 12;
const oldestVersion = 9;

/** The incident of a message, by its id: `down-1/2-changed` → `down-1`. */
export const incidentOf = (id: string) => `substr(${id}, 1, instr(${id} || '/', '/') - 1)`;
/** `{}` where the text is damaged, so that a trigger never rejects a row. */
const jsonOf = (body: string) => `CASE WHEN json_valid(${body}) THEN ${body} ELSE '{}' END`;
/** As isOfIncident() of records/alert.ts. */
const isOfIncident = (body: string) => `${body} ->> '$.alert.rule' NOT IN ('digest', 'drill')
       AND ${body} ->> '$.alert.event' IN ('opened', 'changed', 'reminder', 'resolved')`;
/** By the number of the message: its instant may be that of a clock that was wrong. */
const newestFirst = `${numberOf("id")} DESC, at_ms DESC`;
/** Sets the latest message of an incident, or none where that is its RESOLVED. */
const announceLatest = (id: string) => `
     DELETE FROM announced WHERE incident = ${incidentOf(id)};
     INSERT INTO announced SELECT ${incidentOf(id)}, latest.id FROM (
       SELECT id, body ->> '$.alert.event' AS event FROM outbox_message
       WHERE (id = ${incidentOf(id)} OR (id >= ${incidentOf(id)} || '/' AND id < ${incidentOf(id)} || '0'))
         AND json_valid(body) AND ${isOfIncident("body")} ORDER BY ${newestFirst} LIMIT 1) latest
     WHERE latest.event <> 'resolved';`;

/** What is asked for with every tick has an index, so that it does not take longer with every message. */
const outboxIndexes = `
   -- The latest message of every incident that was put here and whose RESOLVED was not: listUnresolved() of records/alert.ts.
   CREATE TABLE announced (incident TEXT PRIMARY KEY, message_id TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE INDEX announced_message ON announced (message_id);
   CREATE TRIGGER announced_insert AFTER INSERT ON outbox_message
     WHEN ${isOfIncident(`(${jsonOf("new.body")})`)} BEGIN
     DELETE FROM announced WHERE incident IN (SELECT value FROM json_each(new.body, '$.alert.supersedes'));
     ${announceLatest("new.id")}
   END;
   -- A message that cannot be read: the one before it is the latest.
   CREATE TRIGGER announced_delete AFTER DELETE ON outbox_message
     WHEN EXISTS (SELECT 1 FROM announced WHERE message_id = old.id) BEGIN ${announceLatest("old.id")}
   END;
   -- A message without a delivery has no receiver yet.
   CREATE INDEX outbox_message_unqueued ON outbox_message (at_ms, id) WHERE queued IS NULL;
   CREATE TRIGGER outbox_message_queue AFTER INSERT ON delivery BEGIN
     UPDATE outbox_message SET queued = 1 WHERE id = new.message_id AND queued IS NULL;
   END;
   CREATE INDEX delivery_latest ON delivery (receiver, state, at_ms);
   CREATE INDEX delivery_proof ON delivery (at_ms) WHERE state = 'delivered' AND reaches_people = 1;`;

/** `clock_ms`: when the clock was last known to be right; see clock.ts. */
const metadataRows =
  "INSERT OR IGNORE INTO metadata VALUES ('commits', 0), ('pruned_before_ms', 0), ('clock_ms', 0);";

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
   ${metadataRows}
   CREATE TABLE probe_state (one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
   CREATE TABLE decision (
     at_ms INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
     PRIMARY KEY (at_ms, kind, subject)
   ) STRICT;
   -- The settings by which the watch assesses, so that whoever reads the store sees what was decided and does not judge again.
   CREATE TABLE assessment_settings (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL) STRICT;
   CREATE TABLE subscription_status (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL) STRICT;
   -- The first release discarded messages: their body is NULL, and their id stays, so that they are not put again.
   CREATE TABLE outbox_message (
     id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, body TEXT, queued INTEGER
   ) STRICT;
   CREATE TABLE receiver (name TEXT PRIMARY KEY, reaches_people INTEGER NOT NULL) STRICT;
   -- The place of a message in the queue of one receiver, and what became of it there.
   CREATE TABLE delivery (
     receiver TEXT NOT NULL, message_id TEXT NOT NULL, message_at_ms INTEGER NOT NULL,
     reaches_people INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'waiting',
     tries INTEGER NOT NULL DEFAULT 0, next_try_ms INTEGER NOT NULL DEFAULT 0,
     failing_since_ms INTEGER, at_ms INTEGER, why TEXT,
     -- Of a message that not all recipients have: the recipients that have it, as a JSON list of hashes.
     accepted TEXT,
     PRIMARY KEY (receiver, message_id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX delivery_state ON delivery (receiver, state, message_at_ms, message_id);
   CREATE INDEX delivery_message ON delivery (message_id);
   ${outboxIndexes}
   -- Rows whose text cannot be read, with their bytes as they were found.
   CREATE TABLE unreadable_row (
     seq INTEGER PRIMARY KEY, source TEXT NOT NULL, key TEXT NOT NULL, found_ms INTEGER NOT NULL, content ANY
   ) STRICT;
   ${historyTables}`;

/** `upgradable`: of an older version that is still opened; `older`: from before those. */
export type SchemaStatus = "ready" | "fresh" | "upgradable" | "older" | "newer" | "foreign";

export function readSchemaStatus(db: DatabaseSync): SchemaStatus {
  const version = readPragma(db, "user_version");
  if (readPragma(db, "application_id") === applicationId) {
    if (version === schemaVersion) return "ready";
    if (version > schemaVersion) return "newer";
    return version < oldestVersion ? "older" : "upgradable";
  }
  const { count } = db.prepare("SELECT count(*) AS count FROM sqlite_schema").get() as { count: number };
  return count === 0 && version === 0 ? "fresh" : "foreign";
}

export function createTables(db: DatabaseSync): void {
  // An observation takes about 2 KB: three fit on a page of 8 KB, but only one on a page of 4 KB.
  db.exec("PRAGMA page_size = 8192;");
  transact(db, () => {
    db.exec(tables);
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
  });
}

/** Whether the texts of the schema are those of a new store: SQLite checks only that it can read them. */
export function hasOurSchema(db: DatabaseSync): boolean {
  const fresh = new DatabaseSync(":memory:");
  createTables(fresh);
  const [ours, theirs] = [fresh, db].map((one) =>
    JSON.stringify(one.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all()),
  );
  fresh.close();
  return ours === theirs;
}

/**
 * Adds what is missing. A limit after every observation is damaged, because an observation of its day was kept when it
 * was set: with it the store would refuse every new observation as too old.
 */
export function repairMetadata(db: DatabaseSync): void {
  const damaged = db
    .prepare(
      `SELECT count(*) AS count FROM metadata WHERE value < 0
       OR (name = 'pruned_before_ms' AND value > coalesce((SELECT max(at_ms) FROM observation), 0))`,
    )
    .get() as { count: number };
  const known = db.prepare("SELECT count(*) AS count FROM metadata").get() as { count: number };
  if (damaged.count === 0 && known.count === 3) return;
  transact(db, () => {
    db.exec(`UPDATE metadata SET value = 0 WHERE value < 0 OR name = 'pruned_before_ms';
      DELETE FROM metadata WHERE name NOT IN ('commits', 'pruned_before_ms', 'clock_ms'); ${metadataRows}`);
  });
}

function readPragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}
