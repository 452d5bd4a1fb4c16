// A watch whose clock jumps by seconds, hours and months, both ways: it goes on, and never asks too often.
import { rmSync } from "node:fs";
import { assessmentSettings } from "../lib/config/config.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../lib/local/simulation.ts";
import { openStore } from "../lib/local/store/store.ts";
import { createProcessState, watchOnce } from "../lib/local/watch.ts";
import type { Ports } from "../lib/ports.ts";

const jumpsMs = [2_000, 10_000, 3_600_000, -3_600_000, 30 * 86_400_000, -30 * 86_400_000, 400 * 86_400_000];
const rounds = 20;
/** Three endpoints, each with a retry, a anonymous look beside it, and a rare variant. */
const mostRequests = 12;

export async function jumpClock(path: string, chance: () => number): Promise<string[]> {
  const faults: string[] = [];
  for (const suffix of ["", "-wal", "-shm", ".owner"]) rmSync(path + suffix, { force: true });
  const opened = openStore(path, { mode: "own" });
  if (opened.kind !== "open") return [`the clock's store is ${opened.kind}`];
  let nowMs = Date.now();
  const simulation = await startSimulation({ passports: 60, clock: { now: () => nowMs } });
  const config = configForSimulator(simulation.simulator.url, 10, path);
  const { ledger, outbox, close } = opened.store;
  const ports: Ports = {
    ...{ nowMs: () => nowMs, ledger, outbox },
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    delivery: { alert: async () => {}, metrics: async () => {} },
  };
  const processState = createProcessState(ports);
  const input = { config, ports, settings: assessmentSettings(config), allowLoopback: true, onTick() {} };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const before = simulation.simulator.requests();
      const tick = await watchOnce({ ...input, signal: new AbortController().signal }, processState);
      const asked = simulation.simulator.requests() - before;
      if (asked > mostRequests) faults.push(`${asked} requests in one tick after a jump of the clock`);
      if (tick.degraded) faults.push(`a jump of the clock: ${tick.degraded.why}`);
      if (!(tick.nextTickMs > nowMs)) faults.push("the next tick is not ahead after a jump of the clock");
      nowMs += jumpsMs[Math.floor(chance() * jumpsMs.length)] ?? 0;
    }
  } finally {
    close();
    await simulation.simulator.close();
  }
  return faults;
}
