// The report over a year of history, in its own process: duration, memory and file size.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../lib/commands/index.ts";
import { silentIo } from "../test/commands/terminal.ts";
import { createYear } from "./report-year.ts";
import { median, type Row, row } from "./table.ts";

const here = fileURLToPath(import.meta.url);
const project = fileURLToPath(new URL("../test/fixtures/ready/halfway/", import.meta.url));
const days = 365;
const runs = 3;

/** The duration from the start of the process to the last byte, and the peak memory. */
type Measured = { ms: number; peakMiB: number };

async function makeReport(store: string, out: string): Promise<Measured> {
  const since = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const team = ["mapping", "inventory"].flatMap((name) => [
    `--${name}`,
    join(project, `v1watch.${name}.json`),
  ]);
  const parity = ["--parity", join(project, "parity.state.json")];
  const args = [
    "report",
    "--store",
    store,
    "--out",
    out,
    "--since",
    since,
    "--format",
    "all",
    ...team,
    ...parity,
  ];
  if ((await runCommand(args, silentIo)) !== 0) throw new Error("the report command failed");
  return { ms: performance.now(), peakMiB: process.resourceUsage().maxRSS / 1024 };
}

export async function benchReport(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-bench-"));
  const path = join(folder, "watch.db");
  try {
    await createYear(path, Date.now() - 60_000, days);
    const measured = Array.from({ length: runs }, () => {
      const printed = execFileSync(process.execPath, [here, "make", path, folder], { encoding: "utf8" });
      return JSON.parse(printed) as Measured;
    });
    const htmlBytes = statSync(join(folder, "v1watch-report.html")).size;
    return [
      row(
        "a year in three formats, with the start of the process",
        median(measured.map(({ ms }) => ms)),
        "ms",
        2_000,
      ),
      row("peak memory", Math.max(...measured.map(({ peakMiB }) => peakMiB)), "MiB", 150),
      row("HTML file", htmlBytes / 1_024, "KB", 500),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === here) {
  const [task, store = "", out = ""] = process.argv.slice(2);
  if (task === "make") console.log(JSON.stringify(await makeReport(store, out)));
}
