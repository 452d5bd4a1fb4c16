// npm run mutation -- lib/delivery --count 100 --seed 7: how many small changes of a folder's code its tests notice.
// Stryker makes the changes, one at a time; a seeded random sample of them is tried, with the tests of the folder that
// mirrors it (for lib/assess/rules that of test/assess), without the long ones of `npm run test:replay`. It lists the
// changes that no test noticed, and prints one line of JSON last. It works in a copy of the checkout, because Stryker
// writes into the files.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { printProof } from "../../bench/reliability.ts";
import { createChance } from "../random.ts";
import { long } from "../replay/vitest.config.ts";
import { keyOf, type Mutant, sampleVariable } from "./sample-checker.ts";

const minShare = 0.85;
const root = fileURLToPath(new URL("../..", import.meta.url));
const stryker = join(import.meta.dirname, "node_modules/@stryker-mutator");

const { positionals: folders, values } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    concurrency: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
const [count, seed, concurrency] = [values.count, values.seed, values.concurrency].map(Number) as [
  number,
  number,
  number,
];
const isUsable = [count, seed, concurrency].every(Number.isInteger) && count >= 1 && concurrency >= 1;
if (values.help || folders.length === 0 || !isUsable) {
  console.error(
    "Usage: npm run mutation -- FOLDER… [--count 100] [--seed 1] [--concurrency 1]\nExample: npm run mutation -- lib/delivery",
  );
  process.exit(values.help ? 0 : 2);
}
for (const folder of folders) {
  if (existsSync(join(root, folder))) continue;
  console.error(`There is no folder ${folder}. Name one of lib, such as lib/delivery.`);
  process.exit(2);
}
if (!existsSync(stryker)) {
  const install = ["ci", "--prefix", import.meta.dirname];
  execFileSync("npm", install, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
}

/** The tests of a folder, or of the nearest folder around it that has some. */
function findTests(folder: string): string {
  const tests = folder.replace(/^lib\b/, "test");
  if (tests === "test" || tests === ".") throw new Error(`no tests were found for ${folder}`);
  const pattern = `${tests}/**/*.test.ts`;
  return globSync(pattern, { cwd: root }).length > 0 ? pattern : findTests(dirname(tests));
}

const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\0")
  .filter((file) => file !== "" && existsSync(join(root, file)));

async function sample(folder: string, copy: string): Promise<string[]> {
  const { Instrumenter } = await import(join(stryker, "instrumenter/dist/src/index.js"));
  const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
  const sources = files.filter((file) => file.startsWith(`${folder}/`) && file.endsWith(".ts"));
  if (sources.length === 0) throw new Error(`${folder} has no TypeScript`);
  const { mutants } = (await new Instrumenter(silent).instrument(
    sources.map((file) => ({
      name: join(copy, file),
      mutate: true,
      content: readFileSync(join(copy, file), "utf8"),
    })),
    { excludedMutations: [], ignorers: [], plugins: null },
  )) as { mutants: (Mutant & { status?: string })[] };
  const keys = mutants
    .filter(({ status }) => status !== "Ignored")
    .map((mutant) => keyOf({ ...mutant, fileName: relative(copy, mutant.fileName) }));
  console.error(
    `${folder}: ${keys.length} mutants, a sample of ${Math.min(count, keys.length)}, seed ${seed}`,
  );
  const chance = createChance(seed);
  return keys
    .map((key) => ({ key, order: chance() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ key }) => key);
}

type Report = { files: Record<string, { source: string; mutants: (Mutant & { status: string })[] }> };

async function run(folder: string) {
  const copy = mkdtempSync(join(tmpdir(), "v1watch-mutation-"));
  try {
    // One test reads the code as another user.
    chmodSync(copy, 0o755);
    for (const file of files) cpSync(join(root, file), join(copy, file), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const sampled = await sample(folder, copy);
    writeFileSync(join(copy, "sampled.json"), JSON.stringify(sampled));
    const tests = {
      include: [findTests(folder)],
      exclude: long,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      globalSetup: "test/random.ts",
      setupFiles: "test/loopback-guard.ts",
    };
    writeFileSync(join(copy, "vitest.mutation.ts"), `export default ${JSON.stringify({ test: tests })};\n`);
    const settings = {
      testRunner: "vitest",
      vitest: { configFile: "vitest.mutation.ts", related: false, pool: "forks" },
      plugins: [
        join(stryker, "vitest-runner/dist/src/index.js"),
        join(import.meta.dirname, "sample-checker.ts"),
      ],
      mutate: [`${folder}/**/*.ts`],
      checkers: ["sample"],
      tsconfigFile: "none",
      inPlace: true,
      // A busy machine is slow, and a timeout would count as a noticed change.
      concurrency,
      timeoutMS: 60_000,
      timeoutFactor: 6,
      dryRunTimeoutMinutes: 20,
      reporters: ["json", "progress-append-only"],
      jsonReporter: { fileName: "report.json" },
      coverageAnalysis: "perTest",
      ignorePatterns: ["test/scan/corpus"],
    };
    writeFileSync(join(copy, "stryker.json"), JSON.stringify(settings));
    const child = spawn(process.execPath, [join(stryker, "core/bin/stryker.js"), "run", "stryker.json"], {
      cwd: copy,
      env: { ...process.env, [sampleVariable]: join(copy, "sampled.json") },
      stdio: ["ignore", process.stderr, process.stderr],
    });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`Stryker ended with ${code}`);
    return judge(folder, JSON.parse(readFileSync(join(copy, "report.json"), "utf8")), new Set(sampled));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A mutant that makes the tests hang is noticed too. */
const noticed = ["Killed", "Timeout"];
const missed = ["Survived", "NoCoverage"];

function judge(folder: string, report: Report, sampled: ReadonlySet<string>) {
  const tried = Object.entries(report.files).flatMap(([fileName, { mutants, source }]) =>
    mutants
      .map((mutant) => ({ ...mutant, fileName, source }))
      // The report counts lines and columns from 1.
      .filter(({ location: { start, end }, ...mutant }) => {
        const shift = ({ line, column }: typeof start) => ({ line: line - 1, column: column - 1 });
        return sampled.has(keyOf({ ...mutant, location: { start: shift(start), end: shift(end) } }));
      }),
  );
  const survivors = tried.filter(({ status }) => missed.includes(status));
  for (const { fileName, source, location, replacement = "", status } of survivors) {
    const { start } = location;
    const line = source.split("\n")[start.line - 1]?.trim();
    console.error(
      `${status} ${fileName}:${start.line}:${start.column}  ${line}  →  ${replacement.slice(0, 80)}`,
    );
  }
  const of = (statuses: readonly string[]) => tried.filter(({ status }) => statuses.includes(status)).length;
  return { folder, killed: of(noticed), timedOut: of(["Timeout"]), of: of([...noticed, ...missed]) };
}

const results = [];
for (const folder of folders.map((folder) => folder.replace(/\/$/, ""))) results.push(await run(folder));
const described = results.map(
  ({ folder, killed, timedOut, of }) =>
    `${folder} ${killed} of ${of}${timedOut > 0 ? ` (${timedOut} by a timeout)` : ""}`,
);
const isSmaller = count < 100 || folders.length < 6;
printProof({
  promise: "mutation",
  figure: `${isSmaller ? "a smaller run, " : ""}killed mutants: ${described.join(", ")}; seed ${seed}`,
  command: `node test/mutation/mutation.ts ${folders.join(" ")} --count ${count} --seed ${seed}`,
  result: results.every(({ killed, of }) => of > 0 && killed / of >= minShare) ? "held" : "broken",
});
