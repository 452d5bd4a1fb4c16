// v1watch replay: the whole watch on a virtual clock, against a scenario or a server on this machine.

import { mistakesText, readConfig } from "../config/config.ts";
import { endpointIds } from "../contract/endpoints.ts";
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
import { exitCodes, type Io, integerOption, type OptionValues, type Run, UsageError } from "./command.ts";
import { replayDays, replayStart } from "./defaults.ts";
import { createDemonstration } from "./demonstration.ts";
import { openKey } from "./key.ts";
import { print } from "./layout.ts";
import { readCodeUses } from "./ready/files.ts";

const maxDays = 3_650;

type Options = {
  startMs: number;
  days: number | undefined;
  seed: number;
  /** Of a demonstration. */
  seconds: number | undefined;
  isJson: boolean;
  flags: Record<string, string>;
};

function readOptions(values: OptionValues): Options {
  const text = typeof values.start === "string" ? values.start : replayStart;
  const startMs = /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(startMs))
    throw new UsageError(`--start takes a date or an instant in UTC (such as ${replayStart}), not "${text}"`);
  return {
    startMs,
    days:
      values.days === undefined
        ? undefined
        : integerOption(values, "days", { fallback: replayDays, min: 1, max: maxDays }),
    seed: integerOption(values, "seed", { fallback: 1, min: 0, max: 2 ** 31 - 1 }),
    seconds:
      values.seconds === undefined
        ? undefined
        : integerOption(values, "seconds", { fallback: 0, min: 0, max: 86_400 }),
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

/** As long as the truth of the scenario needs, and two hours to see superfluous messages; a demonstration has all of it. */
function daysOf(name: ScenarioName, { seconds }: Options): number {
  const { truth, lengthMs } = scenarioNamed(name);
  if (seconds !== undefined) return lengthMs / dayMs;
  const endsMs = truth.map(({ fromMs, withinMs }) => fromMs + withinMs + dayMs / 12);
  return truth.length === 0 ? replayDays : Math.ceil(Math.max(...endsMs) / dayMs);
}

type Outcome = Replay & {
  days: number;
  detections: Detection[];
  demonstration?: ReturnType<typeof createDemonstration> | undefined;
};
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
    io.err(`v1watch: ${mistakesText(loaded.mistakes)}\n`);
    return undefined;
  }
  const { config, origins } = loaded;
  const days = options.days ?? (isScenario ? daysOf(target.scenario, options) : replayDays);
  const lengthMs = days * dayMs;
  const onMessage = ({ atMs, alert }: Message) => {
    const at = new Date(atMs).toISOString();
    if (isJson) io.out(`${JSON.stringify({ type: "message", at, alert })}\n`);
    else print(io, `${at.slice(0, 16).replace("T", " ")}\t${alert.subject.replace("[v1watch] ", "")}\n`);
  };
  const uses = await readCodeUses(config, origins);
  const input = { config, uses, seed, signal: io.signal, onMessage };
  if (isScenario) {
    const { scenario } = target;
    const { seconds } = options;
    const demonstration =
      seconds === undefined
        ? undefined
        : createDemonstration({ scenario, config, startMs, days, seconds }, io);
    const result = await replayScenario(scenario, {
      ...input,
      startMs,
      lengthMs,
      onClock: demonstration?.onClock ?? (() => {}),
      onMessage: demonstration?.onMessage ?? onMessage,
    });
    demonstration?.clearProgress();
    const detections = detect(scenarioNamed(scenario), result.messages, { startMs, lengthMs });
    return { ...result, days, detections, demonstration };
  }
  const readKey = openKey(config, origins, io.env);
  const clock = { nowMs: startMs };
  const result = await replayServer({
    ...input,
    readKey,
    clock,
    untilMs: startMs + lengthMs,
    sockets: endpointIds.length,
  });
  return { ...result, days, detections: [] };
}

function detectionText(detection: Detection): string {
  const { rule, afterMs, withinMs } = detection;
  const word = isDetected(detection) ? "in time" : afterMs === undefined ? "MISSED" : "LATE";
  const found =
    afterMs === undefined ? "not reported" : `reported after ${describeDuration(afterMs / 1_000)}`;
  return `  ${word}\t${rule}\t${found} (limit ${describeDuration(withinMs / 1_000)})`;
}

function summaryText({ days, checks, messages }: Outcome, seconds: number): string {
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

export const replay: Run = async (values, [given], io) => {
  const options = readOptions(values);
  const baseUrl = values["base-url"];
  const targets = [given, values.all, baseUrl].filter((target) => target !== undefined);
  if (targets.length !== 1)
    throw new UsageError("replay takes a scenario, --all or --base-url. Try: v1watch replay --help");
  if (options.seconds !== undefined && (given === undefined || options.isJson))
    throw new UsageError("--seconds shows a scenario to people: v1watch replay SCENARIO --seconds N");
  if (typeof baseUrl === "string") checkLoopback(baseUrl);
  const name = scenarioNames.find((one) => one === given);
  const names = values.all ? scenarioNames : name ? [name] : [];
  const runs: Target[] =
    names.length > 0 ? names.map((scenario) => ({ scenario })) : [{ baseUrl: String(baseUrl) }];
  let isFine = true;
  for (const target of runs) {
    if (values.all && !options.isJson && "scenario" in target) io.out(`\n${target.scenario}\n`);
    const startedAt = performance.now();
    const outcome = await runTarget(target, options, io);
    if (!outcome) return exitCodes.usage;
    const { demonstration } = outcome;
    if (io.signal.aborted) {
      if (demonstration) return exitCodes.success;
      io.err("v1watch: the replay was interrupted\n");
      return exitCodes.internalError;
    }
    isFine &&= outcome.detections.every(isDetected);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (demonstration) demonstration.end(outcome, outcomeText(outcome, seconds));
    else if (options.isJson) io.out(summaryJson(target, outcome));
    else print(io, outcomeText(outcome, seconds));
  }
  return isFine ? exitCodes.success : exitCodes.findings;
};
