// The cost of looking at a year with 10,000 incidents: charts, export, and whether the monitor answers meanwhile.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readAssessment } from "../lib/assess/assess.ts";
import { runCommand } from "../lib/commands/index.ts";
import { alarmSettings, assessmentSettings } from "../lib/config/assessment-settings.ts";
import { loadConfig } from "../lib/config/config.ts";
import { findRange, readSeries } from "../lib/local/dashboard/series.ts";
import { silentIo } from "../test/commands/terminal.ts";
import { measureTick, tellIncidents } from "./growth.ts";
import { spawnMonitor } from "./monitor-process.ts";
import { createYear, openOwn } from "./report-year.ts";
import { type Row, row, timeMedian } from "./table.ts";

const days = 365;
const incidents = 10_000;
const readers = 5;
const readMs = 15_000;
const startMs = 8_000;

export async function benchLooking(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const path = join(folder, "watch.db");
  try {
    await createYear(path, Date.now() - 60_000, days);
    return await measureLooking(path, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measureLooking(path: string, folder: string): Promise<Row[]> {
  const store = openOwn(path);
  await tellIncidents(store, incidents, Date.now());
  const tickMs = await measureTick(store);
  const loaded = loadConfig({ fileText: '{"baseUrl":"https://api.example.com"}', env: {}, flags: {} });
  if (!loaded.ok) throw new Error("the configuration of the benchmark is invalid");
  const { config } = loaded;
  const { history } = store;
  const { state } = await readAssessment(store.ledger, assessmentSettings(config), Date.now());
  const look = async () => {
    const before = process.cpuUsage();
    const range = findRange({ range: "all" }, "7d", Date.now(), history.firstMs());
    await readSeries({ history, state, range, settings: alarmSettings(config) });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const first = await look();
  const later = Math.max(await look(), await look(), await look());
  store.close();
  const exported = join(folder, "export.jsonl");
  const exportMs = await timeMedian(1, () =>
    runCommand(["store", "export", exported, "--store", path], silentIo),
  );
  const { longestMs, served } = await askLiveness(path, folder);
  return [
    row(
      `a tick after a year with ${incidents.toLocaleString("en-US")} incidents: processor time`,
      tickMs,
      "ms",
      50,
    ),
    row("the first look at its charts after a start: processor time", first, "ms", 1_000),
    row("a later look: processor time", later, "ms", 100),
    row("its export", exportMs, "ms", 3_000),
    row(`/livez while ${readers} readers ask for the year (${served} answers)`, longestMs, "ms", 100),
  ];
}

/** The longest time that the liveness of the monitor takes while readers ask for everything, again and again. */
async function askLiveness(path: string, folder: string): Promise<{ longestMs: number; served: number }> {
  const program = join(import.meta.dirname, "../bin/v1watch.ts");
  const monitor = await spawnMonitor({ program, folder, args: ["--port", "0", "--store", path] });
  // The start has its own cost: it checks the file, and assesses.
  await sleep(startMs);
  const endMs = performance.now() + readMs;
  let [longestMs, served] = [0, 0];
  const read = async (query: string) => {
    while (performance.now() < endMs) {
      for (const view of ["series", "summary"]) {
        const response = await fetch(`${monitor.url}/api/${view}?${query}`);
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`a reader got ${response.status}`);
        served += 1;
      }
    }
  };
  const ask = async () => {
    for (; performance.now() < endMs; await sleep(20)) {
      const askedMs = performance.now();
      await (await fetch(`${monitor.url}/livez`)).text();
      longestMs = Math.max(longestMs, performance.now() - askedMs);
    }
  };
  // Each asks for a span of its own, so that no answer serves two of them.
  const yearAgoMs = Date.now() - days * 86_400_000;
  const queries = Array.from({ length: readers }, (_, index) =>
    index === 0 ? "range=all" : `from=${new Date(yearAgoMs + index * 60_000).toISOString()}`,
  );
  try {
    await Promise.all([...queries.map(read), ask()]);
  } finally {
    await monitor.kill();
  }
  return { longestMs, served };
}
