// v1watch replay: the whole watch on a virtual clock, against a scenario or a server on this machine.

import { Argument } from "commander";
import { isLoopbackHost } from "../config/loopback.ts";
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
import { dayMs, describeDuration, minuteText } from "../time.ts";
import {
  defineCommand,
  exitCodes,
  flag,
  type Io,
  integer,
  parsed,
  text,
  UsageError,
  type Values,
} from "./command.ts";
import { createDemonstration } from "./demonstration.ts";
import { openKey } from "./key.ts";
import { print } from "./layout.ts";
import { loadConfig } from "./load-config.ts";
import { readCodeUses } from "./ready/files.ts";
import { config as configOption } from "./shared-options.ts";
import { scenarioList } from "./simulate.ts";

/** A Monday. It begins at midnight UTC, so that the hours of the scenarios are hours of the day. */
const firstDay = "2026-03-02";
const usualDays = 30;

const options = {
  seconds: integer("<N>", "show the scenario in N seconds; 0 is as fast as possible", {
    min: 0,
    max: 86_400,
    fallback: undefined,
  }),
  all: flag("every scenario, one after another"),
  "base-url": text(
    "<URL>",
    "a server on this machine. Every request carries the virtual instant in X-V1watch-Clock; a response with X-V1watch-Latency counts as having taken that many milliseconds",
  ),
  days: integer("<N>", `how many days (default: what the scenario needs, ${usualDays} for a server)`, {
    min: 1,
    max: 3_650,
    fallback: undefined,
  }),
  start: parsed("<DAY>", `the first day, or the first minute in UTC (default ${firstDay})`, {
    parse(given, name) {
      const isInstant = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?$/.test(given);
      const startMs = isInstant ? Date.parse(given) : Number.NaN;
      if (!Number.isNaN(startMs)) return startMs;
      throw new UsageError(
        `${name} takes a day or a minute in UTC (such as ${firstDay} or ${firstDay}T09:30Z), not "${given}"`,
      );
    },
    fallback: Date.parse(firstDay),
  }),
  seed: integer("<N>", "seed of the simulator's data (default 1)", {
    min: 0,
    max: 2 ** 31 - 1,
    fallback: 1,
  }),
  config: configOption,
  json: flag("print one line of JSON for each message, then a summary"),
};
type ReplayValues = Values<typeof options>;

/** Days of requests within seconds: only a server on this machine may get them. */
function checkLoopback(url: string): void {
  if (isLoopbackHost(URL.parse(url)?.hostname ?? "")) return;
  throw new UsageError(
    `--base-url of a replay is a server on this machine (such as http://127.0.0.1:4181), not "${url}"`,
  );
}

/** As long as the truth of the scenario needs, and two hours to see superfluous messages; a demonstration has all of it. */
function daysOf(name: ScenarioName, { seconds }: ReplayValues): number {
  const { truth, lengthMs } = scenarioNamed(name);
  if (seconds !== undefined) return lengthMs / dayMs;
  const endsMs = truth.map(({ fromMs, withinMs }) => fromMs + withinMs + dayMs / 12);
  return truth.length === 0 ? usualDays : Math.ceil(Math.max(...endsMs) / dayMs);
}

type Outcome = Replay & {
  days: number;
  detections: Detection[];
  demonstration?: ReturnType<typeof createDemonstration> | undefined;
};
type Target = { scenario: ScenarioName } | { baseUrl: string };

async function runTarget(target: Target, values: ReplayValues, io: Io): Promise<Outcome> {
  const { start: startMs, seed, seconds } = values;
  const isScenario = "scenario" in target;
  const { config, origins } = await loadConfig(
    { config: values.config, "base-url": isScenario ? "http://127.0.0.1" : target.baseUrl },
    io,
  );
  const days = values.days ?? (isScenario ? daysOf(target.scenario, values) : usualDays);
  const lengthMs = days * dayMs;
  const onMessage = ({ atMs, alert }: Message) => {
    const at = new Date(atMs).toISOString();
    if (values.json) io.out(`${JSON.stringify({ type: "message", at, alert })}\n`);
    else print(io, `${minuteText(at)}\t${alert.subject.replace("[v1watch] ", "")}\n`);
  };
  const uses = await readCodeUses(config, origins);
  const input = { config, uses, seed, signal: io.signal, onMessage };
  if (isScenario) {
    const { scenario } = target;
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

export const replay = defineCommand({
  description:
    "Runs the whole watch on a virtual clock, as fast as it can: plan, requests over HTTP, validation, assessment and messages. Use it to try an alert policy, or to measure how soon v1watch reports a fault. With --seconds it is a demonstration: it shows what V1 does and every alert in full.",
  arguments: [new Argument("[scenario]", "a scenario of the simulator, see below").choices(scenarioNames)],
  options,
  notes: [
    "For a scenario it prints how long each fault took to be reported, and the limit. It takes the key from the configuration; a scenario has its own. It stores nothing and sends no message.",
    "Exit codes: 0 every fault was reported in time, 1 at least one was not, 2 nothing was played, usage or configuration error, 3 interrupted.",
    scenarioList,
    "Example: v1watch replay key-revoked --days 3",
    "Example: three months of an API's retirement in two minutes\n  v1watch replay retirement --seconds 120",
  ],
  async run(values, [given], io) {
    let isFine = true;
    for (const target of chooseTargets(values, given)) {
      if (values.all && !values.json && "scenario" in target) io.out(`\n${target.scenario}\n`);
      const startedAt = performance.now();
      const outcome = await runTarget(target, values, io);
      const { demonstration } = outcome;
      if (io.signal.aborted) {
        if (demonstration) return exitCodes.success;
        io.err("v1watch: the replay was interrupted\n");
        return exitCodes.internalError;
      }
      if (outcome.responses === 0) throw new UsageError(describeNothing(target, outcome));
      isFine &&= outcome.detections.every(isDetected);
      const seconds = (performance.now() - startedAt) / 1_000;
      if (demonstration) demonstration.end(outcome, outcomeText(outcome, seconds));
      else if (values.json) io.out(summaryJson(target, outcome));
      else print(io, outcomeText(outcome, seconds));
    }
    return isFine ? exitCodes.success : exitCodes.findings;
  },
});

const describeNothing = (target: Target, { checks }: Outcome) =>
  `nothing was played: none of ${plural(checks, "check")} got a response from ${"baseUrl" in target ? target.baseUrl : target.scenario}`;

function chooseTargets(values: ReplayValues, given: string | undefined): Target[] {
  const { all, seconds, "base-url": baseUrl } = values;
  if (Number(given !== undefined) + Number(all) + Number(baseUrl !== undefined) !== 1)
    throw new UsageError("replay takes a scenario, --all or --base-url. Try: v1watch replay --help");
  if (seconds !== undefined && (given === undefined || values.json))
    throw new UsageError("--seconds shows a scenario to people: v1watch replay SCENARIO --seconds N");
  if (baseUrl === undefined)
    return scenarioNames.filter((name) => all || name === given).map((scenario) => ({ scenario }));
  checkLoopback(baseUrl);
  return [{ baseUrl }];
}
