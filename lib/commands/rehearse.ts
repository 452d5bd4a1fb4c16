// v1watch rehearse: V1's end on a test system, by a proxy, or by the team's smoke test under every scenario.
import { resolve } from "node:path";
import { printable } from "../config/config.ts";
import { isLoopbackHost } from "../config/loopback.ts";
import { endpoints, sampleSource } from "../contract/endpoints.ts";
import {
  isBrokenName,
  judgeRows,
  notPlayable,
  type RehearsalProof,
  type RehearsalResult,
  rehearsalFileName,
  rehearsalNames,
  rehearsalResults,
} from "../records/rehearsal.ts";
import { startRehearsalProxy, type Upstream } from "../rehearse/proxy.ts";
import { type Run, rehearse as runRehearsal } from "../rehearse/run.ts";
import { rehearsalScenarios, scenarioOf } from "../rehearse/scenarios.ts";
import { type Simulator, startSimulator } from "../simulator/server.ts";
import { capitalise, plural } from "../text.ts";
import {
  choice,
  defineCommand,
  exitCodes,
  type Io,
  integer,
  text,
  UsageError,
  type Values,
} from "./command.ts";
import { print, printJson, toJson } from "./layout.ts";
import { loadConfig } from "./load-config.ts";
import { writeFileAtomically } from "./output-file.ts";
import { refusePort, untilStopped } from "./port.ts";
import { openProxy } from "./proxy.ts";
import { port as portOption, watchOptions } from "./shared-options.ts";
import { describeRemaining, openWatchBudget } from "./watch-budget.ts";

const usualPort = 4183;
/** The results are printed as they come in, so that no table can align them. */
const width = Math.max(...rehearsalNames.map(({ length }) => length));

const options = {
  run: text("<COMMAND>", "your smoke test; it finds the proxy's address in V1_URL"),
  handled: text("<TEXT>", "what it prints when it has noticed that V1 is broken"),
  timeout: integer("<SECONDS>", "the time that it has in each scenario (default 60)", {
    min: 1,
    max: 3_600,
    fallback: 60,
  }),
  out: text(
    "<FILE>",
    `the result of --run, for ready and report (default ${rehearsalFileName}, none with --scenario); - is standard output`,
  ),
  upstream: text("<URL>", "V1's address; forwarded requests count against its quota"),
  scenario: choice("<NAME>", "what V1 does (default healthy; with --run all)", rehearsalNames),
  port: portOption(`port (default ${usualPort}; 0 chooses a free port)`, undefined),
  listen: text("<ADDRESS>", "address to listen on (default 127.0.0.1)"),
  "max-requests": integer("<N>", "requests to V1 before the proxy stops (default 500)", {
    min: 1,
    max: 100_000,
    fallback: 500,
  }),
  ...watchOptions,
};
type RehearseValues = Values<typeof options>;

export const rehearse = defineCommand({
  description:
    "Serves V1 to a test system, and breaks it by a scenario. The responses are V1's own with --upstream, else the simulator's. With --run it runs your smoke test under every scenario instead, and names the scenarios in which the test passes although V1 is broken.",
  options,
  notes: [
    `Scenarios:\n${rehearsalScenarios.map(({ name, does }) => `  ${name}\tV1 ${does}`).join("\n")}`,
    `A proxy cannot play ${notPlayable}: try these by pointing the smoke test to an address that does not exist.`,
    "Exit codes of --run: 0 the test noticed V1's end in every scenario, 1 it did not, 2 usage error, or unknown: the test fails while V1 is healthy, did not ask V1 in a scenario, or was stopped.",
    'Example: v1watch rehearse --run "npm test" --handled "not available"\n',
  ],
  async run(values, _positionals, io) {
    const simulator = values.upstream === undefined ? await startSimulator() : undefined;
    try {
      const upstream = readUpstream(values, simulator?.url);
      const budget = simulator ? undefined : await openBudget(values, upstream.url, io);
      try {
        const rehearsal: RehearsalContext = {
          values,
          io,
          proxy: await startProxy(values, {
            ...upstream,
            book: budget?.book,
            allowPrivateNetworks: budget?.allowPrivateNetworks,
            proxy: budget?.proxy,
          }),
          simulator,
          budgetText: budget?.text,
        };
        try {
          return await (values.run === undefined ? serve(rehearsal) : runCommand(rehearsal, values.run));
        } finally {
          await rehearsal.proxy.close();
        }
      } finally {
        budget?.close();
      }
    } finally {
      await simulator?.close();
    }
  },
});

