// The store file: ownership, corrupt files, permissions, a full disk, retention and backup.

import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { thresholds } from "../../../lib/config/thresholds.ts";
import { type Opened, openStore, type Store } from "../../../lib/local/store/store.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { markDelivered, pendingIn, receivers } from "../receivers.ts";
import { alertMessage, collect, dayMs, metricsMessage, sampleObservation, startMs } from "../samples.ts";
import { assess, foldAll, readState } from "../small-assessment.ts";
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
  test("is one process at a time; a second one is refused at once with the owner's pid", () => {
    const path = newPath();
    const store = own(path);
    expect(openStore(path, { mode: "own" })).toEqual({ kind: "owned", pid: process.pid });
    store.close();
    own(path).close();
  });

  test("in another process is identified by its pid, and a kill -9 releases the store", async () => {
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

  test("allows concurrent readers, which can write only decisions, the probe state and outbox messages", async () => {
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
    expect(store.outbox.waiting("alert")).toEqual([alertMessage(1)]);
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
    reader.close();
    store.close();
  });

  test("can open the store even if the owner file is corrupt", () => {
    const path = newPath();
    own(path).close();
    writeFileSync(`${path}.owner`, "not a database ".repeat(100));
    const store = own(path);
    expect(openStore(path, { mode: "own" }).kind).toBe("owned");
    store.close();
  });
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
    "(%s) is renamed unchanged and replaced by a new store with what can be read",
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
      expect(openStore(path, { mode: "own" })).not.toHaveProperty("corrupt");
    },
  );

  test("is renamed together with its write-ahead log", async () => {
    const path = newPath();
    await fill(path, 50);
    writeFileSync(path, "garbage ".repeat(5_000));
    writeFileSync(`${path}-wal`, "journal");
    own(path).close();
    const corruptFile = `${path}.corrupt-20261101T000000000Z`;
    expect(readFileSync(`${corruptFile}-wal`, "utf8")).toBe("journal");
    expect(readFileSync(corruptFile, "utf8")).toContain("garbage");
  });

  test("is not changed by a reader", () => {
    const path = newPath();
    mkdirSync(dirname(path));
    writeFileSync(path, "garbage ".repeat(5_000));
    expect(openStore(path, { mode: "read" })).toEqual({ kind: "unusable", why: "foreign" });
    expect(readdirSync(dirname(path))).toEqual(["watch.db"]);
  });

  test("of another application or another schema version is refused and left unchanged", () => {
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
      for (const mode of ["own", "read"] as const)
        expect(openStore(path, { mode })).toEqual({ kind: "unusable", why });
      expect(readFileSync(path)).toEqual(bytes);
    }
  });

  test("with an impossible path returns `bad-path`, without an exception", () => {
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
  function openAsNobody(path: string, mode: "own" | "read"): unknown {
    const store = new URL("../../../lib/local/store/store.ts", import.meta.url);
    const script = `const { openStore } = await import(${JSON.stringify(store)});
      const { kind, why } = openStore(${JSON.stringify(path)}, { mode: ${JSON.stringify(mode)} });
      console.log(JSON.stringify({ kind, why }));`;
    const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    const args = ["--input-type=module", "-e", script];
    return JSON.parse(execFileSync(process.execPath, args, { ...nobody, encoding: "utf8" }));
  }

  const denied = { kind: "unusable", why: "read-only" };
  test("gets `read-only` for the folder, for a store in it, and for an unreadable store", async () => {
    const path = newPath();
    await fill(path, 1);
    chmodSync(folder, 0o755);
    chmodSync(dirname(path), 0o555);
    chmodSync(path, 0o444);
    try {
      expect(openAsNobody(join(dirname(path), "new.db"), "own")).toEqual(denied);
      expect(openAsNobody(join(dirname(path), "new", "folder.db"), "own")).toEqual(denied);
      expect(openAsNobody(path, "own")).toEqual(denied);
      expect(openAsNobody(path, "read")).toEqual(denied);
      chmodSync(path, 0);
      expect(openAsNobody(path, "read")).toEqual(denied);
      chmodSync(dirname(path), isRoot ? 0o700 : 0);
      expect(openAsNobody(path, "read")).toEqual(denied);
    } finally {
      chmodSync(dirname(path), 0o755);
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

describe("a full disk", () => {
  test("makes the store DEGRADED until there is space again, and loses no confirmed write", async ({
    skip,
  }) => {
    const disk = mountSmallDisk();
    if (!disk) return skip("it needs a small file system of its own, which only root may mount");
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

describe("retention", () => {
  /** As many runs as it takes: each deletes its share. */
  const pruneAll = (store: Store, beforeMs: number) => {
    let total = 0;
    for (let removed = store.prune(beforeMs); removed > 0; removed = store.prune(beforeMs)) total += removed;
    return total;
  };

  test("deletes a tenth of the observations at the most in one run, or one day of them", async () => {
    const store = own(newPath());
    for (let number = 0; number < 1_440; number += 1) await store.ledger.append(sampleObservation(number));
    await assess(store.ledger);
    const endMs = startMs + 9 * dayMs;
    expect(store.prune(endMs)).toBe(144);
    expect(store.prune(endMs)).toBe(144);
    expect(pruneAll(store, endMs)).toBe(7 * 144);
    store.close();
  });

  test("deletes observations, keeps their assessment, and refuses appends to deleted days", async () => {
    const store = own(newPath());
    const samples = Array.from({ length: 1_440 }, (_, number) => sampleObservation(number));
    for (const sample of samples) await store.ledger.append(sample);
    expect(store.prune(startMs + 5 * dayMs)).toBe(0);
    await assess(store.ledger);
    const state = await readState(store.ledger);
    expect(state).toEqual(foldAll(samples));
    // Only complete days are deleted: the half day after the seventh stays.
    const cutoffMs = startMs + 7 * dayMs;
    expect(pruneAll(store, cutoffMs + dayMs / 2)).toBe(7 * 144);
    expect(store.prune(cutoffMs)).toBe(0);
    expect(await all(store)).toHaveLength(1_440 - 7 * 144);
    expect(await readState(store.ledger)).toEqual(state);
    expect(await store.ledger.append(samples[0] ?? sampleObservation(0))).toEqual({ kind: "too-old" });
    const late = sampleObservation(0, { id: "late", at: new Date(cutoffMs).toISOString() });
    expect(await store.ledger.append(late)).toEqual({ kind: "new" });
    expect(await assess(store.ledger)).toBe(true);
    expect(await readState(store.ledger)).toEqual(foldAll([...samples, late]));
    store.close();
  });

  test("deletes the ids of delivered metrics with their days and of delivered alerts after 100 days, and keeps pending messages", async () => {
    const clock = { nowMs: startMs };
    const store = expectOpen(openStore(newPath(), { mode: "own", nowMs: () => clock.nowMs }));
    await store.outbox.subscribe(receivers);
    const [sentAlert, pending, sentMetrics] = [alertMessage(1), alertMessage(2), metricsMessage(1)];
    /** Puts both sent messages again: a known id is ignored, a deleted one is pending again. */
    const findDeleted = async () => {
      await store.outbox.put([sentAlert, sentMetrics]);
      const found = [
        ...(await pendingIn(store.outbox, "alert", 10)),
        ...(await pendingIn(store.outbox, "metrics", 10)),
      ];
      for (const message of [sentAlert, sentMetrics]) await markDelivered(store.outbox, message);
      return found.filter(({ id }) => id !== pending.id);
    };
    await store.ledger.append(sampleObservation(0));
    await store.ledger.append(sampleObservation(145));
    await assess(store.ledger);
    await store.outbox.put([pending]);
    expect(await findDeleted()).toEqual([sentAlert, sentMetrics]);
    clock.nowMs = startMs + thresholds.countdownDays[0] * dayMs;
    expect(store.prune(clock.nowMs - dayMs)).toBe(1);
    expect(await findDeleted()).toEqual([sentMetrics]);
    clock.nowMs = startMs + 102 * dayMs;
    store.prune(clock.nowMs - dayMs);
    expect(await findDeleted()).toEqual([sentAlert, sentMetrics]);
    // If observations are kept for longer, the ids of their alerts are kept as well.
    store.prune(startMs);
    expect(await findDeleted()).toEqual([]);
    expect(await pendingIn(store.outbox, "alert", 10)).toEqual([pending]);
    store.close();
  });
});

test("a backup taken during writes is complete and opens as a store", async () => {
  const path = newPath();
  await fill(path, 500);
  const store = own(path);
  const copy = join(dirname(path), "copy.db");
  const copied = store.backUp(copy);
  for (let number = 500; number < 600; number += 1) await store.ledger.append(sampleObservation(number));
  await copied;
  store.close();
  expect(existsSync(`${copy}.part`)).toBe(false);
  const opened = own(copy);
  expect((await all(opened)).length).toBeGreaterThanOrEqual(500);
  opened.close();
  expect(statSync(copy).size).toBeGreaterThan(100_000);
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
  ])("(%s) is refused, is not moved, and nothing is written beside it", (_name, write) => {
    const folder = makeFolder();
    const path = join(folder, "theirs");
    write(path);
    const before = readFileSync(path);
    for (const mode of ["own", "read", "own"] as const)
      expect(openStore(path, { mode })).toEqual({ kind: "unusable", why: "foreign" });
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(["theirs"]);
  });
});
