// The dashboard of `v1watch up` with a year of observations: its time and size, and the start and the idle load of the monitor. The
// program is the built package, as it is installed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startSimulator } from "../lib/simulator/server.ts";
import { spawnMonitor } from "./monitor-process.ts";
import { createYear } from "./report-year.ts";
import { median, type Row, row, timeMedian } from "./table.ts";

const program = fileURLToPath(new URL("../dist/bin/v1watch.js", import.meta.url));
const build = () => execFileSync(process.execPath, [fileURLToPath(new URL("../build.ts", import.meta.url))]);

const start = (folder: string, args: readonly string[]) =>
  spawnMonitor({ program, folder, args: ["--port", "0", ...args] });

const agent = new Agent({ keepAlive: true });

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
  return [
    row("first paint with a year of history", median(first), "ms", 300),
    row("status of V1 shown", median(status), "ms", 800),
    row("charts shown", median(charts), "ms", 1_000),
  ];
}

export async function benchPage(): Promise<Row[]> {
  build();
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const rows: Row[] = [];
  const simulator = await startSimulator();
  try {
    const path = join(folder, "year.db");
    const tickMs = 1_800_000;
    await createYear(path, (Math.floor(Date.now() / tickMs) - 1) * tickMs, 365);

    // The second start is measured, because the first one also fills the compile cache.
    await (await start(folder, ["--base-url", simulator.url, "--allow-loopback", "--store", path])).stop();
    const year = await start(folder, ["--base-url", simulator.url, "--allow-loopback", "--store", path]);
    await sleep(3_000);
    let bytes = 0;
    const fromMs = performance.now();
    for (const file of firstView) bytes += await fetchBytes(year.url + file);
    bytes += await fetchBytes(`${year.url}/api/summary`);
    rows.push(row("first view", performance.now() - fromMs, "ms", 500));
    rows.push(row("first view, transferred", bytes / 1_024, "KB", 300));
    rows.push(...(await paint(year.url)));
    const listMs = await timeMedian(9, () =>
      fetchBytes(`${year.url}/api/observations?result=failed&limit=50`),
    );
    rows.push(row("a filtered list of checks", listMs, "ms", 30));
    const allMs = performance.now();
    await fetchBytes(`${year.url}/api/summary?range=all`);
    rows.push(row("view of the whole year", performance.now() - allMs, "ms", 500));
    await sleep(5_000);
    const cpuBefore = cpuSeconds(year.pid);
    await sleep(20_000);
    rows.push(row("idle CPU", ((cpuSeconds(year.pid) - cpuBefore) / 20) * 100, "% of a core", 2));
    rows.push(row("idle memory with a year of history and readers", residentMiB(year.pid), "MiB", 120));
    await year.stop();

    // The first start in a folder, with the simulator and without a reader.
    const idle = await start(folder, []);
    rows.push(row("start until the dashboard listens", idle.listenMs, "ms", 1_000));
    await sleep(60_000);
    // 100 MB are 95.4 MiB.
    rows.push(row("idle memory after a minute", residentMiB(idle.pid), "MiB", 95.4));
    await idle.stop();
    return rows;
  } finally {
    agent.destroy();
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
