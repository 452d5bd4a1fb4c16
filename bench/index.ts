// npm run bench: measures what a user would feel, and prints the rows of each part as soon as they are known. A part that cannot
// run here says why and is skipped. A missed goal is printed as MISSED and is no failure: the figures depend on the machine and
// its load. The exit code is 1 only if a part fails.
import { type Row, Skipped } from "./table.ts";

const parts: [name: string, measure: () => Promise<Row[]>][] = [
  ["year", async () => (await import("./year.ts")).benchYear()],
  ["growth", async () => (await import("./growth.ts")).benchGrowth()],
  ["looking", async () => (await import("./looking.ts")).benchLooking()],
  ["page", async () => (await import("./page.ts")).benchPage()],
  ["report", async () => (await import("./report.ts")).benchReport()],
  ["replay", async () => (await import("./replay.ts")).benchReplay()],
  ["scan", async () => (await import("./scan.ts")).benchScan()],
];

function print({ name, value, unit, limit }: Row): void {
  const figure = `${value.toLocaleString("en-US")} ${unit}`.padStart(22);
  console.log(
    `  ${name.padEnd(58)} ${figure}   ${value <= limit ? "reached" : "MISSED "} (at most ${limit})`,
  );
}

// `npm run bench -- scan report` runs only these parts.
const wanted = process.argv.slice(2);
const rows: Row[] = [];
let failures = 0;
for (const [name, measure] of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(name);
  try {
    const measured = await measure();
    for (const row of measured) print(row);
    rows.push(...measured);
  } catch (error) {
    const isSkipped = error instanceof Skipped;
    console.log(`  ${isSkipped ? "skipped" : "FAILED"}: ${(error as Error).message}`);
    if (!isSkipped) failures += 1;
  }
}
const missed = rows.filter(({ value, limit }) => value > limit).length;
console.log(`${rows.length - missed} of ${rows.length} goals reached.`);
if (failures > 0) process.exitCode = 1;
