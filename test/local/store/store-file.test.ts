// The store file: ownership, corrupt files, permissions, a full disk and backup.

import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createTables } from "../../../lib/local/store/schema.ts";
import { claimOwnership, type Opened, openStore, type Store } from "../../../lib/local/store/store.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { acceptedByReceiver } from "../../../lib/records/receipt.ts";
import { alertMessage, collect, dayMs, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { assess } from "../small-assessment.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder();
let files = 0;
const newPath = () => join(folder, `case-${files++}`, "watch.db");

function expectOpen(opened: Opened): Store {
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  return opened.store;
}

const own = (path: string) => expectOpen(openStore(path, { mode: "own", nowMs: () => startMs }));
const all = (store: Store) => collect(store.ledger.observations(0, Date.parse("2100-01-01")));

async function fill(path: string, count: number): Promise<void> {
  const store = own(path);
  for (let number = 0; number < count; number += 1) await store.ledger.append(sampleObservation(number));
  store.close();
}

describe("the owner of a store", () => {
  test("The owner of a store is one process at a time; a second one is refused at once with the owner's pid", () => {
    const path = newPath();
    const store = own(path);
    expect(openStore(path, { mode: "own" })).toEqual({ kind: "owned", pid: process.pid });
    store.close();
    own(path).close();
  });

  test("The owner of a store in another process is identified by its pid, and a kill -9 releases the store", async () => {
    const path = newPath();
    const worker = spawn(process.execPath, [join(import.meta.dirname, "kill-worker.ts"), path, "0"]);
    await new Promise((resolve) => worker.stdout.once("data", resolve));
    expect(openStore(path, { mode: "own" })).toEqual({ kind: "owned", pid: worker.pid });
    const reader = expectOpen(openStore(path, { mode: "read" }));
    expect((await all(reader)).length).toBeGreaterThan(0);
    reader.close();
    const exited = new Promise((resolve) => worker.once("exit", resolve));
    worker.kill("SIGKILL");
    await exited;
    own(path).close();
  });

  test("The owner of a store allows concurrent readers, which can write only decisions, the probe state and outbox messages", async () => {
    const path = newPath();
    expect(openStore(path, { mode: "read" })).toEqual({ kind: "absent" });
    expect(existsSync(dirname(path))).toBe(false);
    const store = own(path);
    await store.ledger.append(sampleObservation(0));
    const reader = expectOpen(openStore(path, { mode: "read" }));
    expect(await all(reader)).toHaveLength(1);
    await store.ledger.append(sampleObservation(1));
    expect(await all(reader)).toHaveLength(2);
    const refused = { kind: "failed", why: "read-only" };
    expect(await reader.ledger.append(sampleObservation(2))).toEqual(refused);
    expect(await reader.outbox.put([alertMessage(1)])).toEqual({ kind: "kept" });
    expect((await store.outbox.undelivered()).count).toBe(1);
    expect(await reader.ledger.writeProbeState(emptyProbeState, 0)).toEqual({ kind: "written" });
    expect(await store.ledger.readProbeState()).toEqual({ value: emptyProbeState, version: 1 });
    expect(await reader.ledger.writeProbeState(emptyProbeState, 0)).toEqual({ kind: "conflict" });
    const at = new Date(startMs).toISOString();
    const decision = {
      schema: "v1watch/decision/1",
      kind: "ack",
      subject: "down",
      reason: "known",
      at,
    } as const;
    await reader.ledger.decide(decision);
    expect(await store.ledger.decisions()).toEqual([decision]);
    await reader.outbox.recordDrill(sampleAlert(5), [
      { name: "email", reachesPeople: true, receipts: acceptedByReceiver() },
    ]);
    expect(store.outbox.lastProof()).toMatchObject({ channel: "email" });
    expect(() => reader.history.saveSentAlert(sampleAlert(1))).toThrow("readonly");
    reader.close();
    store.close();
  });

  test("The owner of a store can open the store even if the owner file is corrupt", () => {
    const path = newPath();
    own(path).close();
    writeFileSync(`${path}.owner`, "not a database ".repeat(100));
    const store = own(path);
    expect(openStore(path, { mode: "own" }).kind).toBe("owned");
    store.close();
  });
});

describe("a new store", () => {
  test("A new store in a folder .v1watch is not part of the repository around it; another folder stays as it is", () => {
    const [hidden, other] = [join(folder, `case-${files++}`, ".v1watch", "watch.db"), newPath()];
    for (const path of [hidden, other]) own(path).close();
    expect(readFileSync(join(dirname(hidden), ".gitignore"), "utf8")).toBe("*\n");
    expect(readdirSync(dirname(hidden)).toSorted()).toEqual([".gitignore", "watch.db", "watch.db.owner"]);
    expect(readdirSync(dirname(other)).toSorted()).toEqual(["watch.db", "watch.db.owner"]);
  });

  test("A new store may take the place of an empty file", async () => {
    const path = newPath();
    mkdirSync(dirname(path));
    writeFileSync(path, "");
    const store = own(path);
    expect(await store.ledger.append(sampleObservation(0))).toEqual({ kind: "new" });
    store.close();
  });

  test("A new store has a write-ahead log, so that readers do not wait for its writes", () => {
    const path = newPath();
    const store = own(path);
    const db = new DatabaseSync(path);
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    db.close();
    store.close();
  });

  test("A new store that is still in its write-ahead log is a store", async () => {
    const path = newPath();
    mkdirSync(dirname(path));
    const db = new DatabaseSync(path);
    db.exec("PRAGMA journal_mode = WAL");
    createTables(db);
    const copy = newPath();
    mkdirSync(dirname(copy));
    for (const suffix of ["", "-wal"]) cpSync(path + suffix, copy + suffix);
    db.close();
    expect(openStore(copy, { mode: "read" }).kind).toBe("open");
  });
});

test("A store deletes old observations and says when its file is damaged", async () => {
  const path = newPath();
  const store = own(path);
  for (const number of [0, 150]) await store.ledger.append(sampleObservation(number));
  await assess(store.ledger);
  expect(store.prune(startMs + 5 * dayMs)).toBe(1);
  expect(store.damaged.aborted).toBe(false);
  expect(store.unreadable()).toEqual({ count: 0, byTable: {} });
  for (let number = 151; number < 200; number += 1) await store.ledger.append(sampleObservation(number));
  const db = new DatabaseSync(path);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, Math.floor(bytes.length / 2 / 8_192) * 8_192);
  writeFileSync(path, bytes);
  const reader = expectOpen(openStore(path, { mode: "read" }));
  await expect(all(reader)).rejects.toThrow("malformed");
  expect(reader.damaged.aborted).toBe(true);
  expect(reader.health()).toMatchObject({ state: "DEGRADED", why: "corrupt" });
  reader.close();
  store.close();
});

