// v1watch init and config: writes a configuration, and prints the effective configuration, the origin of each value, and the requests per month.

import { existsSync } from "node:fs";
import { Argument } from "commander";
import { listStarterChannels } from "../config/channels.ts";
import {
  type Config,
  describeProxy,
  durationMs,
  type KeySource,
  type LoadedConfig,
  maskKey,
  mistakesText,
  type ProxySetting,
  loadConfig as parseConfig,
  printable,
  requestsPerMonth,
  yamlFileName,
} from "../config/config.ts";
import { alertEvents } from "../records/alert.ts";
import { severities } from "../records/incident.ts";
import { formatCount } from "../text.ts";
import { defineCommand, exitCodes, type Io, text, UsageError } from "./command.ts";
import { print, printJson } from "./layout.ts";
import { loadConfig } from "./load-config.ts";
import { writeOutput } from "./output-file.ts";
import { config as configOption, json } from "./shared-options.ts";

export const config = defineCommand({
  description:
    "Prints the settings in effect, where each comes from, and how many requests a month they need. Environment variables (V1WATCH_BASE_URL, V1WATCH_BUDGET, …) override the configuration file. Options override both.",
  options: {
    config: configOption,
    "base-url": text("<URL>", "base URL of V1"),
    cadence: text("<TIME>", "interval between two checks of an endpoint"),
    budget: text("<N>", "requests per month"),
    json,
  },
  notes: ["Example: v1watch config --base-url https://api.example.com --cadence 1h"],
  async run(values, _positionals, io) {
    const loaded = await loadConfig(values, io);
    if (values.json) printJson(io, describeConfig(loaded, io.env));
    else print(io, renderText(loaded, io.env));
    return exitCodes.success;
  },
});

const starterChannels = listStarterChannels();
const starterTypes = starterChannels.map(({ type }) => type).join(", ");

const questions = [
  {
    flag: "base-url",
    question: "The base URL of V1, without /api/v1 (such as https://api.example.com)",
    fallback: "",
  },
  {
    flag: "key-env",
    question: "The environment variable with the API key, or none",
    fallback: "V1WATCH_API_KEY",
  },
  {
    flag: "retirement",
    question: "The day on which V1 is removed (such as 2026-12-31), if it is known",
    fallback: "",
  },
  {
    flag: "channel",
    question: `Where alerts go (${starterTypes}), empty for the console only`,
    fallback: "",
  },
] as const;
type Question = (typeof questions)[number];
type Answers = Readonly<Partial<Record<Question["flag"], string | undefined>>>;

export const init = defineCommand({
  description:
    "Asks four questions and writes FILE: the base URL, the source of the key, the retirement date, and where alerts go. It skips a question that an option answers, and asks nothing without a terminal. It asks again after a mistake. It does not overwrite a file.",
  arguments: [
    new Argument("[file]", "the file to write (default v1watch.config.yaml); - is standard output"),
  ],
  options: {
    "base-url": text("<URL>", "base URL of V1"),
    "key-env": text("<NAME>", "environment variable with the API key, or none"),
    retirement: text("<DATE>", "the day on which V1 is removed"),
    channel: text("<TYPE>", `where alerts go: ${starterTypes}`),
  },
  notes: ["Example: v1watch init --base-url https://api.example.com"],
  async run(values, [file = yamlFileName], io) {
    if (file !== "-" && existsSync(file))
      throw new UsageError(`${file} exists and is not overwritten. Name another file`);
    const answers: Record<string, string> = {};
    for (const question of questions)
      answers[question.flag] = values[question.flag]?.trim() || (await ask(question, values, io));
    const fileText = renderStarter(answers);
    const filePath = file === "-" ? yamlFileName : file;
    const loaded = parseConfig({ fileText, filePath, env: {}, flags: {} });
    if (!loaded.ok) throw new UsageError(mistakesText(loaded.mistakes));
    await writeOutput(file, fileText, io);
    const named = file === yamlFileName ? [] : ["--config", file];
    const [check, start] = ["config", "up"].map((command) => ["v1watch", command, ...named].join(" "));
    if (file !== "-") print(io, `Wrote ${file}. Next: \`${check}\`, then \`${start}\`.\n`);
    return exitCodes.success;
  },
});

/** Asks again after an answer with a mistake, so that the answers before it are not lost. */
async function ask({ flag: name, question, fallback }: Question, given: Answers, io: Io): Promise<string> {
  if (given[name] !== undefined || io.ask === undefined) return fallback;
  while (true) {
    const answer = (await io.ask(`${question}${fallback && ` [${fallback}]`}: `)).trim() || fallback;
    const mistake = findMistake(name, answer);
    if (mistake === undefined) return answer;
    io.err(`${mistake}\n`);
  }
}

function findMistake(name: Question["flag"], answer: string): string | undefined {
  if (name === "channel" && answer !== "" && !starterChannels.some(({ type }) => type === answer))
    return unknownChannel(answer);
  const fileText = renderStarter({
    "base-url": "https://api.example.com",
    "key-env": "none",
    [name]: answer,
  });
  const loaded = parseConfig({ fileText, filePath: yamlFileName, env: {}, flags: {} });
  return loaded.ok
    ? undefined
    : loaded.mistakes.map(({ problem, remedy }) => `This ${problem} ${remedy}`).join("\n");
}

const unknownChannel = (type: string) => `"${printable(type)}" is none of the channels ${starterTypes}`;

