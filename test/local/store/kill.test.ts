import { execFileSync, spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../lib/local/store/store.ts";
import { collect } from "../samples.ts";
import { makeFolder } from "../temporary-folder.ts";

const kills = Number(process.env.V1WATCH_KILLS ?? 200);
/** Stores that are written to and killed side by side. */
const lanes = 2;
/** How much a worker may acknowledge before it dies: from a few writes to a few dozen. */
const maxLifeMs = 25;

const folder = makeFolder();
const workerFile = join(import.meta.dirname, "kill-worker.ts");
// Half of a short life would be spent on compiling the same files.
const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };

type Acknowledged = { observations: Set<string>; messages: Set<string>; commits: number };

/** One life: from the start until a kill -9 at some instant after its first acknowledged write. */
async function live(
  path: string,
  first: number,
  lifeMs: number,
  acknowledged: Acknowledged,
): Promise<number> {
  const worker = spawn(process.execPath, [workerFile, path, String(first)], { env });
  let [output, errors] = ["", ""];
  worker.stderr.on("data", (data) => {
    errors += data;
  });
  worker.stdout.on("data", (data) => {
    if (output === "") setTimeout(() => worker.kill("SIGKILL"), lifeMs);
    output += data;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    worker.once("close", (...how) => resolve(how)),
  );
  expect({ code, signal, errors }).toEqual({ code: null, signal: "SIGKILL", errors: "" });
  let next = first;
  // A line that was cut by the kill was not acknowledged.
  for (const line of output.split("\n").slice(0, -1)) {
    const [kind, id = ""] = line.split(" ");
    if (kind === "observation") {
      acknowledged.observations.add(id);
      next = Number(id.split("/")[2]) + 1;
    } else if (kind === "message") acknowledged.messages.add(id);
    else acknowledged.commits = Number(id);
  }
  return next;
}

async function verify(path: string, acknowledged: Acknowledged): Promise<void> {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  expect(opened).not.toHaveProperty("setAside");
  const { ledger, outbox } = opened.store;
  const kept = new Set((await collect(ledger.observations(0, Number.MAX_SAFE_INTEGER))).map(({ id }) => id));
  expect([...acknowledged.observations].filter((id) => !kept.has(id))).toEqual([]);
  const waiting = new Set((await outbox.pending("metrics", 1_000_000)).map(({ id }) => id));
  expect([...acknowledged.messages].filter((id) => !waiting.has(id))).toEqual([]);
  expect((await ledger.backlog()).version).toBeGreaterThanOrEqual(acknowledged.commits);
  opened.store.close();
}

test(
  `${kills} times kill -9 while writing: every acknowledged row is there and the store opens`,
  async () => {
    execFileSync(process.execPath, [workerFile, join(folder, "first", "watch.db"), "0", "5"], { env });
    const runLane = async (lane: number) => {
      const path = join(folder, `lane-${lane}`, "watch.db");
      const acknowledged: Acknowledged = { observations: new Set(), messages: new Set(), commits: 0 };
      let next = 0;
      for (let kill = lane; kill < kills; kill += lanes) {
        next = await live(path, next, (kill * 7) % maxLifeMs, acknowledged);
        if (kill % 20 === lane) await verify(path, acknowledged);
      }
      await verify(path, acknowledged);
      return acknowledged.observations.size;
    };
    const written = await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));
    expect(written.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(kills);
  },
  Math.max(120_000, kills * 1_000),
);