describe("an unusable store file", () => {
  const corruptions: [string, (path: string) => void][] = [
    ["not a database", (path) => writeFileSync(path, "garbage ".repeat(5_000))],
    [
      "pages of zeros in the middle",
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0, 4_096 * 3, 4_096 * 8);
        writeFileSync(path, bytes);
      },
    ],
    ["truncated", (path) => writeFileSync(path, readFileSync(path).subarray(0, 30_000))],
  ];
  test.each(corruptions)(
    "An unusable store file (%s) is renamed unchanged and replaced by a new store with what can be read",
    async (_name, corrupt) => {
      const path = newPath();
      await fill(path, 300);
      corrupt(path);
      const bytes = readFileSync(path);
      expect(openStore(path, { mode: "read" }).kind).toMatch(/unusable|open/);
      const opened = openStore(path, { mode: "own", nowMs: () => startMs });
      expect(opened).toMatchObject({
        kind: "open",
        corrupt: { file: `${path}.corrupt-20261101T000000000Z` },
      });
      const store = expectOpen(opened);
      expect(await store.ledger.append(sampleObservation(300))).toEqual({ kind: "new" });
      expect(readFileSync(`${path}.corrupt-20261101T000000000Z`)).toEqual(bytes);
      store.close();
      expect(openStore(path, { mode: "own" })).toMatchObject({ kind: "open", corrupt: undefined });
    },
  );

  test("An unusable store file is renamed together with its write-ahead log", async () => {
    const path = newPath();
    await fill(path, 50);
    writeFileSync(path, "garbage ".repeat(5_000));
    writeFileSync(`${path}-wal`, "journal");
    own(path).close();
    const corruptFile = `${path}.corrupt-20261101T000000000Z`;
    expect(readFileSync(`${corruptFile}-wal`, "utf8")).toBe("journal");
    expect(readFileSync(corruptFile, "utf8")).toContain("garbage");
  });

  test("An unusable store file is not changed by a reader", () => {
    const path = newPath();
    mkdirSync(dirname(path));
    writeFileSync(path, "garbage ".repeat(5_000));
    expect(openStore(path, { mode: "read" })).toEqual({ kind: "unusable", why: "foreign" });
    expect(readdirSync(dirname(path))).toEqual(["watch.db"]);
  });

  test("An unusable store file of another application or another schema version is refused and left unchanged", () => {
    for (const [sql, why] of [
      ["CREATE TABLE theirs (x)", "foreign"],
      ["PRAGMA user_version = 7", "foreign"],
      ["PRAGMA application_id = 1982953313; PRAGMA user_version = 2", "older"],
      ["PRAGMA application_id = 1982953313; PRAGMA user_version = 99", "newer"],
    ] as const) {
      const path = newPath();
      mkdirSync(dirname(path));
      const db = new DatabaseSync(path);
      db.exec(sql);
      db.close();
      const bytes = readFileSync(path);
      for (const mode of ["own", "read", "own"] as const)
        expect(openStore(path, { mode })).toEqual({ kind: "unusable", why });
      expect(readFileSync(path)).toEqual(bytes);
    }
  });

  test("An unusable store file with an impossible path returns `bad-path`, without an exception", () => {
    const path = join(newPath(), "below-a-file");
    mkdirSync(dirname(dirname(path)));
    writeFileSync(dirname(path), "");
    for (const wrong of [path, join(path, "deeper"), folder])
      expect(openStore(wrong, { mode: "own" })).toEqual({ kind: "unusable", why: "bad-path" });
    expect(openStore(folder, { mode: "read" })).toEqual({ kind: "unusable", why: "bad-path" });
    for (const path of ["", "/dev/null"])
      expect(openStore(path, { mode: "own" }), path).toEqual({ kind: "unusable", why: "bad-path" });
    expect(existsSync(`${folder}.owner`)).toBe(false);
    // Creating folders recursively below /proc would never return.
    expect(openStore("/proc/x/y.db", { mode: "own" }).kind).toBe("unusable");
  });
});

