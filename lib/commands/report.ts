// v1watch report: the report that the people moving to V2 open in every meeting.
import { mkdir, readFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { dayMs, dayText } from "../assess/date-text.ts";
import { readSignals } from "../assess/evaluate-rules.ts";
import { printable } from "../config/config.ts";
import { type Report, report as reportSchema } from "../records/report.ts";
import { renderHtml } from "../report/html.ts";
import { renderMarkdown } from "../report/markdown.ts";
import { buildReport } from "../report/model.ts";
import { type Command, choiceOption, exitCodes, type Io, UsageError, type Values } from "./command.ts";
import { storeHelp, storeOptions } from "./open-watch.ts";
import { cannotWrite, writeText } from "./output-file.ts";
import { givenHelp, givenOptions, readFiles } from "./ready/files.ts";
import { type Seen, type Watch, withWatch } from "./ready/watch.ts";

const formats = {
  html: { extension: ".html", render: renderHtml },
  markdown: { extension: ".md", render: renderMarkdown },
  json: { extension: ".json", render: (report: Report) => `${JSON.stringify(report, null, 1)}\n` },
} as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[];

const fileName = "v1watch-report";
const defaultDays = 90;

const { json: _, ...stores } = storeOptions;

const help = `v1watch report [--format html|markdown|json|all] [--out DIR or FILE] [--since DAY] [--previous FILE]

One page for a lead, then charts and ledgers: what holds us, how long we have, what we use of V1 and where
it goes in V2. The same data gives the same bytes, so two reports can be compared.

  --format FORMAT         html (one file that opens offline and prints to A4), markdown, json or all (html)
  --out DIR or FILE       where to write ${fileName}.html, .md, .json (this folder); - prints one format
  --since DAY             the period's first day, such as 2026-09-01 (the last ${defaultDays} days)
  --previous FILE         the last report's JSON: what changed since is told
${givenHelp}
${storeHelp.split("\n").slice(0, 3).join("\n")}

Works without mapping, inventory or comparison, and says what is missing.
Exit codes: 0 written, 2 usage. Whether V1 can be left is for \`v1watch ready\` to say.

Example:
  v1watch report --format all --out reports --previous reports/${fileName}.json
`;

export const report: Command = {
  name: "report",
  summary: "the readiness report: HTML, Markdown or JSON",
  help,
  options: {
    ...stores,
    ...givenOptions,
    format: { type: "string" },
    out: { type: "string" },
    since: { type: "string" },
    previous: { type: "string" },
  },
  async run(values, _positionals, io) {
    const format = choiceOption(values, "format", "html", [...formatNames, "all"] as const);
    const chosen = format === "all" ? formatNames : [format];
    const files = placeFiles(values, chosen);
    const clockMs = Date.now();
    const previous = await readPrevious(values, files, chosen, io);
    const made = await withWatch(values, io, clockMs, async (seen) => {
      const nowMs = findInstant(seen, clockMs);
      const fromMs = sinceOption(values, nowMs);
      const given = await readFiles(values, nowMs);
      return buildReport({
        facts: { nowMs, ...given, proof: seen.watch?.proof },
        watch: seen.watch && {
          ...rejudge(seen.watch, nowMs),
          days: await seen.watch.readDays(fromMs, nowMs),
        },
        monitor: seen.monitor,
        fromMs,
        previous,
      });
    });
    for (const name of chosen) await write(io, files[name], formats[name].render(made));
    const say = values.out === "-" ? io.err : io.out;
    if (values.out !== "-") say(`${made.verdict.sentence}\n`);
    if (!made.monitor.isHealthy) say(`MONITOR UNHEALTHY · ${printable(made.monitor.says)}\n`);
    return exitCodes.fine;
  },
};

/**
 * The report speaks of the last instant that the watch knows of, an observation's or a decision's, so that the same
 * data gives the same bytes; a watch that has fallen silent adds only the day.
 */
function findInstant({ watch, monitor }: Seen, clockMs: number): number {
  const known = [watch?.state.lastAt ?? "", ...(watch?.decisions ?? []).map(({ at }) => at)]
    .map((at) => Date.parse(at))
    .filter((ms) => ms <= clockMs);
  const todayMs = Math.floor(clockMs / dayMs) * dayMs;
  return Math.max(...known, ...(monitor.isHealthy && known.length > 0 ? [] : [todayMs]));
}

const rejudge = ({ state, settings, decisions }: Watch, nowMs: number) => ({
  state,
  decisions,
  outlook: readSignals(state, { ...settings, decisions }, nowMs).outlook,
});

function sinceOption({ since }: Values, nowMs: number): number {
  const todayMs = Math.floor(nowMs / dayMs) * dayMs;
  if (since === undefined) return todayMs - (defaultDays - 1) * dayMs;
  const fromMs =
    typeof since === "string" && /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN;
  // Date.parse takes the 31st of February for the 3rd of March.
  if (Number.isNaN(fromMs) || dayText(fromMs) !== since || fromMs > todayMs) {
    throw new UsageError(
      `--since takes a day that has come, such as 2026-09-01, not "${printable(String(since))}"`,
    );
  }
  return fromMs;
}

/** The file that this run writes is absent before the first; any other that is named has to be there. */
async function readPrevious(
  { previous: file }: Values,
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
      io.err(`There is no earlier report in ${printable(file)}: this is the first.\n`);
      return undefined;
    }
    throw new UsageError(
      `--previous: there is no file "${printable(file)}". Leave --previous out for the first report`,
    );
  }
  try {
    return reportSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`--previous: "${printable(file)}" is no report of this version in JSON`);
  }
}

/** A name with a format's own ending is the file; any other is the folder. */
function placeFiles({ out = "." }: Values, chosen: readonly Format[]): Record<Format, string> {
  const to = String(out);
  const [only] = chosen;
  const isSingle = chosen.length === 1 && only !== undefined;
  if (to === "-" && !isSingle) throw new UsageError("--out - prints one format; choose it with --format");
  const isFile = to === "-" || (isSingle && extname(to) === formats[only].extension);
  const fileOf = (format: Format) => (isFile ? to : join(to, fileName + formats[format].extension));
  return { html: fileOf("html"), markdown: fileOf("markdown"), json: fileOf("json") };
}

async function write(io: Io, file: string, text: string): Promise<void> {
  if (file === "-") return io.out(text);
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw cannotWrite(file, error);
  }
  await writeText(file, text);
  io.out(`Wrote ${printable(file)} (${Math.ceil(Buffer.byteLength(text) / 1024)} KB)\n`);
}
