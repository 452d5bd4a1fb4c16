// The proofs of what the store promises. Each prints one line of JSON with its figure and its result.
//   node bench/soak-store.ts damage --count 1000 --seed 7     random damage to files and to the text of rows
//   node bench/soak-store.ts kills --count 2000               kill -9 of a writer, and of `v1watch up`
//   node bench/soak-store.ts ticks --count 100000 --seed 7    ticks that arrive again and out of order
//   node bench/soak-store.ts clock                            kinds of clock jump
//   node bench/soak-store.ts bodies --count 5000 --seed 7     responses with odd dates and values, in SQLite and DynamoDB
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../lib/local/store/store.ts";
import { jumps, listJumpAlerts, playJumps } from "../test/local/store/clock-jumps.ts";
import { damageStores } from "../test/local/store/damage.ts";
import { killWriters } from "../test/local/store/kills.ts";
import { readBackOddBodies } from "../test/local/store/odd-bodies.ts";
import { repeatTicks } from "../test/local/store/repeated-ticks.ts";
import { type Proofs, runProof } from "./reliability.ts";
import { startMonitorProcess } from "./soak-process.ts";

const number = (value: number) => value.toLocaleString("en-US");

/** One kill in twenty is of `v1watch up`, which needs a second to start. */
const upShare = 20;
/** On average, so that 2,000 kills have at least 20,000 acknowledged rows. */
const rowsPerKill = 10;

async function killUp(kills: number): Promise<{ confirmed: number; faults: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-kill-up-"));
  const storePath = join(folder, "watch.db");
  const confirmed = new Set<string>();
  const faults: string[] = [];
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const monitor = await startMonitorProcess(folder, storePath);
      await sleep(500 + ((kill * 37) % 1_000));
      for (const id of await monitor.observationIds(100)) confirmed.add(id);
      await monitor.kill();
    }
    const opened = openStore(storePath, { mode: "read" });
    if (opened.kind !== "open") return { confirmed: confirmed.size, faults: [`the store is ${opened.kind}`] };
    for (const id of confirmed) if (!opened.store.history.observation(id)) faults.push(`${id} is lost`);
    opened.store.close();
    return { confirmed: confirmed.size, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const proofs: Proofs = {
  damage: {
    count: 1_000,
    isSeeded: true,
    async prove(count, seed) {
      const { refused, recovered, setAside, slowestCpuMs, faults } = await damageStores(count, seed);
      return {
        promise: "damaged stores",
        figure: `${number(count)} random damages: ${faults.length} crashes, silent stops or lost readable rows; ${recovered} files recovered, ${setAside} stores with rows set aside, ${refused} refused unchanged; the slowest start and check used ${Math.round(slowestCpuMs)} ms of processor time; seed ${seed}`,
        faults,
      };
    },
  },
  kills: {
    count: 2_000,
    isSeeded: false,
    async prove(count) {
      const ofUp = Math.floor(count / upShare);
      const writer = await killWriters(count - ofUp);
      const up = await killUp(ofUp);
      const confirmed = writer.confirmed + up.confirmed;
      const lost = [...writer.faults, ...up.faults];
      const isEnough = confirmed >= count * rowsPerKill;
      return {
        promise: "kill -9",
        figure: `${number(count)} kills, ${ofUp} of them of \`v1watch up\`: ${number(confirmed)} acknowledged rows, ${lost.length} lost`,
        faults: isEnough ? lost : [...lost, `fewer than ${rowsPerKill} acknowledged rows for each kill`],
      };
    },
  },
  ticks: {
    count: 100_000,
    isSeeded: true,
    async prove(count, seed) {
      const { ticks, rows, alerts, faults } = await repeatTicks(count, seed);
      return {
        promise: "repeated and reordered ticks",
        figure: `${number(ticks)} ticks: ${number(rows)} rows and ${alerts} alert ids, ${faults.length} differences from an arrival in order; seed ${seed}`,
        faults,
      };
    },
  },
  bodies: {
    count: 5_000,
    isSeeded: true,
    async prove(count, seed) {
      const { leftOut, faults } = await readBackOddBodies(count, seed);
      return {
        promise: "odd dates and values",
        figure: `${number(count)} responses, each in SQLite and in DynamoDB: ${faults.length} lost, changed or unreadable; ${leftOut} with a value that had to be left out; seed ${seed}`,
        faults,
      };
    },
  },
  clock: {
    count: jumps.length,
    isSeeded: false,
    async prove(count) {
      const results = await playJumps(jumps.slice(0, count));
      const lost = results.reduce((sum, result) => sum + result.lost, 0);
      const most = Math.max(...results.map((result) => listJumpAlerts(result).length));
      return {
        promise: "clock",
        figure: `${results.length} kinds of jump, starts with a wrong clock and wrong clocks of V1 among them: ${lost} rows lost, at most ${most} messages of each, V1's fault reported in ${results.filter(({ isFaultReported }) => isFaultReported).length}`,
        faults: results.flatMap((result) => {
          const { name, lost, isFaultReported } = result;
          const ids = listJumpAlerts(result).map(({ id }) => id);
          return [
            ...(lost > 0 ? [`${name}: ${lost} rows lost`] : []),
            ...(ids.length > 2 ? [`${name}: ${ids.join(", ")}`] : []),
            ...(isFaultReported ? [] : [`${name}: V1's fault is not reported`]),
          ];
        }),
      };
    },
  },
};

await runProof("bench/soak-store.ts", proofs);