describe("a user without write permission", () => {
  const isRoot = process.getuid?.() === 0;
  /** Runs as the user `nobody` if the tests run as root, because root ignores file permissions. */
  function openAsNobody(cases: readonly [path: string, mode: "own" | "read"][]): unknown {
    const store = new URL("../../../lib/local/store/store.ts", import.meta.url);
    const script = `const { openStore } = await import(${JSON.stringify(store)});
      console.log(JSON.stringify(${JSON.stringify(cases)}.map(([path, mode]) => openStore(path, { mode }))));`;
    const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const args = ["--input-type=module", "-e", script];
    return JSON.parse(execFileSync(process.execPath, args, { ...nobody, encoding: "utf8" }));
  }

  test("A user without write permission gets `read-only` for the folder, for a store in it, and for an unreadable store", async () => {
    const paths = [newPath(), newPath(), newPath()] as const;
    const [visible, unreadable, hidden] = paths;
    for (const path of paths) await fill(path, 1);
    chmodSync(folder, 0o755);
    for (const path of paths) chmodSync(path, path === unreadable ? 0 : 0o444);
    for (const path of paths) chmodSync(dirname(path), 0o555);
    chmodSync(dirname(hidden), isRoot ? 0o700 : 0);
    const cases: Parameters<typeof openAsNobody>[0] = [
      [join(dirname(visible), "new.db"), "own"],
      [join(dirname(visible), "new", "folder.db"), "own"],
      [visible, "own"],
      [visible, "read"],
      [unreadable, "read"],
      [hidden, "read"],
    ];
    try {
      expect(openAsNobody(cases)).toEqual(cases.map(() => ({ kind: "unusable", why: "read-only" })));
    } finally {
      for (const path of paths) chmodSync(dirname(path), 0o755);
    }
  });
});

