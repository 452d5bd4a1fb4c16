// v1watch simulate: serves V1, and optionally V2, on this machine, as documented or with a fault scenario.

import { maxPopulation } from "../simulator/population.ts";
import { scenarioNamed, scenarioNames, scenarios } from "../simulator/scenarios.ts";
import { type Simulator, startSimulator } from "../simulator/server.ts";
import { startV2Simulator, type V2Simulator, type V2SimulatorOptions } from "../simulator/v2/server.ts";
import { plural } from "../text.ts";
import { choice, defineCommand, exitCodes, flag, integer, text, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { refusePort, untilStopped } from "./port.ts";
import { port } from "./shared-options.ts";

export const simulatorPort = 4181;

export const scenarioList = `Scenarios:\n${scenarios.map(({ name, summary }) => `  ${name}\t${summary}`).join("\n")}`;

const options = {
  port: port(`port (default ${simulatorPort}; 0 chooses a free port)`, simulatorPort),
  scenario: choice(
    "<NAME>",
    "fault scenario (default healthy), see below; its fault is there from the start",
    scenarioNames,
  ),
  key: text(
    "<KEY>",
    "the only key that V1 accepts: another one gets 401, as V1's document says, and a request without a key is served (default: any key is accepted)",
  ),
  passports: integer("<N>", "number of passports (default 500)", {
    min: 1,
    max: maxPopulation,
    fallback: 500,
  }),
  seed: integer("<N>", "seed of the generated data (default 1)", {
    min: 0,
    max: 2 ** 31 - 1,
    fallback: 1,
  }),
  v2: flag(
    "serve V2 on the next port as well, with the same data and the fields of the starter mapping; V2 requires a key, whichever it is",
  ),
};

export const simulate = defineCommand({
  description: `Serves V1 as its document describes it on http://127.0.0.1:${simulatorPort} until you stop it.`,
  options,
  notes: [
    scenarioList,
    "Example: v1watch simulate --scenario gone --port 4190",
    "Example for tests of your own: v1watch simulate --port 0 --key test",
    `Example of a migration to V2 on one machine:\n  v1watch simulate --v2 &\n  v1watch migrate init\n  V1WATCH_V2_API_KEY=any v1watch parity --allow-loopback --apart 0s \\\n    --base-url http://127.0.0.1:${simulatorPort} \\\n    --v2-base-url http://127.0.0.1:${simulatorPort + 1} --json > parity.state.json\n  v1watch ready`,
  ],
  async run(values, _positionals, io) {
    const { passports, seed, key } = values;
    if (key === "") throw new UsageError("--key must not be empty: a request without a key is always served");
    if (values.v2 && values.port === 65_535) throw new UsageError("--port must leave the next one to V2");
    const scenario = scenarioNamed(values.scenario ?? "healthy");
    const { profile } = scenario;
    const served = {
      port: values.port,
      profile,
      passports,
      seed,
      key,
      scenario: values.scenario ?? "healthy",
      startAtMs: scenario.startAtMs,
    };
    const simulator = await startSimulator(served).catch((error) => refusePort(error, values.port));
    const v2 = values.v2 ? await startV2(served, simulator) : undefined;
    print(
      io,
      [
        `Simulated V1 at ${simulator.url}`,
        `${plural(passports, "passport")} · profile ${profile} · ${key === undefined ? "accepts any key or none" : "accepts the given key or none; any other key gets 401"}`,
        `${scenario.name}: ${scenario.summary}`,
        "",
        ...curlLines(simulator),
        "",
        ...(v2 ? [`Simulated V2 at ${v2.url}`, "", ...v2CurlLines(v2), ""] : []),
        "Press Ctrl-C to stop.",
        "",
      ].join("\n"),
    );
    await untilStopped(io.signal);
    await Promise.all([simulator.close(), v2?.close()]);
    return exitCodes.success;
  },
});

async function startV2(served: V2SimulatorOptions, v1: Simulator): Promise<V2Simulator> {
  // A free port has no neighbour that is known to be free.
  const v2Port = served.port === 0 ? 0 : v1.port + 1;
  try {
    return await startV2Simulator({ ...served, port: v2Port }).catch((error) => refusePort(error, v2Port));
  } catch (error) {
    await v1.close();
    throw error;
  }
}

function curlLines({ url, population }: Simulator): string[] {
  const time = { now: Date.now() };
  // The example passport should have socials and credentials to show.
  const isComplete = (index: number) =>
    population.passport(index, time).passport_socials.length > 0 &&
    population.credentials(index, time).length > 0;
  const example = population.ranked().find(isComplete) ?? 0;
  return [
    `  curl -sS '${url}/api/v1/passports?page=1'`,
    `  curl -sS '${url}/api/v1/passports/${population.walletOf(example, 0)}'`,
    `  curl -sS '${url}/api/v1/passport_credentials?passport_id=${population.idOf(example)}'`,
  ];
}

function v2CurlLines({ url, population }: V2Simulator): string[] {
  const query = `id=${population.walletOf(0, 0)}&account_source=wallet`;
  return [`  curl -sS -H 'X-API-KEY: any' '${url}/profile?${query}'`];
}
