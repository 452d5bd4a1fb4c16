// What is wrong with a store: the errors of SQLite and of the file system, whether it accepts writes, and rows whose text cannot be read.

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { type Failed, messageAtMs, type Unreadable } from "../../ports.ts";
import { type alert, storedAlert } from "../../records/alert.ts";
import { storedSettings } from "../../records/assessment-settings.ts";
import { decision } from "../../records/incident.ts";
import { type Observation, readObservation } from "../../records/observation.ts";
import { outboxMessage } from "../../records/outbox-message.ts";
import { storedProbeState } from "../../records/probe-state.ts";
import { subscriptionStatus } from "../../records/subscription-status.ts";
import { dayMs } from "../../time.ts";

export type StoreFault = "disk-full" | "disk-error" | "corrupt" | "locked" | "read-only" | "bad-path";
export type Health = { state: "ok" } | { state: "DEGRADED"; why: StoreFault; sinceMs: number };

/** By SQLite's primary result code. */
const faultsByCode: Record<number, StoreFault> = {
  5: "locked",
  6: "locked",
  8: "read-only",
  10: "disk-error",
  11: "corrupt",
  13: "disk-full",
  14: "disk-error",
  26: "corrupt",
};

/** Undefined if the error is not about the database file, which means that it is a bug. */
export function classifySqliteError(error: unknown): StoreFault | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? faultsByCode[code & 0xff] : undefined;
}

/** Of the file system; undefined if it is not about the store's file. */
export function classifyFileError(error: unknown): StoreFault | undefined {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") return "disk-full";
  if (code === "EACCES" || code === "EROFS" || code === "EPERM") return "read-only";
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return "bad-path";
  return code === "EIO" ? "disk-error" : undefined;
}

/** Rows out of order: only a damaged file has them, and reading on from one to the next might never end. */
export const outOfOrder = () =>
  Object.assign(new Error("database disk image is malformed: rows are out of order"), { errcode: 11 });

export type HealthTracker = {
  health(): Health;
  /** Aborted as soon as any statement finds that the file is damaged. */
  damaged: AbortSignal;
  /** Notes a failure, and returns it so that it can be thrown. */
  note(error: unknown): unknown;
  /** Every write goes through this function, so that the first successful write ends the DEGRADED state. */
  write<T>(work: () => T): T;
  tryWrite<T>(work: () => T): T | Failed;
};

export function trackHealth(nowMs: () => number): HealthTracker {
  let health: Health = { state: "ok" };
  const damage = new AbortController();
  function note(error: unknown): unknown {
    const why = classifySqliteError(error);
    const sinceMs = health.state === "DEGRADED" ? health.sinceMs : nowMs();
    // A damaged file stays damaged, even if a write to another place of it succeeds.
    if (why && !damage.signal.aborted) health = { state: "DEGRADED", why, sinceMs };
    if (why === "corrupt") damage.abort();
    return error;
  }
  function write<T>(work: () => T): T {
    try {
      const result = work();
      if (!damage.signal.aborted) health = { state: "ok" };
      return result;
    } catch (error) {
      throw note(error);
    }
  }
  return {
    health: () => health,
    damaged: damage.signal,
    note,
    write,
    tryWrite(work) {
      try {
        return write(work);
      } catch (error) {
        const why = classifySqliteError(error);
        if (!why) throw error;
        return { kind: "failed", why };
      }
    },
  };
}

/** Damage is noted also where a statement only reads: an alert that cannot be read would not be sent, and nobody would know. */
export function noteDamage(db: DatabaseSync, { note }: Pick<HealthTracker, "note">): DatabaseSync {
  const noteCorrupt = (error: unknown) => (classifySqliteError(error) === "corrupt" ? note(error) : error);
  const watched =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      try {
        return call(...args);
      } catch (error) {
        throw noteCorrupt(error);
      }
    };
  const prepare = db.prepare.bind(db);
  db.prepare = watched((sql: string): StatementSync => {
    const statement = prepare(sql);
    for (const name of ["all", "get", "run"] as const)
      Object.assign(statement, { [name]: watched((statement[name] as () => unknown).bind(statement)) });
    const iterate = statement.iterate.bind(statement);
    return Object.assign(statement, {
      *iterate(...values: SQLInputValue[]) {
        const rows = iterate(...values);
        for (let row = watched(() => rows.next())(); !row.done; row = watched(() => rows.next())())
          yield row.value;
      },
    }) as StatementSync;
  });
  return db;
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