/** Mounts a file system of one megabyte; undefined if mounting is not permitted. */
function mountSmallDisk(): { path: string; unmount(): void } | undefined {
  const path = join(folder, `disk-${files++}`);
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path], { stdio: "pipe" });
    return { path, unmount: () => execFileSync("umount", [path]) };
  } catch {
    return undefined;
  }
}

const needsDisk = "it needs a small file system of its own, which only root may mount";

test("A file system that can only be read is `read-only`, for a store in it and for a new one", async ({
  skip,
}) => {
  const disk = mountSmallDisk();
  if (!disk) return skip(needsDisk);
  const path = join(disk.path, "watch.db");
  try {
    await fill(path, 1);
    execFileSync("mount", ["-o", "remount,ro", disk.path]);
    for (const other of [path, join(disk.path, "new.db"), join(disk.path, "new", "folder.db")])
      expect(openStore(other, { mode: "own" })).toEqual({ kind: "unusable", why: "read-only" });
  } finally {
    disk.unmount();
  }
});

test("A store that cannot be opened for no known reason is a `disk-error`", () => {
  const path = newPath();
  mkdirSync(`${path}.owner`, { recursive: true });
  expect(openStore(path, { mode: "own" })).toEqual({ kind: "unusable", why: "disk-error" });
});

test("A store has one owner, whichever link leads to it", () => {
  const path = newPath();
  const link = `${path}-link`;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(path, link);
  const owner = own(link);
  for (const name of [path, link]) expect(openStore(name, { mode: "own" })).toMatchObject({ kind: "owned" });
  owner.close();
  const again = own(path);
  expect(openStore(link, { mode: "own" })).toMatchObject({ kind: "owned" });
  again.close();
});

describe("a full disk", () => {
  test("A full disk refuses a new store, and a store can still be claimed", ({ skip }) => {
    const disk = mountSmallDisk();
    if (!disk) return skip(needsDisk);
    const [path, ballast] = [join(disk.path, "watch.db"), join(disk.path, "ballast")];
    try {
      own(join(disk.path, "known.db")).close();
      expect(() => writeFileSync(ballast, Buffer.alloc(2_000_000))).toThrow("no space");
      const full = { kind: "unusable", why: "disk-full" };
      expect(openStore(path, { mode: "own" })).toEqual(full);
      expect(openStore(path, { mode: "own" })).toEqual(full);
      // Only the pid cannot be recorded.
      const known = join(disk.path, "known.db");
      const claim = claimOwnership(known);
      expect(claim.kind).toBe("claimed");
      expect(claimOwnership(known).kind).toBe("owned");
      if (claim.kind === "claimed") claim.release();
      // SQLite has no room for the files beside it, and calls that an error of the disk.
      expect(openStore(known, { mode: "own" })).toEqual(full);
      rmSync(ballast);
      own(path).close();
    } finally {
      disk.unmount();
    }
  });

  test("A full disk makes the store DEGRADED until there is space again, and loses no confirmed write", async ({
    skip,
  }) => {
    const disk = mountSmallDisk();
    if (!disk) return skip(needsDisk);
    const path = join(disk.path, "watch.db");
    let clockMs = startMs;
    const store = expectOpen(openStore(path, { mode: "own", nowMs: () => clockMs }));
    try {
      expect(store.health()).toEqual({ state: "ok" });
      writeFileSync(join(disk.path, "ballast"), Buffer.alloc(600_000));
      let number = 0;
      while ((await store.ledger.append(sampleObservation(number))).kind === "new") number += 1;
      // An observation needs more space than a message, so the remaining space is filled with messages.
      for (let message = 2; (await store.outbox.put([alertMessage(message)])).kind === "kept"; ) message += 1;
      const failed = { kind: "failed", why: "disk-full" };
      const degraded = { state: "DEGRADED", why: "disk-full", sinceMs: startMs };
      expect(store.health()).toEqual(degraded);
      clockMs += 60_000;
      expect(await store.ledger.append(sampleObservation(number))).toEqual(failed);
      expect(await store.outbox.put([alertMessage(1)])).toEqual(failed);
      expect(store.health()).toEqual(degraded);
      expect(await all(store)).toHaveLength(number);
      rmSync(join(disk.path, "ballast"));
      expect(await store.ledger.append(sampleObservation(number))).toEqual({ kind: "new" });
      expect(store.health()).toEqual({ state: "ok" });
      expect(await all(store)).toHaveLength(number + 1);
    } finally {
      store.close();
      disk.unmount();
    }
  });
});

