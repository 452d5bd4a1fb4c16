// The duration of commands and of one assessment with a year of observations.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assess } from "../lib/assess/assess.ts";
import { runCommand } from "../lib/commands/index.ts";
import { openStore } from "../lib/local/store/store.ts";
import { observationsOf } from "./store.ts";
import { median, type Row } from "./table.ts";

const dayMs = 86_400_000;
const days = 365;
const rounds = 5;
const goalMs = 300;

const settings = {
  baseUrl: "https://api.example.com",
  runbookUrl: "docs/runbook.md",
  frozenAfterMs: 1.5 * dayMs,
  slowMs: 5_000,
  monthlyRequests: 5_000,
  silentAfterMs: dayMs,
};

async function timeCommand(name: string, store: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await runCommand([name, "--store", store], {
      out: () => {},
      err: () => {},
      stdin: async () => new Uint8Array(),
      env: {},
      isTerminal: false,
      signal: new AbortController().signal,
    });
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

export async function benchGrowth(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const path = join(folder, "watch.db");
  try {
    const opened = openStore(path, { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const { store } = opened;
    const fromMs = Math.floor(Date.now() / dayMs) * dayMs - (days - 1) * dayMs;
    let nowMs = fromMs;
    const delivery = { alert: async () => {}, metrics: async () => {} };
    const ports = {
      nowMs: () => nowMs,
      readKey: async () => ({ kind: "none" as const }),
      ...store,
      delivery,
    };
    for (let day = 0; day < days; day++) {
      for (const observation of observationsOf(day, fromMs)) {
        if (Date.parse(observation.at) <= Date.now()) await store.ledger.append(observation);
      }
      nowMs = Math.min(Date.now(), fromMs + (day + 1) * dayMs - 1);
      await assess(ports, settings);
    }
    const startedAt = performance.now();
    await assess(ports, settings);
    const assessmentMs = performance.now() - startedAt;
    store.close();
    const rows: Row[] = [
      {
        name: "growth: one assessment after a year",
        value: Math.round(assessmentMs),
        unit: "ms",
        goal: `≤ ${goalMs}`,
        ok: assessmentMs <= goalMs,
      },
    ];
    for (const name of ["outlook", "drift", "gaps", "incidents"]) {
      const value = await timeCommand(name, path);
      rows.push({
        name: `growth: command ${name} after a year`,
        value: Math.round(value),
        unit: "ms",
        goal: `≤ ${goalMs}`,
        ok: value <= goalMs,
      });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchGrowth());
