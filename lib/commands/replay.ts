// v1watch replay: the whole watch on a virtual clock, against a scenario or a server on this machine.

import { mistakesText, readConfig } from "../config/config.ts";
import {
  type Detection,
  detect,
  isDetected,
  isPage,
  type Message,
  type Replay,
  replayScenario,
  replay as replayServer,
} from "../local/replay.ts";
import { type ScenarioName, scenarioNamed, scenarioNames } from "../simulator/scenarios.ts";
import { plural } from "../text.ts";
import { dayMs, describeDuration } from "../time.ts";
import { type Command, exitCodes, type Io, integerOption, type OptionValues, UsageError } from "./command.ts";
import { openKey } from "./key.ts";
import { readCodeUses } from "./ready/files.ts";

/** A Monday's midnight, so that the hours of the scenarios are hours of the day. */
export const usualStart = "2026-03-02T00:00:00Z";
const usualDays = 30;
const maxDays = 3_650;

const help = `v1watch replay [SCENARIO | --all | --base-url URL] [options]

Runs the whole watch on a virtual clock, as fast as it can: the plan, the requests over HTTP, the validation,
the assessment and every message. Use it to try out an alert policy, or to measure how soon a fault is reported.

  SCENARIO         a scenario of the simulator (list below)
  --all            every scenario, one after another
  --base-url URL   a server on this machine. Every request carries the virtual instant in X-V1watch-Clock; a
                   response with X-V1watch-Latency counts as having taken that many milliseconds
  --days N         how many days (default: what the scenario needs, ${usualDays} for a server)
  --start ISO      the first instant (default ${usualStart})
  --seed N         of the simulator's data (default 1)
  --config FILE    another file than v1watch.config.json
  --json           one line for each message, then a summary

For a scenario, the time from each fault to its report is printed with its limit. The key comes from the
configuration; a scenario has a key of its own. Nothing is stored, and no message is sent.
Exit codes: 0 every fault of the scenario was reported in time, 1 one was not, 2 usage or configuration,
3 interrupted.

Scenarios:
${scenarioNames.map((name) => `  ${name.padEnd(25)}${scenarioNamed(name).summary}`).join("\n")}

Example: v1watch replay key-revoked --days 3
`;

type Options = {
  startMs: number;
  days: number | undefined;
  seed: number;
  isJson: boolean;
  flags: Record<string, string>;
};

function readOptions(values: OptionValues): Options {
  const text = typeof values.start === "string" ? values.start : usualStart;
  const startMs = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(startMs))
    throw new UsageError(`--start takes a date or an instant in UTC (such as ${usualStart}), not "${text}"`);
  return {
    startMs,
    days:
      values.days === undefined
        ? undefined
        : integerOption(values, "days", { fallback: usualDays, min: 1, max: maxDays }),
    seed: integerOption(values, "seed", { fallback: 1, min: 0, max: 2 ** 31 - 1 }),
    isJson: values.json === true,
    flags: typeof values.config === "string" ? { config: values.config } : {},
  };
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Days of requests within seconds: only a server on this machine may get them. */
function checkLoopback(url: string): void {
  if (loopback.test(URL.parse(url)?.hostname ?? "")) return;
  throw new UsageError(
    `--base-url of a replay is a server on this machine (such as http://127.0.0.1:4181), not "${url}"`,
  );
}

/** As long as the truth of the scenario needs, and two hours to see superfluous messages. */
function daysOf(name: ScenarioName): number {
  const { truth } = scenarioNamed(name);
  const endsMs = truth.map(({ fromMs, withinMs }) => fromMs + withinMs + dayMs / 12);
  return truth.length === 0 ? usualDays : Math.ceil(Math.max(...endsMs) / dayMs);
}

type Outcome = Pick<Replay, "checks" | "messages" | "spent"> & { days: number; detections: Detection[] };
type Target = { scenario: ScenarioName } | { baseUrl: string };