test("A backup taken during writes is complete and opens as a store", async () => {
  const path = newPath();
  await fill(path, 100);
  const store = own(path);
  const copy = join(dirname(path), "copy.db");
  const copied = store.backUp(copy);
  for (let number = 100; number < 150; number += 1) await store.ledger.append(sampleObservation(number));
  await copied;
  store.close();
  expect(existsSync(`${copy}.part`)).toBe(false);
  const opened = own(copy);
  expect((await all(opened)).length).toBeGreaterThanOrEqual(100);
  opened.close();
  expect(statSync(copy).size).toBeGreaterThan(100_000);
});

test("A store that is closed or refused leaves no file open", async () => {
  const [path, foreign, older, garbage] = [newPath(), newPath(), newPath(), newPath()];
  for (const one of [foreign, older, garbage]) mkdirSync(dirname(one));
  writeFileSync(foreign, "the notes of somebody");
  const db = new DatabaseSync(older);
  db.exec("PRAGMA application_id = 1982953313; PRAGMA user_version = 2");
  db.close();
  await fill(path, 1);
  const tries: [string, () => void][] = [
    [
      "a store that another one owns",
      () => {
        const owner = own(path);
        openStore(path, { mode: "own" });
        owner.close();
      },
    ],
    ["a reader", () => expectOpen(openStore(path, { mode: "read" })).close()],
    ["a new store", () => own(newPath()).close()],
    ["a file of somebody else", () => openStore(foreign, { mode: "own" })],
    ["an older store", () => openStore(older, { mode: "own" })],
    ["an older store to read", () => openStore(older, { mode: "read" })],
    [
      "a damaged store",
      () => {
        own(garbage).close();
        writeFileSync(garbage, "garbage ".repeat(1_000));
        own(garbage).close();
      },
    ],
  ];
  for (const [name, work] of tries) {
    const before = readdirSync("/dev/fd").length;
    work();
    // Stores of other tests in this process may be closed meanwhile, by the garbage collector.
    expect(readdirSync("/dev/fd").length, name).toBeLessThanOrEqual(before);
  }
});

describe("a file that is not a store of v1watch", () => {
  test.each([
    ["a text", (path: string) => writeFileSync(path, "the notes of somebody\n".repeat(50))],
    ["a short text", (path: string) => writeFileSync(path, "x")],
    [
      "a database of another program",
      (path: string) => {
        const db = new DatabaseSync(path);
        db.exec("PRAGMA application_id = 42; CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1);");
        db.close();
      },
    ],
  ])(
    "A file that is not a store of v1watch (%s) is refused, is not moved, and nothing is written beside it",
    (_name, write) => {
      const folder = makeFolder();
      const path = join(folder, "theirs");
      write(path);
      const before = readFileSync(path);
      for (const mode of ["own", "read", "own"] as const)
        expect(openStore(path, { mode })).toEqual({ kind: "unusable", why: "foreign" });
      expect(readFileSync(path)).toEqual(before);
      expect(readdirSync(folder)).toEqual(["theirs"]);
    },
  );
});

test("A store that has a second name is refused under both, because its log and lock would not be seen under the other", async () => {
  const path = newPath();
  await fill(path, 3);
  const link = join(dirname(path), "other.db");
  linkSync(path, link);
  for (const name of [path, link])
    expect(openStore(name, { mode: "own" })).toEqual({ kind: "unusable", why: "hard-link" });
  rmSync(link);
  const store = own(path);
  expect(await all(store)).toHaveLength(3);
  store.close();
});

test("A store whose log is deleted while it is open says so, and a copy of it has every row", async () => {
  const path = newPath();
  const store = own(path);
  for (const number of [0, 1, 2]) await store.ledger.append(sampleObservation(number));
  expect(store.findDisplacement()).toBeUndefined();
  expect(store.findDisplacement()).toBeUndefined();
  rmSync(`${path}-wal`);
  expect(store.findDisplacement()).toBe("deleted");
  const copy = newPath();
  mkdirSync(dirname(copy), { recursive: true });
  await store.backUp(copy);
  store.close();
  const copied = own(copy);
  expect(await all(copied)).toHaveLength(3);
  copied.close();
});
