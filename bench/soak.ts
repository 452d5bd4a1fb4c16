// npm run soak: runs the monitor with random scenarios, kills, a full disk, a corrupt file and clock jumps, observes a
// million hostile bodies, and then plays 90 days of ordinary weather for 20 seeds. Prints the actions, the number of lost
// observations, the growth of the heap, the figures of the hostile bodies, and the false pages and messages of each seed.
//   npm run soak -- --minutes 5 --seed 7 --bodies 1000000 --weather-seeds 20
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../lib/local/store/store.ts";
import { effectKinds } from "../lib/simulator/effects/index.ts";
import { scenarioNames } from "../lib/simulator/scenarios.ts";
import { describeHits, readFolder, testSentinels } from "../test/sentinels.ts";
import { drawSeed, readCommandLine } from "./command-line.ts";
import { soakBodies } from "./soak-bodies.ts";
import { jumpClock } from "./soak-clock.ts";
import { type MonitorProcess, startMonitorProcess } from "./soak-process.ts";
import { soakWeather } from "./soak-weather.ts";

const usage =
  "Usage: node bench/soak.ts [--minutes N] [--seed N] [--bodies N] [--weather-seeds N]\nExample: node bench/soak.ts --minutes 1 --bodies 10000 --weather-seeds 1";
const { numbers } = readCommandLine(usage, [], ["minutes", "seed", "bodies", "weather-seeds"]);
const { minutes = 3, seed = drawSeed(), bodies = 1_000_000, "weather-seeds": weatherSeeds = 20 } = numbers;

let state = seed;
/** A seeded random generator, so that a seed reproduces a run. */
const chance = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;

const folder = mkdtempSync(join(tmpdir(), "v1watch-soak-"));
const disk = mountDisk(join(folder, "disk"));
const storePath = join(disk ?? folder, "soak.db");
const tried = new Map<string, number>();
const faults: string[] = [];
let acknowledged = new Set<string>();
let monitor: MonitorProcess;

function mountDisk(path: string): string | undefined {
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", path], { stdio: "pipe" });
    return path;
  } catch {
    return undefined;
  }
}

const check = (isOk: boolean, fault: string) => {
  if (!isOk) faults.push(fault);
};

async function recordAcknowledged(): Promise<void> {
  for (const id of await monitor.observationIds(100)) acknowledged.add(id);
}

let searched = 0;

/** The store with its log and what is left of damaged ones, what the monitor serves, and what it has printed. */
async function searchSentinels(): Promise<void> {
  const artefacts = { ...readFolder(folder), ...(await monitor.readArtefacts()) };
  searched += Object.keys(artefacts).length;
  faults.push(...describeHits(artefacts, testSentinels));
}

function countLost(): number {
  const opened = openStore(storePath, { mode: "read" });
  if (opened.kind !== "open") return acknowledged.size;
  const lost = [...acknowledged].filter((id) => !opened.store.history.observation(id)).length;
  opened.store.close();
  return lost;
}

const actions: Record<string, () => Promise<void>> = {
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
  async "kill -9 at a random time"() {
    await recordAcknowledged();
    await searchSentinels();
    await sleep(chance() * 2_000);
    await monitor.kill();
    const lost = countLost();
    check(lost === 0, `${lost} acknowledged observations were lost after kill -9`);
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
    const kept = readdirSync(disk ?? folder).some((name) => name.includes(".corrupt-"));
    if (kept) acknowledged = new Set();
    check(kept || countLost() === 0, "a corrupt file was neither set aside nor complete");
    for (const name of readdirSync(disk ?? folder))
      if (name.includes(".corrupt-")) rmSync(join(disk ?? folder, name));
  },
  async "clock jumps"() {
    for (const fault of await jumpClock(join(folder, "clock.db"), chance)) faults.push(fault);
  },
  ...(disk && {
    async "a full disk"() {
      // While requests are deferred nothing is written, so this action is skipped.
      if ((await monitor.readDeferred()).length > 0) return;
      await recordAcknowledged();
      const ballast = join(disk, "ballast");
      try {
        writeFileSync(ballast, Buffer.alloc(64 * 2 ** 20));
      } catch {
        // The write fails when the disk is full, which is intended.
      }
      const isDegraded = await monitor.waitForHealth(503, 30_000);
      check(isDegraded, "a full disk is not reported as DEGRADED");
      rmSync(ballast, { force: true });
      const isRecovered = await monitor.waitForHealth(200, 30_000);
      check(isRecovered, "DEGRADED does not end after space is available again");
      const lost = countLost();
      check(lost === 0, `${lost} acknowledged observations were lost after a full disk`);
    },
  }),
};

const startedMs = Date.now();
const untilMs = startedMs + minutes * 60_000;
/** The last third has no kills, so that the growth of the heap can be measured. */
const killsUntilMs = startedMs + (minutes * 60_000 * 2) / 3;
const actionsWithoutKill = ["a random effect", "a random scenario", "clock jumps"];
const heap: { atMs: number; bytes: number }[] = [];

console.log(
  `soak: ${minutes} min, seed ${seed}${disk ? "" : '; without the action "a full disk", which needs root to mount a small file system'}`,
);
monitor = await startMonitorProcess(folder, storePath);
try {
  while (Date.now() < untilMs) {
    const isMeasuring = Date.now() > killsUntilMs;
    const name = pick(isMeasuring ? actionsWithoutKill : Object.keys(actions));
    tried.set(name, (tried.get(name) ?? 0) + 1);
    await actions[name]?.();
    await recordAcknowledged();
    if (isMeasuring) heap.push({ atMs: Date.now(), bytes: await monitor.heapBytes() });
  }
  await searchSentinels();
  const code = await monitor.stop();
  check(code === 0, `exit code ${code} at the end`);
  const lost = countLost();
  check(lost === 0, `${lost} of ${acknowledged.size} acknowledged observations were lost`);
} finally {
  await monitor.kill();
  if (disk) execFileSync("umount", [disk]);
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
}

/** Compares the minimum of the heap in both halves. Memory above the minimum is not yet collected garbage. */
function heapGrowthMiB(): number {
  const half = Math.ceil(heap.length / 2);
  const minimum = (samples: typeof heap) => Math.min(...samples.map(({ bytes }) => bytes)) / 2 ** 20;
  return heap.length < 4 ? 0 : minimum(heap.slice(half)) - minimum(heap.slice(0, half));
}

for (const [name, times] of [...tried].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`  ${String(times).padStart(4)} × ${name}`);
const growth = heapGrowthMiB();
const spanMinutes = ((heap.at(-1)?.atMs ?? 0) - (heap[0]?.atMs ?? 0)) / 60_000;
console.log(
  `  minimum of the heap ${growth >= 0 ? "+" : ""}${growth.toFixed(1)} MiB over the last ${spanMinutes.toFixed(1)} min`,
);
if (growth > 8) faults.push(`the heap grew by ${growth.toFixed(1)} MiB`);
console.log(
  `  ${acknowledged.size} observations acknowledged since the last corrupt file, none lost`.replace(
    "none",
    faults.some((one) => one.includes("lost")) ? "SOME" : "none",
  ),
);
console.log(`  ${searched} artefacts searched for the key and for people`);
faults.push(...(await soakBodies(bodies, seed)));
faults.push(...(await soakWeather(weatherSeeds)));
for (const fault of faults) console.log(`  FAULT ${fault}`);
console.log(faults.length === 0 ? "soak: no faults" : "soak: FAULTS");
process.exitCode = faults.length === 0 ? 0 : 1;
