// npm run bench: runs all benchmarks, prints one table and writes it to bench/results.json.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { Row } from "./table.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// The libraries to compare with are not dependencies of the product, so they are installed here.
if (!existsSync(here("node_modules"))) {
  execFileSync("npm", ["ci", "--prefix", here(".")], { stdio: ["ignore", "ignore", "inherit"] });
}

const parts: [name: string, measure: () => Promise<Row[]>][] = [
  ["validate", async () => (await import("./validate.ts")).benchValidate()],
  ["exchange", async () => (await import("./exchange.ts")).benchExchange()],
  ["simulator", async () => (await import("./simulator.ts")).benchSimulator()],
  ["store", async () => (await import("./store.ts")).benchStore()],
  ["growth", async () => (await import("./growth.ts")).benchGrowth()],
  ["local mode", async () => (await import("./local.ts")).benchLocal()],
  ["scan", async () => (await import("./scan.ts")).benchScan()],
  ["parity", async () => (await import("./parity.ts")).benchParity()],
  ["report", async () => (await import("./report.ts")).benchReport()],
  ["lambda", async () => (await import("./lambda.ts")).benchLambda()],
];

// `npm run bench -- scan store` runs only these benchmarks.
const wanted = process.argv.slice(2);
const chosen = wanted.length > 0 ? parts.filter(([name]) => wanted.includes(name)) : parts;

const rows: Row[] = [];
for (const [name, measure] of chosen) {
  process.stderr.write(`measuring: ${name} …\n`);
  rows.push(...(await measure()));
}

const cells = rows.map(({ name, value, unit, goal, ok }) => [
  name,
  value.toLocaleString("en-US"),
  unit,
  goal,
  goal === "" ? "" : ok ? "reached" : "MISSED",
]);
const widths = ["", "", "", "", ""].map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
const line = (row: string[]) =>
  row
    .map((cell, column) => (column === 1 ? cell.padStart(widths[1]!) : cell.padEnd(widths[column]!)))
    .join("  ");
console.log(cells.map((row) => line(row).trimEnd()).join("\n"));

const machine = {
  date: new Date().toISOString(),
  node: process.version,
  cpu: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
};
// A partial run is printed only and does not replace the stored results.
if (wanted.length === 0)
  writeFileSync(here("results.json"), `${JSON.stringify({ ...machine, rows }, null, 2)}\n`);
if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
