// The embedded store: one SQLite file. A write that was confirmed survives a kill -9 and a power failure.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import type { Ledger, Outbox, Unreadable } from "../../ports.ts";
import { emptyProbeState, type ProbeState } from "../../records/probe-state.ts";
import { makeFolder } from "../folder.ts";
import { type CheckClock, createClockCheck, hasLater, noteWrongDates } from "./clock.ts";
import {
  classifyFileError,
  classifySqliteError,
  createDatabase,
  type Health,
  type StoreFault,
} from "./database.ts";
import { createHistory, type History } from "./history.ts";
import { createLedger } from "./ledger.ts";
import { createOutbox, type LocalOutbox } from "./outbox.ts";
import { finishRecovery, isIntact, type Recovered, recoverStore, upgradeStore } from "./recover.ts";
import { openReservedFile, type ReservedFile } from "./reserved-file.ts";
import { pruneStore } from "./retention.ts";
import { createRowReader } from "./rows.ts";
import {
  applicationId,
  createTables,
  readSchemaStatus,
  repairMetadata,
  type SchemaStatus,
} from "./schema.ts";

/** The store of `up` without a base URL, so that simulated data never mixes with data of the real V1. */
export const simulatorStorePath = ".v1watch/simulator.db";

export type Store = {
  ledger: Ledger;
  outbox: LocalOutbox;
  history: History;
  health(): Health;
  /** Small files beside the store, which are written also while the store cannot save. */
  alarmFile: ReservedFile;
  requestsFile: ReservedFile;
  /** Aborted as soon as the file is found to be damaged while it is in use. To open it again recovers it. */
  damaged: AbortSignal;
  /** Rows whose text could not be read. They are kept in a table of their own. */
  unreadable(): Unreadable;
  /** Compares the machine's clock with the store and with V1's. */
  checkClock: CheckClock;
  /** Checks that are dated later than this have a wrong date: they are assessed again, without it. */
  noteWrongDates(afterMs: number): void;
  /** Whether a check is stored that is dated later, and not by a clock that is known to have been wrong. */
  hasLater(afterMs: number): boolean;
  /** Deletes older observations, keeps their assessment, and returns the number of deleted observations. */
  prune(beforeMs: number): number;
  /** Whether the file of the store and its log are still those that were opened; another process may delete or replace them. */
  findDisplacement(): Displacement | undefined;
  /** Writes a consistent copy while the store is in use. */
  backUp(toPath: string): Promise<void>;
  close(): void;
};

export type Displacement = "deleted" | "replaced";

export type Opened =
  /** `corrupt`: the file was damaged and was renamed; the store is new and has the rows that could be read. */
  | { kind: "open"; store: Store; corrupt?: Recovered | undefined }
  | { kind: "owned"; pid: number | undefined }
  | { kind: "absent" }
  | { kind: "unusable"; why: StoreFault | Exclude<SchemaStatus, "ready" | "upgradable"> };

type OpenMode = "own" | "read";
type Clock = { nowMs(): number };

/**
 * One process at a time opens the store as its owner and writes everything. Readers may open it at the same
 * time; they can write decisions, the probe state and outbox messages, and nothing else. `isDamaged`: a statement has found
 * damage since the owner opened it, so it is recovered even if the check of the file finds none.
 */
export function openStore(
  given: string,
  { mode, isDamaged, nowMs = Date.now }: { mode: OpenMode; isDamaged?: boolean } & Partial<Clock>,
): Opened {
  try {
    const path = given === "" ? given : findFile(given);
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
    if (path === "" || !isFile) return { kind: "unusable", why: "bad-path" };
    if (isForeign(path)) return { kind: "unusable", why: "foreign" };
    return mode === "own" ? openAsOwner(path, nowMs, isDamaged) : openAsReader(path, nowMs);
  } catch (error) {
    const why = classifySqliteError(error) ?? classifyFileError(error);
    if (!why) throw error;
    return { kind: "unusable", why: why === "disk-error" ? findCause(given) : why };
  }
}

/** A store without a file, for as long as the process lives: of a replay, and for what a file cannot keep. */
export function openMemoryStore(nowMs: () => number, probeState: ProbeState = emptyProbeState): Store {
  const db = new DatabaseSync(":memory:");
  createTables(db);
  const store = createStore(db, nowMs);
  void store.ledger.writeProbeState(probeState, 0);
  return store;
}

/** The file itself, whatever links lead to it: two names of one store have one owner. */
function findFile(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist yet; the link to it may.
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    if (isLink) return findFile(resolve(dirname(path), readlinkSync(path)));
    return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path;
  }
}

const sqliteHeader = "SQLite format 3\0";
const applicationIdOffset = 68;

/**
 * Whether a file belongs to another program: by its header, unless a watch has claimed it before. It is neither opened
 * nor moved, and nothing is written beside it. A store of ours whose header is damaged has been claimed.
 */
