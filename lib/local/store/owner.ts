// One owner at a time. The claim is a lock that the kernel drops when its process dies, however it dies;
// a file with a pid in it would outlive a kill -9.
import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { nameTrouble } from "./health.ts";

export type Claim = { kind: "claimed"; release(): void } | { kind: "owned"; pid: number | undefined };

/** Long enough for another's look at the pid, short enough to exit at once. */
const patienceMs = 200;

export function claimOwnership(storePath: string): Claim {
  const path = `${storePath}.owner`;
  try {
    return claim(path);
  } catch (error) {
    if (nameTrouble(error) !== "corrupt") throw error;
    // It holds a pid and nothing else, and a living owner would have kept it whole.
    rmSync(path);
    return claim(path);
  }
}

function claim(path: string): Claim {
  const db = new DatabaseSync(path, { timeout: patienceMs });
  try {
    writePid(db);
    // A reserved lock keeps other claims out and still lets them read whose it is.
    db.exec("BEGIN IMMEDIATE");
    return { kind: "claimed", release: () => db.close() };
  } catch (error) {
    const pid = readPid(db);
    db.close();
    if (nameTrouble(error) === "locked") return { kind: "owned", pid };
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
    // On a full disk the lock still holds; only its name is missing.
    if (nameTrouble(error) !== "disk-full") throw error;
  }
}

function readPid(db: DatabaseSync): number | undefined {
  try {
    return (db.prepare("SELECT pid FROM owner").get() as { pid: number } | undefined)?.pid;
  } catch {
    return undefined;
  }
}
