// What one machine remembers, in one file. An acknowledged row survives a kill -9 and a power cut.
import { accessSync, constants, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import type { Ledger, Outbox } from "../../ports.ts";
import { type Health, type HealthWatch, nameTrouble, type Trouble, watchHealth } from "./health.ts";
import { createHistory, type History } from "./history.ts";
import { createLedger, createOutbox } from "./ledger.ts";
import { claimOwnership } from "./owner.ts";
import { type Condition, createTables, pruneStore, readCondition } from "./schema.ts";

/** Where `up` without an address of V1 remembers: play data never mixes with a real watch. */
export const simulatorStorePath = ".v1watch/simulator.db";

export type Store = {
  ledger: Ledger;
  outbox: Outbox;
  history: History;
  health(): Health;
  /** Forgets observations older than this and keeps what was learned from them; how many went. */
  prune(beforeMs: number): number;
  /** A consistent copy, while the store is in use. */
  backUp(toPath: string): Promise<void>;
  close(): void;
};

export type Opened =
  /** `setAside`: the old file was corrupt, is kept under this name, and a new one was begun. */
  | { kind: "open"; store: Store; reserve?: string }
  | { kind: "owned"; pid: number | undefined }
  | { kind: "absent" }
  | { kind: "unusable"; why: Trouble | Exclude<Condition, "ready"> };

type Mode = "own" | "read";

/** The owner writes; readers may stand beside it, and record a decision, what they ask of V1, or a message to send. */
export function openStore(
  path: string,
  { mode, nowMs = Date.now }: { mode: Mode; nowMs?(): number },
): Opened {
  try {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
    if (path === "" || !isFile) return { kind: "unusable", why: "bad-path" };
    return mode === "own" ? openOwned(path, nowMs) : openBeside(path, nowMs);
  } catch (error) {
    const why = nameTrouble(error) ?? nameFileTrouble(error);
    if (!why) throw error;
    return { kind: "unusable", why: why === "disk-error" ? findCause(path) : why };
  }
}

function openOwned(path: string, nowMs: () => number): Opened {
  makeFolder(dirname(path));
  const claim = claimOwnership(path);
  if (claim.kind === "owned") return claim;
  try {
    const reserve = isSound(path) ? undefined : setFileAside(path, nowMs());
    const db = connect(path);
    const condition = readCondition(db);
    if (condition !== "ready" && condition !== "fresh") {
      db.close();
      claim.release();
      return { kind: "unusable", why: condition };
    }
    // An observation has 2 KB: three fit on a page of 8, one on a page of 4.
    db.exec("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    db.exec("PRAGMA journal_size_limit = 16777216;");
    if (condition === "fresh") createTables(db);
    return { kind: "open", store: createStore(db, nowMs, claim.release), ...(reserve && { reserve }) };
  } catch (error) {
    claim.release();
    throw error;
  }
}

/** One by one: `recursive` never ends below /proc, which denies being there when a folder is made in it. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function openBeside(path: string, nowMs: () => number): Opened {
  if (!existsSync(path)) return { kind: "absent" };
  const db = connect(path, true);
  const condition = readCondition(db);
  if (condition !== "ready") {
    db.close();
    return { kind: "unusable", why: condition };
  }
  const store = createStore(db, nowMs, () => {});
  const write = async <T>(work: (writer: DatabaseSync, watch: HealthWatch) => Promise<T>) => {
    const writer = connect(path);
    try {
      return await work(writer, watchHealth(nowMs));
    } finally {
      writer.close();
    }
  };
  const decide: Ledger["decide"] = (decision) =>
    write((writer, watch) => createLedger(writer, watch).decide(decision));
  const writeProbeState: Ledger["writeProbeState"] = (probeState, version) =>
    write((writer, watch) => createLedger(writer, watch).writeProbeState(probeState, version));
  const put: Outbox["put"] = (messages) =>
    write((writer, watch) => createOutbox(writer, watch).put(messages));
  return {
    kind: "open",
    store: {
      ...store,
      ledger: { ...store.ledger, decide, writeProbeState },
      outbox: { ...store.outbox, put },
    },
  };
}

/** Waits for another's write, such as a decision that a person records meanwhile. */
const patienceMs = 5_000;

const connect = (path: string, readOnly = false) => new DatabaseSync(path, { readOnly, timeout: patienceMs });

function createStore(db: DatabaseSync, nowMs: () => number, release: () => void): Store {
  const watch = watchHealth(nowMs);
  return {
    ledger: createLedger(db, watch),
    outbox: createOutbox(db, watch),
    history: createHistory(db, watch),
    health: watch.health,
    prune: (beforeMs) => watch.write(() => pruneStore(db, beforeMs, nowMs())),
    async backUp(toPath) {
      await backup(db, `${toPath}.part`);
      renameSync(`${toPath}.part`, toPath);
    },
    close() {
      if (db.isOpen) db.close();
      release();
    },
  };
}

function isSound(path: string): boolean {
  if (!existsSync(path)) return true;
  const db = connect(path, true);
  try {
    return Object.values(db.prepare("PRAGMA quick_check(1)").get() ?? {})[0] === "ok";
  } catch (error) {
    if (nameTrouble(error) === "corrupt") return false;
    throw error;
  } finally {
    db.close();
  }
}

/** Its journal goes with it, so that somebody can still look into both. */
function setFileAside(path: string, atMs: number): string {
  const kept = `${path}.corrupt-${new Date(atMs).toISOString().replace(/[-:.]/g, "")}`;
  renameSync(path, kept);
  for (const suffix of ["-wal", "-shm"])
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  return kept;
}

/** SQLite says only that it cannot open the file. */
function findCause(path: string): Trouble {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    if (!statSync(dirname(path)).isDirectory()) return "bad-path";
    accessSync(dirname(path), W_OK | X_OK);
    if (existsSync(path)) accessSync(path, R_OK | W_OK);
    return "disk-error";
  } catch (error) {
    return nameFileTrouble(error) ?? "disk-error";
  }
}

function nameFileTrouble(error: unknown): Trouble | undefined {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") return "disk-full";
  if (code === "EACCES" || code === "EROFS" || code === "EPERM") return "read-only";
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG") return "bad-path";
  return code === "EIO" ? "disk-error" : undefined;
}

/** The latest alert that was accepted on the other side; a drill is one of them. */
export function findProof({ history }: Pick<Store, "history">): { atMs: number; isDrill: boolean } | "none" {
  const [last] = history.told(1);
  return last ? { atMs: Date.parse(last.alert.at), isDrill: last.alert.event === "drill" } : "none";
}
