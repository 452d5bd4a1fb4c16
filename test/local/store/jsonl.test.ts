// The records of a store as JSON Lines.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { exportLines } from "../../../lib/local/store/jsonl.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Decision } from "../../../lib/records/incident.ts";
import { collect, sampleAlert, sampleObservation, startMs } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";

const folder = makeFolder();
let files = 0;
function open(): Store {
  const opened = openStore(join(folder, `${files++}.db`), { mode: "own", nowMs: () => startMs });
  if (opened.kind !== "open") throw new Error(opened.kind);
  return opened.store;
}

const decision: Decision = {
  schema: "v1watch/decision/1",
  kind: "ack",
  subject: "down-1",
  reason: "known",
  at: new Date(startMs).toISOString(),
};
const records = [sampleObservation(0), sampleObservation(1), decision, sampleAlert(1), sampleAlert(2)];

test("Every record is exported as one line", async () => {
  const store = open();
  for (const number of [0, 1]) await store.ledger.append(sampleObservation(number));
  await store.ledger.decide(decision);
  for (const number of [1, 2]) store.history.saveSentAlert(sampleAlert(number));
  const exported = await collect(exportLines(store));
  expect(exported.map((line) => JSON.parse(line))).toEqual(records);
  // Only a store has the sent alerts.
  expect(await collect(exportLines({ ledger: store.ledger }))).toEqual(exported.slice(0, 3));
  store.close();
});

test("An export copies each stored observation as it is, and leaves out what is none", async () => {
  const store = open();
  for (const number of [0, 1, 2, 3, 4]) await store.ledger.append(sampleObservation(number));
  const db = new DatabaseSync(join(folder, `${files - 1}.db`));
  const damage = (number: number, change: string) =>
    db.exec(`UPDATE observation SET body = ${change} WHERE id = '${sampleObservation(number).id}'`);
  damage(0, "'damaged'");
  damage(1, "json_remove(body, '$.outcome.kind')");
  damage(2, "json_set(body, '$.id', 'another')");
  // Still an observation, and a line of its own.
  damage(3, "replace(body, ',\"at\"', ',' || char(10) || '\"at\"')");
  db.close();
  const exported = await collect(exportLines(store));
  expect(exported.map((line) => JSON.parse(line))).toEqual([3, 4].map((number) => sampleObservation(number)));
  expect(store.unreadable().byTable.observation).toBe(3);
  store.close();
});

test("An export ends with an error where sent alerts come out of order, which would never end", async () => {
  const store = open();
  store.history.saveSentAlert(sampleAlert(1));
  const history = { ...store.history, sentAlertsAfter: () => store.history.sentAlertsAfter(0, 1) };
  await expect(collect(exportLines({ ...store, history }))).rejects.toThrow("rows are out of order");
  store.close();
});

test("More sent alerts than fit on a page are exported, each once", async () => {
  const store = open();
  const all = { ...store.history, sentAlertsAfter: (seq: number) => store.history.sentAlertsAfter(seq, 2) };
  for (let number = 0; number < 5; number += 1) store.history.saveSentAlert(sampleAlert(number));
  const lines = await collect(exportLines({ ...store, history: all }));
  expect(lines.map((line) => JSON.parse(line))).toEqual([0, 1, 2, 3, 4].map((number) => sampleAlert(number)));
  store.close();
});
