// Old observations are deleted by a clock that is known to be right, and only a part of them in one run, so that a clock
// that jumps cannot delete the history.
import type { DatabaseSync } from "node:sqlite";
import { describeDuration } from "../../assess/alerts/text.ts";
import { dedupDays } from "../../ports.ts";
import { transact } from "./health.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `problem`: what is wrong, where that is known. `lastRightMs` is 0 if the clock was never known to be right. */
export type ClockCheck = { isRight: true } | { isRight: false; lastRightMs: number; problem?: string };

/** How far a clock may differ from V1's clock, or from the time that has passed. */
const toleranceMs = 10 * minuteMs;
/** A difference that is neither time zones of V1 nor a machine that was suspended. */
const certainMs = 7 * dayMs;

const readNumber = (db: DatabaseSync, name: string) =>
  (db.prepare("SELECT value FROM metadata WHERE name = ?").get(name) as { value: number } | undefined)
    ?.value ?? 0;

/**
 * A clock is right if it agrees with V1's Date header, or with the time that has passed since it was last right: by a
 * clock that nobody sets in this process, and after a restart if that was within an hour.
 */
export function createClockCheck(db: DatabaseSync, monotonicMs: () => number) {
  const save = db.prepare("INSERT OR REPLACE INTO metadata VALUES ('clock_ms', ?)");
  let right: { clockMs: number; monotonicMs: number } | undefined;
  return (nowMs: number, skewSeconds: number | undefined): ClockCheck => {
    const lastRightMs = readNumber(db, "clock_ms");
    const passedMs = nowMs - lastRightMs;
    const jumpMs = right && nowMs - right.clockMs - (monotonicMs() - right.monotonicMs);
    const skewMs = skewSeconds === undefined ? undefined : skewSeconds * 1_000;
    const agreesWithV1 = skewMs !== undefined && Math.abs(skewMs) <= toleranceMs;
    const agreesWithLastRun =
      jumpMs === undefined ? passedMs >= 0 && passedMs <= hourMs : Math.abs(jumpMs) <= toleranceMs;
    if (agreesWithV1 || agreesWithLastRun) {
      right = { clockMs: nowMs, monotonicMs: monotonicMs() };
      if (Math.abs(passedMs) >= hourMs / 4) save.run(nowMs);
      return { isRight: true };
    }
    const problem = describeProblem(nowMs, skewMs, jumpMs);
    return { isRight: false, lastRightMs, ...(problem !== undefined && { problem }) };
  };
}

/** Undefined where the difference may have another reason than this clock, such as a suspended machine. */
function describeProblem(nowMs: number, skewMs?: number, jumpMs?: number): string | undefined {
  const at = `The clock of this machine shows ${new Date(nowMs).toISOString().slice(0, 16)}Z`;
  const differs = (ms: number) => describeDuration(Math.abs(ms) / 1_000);
  const hasJumped = jumpMs !== undefined && Math.abs(jumpMs) > toleranceMs;
  if (skewMs !== undefined && (hasJumped || Math.abs(skewMs) > certainMs))
    return `${at}, ${differs(skewMs)} ${skewMs > 0 ? "behind" : "ahead of"} V1's clock. No observation is deleted until they agree.`;
  if (jumpMs !== undefined && (jumpMs < -toleranceMs || jumpMs > certainMs))
    return `${at}, ${differs(jumpMs)} ${jumpMs > 0 ? "more" : "less"} than has passed. No observation is deleted until V1's clock agrees.`;
  return undefined;
}

/**
 * A clock before observations that were deleted as old cannot be right, and the store would refuse what it dates. The
 * time goes on from where the clock was last right, until the clock is set.
 */
export function createStoreClock(
  db: DatabaseSync,
  clockMs: () => number,
  monotonicMs: () => number,
): () => number {
  const [deletedBeforeMs, lastRightMs] = [readNumber(db, "pruned_before_ms"), readNumber(db, "clock_ms")];
  const startMs = monotonicMs();
  return () => {
    const nowMs = clockMs();
    if (nowMs >= deletedBeforeMs) return nowMs;
    return Math.round(Math.max(deletedBeforeMs, lastRightMs) + monotonicMs() - startMs);
  };
}

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
    const removeDelivered = db.prepare(
      `DELETE FROM outbox_message WHERE kind = ? AND at_ms < ?
       AND NOT EXISTS (SELECT 1 FROM delivery WHERE message_id = id AND state = 'waiting')`,
    );
    removeDelivered.run("metrics", cutoffMs);
    removeDelivered.run("alert", Math.min(cutoffMs, nowMs - dedupMs));
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
