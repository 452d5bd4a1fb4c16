// A store whose file is damaged is renamed and kept. A new one gets its rows up to the first damaged place and after the last.

import { existsSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { dayMs } from "../../time.ts";
import { classifySqliteError, malformed, transact } from "./database.ts";
import { createTables, hasOurSchema, readSchemaStatus, repairMetadata } from "./schema.ts";

/** An alert that is older is not sent again where it is not known who got it. */
const resentMs = dayMs;

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
    if (readSchemaStatus(db) !== "ready") return true;
    if (!hasOurSchema(db)) return false;
    // The check does not open an index that has no row, whose page may be that of a table.
    for (const sql of selectsByIndex(db)) readFirst(sql);
    return readFirst(`SELECT ${outOfRange}`) === 0;
  } catch (error) {
    if (classifySqliteError(error) === "corrupt") return false;
    throw error;
  } finally {
    db.close();
  }
}

/** One that reads the first entry of each index, with the condition by which SQLite may use it. */
function selectsByIndex(db: DatabaseSync): string[] {
  const indexes = db.prepare("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index'").all();
  return indexes.map(({ name, tbl_name, sql }) => {
    const condition = / WHERE .*/.exec(String(sql))?.[0] ?? "";
    return `SELECT 1 FROM ${tbl_name} INDEXED BY ${name}${condition} LIMIT 1`;
  });
}

export type Recovered = { file: string; recovered: number };

const newFile = (path: string) => `${path}.recovering`;

export function recoverStore(path: string, atMs: number): Recovered {
  const file = corruptName(path, atMs);
  const recovered = replaceFile(path, file, (from, into) => {
    // Otherwise SQLite reads nothing of a file that is shorter than its header says.
    from.exec("PRAGMA writable_schema = ON");
    const copied = copyRows(from, into, atMs - resentMs);
    adjust(into, basename(file), atMs);
    return copied;
  });
  return { file, recovered };
}

/** Gives the rows of a store of an older version the tables of this one. Throws where a row has no place there. */
export function upgradeStore(path: string, atMs: number): void {
  const file = `${path}.older-${stampOf(atMs)}`;
  replaceFile(path, file, (from, into) => {
    const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");
    const row = from.prepare(`SELECT ${counts} AS count`).get() as { count: number };
    if (copyRows(from, into, 0) < row.count) throw malformed("rows of an older version cannot be read");
  });
  for (const suffix of beside) rmSync(file + suffix, { force: true });
}

/**
 * The new store is complete before the old one is renamed, so that a failure at any point, such as a full disk,
 * leaves one of them to start from.
 */
function replaceFile<T>(
  path: string,
  renamed: string,
  copy: (from: DatabaseSync, into: DatabaseSync) => T,
): T {
  const into = new DatabaseSync(newFile(path));
  let result: T;
  try {
    createTables(into);
    // The file is only read: what it still has stays as it is.
    const from = new DatabaseSync(path, { readOnly: true, defensive: false });
    try {
      result = copy(from, into);
    } finally {
      from.close();
    }
  } catch (error) {
    into.close();
    rmSync(newFile(path));
    throw error;
  }
  into.close();
  rename(path, renamed);
  renameSync(newFile(path), path);
  return result;
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

const stampOf = (atMs: number) => new Date(atMs).toISOString().replace(/[-:.]/g, "");
const corruptName = (path: string, atMs: number) => `${path}.corrupt-${stampOf(atMs)}`;

const beside = ["", "-wal", "-shm"];

/** The write-ahead log is renamed with the file, because it has the latest rows. */
function rename(path: string, to: string): void {
  for (const suffix of beside) if (existsSync(path + suffix)) renameSync(path + suffix, to + suffix);
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

/**
 * A row whose text is damaged is set aside when it is read. An alert from before `resentFromMs` is not sent again where it is
 * not known who got it. Returns the number of copied rows.
 */
function copyRows(from: DatabaseSync, into: DatabaseSync, resentFromMs: number): number {
  let copied = 0;
  // A new store has its metadata already.
  into.exec("DELETE FROM metadata");
  for (const table of tables) {
    const insert = into.prepare(insertText(into, table));
    // Columns that only the old schema has are left out.
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
  into
    .prepare(
      `INSERT INTO delivery (receiver, message_id, message_at_ms, reaches_people, state)
       SELECT '', id, at_ms, 0, 'unwanted' FROM outbox_message
       WHERE (body IS NULL OR at_ms < ?) AND id NOT IN (SELECT message_id FROM delivery)`,
    )
    .run(resentFromMs);
  into.exec(
    "UPDATE outbox_message SET queued = (SELECT 1 FROM delivery WHERE message_id = outbox_message.id LIMIT 1)",
  );
  repairMetadata(into);
  return copied;
}

/** Records the damaged file among the unreadable rows, and makes up for the rows that are missing. */
function adjust(db: DatabaseSync, corruptFile: string, nowMs: number): void {
  transact(db, () => {
    db.prepare("INSERT INTO unreadable_row (source, key, found_ms) VALUES ('file', ?, ?)").run(
      corruptFile,
      nowMs,
    );
    // What is after the last checkpoint is assessed again; its alerts have the same ids.
    db.exec(`UPDATE observation SET assessed = 0
      WHERE at_ms >= coalesce((SELECT unixepoch(max(day)) * 1000 FROM checkpoint), 0);
      UPDATE delivery SET state = 'waiting' WHERE state NOT IN ('waiting', 'delivered', 'unwanted', 'set-aside')`);
  });
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
    let next = attempt(() => rows?.next());
    for (; next && !next.done; next = attempt(() => rows?.next())) yield next.value as Row;
    if (next?.done) return;
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
