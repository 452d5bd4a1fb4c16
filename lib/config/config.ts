// Loads the configuration for local mode and for AWS. Flags override environment variables, which override
// the file.
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import type * as z from "zod";
import { isIdInteger } from "../contract/fields.ts";
import { findPlaceMistakes } from "./arns.ts";
import { checkBudget } from "./cost.ts";
import { durationMs } from "./durations.ts";
import { parseFile } from "./file-text.ts";
import { byPath, explain, type LocatedMistake, type Mistake, missing, valueAt } from "./mistakes.ts";
import { type Config, configSchema, type OfflineConfig, offlineConfigSchema } from "./schema.ts";

export { maskKey } from "../records/secret-forms.ts";
export { findPlaceMistakes } from "./arns.ts";
export { addressOf, findExampleMistakes, kindOf } from "./aws.ts";
export { checkBudget, rareRequests, requestsPerMonth, variantEndpoints } from "./cost.ts";
export { durationMs } from "./durations.ts";
export { type Mistake, mistakesText, printable } from "./mistakes.ts";
export { describeProxy, type ProxySetting, parseProxyAddress } from "./proxy.ts";
export {
  type Config,
  type ConfigSettings,
  configJsonSchema,
  type KeySource,
  type OfflineConfig,
} from "./schema.ts";

export const configFileName = "v1watch.config.json";
/** A configuration with every setting takes some kilobytes. */
const maxFileBytes = 2 ** 20;
export const yamlFileName = "v1watch.config.yaml";
/** One of them is read where no file is named. */
export const configFileNames = [configFileName, yamlFileName, "v1watch.config.yml"];

export type Origin = "default" | "file" | "environment" | "flag";
type Environment = Readonly<Record<string, string | undefined>>;
type Flags = Readonly<Record<string, unknown>>;
export type LoadedConfig<Loaded extends OfflineConfig = Config> =
  | { ok: true; config: Loaded; origins: Record<string, Origin> }
  | { ok: false; mistakes: Mistake[] };

const asText = (given: unknown) => given;
const asNumber = (given: unknown) => (/^\d{1,15}$/.test(String(given)) ? Number(given) : given);
const asList = (asItem: (given: unknown) => unknown) => (given: unknown) =>
  given === "auto" ? given : [asItem(given)];

/** The settings that environment variables and flags may set. */
const overrides: { path: string[]; parse(given: unknown): unknown; env?: string; flag?: string }[] = [
  { path: ["baseUrl"], parse: asText, env: "V1WATCH_BASE_URL", flag: "base-url" },
  { path: ["samples", "ids"], parse: asList(isIdInteger ? asNumber : asText), flag: "id" },
  { path: ["samples", "otherIds"], parse: asList(asText), flag: "other-id" },
  { path: ["cadence", "calm"], parse: asText, flag: "cadence" },
  { path: ["budget", "monthlyRequests"], parse: asNumber, env: "V1WATCH_BUDGET", flag: "budget" },
  { path: ["timeouts", "deadlineMs"], parse: asNumber, flag: "timeout" },
  { path: ["store"], parse: asText, env: "V1WATCH_STORE", flag: "store" },
];

/** Variables that the first release read, and the settings that say it now: an alert that goes nowhere has to be noticed. */
const formerVariables: Readonly<Record<string, string>> = {
  V1WATCH_WEBHOOK: "a channel of the type webhook",
  V1WATCH_RETIREMENT_DATE: "retirement.date",
  V1WATCH_CADENCE: "cadence.calm",
  V1WATCH_TIMEOUT_MS: "timeouts.deadlineMs",
  V1WATCH_IDS: "samples.ids",
  V1WATCH_OTHER_IDS: "samples.otherIds",
};

/** A variable that the file names is one that a channel or a key is read from. */
const findFormerVariables = (env: Environment, fileText: string, filePath: string): Mistake[] =>
  Object.entries(formerVariables).flatMap(([name, setting]) =>
    !env[name] || fileText.includes(name)
      ? []
      : [
          {
            path: name,
            problem: "is a variable that is no longer read.",
            remedy: `Set ${setting} in ${filePath}, and remove the variable.`,
          },
        ],
  );

