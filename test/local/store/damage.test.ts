// Rows and files that a disk has damaged.
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { assess, readAssessment } from "../../../lib/assess/assess.ts";
import { deliverPending } from "../../../lib/delivery/outbox.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Ports } from "../../../lib/ports.ts";
import { dayMs, minuteMs } from "../../assess/observation-builder.ts";
import { watch } from "../../assess/timeline.ts";
import { shippedSettings } from "../../config/shipped.ts";
import { startRig } from "../monitor-rig.ts";
import { acceptAlerts } from "../receivers.ts";
import { alertMessage, collect, sampleAlert, startMs } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";
import { createSampleStore, damageStores, damageText, expectOpen, textTables } from "./damage.ts";

const folder = makeFolder();
let files = 0;
const template = join(folder, "template.db");
beforeAll(() => createSampleStore(template));

function copyTemplate(): string {
  const path = join(folder, `copy-${files++}.db`);
  for (const suffix of ["", ".owner"]) cpSync(template + suffix, path + suffix);
  return path;
}

async function countRows({ ledger, outbox, history }: Store) {
  return {
    observation: (await collect(ledger.observations(0, 1e15))).length,
    checkpoint: Number((await ledger.checkpointAt("2026-11-30")) !== undefined),
    probe_state: Number((await ledger.readProbeState()) !== undefined),
    decision: (await ledger.decisions()).length,
    outbox_message: (await outbox.pending(acceptAlerts(), 100)).length,
    sent_alert: history.sentAlerts(100).length,
  };
}