function isForeign(path: string): boolean {
  if (!existsSync(path) || existsSync(`${path}.owner`)) return false;
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  try {
    if (readSync(file, header) === 0) return false;
  } finally {
    closeSync(file);
  }
  if (header.toString("latin1", 0, sqliteHeader.length) !== sqliteHeader) return true;
  return header.readUInt32BE(applicationIdOffset) !== applicationId && !existsSync(`${path}-wal`);
}

/** Two monitors of one file under two names would not see each other's logs and locks, and would destroy it. */
const hasSecondName = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1;

function openAsOwner(path: string, nowMs: Clock["nowMs"], isDamaged = false): Opened {
  if (hasSecondName(path)) return { kind: "unusable", why: "hard-link" };
  makeFolder(dirname(path), 0o700);
  const claim = claimOwnership(path);
  if (claim.kind === "owned") return claim;
  try {
    finishRecovery(path, nowMs());
    const recovered = isDamaged || !isIntact(path) ? recoverStore(path, nowMs()) : undefined;
    const opened = openSound(path, nowMs, recovered);
    if ("unusable" in opened) {
      claim.release();
      return { kind: "unusable", why: opened.unusable };
    }
    return {
      kind: "open",
      store: createStore(opened.db, nowMs, { path, release: claim.release }),
      corrupt: opened.recovered,
    };
  } catch (error) {
    claim.release();
    throw error;
  }
}

type Sound =
  | { db: DatabaseSync; recovered: Recovered | undefined }
  | { unusable: StoreFault | Exclude<SchemaStatus, "ready" | "upgradable"> };

/** Damage that only a statement finds leads to a recovery too, unless there was one: then it is the disk that fails. */
function openSound(path: string, nowMs: Clock["nowMs"], recovered: Recovered | undefined): Sound {
  try {
    return prepareStore(path, nowMs, recovered);
  } catch (error) {
    if (!isOfDamage(error)) throw error;
    if (recovered) return { unusable: "disk-error" };
    return openSound(path, nowMs, recoverStore(path, nowMs()));
  }
}

/** Of a statement of ours that SQLite does not understand (1), the text of the schema is damaged. */
const isOfDamage = (error: unknown) =>
  classifySqliteError(error) === "corrupt" || (error as { errcode?: unknown } | null)?.errcode === 1;