function renderChannel(type: string): string[] {
  const secrets = starterChannels.find((one) => one.type === type)?.secrets;
  if (!secrets) throw new UsageError(unknownChannel(type));
  const sources = Object.entries(secrets).map(([name, { env }]) => `    ${name}: { env: ${env} }`);
  return ["channels:", `  - type: ${type}`, "    name: team", ...sources];
}

function renderStarter(answers: Record<string, string>): string {
  const quoted = (value: string) => JSON.stringify(value);
  const key = answers["key-env"] === "none" ? "none" : `{ env: ${answers["key-env"]} }`;
  return [
    "# v1watch: every setting is described in docs/use/config.md.",
    `baseUrl: ${quoted(answers["base-url"] ?? "")}`,
    `key: ${key}`,
    ...(answers.retirement ? ["retirement:", `  date: ${quoted(answers.retirement)}`] : []),
    ...renderChannel(answers.channel || "slack").map((line) => (answers.channel ? line : `# ${line}`)),
    "",
  ].join("\n");
}

type ValidConfig = Extract<LoadedConfig, { ok: true }>;

const describeConfig = ({ config, origins }: ValidConfig, env: Io["env"]) => ({
  config,
  key: describeKey(config.key, env),
  proxy: config.proxy && describeProxySetting(config.proxy, env),
  origins,
  requestsPerMonth: requestsPerMonth(config),
});

function renderText({ config, origins }: ValidConfig, env: Io["env"]): string {
  const settings = Object.entries(origins)
    .filter(([path]) => path !== "$schema")
    .map(([path, origin]) => [path, origin, describeSetting(config, path, env)]);
  const warning =
    config.baseUrl.startsWith("http:") && config.key !== "none"
      ? ["", "http sends the key unencrypted. Use https."]
      : [];
  return [
    `V1 at ${config.baseUrl}`,
    "",
    ...renderTable(settings),
    ...warning,
    "",
    ...renderRequests(config),
    "",
  ].join("\n");
}

function renderRequests(config: Config): string[] {
  const month = requestsPerMonth(config);
  const rows = month.rows.map((row) => [
    row.variant,
    `every ${row.every}`,
    row.endpoints.length > 1 ? `${row.endpoints.length} endpoints` : (row.endpoints[0] ?? ""),
    formatCount(row.requests),
  ]);
  rows.push([
    "confirmations",
    `every ${config.cadence.confirm}`,
    "reserved for confirming failures",
    formatCount(month.confirmations),
  ]);
  rows.push(["total", "", "", formatCount(month.total)]);
  const minutes = durationMs(config.cadence.confirm) / 60_000;
  const unused = formatCount(month.budget - month.total);
  return [
    `Requests per month of 31 days, budget ${formatCount(month.budget)}`,
    "",
    ...renderTable(rows),
    "",
    `Within the budget, with ${unused} requests unused. A suspected failure is confirmed within ${minutes <= 1 ? "a minute" : config.cadence.confirm}.`,
  ];
}

function describeSetting(config: Config, path: string, env: Io["env"]): string {
  if (path === "key") return describeKey(config.key, env);
  if (path === "proxy" && config.proxy) return describeProxySetting(config.proxy, env);
  return formatValue(config, path);
}

/** The source of the key, and for an environment variable the last characters of the key. */
const describeKey = (source: KeySource, env: Io["env"]): string =>
  source === "none" ? "none" : describeSource(source, env, maskKey);

/** The address of the proxy without its user and password, or where it is read from. */
const describeProxySetting = (setting: ProxySetting, env: Io["env"]): string =>
  "url" in setting
    ? printable(setting.url)
    : describeSource(setting, env, (text) => printable(describeProxy(text) ?? "no address of a proxy"));

/** `show`: what may be printed of a secret in the environment. */
function describeSource(
  source: Exclude<KeySource, "none">,
  env: Io["env"],
  show: (secret: string) => string,
): string {
  if ("file" in source) return `in the file ${printable(source.file)}`;
  if ("ssm" in source) return `in the SSM parameter ${source.ssm}`;
  if ("secret" in source) return `in the secret ${source.secret}`;
  const key = env[source.env];
  return key ? `${show(key)} from ${source.env}` : `${source.env}, which is not set`;
}

function formatValue(config: Config, path: string): string {
  const value = path
    .split(".")
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], config);
  return printable(describeValue(value)) || "none";
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A list of objects, such as the channels, has what each of them says; a list of ids has its first ones. */
function describeValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return formatCount(value);
  if (isObject(value))
    return Object.entries(value)
      .filter(([name, given]) => given !== undefined && !isEverything(name, given))
      .map(([name, given]) => `${name} ${describeValue(given)}`)
      .join(", ");
  if (!Array.isArray(value)) return String(value);
  if (value.some(isObject)) return value.map(describeValue).join("; ");
  const few = value.slice(0, 3).map((item) => String(item).replace(/^(0x.{4}).*(.{4})$/, "$1…$2"));
  return few.join(", ") + (value.length > 3 ? `, and ${value.length - 3} more` : "");
}

/** A channel that gets every alert need not list them. */
const isEverything = (name: string, given: unknown) =>
  Array.isArray(given) &&
  given.length === { severities: severities.length, events: alertEvents.length }[name];

const renderTable = (rows: readonly (readonly string[])[]) => rows.map((row) => `  ${row.join("\t")}`);
