// npm run soak: the watch under random scenarios, kills, a full disk, a corrupt file and a jumping clock.
// Prints what was tried, that nothing acknowledged was lost, and how the heap grew.
//   npm run soak -- --minutes 5 --seed 7
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openStore } from "../lib/local/store/store.ts";
import { effectKinds } from "../lib/simulator/effects/index.ts";
import { scenarioNames } from "../lib/simulator/scenarios.ts";
import { jumpClock } from "./soak-clock.ts";
import { type Station, startStation } from "./soak-station.ts";

const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const minutes = Number(values.minutes ?? 3);
const seed = Number(values.seed ?? Date.now() % 100_000);
if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error("--minutes and --seed take numbers");

let state = seed;
/** A small generator of our own, so that a seed repeats a run. */
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
let station: Station;

function mountDisk(path: string): string | undefined {
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", path], { stdio: "pipe" });
    return path;
  } catch {
    return undefined;
  }
}

const expectThat = (isSo: boolean, words: string) => {
  if (!isSo) faults.push(words);
};

async function acknowledge(): Promise<void> {
  for (const id of await station.observationIds(100)) acknowledged.add(id);
}

function countLost(): number {
  const opened = openStore(storePath, { mode: "read" });
  if (opened.kind !== "open") return acknowledged.size;
  const lost = [...acknowledged].filter((id) => !opened.store.history.observation(id)).length;
  opened.store.close();
  return lost;
}

const deeds: Record<string, () => Promise<void>> = {
  async "a random effect"() {
    await station.post("inject", { kind: pick(effectKinds) });
    await sleep(3_000 + chance() * 3_000);
    await station.post("clear", {});
  },
  async "a random scenario"() {
    await station.post("scenario", { name: pick(scenarioNames) });
    await sleep(4_000 + chance() * 4_000);
    await station.post("clear", {});
  },
  async "kill -9, at a random instant"() {
    await acknowledge();
    await sleep(chance() * 2_000);
    await station.kill();
    const lost = countLost();
    expectThat(lost === 0, `${lost} acknowledged observations are lost after kill -9`);
    station = await startStation(folder, storePath);
  },
  async "SIGTERM, at a random instant"() {
    await sleep(chance() * 2_000);
    const code = await station.stop();
    expectThat(code === 0, `SIGTERM ended with ${code}`);
    station = await startStation(folder, storePath);
  },
  async "a corrupt file"() {
    await station.stop();
    const file = await open(storePath, "r+");
    const at = Math.floor((0.2 + 0.5 * chance()) * statSync(storePath).size);
    await file.write(Buffer.alloc(32_768, 0x5a), 0, 32_768, at);
    await file.close();
    station = await startStation(folder, storePath);
    const kept = readdirSync(disk ?? folder).some((name) => name.includes(".corrupt-"));
    if (kept) acknowledged = new Set();
    expectThat(kept || countLost() === 0, "a corrupt file was neither set aside nor whole");
    for (const name of readdirSync(disk ?? folder))
      if (name.includes(".corrupt-")) rmSync(join(disk ?? folder, name));
  },
  async "a jumping clock"() {
    for (const fault of await jumpClock(join(folder, "clock.db"), chance)) faults.push(fault);
  },
  ...(disk && {
    async "a full disk"() {
      // Who asks nothing has nothing to write: another time.
      if ((await station.readHeld()).length > 0) return;
      await acknowledge();
      const ballast = join(disk, "ballast");
      try {
        writeFileSync(ballast, Buffer.alloc(64 * 2 ** 20));
      } catch {
        // As much as fits: that is the point.
      }
      const isSaid = await station.waitForHealth(503, 30_000);
      expectThat(isSaid, "a full disk is not said as DEGRADED");
      rmSync(ballast, { force: true });
      const isOver = await station.waitForHealth(200, 30_000);
      expectThat(isOver, "DEGRADED does not end when there is space again");
      const lost = countLost();
      expectThat(lost === 0, `${lost} acknowledged observations are lost after a full disk`);
    },
  }),
};

const startedMs = Date.now();
const untilMs = startedMs + minutes * 60_000;
/** The last third has no kills, so that the heap has time to tell. */
const killsUntilMs = startedMs + (minutes * 60_000 * 2) / 3;
const gentle = ["a random effect", "a random scenario", "a jumping clock"];
const heap: { atMs: number; bytes: number }[] = [];

console.log(
  `soak: ${minutes} min, seed ${seed}${disk ? "" : "; without a full disk, which needs root to mount a small one"}`,
);
station = await startStation(folder, storePath);
try {
  while (Date.now() < untilMs) {
    const isGentle = Date.now() > killsUntilMs;
    const name = pick(isGentle ? gentle : Object.keys(deeds));
    tried.set(name, (tried.get(name) ?? 0) + 1);
    await deeds[name]?.();
    await acknowledge();
    if (isGentle) heap.push({ atMs: Date.now(), bytes: await station.heapBytes() });
  }
  const code = await station.stop();
  expectThat(code === 0, `the end came with ${code}`);
  const lost = countLost();
  expectThat(lost === 0, `${lost} of ${acknowledged.size} acknowledged observations are lost`);
} finally {
  await station.kill();
  if (disk) execFileSync("umount", [disk]);
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
}

/** The floor of the heap, early and late: what lies above it is waiting to be collected. */
function heapGrowthMiB(): number {
  const half = Math.ceil(heap.length / 2);
  const floor = (samples: typeof heap) => Math.min(...samples.map(({ bytes }) => bytes)) / 2 ** 20;
  return heap.length < 4 ? 0 : floor(heap.slice(half)) - floor(heap.slice(0, half));
}

for (const [name, times] of [...tried].sort(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`  ${String(times).padStart(4)} × ${name}`);
const growth = heapGrowthMiB();
const spanMinutes = ((heap.at(-1)?.atMs ?? 0) - (heap[0]?.atMs ?? 0)) / 60_000;
console.log(
  `  heap's floor ${growth >= 0 ? "+" : ""}${growth.toFixed(1)} MiB over the last ${spanMinutes.toFixed(1)} min`,
);
if (growth > 8) faults.push(`the heap grows: ${growth.toFixed(1)} MiB`);
console.log(
  `  ${acknowledged.size} observations acknowledged since the last corrupt file, none lost`.replace(
    "none",
    faults.some((one) => one.includes("lost")) ? "SOME" : "none",
  ),
);
for (const fault of faults) console.log(`  FAULT ${fault}`);
console.log(faults.length === 0 ? "soak: nothing was lost, nothing died" : "soak: FAULTS");
process.exitCode = faults.length === 0 ? 0 : 1;
