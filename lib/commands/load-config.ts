// The configuration of a command. Its mistakes end the command, all of them at once.
import {
  type Config,
  type LoadedConfig,
  type Mistake,
  mistakesText,
  type OfflineConfig,
  readConfig,
  readOfflineConfig,
} from "../config/config.ts";
import { type Io, UsageError } from "./command.ts";

/** The options of a command; those that set a value of the configuration are applied. */
type Flags = Readonly<Record<string, unknown>>;
export type Loaded<Given extends OfflineConfig> = Extract<LoadedConfig<Given>, { ok: true }>;

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

/** A mistake of the configuration, wherever it shows: in the file, a variable, or in what they name. */
export class ConfigurationError extends UsageError {
  override name = "ConfigurationError";
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakesText(mistakes));
    this.mistakes = mistakes;
  }
}

function orRefuse<Given extends OfflineConfig>(loaded: LoadedConfig<Given>): Loaded<Given> {
  if (loaded.ok) return loaded;
  throw new ConfigurationError(loaded.mistakes);
}