describe("a row whose text is damaged", () => {
  const damages: [string, (text: Buffer) => Buffer][] = [
    ["a missing end", (text) => text.subarray(0, text.length / 2)],
    [
      "a wrong type",
      (text) => Buffer.from(text.toString("latin1").replace('"at":"', '"at":7,"x":"'), "latin1"),
    ],
    [
      "the text of another key",
      (text) => Buffer.from(text.toString("latin1").replace(/"(id|subject)":"/, "$&x"), "latin1"),
    ],
    ["the text of no record", () => Buffer.from("{}")],
    ["bytes that are no text", () => Buffer.from([0xff, 0x00, 0xc3, 0x28])],
  ];
  const cases = textTables.flatMap((table) =>
    damages.map(([name, damage]) => [table, name, damage] as const),
  );

  test.each(cases)(
    "A row whose text is damaged in %s (%s) is set aside with its bytes, and no other row is missing",
    async (table, name, damage) => {
      const path = copyTemplate();
      // The probe state has neither a time nor a key of its own, and the text of a checkpoint is compressed.
      const isOfField = name === "a wrong type" || name === "the text of another key";
      if (isOfField && (table === "probe_state" || table === "checkpoint")) return;
      const intact = expectOpen(path);
      const before = await countRows(intact);
      intact.close();
      let damaged: Buffer = Buffer.alloc(0);
      damageText(path, table, 0, (text) => (damaged = damage(text)));
      const store = expectOpen(path);
      for (let read = 0; read < 2; read += 1) {
        const after = await countRows(store);
        const isReplaced = table === "probe_state" || table === "checkpoint";
        expect(after).toEqual(
          isReplaced
            ? { ...before, checkpoint: after.checkpoint }
            : { ...before, [table]: before[table] - 1 },
        );
        expect(store.unreadable()).toMatchObject({ count: 1, byTable: { [table]: 1 } });
      }
      store.close();
      const db = new DatabaseSync(path);
      const [kept] = db.prepare("SELECT source, CAST(content AS BLOB) AS content FROM unreadable_row").all();
      db.close();
      expect(kept?.source).toBe(table);
      expect(Buffer.from(kept?.content as Uint8Array)).toEqual(damaged);
    },
  );

  test("A row whose text is damaged in the outbox does not stop the delivery of other alerts, and is named as given up", async () => {
    const path = copyTemplate();
    damageText(path, "outbox_message", 0, (text) => text.subarray(1));
    const store = expectOpen(path);
    const sent: string[] = [];
    const receiver = acceptAlerts(({ id }) => sent.push(id));
    await deliverPending(store.outbox, [receiver], () => startMs);
    expect(sent).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => alertMessage(number).id));
    expect(await store.outbox.status(receiver)).toMatchObject({
      waiting: 0,
      setAside: [{ id: alertMessage(0).id, why: "unreadable" }],
    });
    store.close();
  });

  test("A row whose text is damaged is skipped by a reader, which cannot move it", async () => {
    const path = copyTemplate();
    damageText(path, "observation", 7, (text) => text.subarray(9));
    const opened = openStore(path, { mode: "read" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    expect(await collect(opened.store.ledger.observations(0, 1e15))).toHaveLength(239);
    expect(opened.store.unreadable()).toMatchObject({ count: 1, byTable: { observation: 1 } });
    opened.store.close();
  });

  test("The probe state is rebuilt from the observations: requests of the month and latest checks", async () => {
    const path = copyTemplate();
    damageText(path, "probe_state", 0, (text) => text.subarray(5));
    const store = expectOpen(path);
    const rebuilt = await store.ledger.readProbeState();
    expect(rebuilt?.value.spent).toEqual({ "2026-11": 240 });
    const last = (await collect(store.ledger.observations(0, 1e15))).findLast(
      ({ endpoint }) => endpoint === "passport",
    );
    expect(rebuilt?.value.endpoints.passport?.last.authenticated).toEqual({
      atMs: Date.parse(last?.at ?? ""),
    });
    expect(await store.ledger.readProbeState()).toEqual(rebuilt);
    expect(await store.ledger.writeProbeState(rebuilt!.value, rebuilt!.version)).toEqual({ kind: "written" });
    store.close();
  });

  test("The assessment of a damaged checkpoint is computed again, and no alert is sent twice", async () => {
    const path = join(folder, "assessed.db");
    const { decisions: _, ...settings } = shippedSettings;
    const fromMs = Date.parse("2026-03-02T00:00:00Z");
    const nowMs = fromMs + 5 * dayMs;
    const store = expectOpen(path);
    for (const observation of watch(fromMs, nowMs - minuteMs, [
      { fromMs: fromMs + dayMs, untilMs: fromMs + 1.2 * dayMs },
    ]))
      await store.ledger.append(observation);
    const sent: string[] = [];
    const portsOf = ({ ledger, outbox }: Store): Ports => ({
      ledger,
      outbox,
      nowMs: () => nowMs,
      receivers: [acceptAlerts(({ id }) => sent.push(id))],
      readKey: async () => ({ kind: "none" }),
    });
    await assess(portsOf(store), settings);
    const before = await readAssessment(store.ledger, settings, nowMs);
    const sentBefore = [...sent];
    store.close();
    // The latest is not compressed any more, the one before it is no state, and the third is of another version.
    damageText(path, "checkpoint", 4, (state) => state.subarray(20));
    damageText(path, "checkpoint", 3, () => gzipSync(JSON.stringify({ day: "2026-03-05", state: {} })));
    const again = expectOpen(path);
    expect(await readAssessment(again.ledger, settings, nowMs)).toEqual(before);
    await assess(portsOf(again), settings);
    expect(sent).toEqual(sentBefore);
    expect(again.unreadable().byTable).toEqual({ checkpoint: 1 });
    again.close();
    const rebuilt = expectOpen(path);
    expect((await rebuilt.ledger.checkpointAt("2026-03-05"))?.state).toMatchObject({
      schema: "v1watch/state/8",
    });
    rebuilt.close();
  });
});

describe("a damaged file", () => {
  const outcomes: [string, (path: string) => void, { isRecovered: boolean; atLeast: number }][] = [
    [
      "a page in the middle",
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0x5a, 8_192 * 20, 8_192 * 21);
        writeFileSync(path, bytes);
      },
      { isRecovered: true, atLeast: 200 },
    ],
    [
      "pages that are copies of another one, so that its rows come again out of order",
      (path) => {
        const bytes = readFileSync(path);
        const pages = Math.floor(bytes.length / 8_192);
        const rowsOf = (page: number) => bytes.subarray(page * 8_192, (page + 1) * 8_192);
        // The leaves of tables, which begin with 13. The row numbers of the first ones are the lowest.
        const leaves = Array.from({ length: pages }, (_, page) => page).filter(
          (page) => rowsOf(page)[0] === 13 && rowsOf(page).includes("v1watch/observation"),
        );
        const [first = 0] = leaves;
        for (const page of leaves.slice(leaves.length / 2))
          bytes.copy(bytes, page * 8_192, first * 8_192, (first + 1) * 8_192);
        writeFileSync(path, bytes);
      },
      { isRecovered: true, atLeast: 100 },
    ],
    [
      "the last quarter is missing",
      (path) => writeFileSync(path, readFileSync(path).subarray(0, Math.floor(statSync(path).size * 0.75))),
      { isRecovered: true, atLeast: 1 },
    ],
    [
      "the write-ahead log is missing",
      (path) => rmSync(`${path}-wal`, { force: true }),
      { isRecovered: false, atLeast: 240 },
    ],
    [
      "the page of an index without rows is that of a table without rows, which SQLite's check does not see",
      (path) => {
        const db = new DatabaseSync(path);
        const pageOf = (name: string) =>
          Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name)?.rootpage);
        const [index, table] = [pageOf("delivery_proof"), pageOf("unreadable_row")];
        db.close();
        const bytes = readFileSync(path);
        bytes.copy(bytes, (index - 1) * 8_192, (table - 1) * 8_192, table * 8_192);
        writeFileSync(path, bytes);
      },
      { isRecovered: true, atLeast: 240 },
    ],
    [
      "another name of a column in the schema, which SQLite's check does not see",
      (path) => {
        const text = readFileSync(path, "latin1");
        writeFileSync(path, text.replaceAll("next_try_ms INTEGER", "mext_try_ms INTEGER"), "latin1");
      },
      { isRecovered: true, atLeast: 240 },
    ],
    [
      "a number that JavaScript does not have",
      (path) => {
        const db = new DatabaseSync(path);
        db.exec("UPDATE delivery SET next_try_ms = 9223372036854775807");
        db.close();
      },
      { isRecovered: true, atLeast: 240 },
    ],
    [
      "a limit that would refuse every observation",
      (path) => {
        const db = new DatabaseSync(path);
        db.exec(
          "UPDATE metadata SET value = 9000000000000 WHERE name = 'pruned_before_ms'; DELETE FROM metadata WHERE name = 'commits'",
        );
        db.close();
      },
      { isRecovered: false, atLeast: 240 },
    ],
  ];
  test.each(outcomes)(
    "A damaged file (%s) has its outcome",
    async (_name, damage, { isRecovered, atLeast }) => {
      const path = copyTemplate();
      damage(path);
      const opened = openStore(path, { mode: "own" });
      if (opened.kind !== "open") throw new Error(JSON.stringify(opened));
      expect(opened.corrupt !== undefined).toBe(isRecovered);
      const kept = (await collect(opened.store.ledger.observations(0, 1e15))).length;
      expect(kept).toBeGreaterThanOrEqual(atLeast);
      if (isRecovered) expect(opened.store.unreadable().byTable.file).toBe(1);
      const late = watch(startMs + 30 * dayMs, startMs + 30 * dayMs + minuteMs, []);
      for (const observation of late)
        expect(await opened.store.ledger.append(observation)).toEqual({ kind: "new" });
      opened.store.close();
    },
  );

  test("A store in which a statement has found damage is recovered, also if the check of its file finds none", async () => {
    const path = copyTemplate();
    const opened = openStore(path, { mode: "own", isDamaged: true });
    if (opened.kind !== "open") throw new Error(opened.kind);
    expect(opened.corrupt?.recovered).toBeGreaterThan(240);
    expect(await collect(opened.store.ledger.observations(0, 1e15))).toHaveLength(240);
    opened.store.close();
  });

  test("A damaged file is recovered again after a kill during the recovery", async () => {
    const path = copyTemplate();
    const bytes = readFileSync(path);
    bytes.fill(0, 8_192 * 20, 8_192 * 22);
    writeFileSync(path, bytes);
    // Killed while rows were copied: the new file is not complete and is not used.
    writeFileSync(`${path}.recovering`, "incomplete");
    const store = expectOpen(path);
    const count = (await collect(store.ledger.observations(0, 1e15))).length;
    expect(count).toBeGreaterThan(200);
    store.close();
    // Killed between the two renames: the new file is complete.
    cpSync(path, `${path}.recovering`);
    rmSync(path);
    const again = expectOpen(path);
    expect(await collect(again.ledger.observations(0, 1e15))).toHaveLength(count);
    again.close();
  });
});

