// Kills processes that write to a store with SIGKILL, and counts the confirmed rows that are missing afterwards.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../lib/local/store/store.ts";
import { acceptAlerts } from "../receivers.ts";
import { collect } from "../samples.ts";

/** The number of stores that are tested in parallel. */
const parallelStores = 2;
/** A worker is killed after so many confirmed writes, the same number on a slow machine, and at any instant of the next. */
const maxWrites = 32;
const maxInstantMs = 8;

const workerFile = join(import.meta.dirname, "kill-worker.ts");

type ConfirmedWrites = { observations: Set<string>; messages: Set<string>; commits: number };

export type KillResult = { kills: number; confirmed: number; faults: string[] };

export async function killWriters(kills: number): Promise<KillResult> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-kill-"));
  // Without the cache, a worker would spend half of its short run compiling the same files.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };
  const faults: string[] = [];
  try {
    execFileSync(process.execPath, [workerFile, join(folder, "first", "watch.db"), "0", "5"], { env });
    const testStore = async (index: number) => {
      const path = join(folder, `store-${index}`, "watch.db");
      const confirmed: ConfirmedWrites = { observations: new Set(), messages: new Set(), commits: 0 };
      let next = 0;
      for (let kill = index; kill < kills; kill += parallelStores) {
        next = await runAndKill(path, next, kill, confirmed, env, faults);
        if (kill % 20 === index) faults.push(...(await findLost(path, confirmed)));
        // The long run of the soak test shows how far it is.
        if (kills > 200 && kill % 200 === 0) console.error(`${kill} of ${kills} kills`);
      }
      faults.push(...(await findLost(path, confirmed)));
      return confirmed.observations.size + confirmed.messages.size;
    };
    const written = await Promise.all(Array.from({ length: parallelStores }, (_, index) => testStore(index)));
    return { kills, confirmed: written.reduce((sum, count) => sum + count, 0), faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a worker, kills it with SIGKILL, and returns the next number to write. */
async function runAndKill(
  path: string,
  first: number,
  kill: number,
  confirmed: ConfirmedWrites,
  env: NodeJS.ProcessEnv,
  faults: string[],
): Promise<number> {
  const worker = spawn(process.execPath, [workerFile, path, String(first)], { env });
  let [output, errors] = ["", ""];
  let isKilled = false;
  worker.stderr.on("data", (data) => {
    errors += data;
  });
  worker.stdout.on("data", (data) => {
    output += data;
    if (isKilled || output.split("\n").length <= 1 + ((kill * 7) % maxWrites)) return;
    isKilled = true;
    setTimeout(() => worker.kill("SIGKILL"), (kill * 5) % maxInstantMs);
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    worker.once("close", (...how) => resolve(how)),
  );
  if (signal !== "SIGKILL" || errors !== "")
    faults.push(`the writer ended with ${code ?? signal}: ${errors}`);
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

async function findLost(path: string, confirmed: ConfirmedWrites): Promise<string[]> {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") return [`the store does not open: ${JSON.stringify(opened)}`];
  const { ledger, outbox, unreadable } = opened.store;
  const stored = new Set((await collect(ledger.observations(0, 1e15))).map(({ id }) => id));
  const receiver = acceptAlerts();
  await outbox.subscribe([receiver]);
  const pending = new Set((await outbox.pending(receiver, 1e6)).map(({ message }) => message.id));
  const faults = [
    ...(opened.corrupt ? ["the store was corrupt"] : []),
    ...(unreadable().count > 0 ? [`${unreadable().count} rows cannot be read`] : []),
    ...[...confirmed.observations].filter((id) => !stored.has(id)).map((id) => `${id} is lost`),
    ...[...confirmed.messages].filter((id) => !pending.has(id)).map((id) => `${id} is lost`),
    ...((await ledger.backlog()).version < confirmed.commits ? ["a commit is lost"] : []),
  ];
  opened.store.close();
  return faults;
}
