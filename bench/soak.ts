// `v1watch up` under random scenarios, kills, a corrupt file and a full disk: what was tried, the lost observations, the growth of
// the heap, and a search for the key and for people in what it writes and serves.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../lib/local/store/store.ts";
import { effectKinds } from "../lib/simulator/effects/index.ts";
import { scenarioNames } from "../lib/simulator/scenarios.ts";
import { createChance } from "../test/random.ts";
import { describeHits, readFolder, testSentinels } from "../test/sentinels.ts";
import { startMonitorProcess } from "./monitor-process.ts";
import type { Finding } from "./promises.ts";

/** A disk that can be filled; root alone may mount one. */
export function mountDisk(path: string): string | undefined {
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", path], { stdio: "pipe" });
    return path;
  } catch {
    return undefined;
  }
}

/** Compares the minimum of the heap in both halves. Memory above the minimum is not yet collected garbage. */
function growthMiB(heapBytes: readonly number[]): number {
  const half = Math.ceil(heapBytes.length / 2);
  const minimum = (samples: readonly number[]) => Math.min(...samples) / 2 ** 20;
  return heapBytes.length < 4 ? 0 : minimum(heapBytes.slice(half)) - minimum(heapBytes.slice(0, half));
}

const maxGrowthMiB = 8;

export async function soak(minutes: number, seed: number): Promise<Finding> {
  const chance = createChance(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;
  const folder = mkdtempSync(join(tmpdir(), "v1watch-soak-"));
  const disk = mountDisk(join(folder, "disk"));
  const storeFolder = disk ?? folder;
  const storePath = join(storeFolder, "soak.db");
  const tried = new Map<string, number>();
  const faults: string[] = [];
  const heapBytes: number[] = [];
  let acknowledged = new Set<string>();
  let searched = 0;
  let monitor = await startMonitorProcess(folder, storePath);

  const check = (isOk: boolean, fault: string) => {
    if (!isOk) faults.push(fault);
  };
  const recordAcknowledged = async () => {
    for (const id of await monitor.observationIds(100)) acknowledged.add(id);
  };
  /** The store with its log and what is left of damaged ones, what the monitor serves, and what it has printed. */
  const searchSentinels = async () => {
    const artefacts = { ...readFolder(folder), ...(await monitor.readArtefacts()) };
    searched += Object.keys(artefacts).length;
    faults.push(...describeHits(artefacts, testSentinels));
  };
  const countLost = () => {
    const opened = openStore(storePath, { mode: "read" });
    if (opened.kind !== "open") return acknowledged.size;
    const lost = [...acknowledged].filter((id) => !opened.store.history.observation(id)).length;
    opened.store.close();
    return lost;
  };
  const checkLost = (when: string) => {
    const lost = countLost();
    check(lost === 0, `${lost} of ${acknowledged.size} acknowledged observations were lost ${when}`);
  };

  const gentle: Record<string, () => Promise<void>> = {
    async "a random effect"() {
      await monitor.post("inject", { kind: pick(effectKinds) });
      await sleep(3_000 + chance() * 3_000);
      await monitor.post("clear", {});
    },
    async "a random scenario"() {
      await monitor.post("scenario", { name: pick(scenarioNames) });
      await sleep(4_000 + chance() * 4_000);
      await monitor.post("clear", {});
    },
  };
  const all: typeof gentle = {
    ...gentle,
    async "kill -9 at a random time"() {
      await recordAcknowledged();
      await searchSentinels();
      await sleep(chance() * 2_000);
      await monitor.kill();
      checkLost("after kill -9");
      monitor = await startMonitorProcess(folder, storePath);
    },
    async "SIGTERM at a random time"() {
      await sleep(chance() * 2_000);
      const code = await monitor.stop();
      check(code === 0, `exit code ${code} after SIGTERM`);
      monitor = await startMonitorProcess(folder, storePath);
    },
    async "a corrupt file"() {
      await monitor.stop();
      const file = await open(storePath, "r+");
      const at = Math.floor((0.2 + 0.5 * chance()) * statSync(storePath).size);
      await file.write(Buffer.alloc(32_768, 0x5a), 0, 32_768, at);
      await file.close();
      monitor = await startMonitorProcess(folder, storePath);
      const kept = readdirSync(storeFolder).filter((name) => name.includes(".corrupt-"));
      if (kept.length > 0) acknowledged = new Set();
      check(kept.length > 0 || countLost() === 0, "a corrupt file was neither set aside nor complete");
      for (const name of kept) rmSync(join(storeFolder, name));
    },
  };
  if (disk)
    all["a full disk"] = async () => {
      // While requests are deferred nothing is written, so this action is skipped.
      if ((await monitor.readDeferred()).length > 0) return;
      await recordAcknowledged();
      const ballast = join(disk, "ballast");
      try {
        writeFileSync(ballast, Buffer.alloc(64 * 2 ** 20));
      } catch {
        // The write fails when the disk is full, which is intended.
      }
      check(await monitor.waitForHealth(503, 30_000), "a full disk is not reported as DEGRADED");
      rmSync(ballast, { force: true });
      check(await monitor.waitForHealth(200, 30_000), "DEGRADED does not end after space is available again");
      checkLost("after a full disk");
    };

  const startedMs = Date.now();
  const durationMs = minutes * 60_000;
  try {
    while (Date.now() < startedMs + durationMs) {
      // The last third has no kills, so that the growth of the heap can be measured.
      const isMeasuring = Date.now() > startedMs + (durationMs * 2) / 3;
      const actions = isMeasuring ? gentle : all;
      const name = pick(Object.keys(actions));
      tried.set(name, (tried.get(name) ?? 0) + 1);
      await actions[name]!();
      await recordAcknowledged();
      if (isMeasuring) heapBytes.push(await monitor.heapBytes());
    }
    await searchSentinels();
    const code = await monitor.stop();
    check(code === 0, `exit code ${code} at the end`);
    checkLost("at the end");
  } finally {
    await monitor.kill();
    if (disk) execFileSync("umount", [disk]);
    rmSync(folder, { recursive: true, force: true });
  }
  const growth = growthMiB(heapBytes);
  check(growth <= maxGrowthMiB, `the heap grew by ${growth.toFixed(1)} MiB`);
  const actions = [...tried].sort().map(([name, times]) => `${times} × ${name}`);
  return {
    figure: `${minutes} min (${actions.join(", ")}): ${acknowledged.size} observations acknowledged since the last corrupt file, ${faults.length} faults; ${searched} artefacts searched; heap ${growth.toFixed(1)} MiB more in the last third`,
    faults,
  };
}
