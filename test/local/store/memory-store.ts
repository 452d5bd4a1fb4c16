// The parts of a store on a database in memory, for tests that need no file.
import { DatabaseSync } from "node:sqlite";
import { createDatabase } from "../../../lib/local/store/database.ts";
import { createHistory } from "../../../lib/local/store/history.ts";
import { createLedger } from "../../../lib/local/store/ledger.ts";
import { createOutbox } from "../../../lib/local/store/outbox.ts";
import { pruneStore } from "../../../lib/local/store/retention.ts";
import { createRowReader } from "../../../lib/local/store/rows.ts";
import { createTables } from "../../../lib/local/store/schema.ts";
import { startMs } from "../samples.ts";

export function openMemoryStore(nowMs = () => startMs) {
  const db = new DatabaseSync(":memory:");
  createTables(db);
  const database = createDatabase(db, nowMs);
  const rows = createRowReader(database, nowMs);
  return {
    db,
    database,
    rows,
    ledger: createLedger(database, rows),
    outbox: createOutbox(database, rows),
    history: createHistory(database, rows),
    prune: (beforeMs: number) => pruneStore(database, beforeMs, nowMs()),
    /** The rows of a query as plain objects. */
    select: (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
  };
}
