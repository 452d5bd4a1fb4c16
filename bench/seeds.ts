// node bench/seeds.ts [--minutes 60] [files…]: plays the random tests with fresh seeds until the time is over, and names each seed
// that breaks one: V1WATCH_SEED plays it again.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  options: { minutes: { type: "string", default: "60" } },
  allowPositionals: true,
});
const files = positionals.length > 0 ? positionals : ["test/assess", "test/readiness"];
const untilMs = Date.now() + Number(values.minutes) * 60_000;
const broken: { seed: number; tests: string[] }[] = [];
let played = 0;
const folder = mkdtempSync(join(tmpdir(), "v1watch-seeds-"));
const results = join(folder, "results.json");

while (Date.now() < untilMs) {
  const seed = randomInt(2 ** 31 - 1);
  rmSync(results, { force: true });
  const { status } = spawnSync(
    "npx",
    ["--no-install", "vitest", "run", "--reporter=json", `--outputFile=${results}`, ...files],
    { env: { ...process.env, V1WATCH_SEED: String(seed) }, stdio: "ignore" },
  );
  played += 1;
  if (status !== 0) broken.push({ seed, tests: readFailed() });
  console.log(`seed ${seed}: ${status === 0 ? "held" : `broken: ${broken.at(-1)!.tests.join("; ")}`}`);
}

rmSync(folder, { recursive: true });
console.log(`${played} seeds, ${broken.length} of them broke a test.`);
for (const { seed } of broken) console.log(`  V1WATCH_SEED=${seed} npx vitest run ${files.join(" ")}`);
process.exitCode = broken.length === 0 && played > 0 ? 0 : 1;

type Results = { testResults: { assertionResults: { status: string; fullName: string }[] }[] };

/** The titles of the tests that failed; what the runner says where it names none. */
function readFailed(): string[] {
  if (!existsSync(results)) return ["vitest gave no result"];
  const { testResults } = JSON.parse(readFileSync(results, "utf8")) as Results;
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ status, fullName }) => (status === "failed" ? [fullName] : [])),
  );
  return failed.length > 0 ? failed : ["a test file could not be run"];
}
