import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore, type Store } from "../../lib/local/store/store.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { alertMessage, dayMs, metricsMessage, minuteMs, sampleObservation } from "../local/samples.ts";
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

/** An outage from the fourth tick on, of ticks that begin at an instant. */
const outage = (beginMs: number, ticks: number): Observation[] =>
  Array.from({ length: 3 * ticks }, (_, number) => {
    const { endpoint } = sampleObservation(number);
    const at = new Date(beginMs + Math.floor(number / 3) * 30 * minuteMs).toISOString();
    const answer = number < 9 ? {} : { outcome: { kind: "status" as const, status: 503 } };
    return sampleObservation(number, { id: `${endpoint}/authenticated/${at}`, at, ...answer });
  });

/** What waits after an import into a store that was prepared so. */
async function importInto(
  prepare: (store: Store) => Promise<unknown>,
  observations: readonly Observation[],
  config: readonly string[] = [],
) {
  const path = join(folder, `${files++}.db`);
  await withStore(path, prepare);
  const stdin = observations.map((one) => JSON.stringify(one)).join("\n");
  const printed = await run(["import", "-", "--store", path, ...config], { stdin });
  expect(printed).toMatchObject({ code: 0, err: "" });
  return withStore(path, async ({ outbox }) => ({
    alerts: (await outbox.pending("alert", 100)).map(({ id }) => id),
    metrics: (await outbox.pending("metrics", 100)).map(({ id }) => id),
  }));
}

const longAgoMs = Date.now() - 30 * dayMs;

test("what waits to be told still waits after an import, and what was imported is told to nobody", async () => {
  const [alert, metrics] = [alertMessage(1), metricsMessage(1)];
  const waiting = await importInto(({ outbox }) => outbox.put([alert, metrics]), outage(longAgoMs, 6));
  expect(waiting.alerts).toEqual([alert.id]);
  expect(waiting.metrics).toContain(metrics.id);
});

test("what the store itself had not judged yet is told by the watch", async () => {
  const ownMs = Date.now() - 4 * 60 * minuteMs;
  const waiting = await importInto(
    async ({ ledger }) => {
      for (const observation of outage(ownMs, 6)) await ledger.append(observation);
    },
    outage(longAgoMs, 6).slice(0, 9),
  );
  expect(waiting.alerts).toEqual([expect.stringMatching(/^down@.*opened$/)]);
});

test("what is due by the day, with the store as it was, is told by the watch", async () => {
  const config = join(folder, "config.json");
  const date = new Date(Date.now() + 20 * dayMs).toISOString().slice(0, 10);
  await writeFile(config, JSON.stringify({ baseUrl: "https://v1.example.com", retirement: { date } }));
  const prepare = async ({ ledger }: Store) => {
    for (const observation of outage(Date.now() - 60 * minuteMs, 3)) await ledger.append(observation);
  };
  const waiting = await importInto(prepare, outage(longAgoMs, 6), ["--config", config]);
  expect(waiting.alerts).toEqual([`retirement/countdown@${date}/30`]);
});

test("what was read is counted in whole words, and a folder is said to be one", async () => {
  const observation = sampleObservation(1);
  const [one, none] = [JSON.stringify(observation), ""].map((stdin, index) =>
    run(["import", "-", "--store", join(folder, `words-${index}.db`)], { stdin }),
  );
  expect((await one!).out).toBe(
    "1 observation is new, 0 were known, 0 are too old; 0 decisions and 0 alerts were read.\n",
  );
  expect((await none!).out).toMatch(/^0 observations are new, /);
  expect(await run(["import", folder, "--store", join(folder, "words-2.db")])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${folder} is a folder. Name a file that \`v1watch export\` wrote`),
  });
});
