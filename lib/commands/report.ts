// v1watch report: writes the migration readiness report as HTML, Markdown or JSON.

import { mkdir, readFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { readOutlook } from "../assess/outlook.ts";
import { printable } from "../config/config.ts";
import { type Report, report as reportSchema } from "../records/report.ts";
import { renderHtml } from "../report/html.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { buildReport } from "../report/model.ts";
import { dayMs, dayText } from "../time.ts";
import { choiceOption, exitCodes, type Io, type OptionValues, type Run, UsageError } from "./command.ts";
import { reportDays } from "./defaults.ts";
import { print } from "./layout.ts";
import { explainWriteFailure, refuseLinkOutside, textIo, writeTextFile } from "./output-file.ts";
import { readTeamInput } from "./ready/files.ts";
import { inspectWatch, type WatchData, type WatchInspection } from "./ready/watch.ts";

const formats = {
  html: { extension: ".html", render: renderHtml },
  markdown: { extension: ".md", render: renderMarkdown },
  json: { extension: ".json", render: (report: Report) => `${JSON.stringify(report, null, 1)}\n` },
} as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

const fileName = "v1watch-report";

export const report: Run = async (values, _positionals, io) => {
  const format = choiceOption(values, "format", "html", [...formatNames, "all"] as const);
  const chosen = format === "all" ? formatNames : [format];
  const files = outputPaths(values, chosen);
  const clockMs = Date.now();
  const previous = await readPrevious(values, files, chosen, io);
  const built = await inspectWatch(values, io, clockMs, (inspection) =>
    composeReport(inspection, values, clockMs, previous),
  );
  for (const name of chosen) await write(io, files[name], formats[name].render(built));
  const text = textIo(io, values.out);
  if (values.out !== "-") print(text, `${built.verdict.sentence}\n`);
  if (built.monitor.warning !== undefined) print(text, `WARNING · ${printable(built.monitor.warning)}\n`);
  if (!built.monitor.isHealthy) print(text, `MONITOR UNHEALTHY · ${printable(built.monitor.says)}\n`);
  return exitCodes.success;
};

/** The report of `v1watch report` and of the page. */
export async function composeReport(
  inspection: WatchInspection,
  values: OptionValues,
  clockMs: number,
  previous?: Report,
): Promise<Report> {
  const { watch, monitor, address } = inspection;
  const nowMs = findReportTime(inspection, clockMs);
  const fromMs = sinceOption(values, nowMs, watch?.state.firstAt);
  const team = await readTeamInput(values, nowMs);
  return buildReport({
    facts: { nowMs, ...team, proof: watch?.proof },
    watch: watch && { ...assessAt(watch, nowMs), days: await watch.readDays(fromMs, nowMs) },
    monitor,
    address,
    fromMs,
    previous,
  });
}

/**
 * The time of the report is that of the latest observation or decision, so that the same data gives the same bytes.
 * If the monitor is unhealthy or has no records, the time is at least the start of the current day.
 */
function findReportTime({ watch, monitor }: WatchInspection, clockMs: number): number {
  const recordedMs = [watch?.state.lastAt ?? "", ...(watch?.decisions ?? []).map(({ at }) => at)]
    .map((at) => Date.parse(at))
    .filter((ms) => ms <= clockMs);
  const todayMs = Math.floor(clockMs / dayMs) * dayMs;
  return Math.max(...recordedMs, ...(monitor.isHealthy && recordedMs.length > 0 ? [] : [todayMs]));
}

const assessAt = ({ state, settings, decisions }: WatchData, nowMs: number) => ({
  state,
  decisions,
  outlook: readOutlook(state, settings, nowMs),
});

/** Left out, the last days. No day before the first check: the report is about what was watched. */
function sinceOption({ since }: OptionValues, nowMs: number, firstAt: string | undefined): number {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  const firstMs = firstAt === undefined ? todayMs : Math.floor(Date.parse(firstAt) / dayMs) * dayMs;
  if (since === undefined) return Math.min(todayMs, Math.max(firstMs, todayMs - (reportDays - 1) * dayMs));
  const fromMs =
    typeof since === "string" && /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN;
  // Date.parse reads 2026-02-31 as 2026-03-03.
  if (Number.isNaN(fromMs) || dayText(fromMs) !== since || fromMs > todayMs) {
    throw new UsageError(
      `--since must be a day that is not in the future, such as 2026-09-01, not "${printable(String(since))}"`,
    );
  }
  return Math.min(todayMs, Math.max(firstMs, fromMs));
}

/** A missing file is only accepted if this run writes it, which is the case for the first report. */
async function readPrevious(
  { previous: file }: OptionValues,
  files: Record<Format, string>,
  chosen: readonly Format[],
  io: Io,
): Promise<Report | undefined> {
  if (typeof file !== "string") return undefined;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new UsageError(`--previous: cannot read "${printable(file)}": ${code}`);
    if (chosen.includes("json") && resolve(files.json) === resolve(file)) {
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
function outputPaths({ out = "." }: OptionValues, chosen: readonly Format[]): Record<Format, string> {
  const path = String(out);
  const [only] = chosen;
  const isSingle = chosen.length === 1 && only !== undefined;
  if (path === "-" && !isSingle) throw new UsageError("--out - prints one format; choose it with --format");
  const isFile = path === "-" || (isSingle && extname(path) === formats[only].extension);
  const fileOf = (format: Format) => (isFile ? path : join(path, fileName + formats[format].extension));
  return { html: fileOf("html"), markdown: fileOf("markdown"), json: fileOf("json") };
}

async function write(io: Io, file: string, text: string): Promise<void> {
  if (file === "-") return io.out(text);
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw explainWriteFailure(file, error);
  }
  await refuseLinkOutside(file);
  await writeTextFile(file, text);
  print(io, `Wrote ${printable(file)} (${Math.ceil(Buffer.byteLength(text) / 1024)} KB)\n`);
}
