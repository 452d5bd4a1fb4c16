// The rows whose text is a record. The text is validated when it is read. A row that cannot be read is moved to the table
// unreadable_row with its table and key, is counted, and never blocks another row.

import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { messageAtMs, type OutboxMessage, type Unreadable } from "../../ports.ts";
import { type Alert, alert } from "../../records/alert.ts";
import { storedSettings } from "../../records/assessment-settings.ts";
import { decision } from "../../records/incident.ts";
import { type Observation, readObservation } from "../../records/observation.ts";
import { outboxMessage } from "../../records/outbox-message.ts";
import { probeState } from "../../records/probe-state.ts";
import { subscriptionStatus } from "../../records/subscription-status.ts";
import { classifySqliteError, type Database } from "./database.ts";

/** The value itself where it has the form of the schema. */
const fits =
  <Schema extends z.ZodType>(schema: Schema) =>
  (value: unknown): z.infer<Schema> | undefined =>
    schema.safeParse(value).success ? (value as z.infer<Schema>) : undefined;

/** How the text of each table is read, and the key that it has to agree with. */
const contents = {
  observation: { read: readObservation, keyOf: (value: Observation) => value.id },
  checkpoint: {
    read: fits(z.strictObject({ day: z.iso.date().or(z.iso.datetime()), state: z.unknown() })),
    keyOf: ({ day }: { day: string }) => day,
  },
  probe_state: { read: fits(probeState) },
  decision: {
    read: fits(decision),
    keyOf: ({ at, kind, subject }: z.infer<typeof decision>) => decisionKey(Date.parse(at), kind, subject),
  },
  subscription_status: { read: fits(subscriptionStatus) },
  assessment_settings: { read: fits(storedSettings) },
  outbox_message: {
    read: fits(outboxMessage),
    keyOf: (value: { id: string }) => value.id,
  },
  sent_alert: { read: fits(alert), keyOf: (value: Alert) => value.id },
} as const;

export type TextTable = keyof typeof contents;
type Content<Table extends TextTable> = NonNullable<ReturnType<(typeof contents)[Table]["read"]>>;

export const decisionKey = (atMs: number, kind: string, subject: string) => `${atMs}/${kind}/${subject}`;

/** The number of a message, by its id: `down-1/2-changed` → 2. */
export const numberOf = (id: string) => `CAST(substr(${id}, instr(${id}, '/') + 1) AS INTEGER)`;

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

export function createRowReader(db: Database, nowMs: () => number): RowReader {
  /** Rows that could not be moved, because the store is open for reading or refuses writes. */
  const unmoved = new Map<string, { table: TextTable; atMs: number }>();
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
      const moved = db.all<{ table: string; count: number; latestMs: number }>(
        "SELECT source AS 'table', count(*) AS count, max(found_ms) AS latestMs FROM unreadable_row GROUP BY source",
      );
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
function setAside(db: Database, table: TextTable, { rowid, key }: TextRow, atMs: number): boolean {
  try {
    db.transact(() => {
      db.run(
        `INSERT INTO unreadable_row (source, key, found_ms, content)
         SELECT ?, ?, ?, ${textColumn(table)} FROM ${table} WHERE rowid = ?`,
        ...[table, key, atMs, rowid],
      );
      db.run(`DELETE FROM ${table} WHERE rowid = ?`, rowid);
      // Its trigger finds the summary by an endpoint of V1, which a damaged text may not have.
      if (table === "observation") db.run("DELETE FROM observation_summary WHERE seq = ?", rowid);
      if (table === "outbox_message")
        db.run(
          `UPDATE delivery SET state = 'set-aside', at_ms = ?, why = 'unreadable'
           WHERE message_id = ? AND state = 'waiting'`,
          ...[atMs, key],
        );
    });
    return true;
  } catch (error) {
    if (!classifySqliteError(error)) throw error;
    return false;
  }
}

// How rows get into their tables. False where the id is known.

/** False also where the observations of its time have been deleted. */
export const insertObservation = (db: Database, observation: Observation): boolean =>
  db.run(
    `INSERT INTO observation (id, at_ms, body) SELECT ?1, ?2, ?3
     WHERE ?2 >= (SELECT value FROM metadata WHERE name = 'pruned_before_ms') ON CONFLICT (id) DO NOTHING`,
    ...[observation.id, Date.parse(observation.at), JSON.stringify(observation)],
  ) > 0;

export const insertMessage = (db: Database, message: OutboxMessage): boolean =>
  db.run(
    "INSERT INTO outbox_message (id, at_ms, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    ...[message.id, messageAtMs(message), JSON.stringify(message)],
  ) > 0;

export const insertSentAlert = (db: Database, alert: Alert): boolean =>
  db.run(
    "INSERT INTO sent_alert (id, at_ms, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING",
    ...[alert.id, Date.parse(alert.at), JSON.stringify(alert)],
  ) > 0;