// The text of every row is validated when it is read. A row that cannot be read is moved to the table unreadable_row with
// its table and key, is counted, and never blocks another row.
/** The value itself where it has the form of the schema. */
const fits =
  <Schema extends z.ZodType>(schema: Schema) =>
  (value: unknown): z.infer<Schema> | undefined =>
    schema.safeParse(value).success ? (value as z.infer<Schema>) : undefined;

/** The value as the schema reads it: of an earlier version it is another one. */
const parses =
  <Schema extends z.ZodType>(schema: Schema) =>
  (value: unknown): z.infer<Schema> | undefined =>
    schema.safeParse(value).data;

/** How the text of each table is read, and the key that it has to agree with. */
const contents = {
  observation: { read: readObservation, keyOf: (value: Observation) => value.id },
  checkpoint: {
    read: fits(z.strictObject({ day: z.iso.date(), state: z.unknown() })),
    keyOf: ({ day }: { day: string }) => day,
  },
  probe_state: { read: parses(storedProbeState) },
  decision: {
    read: fits(decision),
    keyOf: ({ at, kind, subject }: z.infer<typeof decision>) => decisionKey(Date.parse(at), kind, subject),
  },
  subscription_status: { read: fits(subscriptionStatus) },
  assessment_settings: { read: fits(storedSettings) },
  outbox_message: {
    read: parses(outboxMessage),
    keyOf: (value: { id: string }) => value.id,
  },
  sent_alert: { read: parses(storedAlert), keyOf: (value: z.infer<typeof alert>) => value.id },
} as const;

export type TextTable = keyof typeof contents;
type Content<Table extends TextTable> = NonNullable<ReturnType<(typeof contents)[Table]["read"]>>;

export const decisionKey = (atMs: number, kind: string, subject: string) => `${atMs}/${kind}/${subject}`;

/** `text` is compressed in a checkpoint. `atMs` is given where a column repeats the time of the text. */
export type TextRow = { rowid: number; key: string; text: string | Uint8Array; atMs?: number | undefined };

/** Undefined where the text is damaged, or belongs to another key or time than its row says. */
export function parseRow<Table extends TextTable>(
  table: Table,
  { key, text, atMs }: Omit<TextRow, "rowid">,
): Content<Table> | undefined {
  try {
    const json: unknown = JSON.parse(typeof text === "string" ? text : gunzipSync(text).toString());
    const { read, keyOf } = contents[table] as {
      read(value: unknown): Content<Table> | undefined;
      keyOf?(value: unknown): string;
    };
    const value = read(json);
    if (value === undefined || (keyOf && keyOf(value) !== key)) return undefined;
    if (atMs !== undefined && Date.parse((value as { at: string }).at) !== atMs) return undefined;
    return value;
  } catch {
    return undefined;
  }
}

export type RowReader = {
  /** Undefined if the row cannot be read; it is set aside then. */
  read<Table extends TextTable>(table: Table, row: TextRow): Content<Table> | undefined;
  unreadable(): Unreadable;
};

export function createRowReader(db: DatabaseSync, nowMs: () => number): RowReader {
  /** Rows that could not be moved, because the store is open for reading or refuses writes. */
  const unmoved = new Map<string, { table: TextTable; atMs: number }>();
  const counts = db.prepare(
    "SELECT source AS 'table', count(*) AS count, max(found_ms) AS latestMs FROM unreadable_row GROUP BY source",
  );
  return {
    read(table, row) {
      const value = parseRow(table, row);
      if (value === undefined) {
        const name = `${table}/${row.rowid}`;
        if (setAside(db, table, row, nowMs())) unmoved.delete(name);
        else if (!unmoved.has(name)) unmoved.set(name, { table, atMs: nowMs() });
      }
      return value;
    },
    unreadable() {
      const moved = counts.all() as { table: string; count: number; latestMs: number }[];
      const all = [
        ...moved,
        ...unmoved.values().map(({ table, atMs }) => ({ table, count: 1, latestMs: atMs })),
      ];
      const byTable: Record<string, number> = {};
      for (const { table, count } of all) byTable[table] = (byTable[table] ?? 0) + count;
      return {
        count: all.reduce((sum, { count }) => sum + count, 0),
        byTable,
        latestMs: all.length > 0 ? Math.max(...all.map(({ latestMs }) => latestMs)) : undefined,
      };
    },
  };
}

const textColumn = (table: TextTable) => (table === "checkpoint" ? "state" : "body");

