// Old observations are deleted by a clock that is known to be right, and only a part of them in one run, so that a clock
// that jumps cannot delete the history.

import type { DatabaseSync } from "node:sqlite";
import { dedupDays } from "../../ports.ts";
import { dayMs, describeDuration, hourMs, minuteMs } from "../../time.ts";
import { transact } from "./health.ts";

/** The clocks of the machine. `monotonicMs`: one that nobody sets, which starts with the process. */
export type Clocks = { nowMs(): number; monotonicMs(): number };

/** `problem`: what is wrong with the machine's clock, where that is known. */
export type ClockCheck = { isRight: boolean; problem?: string };

export type StoreClock = {
  /** The machine's clock. While that has jumped and nothing confirms it, the time goes on as before the jump. */
  nowMs(): number;
  /** Whether `nowMs` can be trusted to delete observations. `skewSeconds` is V1's clock minus `nowMs`. */
  check(skewSeconds: number | undefined): ClockCheck;
};

/** How far two clocks may differ that agree. */
const toleranceMs = 10 * minuteMs;
/** A machine that was suspended is found by its clock alone after so long, unless it would have been for longer. */
const suspendedMs = 7 * dayMs;
const unconfirmedMs = hourMs;

const readNumber = (db: DatabaseSync, name: string) =>
  (db.prepare("SELECT value FROM metadata WHERE name = ?").get(name) as { value: number } | undefined)
    ?.value ?? 0;

/**
 * A clock is right if it agrees with V1's Date header or with the time that has passed since it was last right: in this
 * process by the monotonic clock, and after a restart if that was within an hour.
 */
export function createStoreClock(db: DatabaseSync, { nowMs: machineMs, monotonicMs }: Clocks): StoreClock {
  const save = db.prepare("INSERT OR REPLACE INTO metadata VALUES ('clock_ms', ?)");
  const lastRightMs = () => readNumber(db, "clock_ms");
  // A clock before the time at which it was right cannot be right: the time goes on from there.
  const startMs = Math.max(machineMs(), lastRightMs() - toleranceMs, readNumber(db, "pruned_before_ms"));
  /** The time goes on from here by the monotonic clock. */
  let base = { timeMs: startMs, monotonicMs: monotonicMs() };
  /** Since when, by the monotonic clock, the machine's clock has differed from the time that has passed. */
  let jumpedMs: number | undefined;
  let isKnown = startMs - lastRightMs() <= hourMs;

  const passedMs = () => base.timeMs + monotonicMs() - base.monotonicMs;
  const isNear = (one: number, other: number) => Math.abs(one - other) <= toleranceMs;
  const nowMs = () => {
    const [machine, expected] = [machineMs(), passedMs()];
    return isNear(machine, expected) ? machine : Math.round(expected);
  };
  const goOnFrom = (timeMs: number) => {
    base = { timeMs, monotonicMs: monotonicMs() };
  };

  return {
    nowMs,
    check(skewSeconds) {
      const [machine, time] = [machineMs(), nowMs()];
      const v1Ms = skewSeconds === undefined ? undefined : time + skewSeconds * 1_000;
      jumpedMs = isNear(machine, time) ? undefined : (jumpedMs ?? monotonicMs());
      const isSuspension = machine > time && machine - time <= suspendedMs;
      const isOld = monotonicMs() - (jumpedMs ?? Infinity) >= unconfirmedMs;
      if (v1Ms !== undefined && isNear(v1Ms, machine)) {
        isKnown = true;
        goOnFrom(machine);
      } else if (v1Ms !== undefined && isNear(v1Ms, time)) isKnown = true;
      // At a start with a clock that is far ahead, V1's clock lies between it and the time at which it was last right.
      else if (v1Ms !== undefined && !isKnown && machine - v1Ms > suspendedMs && v1Ms >= lastRightMs())
        goOnFrom(v1Ms);
      else if (v1Ms === undefined && isSuspension && isOld) goOnFrom(machine);
      const now = nowMs();
      const isRight = isKnown && (v1Ms === undefined || isNear(v1Ms, now) || jumpedMs === undefined);
      if (isRight && Math.abs(now - lastRightMs()) >= hourMs / 4) save.run(now);
      const isTold = !isNear(machineMs(), now) && (v1Ms !== undefined || !isSuspension);
      const problem = isTold ? describeProblem(machine, now) : undefined;
      return { isRight, ...(problem !== undefined && { problem }) };
    },
  };
}

function describeProblem(machineMs: number, nowMs: number): string {
  const text = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`;
  const difference = describeDuration(Math.abs(machineMs - nowMs) / 1_000);
  return `The clock of this machine shows ${text(machineMs)}, which is ${difference} ${machineMs > nowMs ? "ahead" : "behind"}. v1watch goes on with ${text(nowMs)} until V1's clock agrees with it.`;
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
