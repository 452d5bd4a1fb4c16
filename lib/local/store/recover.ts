// A store whose file is damaged is renamed and kept; every row of it that can still be read is copied into a new store.

import { existsSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { classifySqliteError, transact } from "./database.ts";
import { decisionKey, parseRow, resentMs, type TextTable } from "./rows.ts";
import { createTables, readSchemaStatus } from "./schema.ts";

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

/** Copies what can be read, and records the file among the unreadable rows. Returns the number of copied rows. */
function copyRows(path: string, into: DatabaseSync, corruptFile: string, nowMs: number): number {
  // The file is only read: what it still has stays as it is.
  const from = new DatabaseSync(path, { readOnly: true, defensive: false });
  // Otherwise SQLite reads nothing of a file that is shorter than its header says.
  from.exec("PRAGMA writable_schema = ON");
  let copied = 0;
  try {
    for (const { table, toRow, order } of copies) {
      const rows = order === undefined ? readByRowid(from, table) : readFromBothEnds(from, table, order);
      const insert = into.prepare(insertText(into, table));
      // Columns that only the damaged schema has are left out.
      insert.setAllowUnknownNamedParameters(true);
      transact(into, () => {
        for (const row of rows) {
          const aside = (key: string) => putAside(into, { table, key, row, atMs: nowMs });
          const kept = toRow(row, aside);
          if (!kept) continue;
          try {
            copied += Number(insert.run(kept).changes);
          } catch (error) {
            if (!isConstraint(error)) throw error;
            aside("a damaged value");
          }
        }
      });
    }
  } finally {
    from.close();
  }
  transact(into, () => {
    putAside(into, { table: "file", key: corruptFile, row: {}, atMs: nowMs });
    // What is after the last checkpoint is assessed again; its alerts have the same ids.
    into.exec(`UPDATE observation SET assessed = 0
      WHERE at_ms >= coalesce((SELECT unixepoch(max(day)) * 1000 FROM checkpoint), 0)`);
    into
      .prepare(
        `UPDATE outbox_message SET body = NULL WHERE kind = 'alert' AND at_ms < ?
         AND id NOT IN (SELECT message_id FROM delivery)`,
      )
      .run(nowMs - resentMs);
  });
  return copied;
}

/** A damaged value does not fit its column. */
const isConstraint = (error: unknown) => (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 19;

function putAside(
  db: DatabaseSync,
  { table, key, row, atMs }: { table: string; key: string; row: Row; atMs: number },
): undefined {
  db.prepare("INSERT INTO unreadable_row (source, key, found_ms, content) VALUES (?, ?, ?, ?)").run(
    ...[table, key, atMs, row.body ?? row.state ?? null],
  );
}

type Copy = {
  table: string;
  /** Undefined where the row cannot be used; `aside` keeps it with its key. */
  toRow(row: Row, aside: (key: string) => undefined): Row | undefined;
  /** The primary key of a table without row numbers. */
  order?: string;
};

/** A row whose text can be read and agrees with its key. */
const textCopy = (table: TextTable, keyOf: (row: Row) => string): Copy => ({
  table,
  toRow(row, aside) {
    const text = (row.body ?? row.state ?? null) as string | Uint8Array | null;
    const key = keyOf(row);
    // Which of its deliveries can be read is not known yet.
    const kept = table === "outbox_message" ? { ...row, queued: null } : row;
    // The text of a discarded message is gone; its id is kept.
    if (text === null && table === "outbox_message") return kept;
    const atMs = table === "observation" ? Number(row.at_ms) : undefined;
    return text !== null && parseRow(table, { key, text, atMs }) !== undefined ? kept : aside(key);
  },
});

const deliveryStates = ["waiting", "delivered", "unwanted", "set-aside"];

/** Receivers are not copied: those of the configuration subscribe again and get what waits. */
const copies: readonly Copy[] = [
  // First, so that the rows that this recovery sets aside get other numbers.
  { table: "unreadable_row", toRow: (row) => row },
  textCopy("observation", ({ id }) => String(id)),
  textCopy("checkpoint", ({ day }) => String(day)),
  textCopy("probe_state", () => "probe state"),
  textCopy("decision", ({ at_ms, kind, subject }) =>
    decisionKey(Number(at_ms), String(kind), String(subject)),
  ),
  textCopy("subscription_status", () => "subscription status"),
  textCopy("assessment_settings", () => "assessment settings"),
  textCopy("outbox_message", ({ id }) => String(id)),
  textCopy("sent_alert", ({ id }) => String(id)),
  {
    table: "delivery",
    order: "receiver, message_id",
    toRow: (row) => (deliveryStates.includes(String(row.state)) ? row : { ...row, state: "waiting" }),
  },
  { table: "metadata", toRow: (row) => (Number(row.value) >= 0 ? row : undefined) },
];

function insertText(db: DatabaseSync, table: string): string {
  const columns = (db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(
    ({ name }) => name,
  );
  const values = columns.map((name) => `:${name}`).join(", ");
  // A new store has its metadata already.
  return `INSERT OR ${table === "metadata" ? "REPLACE" : "IGNORE"} INTO ${table} (${columns.join(", ")}) VALUES (${values})`;
}

/** After so many row numbers without a row, SQLite is asked for the next one. */
const missesPerQuestion = 200;
/** So many row numbers without a row are the end of the table, unless SQLite knows of a later one. */
const maxGap = 10_000;

/**
 * Every row by its number alone: in a damaged file the rows of a page may be those of another page, out of order, so that
 * reading from one row to the next may skip rows or never end.
 */
function* readByRowid(db: DatabaseSync, table: string): Generator<Row> {
  const one = prepare(db, `SELECT * FROM ${table} WHERE rowid = ?`);
  const following = prepare(db, `SELECT min(rowid) AS rowNumber FROM ${table} WHERE rowid > ?`);
  if (!one || !following) return;
  for (let [number, found] = [1, 0]; number - found <= maxGap; number += 1) {
    const row = attempt(() => one.get(number) as Row | undefined);
    if (row) {
      found = number;
      yield row;
    } else if ((number - found) % missesPerQuestion === 0) {
      const next = attempt(() => following.get(number) as { rowNumber: number | null } | undefined);
      if (next?.rowNumber === null) return;
      // A short gap is passed by single numbers, because the next one may be that of a damaged page.
      if (next && next.rowNumber - found > maxGap) {
        found = next.rowNumber - 1;
        number = found;
      }
    }
  }
}

/** Forwards up to the first damaged place, and backwards to the last one. A row that comes twice is ignored. */
function* readFromBothEnds(db: DatabaseSync, table: string, order: string): Generator<Row> {
  for (const direction of ["ASC", "DESC"]) {
    const ordered = order.split(", ").map((column) => `${column} ${direction}`);
    const rows = prepare(db, `SELECT * FROM ${table} ORDER BY ${ordered.join(", ")}`)?.iterate();
    if (!rows) return;
    for (let next = attempt(() => rows.next()); next && !next.done; next = attempt(() => rows.next()))
      yield next.value as Row;
  }
}

const prepare = (db: DatabaseSync, sql: string) => attempt(() => db.prepare(sql));

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
