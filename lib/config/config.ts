// One configuration, for the laptop and for AWS: the file, the environment over it, flags over those.
import { readFile } from "node:fs/promises";
import { checkBudget, type Setting } from "./cost.ts";
import { locateJsonFault } from "./json-text.ts";
import { explain, type Located, type Mistake, pathText, valueAt } from "./mistakes.ts";
import { type Config, configSchema } from "./schema.ts";
import { thresholds } from "./thresholds.ts";
import { durationMs } from "./values.ts";

export {
  checkBudget,
  confirmationReserve,
  type MonthlyRequests,
  needsList,
  type Request,
  rareRequests,
  requestsPerMonth,
  type Setting,
  tickCost,
  variantEndpoints,
} from "./cost.ts";
export { type Mistake, mistakesText, printable } from "./mistakes.ts";
export { type Config, configJsonSchema, type KeySource } from "./schema.ts";
export { durationMs, maskKey } from "./values.ts";

export const configFileName = "v1watch.config.json";

export type Origin = "default" | "file" | "environment" | "flag";
type Environment = Readonly<Record<string, string | undefined>>;
type Flags = Readonly<Record<string, unknown>>;
export type LoadedConfig =
  | { ok: true; config: Config; origins: Record<string, Origin> }
  | { ok: false; mistakes: Mistake[] };

const text = (given: unknown) => given;
const number = (given: unknown) => (/^\d{1,15}$/.test(String(given)) ? Number(given) : given);
const list = (item: (given: unknown) => unknown) => (given: unknown) => {
  const items = [given].flat().flatMap((part) => String(part).split(","));
  return items.length === 1 && items[0] === "auto" ? "auto" : items.map((part) => item(part.trim()));
};

/** What the environment and the flags may set: a further one is a row. */
const overrides: { path: string[]; read(given: unknown): unknown; env?: string; flag?: string }[] = [
  { path: ["baseUrl"], read: text, env: "V1WATCH_BASE_URL", flag: "base-url" },
  { path: ["samples", "passports"], read: list(number), env: "V1WATCH_PASSPORTS", flag: "passport" },
  { path: ["samples", "wallets"], read: list(text), env: "V1WATCH_WALLETS", flag: "wallet" },
  { path: ["cadence", "calm"], read: text, env: "V1WATCH_CADENCE", flag: "cadence" },
  { path: ["budget", "monthlyRequests"], read: number, env: "V1WATCH_BUDGET", flag: "budget" },
  { path: ["timeouts", "deadlineMs"], read: number, env: "V1WATCH_TIMEOUT_MS", flag: "timeout" },
  { path: ["retirement", "date"], read: text, env: "V1WATCH_RETIREMENT_DATE" },
  { path: ["store"], read: text, env: "V1WATCH_STORE", flag: "store" },
  { path: ["alerts", "webhook"], read: text, env: "V1WATCH_WEBHOOK", flag: "webhook" },
];

export type ConfigInput = Setting & {
  fileText?: string | undefined;
  filePath?: string | undefined;
  env: Environment;
  flags: Flags;
};

/** Every mistake at once, or a configuration that is whole: nothing starts on a part of one. */
export function loadConfig({
  fileText,
  filePath = configFileName,
  env,
  flags,
  perEndpointFunctions = false,
}: ConfigInput): LoadedConfig {
  const mistakes: Mistake[] = [];
  const file = fileText === undefined ? {} : parseFile(fileText, filePath, mistakes);
  const input = structuredClone(file ?? {});
  const set = new Map<string, { origin: Origin; name: string }>();
  for (const { path, read, env: variable = "", flag = "" } of overrides) {
    const given = flags[flag] ?? (env[variable] || undefined);
    if (given === undefined || !assign(input, path, read(given))) continue;
    const byFlag = flags[flag] !== undefined;
    set.set(path.join("."), {
      origin: byFlag ? "flag" : "environment",
      name: byFlag ? `--${flag}` : variable,
    });
  }

  const parsed = configSchema.safeParse(input);
  const located = (parsed.error?.issues ?? []).flatMap((issue) => explain(issue, input));
  for (const { at, path, problem, remedy } of located) {
    // An unreadable file may well hold what seems to be missing.
    if (file === undefined && problem === "is missing.") continue;
    const setting = pathText(at.filter((part) => typeof part === "string"));
    const row = overrides.find((override) => override.path.join(".") === setting);
    const places =
      problem === "is missing." && row ? ` Set it in ${filePath}, ${row.env} or --${row.flag}.` : "";
    mistakes.push({ path: set.get(setting)?.name ?? path, problem, remedy: remedy + places });
  }
  const sound = parsed.data ?? parseSoundParts(input, located);
  const wrong = (section: string) => located.some(({ at }) => at.length > 0 && section === at[0]);
  if (sound && !wrong("cadence")) {
    const disorder = checkOrder(sound);
    mistakes.push(...disorder);
    const unclear =
      disorder.length > 0 ||
      wrong("budget") ||
      wrong("variants") ||
      (perEndpointFunctions && wrong("samples"));
    const overspent = unclear ? undefined : checkBudget(sound, { perEndpointFunctions });
    if (overspent) mistakes.push({ ...overspent, path: set.get(overspent.path)?.name ?? overspent.path });
  }
  if (mistakes.length > 0 || !parsed.data) {
    return { ok: false, mistakes: mistakes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)) };
  }

  const config = { ...parsed.data, baseUrl: new URL(parsed.data.baseUrl).href.replace(/\/+$/, "") };
  const origins = Object.fromEntries(
    settingPaths(config).map((path) => {
      const inFile = valueAt(file, path) !== undefined;
      return [path.join("."), set.get(path.join("."))?.origin ?? (inFile ? "file" : "default")] as const;
    }),
  );
  return { ok: true, config, origins };
}

