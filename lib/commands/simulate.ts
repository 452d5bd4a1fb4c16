// `v1watch simulate`: the deprecated API on this machine, whole or broken on purpose.

import { maxPopulation } from "../simulator/population.ts";
import { profiles } from "../simulator/profile.ts";
import type { Scenario } from "../simulator/scenario.ts";
import { type ScenarioName, scenarios } from "../simulator/scenarios.ts";
import { type Simulator, startSimulator } from "../simulator/server.ts";
import { startV2Simulator, type V2Simulator } from "../simulator/v2/server.ts";
import { type Command, choiceOption, exitCodes, integerOption, UsageError, type Values } from "./command.ts";
import { findPortOwner } from "./port.ts";

const defaultPort = 4181;

const listScenarios = () => {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  return scenarios.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
};

export const simulate: Command = {
  name: "simulate",
  summary: "run V1 on this machine, as documented or broken on purpose",
  help: `v1watch simulate [options]

Serves V1 from its document on http://127.0.0.1:${defaultPort} until it is stopped.

  --port N        the port (default ${defaultPort}; 0 takes a free one)
  --profile F        documented, or realistic: nulls, retyped and extra fields, as seen in the field
                  (default: the scenario's)
  --scenario S    what goes wrong (default healthy); it starts where its fault begins
  --at T          start the scenario elsewhere on its timeline: 0, 90m, 36h, 3d
  --speed N       let the scenario's time pass N times as fast (default 1)
  --passports N   how many passports there are (default 500)
  --seed N        another set of people (default 1)
  --key K         answer 401 to every other X-API-KEY; requests without one are still served
  --v2             serve V2 beside it, on the next port, for the same people and as the starter mapping
                  says; it wants a key, any one or that of --key

Scenarios:
${listScenarios()}

Example: v1watch simulate --scenario gone --port 4190

Example, the move to V2 on one machine:
  v1watch simulate --v2 &
  v1watch migrate init
  V1WATCH_V2_API_KEY=any v1watch parity --base-url http://127.0.0.1:${defaultPort} \\
    --v2-base-url http://127.0.0.1:${defaultPort + 1} --allow-loopback --apart 0s --json > parity.state.json
  v1watch ready
`,
  options: {
    port: { type: "string" },
    profile: { type: "string" },
    scenario: { type: "string" },
    at: { type: "string" },
    speed: { type: "string" },
    passports: { type: "string" },
    seed: { type: "string" },
    key: { type: "string" },
    v2: { type: "boolean" },
  },

  async run(values, _, io) {
    const port = integerOption(values, "port", defaultPort, 0, values.v2 ? 65_534 : 65_535);
    const scenario = scenarioOption(values);
    const profile = choiceOption(values, "profile", scenario.profile, profiles);
    const passports = integerOption(values, "passports", 500, 1, maxPopulation);
    const seed = integerOption(values, "seed", 1, 0, 2 ** 31 - 1);
    const key = keyOption(values);
    const options = {
      ...{ port, profile, passports, seed, scenario: scenario.name as ScenarioName },
      startAtMs: durationOption(values, "at", scenario.startAtMs),
      speed: integerOption(values, "speed", 1, 1, 1_000_000),
      ...(key === undefined ? {} : { key }),
    };
    const simulator = await listen(port, () => startSimulator(options));
    const v2Port = port === 0 ? 0 : port + 1;
    const v2 = values.v2
      ? await listen(v2Port, () => startV2Simulator({ ...options, port: v2Port })).catch(
          async (error: unknown) => {
            await simulator.close();
            throw error;
          },
        )
      : undefined;
    io.out(
      [
        `V1, simulated, at ${simulator.url}`,
        `${passports.toLocaleString("en")} passports · seed ${seed} · ${profile} · ${key === undefined ? "any key or none" : "one key or none"}`,
        `${scenario.name}: ${scenario.summary}`,
        "",
        ...curlLines(simulator),
        "",
        ...(v2 ? [`V2, simulated, at ${v2.url}`, "", ...v2Lines(v2, key), ""] : []),
        "Ctrl-C stops it.",
        "",
      ].join("\n"),
    );
    await untilAborted(io.signal);
    await Promise.all([simulator.close(), v2?.close()]);
    return exitCodes.fine;
  },
};

function scenarioOption(values: Values): Scenario {
  const name = values.scenario ?? "healthy";
  const found = scenarios.find((scenario) => scenario.name === name);
  if (!found) throw new UsageError(`there is no scenario "${name}". There are:\n${listScenarios()}`);
  return found;
}

function keyOption(values: Values): string | undefined {
  const { key } = values;
  if (key === undefined) return undefined;
  // What a header cannot carry could never match. The key itself is not repeated.
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError("--key takes printable ASCII characters without spaces");
  }
  return key;
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationOption(values: Values, name: string, fallback: number): number {
  const text = values[name];
  if (text === undefined) return fallback;
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(String(text)) ?? [];
  if (text === "0") return 0;
  if (amount === undefined || unit === undefined) {
    throw new UsageError(`--${name} takes a time such as 0, 90m, 36h or 3d, not "${text}"`);
  }
  return Number(amount) * (unitsMs[unit] ?? 0);
}

async function listen<T>(port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES") throw new UsageError(`port ${port} needs more rights than yours. Use --port.`);
    if (code !== "EADDRINUSE") throw error;
    const owner = await findPortOwner(port);
    const who = owner ? ` (pid ${owner.pid}, ${owner.name})` : "";
    throw new UsageError(`port ${port} is in use${who}. Use --port, or stop it.`);
  }
}

function curlLines({ url, population }: Simulator): string[] {
  const moment = { now: Date.now() };
  const isTelling = (index: number) =>
    population.passport(index, moment).passport_socials.length > 0 &&
    population.credentials(index, moment).length > 0;
  const best = population.ranked().find(isTelling) ?? 0;
  return [
    `  curl -sS '${url}/api/v1/passports?page=1'`,
    `  curl -sS '${url}/api/v1/passports/${population.walletOf(best, 0)}'`,
    `  curl -sS '${url}/api/v1/passport_credentials?passport_id=${population.idOf(best)}'`,
  ];
}

function v2Lines({ url, population }: V2Simulator, key: string | undefined): string[] {
  const query = `id=${population.walletOf(0, 0)}&account_source=wallet`;
  return [`  curl -sS -H 'X-API-KEY: ${key === undefined ? "any" : "<key>"}' '${url}/profile?${query}'`];
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
