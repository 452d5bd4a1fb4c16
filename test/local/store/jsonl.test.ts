// The records of a store as JSON Lines, and back.
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportLines, importLines, parseRecord } from "../../../lib/local/store/jsonl.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Decision } from "../../../lib/records/incident.ts";
import { collect, sampleAlert, sampleObservation, sentences, startMs } from "../samples.ts";
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

async function* linesOf(...lines: string[]) {
  yield* lines;
}
const importAll = (store: Store, ...lines: string[]) => importLines(store, linesOf(...lines));
const nothing = {
  observations: 0,
  known: 0,
  tooOld: 0,
  decisions: 0,
  alerts: 0,
  refused: [],
  refusedCount: 0,
};

test("Every record is exported, and imported once", async () => {
  const [from, to] = [open(), open()];
  const lines = records.map((record) => JSON.stringify(record));
  expect(await importAll(from, ...lines)).toEqual({ ...nothing, observations: 2, decisions: 1, alerts: 2 });
  const exported = await collect(exportLines(from));
  expect(exported.map((line) => JSON.parse(line))).toEqual(records);
  await importAll(to, ...exported);
  expect(await importAll(to, ...exported)).toMatchObject({ observations: 0, known: 2 });
  expect(await collect(exportLines(to))).toEqual(exported);
  // Only a store has the sent alerts.
  expect(await collect(exportLines({ ledger: to.ledger }))).toEqual(exported.slice(0, 3));
  from.close();
  to.close();
});

test("Lines that are no records are counted, and the first five are named; empty lines do not matter", async () => {
  const store = open();
  const good = JSON.stringify(sampleObservation(0));
  const bad = ["{", "7", "null", '"text"', "{}", '{"schema":"v1watch/observation/1"}'];
  expect(await importAll(store, "", good, "  ", ...bad)).toEqual({
    ...nothing,
    observations: 1,
    refused: [4, 5, 6, 7, 8],
    refusedCount: 6,
  });
  store.close();
});

test("An import ends where the store refuses a write", async () => {
  const store = open();
  const ledger = { ...store.ledger, append: async () => ({ kind: "failed" as const, why: "disk-full" }) };
  const line = JSON.stringify(sampleObservation(0));
  await expect(importAll({ ...store, ledger }, line)).rejects.toThrow(
    "the store refused the write: disk-full",
  );
  const tooOld = { ...store.ledger, append: async () => ({ kind: "too-old" as const }) };
  expect(await importAll({ ...store, ledger: tooOld }, line)).toEqual({ ...nothing, tooOld: 1 });
  store.close();
});

test.each([
  ["an escape", "a\u001b[2J", false],
  ["a tab", "a\tb", false],
  ["a C1 code", "a\u009b", false],
  ["a line break", "a\nb", true],
  ["plain text", "a b", true],
])("An alert whose text has %s is a record or not", (_, text, isImported) => {
  expect(parseRecord(JSON.stringify(sampleAlert(1, { sections: sentences(text) }))) !== undefined).toBe(
    isImported,
  );
});

test("A control character in the name of a field is none of ours either", () => {
  const record = { ...sampleAlert(1), facts: null };
  expect(parseRecord(JSON.stringify(record))).toEqual(record);
  for (const line of ["[]", "1", "true", '{"schema":["v1watch/alert/3"]}'])
    expect(parseRecord(line), line).toBeUndefined();
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
