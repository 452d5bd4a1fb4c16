import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore, type Store } from "../../lib/local/store/store.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { alertMessage, dayMs, minuteMs, sampleObservation } from "../local/samples.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run } from "./terminal.ts";

const folder = makeFolder();
let files = 0;

async function withStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  try {
    return await work(opened.store);
  } finally {
    opened.store.close();
  }
}

/** Observations of three endpoints every 30 minutes, with an outage from the fourth tick on. */
const outage = (startMs: number, ticks: number): Observation[] =>
  Array.from({ length: 3 * ticks }, (_, number) => {
    const { endpoint } = sampleObservation(number);
    const at = new Date(startMs + Math.floor(number / 3) * 30 * minuteMs).toISOString();
    const failure = number < 9 ? {} : { outcome: { kind: "status" as const, status: 503 } };
    return sampleObservation(number, { id: `${endpoint}/authenticated/${at}`, at, ...failure });
  });

/** The ids of the pending messages after an import into a store that `prepare` has filled. */
async function importInto(
  prepare: (store: Store) => Promise<unknown>,
  observations: readonly Observation[],
  config: readonly string[] = [],
) {
  const path = join(folder, `${files++}.db`);
  await withStore(path, prepare);
  const stdin = observations.map((observation) => JSON.stringify(observation)).join("\n");
  const printed = await run(["store", "import", "-", "--store", path, ...config], { stdin });
  expect(printed).toMatchObject({ code: 0, err: "" });
  return withStore(path, async ({ outbox }) => ({
    alerts: outbox.waiting().map(({ id }) => id),
  }));
}

const monthAgoMs = Date.now() - 30 * dayMs;

test("v1watch store import keeps pending messages pending and creates none for the imported observations", async () => {
  const alert = alertMessage(1);
  const pending = await importInto(({ outbox }) => outbox.put([alert]), outage(monthAgoMs, 6));
  expect(pending.alerts).toEqual([alert.id]);
});

test("v1watch store import keeps an alert pending that follows from the store's own unassessed observations", async () => {
  const ownStartMs = Date.now() - 4 * 60 * minuteMs;
  const pending = await importInto(
    async ({ ledger }) => {
      for (const observation of outage(ownStartMs, 6)) await ledger.append(observation);
    },
    outage(monthAgoMs, 6).slice(0, 9),
  );
  expect(pending.alerts).toEqual([expect.stringMatching(/^down-.*opened$/)]);
});

test("v1watch store import keeps a scheduled alert pending that is due without the import", async () => {
  const config = join(folder, "config.json");
  const date = new Date(Date.now() + 20 * dayMs).toISOString().slice(0, 10);
  await writeFile(config, JSON.stringify({ baseUrl: "https://v1.example.com", retirement: { date } }));
  const prepare = async ({ ledger }: Store) => {
    for (const observation of outage(Date.now() - 60 * minuteMs, 3)) await ledger.append(observation);
  };
  const pending = await importInto(prepare, outage(monthAgoMs, 6), ["--config", config]);
  expect(pending.alerts).toEqual([`countdown-${date.replaceAll("-", "")}/30-countdown`]);
});

test("v1watch store import prints the number of imported and skipped records, and rejects a folder", async () => {
  const observation = sampleObservation(1);
  const [one, none] = [JSON.stringify(observation), ""].map((stdin, index) =>
    run(["store", "import", "-", "--store", join(folder, `counts-${index}.db`)], { stdin }),
  );
  expect((await one!).out).toBe(
    "Imported 1 observation, 0 decisions and 0 alerts. Skipped 0 existing observations and 0 older than the retention period.\n",
  );
  expect((await none!).out).toBe("");
  expect(await run(["store", "import", folder, "--store", join(folder, "counts-2.db")])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${folder} is a folder. Choose a file that \`v1watch store export\` wrote`),
  });
});

test("v1watch store import of a file without a record leaves nothing behind, and takes no control codes", async () => {
  const path = join(folder, "nothing/here.db");
  const decision = {
    schema: "v1watch/decision/1",
    kind: "ack",
    subject: "down",
    at: "2026-11-01T00:00:00.000Z",
  };
  for (const stdin of ["", "notes\n", JSON.stringify({ ...decision, reason: "\u001b[31mred" })]) {
    const printed = await run(["store", "import", "-", "--store", path], { stdin });
    expect(printed).toMatchObject({ code: 1, out: "" });
    expect(printed.err).toBe(
      "v1watch: no line of standard input is a v1watch record. Nothing was imported\n",
    );
  }
  expect(existsSync(join(folder, "nothing"))).toBe(false);
  const stdin = JSON.stringify({ ...decision, reason: "fine" });
  expect(await run(["store", "import", "-", "--store", path], { stdin })).toMatchObject({ code: 0 });
});
