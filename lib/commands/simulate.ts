// v1watch simulate: serves V1, and optionally V2, on this machine, as documented or with a fault scenario.

import { maxPopulation } from "../simulator/population.ts";
import { profiles } from "../simulator/profile.ts";
import type { Scenario } from "../simulator/scenario.ts";
import { type ScenarioName, scenarios } from "../simulator/scenarios.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../simulator/server.ts";
import { startV2Simulator, type V2Simulator } from "../simulator/v2/server.ts";
import {
  choiceOption,
  exitCodes,
  integerOption,
  type OptionName,
  type OptionValues,
  type Run,
  UsageError,
} from "./command.ts";
import { simulatorPort } from "./defaults.ts";
import { print } from "./layout.ts";
import { explainPort } from "./port.ts";

export const simulate: Run = async (values, _, io) => {
  const port = integerOption(values, "port", {
    fallback: simulatorPort,
    min: 0,
    max: values.v2 ? 65_534 : 65_535,
  });
  const scenario = scenarioOption(values);
  const profile = choiceOption(values, "profile", scenario.profile, profiles);
  const passports = integerOption(values, "passports", { fallback: 500, min: 1, max: maxPopulation });
  const seed = integerOption(values, "seed", { fallback: 1, min: 0, max: 2 ** 31 - 1 });
  const key = keyOption(values);
  const options: SimulatorOptions = {
    port,
    profile,
    passports,
    seed,
    scenario: scenario.name as ScenarioName,
    startAtMs: durationOption(values, "at", scenario.startAtMs),
    speed: integerOption(values, "speed", { fallback: 1, min: 1, max: 1_000_000 }),
    key,
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
  print(
    io,
    [
      `Simulated V1 at ${simulator.url}`,
      `${passports.toLocaleString("en")} passports · seed ${seed} · profile ${profile} · ${key === undefined ? "accepts any key or none" : "accepts one key or none"}`,
      `${scenario.name}: ${scenario.summary}`,
      "",
      ...curlLines(simulator),
      "",
      ...(v2 ? [`Simulated V2 at ${v2.url}`, "", ...v2CurlLines(v2, key), ""] : []),
      "Press Ctrl-C to stop.",
      "",
    ].join("\n"),
  );
  await untilAborted(io.signal);
  await Promise.all([simulator.close(), v2?.close()]);
  return exitCodes.success;
};

function scenarioOption(values: OptionValues): Scenario {
  const name = values.scenario ?? "healthy";
  const found = scenarios.find((scenario) => scenario.name === name);
  if (!found) throw new UsageError(`there is no scenario "${name}"`);
  return found;
}

function keyOption(values: OptionValues): string | undefined {
  const { key } = values;
  if (key === undefined) return undefined;
  // A key that is not valid in a header could never match. The message does not repeat the key.
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError("--key must consist of printable ASCII characters without spaces");
  }
  return key;
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationOption(values: OptionValues, name: OptionName, fallback: number): number {
  const text = values[name];
  if (text === undefined) return fallback;
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(String(text)) ?? [];
  if (text === "0") return 0;
  if (amount === undefined || unit === undefined) {
    throw new UsageError(`--${name} must be a duration such as 0, 90m, 36h or 3d, not "${text}"`);
  }
  return Number(amount) * (unitsMs[unit] ?? 0);
}

async function listen<T>(port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw await explainPort(error, port);
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

function v2CurlLines({ url, population }: V2Simulator, key: string | undefined): string[] {
  const query = `id=${population.walletOf(0, 0)}&account_source=wallet`;
  return [`  curl -sS -H 'X-API-KEY: ${key === undefined ? "any" : "<key>"}' '${url}/profile?${query}'`];
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
