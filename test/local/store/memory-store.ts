// The parts of a store on a database in memory, for tests that need no file.
import { DatabaseSync } from "node:sqlite";
import { createRowReader, trackHealth } from "../../../lib/local/store/health.ts";
import { createHistory } from "../../../lib/local/store/history.ts";
import { createLedger } from "../../../lib/local/store/ledger.ts";
import { createOutbox } from "../../../lib/local/store/outbox.ts";
import { pruneStore } from "../../../lib/local/store/retention.ts";
import { createTables } from "../../../lib/local/store/schema.ts";
import { startMs } from "../samples.ts";

export function openMemoryStore(nowMs = () => startMs) {
  const db = new DatabaseSync(":memory:");
  createTables(db);
  const tracker = trackHealth(nowMs);
  const rows = createRowReader(db, nowMs);
  return {
    db,
    tracker,
    rows,
    ledger: createLedger(db, tracker, rows),
    outbox: createOutbox(db, tracker, rows),
    history: createHistory(db, tracker, rows),
    prune: (beforeMs: number) => pruneStore(db, beforeMs, nowMs()),
    /** The rows of a query as plain objects. */
    select: (sql: string) =>
      db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
  };
}
