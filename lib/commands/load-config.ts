// The configuration of a command. Its mistakes end the command, all of them at once.
import {
  type Config,
  type LoadedConfig,
  mistakesText,
  type OfflineConfig,
  readConfig,
  readOfflineConfig,
} from "../config/config.ts";
import { type Io, UsageError } from "./command.ts";

/** The options of a command; those that set a value of the configuration are applied. */
type Flags = Readonly<Record<string, unknown>>;
type Loaded<Given extends OfflineConfig> = Extract<LoadedConfig<Given>, { ok: true }>;

export async function loadConfig(
  flags: Flags,
  { env }: Pick<Io, "env">,
  options: { ignoreBudget?: boolean } = {},
): Promise<Loaded<Config>> {
  return orRefuse(await readConfig(env, flags, options));
}

/** For a command that sends no request to V1, and so needs no address of it. */
export async function loadOfflineConfig(
  flags: Flags,
  { env }: Pick<Io, "env">,
): Promise<Loaded<OfflineConfig>> {
  return orRefuse(await readOfflineConfig(env, flags));
}

function orRefuse<Given extends OfflineConfig>(loaded: LoadedConfig<Given>): Loaded<Given> {
  if (loaded.ok) return loaded;
  throw new UsageError(mistakesText(loaded.mistakes));
}
