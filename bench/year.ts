// A year of observations on one machine: the size of the store, and how long it takes to open and to read.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assess } from "../lib/assess/assess.ts";
import { runCommand } from "../lib/commands/index.ts";
import { assessmentSettings } from "../lib/config/assessment-settings.ts";
import { loadConfig } from "../lib/config/config.ts";
import { silentIo } from "../test/commands/terminal.ts";
import { createYear, openOwn } from "./report-year.ts";
import { type Row, row, timeMedian } from "./table.ts";

const days = 365;
const rounds = 5;

export async function benchYear(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const path = join(folder, "watch.db");
  try {
    await createYear(path, Date.now() - 60_000, days);
    const openedMs = performance.now();
    const store = openOwn(path);
    const openMs = performance.now() - openedMs;
    const loaded = loadConfig({ fileText: '{"baseUrl":"https://api.example.com"}', env: {}, flags: {} });
    if (!loaded.ok) throw new Error("the configuration of the benchmark is invalid");
    const ports = {
      nowMs: Date.now,
      readKey: async () => ({ kind: "none" as const }),
      ...store,
      receivers: [],
    };
    const startedMs = performance.now();
    await assess(ports, assessmentSettings(loaded.config));
    const assessMs = performance.now() - startedMs;
    store.close();
    const rows = [
      row("store file", statSync(path).size / 2 ** 20, "MiB", 250),
      row("open the store, with its integrity check", openMs, "ms", 2_000),
      row("one assessment without a memory", assessMs, "ms", 300),
    ];
    for (const name of ["status risk", "status drift", "status undocumented", "incidents"]) {
      const run = () => runCommand([...name.split(" "), "--store", path], silentIo);
      rows.push(row(`v1watch ${name}`, await timeMedian(rounds, run), "ms", 300));
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