test("A monitor with a damaged store starts, assesses, and says so on the page, in /healthz and in one alert", async () => {
  const own = makeFolder();
  const path = join(own, "rig.db");
  for (const suffix of ["", ".owner"]) cpSync(template + suffix, path + suffix);
  for (const table of textTables) damageText(path, table, 0, (text) => text.subarray(3));
  const sent: string[] = [];
  const rig = await startRig({
    folder: own,
    channels: [{ ...acceptAlerts(({ id }) => sent.push(id)), name: "console", type: "console" as const }],
  });
  try {
    for (let number = 0; number < 3; number += 1) {
      const { assessment, degraded } = await rig.monitor.once();
      expect(degraded).toBeUndefined();
      expect(assessment?.state.observations).toBeGreaterThan(0);
    }
    const health = await (await fetch(`${rig.url}/healthz`)).text();
    expect(health).toContain("could not be read and ");
    const summary = (await (await fetch(`${rig.url}/api/summary`)).json()) as {
      health: { unreadable?: string };
    };
    expect(summary.health.unreadable).toContain("could not be read");
    expect(sent.filter((id) => id.startsWith("store-"))).toHaveLength(1);
    expect(sent).not.toContain(sampleAlert(0).id);
    expect(rig.store.unreadable().count).toBeGreaterThanOrEqual(4);
  } finally {
    await rig.stop();
  }
});

test("30 random damages: the store starts, every readable row is kept, and nothing stops silently", async () => {
  const result = await damageStores(30, Number(process.env.V1WATCH_SEED ?? 1));
  expect(result.faults).toEqual([]);
  expect(result.recovered).toBeGreaterThan(3);
  expect(result.setAside).toBeGreaterThan(3);
  expect(result.refused).toBeLessThan(5);
});