/** Moves the row with its bytes as they are. False if the store refuses the write: the row is only skipped then. */
function setAside(db: DatabaseSync, table: TextTable, { rowid, key }: TextRow, atMs: number): boolean {
  const move = () => {
    run(
      db,
      `INSERT INTO unreadable_row (source, key, found_ms, content)
       SELECT ?, ?, ?, ${textColumn(table)} FROM ${table} WHERE rowid = ?`,
      ...[table, key, atMs, rowid],
    );
    run(db, `DELETE FROM ${table} WHERE rowid = ?`, rowid);
    if (table === "outbox_message")
      run(
        db,
        `UPDATE delivery SET state = 'set-aside', at_ms = ?, why = 'unreadable'
         WHERE message_id = ? AND state = 'waiting'`,
        ...[atMs, key],
      );
  };
  try {
    if (db.isTransaction) move();
    else transact(db, move);
    return true;
  } catch (error) {
    if (!classifySqliteError(error)) throw error;
    return false;
  }
}

/** An alert that is older is not sent again where it is not known who got it. */
export const resentMs = dayMs;

/**
 * Rows that were set aside and that this version can read return to their tables, and their observations are assessed as
 * those that arrive late. A checkpoint, the probe state and the subscriptions have been computed again since.
 */
export function returnReadableRows(db: DatabaseSync, nowMs: number): void {
  const rows = db
    .prepare("SELECT seq, source, key, content FROM unreadable_row WHERE content IS NOT NULL ORDER BY seq")
    .all() as { seq: number; source: string; key: string; content: string | Uint8Array }[];
  if (rows.length === 0) return;
  try {
    transact(db, () => {
      for (const { seq, source, key, content } of rows) {
        const isReturned =
          Object.hasOwn(returnTo, source) &&
          returnTo[source as keyof typeof returnTo](db, { key, text: content }, nowMs);
        if (isReturned) run(db, "DELETE FROM unreadable_row WHERE seq = ?", seq);
      }
    });
  } catch (error) {
    // The store refuses writes, such as on a full disk: the rows return at a later start.
    if (!classifySqliteError(error)) throw error;
  }
}

type AsideRow = Omit<TextRow, "rowid" | "atMs">;

/** By table: whether the row can be read and is in its table again. */
const returnTo = {
  observation(db: DatabaseSync, row: AsideRow): boolean {
    const value = parseRow("observation", row);
    if (!value) return false;
    const { changes } = run(
      db,
      `INSERT INTO observation (id, at_ms, body) SELECT ?1, ?2, ?3
       WHERE ?2 >= (SELECT value FROM metadata WHERE name = 'pruned_before_ms') ON CONFLICT (id) DO NOTHING`,
      ...[value.id, Date.parse(value.at), JSON.stringify(value)],
    );
    return changes > 0;
  },
  decision(db: DatabaseSync, row: AsideRow): boolean {
    const value = parseRow("decision", row);
    if (!value) return false;
    const { at, kind, subject } = value;
    run(
      db,
      "INSERT OR IGNORE INTO decision VALUES (?, ?, ?, ?)",
      Date.parse(at),
      kind,
      subject,
      asText(value),
    );
    return true;
  },
  sent_alert(db: DatabaseSync, row: AsideRow): boolean {
    const value = parseRow("sent_alert", row);
    if (!value) return false;
    const { id, at } = value;
    run(
      db,
      "INSERT OR IGNORE INTO sent_alert (id, at_ms, body) VALUES (?, ?, ?)",
      id,
      Date.parse(at),
      asText(value),
    );
    return true;
  },
  outbox_message(db: DatabaseSync, row: AsideRow, nowMs: number): boolean {
    const value = parseRow("outbox_message", row);
    if (!value) return false;
    const { id, kind } = value;
    const { changes } = run(
      db,
      "INSERT OR IGNORE INTO outbox_message VALUES (?, ?, ?, ?)",
      ...[id, kind, messageAtMs(value), asText(value)],
    );
    if (changes > 0)
      run(
        db,
        `UPDATE delivery SET state = 'waiting', at_ms = NULL, why = NULL
         WHERE message_id = ? AND state = 'set-aside' AND why = 'unreadable' AND message_at_ms >= ?`,
        ...[id, nowMs - resentMs],
      );
    return changes > 0;
  },
} as const;

const asText = (value: unknown) => JSON.stringify(value);

const run = (db: DatabaseSync, sql: string, ...values: SQLInputValue[]) => db.prepare(sql).run(...values);
