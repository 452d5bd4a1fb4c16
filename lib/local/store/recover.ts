// A store whose file is damaged is renamed and kept. A new one gets its rows up to the first damaged place and after the last.

import { existsSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { classifySqliteError, transact } from "./database.ts";
import { resentMs } from "./rows.ts";
import { createTables, readSchemaStatus, repairMetadata } from "./schema.ts";

/** Whole numbers that no index repeats. Beyond those of JavaScript, a statement that reads them fails. */
const numbers = {
  delivery: ["tries", "next_try_ms", "failing_since_ms", "at_ms"],
  observation_summary: ["status", "breaking", "additive"],
  probe_state: ["version"],
  metadata: ["value"],
};
const outOfRange = Object.entries(numbers)
  .flatMap(([table, columns]) =>
    columns.map(
      (column) => `EXISTS (SELECT 1 FROM ${table} WHERE abs(${column}) > ${Number.MAX_SAFE_INTEGER})`,
    ),
  )
  .join(" OR ");

export function isIntact(path: string): boolean {
  if (!existsSync(path)) return true;
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const readFirst = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
  try {
    // Also compares every index with its table: a damaged key would hide its row.
    if (readFirst("PRAGMA integrity_check(1)") !== "ok") return false;
    return readSchemaStatus(db) !== "ready" || readFirst(`SELECT ${outOfRange}`) === 0;
  } catch (error) {
    if (classifySqliteError(error) === "corrupt") return false;
    throw error;
  } finally {
    db.close();
  }
}

export type Recovered = { file: string; recovered: number };

const newFile = (path: string) => `${path}.recovering`;

/**
 * The new store is complete before the damaged one is renamed, so that a failure at any point, such as a full disk,
 * leaves one of them to start from.
 */
export function recoverStore(path: string, atMs: number): Recovered {
  const file = corruptName(path, atMs);
  const db = new DatabaseSync(newFile(path));
  let recovered = 0;
  try {
    createTables(db);
    recovered = copyRows(path, db, basename(file), atMs);
  } catch (error) {
    db.close();
    rmSync(newFile(path));
    throw error;
  }
  db.close();
  rename(path, file);
  renameSync(newFile(path), path);
  return { file, recovered };
}

/** After a kill during a recovery. Without a store, the new one is complete. */
export function finishRecovery(path: string, atMs: number): void {
  if (!existsSync(newFile(path))) return;
  if (existsSync(path)) {
    for (const suffix of ["", "-journal"]) rmSync(newFile(path) + suffix, { force: true });
    return;
  }
  rename(path, corruptName(path, atMs));
  renameSync(newFile(path), path);
}

const corruptName = (path: string, atMs: number) =>
  `${path}.corrupt-${new Date(atMs).toISOString().replace(/[-:.]/g, "")}`;

/** The write-ahead log is renamed with the file, because it has the latest rows. */
function rename(path: string, to: string): void {
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(path + suffix)) renameSync(path + suffix, to + suffix);
}

type Row = Record<string, SQLInputValue>;

/** Receivers are not copied: those of the configuration subscribe again and get what waits. */
const tables = [
  "unreadable_row",
  "observation",
  "checkpoint",
  "probe_state",
  "decision",
  "subscription_status",
  "assessment_settings",
  "outbox_message",
  "sent_alert",
  "delivery",
  "metadata",
];

/** Records the file among the unreadable rows. A row whose text is damaged is set aside when it is read. Returns the number of copied rows. */
function copyRows(path: string, into: DatabaseSync, corruptFile: string, nowMs: number): number {
  // The file is only read: what it still has stays as it is.
  const from = new DatabaseSync(path, { readOnly: true, defensive: false });
  // Otherwise SQLite reads nothing of a file that is shorter than its header says.
  from.exec("PRAGMA writable_schema = ON");
  let copied = 0;
  // A new store has its metadata already.
  into.exec("DELETE FROM metadata");
  try {
    for (const table of tables) {
      const insert = into.prepare(insertText(into, table));
      // Columns that only the damaged schema has are left out.
      insert.setAllowUnknownNamedParameters(true);
      transact(into, () => {
        for (const row of readFromBothEnds(from, table)) {
          try {
            copied += Number(insert.run(row).changes);
          } catch (error) {
            if (!isOfRow(error)) throw error;
          }
        }
      });
    }
  } finally {
    from.close();
  }
  transact(into, () => {
    into
      .prepare("INSERT INTO unreadable_row (source, key, found_ms) VALUES ('file', ?, ?)")
      .run(corruptFile, nowMs);
    // What is after the last checkpoint is assessed again; its alerts have the same ids.
    into.exec(`UPDATE observation SET assessed = 0
      WHERE at_ms >= coalesce((SELECT unixepoch(max(day)) * 1000 FROM checkpoint), 0);
      UPDATE delivery SET state = 'waiting' WHERE state NOT IN ('waiting', 'delivered', 'unwanted', 'set-aside');
      UPDATE outbox_message SET queued = (SELECT 1 FROM delivery WHERE message_id = outbox_message.id LIMIT 1)`);
    into
      .prepare(
        `UPDATE outbox_message SET body = NULL WHERE kind = 'alert' AND at_ms < ?
         AND id NOT IN (SELECT message_id FROM delivery)`,
      )
      .run(nowMs - resentMs);
  });
  repairMetadata(into);
  return copied;
}

/** A damaged value does not fit its column, or is no JSON where a trigger reads it. */
const isOfRow = (error: unknown) => [1, 19].includes(((error as { errcode?: number }).errcode ?? 0) & 0xff);

function insertText(db: DatabaseSync, table: string): string {
  const columns = (db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(
    ({ name }) => name,
  );
  const values = columns.map((name) => `:${name}`).join(", ");
  return `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${values})`;
}

/** Forwards up to the first damaged place, and backwards to the last one. A row that comes twice is ignored. */
function* readFromBothEnds(db: DatabaseSync, table: string): Generator<Row> {
  const order = table === "delivery" ? ["receiver", "message_id"] : ["rowid"];
  for (const direction of ["ASC", "DESC"]) {
    const ordered = order.map((column) => `${column} ${direction}`).join(", ");
    const rows = attempt(() => db.prepare(`SELECT * FROM ${table} ORDER BY ${ordered}`).iterate());
    for (let next = attempt(() => rows?.next()); next && !next.done; next = attempt(() => rows?.next()))
      yield next.value as Row;
  }
}

/**
 * Undefined where SQLite fails: the file is damaged at this place, its schema does not name the table any more, or a
 * number is beyond those of JavaScript.
 */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
