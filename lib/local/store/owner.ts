// Ensures that one process at a time owns a store. The claim is a database lock, which the kernel releases when
// the process ends in any way; a pid file would remain after a kill -9.
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { classifySqliteError } from "./health.ts";

export type Claim = { kind: "claimed"; release(): void } | { kind: "owned"; pid: number | undefined };

/** Long enough for another process to read the pid, and short enough that a refused start exits promptly. */
const lockTimeoutMs = 200;

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
  const db = new DatabaseSync(path, { timeout: lockTimeoutMs });
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
