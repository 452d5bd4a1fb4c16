// The proof that readers of the dashboard never delay a check: `v1watch up` with its simulator, and all clients in processes of
// their own. The delay of a check is the time from the start of its slot to its request.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../lib/config/config.ts";
import { endpointIds } from "../lib/contract/endpoints.ts";
import { configForSimulator } from "../lib/local/simulation.ts";
import { openStore } from "../lib/local/store/store.ts";
import { slotStartMs } from "../lib/probe/schedule/budget.ts";
import type { Observation } from "../lib/records/observation.ts";
import type { LoadCounts } from "../test/local/server/load.ts";
import { startMonitorProcess } from "./monitor-process.ts";
import { type Finding, number } from "./promises.ts";

/** A slot every two seconds. */
const everySeconds = 6;
const loadSeconds = 60;
const maxDelayMs = 1_000;

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

/** The longest delay of a check in a time, and of each slot whether it had its check. */
function measure(observations: readonly Observation[], config: Config, fromMs: number, untilMs: number) {
  const calmMs = everySeconds * 1_000;
  const faults: string[] = [];
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
  return { checks: delays.length, missing, longestMs: Math.max(0, ...delays), slowestMs, faults };
}

/** So many event streams, half as many slow clients, and a tenth as many busy readers. */
export async function proveReaders(streams: number): Promise<Finding> {
  const [slow, readers] = [Math.ceil(streams / 2), Math.ceil(streams / 10)];
  const folder = mkdtempSync(join(tmpdir(), "v1watch-readers-"));
  const storePath = join(folder, "watch.db");
  const config = configForSimulator("http://127.0.0.1:9", everySeconds, storePath);
  const faults: string[] = [];
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
    await sleep(loadSeconds * 1_000);
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
    const calm = measure(observations, config, calmFromMs, loadFromMs - maxDelayMs);
    const loaded = measure(observations, config, loadFromMs, loadUntilMs);
    faults.push(...loaded.faults);
    if (loaded.missing > 0) faults.push(`${loaded.missing} checks were not made in their slot`);
    if (loaded.longestMs > maxDelayMs) faults.push(`a check was ${number(loaded.longestMs)} ms late`);
    if (streamCounts["status 200"] !== streams || streamCounts.closed || streamCounts.failed)
      faults.push(`not all event streams were served: ${JSON.stringify(streamCounts)}`);
    const answered = readerCounts["status 200"] ?? 0;
    const others = Object.entries(readerCounts).filter(([name]) => name !== "status 200");
    if (others.length > 0) faults.push(`busy readers got ${JSON.stringify(Object.fromEntries(others))}`);
    return {
      figure: `${number(streams)} event streams, ${number(slow)} slow clients and ${number(readers)} busy readers (${number(answered / loadSeconds)} responses/s) for ${loadSeconds} s: ${loaded.checks} checks, ${loaded.missing} not made, at most ${number(loaded.longestMs)} ms late (${number(calm.longestMs)} ms without clients), the slowest took ${number(loaded.slowestMs)} ms; ${number(streamCounts.events ?? 0)} events received`,
      faults,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