function prepareStore(path: string, nowMs: Clock["nowMs"], recovered: Recovered | undefined): Sound {
  keepPrivate(path);
  const db = connect(path, "watch");
  try {
    const status = readSchemaStatus(db);
    if (status === "upgradable") {
      db.close();
      upgradeStore(path, nowMs());
      return prepareStore(path, nowMs, recovered);
    }
    if (status !== "ready" && status !== "fresh") {
      db.close();
      return { unusable: status };
    }
    if (status === "fresh") createTables(db);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216;");
    repairMetadata(db);
    return { db, recovered };
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

function openAsReader(path: string, nowMs: Clock["nowMs"]): Opened {
  if (!existsSync(path)) return { kind: "absent" };
  const db = connect(path, "command", true);
  const status = readSchemaStatus(db);
  if (status !== "ready") db.close();
  if (status === "upgradable") {
    // To bring it up to date, it is opened as its owner first.
    const opened = openAsOwner(path, nowMs);
    if (opened.kind !== "open") return opened;
    opened.store.close();
    return openAsReader(path, nowMs);
  }
  if (status !== "ready") return { kind: "unusable", why: status };
  const store = createStore(db, nowMs);
  const write = async <T>(work: (writer: Store) => Promise<T>) => {
    const writer = createStore(connect(path, "command"), nowMs);
    try {
      return await work(writer);
    } finally {
      writer.close();
    }
  };
  const decide: Ledger["decide"] = (decision) => write(({ ledger }) => ledger.decide(decision));
  const writeProbeState: Ledger["writeProbeState"] = (probeState, version) =>
    write(({ ledger }) => ledger.writeProbeState(probeState, version));
  const put: Outbox["put"] = (messages) => write(({ outbox }) => outbox.put(messages));
  const recordDrill: LocalOutbox["recordDrill"] = (alert, accepted) =>
    write(({ outbox }) => outbox.recordDrill(alert, accepted));
  return {
    kind: "open",
    store: {
      ...store,
      ledger: { ...store.ledger, decide, writeProbeState },
      outbox: { ...store.outbox, put, recordDrill },
    },
  };
}

/** The store and its files are for their owner only. SQLite gives those that it makes beside a file the mode of that file. */
function keepPrivate(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch {
    // Somebody else's file, or a file system without modes. Where it cannot be used at all, SQLite says so next.
  }
}

/**
 * How long a write waits for a write of another process, such as a decision recorded by a command. SQLite waits with the
 * whole process, and the dashboard of a watch answers nobody meanwhile: a watch tries again after a pause instead (database.ts).
 */
const lockTimeoutMs = { watch: 100, command: 5_000 } as const;

const connect = (path: string, who: keyof typeof lockTimeoutMs, readOnly = false) =>
  new DatabaseSync(path, { readOnly, timeout: lockTimeoutMs[who] });

type Owned = { path: string; release(): void };

const identify = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
};

function createStore(sqlite: DatabaseSync, nowMs: Clock["nowMs"], owned?: Owned): Store {
  const opened = owned && identify(owned.path);
  /** SQLite makes the log with the first write, and keeps it for as long as the store is open. */
  let log = owned && identify(`${owned.path}-wal`);
  const db = createDatabase(sqlite, nowMs);
  const rows = createRowReader(db, nowMs);
  return {
    ledger: createLedger(db, rows),
    outbox: createOutbox(db, rows),
    history: createHistory(db, rows),
    health: db.health,
    alarmFile: openReservedFile(owned && `${owned.path}.alarms`),
    requestsFile: openReservedFile(owned && `${owned.path}.requests`),
    damaged: db.damaged,
    unreadable: rows.unreadable,
    checkClock: createClockCheck(db),
    noteWrongDates: (afterMs) => noteWrongDates(db, afterMs),
    hasLater: (afterMs) => hasLater(db, afterMs),
    prune: (beforeMs) => db.writeNow(() => pruneStore(db, beforeMs, nowMs())),
    findDisplacement() {
      if (!owned) return undefined;
      const now = identify(owned.path);
      const knownLog = log;
      log = identify(`${owned.path}-wal`);
      if (now !== opened) return now === undefined ? "deleted" : "replaced";
      // What is in a log that was deleted would be lost with the next start.
      return knownLog !== undefined && log !== knownLog ? "deleted" : undefined;
    },
    async backUp(toPath) {
      keepPrivate(`${toPath}.part`);
      await backup(sqlite, `${toPath}.part`);
      renameSync(`${toPath}.part`, toPath);
    },
    close() {
      try {
        if (sqlite.isOpen) sqlite.close();
      } finally {
        owned?.release();
      }
    },
  };
}

/**
 * Puts the copy of a store whose file was deleted in its place, once the store is closed. What SQLite left beside the
 * deleted file belongs to it, and would be applied to the copy.
 */
export function putInPlace(copy: string, path: string): void {
  for (const name of [`${path}-wal`, `${path}-shm`]) rmSync(name, { force: true });
  renameSync(copy, path);
}

/** What SQLite takes for its files beside a store when it opens it. */
const leastFreeBytes = 65_536;

/** SQLite reports only that it cannot open the file, so the reason is found with file system calls. */
function findCause(path: string): StoreFault {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    if (!statSync(dirname(path)).isDirectory()) return "bad-path";
    accessSync(dirname(path), W_OK | X_OK);
    if (existsSync(path)) accessSync(path, R_OK | W_OK);
    // SQLite needs room for the files beside it, and calls their failure an error of the disk.
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < leastFreeBytes ? "disk-full" : "disk-error";
  } catch (error) {
    return classifyFileError(error) ?? "disk-error";
  }
}

// Ensures that one process at a time owns a store. The claim is a database lock, which the kernel releases when
// the process ends in any way; a pid file would remain after a kill -9.
export type Claim = { kind: "claimed"; release(): void } | { kind: "owned"; pid: number | undefined };

/** Long enough for another process to read the pid, and short enough that a refused start exits promptly. */
const claimTimeoutMs = 200;

export function claimOwnership(storePath: string): Claim {
  const path = `${storePath}.owner`;
  try {
    return claim(path);
  } catch (error) {
    if (classifySqliteError(error) !== "corrupt") throw error;
    // Deleting is safe: the file contains only a pid, and a running owner would have kept it intact.
    rmSync(path);
    return claim(path);
  }
}

function claim(path: string): Claim {
  keepPrivate(path);
  const db = new DatabaseSync(path, { timeout: claimTimeoutMs });
  try {
    writePid(db);
    // A reserved lock blocks other claims and still allows them to read the owner's pid.
    db.exec("BEGIN IMMEDIATE");
    return { kind: "claimed", release: () => db.close() };
  } catch (error) {
    const pid = readPid(db);
    db.close();
    if (classifySqliteError(error) === "locked") return { kind: "owned", pid };
    throw error;
  }
}

function writePid(db: DatabaseSync): void {
  try {
    db.exec("BEGIN IMMEDIATE");
    db.exec("CREATE TABLE IF NOT EXISTS owner (one INTEGER PRIMARY KEY, pid INTEGER NOT NULL) STRICT");
    db.prepare("INSERT OR REPLACE INTO owner VALUES (1, ?)").run(process.pid);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    // On a full disk the lock still works; only the pid is not recorded.
    if (classifySqliteError(error) !== "disk-full") throw error;
  }
}

function readPid(db: DatabaseSync): number | undefined {
  try {
    return (db.prepare("SELECT pid FROM owner").get() as { pid: number } | undefined)?.pid;
  } catch {
    return undefined;
  }
}
