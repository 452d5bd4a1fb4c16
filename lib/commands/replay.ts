// v1watch replay: the whole watch on a virtual clock, against a scenario or a server on this machine.
import { mistakesText, readConfig } from "../config/config.ts";
import {
  type Detection,
  detect,
  isDetected,
  isPage,
  type Message,
  type Replay,
  replay as run,
} from "../local/replay.ts";
import { simulatorKey } from "../local/simulation.ts";
import type { KeyResult } from "../ports.ts";
import { type ScenarioName, scenarioNamed, scenarioNames } from "../simulator/scenarios.ts";
import { startSimulator } from "../simulator/server.ts";
import { type Command, exitCodes, type Io, integerOption, type OptionValues, UsageError } from "./command.ts";
import { openKey } from "./key.ts";

const dayMs = 86_400_000;
/** A Monday's midnight, so that the hours of the scenarios are hours of the day. */
const usualStart = "2026-03-02T00:00:00Z";
const usualDays = 30;
const maxDays = 3_650;

const help = `v1watch replay [SCENARIO | --all | --base-url URL] [options]

Runs the whole watch on a virtual clock, as fast as it can: the plan, the requests over HTTP, the validation,
the assessment and every message. Use it to rehearse an alert policy, or to measure how soon a fault is told.

  SCENARIO         a scenario of the simulator: ${scenarioNames.slice(0, 3).join(", ")}, … (v1watch simulate --help)
  --all            every scenario, one after another
  --base-url URL   a server on this machine. Every request carries the virtual instant in X-V1watch-Clock; a
                   response with X-V1watch-Latency counts as having taken that many milliseconds
  --days N         how many days (default: what the scenario needs, ${usualDays} for a server)
  --start ISO      the first instant (default ${usualStart})
  --seed N         of the simulator's data (default 1)
  --config FILE    another file than v1watch.config.json
  --json           one line for each message, then a summary

The key comes from the configuration, as always; a scenario has its own. Nothing is stored and nobody is notified.
Exit codes: 0 every fault of the scenario was told in time, 1 one was not, 2 usage or configuration.

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
    days: values.days === undefined ? undefined : integerOption(values, "days", usualDays, 1, maxDays),
    seed: integerOption(values, "seed", 1, 0, 2 ** 31 - 1),
    isJson: values.json === true,
    flags: typeof values.config === "string" ? { config: values.config } : {},
  };
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A virtual clock at a real V1 would be a storm of requests. */
function checkLoopback(url: string): void {
  if (loopback.test(URL.parse(url)?.hostname ?? "")) return;
  throw new UsageError(
    `--base-url of a replay is a server on this machine (such as http://127.0.0.1:4181), not "${url}"`,
  );
}

async function runAgainst(
  baseUrl: string,
  clock: { nowMs: number },
  days: number,
  { flags, seed, isJson }: Options,
  io: Io,
  scenarioKey?: KeyResult,
): Promise<Replay | undefined> {
  const loaded = await readConfig(io.env, { ...flags, "base-url": baseUrl });
  if (!loaded.ok) {
    io.err(mistakesText(loaded.mistakes));
    return undefined;
  }
  const { config, origins } = loaded;
  const show = ({ atMs, alert }: Message) => {
    const at = new Date(atMs).toISOString();
    io.out(
      isJson
        ? `${JSON.stringify({ type: "message", at, alert })}\n`
        : `${at.slice(0, 16).replace("T", " ")}  ${alert.severity.padEnd(8)} ${alert.subject}\n`,
    );
  };
  return run({
    config,
    readKey:
      scenarioKey === undefined
        ? openKey(config, origins, io.env)
        : async () => (config.key === "none" ? { kind: "none" } : scenarioKey),
    clock,
    untilMs: clock.nowMs + days * dayMs,
    seed,
    signal: io.signal,
    onMessage: show,
  });
}

/** As long as the truth of the scenario needs, and two hours to see what is told too much. */
function daysOf(name: ScenarioName): number {
  const { truth } = scenarioNamed(name);
  const endsMs = truth.map(({ fromMs, withinMs }) => fromMs + withinMs + dayMs / 12);
  return truth.length === 0 ? usualDays : Math.ceil(Math.max(...endsMs) / dayMs);
}

type Outcome = Pick<Replay, "checks" | "messages" | "spent"> & { days: number; detections: Detection[] };

async function runScenario(name: ScenarioName, options: Options, io: Io): Promise<Outcome | undefined> {
  const { startMs, seed } = options;
  const clock = { nowMs: startMs };
  const scenario = scenarioNamed(name);
  const simulator = await startSimulator({
    ...{ passports: 200, seed, key: simulatorKey, profile: scenario.profile, scenario: name, startAtMs: 0 },
    clock: { now: () => clock.nowMs },
  });
  try {
    const days = options.days ?? daysOf(name);
    const key = { kind: "key", key: simulatorKey } as const;
    const result = await runAgainst(simulator.url, clock, days, options, io, key);
    if (!result) return undefined;
    // What lies beyond the replayed days cannot be told.
    const truth = scenario.truth.filter(({ fromMs, withinMs }) => fromMs + withinMs <= days * dayMs);
    return { ...result, days, detections: detect({ truth }, result.messages, startMs) };
  } finally {
    await simulator.close();
  }
}

async function runServer(baseUrl: string, options: Options, io: Io): Promise<Outcome | undefined> {
  const days = options.days ?? usualDays;
  const result = await runAgainst(baseUrl, { nowMs: options.startMs }, days, options, io);
  return result && { ...result, days, detections: [] };
}

const minutes = (ms: number) => `${Math.round(ms / 60_000)} min`;

const detectionText = (detection: Detection) => {
  const { rule, afterMs, withinMs } = detection;
  const word = isDetected(detection) ? "in time" : afterMs === undefined ? "MISSED" : "LATE";
  const found = afterMs === undefined ? "never told" : `told after ${minutes(afterMs)}`;
  return `  ${word.padEnd(8)} ${rule.padEnd(26)} ${found} (limit ${minutes(withinMs)})`;
};

function summaryText({ days, checks, messages, spent, detections }: Outcome, seconds: number): string {
  const pages = messages.filter(({ alert }) => isPage(alert)).length;
  const months = Object.entries(spent).map(
    ([month, requests]) => `${month} ${requests.toLocaleString("en")}`,
  );
  return [
    ...detections.map(detectionText),
    `${days} days in ${seconds.toFixed(1)} s: ${checks.toLocaleString("en")} checks, ${messages.length} messages, ${pages} pages.`,
    `Requests: ${months.join(", ")}.`,
    "",
  ].join("\n");
}

const summaryJson = ({ checks, messages }: Outcome) =>
  `${JSON.stringify({
    type: "summary",
    checks,
    messages: messages.length,
    pages: messages.filter(({ alert }) => isPage(alert)).length,
  })}\n`;

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

    const names: readonly (ScenarioName | undefined)[] = values.all ? scenarioNames : [name];
    let isFine = true;
    for (const one of names) {
      if (io.signal.aborted) break;
      if (values.all && !options.isJson) io.out(`\n${one}\n`);
      const startedAt = performance.now();
      const outcome = one
        ? await runScenario(one, options, io)
        : await runServer(String(baseUrl), options, io);
      if (!outcome) return exitCodes.usage;
      isFine &&= outcome.detections.every(isDetected);
      const seconds = (performance.now() - startedAt) / 1_000;
      io.out(options.isJson ? summaryJson(outcome) : summaryText(outcome, seconds));
    }
    return isFine ? exitCodes.success : exitCodes.findings;
  },
};
