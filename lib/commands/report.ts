// v1watch report: writes the migration readiness report as HTML, Markdown or JSON.

import { readFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { printable } from "../config/config.ts";
import { makeFolder } from "../local/folder.ts";
import { type Report, report as reportSchema } from "../records/report.ts";
import { renderHtml } from "../report/html.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { buildReport } from "../report/model.ts";
import { dayMs, dayText } from "../time.ts";
import { choice, defineCommand, exitCodes, type Io, text, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { explainWriteFailure, refuseLinkOutside, textIo, writeTextFile } from "./output-file.ts";
import { inspectWatch, readJudgedInput, type WatchInspection } from "./ready/watch.ts";
import { at, type TeamValues, teamOptions, watchOptions } from "./shared-options.ts";

const formats = {
  html: { extension: ".html", render: renderHtml },
  markdown: { extension: ".md", render: renderMarkdown },
  json: { extension: ".json", render: (report: Report) => `${JSON.stringify(report, null, 1)}\n` },
} as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

const fileName = "v1watch-report";

/** The report is about so many days at most, unless another first day is named. */
const usualDays = 90;

const options = {
  format: choice("<FORMAT>", "html (default) is one file that opens offline and prints to A4", [
    ...formatNames,
    "all",
  ]),
  out: text(
    "<PATH>",
    "folder or file to write v1watch-report.html, .md, .json to (default: this folder); - is standard output",
  ),
  since: text(
    "<DAY>",
    `first day of the period, such as 2026-09-01 (default: the first check, at most ${usualDays} days)`,
  ),
  previous: text("<FILE>", "JSON of an earlier report; the changes since then are listed"),
  ...teamOptions,
  ...watchOptions,
  at,
};

export const report = defineCommand({
  description:
    "Writes a summary, then charts and tables: blockers, time left, which parts of V1 your code uses, and where they go in V2. The gates are those of `v1watch ready`. The same data gives the same bytes all day (UTC), so you can compare two reports.",
  options,
  notes: [
    "Mapping, inventory and parity results are optional; the report lists what is missing.",
    "Exit codes: 0 report written, 2 usage error. For the verdict as an exit code, use `v1watch ready`.",
    "Example:\n  v1watch report --format all --out reports \\\n    --previous reports/v1watch-report.json",
  ],
  async run(values, _positionals, io) {
    const { format = "html", out = "." } = values;
    const chosen = format === "all" ? formatNames : [format];
    const files = outputPaths(out, chosen);
    const nowMs = values.at ?? Date.now();
    const previous = await readPrevious(values.previous, files, io);
    const built = await inspectWatch(values, io, nowMs, (inspection) =>
      composeReport(inspection, values, nowMs, previous),
    );
    for (const [name, file] of files) await write(io, file, formats[name].render(built));
    const textOut = textIo(io, out);
    if (out !== "-") print(textOut, `${built.verdict.sentence}\n`);
    if (built.monitor.warning !== undefined)
      print(textOut, `WARNING · ${printable(built.monitor.warning)}\n`);
    if (!built.monitor.isHealthy) print(textOut, `V1 UNKNOWN · ${printable(built.monitor.says)}\n`);
    return exitCodes.success;
  },
});

/** The report of `v1watch report` and of the dashboard, as of `nowMs`. */
export async function composeReport(
  inspection: WatchInspection,
  values: TeamValues & { since?: string | undefined },
  nowMs: number,
  previous?: Report,
): Promise<Report> {
  const fromMs = firstDay(values.since, nowMs, inspection.watch?.state.firstAt);
  const { watch, ...judged } = await readJudgedInput(inspection, values, nowMs);
  return buildReport({
    ...judged,
    watch: watch && { ...watch, days: await watch.readDays(fromMs, nowMs) },
    monitor: inspection.monitor,
    fromMs,
    previous,
  });
}

/** Left out, the last days. No day before the first check: the report is about what was watched. */
function firstDay(since: string | undefined, nowMs: number, firstAt: string | undefined): number {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const firstMs = firstAt === undefined ? todayMs : Math.floor(Date.parse(firstAt) / dayMs) * dayMs;
  if (since === undefined) return Math.min(todayMs, Math.max(firstMs, todayMs - (usualDays - 1) * dayMs));
  const fromMs = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN;
  // Date.parse reads 2026-02-31 as 2026-03-03.
  if (Number.isNaN(fromMs) || dayText(fromMs) !== since || fromMs > todayMs) {
    throw new UsageError(
      `--since must be a day that is not in the future, such as 2026-09-01, not "${printable(since)}"`,
    );
  }
  return Math.min(todayMs, Math.max(firstMs, fromMs));
}

/** A missing file is only accepted if this run writes it, which is the case for the first report. */
async function readPrevious(
  file: string | undefined,
  files: ReadonlyMap<Format, string>,
  io: Io,
): Promise<Report | undefined> {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new UsageError(`--previous: cannot read "${printable(file)}": ${code}`);
    if (resolve(files.get("json") ?? "") === resolve(file)) {
      io.err(`${printable(file)} does not exist: this is the first report.\n`);
      return undefined;
    }
    throw new UsageError(
      `--previous: there is no file "${printable(file)}". Omit --previous for the first report`,
    );
  }
  try {
    return reportSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`--previous: "${printable(file)}" is not a JSON report of this version`);
  }
}

/** A path with the extension of the chosen format is a file; any other path is a folder. */
function outputPaths(path: string, chosen: readonly Format[]): Map<Format, string> {
  if (path === "-" && chosen.length > 1)
    throw new UsageError("--out - prints one format; choose it with --format");
  return new Map(
    chosen.map((format) => {
      const { extension } = formats[format];
      const isFile = path === "-" || (chosen.length === 1 && extname(path) === extension);
      return [format, isFile ? path : join(path, fileName + extension)];
    }),
  );
}

async function write(io: Io, file: string, text: string): Promise<void> {
  if (file === "-") return io.out(text);
  try {
    makeFolder(dirname(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw explainWriteFailure(file, code === "ENOENT" ? { code: "no-folder" } : error);
  }
  await refuseLinkOutside(file);
  await writeTextFile(file, text);
  print(io, `Wrote ${printable(file)} (${Math.ceil(Buffer.byteLength(text) / 1024)} KB)\n`);
}