/** Reads the file that --config or V1WATCH_CONFIG names, or the usual one if it is there. */
export async function readConfig(
  env: Environment,
  flags: Flags,
  setting: Setting = {},
): Promise<LoadedConfig> {
  const named = typeof flags.config === "string" ? flags.config : env.V1WATCH_CONFIG || undefined;
  const filePath = named ?? configFileName;
  let fileText: string | undefined;
  try {
    fileText = await readFile(filePath, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || named) {
      const problem = code === "ENOENT" ? "there is no such file." : `cannot be read (${code}).`;
      const remedy = `Name another with --config or V1WATCH_CONFIG, or write ${configFileName}.`;
      return { ok: false, mistakes: [{ path: filePath, problem, remedy }] };
    }
  }
  return loadConfig({ ...setting, fileText, filePath, env, flags });
}

function parseFile(fileText: string, filePath: string, mistakes: Mistake[]): object | undefined {
  const clean = fileText.replace(/^\uFEFF/, "");
  try {
    const value: unknown = JSON.parse(clean);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    mistakes.push({
      path: filePath,
      problem: "is not a configuration.",
      remedy: 'Write settings in braces: { "baseUrl": … }.',
    });
  } catch {
    const { line, column, problem } = locateJsonFault(clean);
    mistakes.push({
      path: filePath,
      problem: `cannot be read as JSON: ${problem}.`,
      remedy: `Look at line ${line}, column ${column}.`,
    });
  }
  return undefined;
}

/** False where the file holds something else than a section: that is a mistake of its own. */
function assign(input: object, path: readonly string[], value: unknown): boolean {
  const [name = "", ...rest] = path;
  const target = input as Record<string, unknown>;
  if (rest.length === 0) {
    target[name] = value;
    return true;
  }
  target[name] ??= {};
  const inner = target[name];
  return typeof inner === "object" && inner !== null && !Array.isArray(inner) && assign(inner, rest, value);
}

/** The configuration as if the mistaken settings were left out, for the checks across settings. */
function parseSoundParts(input: object, located: readonly Located[]): Config | undefined {
  const rest = structuredClone(input) as Record<string, unknown>;
  for (const { at } of located) {
    const [section = "", name] = at.map(String);
    const inner = rest[section];
    if (name !== undefined && typeof inner === "object" && inner !== null && section !== "key") {
      delete (inner as Record<string, unknown>)[name];
    } else delete rest[section];
  }
  return configSchema.safeParse({ baseUrl: "https://example.com", ...rest }).data;
}

function checkOrder({ cadence }: Config): Mistake[] {
  const steps = [
    ["suspicious", "calm"],
    ["suspicious", "confirmFor"],
    ["calm", "rare"],
  ] as const;
  return steps
    .filter(([fast, slow]) => durationMs(cadence[fast]) > durationMs(cadence[slow]))
    .map(([fast, slow]) => ({
      path: `cadence.${fast}`,
      problem: `"${cadence[fast]}" is longer than cadence.${slow}, "${cadence[slow]}".`,
      remedy: `Use "${cadence[slow]}" or less.`,
    }));
}

/** Every setting of a configuration; lists and the key's source are one setting each. */
function settingPaths(settings: object): string[][] {
  return Object.entries(settings).flatMap(([name, value]) =>
    typeof value !== "object" || Array.isArray(value) || name === "key"
      ? [[name]]
      : settingPaths(value).map((inner) => [name, ...inner]),
  );
}

// What an assessment and the alarms need of the configuration: the same on a laptop and in AWS.
/** As in the alarm table: an hour without a run is silence. */
const silentMs = 3_600_000;

export function assessmentSettings({ baseUrl, retirement, staleness, budget, cadence, alerts }: Config) {
  return {
    baseUrl,
    runbookUrl: "docs/runbook.md",
    retirementDate: retirement.date,
    frozenAfterMs: staleness.frozenAfter === undefined ? undefined : durationMs(staleness.frozenAfter),
    pageAfterMs: durationMs(alerts.pageAfter),
    monthlyRequests: budget.monthlyRequests,
    silentAfterMs: Math.max(silentMs, 3 * durationMs(cadence.calm)),
  };
}

/** A CloudWatch alarm cannot learn: it stands at 7 days, or at what the user gives. */
export const frozenAfterSeconds = (given: string | undefined) =>
  (given === undefined ? thresholds.frozenAtMostMs : durationMs(given)) / 1_000;

/** One check cannot learn what is ordinary: beyond a weekend the data may be frozen. */
export const frozenHintSeconds = (given: string | undefined) =>
  (given === undefined ? thresholds.frozenFirstWeekMs : durationMs(given)) / 1_000;

export function alarmSettings({ staleness, budget, cadence, aws }: Config) {
  const calmMs = durationMs(cadence.calm);
  return {
    frozenAfterSeconds: frozenAfterSeconds(staleness.frozenAfter),
    monthlyRequests: budget.monthlyRequests,
    sampledSeconds: wholeMinutes(calmMs * Math.ceil(durationMs(aws.metricsEvery) / calmMs)),
    calmSeconds: wholeMinutes(calmMs),
    suspiciousSeconds: wholeMinutes(durationMs(cadence.suspicious)),
    assessSeconds: wholeMinutes(durationMs(aws.assessEvery)),
  };
}

/** In seconds: CloudWatch takes no other periods. */
const wholeMinutes = (ms: number) => Math.ceil(ms / 60_000) * 60;
