// v1watch rehearse: V1's end on a test system, by a proxy, or by the team's smoke test under every scenario.
import { resolve } from "node:path";
import { mistakesText, readConfig } from "../config/config.ts";
import { endpoints, sampleSource } from "../contract/endpoints.ts";
import {
  type RehearsalResult,
  rehearsalFileName,
  rehearsalResults,
  unnoticed,
} from "../records/rehearsal.ts";
import { startRehearsalProxy, type Upstream } from "../rehearse/proxy.ts";
import { rehearse as runRehearsal } from "../rehearse/run.ts";
import { rehearsalScenarios, type ScheduleName, schedules } from "../rehearse/scenarios.ts";
import { startSimulator } from "../simulator/server.ts";
import { plural } from "../text.ts";
import {
  choiceOption,
  exitCodes,
  type Io,
  integerOption,
  type OptionValues,
  type Run,
  UsageError,
} from "./command.ts";
import { rehearsalPort } from "./defaults.ts";
import { layOut, outputWidth, print } from "./layout.ts";
import { writeFileAtomically } from "./output-file.ts";
import { isLocalUrl } from "./parity/options.ts";
import { explainPort } from "./port.ts";
import { describeRemaining, openWatchBudget } from "./watch-budget.ts";

const scenarioRows = rehearsalScenarios.map(({ name, does }) => `  ${name}\tV1 ${does}`).join("\n");
/** The results are printed as they come in, so that no table can align them. */
const width = Math.max(...rehearsalScenarios.map(({ name }) => name.length));

export const rehearse: Run = async (values, _positionals, io) => {
  const scenario = rehearsalScenarios.find(({ name }) => name === (values.scenario ?? "healthy"));
  if (!scenario)
    throw new UsageError(
      `unknown scenario "${values.scenario}". Available scenarios:\n${layOut(scenarioRows, outputWidth(io))}`,
    );
  const command = typeof values.run === "string" ? values.run : undefined;
  const port = integerOption(values, "port", {
    fallback: command === undefined ? rehearsalPort : 0,
    min: 0,
    max: 65_535,
  });
  const minutes = integerOption(values, "minutes", { fallback: 60, min: 1, max: 10_080 });
  const schedule =
    values.schedule === undefined
      ? undefined
      : choiceOption<ScheduleName>(values, "schedule", "github-brownouts", schedules);
  const simulator = values.upstream === undefined ? await startSimulator() : undefined;
  const host = typeof values.listen === "string" ? values.listen : "127.0.0.1";
  try {
    const upstream = readUpstream(values, simulator?.url);
    const budget = simulator ? undefined : await openBudget(values, upstream.url, io);
    const proxy = await startRehearsalProxy({ ...upstream, book: budget?.book }, { port, host }).catch(
      async (error: unknown) => {
        budget?.close();
        throw await explainPort(error, port);
      },
    );
    try {
      if (command !== undefined) {
        if (budget) (values.out === "-" ? io.err : io.out)(`${budget.text}\n\n`);
        return await runCommand({ values, io, command, proxy, isSimulated: simulator !== undefined });
      }
      if (schedule) proxy.playSchedule(schedule, minutes * 60_000);
      else proxy.play(scenario);
      const what = schedule ? `${schedule}, in ${plural(minutes, "minute")}` : `V1 ${scenario.does}`;
      const source = simulator ? "the simulator" : "V1, whose quota pays for them";
      io.out(
        [
          `Rehearsal at ${proxy.url}: ${what}`,
          `The responses are those of ${source}. Every one has the header X-V1watch-Rehearsal.`,
          ...(budget ? [budget.text] : []),
          ...(host === "127.0.0.1" ? [] : [`Whoever reaches ${host} can use it.`]),
          "",
          `  curl -i ${proxy.url}${endpoints[sampleSource].path}`,
          "",
          "Press Ctrl-C to stop.",
          "",
        ].join("\n"),
      );
      await untilAborted(io.signal);
      const rows = proxy
        .callers()
        .map(({ userAgent, endpoint, requests }) => `${requests}\t${endpoint}\t${userAgent}\n`);
      const paid = simulator ? "" : `V1's quota paid for ${plural(proxy.upstreamRequests(), "request")}.\n`;
      print(io, `\nRequests by endpoint and User-Agent:\n${rows.join("")}${paid}`);
      return exitCodes.success;
    } finally {
      await proxy.close();
      budget?.close();
    }
  } finally {
    await simulator?.close();
  }
};

