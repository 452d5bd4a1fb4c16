// Old observations are deleted by a clock that is known to be right (clock.ts), and only a part of them in one run, so that
// a clock that jumps cannot delete the history.

import { dedupDays } from "../../ports.ts";
import { dayMs, dayText } from "../../time.ts";
import type { Database } from "./database.ts";
import { incidentOf } from "./schema.ts";

/** The number of rows deleted in one transaction, so that an append never waits long for the lock. */
const batchRows = 1_000;
const dedupMs = dedupDays * dayMs;

/** One run deletes a tenth of the observations at the most, or one day of them. */
const maxShare = 0.1;

function findShareEnd(db: Database): number {
  const all = db.get<{ count: number; oldestMs: number | null }>(
    "SELECT count(*) AS count, min(at_ms) AS oldestMs FROM observation",
  );
  const end = db.get<{ atMs: number }>(
    "SELECT at_ms AS atMs FROM observation ORDER BY at_ms LIMIT 1 OFFSET ?",
    Math.floor((all?.count ?? 0) * maxShare),
  );
  return Math.max(end?.atMs ?? 0, (all?.oldestMs ?? 0) + dayMs);
}

/**
 * Deletes the observations before the newest checkpoint at or before `beforeMs`, up to the share of one run, and returns
 * their number. The checkpoint contains their assessment, and later appends from that time are refused as too old.
 * Deletes nothing if an observation of that time is not assessed yet.
 */
export function pruneStore(db: Database, beforeMs: number, nowMs: number): number {
  const before = dayText(Math.min(beforeMs, findShareEnd(db)));
  const cutoff = db.get<{ day: string | null }>(
    "SELECT max(day) AS day FROM checkpoint WHERE day <= ?",
    before,
  );
  const unassessed = db.get<{ atMs: number | null }>(
    "SELECT min(at_ms) AS atMs FROM observation WHERE assessed = 0",
  );
  if (!cutoff?.day) return 0;
  const cutoffMs = Date.parse(cutoff.day);
  if ((unassessed?.atMs ?? Infinity) < cutoffMs) return 0;
  db.transact(() => {
    db.run("UPDATE metadata SET value = max(value, ?) WHERE name = 'pruned_before_ms'", cutoffMs);
    // The dashboard shows what became of every message of an incident that is open, or ended in the last 60 days.
    const incident = incidentOf("old.id");
    db.run(
      `DELETE FROM outbox_message AS old WHERE at_ms < ?1
       AND NOT EXISTS (SELECT 1 FROM delivery WHERE message_id = old.id AND state = 'waiting')
       AND NOT EXISTS (SELECT 1 FROM announced WHERE incident = ${incident})
       AND NOT EXISTS (SELECT 1 FROM outbox_message later
         WHERE later.id >= ${incident} || '/' AND later.id < ${incident} || '0' AND later.at_ms >= ?1)`,
      Math.min(cutoffMs, nowMs - dedupMs),
    );
    db.run("DELETE FROM delivery WHERE message_id NOT IN (SELECT id FROM outbox_message)");
  });
  let removed = 0;
  while (true) {
    const changes = db.run(
      `DELETE FROM observation WHERE seq IN (SELECT seq FROM observation WHERE at_ms < ? LIMIT ${batchRows})`,
      cutoffMs,
    );
    removed += changes;
    if (changes < batchRows) return removed;
  }
}
