// The hostile part of the soak test: the corpus, the floods and many generated responses, each observed as the probe
// does it. In a process of its own, because only there is the peak of memory that of these bodies.
//   node --max-semi-space-size=1 --max-old-space-size=128 bench/soak-bodies.ts --bodies 1000000 --seed 7      prints the promise with its figures as one line of JSON
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { corpus, floodBodies } from "../test/probe/validate/hostile-corpus.ts";
import { generateResponses, observeHostile } from "../test/probe/validate/hostile-generator.ts";
import { drawSeed, readCommandLine } from "./command-line.ts";
import type { Proof } from "./reliability.ts";

const file = fileURLToPath(import.meta.url);
const limits = { memoryMb: 256, slowestMs: 500, recordBytes: 8_192 };

function observeAll(bodies: number, seed: number): Proof & { faults: string[] } {
  const parts = [
    observeHostile(corpus()),
    observeHostile(floodBodies()),
    observeHostile(generateResponses(bodies, seed)),
  ];
  const total = parts.reduce((sum, part) => sum + part.bodies, 0);
  const largest = Math.max(...parts.map(({ largestRecordBytes }) => largestRecordBytes));
  const slowest = parts.reduce((one, other) => (one.slowestMs > other.slowestMs ? one : other));
  const memoryMb = Math.ceil(process.resourceUsage().maxRSS / 1_000);
  const faults = [
    ...parts.flatMap((part) => part.faults),
    ...(memoryMb < limits.memoryMb ? [] : [`${memoryMb} MB of memory`]),
    ...(slowest.slowestMs < limits.slowestMs
      ? []
      : [`${Math.round(slowest.slowestMs)} ms for one body: ${slowest.slowest}`]),
    ...(largest < limits.recordBytes ? [] : [`a record of ${largest} bytes`]),
  ];
  return {
    promise: "hostile bodies",
    figure: `${total.toLocaleString("en-US")} bodies, ${faults.length} faults, ${memoryMb} MB of memory, slowest body ${Math.round(slowest.slowestMs)} ms, largest record ${largest.toLocaleString("en-US")} bytes, seed ${seed}`,
    command: `node --max-semi-space-size=1 --max-old-space-size=128 bench/soak-bodies.ts --bodies ${bodies} --seed ${seed}`,
    result: faults.length === 0 ? "held" : "broken",
    at: new Date().toISOString(),
    faults,
  };
}

/** Prints the figures; returns what went wrong. */
export async function soakBodies(bodies: number, seed: number): Promise<string[]> {
  const args = [
    "--max-semi-space-size=1",
    "--max-old-space-size=128",
    file,
    "--bodies",
    String(bodies),
    "--seed",
    String(seed),
  ];
  // The exit code is 1 where the promise is broken; the line says why.
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error) => error as { stdout: string },
  );
  const { figure, faults } = JSON.parse(stdout) as ReturnType<typeof observeAll>;
  console.log(`soak: ${figure}`);
  return faults;
}

if (process.argv[1] === file) {
  const usage =
    "Usage: node bench/soak-bodies.ts [--bodies N] [--seed N]\nExample: node bench/soak-bodies.ts --bodies 10000 --seed 7";
  const { bodies = 1_000_000, seed = drawSeed() } = readCommandLine(usage, [], ["bodies", "seed"]).numbers;
  const proof = observeAll(bodies, seed);
  console.log(JSON.stringify(proof));
  process.exitCode = proof.result === "held" ? 0 : 1;
}