/** The budget of the watch of this V1, in which every request is booked before it is sent. */
async function openBudget(values: OptionValues, url: string, io: Io) {
  const loaded = await readConfig(io.env, { ...values, "base-url": url });
  if (!loaded.ok) throw new UsageError(mistakesText(loaded.mistakes));
  const { config, origins } = loaded;
  const opened = await openWatchBudget(values, { config, origins, isLocal: isLocalUrl(url), env: io.env });
  const book = async () => {
    const { requests, limitedBy } = await opened!.sharedBudget.reserve(1);
    if (requests > 0) return undefined;
    return limitedBy === "store"
      ? "the watch's store takes no entry"
      : "the watch needs the rest of this month's budget";
  };
  return {
    book: opened && book,
    text: describeRemaining(opened?.remaining, config.store),
    close: () => opened?.close(),
  };
}

function readUpstream(values: OptionValues, simulated: string | undefined): Upstream {
  const limits = {
    deadlineMs: 15_000,
    maxWireBytes: 2 ** 21,
    maxBodyBytes: 2 ** 23,
    maxRequests: integerOption(values, "max-requests", { fallback: 500, min: 1, max: 100_000 }),
  };
  if (simulated !== undefined) return { url: simulated, allowLoopback: true, ...limits };
  const text = String(values.upstream);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new UsageError("--upstream must be V1's address, such as https://api.example.com");
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return { url: text, allowLoopback: isLoopback, ...limits };
}

/** What goes unnoticed stands out. */
const labelOf = (result: RehearsalResult) => {
  const { text, means } = rehearsalResults[result];
  return means === "unnoticed" ? text.toUpperCase() : text;
};

async function runCommand({
  values,
  io,
  command,
  proxy,
  isSimulated,
}: {
  values: OptionValues;
  io: Io;
  command: string;
  proxy: Awaited<ReturnType<typeof startRehearsalProxy>>;
  isSimulated: boolean;
}): Promise<number> {
  const file = typeof values.out === "string" ? values.out : rehearsalFileName;
  const say = file === "-" ? io.err : io.out;
  const seconds = integerOption(values, "timeout", { fallback: 60, min: 1, max: 3_600 });
  const result = await runRehearsal({
    proxy,
    command,
    handled: typeof values.handled === "string" ? values.handled : undefined,
    names: values.scenario === undefined ? undefined : [String(values.scenario)],
    timeoutMs: seconds * 1_000,
    cwd: process.cwd(),
    env: io.env,
    upstream: isSimulated ? "simulator" : "v1",
    nowMs: Date.now,
    signal: io.signal,
    onRow: ({ scenario, result: one }) => say(`  ${scenario.padEnd(width)}  ${labelOf(one)}\n`),
  });
  const [control, ...played] = result.rows;
  if (control?.result !== "handled")
    throw new UsageError(
      control?.result === "not-called"
        ? "the command did not ask the address in V1_URL. Let it use that address for V1."
        : "the command has to pass while V1 is healthy. Run it by itself first.",
    );
  const text = `${JSON.stringify(result, null, 2)}\n`;
  if (file === "-") io.out(text);
  else await writeFileAtomically(resolve(file), text);
  const missed = unnoticed(result);
  const paid = isSimulated ? "" : ` V1's quota paid for ${plural(result.upstreamRequests, "request")}.`;
  say(
    missed.length > 0
      ? `\nPassed unnoticed: ${missed.length} of ${plural(played.length, "scenario")}.${paid}\n`
      : `\nNothing passed unnoticed in ${plural(played.length, "scenario")}.${paid}\n`,
  );
  return missed.length > 0 ? exitCodes.findings : exitCodes.success;
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((end) => {
    if (signal.aborted) end();
    else signal.addEventListener("abort", () => end(), { once: true });
  });
