// Which files are stores of this version, and numbers of a store that are damaged or missing.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createTables, readSchemaStatus, repairMetadata } from "../../../lib/local/store/schema.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Alert } from "../../../lib/records/alert.ts";
import { acceptAlerts } from "../receivers.ts";
import { alertMessage, collect, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";
import { openMemoryStore } from "./memory-store.ts";

test.each([
  ["", "fresh"],
  ["CREATE TABLE theirs (x)", "foreign"],
  ["PRAGMA user_version = 7", "foreign"],
  ["PRAGMA application_id = 1982953313; PRAGMA user_version = 8", "older"],
  ["PRAGMA application_id = 1982953313; PRAGMA user_version = 9", "upgradable"],
  ["PRAGMA application_id = 1982953313; PRAGMA user_version = 12", "ready"],
  ["PRAGMA application_id = 1982953313; PRAGMA user_version = 13", "newer"],
])("A database after `%s` is %s", (sql, status) => {
  const db = new DatabaseSync(":memory:");
  db.exec(sql);
  expect(readSchemaStatus(db)).toBe(status);
});

test("New tables are ready, on pages of 8 KB", () => {
  const db = new DatabaseSync(":memory:");
  createTables(db);
  expect(readSchemaStatus(db)).toBe("ready");
  expect(db.prepare("PRAGMA page_size").get()).toEqual({ page_size: 8_192 });
});

/** What version 10 added, and what it left out. */
const toVersion9 = `DROP TRIGGER announced_insert; DROP TRIGGER announced_delete;
  DROP TRIGGER outbox_message_queue; DROP TABLE announced; DROP INDEX outbox_message_unqueued;
  DROP INDEX delivery_latest; DROP INDEX delivery_proof;
  ALTER TABLE outbox_message DROP COLUMN queued; ALTER TABLE delivery DROP COLUMN accepted;
  ALTER TABLE outbox_message ADD COLUMN kind TEXT NOT NULL DEFAULT 'alert';
  ALTER TABLE receiver ADD COLUMN kind TEXT NOT NULL DEFAULT 'alert'; PRAGMA user_version = 9;`;

/** The store as release 0.1.0 would have written it, opened by this version. */
function upgrade(db: DatabaseSync): Store {
  const path = join(makeFolder(), "watch.db");
  db.exec(`${toVersion9} VACUUM INTO '${path}'`);
  const opened = openStore(path, { mode: "own", nowMs: () => startMs });
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  expect(opened.corrupt).toBeUndefined();
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith("watch.db."));
  expect(names).toEqual(["watch.db.owner"]);
  return opened.store;
}

test("An upgrade from release 0.1.0 knows what is announced, and which messages have no receiver yet", async () => {
  const { db, outbox } = openMemoryStore();
  await outbox.subscribe([acceptAlerts()]);
  const messageOf = (id: string, number: number, change: Partial<Alert> = {}) => ({
    id,
    kind: "alert" as const,
    alert: sampleAlert(number, { id, ...change }),
  });
  await outbox.put([
    messageOf("open-1/9-changed", 1),
    messageOf("open-1/10-changed", 1),
    messageOf("ended-1/1-opened", 2),
    messageOf("ended-1/2-resolved", 3, { event: "resolved" }),
    messageOf("small-1/1-opened", 4),
    messageOf("wide-1/1-opened", 5, { supersedes: ["small-1"] }),
    messageOf("drill-1/1-drill", 6, { event: "drill", rule: "drill" }),
  ]);
  db.exec("DELETE FROM receiver");
  await outbox.put([alertMessage(9)]);
  const read = async (box: Pick<Store["outbox"], "announced" | "undelivered">) => ({
    announced: await box.announced(),
    undelivered: (await box.undelivered()).count,
  });
  const before = await read(outbox);
  const ids = ["open-1/10-changed", "wide-1/1-opened", alertMessage(9).id];
  expect(before.announced.map(({ id }) => id)).toEqual(ids);
  expect(before.undelivered).toBe(1);
  const store = upgrade(db);
  expect(await read(store.outbox)).toEqual(before);
  store.close();
});

test("Messages that wait in a store of release 0.1.0 wait after its upgrade, with their tries", async () => {
  const { db, outbox } = openMemoryStore();
  await outbox.subscribe([acceptAlerts()]);
  await outbox.put([alertMessage(1), alertMessage(2)]);
  await outbox.record(alertMessage(1), acceptAlerts(), {
    state: "waiting",
    atMs: 5,
    tries: 3,
    nextTryMs: 9,
    why: "status 503",
  });
  const before = await outbox.pending(acceptAlerts(), 9);
  expect(before.map(({ tries }) => tries)).toEqual([3, 0]);
  const store = upgrade(db);
  expect(await store.outbox.pending(acceptAlerts(), 9)).toEqual(before);
  store.close();
});

test("A store of release 0.1.0 whose schema is damaged is recovered instead of upgraded, and its file is kept", async () => {
  const { db, ledger } = openMemoryStore();
  await ledger.append(sampleObservation(0));
  const path = join(makeFolder(), "watch.db");
  db.exec(`${toVersion9} DROP TABLE decision; VACUUM INTO '${path}'`);
  const opened = openStore(path, { mode: "own", nowMs: () => startMs });
  if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
  expect(existsSync(opened.corrupt?.file ?? "")).toBe(true);
  expect(await collect(opened.store.ledger.observations(0, 1e15))).toEqual([sampleObservation(0)]);
  opened.store.close();
});

const sound = { clock_ms: 5, commits: 3, pruned_before_ms: startMs };
test.each<[string, string, Record<string, number>]>([
  ["that are sound stay", "", sound],
  [
    "below zero are 0, and the limit too",
    "UPDATE metadata SET value = -1 WHERE name = 'clock_ms'",
    { ...sound, clock_ms: 0, pruned_before_ms: 0 },
  ],
  [
    "with a limit after every observation lose the limit",
    `UPDATE metadata SET value = ${startMs + 1} WHERE name = 'pruned_before_ms'`,
    { ...sound, pruned_before_ms: 0 },
  ],
  [
    "with a limit and no observation lose the limit",
    "DELETE FROM observation",
    { ...sound, pruned_before_ms: 0 },
  ],
  [
    "of which one is missing get it again",
    "DELETE FROM metadata WHERE name = 'commits'",
    { ...sound, commits: 0, pruned_before_ms: 0 },
  ],
  [
    "with one that is not known lose it",
    "INSERT INTO metadata VALUES ('other', 1)",
    { ...sound, pruned_before_ms: 0 },
  ],
])("The numbers of a store %s", async (_, sql, expected) => {
  const { db, ledger, select } = openMemoryStore();
  await ledger.append(sampleObservation(0));
  db.exec(`UPDATE metadata SET value = 5 WHERE name = 'clock_ms'; UPDATE metadata SET value = 3 WHERE name = 'commits';
    UPDATE metadata SET value = ${startMs} WHERE name = 'pruned_before_ms'`);
  db.exec(sql);
  repairMetadata(db);
  const rows = select("SELECT name, value FROM metadata") as { name: string; value: number }[];
  expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual(expected);
});

test("Nothing is written to a store whose numbers are sound", () => {
  const { db } = openMemoryStore();
  db.exec("PRAGMA query_only = ON");
  repairMetadata(db);
  db.exec("PRAGMA query_only = OFF; UPDATE metadata SET value = -1; PRAGMA query_only = ON");
  expect(() => repairMetadata(db)).toThrow("readonly");
});
