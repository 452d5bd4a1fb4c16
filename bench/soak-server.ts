// The proof that readers of the page never delay a check: `v1watch up` with its simulator, and all clients in processes of
// their own. The delay of a check is the time from the start of its slot to its request. Prints one line of JSON.
//   node bench/soak-server.ts --streams 1000 --slow 500 --readers 100 --seconds 60
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endpointIds } from "../lib/contract/endpoints.ts";
import { configForSimulator } from "../lib/local/simulation.ts";
import { openStore } from "../lib/local/store/store.ts";
import { slotStartMs } from "../lib/probe/schedule/budget.ts";
import type { Observation } from "../lib/records/observation.ts";
import type { LoadCounts } from "../test/local/server/load.ts";
import { readCommandLine } from "./command-line.ts";
import { printProof } from "./reliability.ts";
import { startMonitorProcess } from "./soak-process.ts";

const full = { streams: 1_000, slow: 500, readers: 100, seconds: 60 };
const usage =
  "Usage: node bench/soak-server.ts [--streams N] [--slow N] [--readers N] [--seconds N]\nExample: node bench/soak-server.ts --streams 100 --slow 50 --readers 10 --seconds 30";
const { numbers } = readCommandLine(usage, [], ["streams", "slow", "readers", "seconds"]);
const { streams, slow, readers, seconds } = { ...full, ...numbers };
/** A slot every two seconds. */
const everySeconds = 6;
const maxDelayMs = 1_000;
const number = (value: number) => Math.round(value).toLocaleString("en-US");

const loadFile = join(import.meta.dirname, "../test/local/server/load.ts");

async function startLoad(kind: string, url: string, count: number): Promise<() => Promise<LoadCounts>> {
  const child = spawn(process.execPath, [loadFile, kind, url, String(count)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (!out.includes("ready\n")) {
    if (child.exitCode !== null) throw new Error(`the clients (${kind}) ended with ${child.exitCode}`);
    await sleep(50);
  }
  return async () => {
    child.stdin.end();
    await ended;
    return JSON.parse(out.trim().split("\n").at(-1) ?? "{}") as LoadCounts;
  };
}

const folder = mkdtempSync(join(tmpdir(), "v1watch-server-"));
const storePath = join(folder, "watch.db");
const faults: string[] = [];
const config = configForSimulator("http://127.0.0.1:9", everySeconds, storePath);

/** The longest delay of a check in a time, and of each slot whether it had its check. */
function measure(observations: readonly Observation[], fromMs: number, untilMs: number) {
  const calmMs = everySeconds * 1_000;
  const delays: number[] = [];
  let slowestMs = 0;
  let missing = 0;
  for (const endpoint of endpointIds) {
    const checks = observations.filter((one) => one.endpoint === endpoint && one.reason === "scheduled");
    for (let slotMs = slotStartMs(endpoint, fromMs, config) + calmMs; slotMs < untilMs; slotMs += calmMs) {
      const check = checks.find(({ at }) => slotStartMs(endpoint, Date.parse(at), config) === slotMs);
      if (!check) {
        missing += 1;
        continue;
      }
      delays.push(Date.parse(check.at) - slotMs);
      slowestMs = Math.max(slowestMs, check.timings.totalMs);
      if (check.outcome.kind !== "ok") faults.push(`the check of ${check.at} is ${check.outcome.kind}`);
    }
  }
  return { checks: delays.length, missing, longestMs: Math.max(0, ...delays), slowestMs };
}

try {
  const monitor = await startMonitorProcess(folder, storePath, everySeconds);
  await sleep(3_000);
  const calmFromMs = Date.now();
  await sleep(2 * everySeconds * 1_000);
  const loadFromMs = Date.now();
  const loads = await Promise.all([
    startLoad("streams", monitor.url, streams),
    startLoad("slow", monitor.url, slow),
    startLoad("readers", monitor.url, readers),
  ]);
  console.error(`all clients are there after ${number(Date.now() - loadFromMs)} ms`);
  await sleep(seconds * 1_000);
  // A check that is under way is finished.
  const loadUntilMs = Date.now() - maxDelayMs;
  const [streamCounts = {}, slowCounts = {}, readerCounts = {}] = await Promise.all(
    loads.map((stop) => stop()),
  );
  console.error(JSON.stringify({ streamCounts, slowCounts, readerCounts }));
  await sleep(1_000);
  if ((await monitor.stop()) !== 0) faults.push("v1watch up did not end with 0");
  const opened = openStore(storePath, { mode: "read" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const observations: Observation[] = [];
  for await (const one of opened.store.ledger.observations(calmFromMs, Date.now())) observations.push(one);
  opened.store.close();
  const calm = measure(observations, calmFromMs, loadFromMs - maxDelayMs);
  const loaded = measure(observations, loadFromMs, loadUntilMs);
  if (loaded.missing > 0) faults.push(`${loaded.missing} checks were not made in their slot`);
  if (loaded.longestMs > maxDelayMs) faults.push(`a check was ${number(loaded.longestMs)} ms late`);
  if (streamCounts["status 200"] !== streams || streamCounts.closed || streamCounts.failed)
    faults.push(`not all event streams were served: ${JSON.stringify(streamCounts)}`);
  const answered = readerCounts["status 200"] ?? 0;
  const others = Object.entries(readerCounts).filter(([name]) => name !== "status 200");
  if (others.length > 0) faults.push(`busy readers got ${JSON.stringify(Object.fromEntries(others))}`);
  for (const fault of faults.slice(0, 20)) console.error(fault);
  const isSmaller = (Object.keys(full) as (keyof typeof full)[]).some(
    (name) => (numbers[name] ?? full[name]) < full[name],
  );
  printProof({
    promise: "readers of the page",
    figure: `${isSmaller ? "a smaller run, " : ""}${number(streams)} event streams, ${number(slow)} slow clients and ${number(readers)} busy readers (${number(answered / seconds)} responses/s) for ${seconds} s: ${loaded.checks} checks, ${loaded.missing} not made, at most ${number(loaded.longestMs)} ms late (${number(calm.longestMs)} ms without clients), the slowest took ${number(loaded.slowestMs)} ms; ${number(streamCounts.events ?? 0)} events received`,
    command: `node bench/soak-server.ts --streams ${streams} --slow ${slow} --readers ${readers} --seconds ${seconds}`,
    result: faults.length === 0 ? "held" : "broken",
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