export type ConfigInput = {
  /** A budget that is too small is no mistake, such as where a watch is removed. */
  ignoreBudget?: boolean | undefined;
  fileText?: string | undefined;
  filePath?: string | undefined;
  env: Environment;
  flags: Flags;
};

/** Returns either a complete, valid configuration or every mistake at once. */
export const loadConfig = (input: ConfigInput): LoadedConfig => load(input, configSchema);

function load<Loaded extends OfflineConfig>(
  { fileText, filePath = configFileName, env, flags, ignoreBudget = false }: ConfigInput,
  schema: z.ZodType<Loaded>,
): LoadedConfig<Loaded> {
  const mistakes = findFormerVariables(env, fileText ?? "", filePath);
  const file = fileText === undefined ? {} : parseFile(fileText, filePath, mistakes);
  const { input, given } = applyOverrides(file ?? {}, env, flags);
  const parsed = schema.safeParse(input);
  const located = (parsed.error?.issues ?? []).flatMap((issue) => explain(issue, input));
  mistakes.push(
    ...located
      // When the file cannot be parsed, a setting that seems to be missing may be in it.
      .filter(({ problem }) => file !== undefined || problem !== missing)
      .map((mistake) => sayWhere(mistake, filePath)),
  );
  const validParts = parsed.data ?? parseValidParts(input, located);
  if (validParts) {
    followCadence(validParts, input);
    mistakes.push(...checkRelations(validParts, located, ignoreBudget));
  }
  if (parsed.data) mistakes.push(...findPlaceMistakes(parsed.data));
  if (mistakes.length > 0 || !parsed.data) {
    // A value that an environment variable or a flag set is corrected there.
    const nameOf = (path: string) => given.get(path.replace(/\[.*$/, ""))?.name ?? path;
    return {
      ok: false,
      mistakes: mistakes.map((one) => ({ ...one, path: nameOf(one.path) })).sort(byPath),
    };
  }
  const { baseUrl } = parsed.data;
  const config =
    baseUrl === undefined
      ? parsed.data
      : { ...parsed.data, baseUrl: new URL(baseUrl).href.replace(/\/+$/, "") };
  const origins = settingPaths(config).map((path): [string, Origin] => {
    const name = path.join(".");
    const isInFile = valueAt(file, path) !== undefined;
    return [name, given.get(name)?.origin ?? (isInFile ? "file" : "default")];
  });
  return { ok: true, config, origins: Object.fromEntries(origins) };
}

/** `given`: by setting, where the value comes from and the name of its variable or flag. */
function applyOverrides(file: object, env: Environment, flags: Flags) {
  const input = structuredClone(file);
  const given = new Map<string, { origin: Origin; name: string }>();
  for (const { path, parse, env: variable = "", flag = "" } of overrides) {
    const isFlag = flags[flag] !== undefined;
    const value = isFlag ? flags[flag] : env[variable] || undefined;
    if (value === undefined || !assign(input, path, parse(value))) continue;
    const origin = isFlag ? "flag" : "environment";
    given.set(path.join("."), { origin, name: isFlag ? `--${flag}` : variable });
  }
  return { input, given };
}

/** Names every place in which a missing setting may be set. */
function sayWhere({ path, problem, remedy }: Mistake, filePath: string): Mistake {
  const override = problem === missing && overrides.find((row) => row.path.join(".") === path);
  if (!override) return { path, problem, remedy };
  return {
    path,
    problem,
    remedy: `${remedy} Set it in ${filePath}, ${override.env} or --${override.flag}.`,
  };
}

/** The relations between settings that are valid by themselves. */
function checkRelations(
  config: OfflineConfig,
  located: readonly LocatedMistake[],
  ignoreBudget: boolean,
): Mistake[] {
  const hasMistake = (section: string) => located.some(({ at }) => at[0] === section);
  if (hasMistake("cadence")) return [];
  const order = checkOrder(config);
  if (ignoreBudget || order.length > 0 || hasMistake("budget") || hasMistake("variants")) return order;
  const overBudget = checkBudget(config);
  return overBudget ? [overBudget] : [];
}

/** Reads the file that --config or V1WATCH_CONFIG names, or the default file if it exists. */
export const readConfig = (
  env: Environment,
  flags: Flags,
  options: Pick<ConfigInput, "ignoreBudget"> = {},
): Promise<LoadedConfig> => read({ env, flags, ignoreBudget: options.ignoreBudget }, configSchema);

/** The same for a command that sends no request to V1, and so needs no address of it. */
export const readOfflineConfig = (env: Environment, flags: Flags): Promise<LoadedConfig<OfflineConfig>> =>
  read({ env, flags }, offlineConfigSchema);

async function read<Loaded extends OfflineConfig>(
  input: Pick<ConfigInput, "env" | "flags" | "ignoreBudget">,
  schema: z.ZodType<Loaded>,
): Promise<LoadedConfig<Loaded>> {
  const { env, flags } = input;
  const named = typeof flags.config === "string" ? flags.config : env.V1WATCH_CONFIG || undefined;
  const present = named === undefined ? configFileNames.filter((name) => existsSync(name)) : [];
  if (present.length > 1) {
    const problem = `there is also ${present.slice(1).join(" and ")}.`;
    return {
      ok: false,
      mistakes: [{ path: present[0]!, problem, remedy: "Keep one, or name it with --config." }],
    };
  }
  const filePath = named ?? present[0] ?? configFileName;
  let fileText: string | undefined;
  try {
    // A pipe without a writer, or a device, would keep the command waiting or fill the memory.
    const found = await stat(filePath);
    if (!found.isFile()) throw Object.assign(new Error(), { code: "not a file" });
    if (found.size > maxFileBytes)
      throw Object.assign(new Error(), { code: `larger than ${maxFileBytes / 2 ** 20} MiB` });
    fileText = await readFile(filePath, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || named) {
      const problem = code === "ENOENT" ? "there is no such file." : `cannot be read (${code}).`;
      const remedy = `Name another with --config or V1WATCH_CONFIG, or write ${configFileName}.`;
      return { ok: false, mistakes: [{ path: filePath, problem, remedy }] };
    }
  }
  return load({ ...input, fileText, filePath }, schema);
}

/**
 * Returns false where the file has another value in place of a section, which is reported as its own mistake.
 */
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

/**
 * Parses the configuration without the settings that have mistakes, to check the relations between the
 * others.
 */
function parseValidParts(input: object, located: readonly LocatedMistake[]): OfflineConfig | undefined {
  const rest = structuredClone(input) as Record<string, unknown>;
  for (const { at } of located) {
    const [section = "", name] = at.map(String);
    const inner = rest[section];
    if (name !== undefined && typeof inner === "object" && inner !== null && !wholeSettings.has(section)) {
      delete (inner as Record<string, unknown>)[name];
    } else delete rest[section];
  }
  return offlineConfigSchema.safeParse(rest).data;
}

/** Where it is left out, a change is not confirmed later than by the next check. */
function followCadence({ cadence }: OfflineConfig, input: { cadence?: { confirm?: unknown } }): void {
  if (input.cadence?.confirm === undefined && durationMs(cadence.confirm) > durationMs(cadence.calm))
    cadence.confirm = cadence.calm;
}

function checkOrder({ cadence }: OfflineConfig): Mistake[] {
  const pairs = [
    ["confirm", "calm"],
    ["calm", "rare"],
  ] as const;
  return pairs
    .filter(([fast, slow]) => durationMs(cadence[fast]) > durationMs(cadence[slow]))
    .map(([fast, slow]) => ({
      path: `cadence.${fast}`,
      problem: `"${cadence[fast]}" is longer than cadence.${slow}, "${cadence[slow]}".`,
      remedy: `Use "${cadence[slow]}" or less.`,
    }));
}

const wholeSettings: ReadonlySet<string> = new Set(["key", "proxy", "tags"]);

/** The paths of all settings. A list, the tags and the sources of the key and of the proxy count as one setting each. */
function settingPaths(settings: object): string[][] {
  return Object.entries(settings).flatMap(([name, value]) =>
    typeof value !== "object" || Array.isArray(value) || wholeSettings.has(name)
      ? [[name]]
      : settingPaths(value).map((inner) => [name, ...inner]),
  );
}
