// Local mode with a year behind it: how quick the page is, how little it idles at, and whether readers disturb the probe.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openStore } from "../lib/local/store/store.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { fillYear } from "./report-year.ts";
import type { Row } from "./table.ts";

const program = fileURLToPath(new URL("../bin/v1watch.ts", import.meta.url));

/** As `npm start` does: a small nursery costs a watch nothing and saves it 10 MB. */
const nursery = "--max-semi-space-size=1";

type Up = { child: ChildProcess; url: string; pid: number };

async function startUp(folder: string, args: readonly string[]): Promise<Up> {
  const child = spawn(process.execPath, [nursery, program, "up", "--port", "0", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout?.on("data", (part) => {
    out = (out + part).slice(-20_000);
  });
  while (!/page (\S+)\/#token/.test(out)) {
    if (child.exitCode !== null) throw new Error(`up ended: ${out}`);
    await sleep(50);
  }
  return { child, url: /page (\S+)\/#token/.exec(out)?.[1] ?? "", pid: child.pid ?? 0 };
}

async function stop({ child }: Up): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

const agent = new Agent({ keepAlive: true, maxSockets: 400 });

/** Bytes of the body as sent. */
function fetchBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { "Accept-Encoding": "gzip" } }, (response) => {
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
      });
      response.on("end", () => resolve(bytes));
    }).on("error", reject);
  });
}

const firstView = ["/", "/page.css", "/page.js", "/overview.js", "/dialogs.js", "/dom.js", "/icon.svg"];

const residentMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;

/** Of one core, since the process began. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Longest time between two ticks, as the ticks tell it. */
async function longestStep(url: string, ms: number): Promise<{ longestMs: number; ticks: number }> {
  const ended = new AbortController();
  setTimeout(() => ended.abort(), ms);
  const ticks: number[] = [];
  try {
    const response = await fetch(`${url}/api/events`, { signal: ended.signal });
    let rest = "";
    for await (const part of response.body ?? []) {
      rest += Buffer.from(part).toString();
      for (const [, at] of rest.matchAll(/event: tick\n.*\ndata: \{"at":"([^"]+)"\}\n\n/g))
        ticks.push(Date.parse(at ?? ""));
      rest = rest.slice(rest.lastIndexOf("\n\n") + 2);
    }
  } catch {
    // The time is over.
  }
  const steps = ticks.slice(1).map((tickMs, index) => tickMs - (ticks[index] ?? tickMs));
  return { longestMs: Math.max(0, ...steps), ticks: ticks.length };
}

async function disturb(url: string, ms: number, readers: number, perSecond: number): Promise<number> {
  const ended = new AbortController();
  for (let reader = 0; reader < readers; reader += 1)
    get(`${url}/api/events`, { agent: false, signal: ended.signal }, (response) => response.resume()).on(
      "error",
      () => {},
    );
  const paths = [
    "/api/summary?range=1h",
    "/api/outlook",
    "/api/incidents",
    "/api/drift",
    "/api/gaps",
    "/api/budget",
  ];
  const untilMs = Date.now() + ms;
  let asked = 0;
  let answered = 0;
  while (Date.now() < untilMs) {
    const due = Math.floor(((ms - (untilMs - Date.now())) / 1_000) * perSecond);
    for (; asked < due; asked += 1)
      fetchBytes(`${url}${paths[asked % paths.length]}`).then(
        () => {
          answered += 1;
        },
        () => {},
      );
    await sleep(10);
  }
  await sleep(500);
  ended.abort();
  return answered / (ms / 1_000);
}

export async function benchLocal(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const rows: Row[] = [];
  const add = (name: string, value: number, unit: string, goal: string, ok: boolean) =>
    rows.push({ name: `local: ${name}`, value: Number(value.toFixed(2)), unit, goal, ok });
  const below = (name: string, value: number, unit: string, limit: number) =>
    add(name, value, unit, `< ${limit}`, value < limit);
  const simulator = await startSimulator();
  try {
    const path = join(folder, "year.db");
    const opened = openStore(path, { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const tickMs = 1_800_000;
    const observations = await fillYear(opened.store, (Math.floor(Date.now() / tickMs) - 1) * tickMs, 365);
    add("observations of the year", observations, "rows", "", true);
    opened.store.close();

    // The second start, because the first one also compiles.
    await stop(await startUp(folder, ["--base-url", simulator.url, "--allow-loopback", "--store", path]));
    const year = await startUp(folder, ["--base-url", simulator.url, "--allow-loopback", "--store", path]);
    await sleep(3_000);
    let bytes = 0;
    const fromMs = performance.now();
    for (const file of firstView) bytes += await fetchBytes(year.url + file);
    bytes += await fetchBytes(`${year.url}/api/summary`);
    below("first view with a year behind it, in total", performance.now() - fromMs, "ms", 500);
    below("first view, transferred", bytes / 1_024, "KB", 300);
    const allMs = performance.now();
    await fetchBytes(`${year.url}/api/summary?range=all`);
    below("the whole year in one view", performance.now() - allMs, "ms", 500);
    await sleep(5_000);
    const cpuBefore = cpuSeconds(year.pid);
    await sleep(20_000);
    below("up, idle, processor", ((cpuSeconds(year.pid) - cpuBefore) / 20) * 100, "% of a core", 2);
    below("up, idle, memory", residentMiB(year.pid), "MiB", 120);
    await stop(year);

    const quick = await startUp(folder, ["--every", "2"]);
    await sleep(3_000);
    const calm = await longestStep(quick.url, 12_000);
    const [loaded, perSecond] = await Promise.all([
      longestStep(quick.url, 14_000),
      disturb(quick.url, 14_000, 100, 200),
    ]);
    add("longest step between ticks, undisturbed", calm.longestMs, "ms", "", true);
    below("longest step with 100 readers and 200 requests/s", loaded.longestMs, "ms", calm.longestMs + 250);
    add("requests answered meanwhile", perSecond, "1/s", ">= 190", perSecond >= 190);
    await stop(quick);
    return rows;
  } finally {
    agent.destroy();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchLocal());
