// Runs the monitor with a clock that jumps by seconds, hours and months in both directions. It must keep
// checking within its limits.

import { rmSync } from "node:fs";
import { assessmentSettings } from "../lib/config/assessment-settings.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../lib/local/simulation.ts";
import { openStore } from "../lib/local/store/store.ts";
import { createProcessState, watchOnce } from "../lib/local/watch.ts";
import type { Ports } from "../lib/ports.ts";

const jumpsMs = [2_000, 10_000, 3_600_000, -3_600_000, 30 * 86_400_000, -30 * 86_400_000, 400 * 86_400_000];
const rounds = 20;
/** Three endpoints, each with a retry, an anonymous confirmation and a rare variant. */
const maxRequests = 12;

export async function jumpClock(path: string, chance: () => number): Promise<string[]> {
  const faults: string[] = [];
  for (const suffix of ["", "-wal", "-shm", ".owner"]) rmSync(path + suffix, { force: true });
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") return [`the store of the clock test is ${opened.kind}`];
  let nowMs = Date.now();
  const simulation = await startSimulation({ passports: 60, clock: { now: () => nowMs } });
  const config = configForSimulator(simulation.simulator.url, 10, path);
  const { ledger, outbox, close } = opened.store;
  const ports: Ports = {
    nowMs: () => nowMs,
    ledger,
    outbox,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    receivers: [],
  };
  const processState = createProcessState(ports);
  const input = { config, ports, settings: assessmentSettings(config), allowLoopback: true, onTick() {} };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const before = simulation.simulator.requests();
      const tick = await watchOnce({ ...input, signal: new AbortController().signal }, processState);
      const sent = simulation.simulator.requests() - before;
      if (sent > maxRequests) faults.push(`${sent} requests in one tick after a clock jump`);
      if (tick.degraded) faults.push(`DEGRADED after a clock jump: ${tick.degraded.why}`);
      if (!(tick.nextTickMs > nowMs)) faults.push("the next tick is not in the future after a clock jump");
      nowMs += jumpsMs[Math.floor(chance() * jumpsMs.length)] ?? 0;
    }
  } finally {
    close();
    await simulation.simulator.close();
  }
  return faults;
}
