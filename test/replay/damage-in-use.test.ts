// Pages of the store file are overwritten while `v1watch up` uses it.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../../lib/local/store/store.ts";
import { createSampleStore } from "../local/store/damage.ts";
import { makeFolder } from "../local/temporary-folder.ts";

const program = join(import.meta.dirname, "../../bin/v1watch.ts");
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

async function startUp(folder: string, store: string) {
  const startedMs = Date.now();
  const child = spawn(process.execPath, [program, "up", "--port", "0", "--every", "2", "--store", store], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  running.push(child);
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part) => {
      out += part;
    });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const until = async (what: string, isTrue: () => boolean | Promise<boolean>) => {
    while (!(await isTrue())) {
      if (child.exitCode !== null) throw new Error(`${what}, exit ${child.exitCode}:\n${out}`);
      await sleep(100);
    }
  };
  await until("no dashboard", () => /^dashboard (\S+)\/$/m.test(out));
  const url = /^dashboard (\S+)\/$/m.exec(out)?.[1] ?? "";
  const read = async (path: string) =>
    fetch(`${url}${path}`).then(
      (response) => response.text(),
      () => "",
    );
  /** Those of this process, newest first. The ones of the sample store are old enough to be deleted. */
  const checks = async () => {
    const rows = JSON.parse((await read("/api/observations?limit=100")) || "[]") as {
      id: string;
      at: string;
    }[];
    return Array.isArray(rows) ? rows.filter(({ at }) => Date.parse(at) >= startedMs) : [];
  };
  return { child, exited, until, read, checks, printed: () => out };
}

const pageBytes = 8_192;

/** The first page of a table, through which all of its rows are found. */
function rootOf(path: string, table: string): number {
  const db = new DatabaseSync(path, { readOnly: true });
  const row = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table);
  db.close();
  return Number(row?.rootpage);
}

/** Overwrites pages of the file, without a copy of them in the log, and makes SQLite read the pages again. */
function overwrite(path: string, pages: readonly number[]): void {
  const db = new DatabaseSync(path, { timeout: 5_000 });
  while (db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy !== 0);
  const file = openSync(path, "r+");
  for (const page of pages)
    writeSync(file, Buffer.alloc(pageBytes, 0x5a), 0, pageBytes, (page - 1) * pageBytes);
  closeSync(file);
  // As a command does that writes a decision: what another connection wrote is read anew.
  const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
}

const allPages = (path: string) =>
  Array.from({ length: statSync(path).size / pageBytes - 1 }, (_, index) => index + 2);

test.each([
  ["the observations", (path: string) => [rootOf(path, "observation")], false],
  ["the index of the observations", (path: string) => [rootOf(path, "observation_time")], true],
  ["everything but the first page", allPages, false],
] as const)(
  "Where %s cannot be read any more, up recovers the store, says so and goes on",
  async (_name, pagesOf, isReadable) => {
    const folder = makeFolder();
    const path = join(folder, "watch.db");
    await createSampleStore(path);
    const pages = pagesOf(path);
    const up = await startUp(folder, path);
    await up.until("no check", async () => (await up.checks()).length > 2);
    const before = await up.checks();
    overwrite(path, pages);
    await up.until("no recovery", async () => {
      // What only the page reads is found to be damaged when it is read.
      await up.read("/api/alerts?limit=50");
      return up.printed().includes("DEGRADED: the store was corrupt");
    });
    await up.until("no report", async () => (await up.read("/healthz")).includes("could not be read"));
    await up.until("no alert", async () => (await up.read("/api/alerts?limit=50")).includes('"store-'));
    const recoveredAt = new Date().toISOString();
    await up.until("no later check", async () => {
      const [latest] = await up.checks();
      return latest !== undefined && latest.at > recoveredAt;
    });
    expect((await up.read("/healthz")).split("\n")[0]).toBe("ok");
    expect(readdirSync(folder).some((name) => name.includes(".corrupt-"))).toBe(true);
    up.child.kill("SIGTERM");
    expect(await up.exited).toBe(0);
    const opened = openStore(path, { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const lost = before.filter(({ id }) => !opened.store.history.observation(id));
    opened.store.close();
    expect(before.length).toBeGreaterThan(2);
    if (isReadable) expect(lost).toEqual([]);
  },
);