/** Undefined if the configuration has mistakes, which are printed. */
async function runTarget(target: Target, options: Options, io: Io): Promise<Outcome | undefined> {
  const { startMs, seed, isJson, flags } = options;
  const isScenario = "scenario" in target;
  const loaded = await readConfig(io.env, {
    ...flags,
    "base-url": isScenario ? "http://127.0.0.1" : target.baseUrl,
  });
  if (!loaded.ok) {
    io.err(mistakesText(loaded.mistakes));
    return undefined;
  }
  const { config, origins } = loaded;
  const days = options.days ?? (isScenario ? daysOf(target.scenario) : usualDays);
  const lengthMs = days * dayMs;
  const onMessage = ({ atMs, alert }: Message) => {
    const at = new Date(atMs).toISOString();
    io.out(
      isJson
        ? `${JSON.stringify({ type: "message", at, alert })}\n`
        : `${at.slice(0, 16).replace("T", " ")}  ${alert.subject.replace("[v1watch] ", "")}\n`,
    );
  };
  const uses = await readCodeUses(config, origins);
  const input = { config, uses, seed, signal: io.signal, onMessage };
  if (isScenario) {
    const result = await replayScenario(target.scenario, { ...input, startMs, lengthMs });
    const detections = detect(scenarioNamed(target.scenario), result.messages, { startMs, lengthMs });
    return { ...result, days, detections };
  }
  const readKey = openKey(config, origins, io.env);
  const clock = { nowMs: startMs };
  const result = await replayServer({ ...input, readKey, clock, untilMs: startMs + lengthMs });
  return { ...result, days, detections: [] };
}

export function detectionText(detection: Detection): string {
  const { rule, afterMs, withinMs } = detection;
  const word = isDetected(detection) ? "in time" : afterMs === undefined ? "MISSED" : "LATE";
  const found =
    afterMs === undefined ? "not reported" : `reported after ${describeDuration(afterMs / 1_000)}`;
  return `  ${word.padEnd(8)} ${rule.padEnd(18)} ${found} (limit ${describeDuration(withinMs / 1_000)})`;
}

export function summaryText({ days, checks, messages }: Omit<Outcome, "spent">, seconds: number): string {
  const pages = messages.filter(({ alert }) => isPage(alert)).length;
  return `${days} days in ${seconds.toFixed(1)} s: ${plural(checks, "check")}, ${plural(messages.length, "message")}, ${plural(pages, "page")}.`;
}

function outcomeText(outcome: Outcome, seconds: number): string {
  const months = Object.entries(outcome.spent).map(
    ([month, requests]) => `${month} ${requests.toLocaleString("en")}`,
  );
  return [
    ...outcome.detections.map(detectionText),
    summaryText(outcome, seconds),
    `Requests: ${months.join(", ")}.`,
    "",
  ].join("\n");
}

function summaryJson(target: Target, { checks, messages, detections }: Outcome): string {
  const pages = messages.filter(({ alert }) => isPage(alert)).length;
  const summary = { type: "summary", checks, messages: messages.length, pages };
  return `${JSON.stringify("scenario" in target ? { ...summary, ...target, detections } : summary)}\n`;
}

export const replay: Command = {
  name: "replay",
  summary: "run the whole watch on a virtual clock, against a scenario or a server on this machine",
  help,
  options: {
    all: { type: "boolean" },
    "base-url": { type: "string" },
    days: { type: "string" },
    start: { type: "string" },
    seed: { type: "string" },
    config: { type: "string" },
    json: { type: "boolean" },
  },
  positionals: { max: 1 },
  async run(values, [given], io) {
    const options = readOptions(values);
    const baseUrl = values["base-url"];
    const targets = [given, values.all, baseUrl].filter((target) => target !== undefined && target !== false);
    if (targets.length !== 1)
      throw new UsageError("replay takes a scenario, --all or --base-url. Try: v1watch replay --help");
    if (typeof baseUrl === "string") checkLoopback(baseUrl);
    const name = scenarioNames.find((one) => one === given);
    if (given !== undefined && !name)
      throw new UsageError(`there is no scenario "${given}". There are: ${scenarioNames.join(", ")}`);

    const names = values.all ? scenarioNames : name ? [name] : [];
    const runs: Target[] =
      names.length > 0 ? names.map((scenario) => ({ scenario })) : [{ baseUrl: String(baseUrl) }];
    let isFine = true;
    for (const target of runs) {
      if (values.all && !options.isJson && "scenario" in target) io.out(`\n${target.scenario}\n`);
      const startedAt = performance.now();
      const outcome = await runTarget(target, options, io);
      if (!outcome) return exitCodes.usage;
      if (io.signal.aborted) {
        io.err("v1watch: the replay was interrupted\n");
        return exitCodes.internalError;
      }
      isFine &&= outcome.detections.every(isDetected);
      const seconds = (performance.now() - startedAt) / 1_000;
      io.out(options.isJson ? summaryJson(target, outcome) : outcomeText(outcome, seconds));
    }
    return isFine ? exitCodes.success : exitCodes.findings;
  },
};