type Proxy = Awaited<ReturnType<typeof startRehearsalProxy>>;
type RehearsalContext = {
  values: RehearseValues;
  io: Io;
  proxy: Proxy;
  /** Undefined where the responses are those of V1. */
  simulator: Simulator | undefined;
  /** What the budget of the watch has left, or that none counts the requests. */
  budgetText: string | undefined;
};

async function startProxy(
  { port: given, run, listen: host = "127.0.0.1" }: RehearseValues,
  upstream: Upstream,
): Promise<Proxy> {
  const port = given ?? (run === undefined ? usualPort : 0);
  return startRehearsalProxy(upstream, { port, host }).catch((error) => refusePort(error, port));
}

/** Plays one scenario until the command is stopped. */
async function serve({ values, io, proxy, simulator, budgetText }: RehearsalContext): Promise<number> {
  const { scenario = "healthy", listen = "127.0.0.1" } = values;
  const played = scenarioOf(scenario);
  proxy.play(played);
  const source = simulator ? "the simulator" : "V1, whose quota pays for them";
  io.out(
    [
      `Rehearsal at ${proxy.url}: V1 ${played.does}`,
      `The responses are those of ${source}. Every one has the header X-V1watch-Rehearsal.`,
      ...(budgetText === undefined ? [] : [budgetText]),
      ...(listen === "127.0.0.1" ? [] : [`Whoever reaches ${listen} can use it.`]),
      "",
      `  curl -i ${proxy.url}${endpoints[sampleSource].path}`,
      "",
      "Press Ctrl-C to stop.",
      "",
    ].join("\n"),
  );
  await untilStopped(io.signal);
  const rows = proxy
    .callers()
    .map(({ userAgent, endpoint, requests }) => `${requests}\t${endpoint}\t${userAgent}\n`);
  const paid = simulator ? "" : `V1's quota paid for ${plural(proxy.upstreamRequests(), "request")}.\n`;
  print(io, `\nRequests by endpoint and User-Agent:\n${rows.join("")}${paid}`);
  return exitCodes.success;
}

/** The budget of the watch of this V1, in which every request is booked before it is sent. */
async function openBudget(values: RehearseValues, url: string, io: Io) {
  const { store, config: configFile } = values;
  const { config, origins } = await loadConfig({ store, config: configFile, "base-url": url }, io);
  const opened = await openWatchBudget(values, { config, origins, env: io.env });
  const book = async () => {
    const { requests, limitedBy } = await opened!.sharedBudget.reserve(1);
    if (requests > 0) return undefined;
    return limitedBy === "store"
      ? "the watch's store takes no entry"
      : "the watch needs the rest of this month's budget";
  };
  return {
    book: opened && book,
    allowPrivateNetworks: config.allowPrivateNetworks,
    proxy: await openProxy(config, io),
    text: describeRemaining(opened?.remaining, config.store),
    close: () => opened?.close(),
  };
}

function readUpstream(
  { upstream, "max-requests": maxRequests }: RehearseValues,
  simulated?: string,
): Upstream {
  const limits = { deadlineMs: 15_000, maxBodyBytes: 2 ** 23, maxRequests };
  if (simulated !== undefined) return { url: simulated, allowLoopback: true, ...limits };
  const url = URL.parse(upstream ?? "");
  const isPlain = url && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (upstream === undefined || !isPlain || !/^https?:$/.test(url.protocol))
    throw new UsageError("--upstream must be V1's address, such as https://api.example.com");
  return { url: upstream, allowLoopback: isLoopbackHost(url.hostname), ...limits };
}

