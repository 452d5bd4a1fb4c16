// v1watch config: what is in force, where it came from, and what it costs.
import {
  type Config,
  configJsonSchema,
  durationMs,
  type KeySource,
  type LoadedConfig,
  maskKey,
  mistakesText,
  printable,
  readConfig,
  requestsPerMonth,
} from "../config/config.ts";
import { type Command, exitCodes, type Io } from "./command.ts";

const help = `v1watch config [--config FILE] [--base-url URL] [--cadence 30m] [--budget N] [--json] [--schema]

Prints the configuration in force, where each value came from, and the requests a month that it implies.
v1watch.config.json comes first, the environment (V1WATCH_BASE_URL, V1WATCH_BUDGET, …) over it, flags over those.

  --config FILE    another file than v1watch.config.json (environment: V1WATCH_CONFIG)
  --base-url URL   where V1 answers
  --cadence TIME   how often every endpoint is asked
  --budget N       requests a month
  --json           for programs
  --schema         the JSON Schema of the file, for editors

Example: v1watch config --base-url https://api.example.com --cadence 1h
`;

export const config: Command = {
  name: "config",
  summary: "the configuration in force, where it came from, what it costs",
  help,
  options: {
    config: { type: "string" },
    "base-url": { type: "string" },
    cadence: { type: "string" },
    budget: { type: "string" },
    json: { type: "boolean" },
    schema: { type: "boolean" },
  },
  async run(values, _positionals, io) {
    if (values.schema) {
      io.out(`${JSON.stringify(configJsonSchema(), null, 2)}\n`);
      return exitCodes.fine;
    }
    const loaded = await readConfig(io.env, values);
    if (!loaded.ok) {
      io.err(mistakesText(loaded.mistakes));
      return exitCodes.usage;
    }
    const told = { ...loaded, config: hideWebhook(loaded.config) };
    io.out(values.json ? json(told, io.env) : text(told, io.env));
    return exitCodes.fine;
  },
};

type Sound = Extract<LoadedConfig, { ok: true }>;

function json({ config, origins }: Sound, env: Io["env"]): string {
  const key = describeKey(config.key, env);
  return `${JSON.stringify({ config, key, origins, requestsPerMonth: requestsPerMonth(config) }, null, 2)}\n`;
}

function text({ config, origins }: Sound, env: Io["env"]): string {
  const settings = Object.entries(origins)
    .filter(([path]) => path !== "$schema")
    .map(([path, origin]) => [
      path,
      path === "key" ? describeKey(config.key, env) : shown(config, path),
      origin,
    ]);
  const clear =
    config.baseUrl.startsWith("http:") && config.key !== "none"
      ? ["", "http sends the key in the clear. Use https."]
      : [];
  return [`V1 at ${config.baseUrl}`, "", ...table(settings), ...clear, "", ...cost(config), ""].join("\n");
}

function cost(config: Config): string[] {
  const month = requestsPerMonth(config);
  const rows = month.rows.map((row) => [
    row.variant,
    `every ${row.every}`,
    row.endpoints.length > 1 ? `${row.endpoints.length} endpoints` : (row.endpoints[0] ?? ""),
    digits(row.requests),
  ]);
  rows.push([
    "confirmations",
    `every ${config.cadence.suspicious}`,
    "kept for suspicions",
    digits(month.confirmations),
  ]);
  rows.push(["in all", "", "", digits(month.total)]);
  const minutes = durationMs(config.cadence.suspicious) / 60_000;
  const spare = digits(month.budget - month.total);
  return [
    `Requests in a month of 30 days, of ${digits(month.budget)}`,
    "",
    ...table(rows, 3),
    "",
    `Fits, with ${spare} to spare. A suspicion is confirmed within ${minutes <= 1 ? "a minute" : config.cadence.suspicious}.`,
  ];
}

/** Whoever knows its path may write there: only the host is shown. */
function hideWebhook(config: Config): Config {
  const { webhook } = config.alerts;
  if (webhook === undefined) return config;
  return { ...config, alerts: { ...config.alerts, webhook: `${new URL(webhook).origin}/…` } };
}

/** Where the key is, and its last characters where they can be seen from here. */
function describeKey(source: KeySource, env: Io["env"]): string {
  if (source === "none") return "none";
  if ("file" in source) return `in the file ${printable(source.file)}`;
  if ("ssm" in source) return `in the SSM parameter ${source.ssm}`;
  if ("secret" in source) return `in the secret ${source.secret}`;
  const key = env[source.env];
  return key ? `${maskKey(key)} from ${source.env}` : `${source.env}, which is not set`;
}

function shown(config: Config, path: string): string {
  const value = path
    .split(".")
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], config);
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return digits(value);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const pairs = Object.entries(value).map(([name, given]) => printable(`${name}=${given}`));
    return pairs.join(", ") || "none";
  }
  if (!Array.isArray(value)) return printable(String(value));
  if (value.length === 0) return "none";
  const few = value.slice(0, 3).map((item) => {
    if (typeof item === "object") return Object.keys(item).join();
    return String(item).replace(/^(0x.{4}).*(.{4})$/, "$1…$2");
  });
  return few.join(", ") + (value.length > 3 ? `, and ${value.length - 3} more` : "");
}

const digits = (number: number) => number.toLocaleString("en");

/** Columns two spaces apart, the one of numbers to the right. */
function table(rows: readonly (readonly string[])[], numbers = -1): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === numbers ? cell.padStart(width) : cell.padEnd(width);
    });
    return `  ${cells.join("  ")}`.trimEnd();
  });
}
