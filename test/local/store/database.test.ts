// Which errors of SQLite mean what, the DEGRADED state, damage that is found while reading, and rows that cannot be read.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import {
  classifyFileError,
  classifySqliteError,
  createDatabase,
  type Database,
  trackHealth,
  transact,
} from "../../../lib/local/store/database.ts";
import { decisionKey, parseRow, type TextTable } from "../../../lib/local/store/rows.ts";
import type { Decision } from "../../../lib/records/incident.ts";
import { emptyProbeState } from "../../../lib/records/probe-state.ts";
import { acceptAlerts, deliveredAt } from "../receivers.ts";
import { alertMessage, collect, minuteMs, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";
import { openMemoryStore } from "./memory-store.ts";

const sqliteError = (errcode: unknown) => Object.assign(new Error("failed"), { errcode });

describe("an error of SQLite", () => {
  test.each([
    [5, "locked"],
    [6, "locked"],
    [8, "read-only"],
    [10, "disk-error"],
    [11, "corrupt"],
    [13, "disk-full"],
    [14, "disk-error"],
    [26, "corrupt"],
    // Extended codes have the primary one in their lowest byte.
    [266, "disk-error"],
    [779, "corrupt"],
    [1, undefined],
    [19, undefined],
    ["11", undefined],
    [undefined, undefined],
  ])("An error of SQLite with the code %s is %s", (errcode, why) => {
    expect(classifySqliteError(sqliteError(errcode))).toBe(why);
  });

  test("An error of SQLite is no fault of the store where nothing or no error was thrown", () => {
    for (const thrown of [null, undefined, "text", 11]) {
      expect(classifySqliteError(thrown)).toBeUndefined();
      expect(classifyFileError(thrown)).toBeUndefined();
    }
  });
});

test.each([
  ["ENOSPC", "disk-full"],
  ["EDQUOT", "disk-full"],
  ["EACCES", "read-only"],
  ["EROFS", "read-only"],
  ["EPERM", "read-only"],
  ["ENOENT", "bad-path"],
  ["ENOTDIR", "bad-path"],
  ["ENAMETOOLONG", "bad-path"],
  ["EIO", "disk-error"],
  ["EMFILE", undefined],
  [undefined, undefined],
])("An error %s of the file system is %s", (code, why) => {
  expect(classifyFileError(Object.assign(new Error("failed"), { code }))).toBe(why);
});

describe("the health of a store", () => {
  const fail = (errcode: number) => () => {
    throw sqliteError(errcode);
  };

  test("The health of a store is DEGRADED since the first failed write, for the latest reason, until a write succeeds", async () => {
    let nowMs = startMs;
    const { health, write, tryWrite, damaged } = trackHealth(() => nowMs);
    expect(health()).toEqual({ state: "ok" });
    expect(await tryWrite(fail(13))).toEqual({ kind: "failed", why: "disk-full" });
    nowMs += minuteMs;
    await expect(write(fail(10))).rejects.toThrow("failed");
    expect(health()).toEqual({ state: "DEGRADED", why: "disk-error", sinceMs: startMs });
    expect(await tryWrite(() => 7)).toBe(7);
    expect(health()).toEqual({ state: "ok" });
    expect(damaged.aborted).toBe(false);
  });

  test("The health of a store stays as it was while a lock is waited for, and a lock that stays fails all writes once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    try {
      const { health, tryWrite } = trackHealth(() => startMs);
      let isLocked = true;
      let tries = 0;
      const lockable = () => {
        tries += 1;
        if (isLocked) fail(5)();
        return "written";
      };
      const writes = Promise.all([tryWrite(lockable), tryWrite(lockable), tryWrite(lockable)]);
      await vi.advanceTimersByTimeAsync(400);
      expect(health()).toEqual({ state: "ok" });
      isLocked = false;
      await vi.advanceTimersByTimeAsync(200);
      expect(await writes).toEqual(["written", "written", "written"]);
      // One try a pause, however many wait.
      expect(tries).toBeLessThanOrEqual(9);

      isLocked = true;
      const refused = Promise.all([tryWrite(lockable), tryWrite(lockable)]);
      await vi.advanceTimersByTimeAsync(4_900);
      expect(health()).toEqual({ state: "ok" });
      await vi.advanceTimersByTimeAsync(300);
      const locked = { kind: "failed", why: "locked" };
      expect(await refused).toEqual([locked, locked]);
      expect(health()).toEqual({ state: "DEGRADED", why: "locked", sinceMs: startMs });
      // The next one is tried once; later ones wait again.
      expect(await tryWrite(lockable)).toEqual(locked);
      await vi.advanceTimersByTimeAsync(60_000);
      const later = tryWrite(lockable);
      await vi.advanceTimersByTimeAsync(400);
      isLocked = false;
      await vi.advanceTimersByTimeAsync(200);
      expect(await later).toBe("written");
      expect(health()).toEqual({ state: "ok" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("The health of a store stays DEGRADED after damage, whatever a later write does", async () => {
    const { health, write, tryWrite, damaged } = trackHealth(() => startMs);
    expect(await tryWrite(fail(11))).toEqual({ kind: "failed", why: "corrupt" });
    expect(damaged.aborted).toBe(true);
    expect(await write(() => "written")).toBe("written");
    await tryWrite(fail(13));
    expect(health()).toEqual({ state: "DEGRADED", why: "corrupt", sinceMs: startMs });
  });

  test("The health of a store is not changed by an error that is a bug, which is thrown", async () => {
    const { health, write, tryWrite, note } = trackHealth(() => startMs);
    await expect(tryWrite(fail(1))).rejects.toThrow("failed");
    await expect(write(fail(1))).rejects.toThrow("failed");
    const error = sqliteError(1);
    expect(note(error)).toBe(error);
    expect(health()).toEqual({ state: "ok" });
  });
});

describe("a transaction", () => {
  const open = () => {
    const db = new DatabaseSync(":memory:");
    db.exec("CREATE TABLE number (value INTEGER PRIMARY KEY)");
    const insert = db.prepare("INSERT INTO number VALUES (?)");
    return { db, insert, count: () => db.prepare("SELECT count(*) AS count FROM number").get()?.count };
  };

  test("A transaction keeps everything or nothing, and is over afterwards", () => {
    const { db, insert, count } = open();
    expect(transact(db, () => insert.run(1).changes)).toBe(1);
    expect(() =>
      transact(db, () => {
        insert.run(2);
        insert.run(1);
      }),
    ).toThrow("UNIQUE");
    expect(db.isTransaction).toBe(false);
    expect(count()).toBe(1);
  });

  test("A transaction throws its own error where SQLite has rolled back already", () => {
    const { db, insert, count } = open();
    expect(() =>
      transact(db, () => {
        insert.run(1);
        db.exec("ROLLBACK");
        throw new Error("the disk is full");
      }),
    ).toThrow("the disk is full");
    expect(count()).toBe(0);
  });
});

describe("damage that a statement finds", () => {
  const folder = makeFolder();
  const file = join(folder, "damaged.db");
  const intact = new DatabaseSync(file);
  intact.exec(`PRAGMA page_size = 4096; CREATE TABLE good (x INTEGER UNIQUE) STRICT; INSERT INTO good VALUES (1), (2);
    CREATE TABLE bad (x TEXT)`);
  const insert = intact.prepare("INSERT INTO bad VALUES (?)");
  for (let row = 0; row < 40; row += 1) insert.run("x".repeat(1_000));
  intact.close();
  const bytes = readFileSync(file);
  // The first leaf of the table stays readable.
  bytes.fill(0x5a, 4_096 * 6);
  writeFileSync(file, bytes);

  const open = (path = file) => {
    const sqlite = new DatabaseSync(path);
    return { db: createDatabase(sqlite, () => startMs), close: () => sqlite.close() };
  };

  test.each<[string, (db: Database) => unknown]>([
    ["all", (db) => db.all("SELECT x FROM bad")],
    ["get", (db) => db.get("SELECT count(x) FROM bad")],
    ["run", (db) => db.run("UPDATE bad SET x = ''")],
  ])("Damage that a statement finds by `%s` is noted, and the error is thrown", (_, work) => {
    const { db, close } = open();
    expect(() => work(db)).toThrow("malformed");
    expect(db.health()).toEqual({ state: "DEGRADED", why: "corrupt", sinceMs: startMs });
    close();
  });

  test("Damage that a statement finds while it is prepared is noted too", () => {
    const path = join(folder, "text.db");
    writeFileSync(path, "no database ".repeat(100));
    const { db, close } = open(path);
    expect(() => db.get("SELECT 1 FROM sqlite_schema")).toThrow("not a database");
    expect(db.damaged.aborted).toBe(true);
    close();
  });

  test("Damage that a statement finds is not noted where a statement is wrong or succeeds, and values and rows are passed on", () => {
    const { db, close } = open();
    expect(() => db.all("SELECT x FROM missing")).toThrow("no such table");
    expect(() => db.run("INSERT INTO good VALUES (?)", 1)).toThrow("UNIQUE");
    const above = "SELECT x FROM good WHERE x > ? ORDER BY x";
    expect([db.all(above, 0), db.all(above, 1)]).toEqual([[{ x: 1 }, { x: 2 }], [{ x: 2 }]]);
    expect([db.get(above, 0), db.get(above, 2)]).toEqual([{ x: 1 }, undefined]);
    expect(db.health()).toEqual({ state: "ok" });
    close();
  });
});

const decision: Decision = {
  schema: "v1watch/decision/1",
  kind: "ack",
  subject: "down-1",
  reason: "known",
  at: new Date(startMs).toISOString(),
};
const subscriptionStatus = { at: decision.at, expected: 1, confirmed: 0, unconfirmed: ["email t***@x.org"] };
const assessmentSettings = { baseUrl: "https://x.org", monthlyRequests: 5_000, silentAfterMs: 7_200_000 };
const checkpoint = { day: "2026-11-02", state: { count: 3 } };
const records: Record<TextTable, { key: string; value: object }> = {
  observation: { key: sampleObservation(0).id, value: sampleObservation(0) },
  checkpoint: { key: "2026-11-02", value: checkpoint },
  probe_state: { key: "probe state", value: emptyProbeState },
  decision: { key: `${startMs}/ack/down-1`, value: decision },
  subscription_status: { key: "subscription status", value: subscriptionStatus },
  assessment_settings: { key: "assessment settings", value: assessmentSettings },
  outbox_message: { key: alertMessage(1).id, value: alertMessage(1) },
  sent_alert: { key: sampleAlert(1).id, value: sampleAlert(1) },
};
const tables = Object.keys(records) as TextTable[];
const withoutKey = ["probe_state", "subscription_status", "assessment_settings"];

describe("the text of a row", () => {
  test.each(tables)(
    "The text of a row of %s is read back, if it is complete and has the key of its row",
    (table) => {
      const { key, value } = records[table];
      const parse = (text: string, ofKey = key) => [
        parseRow(table, { key: ofKey, text }),
        parseRow(table, { key: ofKey, text: gzipSync(text) }),
      ];
      const text = JSON.stringify(value);
      expect(parse(text)).toEqual([value, value]);
      const isAnyKey = withoutKey.includes(table);
      expect(parse(text, `${key}0`)).toEqual(isAnyKey ? [value, value] : [undefined, undefined]);
      for (const damaged of [text.slice(1), "{}", "null", "", JSON.stringify({ ...value, other: 1 })])
        expect(parse(damaged), damaged).toEqual([undefined, undefined]);
      expect(parseRow(table, { key, text: Buffer.from(text) })).toBeUndefined();
    },
  );

  test("The text of a row of the outbox is read back, and a message of another kind is none", () => {
    const message = alertMessage(1);
    const parse = (value: object) =>
      parseRow("outbox_message", { key: message.id, text: JSON.stringify(value) });
    expect(parse(message)).toEqual(message);
    expect(parse({ ...message, kind: "metrics" })).toBeUndefined();
    expect(parse({ ...message, alert: {} })).toBeUndefined();
  });

  test("The text of a row has to have the time of its row, where a column repeats it", () => {
    const { key, value } = records.observation;
    const text = JSON.stringify(value);
    expect(parseRow("observation", { key, text, atMs: startMs })).toEqual(value);
    expect(parseRow("observation", { key, text, atMs: startMs + 1 })).toBeUndefined();
  });

  test("The key of a decision names its time, kind and subject", () => {
    expect(decisionKey(7, "ack", "down")).toBe("7/ack/down");
  });
});

describe("a row that cannot be read", () => {
  /** Every table has the row of `records`, which is then damaged, and most have another one. */
  async function open() {
    const clock = { nowMs: startMs };
    const store = openMemoryStore(() => clock.nowMs);
    const { ledger, outbox, history } = store;
    await outbox.subscribe([acceptAlerts()]);
    for (const number of [0, 1]) await ledger.append(sampleObservation(number));
    const checkpoints = [{ day: "2026-11-01", state: {} }, checkpoint];
    await ledger.commit({ version: 0, folded: [], checkpoints });
    await ledger.writeProbeState(emptyProbeState, 0);
    await ledger.decide(decision);
    await ledger.decide({ ...decision, subject: "down-2" });
    await ledger.saveSubscriptionStatus(subscriptionStatus);
    await ledger.saveSettings(assessmentSettings);
    await outbox.put([alertMessage(1), alertMessage(2)]);
    for (const number of [1, 2]) history.saveSentAlert(sampleAlert(number));
    return { ...store, clock };
  }
  type Opened = Awaited<ReturnType<typeof open>>;

  const damage = ({ db }: Opened, table: TextTable, text = "damaged") => {
    const [column, type, order] =
      table === "checkpoint" ? ["state", "BLOB", "DESC"] : ["body", "TEXT", "ASC"];
    db.prepare(
      `UPDATE ${table} SET ${column} = CAST(? AS ${type})
       WHERE rowid = (SELECT rowid FROM ${table} ORDER BY rowid ${order} LIMIT 1)`,
    ).run(text);
    return Buffer.from(text);
  };

  const readAll: Record<TextTable, (store: Opened) => unknown> = {
    observation: async ({ ledger }) => (await collect(ledger.observations(0, 1e15))).map(({ id }) => id),
    checkpoint: ({ ledger }) => ledger.checkpointAt("2026-11-09"),
    probe_state: async ({ ledger }) => (await ledger.readProbeState())?.version,
    decision: async ({ ledger }) => (await ledger.decisions()).map(({ subject }) => subject),
    subscription_status: ({ ledger }) => ledger.subscriptionStatus(),
    assessment_settings: ({ ledger }) => ledger.settings(),
    outbox_message: async ({ outbox }) => {
      await outbox.subscribe([acceptAlerts()]);
      return (await outbox.pending(acceptAlerts(), 9)).map(({ message }) => message);
    },
    sent_alert: ({ history }) => history.sentAlerts(9).map(({ alert }) => alert),
  };
  const left: Record<TextTable, unknown> = {
    observation: [sampleObservation(1).id],
    checkpoint: { day: "2026-11-01", state: {} },
    // The probe state is built again, with the next version.
    probe_state: 2,
    decision: ["down-2"],
    subscription_status: undefined,
    assessment_settings: undefined,
    outbox_message: [alertMessage(2)],
    sent_alert: [sampleAlert(2)],
  };

  test.each(tables)(
    "A row that cannot be read of %s is set aside as it is, and the other rows are returned",
    async (table) => {
      const store = await open();
      expect(store.rows.unreadable()).toEqual({ count: 0, byTable: {} });
      const content = damage(store, table);
      store.clock.nowMs += minuteMs;
      for (let read = 0; read < 2; read += 1) expect(await readAll[table](store)).toEqual(left[table]);
      const foundMs = startMs + minuteMs;
      expect(store.rows.unreadable()).toEqual({ count: 1, byTable: { [table]: 1 }, latestMs: foundMs });
      const kept = "SELECT source, key, found_ms, CAST(content AS BLOB) AS content FROM unreadable_row";
      expect(store.select(kept)).toEqual([
        { source: table, key: records[table].key, found_ms: foundMs, content: new Uint8Array(content) },
      ]);
      for (const other of tables) if (other !== table) await readAll[other](store);
      expect(store.rows.unreadable().count).toBe(1);
    },
  );

  test("Rows of several tables that cannot be read are counted by table, with the time of the latest", async () => {
    const store = await open();
    for (const table of ["decision", "observation"] as const) {
      damage(store, table);
      await readAll[table](store);
      store.clock.nowMs += minuteMs;
    }
    damage(store, "observation", "{}");
    await readAll.observation(store);
    expect(store.rows.unreadable()).toEqual({
      count: 3,
      byTable: { decision: 1, observation: 2 },
      latestMs: startMs + 2 * minuteMs,
    });
  });

  test("A row that cannot be read of the outbox is given up by the receivers that waited for it, and by no other", async () => {
    const store = await open();
    const [one, other] = ["one", "other"].map((name) => ({ ...acceptAlerts(), name }));
    await store.outbox.subscribe([one!, other!]);
    await store.outbox.put([alertMessage(3)]);
    await store.outbox.record(alertMessage(3), one!, deliveredAt(5));
    store.db.exec(`UPDATE outbox_message SET body = '' WHERE id = '${alertMessage(3).id}'`);
    expect(await store.outbox.pending(other!, 9)).toEqual([]);
    const given = { alert: alertMessage(3).id, tries: 0 };
    expect(store.outbox.deliveriesOf(alertMessage(3).id)).toEqual([
      { ...given, channel: "one", state: "delivered", at: new Date(5).toISOString(), why: null },
      { ...given, channel: "other", state: "set-aside", at: decision.at, why: "unreadable" },
    ]);
    expect((await store.outbox.pending(acceptAlerts(), 9)).map(({ message }) => message)).toEqual(
      [1, 2].map(alertMessage),
    );
  });

  test("A row that cannot be read is skipped and counted once while the store refuses writes, and is set aside later", async () => {
    const store = await open();
    damage(store, "observation");
    damage(store, "decision");
    store.db.exec("PRAGMA query_only = ON");
    for (let read = 0; read < 2; read += 1) {
      for (const table of ["observation", "decision"] as const)
        expect(await readAll[table](store)).toEqual(left[table]);
      expect(store.rows.unreadable()).toEqual({
        count: 2,
        byTable: { observation: 1, decision: 1 },
        latestMs: startMs,
      });
      store.clock.nowMs += minuteMs;
    }
    store.db.exec("PRAGMA query_only = OFF");
    await readAll.observation(store);
    expect(store.rows.unreadable()).toEqual({
      count: 2,
      byTable: { observation: 1, decision: 1 },
      latestMs: startMs + 2 * minuteMs,
    });
    expect(store.select("SELECT source FROM unreadable_row")).toEqual([{ source: "observation" }]);
  });

  test("A row that cannot be read is set aside also in a transaction of the caller, and with it or not at all", async () => {
    const store = await open();
    damage(store, "decision");
    const row = { rowid: 1, key: "key", text: "damaged" };
    expect(transact(store.db, () => store.rows.read("decision", row))).toBeUndefined();
    expect(store.rows.unreadable().count).toBe(1);
    // Without the table for such rows, which would be a bug, the row stays.
    damage(store, "observation");
    store.db.exec("ALTER TABLE unreadable_row RENAME TO other");
    await expect(collect(store.ledger.observations(0, 1e15))).rejects.toThrow("no such table");
    expect(store.db.isTransaction).toBe(false);
    expect(store.select("SELECT count(*) AS count FROM observation")).toEqual([{ count: 2 }]);
  });
});
