// The database of a store: the errors of SQLite and of the file system, whether it accepts writes, its statements and transactions.

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Failed } from "../../ports.ts";

export type StoreFault =
  | "disk-full"
  | "disk-error"
  | "corrupt"
  | "locked"
  | "read-only"
  | "bad-path"
  | "hard-link";
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

/** Damage that SQLite does not report itself. */
export const malformed = (what: string) =>
  Object.assign(new Error(`database disk image is malformed: ${what}`), { errcode: 11 });

/** Rows out of order: only a damaged file has them, and reading on from one to the next might never end. */
export const outOfOrder = () => malformed("rows are out of order");

export type HealthTracker = {
  health(): Health;
  /** Aborted as soon as any statement finds that the file is damaged. */
  damaged: AbortSignal;
  /** Notes a failure, and returns it so that it can be thrown. */
  note(error: unknown): unknown;
  /**
   * Every write goes through this function, so that the first successful write ends the DEGRADED state. While another
   * process writes, it is tried again for 5 s, between other work of this process.
   */
  write<T>(work: () => T): Promise<T>;
  tryWrite<T>(work: () => T): Promise<T | Failed>;
  /** Tries once: for work that a later tick repeats. */
  writeNow<T>(work: () => T): T;
};

/**
 * SQLite waits for the lock of another process with the whole process, so it waits shortly (store.ts), and the write is tried
 * again after a pause in which the checks and the dashboard go on.
 */
const lockRetryMs = 5_000;
const lockPauseMs = 150;

const isLocked = (error: unknown) => classifySqliteError(error) === "locked";

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
  /** A lock is noted when it has outlasted the tries: commands hold one for a moment. */
  function writeNow<T>(work: () => T): T {
    try {
      const result = work();
      if (!damage.signal.aborted) health = { state: "ok" };
      return result;
    } catch (error) {
      throw isLocked(error) ? error : note(error);
    }
  }
  /** The pause of the write that waits for the lock. The others wait for its end: one try per pause holds the process up. */
  let pause: Promise<void> | undefined;
  let gaveUpMs = Number.NEGATIVE_INFINITY;
  async function write<T>(work: () => T): Promise<T> {
    const startMs = performance.now();
    // Right after a write that gave up, the others do not wait as long again, one after the other.
    const untilMs = startMs - gaveUpMs < 2 * lockRetryMs ? startMs : startMs + lockRetryMs;
    while (true) {
      while (pause) await pause;
      try {
        return writeNow(work);
      } catch (error) {
        if (!isLocked(error)) throw error;
        if (performance.now() >= untilMs) {
          gaveUpMs = performance.now();
          throw note(error);
        }
        pause ??= new Promise<void>((resolve) => setTimeout(resolve, lockPauseMs)).then(() => {
          pause = undefined;
        });
      }
    }
  }
  return {
    health: () => health,
    damaged: damage.signal,
    note,
    write,
    writeNow,
    async tryWrite(work) {
      try {
        return await write(work);
      } catch (error) {
        const why = classifySqliteError(error);
        if (!why) throw error;
        return { kind: "failed", why };
      }
    },
  };
}

/** The database of a store with its health. A statement is prepared at its first use, and kept by its text. */
export type Database = HealthTracker & {
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Returns the number of rows that it changed. */
  run(sql: string, ...values: SQLInputValue[]): number;
  transact<T>(work: () => T): T;
};

/** Damage is noted also where a statement only reads: an alert that cannot be read would not be sent, and nobody would know. */
export function createDatabase(db: DatabaseSync, nowMs: () => number): Database {
  const tracker = trackHealth(nowMs);
  const statements = new Map<string, StatementSync>();
  function use<T>(sql: string, work: (statement: StatementSync) => T): T {
    try {
      const statement = statements.get(sql) ?? db.prepare(sql);
      statements.set(sql, statement);
      return work(statement);
    } catch (error) {
      throw classifySqliteError(error) === "corrupt" ? tracker.note(error) : error;
    }
  }
  return {
    ...tracker,
    all: <Row>(sql: string, ...values: SQLInputValue[]) =>
      use(sql, (statement) => statement.all(...values) as Row[]),
    get: <Row>(sql: string, ...values: SQLInputValue[]) =>
      use(sql, (statement) => statement.get(...values) as Row | undefined),
    run: (sql, ...values) => use(sql, (statement) => Number(statement.run(...values).changes)),
    transact: (work) => transact(db, work),
  };
}

/** Runs `work` in one transaction, also one that is open already. SQLite may have rolled back already if the disk is full. */
export function transact<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
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
