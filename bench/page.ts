// The page of `v1watch up` with a year of observations: its time and size, the start and the idle load of the monitor,
// and the effect of readers on its ticks. The program is the built package, as it is installed.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { openStore } from "../lib/local/store/store.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { fillYear } from "./report-year.ts";
import { type Row, row } from "./table.ts";

const program = fileURLToPath(new URL("../dist/bin/v1watch.js", import.meta.url));
const build = () => execFileSync(process.execPath, [fileURLToPath(new URL("../build.ts", import.meta.url))]);

type MonitorProcess = { child: ChildProcess; url: string; pid: number; listenMs: number };

async function startUp(folder: string, args: readonly string[]): Promise<MonitorProcess> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [program, "up", "--port", "0", ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout?.on("data", (part) => {
    out = (out + part).slice(-20_000);
  });
  while (!/^page (\S+)\/$/m.test(out)) {
    if (child.exitCode !== null) throw new Error(`v1watch up exited: ${out}`);
    await sleep(10);
  }
  const listenMs = performance.now() - startMs;
  return { child, url: /^page (\S+)\/$/m.exec(out)?.[1] ?? "", pid: child.pid ?? 0, listenMs };
}

async function stop({ child }: MonitorProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

const agent = new Agent({ keepAlive: true, maxSockets: 400 });

/** The number of bytes of the body as transferred. */
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

const firstView = [
  ...[
    "/",
    "/page.css",
    "/views.css",
    "/uplot.css",
    "/uplot.js",
    "/page.js",
    "/state.js",
    "/dom.js",
    "/status.js",
  ],
  ...[
    "/decide.js",
    "/overview.js",
    "/charts.js",
    "/incidents.js",
    "/checks.js",
    "/records.js",
    "/simulator.js",
  ],
  ...["/icon.svg", "/api/series"],
];

const residentMiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;

/** The CPU time of the process since its start. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The longest interval between two ticks, from the event stream. */
async function longestInterval(url: string, ms: number): Promise<{ longestMs: number; ticks: number }> {
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
    // The measurement time has ended.
  }
  const intervals = ticks.slice(1).map((tickMs, index) => tickMs - (ticks[index] ?? tickMs));
  return { longestMs: Math.max(0, ...intervals), ticks: ticks.length };
}

async function addReaders(url: string, ms: number, readers: number, perSecond: number): Promise<void> {
  const ended = new AbortController();
  for (let reader = 0; reader < readers; reader += 1)
    get(`${url}/api/events`, { agent: false, signal: ended.signal }, (response) => response.resume()).on(
      "error",
      () => {},
    );
  const paths = ["/api/summary?range=1h", "/api/incidents", "/api/drift", "/api/gaps", "/api/notices"];
  const untilMs = Date.now() + ms;
  let sent = 0;
  while (Date.now() < untilMs) {
    const due = Math.floor(((ms - (untilMs - Date.now())) / 1_000) * perSecond);
    for (; sent < due; sent += 1) fetchBytes(`${url}${paths[sent % paths.length]}`).catch(() => {});
    await sleep(10);
  }
  await sleep(500);
  ended.abort();
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let number = 0; number < times; number += 1) {
    const fromMs = performance.now();
    await work();
    taken.push(performance.now() - fromMs);
  }
  return taken.toSorted((a, b) => a - b)[times >> 1] ?? Number.NaN;
}

/** In Chromium, of several visits without a cache: the first paint, and the status and charts with their data. */
async function paint(url: string): Promise<Row[]> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const [first, status, charts]: [number[], number[], number[]] = [[], [], []];
  for (let visit = 0; visit < 7; visit += 1) {
    const page = await browser.newPage();
    await page.goto(url, { waitUntil: "commit" });
    const sinceStart = () => page.evaluate<number>("performance.now()");
    await page.locator("#nav a").first().waitFor();
    status.push(await sinceStart());
    await page.locator(".plot canvas").nth(2).waitFor();
    charts.push(await sinceStart());
    first.push(
      await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
    );
    await page.close();
  }
  await browser.close();
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return [
    row("first paint with a year of history", middle(first), "ms", 300),
    row("status of V1 shown", middle(status), "ms", 800),
    row("charts shown", middle(charts), "ms", 1_000),
  ];
}

export async function benchPage(): Promise<Row[]> {
  build();
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const rows: Row[] = [];
  const simulator = await startSimulator();
  try {
    const path = join(folder, "year.db");
    const opened = openStore(path, { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const tickMs = 1_800_000;
    await fillYear(opened.store, (Math.floor(Date.now() / tickMs) - 1) * tickMs, 365);
    opened.store.close();

    // The second start is measured, because the first one also fills the compile cache.
    await stop(await startUp(folder, ["--base-url", simulator.url, "--allow-loopback", "--store", path]));
    const year = await startUp(folder, ["--base-url", simulator.url, "--allow-loopback", "--store", path]);
    await sleep(3_000);
    let bytes = 0;
    const fromMs = performance.now();
    for (const file of firstView) bytes += await fetchBytes(year.url + file);
    bytes += await fetchBytes(`${year.url}/api/summary`);
    rows.push(row("first view", performance.now() - fromMs, "ms", 500));
    rows.push(row("first view, transferred", bytes / 1_024, "KB", 300));
    rows.push(...(await paint(year.url)));
    const listMs = await median(9, () => fetchBytes(`${year.url}/api/observations?result=failed&limit=50`));
    rows.push(row("a filtered list of checks", listMs, "ms", 30));
    const allMs = performance.now();
    await fetchBytes(`${year.url}/api/summary?range=all`);
    rows.push(row("view of the whole year", performance.now() - allMs, "ms", 500));
    await sleep(5_000);
    const cpuBefore = cpuSeconds(year.pid);
    await sleep(20_000);
    rows.push(row("idle CPU", ((cpuSeconds(year.pid) - cpuBefore) / 20) * 100, "% of a core", 2));
    rows.push(row("idle memory with a year of history and readers", residentMiB(year.pid), "MiB", 120));
    await stop(year);

    // The first start in a folder, with the simulator and without a reader.
    const idle = await startUp(folder, []);
    rows.push(row("start until the page listens", idle.listenMs, "ms", 1_000));
    await sleep(60_000);
    // 100 MB are 95.4 MiB.
    rows.push(row("idle memory after a minute", residentMiB(idle.pid), "MiB", 95.4));
    await stop(idle);

    const quick = await startUp(folder, ["--every", "2"]);
    await sleep(3_000);
    const baseline = await longestInterval(quick.url, 12_000);
    const [loaded] = await Promise.all([
      longestInterval(quick.url, 14_000),
      addReaders(quick.url, 14_000, 100, 200),
    ]);
    const delayMs = loaded.longestMs - baseline.longestMs;
    rows.push(row("delay of a tick by 100 readers and 200 requests/s", Math.max(0, delayMs), "ms", 250));
    await stop(quick);
    return rows;
  } finally {
    agent.destroy();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
