// What a command consists of: its options and arguments with their help, and its work. Text and an exit code come out.
import type { Argument } from "commander";

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
  /** Called on every SIGHUP, and at once if one came before. Only `up` listens; it ends every other command. */
  onHangup?: ((listener: () => void) => void) | undefined;
};

/** An error that the user can fix. It is printed without a stack trace, and the exit code is 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** An option by its help and the type of its value; its name is its key in the table of the command. */
export type OptionSpec<Value> = {
  /** `<FILE>`, `[FILE]` where the value may be left out, or empty for a switch. */
  placeholder: string;
  description: string;
  choices?: readonly string[];
  isMandatory?: boolean;
  conflictsWith?: string;
  /** `before` is the value of the same option that was given earlier; `name` is for messages, such as `--port`. */
  parse?(text: string, name: string, before: Value | undefined): Value;
  /** The value where the option is left out. */
  fallback: Value;
};

// biome-ignore lint/suspicious/noExplicitAny: each option has its own type of value
export type OptionTable = Readonly<Record<string, OptionSpec<any>>>;

/** The values of a table of options, by their names on the command line. */
export type Values<Options extends OptionTable> = {
  readonly [Name in keyof Options]: Options[Name] extends OptionSpec<infer Value> ? Value : never;
};

export const flag = (description: string): OptionSpec<boolean> => ({
  placeholder: "",
  description,
  fallback: false,
});

export const text = (placeholder: string, description: string): OptionSpec<string | undefined> => ({
  placeholder,
  description,
  fallback: undefined,
});

/** The command is refused without it. */
export const mandatoryText = (placeholder: string, description: string): OptionSpec<string> => ({
  placeholder,
  description,
  isMandatory: true,
  fallback: "",
});

/** `true` where the option is given without a value. */
export const textOrFlag = (
  placeholder: `[${string}]`,
  description: string,
): OptionSpec<string | true | undefined> => ({ placeholder, description, fallback: undefined });

/** May be given several times. */
export const texts = (placeholder: string, description: string): OptionSpec<readonly string[]> => ({
  placeholder,
  description,
  parse: (one, _name, before = []) => [...before, one],
  fallback: [],
});

export const choice = <const Choice extends string>(
  placeholder: string,
  description: string,
  choices: readonly Choice[],
): OptionSpec<Choice | undefined> => ({ placeholder, description, choices, fallback: undefined });

export const parsed = <Value, Fallback extends Value | undefined>(
  placeholder: string,
  description: string,
  { parse, fallback }: { parse(text: string, name: string): Value; fallback: Fallback },
): OptionSpec<Value | Fallback> => ({ placeholder, description, parse, fallback });

/** Accepts an integer from `min` to `max`. */
export const integer = <Fallback extends number | undefined>(
  placeholder: string,
  description: string,
  { min, max, fallback }: { min: number; max: number; fallback: Fallback },
): OptionSpec<number | Fallback> =>
  parsed(placeholder, description, {
    parse(given, name) {
      const number = Number(given);
      if (/^\d+$/.test(given) && number >= min && number <= max) return number;
      throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${given}"`);
    },
    fallback,
  });

export type CommandDefinition<Options extends OptionTable = OptionTable> = {
  /** Of a command within another one; the others have it in the list of program.ts. */
  summary?: string;
  /** Where the summary in the list of commands says it all, there is none. */
  description?: string;
  arguments?: readonly Argument[];
  options?: Options;
  /** Paragraphs below the options, the last of them an example. */
  notes: readonly string[];
  run?(values: Values<Options>, positionals: readonly string[], io: Io): Promise<number>;
  commands?: Readonly<Record<string, CommandDefinition>>;
};

/** Infers the types of the values from the options. */
export const defineCommand = <Options extends OptionTable>(
  definition: CommandDefinition<Options>,
): CommandDefinition<Options> => definition;