/** What goes unnoticed stands out. */
const labelOf = (result: RehearsalResult) => {
  const { text, means } = rehearsalResults[result];
  return means === "unnoticed" ? text.toUpperCase() : text;
};

const proofCodes: Record<RehearsalProof["kind"], number> = {
  noticed: exitCodes.success,
  unnoticed: exitCodes.findings,
  incomplete: exitCodes.usage,
  "no-control": exitCodes.usage,
};

/** Runs the smoke test under every scenario, or under the one that was named. */
async function runCommand(
  { values, io, proxy, simulator, budgetText }: RehearsalContext,
  command: string,
): Promise<number> {
  const { scenario: only } = values;
  // One scenario proves nothing about the others, so that it does not replace the result of all.
  const file = values.out ?? (only === undefined ? rehearsalFileName : undefined);
  const say = file === "-" ? io.err : io.out;
  if (budgetText !== undefined) say(`${budgetText}\n\n`);
  const run = await runRehearsal({
    proxy,
    command,
    handled: values.handled,
    names: only === undefined ? undefined : [only],
    timeoutMs: values.timeout * 1_000,
    cwd: process.cwd(),
    env: io.env,
    upstream: simulator ? "simulator" : "v1",
    nowMs: Date.now,
    signal: io.signal,
    onRow: ({ scenario, result: one }) => say(`  ${scenario.padEnd(width)}  ${labelOf(one)}\n`),
  });
  const { rehearsal } = run;
  if (file === "-") printJson(io, rehearsal);
  else if (file !== undefined) await writeFileAtomically(resolve(file), toJson(rehearsal));
  const required = only === undefined ? undefined : [only].filter(isBrokenName);
  const proof = judgeRows(rehearsal.rows, required);
  const stopped = io.signal.aborted ? "Stopped before the end. " : "";
  const paid = simulator ? "" : ` V1's quota paid for ${plural(rehearsal.upstreamRequests, "request")}.`;
  const last = rehearsal.rows.at(-1);
  // Where V1 works there is nothing to notice.
  if (required?.length === 0 && last && proof.kind !== "no-control") {
    say(`\nThe smoke test ${rehearsalResults[last.result].text}. This says nothing about V1's end.${paid}\n`);
    return last.scenario === only && last.result === "passed" ? exitCodes.success : exitCodes.findings;
  }
  say(`\n${stopped}${capitalise(proof.sentence)}.${paid}\n`);
  if (proof.kind === "no-control") say(describeControl(run, simulator));
  return proofCodes[proof.kind];
}

/** What to do about a smoke test that does not pass while V1 is healthy; what it printed goes to the terminal only. */
function describeControl({ rehearsal, lastErrors, controlTraffic }: Run, simulator?: Simulator): string {
  const [control] = rehearsal.rows;
  if (control?.result === "not-called") return "Let it use the address in V1_URL for V1, and no cache.\n";
  if (control?.result === "not-served") {
    const unserved = controlTraffic
      .filter(({ played }) => played === 0)
      .map(({ endpoint, status }) => `${endpoint} (${status})`);
    const remedy = simulator
      ? `Let it ask for what the simulator has: ${simulator.population.idOf(0)} or ${simulator.population.walletOf(0, 0)}.`
      : "Let it ask for what V1 has, with a key that V1 accepts.";
    return `Not served: ${unserved.join(", ")}. ${remedy}\n`;
  }
  const lines = lastErrors.filter((line) => line !== "").map((line) => `  ${printable(line)}\n`);
  if (control?.result === "false-alarm" || lines.length === 0)
    return "Run it by itself first: it has to pass while V1 is healthy.\n";
  return `The last lines of its standard error, which are not stored:\n${lines.join("")}`;
}
