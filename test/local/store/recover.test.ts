// What is copied from a damaged store into a new one. Files that a disk has damaged at random are in damage.test.ts.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { finishRecovery, isIntact, recoverStore } from "../../../lib/local/store/recover.ts";
import { createTables } from "../../../lib/local/store/schema.ts";
import { acceptAlerts } from "../receivers.ts";
import { alertMessage, dayMs, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";
import { openMemoryStore } from "./memory-store.ts";

const folder = makeFolder();
let files = 0;

/** A store file with what `sql` makes. */
function create(...sql: string[]): string {
  const path = join(folder, `${files++}.db`);
  const db = new DatabaseSync(path);
  db.exec("PRAGMA synchronous = OFF");
  createTables(db);
  for (const text of sql) db.exec(text);
  db.close();
  return path;
}

function save(db: DatabaseSync): string {
  const path = join(folder, `${files++}.db`);
  db.exec(`VACUUM INTO '${path}'`);
  return path;
}

function read(path: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare(sql).all();
  db.close();
  return rows.map((row) => ({ ...row }));
}

const insert = (table: string, ...values: (string | number | null)[]) =>
  `INSERT INTO ${table} VALUES (${values.map((value) => (typeof value === "string" ? `'${value}'` : String(value))).join(", ")})`;
const observationRow = (seq: number, number = seq, assessed = 0) => {
  const sample = sampleObservation(number);
  return insert("observation", seq, sample.id, Date.parse(sample.at), assessed, JSON.stringify(sample));
};
const corruptFile = "corrupt-20261101T000000000Z";

/** The rows of the new store, and those that were set aside without the name of the damaged file. */
function recover(path: string, sql: string, nowMs = startMs) {
  const { recovered, file } = recoverStore(path, nowMs);
  const aside = read(path, "SELECT source, key, found_ms, content FROM unreadable_row ORDER BY seq");
  return { recovered, file, rows: read(path, sql), aside: aside.filter(({ source }) => source !== "file") };
}

describe("a file is intact", () => {
  test("A file is intact if it is absent, empty, a new store, or a sound database of another schema", () => {
    expect(isIntact(join(folder, "absent.db"))).toBe(true);
    expect(existsSync(join(folder, "absent.db"))).toBe(false);
    const empty = join(folder, "empty.db");
    writeFileSync(empty, "");
    expect(isIntact(empty)).toBe(true);
    expect(isIntact(create())).toBe(true);
    expect(isIntact(create("PRAGMA user_version = 2; DROP TABLE delivery"))).toBe(true);
  });

  test("A file is not intact if it is no database, or if an index lacks a row", () => {
    const text = join(folder, "text.db");
    writeFileSync(text, "garbage ".repeat(1_000));
    expect(isIntact(text)).toBe(false);
    const path = create(observationRow(1));
    const page = Number(
      read(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'observation_time'")[0]?.rootpage,
    );
    const bytes = readFileSync(path);
    // The number of entries of the index's page.
    bytes.writeUInt16BE(0, (page - 1) * 8_192 + 3);
    writeFileSync(path, bytes);
    expect(isIntact(path)).toBe(false);
  });

  const delivery = "INSERT INTO delivery VALUES ('a', 'b', 1, 1, 'waiting', 0, 0, 0, 0, NULL, NULL)";
  const summary =
    "INSERT INTO observation_summary VALUES (1, 1, 'passport', 'a', 'ok', 200, 1, 1, 0, 0, 1, NULL)";
  test.each([
    ["delivery", "tries", delivery],
    ["delivery", "next_try_ms", delivery],
    ["delivery", "failing_since_ms", delivery],
    ["delivery", "at_ms", delivery],
    ["observation_summary", "status", summary],
    ["observation_summary", "breaking", summary],
    ["observation_summary", "additive", summary],
    ["probe_state", "version", insert("probe_state", 1, 1, "{}")],
    ["metadata", "value", ""],
  ])("A file is not intact if %s.%s is a number that JavaScript does not have", (table, column, row) => {
    const set = (value: string) => create(row, `UPDATE ${table} SET ${column} = ${value}`);
    expect(isIntact(set(String(Number.MAX_SAFE_INTEGER)))).toBe(true);
    expect(isIntact(set("9007199254740992"))).toBe(false);
    expect(isIntact(set("-9007199254740992"))).toBe(false);
  });
});

describe("a recovery", () => {
  test("A recovery copies every table, and keeps the damaged file with its log under another name", async () => {
    const source = openMemoryStore();
    const { ledger, outbox, history, db } = source;
    await outbox.subscribe([acceptAlerts()]);
    await ledger.append(sampleObservation(0));
    await ledger.commit({
      version: 0,
      folded: [],
      checkpoints: [{ day: "2026-11-01", state: { count: 1 } }],
    });
    await ledger.writeProbeState(
      { schema: "v1watch/probe-state/2", spent: {}, recent: [], endpoints: {}, pending: [], samples: [] },
      0,
    );
    const at = new Date(startMs).toISOString();
    await ledger.decide({ schema: "v1watch/decision/1", kind: "ack", subject: "down", reason: "known", at });
    await ledger.saveSubscriptionStatus({ at, expected: 1, confirmed: 1, unconfirmed: [] });
    await outbox.put([alertMessage(1), alertMessage(2)]);
    const waits = { state: "waiting", atMs: 3, tries: 2, nextTryMs: 9, why: "status 503" } as const;
    await outbox.record(alertMessage(1), acceptAlerts(), waits);
    history.saveSentAlert(sampleAlert(1));
    db.exec("INSERT INTO unreadable_row VALUES (1, 'decision', 'key', 5, 'text')");
    const path = save(db);
    writeFileSync(`${path}-wal`, "");
    writeFileSync(`${path}-shm`, "");

    const tables = ["observation", "checkpoint", "probe_state", "decision", "subscription_status"];
    const others = ["outbox_message", "sent_alert", "delivery", "metadata", "observation_summary"];
    const readAll = () =>
      [...tables, ...others].map(
        (table) => [table, read(path, `SELECT * FROM ${table} ORDER BY 1, 2`)] as const,
      );
    const before = readAll();
    const bytes = readFileSync(path);
    const { file, recovered } = recoverStore(path, startMs);
    expect(file).toBe(`${path}.${corruptFile}`);
    expect(readAll()).toEqual(before);
    // The summary of the observation is not counted, and the row that was unreadable before is.
    expect(recovered).toBe(before.reduce((sum, [, rows]) => sum + rows.length, 0));
    expect(read(path, "SELECT source, key, found_ms, content FROM unreadable_row ORDER BY seq")).toEqual([
      { source: "decision", key: "key", found_ms: 5, content: "text" },
      { source: "file", key: basename(file), found_ms: startMs, content: null },
    ]);
    expect(readFileSync(file)).toEqual(bytes);
    const names = readdirSync(folder).filter((name) => name.startsWith(`${basename(path)}`));
    expect(names.toSorted()).toEqual(
      ["", `.${corruptFile}`, `.${corruptFile}-shm`, `.${corruptFile}-wal`].map(
        (end) => basename(path) + end,
      ),
    );
    // Receivers subscribe again.
    expect(read(path, "SELECT * FROM receiver")).toEqual([]);
  });

  test("A recovery keeps the id of a message without text, which the first release discarded, and nobody gets it", () => {
    const path = create(insert("outbox_message", "down-7/1-opened", 7, null, null));
    const { rows, aside } = recover(path, "SELECT * FROM outbox_message", 7);
    expect(rows).toEqual([{ id: "down-7/1-opened", at_ms: 7, body: null, queued: 1 }]);
    expect(aside).toEqual([]);
  });

  test("A recovery lets a delivery of an unknown state wait again, and leaves out a number of the store that is negative", () => {
    const path = create(
      ...["waiting", "delivered", "unwanted", "set-aside", "damaged"].map(
        (state) => `INSERT INTO delivery (receiver, message_id, message_at_ms, reaches_people, state)
          VALUES ('alerts', '${state}', 1, 1, '${state}')`,
      ),
      "UPDATE metadata SET value = -5 WHERE name = 'commits'",
      "UPDATE metadata SET value = 5 WHERE name = 'clock_ms'",
    );
    const { rows, aside } = recover(path, "SELECT message_id AS id, state FROM delivery ORDER BY message_id");
    expect(rows).toEqual(
      ["damaged", "delivered", "set-aside", "unwanted", "waiting"].map((id) => ({
        id,
        state: id === "damaged" ? "waiting" : id,
      })),
    );
    expect(aside).toEqual([]);
    expect(read(path, "SELECT name, value FROM metadata ORDER BY name")).toEqual([
      { name: "clock_ms", value: 5 },
      { name: "commits", value: 0 },
      { name: "pruned_before_ms", value: 0 },
    ]);
  });

  test("A recovery leaves out a row that does not fit its table, and columns that are not known", () => {
    const alert = sampleAlert(1);
    const path = create(
      "DROP TABLE sent_alert; CREATE TABLE sent_alert (seq INTEGER PRIMARY KEY, id, at_ms, body, other)",
      insert("sent_alert", 1, alert.id, Date.parse(alert.at), JSON.stringify(alert), "other"),
      insert("sent_alert", 2, sampleAlert(2).id, "no number", JSON.stringify(sampleAlert(2)), null),
    );
    expect(recover(path, "SELECT * FROM sent_alert").rows).toEqual([
      { seq: 1, id: alert.id, at_ms: Date.parse(alert.at), body: JSON.stringify(alert) },
    ]);
  });

  test("A recovery goes on without a table that the damaged schema does not name", () => {
    const path = create(observationRow(1), "DROP TABLE decision; DROP TABLE delivery; DROP TABLE metadata");
    expect(recover(path, "SELECT seq FROM observation").rows).toEqual([{ seq: 1 }]);
    expect(read(path, "SELECT count(*) AS count FROM metadata")).toEqual([{ count: 3 }]);
  });

  test("A recovery loses only the rows of a damaged page", () => {
    const number = "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 600)";
    const path = create(
      ...Array.from({ length: 60 }, (_, index) => observationRow(index + 1)),
      `${number} INSERT INTO delivery (receiver, message_id, message_at_ms, reaches_people)
        SELECT 'alerts', printf('message-%04d-%.100c', n, 'x'), n, 1 FROM number`,
    );
    const bytes = readFileSync(path);
    const pages = Array.from({ length: bytes.length / 8_192 }, (_, page) =>
      bytes.subarray(page * 8_192, (page + 1) * 8_192),
    );
    // The leaves of a table begin with 13 and those of an index with 10, as which a table without row numbers is stored.
    pages
      .find((page) => page[0] === 10 && page.includes("message-0300") && page.includes("waiting"))
      ?.fill(0x5a);
    pages.find((page) => page[0] === 13 && page.includes(sampleObservation(30).id))?.fill(0x5a);
    writeFileSync(path, bytes);
    expect(isIntact(path)).toBe(false);
    const { rows, recovered } = recover(path, "SELECT message_at_ms AS number FROM delivery ORDER BY 1");
    const kept = rows.map((row) => Number(row.number));
    expect(kept).not.toContain(300);
    expect([kept[0], kept.at(-1)]).toEqual([1, 600]);
    expect(kept.length).toBeGreaterThan(500);
    const observations = read(path, "SELECT seq FROM observation ORDER BY seq").map(({ seq }) => Number(seq));
    expect(observations).not.toContain(30);
    expect([observations[0], observations.at(-1)]).toEqual([1, 60]);
    expect(observations.length).toBeGreaterThan(40);
    expect(recovered).toBe(kept.length + observations.length + 3);
  });

  test("A recovery assesses again what is not before the last checkpoint", async () => {
    const source = [0, 1, 2].map((day) => observationRow(day + 1, day * 144, 1));
    const select = "SELECT seq, assessed FROM observation ORDER BY seq";
    const isAssessed = (...assessed: number[]) =>
      assessed.map((value, index) => ({ seq: index + 1, assessed: value }));
    expect(recover(create(...source), select).rows).toEqual(isAssessed(0, 0, 0));
    const { ledger, db } = openMemoryStore();
    const checkpoints = ["2026-11-01", "2026-11-02"].map((day) => ({ day, state: {} }));
    await ledger.commit({ version: 0, folded: [], checkpoints });
    for (const sql of source) db.exec(sql);
    expect(recover(save(db), select).rows).toEqual(isAssessed(1, 0, 0));
  });

  test("A recovery sends an alert of the last day again where it is not known who got it, and no older one", async () => {
    const { outbox, db } = openMemoryStore();
    const nowMs = Date.parse(alertMessage(2).alert.at) + dayMs;
    await outbox.put([alertMessage(0), alertMessage(1), alertMessage(2)]);
    db.exec(`INSERT INTO delivery (receiver, message_id, message_at_ms, reaches_people)
      VALUES ('alerts', '${alertMessage(0).id}', 1, 1)`);
    const path = save(db);
    expect(
      recover(path, "SELECT message_id AS id FROM delivery WHERE state = 'unwanted'", nowMs).rows,
    ).toEqual([{ id: alertMessage(1).id }]);
    expect(read(path, "SELECT id FROM outbox_message WHERE queued IS NULL")).toEqual([
      { id: alertMessage(2).id },
    ]);
  });

  test("A recovery that fails leaves nothing of the new store", () => {
    const path = join(folder, "missing", "watch.db");
    mkdirSync(dirname(path));
    // Without the file nothing can be copied.
    expect(() => recoverStore(path, startMs)).toThrow("unable to open");
    expect(readdirSync(dirname(path))).toEqual([]);
  });
});

describe("after a kill during a recovery", () => {
  const namesOf = (path: string) =>
    readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));

  test("After a kill during a recovery nothing is done where there was none", () => {
    const path = create();
    finishRecovery(path, startMs);
    expect(namesOf(path)).toEqual([basename(path)]);
  });

  test("After a kill during a recovery the incomplete new store is deleted while the damaged one is still in its place", () => {
    const path = create();
    for (const end of [".recovering", ".recovering-journal"]) writeFileSync(path + end, "incomplete");
    finishRecovery(path, startMs);
    expect(namesOf(path)).toEqual([basename(path)]);
  });

  test("After a kill during a recovery the new store takes the place of the damaged one, whose log is renamed too", () => {
    const path = create(observationRow(1));
    cpSync(path, `${path}.recovering`);
    renameSync(path, `${path}.${corruptFile}`);
    writeFileSync(`${path}-wal`, "log");
    finishRecovery(path, startMs);
    expect(namesOf(path).toSorted()).toEqual(
      ["", `.${corruptFile}`, `.${corruptFile}-wal`].map((end) => basename(path) + end),
    );
    expect(read(path, "SELECT seq FROM observation")).toEqual([{ seq: 1 }]);
  });
});
