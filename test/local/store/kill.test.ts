import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../lib/local/store/store.ts";
import { collect } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";

/** `npm run soak` makes 2,000. */
const kills = Number(process.env.V1WATCH_KILLS ?? 40);
/** The number of stores that are tested in parallel. */
const parallelStores = 2;
/** How long a worker runs after its first confirmed write: enough for a few writes to a few dozen. */
const maxRunMs = 25;

const folder = makeFolder();
const workerFile = join(import.meta.dirname, "kill-worker.ts");
// Without the cache, a worker would spend half of its short run compiling the same files.
const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };

type ConfirmedWrites = { observations: Set<string>; messages: Set<string>; commits: number };

/** Runs a worker and kills it with SIGKILL `runMs` after its first confirmed write; returns the next number to write. */
async function runAndKill(
  path: string,
  first: number,
  runMs: number,
  confirmed: ConfirmedWrites,
): Promise<number> {
  const worker = spawn(process.execPath, [workerFile, path, String(first)], { env });
  let [output, errors] = ["", ""];
  worker.stderr.on("data", (data) => {
    errors += data;
  });
  worker.stdout.on("data", (data) => {
    if (output === "") setTimeout(() => worker.kill("SIGKILL"), runMs);
    output += data;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    worker.once("close", (...how) => resolve(how)),
  );
  expect({ code, signal, errors }).toEqual({ code: null, signal: "SIGKILL", errors: "" });
  let next = first;
  // A line without its newline was cut off by the kill and does not count as confirmed.
  for (const line of output.split("\n").slice(0, -1)) {
    const [kind, id = ""] = line.split(" ");
    if (kind === "observation") {
      confirmed.observations.add(id);
      next = Number(id.split("/")[2]) + 1;
    } else if (kind === "message") confirmed.messages.add(id);
    else confirmed.commits = Number(id);
  }
  return next;
}

async function verify(path: string, confirmed: ConfirmedWrites): Promise<void> {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  expect(opened).not.toHaveProperty("corruptFile");
  const { ledger, outbox } = opened.store;
  const stored = new Set(
    (await collect(ledger.observations(0, Number.MAX_SAFE_INTEGER))).map(({ id }) => id),
  );
  expect([...confirmed.observations].filter((id) => !stored.has(id))).toEqual([]);
  const pending = new Set(outbox.waiting("metrics").map(({ id }) => id));
  expect([...confirmed.messages].filter((id) => !pending.has(id))).toEqual([]);
  expect((await ledger.backlog()).version).toBeGreaterThanOrEqual(confirmed.commits);
  opened.store.close();
}

test(
  `the store keeps every confirmed row and opens again after each of ${kills} kill -9 during writes`,
  async () => {
    execFileSync(process.execPath, [workerFile, join(folder, "first", "watch.db"), "0", "5"], { env });
    const testStore = async (index: number) => {
      const path = join(folder, `store-${index}`, "watch.db");
      const confirmed: ConfirmedWrites = { observations: new Set(), messages: new Set(), commits: 0 };
      let next = 0;
      for (let kill = index; kill < kills; kill += parallelStores) {
        next = await runAndKill(path, next, (kill * 7) % maxRunMs, confirmed);
        if (kill % 20 === index) await verify(path, confirmed);
        // The long run of the soak test shows how far it is.
        if (kills > 200 && kill % 200 === 0) console.log(`${kill} of ${kills} kills`);
      }
      await verify(path, confirmed);
      return confirmed.observations.size;
    };
    const written = await Promise.all(Array.from({ length: parallelStores }, (_, index) => testStore(index)));
    expect(written.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(kills);
  },
  Math.max(120_000, kills * 1_000),
);
