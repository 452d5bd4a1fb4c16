// Old observations are deleted by a clock that is known to be right (clock.ts), and only a part of them in one run, so that
// a clock that jumps cannot delete the history.

import type { DatabaseSync } from "node:sqlite";
import { dedupDays } from "../../ports.ts";
import { dayMs } from "../../time.ts";
import { transact } from "./health.ts";

/** The number of rows deleted in one transaction, so that an append never waits long for the lock. */
const batchRows = 1_000;
const dedupMs = dedupDays * dayMs;

/** One run deletes a tenth of the observations at the most, or one day of them. */
const maxShare = 0.1;

function findShareEnd(db: DatabaseSync): number {
  const { count, oldestMs } = db
    .prepare("SELECT count(*) AS count, min(at_ms) AS oldestMs FROM observation")
    .get() as { count: number; oldestMs: number | null };
  const row = db
    .prepare("SELECT at_ms AS atMs FROM observation ORDER BY at_ms LIMIT 1 OFFSET ?")
    .get(Math.floor(count * maxShare)) as { atMs: number } | undefined;
  return Math.max(row?.atMs ?? 0, (oldestMs ?? 0) + dayMs);
}

/**
 * Deletes the observations before the newest checkpoint at or before `beforeMs`, up to the share of one run, and returns
 * their number. The checkpoint contains their assessment, and later appends from that time are refused as too old.
 * Deletes nothing if an observation of that time is not assessed yet.
 */
export function pruneStore(db: DatabaseSync, beforeMs: number, nowMs: number): number {
  const before = new Date(Math.min(beforeMs, findShareEnd(db))).toISOString().slice(0, 10);
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
    db.prepare(
      `DELETE FROM outbox_message WHERE at_ms < ?
       AND NOT EXISTS (SELECT 1 FROM delivery WHERE message_id = id AND state = 'waiting')`,
    ).run(Math.min(cutoffMs, nowMs - dedupMs));
    db.exec("DELETE FROM delivery WHERE message_id NOT IN (SELECT id FROM outbox_message)");
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
