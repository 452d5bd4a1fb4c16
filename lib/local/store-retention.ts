// Forgetting old observations without forgetting what was learned from them.
import type { DatabaseSync } from "node:sqlite";
import { toldDays } from "../ports.ts";
import { transact } from "./store-schema.ts";

/** Rows in one transaction, so that an append never waits long. */
const batchRows = 1_000;
const toldMs = toldDays * 86_400_000;

/**
 * Forgets up to the newest checkpoint at or before the instant, and no unassessed observation: what
 * goes is in that checkpoint, and nothing older is taken any more that could unmake it.
 */
export function pruneStore(db: DatabaseSync, beforeMs: number, nowMs: number): number {
  const before = new Date(beforeMs).toISOString().slice(0, 10);
  const cut = db.prepare("SELECT max(day) AS day FROM checkpoint WHERE day <= ?").get(before) as {
    day: string | null;
  };
  const waiting = db.prepare("SELECT min(at_ms) AS atMs FROM observation WHERE assessed = 0").get() as {
    atMs: number | null;
  };
  if (cut.day === null) return 0;
  const cutMs = Date.parse(cut.day);
  if (waiting.atMs !== null && waiting.atMs < cutMs) return 0;
  transact(db, () => {
    db.prepare("UPDATE number SET value = max(value, ?) WHERE name = 'forgotten_before_ms'").run(cutMs);
    const forget = db.prepare("DELETE FROM parcel WHERE body IS NULL AND kind = ? AND at_ms < ?");
    forget.run("metrics", cutMs);
    forget.run("alert", Math.min(cutMs, nowMs - toldMs));
  });
  const remove = db.prepare(
    `DELETE FROM observation WHERE seq IN (SELECT seq FROM observation WHERE at_ms < ? LIMIT ${batchRows})`,
  );
  let removed = 0;
  while (true) {
    const changes = Number(remove.run(cutMs).changes);
    removed += changes;
    if (changes < batchRows) return removed;
  }
}
