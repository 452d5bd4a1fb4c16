// The interface of a command: options and arguments in, text and an exit code out.

export const exitCodes = { success: 0, findings: 1, usage: 2, internalError: 3 } as const;

/** Input, output and environment of a command. Tests pass their own. */
export type Io = {
  out(text: string): void;
  err(text: string): void;
  stdin(): Promise<Uint8Array>;
  /** Asks a person at a terminal; undefined where standard input is none. */
  ask?: ((question: string) => Promise<string>) | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** Whether standard error is a terminal. Progress is drawn only there. */
  isTerminal: boolean;
  /** Width of the terminal on standard output; undefined if standard output is not a terminal. */
  columns?: number | undefined;
  /** Aborted on SIGINT and SIGTERM. */
  signal: AbortSignal;
};

/** The options of all commands: a misspelt one is a type error where it is declared and where it is read. */
// biome-ignore format: a list of names
export type OptionName =
  | "absolute" | "ahead" | "all" | "allow-host" | "allow-loopback" | "apart" | "at" | "base-path"
  | "base-url" | "budget" | "by" | "cadence" | "cancel" | "census" | "checklist" | "cohort"
  | "concurrency" | "config" | "days" | "days-per-consumer" | "detect" | "diff" | "docs" | "drill" | "endpoint"
  | "estimate" | "every" | "file" | "force" | "format" | "github" | "handled" | "host" | "id" | "in-aws" | "inventory"
  | "json" | "junit" | "key" | "key-env" | "level" | "listen" | "mapping" | "max-requests" | "minutes" | "min-differences" | "min-pairs" | "new"
  | "once" | "other-id" | "out" | "parity" | "passports" | "pause" | "port" | "previous" | "profile"
  | "qualifier" | "rate" | "reason" | "rehearsal" | "relative" | "requests" | "resume" | "retirement" | "run" | "sample"
  | "sarif" | "scenario" | "schedule" | "schema" | "seconds" | "seed" | "since" | "slack-env" | "speed" | "start"
  | "status" | "store" | "table" | "test" | "timeout" | "topic" | "until" | "upstream" | "v2" | "v2-base-url" | "v2-requests"
  | "v2-schema" | "variant" | "webhook" | "workers" | "yes";

type OptionValue = string | boolean | (string | boolean)[] | undefined;
export type OptionValues = Readonly<Partial<Record<OptionName, OptionValue>>>;

/** The work of a command. */
export type Run = (values: OptionValues, positionals: readonly string[], io: Io) => Promise<number>;

/** An error that the user can fix. It is printed without a stack trace, and the exit code is 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The integer value of an option; throws a UsageError if it is not an integer from `min` to `max`. */
export function integerOption(
  values: OptionValues,
  name: OptionName,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = values[name];
  if (text === undefined) return fallback;
  const number = Number(text);
  if (typeof text !== "string" || !/^\d+$/.test(text) || number < min || number > max) {
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return number;
}

/** The value of an option with a fixed set of values; throws a UsageError that lists them. */
export function choiceOption<T extends string>(
  values: OptionValues,
  name: OptionName,
  fallback: T,
  choices: readonly T[],
): T {
  const text = values[name];
  if (text === undefined) return fallback;
  const choice = choices.find((candidate) => candidate === text);
  if (!choice) throw new UsageError(`--${name} must be one of ${choices.join(", ")}, not "${text}"`);
  return choice;
}
