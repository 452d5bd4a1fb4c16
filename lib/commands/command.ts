// The interface of a command (arguments in, text and an exit code out), option parsing, and line wrapping.
import { type ParseArgsConfig, parseArgs, styleText } from "node:util";
import { editDistance } from "../config/mistakes.ts";

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
  | "absolute" | "ahead" | "all" | "allow-host" | "allow-loopback" | "apart" | "at" | "aws" | "base-path"
  | "base-url" | "budget" | "by" | "cadence" | "cancel" | "census" | "checklist" | "cohort"
  | "concurrency" | "config" | "days" | "days-per-consumer" | "detect" | "diff" | "docs" | "endpoint"
  | "estimate" | "every" | "force" | "format" | "github" | "handled" | "help" | "host" | "in-aws" | "inventory"
  | "json" | "junit" | "key" | "key-env" | "level" | "listen" | "mapping" | "max-requests" | "min-differences" | "minutes" | "min-pairs" | "new"
  | "once" | "out" | "parity" | "passport" | "passports" | "pause" | "port" | "previous" | "profile"
  | "qualifier" | "rate" | "reason" | "rehearsal" | "relative" | "requests" | "resume" | "retirement" | "run" | "sample"
  | "sarif" | "scenario" | "schedule" | "schema" | "seconds" | "seed" | "since" | "slack-env" | "speed" | "start"
  | "status" | "store" | "table" | "test" | "timeout" | "until" | "upstream" | "v2" | "v2-base-url" | "v2-requests"
  | "v2-schema" | "variant" | "wallet" | "webhook" | "workers" | "yes";

type OptionValue = string | boolean | (string | boolean)[] | undefined;
export type OptionValues = Readonly<Partial<Record<OptionName, OptionValue>>>;

export type Command = {
  name: string;
  summary: string;
  /** Printed by --help after "Usage: ": synopsis, description, options and an example. */
  help: string;
  options: Partial<Record<OptionName, NonNullable<ParseArgsConfig["options"]>[string]>>;
  /** Options of type string that may stand without a value, which is then empty. */
  optionalValues?: readonly OptionName[];
  positionals?: { max: number };
  run(values: OptionValues, positionals: readonly string[], io: Io): Promise<number>;
};

/** An error that the user can fix. It is printed without a stack trace, and the exit code is 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

export function parseArguments(command: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg, index) => {
        const isBare = args[index + 1] === undefined || args[index + 1]?.startsWith("-");
        return isBare && command.optionalValues?.some((name) => arg === `--${name}`) ? `${arg}=` : arg;
      }),
      options: { ...command.options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
      strict: true,
    });
    const max = command.positionals?.max ?? 0;
    if (positionals.length > max) {
      throw new UsageError(`unexpected argument "${positionals[max]}"`);
    }
    return { values: values as OptionValues, positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message } = error as Error;
    const [, option] = /^Option '(--[\w-]+)' argument is ambiguous/.exec(message) ?? [];
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(message) ?? [];
    const similar = unknown && findSimilar(unknown, Object.keys(command.options));
    // Only the first sentence of a parseArgs message states the cause.
    const cause = option
      ? `${option} needs a value; join a value that starts with a dash with "=": ${option}=-1`
      : `${message.split(/\.(?=\s|$)|\n/)[0]}${similar ? `; did you mean --${similar}?` : ""}`;
    throw new UsageError(
      `${cause.replace(/\?$/, "")}${similar ? "?" : "."} Try: v1watch ${command.name} --help`,
    );
  }
}

/** The name that was probably meant: at most two letters, or a third of it, differ. */
export function findSimilar(given: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(given.length > 3 ? 2 : 1, given.length / 3)
    ? best.name
    : undefined;
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

export type Format = Parameters<typeof styleText>[0];

/** Colours and bold text for a terminal on standard output. NO_COLOR turns them off (https://no-color.org). */
export function styleFor({ columns, env }: Pick<Io, "columns" | "env">) {
  const isStyled = columns !== undefined && !env.NO_COLOR;
  return (format: Format, text: string) =>
    isStyled ? styleText(format, text, { validateStream: false }) : text;
}

/** Of severities, alarm states and outcomes, wherever they are printed. */
const formats: Record<string, Format> = {
  PAGE: ["bold", "red"],
  ALARM: ["bold", "red"],
  FAIL: ["bold", "red"],
  FAILED: ["bold", "red"],
  FAILING: ["bold", "red"],
  WARNING: "yellow",
  INFO: "blue",
  OK: "green",
  RESOLVED: "green",
};

const words =
  /(?<=^ *)(?:page|warning|info|ok)\b|\b(?:PAGE|ALARM|FAIL|FAILED|FAILING|WARNING|RESOLVED)\b|(?<=^ *)(?:OK|INFO)\b/gm;

/** Colours severities, states and outcomes on a terminal. */
export function colourLines(text: string, io: Pick<Io, "columns" | "env">): string {
  const style = styleFor(io);
  return text.replace(words, (word) => style(formats[word.toUpperCase()] ?? "bold", word));
}

/** Narrower output would be unreadable. */
const minWidth = 30;

/** COLUMNS overrides the width of the terminal. Undefined means that lines are not wrapped. */
function outputWidth({ env, columns }: Io): number | undefined {
  const requested = Number(env.COLUMNS) || columns;
  return requested ? Math.max(minWidth, requested) : undefined;
}

/** Wraps at spaces. A word that is longer than the width is not split. */
function wrapText(text: string, first: string, indent: string, width: number): string[] {
  const lines: string[] = [];
  let line = first;
  for (const part of text.match(/\S+ */g) ?? []) {
    if (line !== first && line !== indent && (line + part.trimEnd()).length > width) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += part;
  }
  return [...lines, line.trimEnd()];
}

/** Puts the first two cells of a table row on one line and the other cells below the second one. */
function wrapRow(line: string, width: number): string[] {
  const start = line.length - line.trimStart().length;
  const [, name = "", gap = "", rest = ""] = /^(\S.*?)( {2,})(.*)$/.exec(line.trimStart()) ?? [];
  if (name === "") return wrapText(line.trimStart(), " ".repeat(start), " ".repeat(start), width);
  const indent = " ".repeat(start + name.length + gap.length);
  const [cell = "", ...others] = rest.split(/ {2,}/);
  const below = others.join("  ");
  return [
    ...wrapText(cell, `${" ".repeat(start)}${name}${gap}`, indent, width),
    ...(below ? wrapText(below, indent, indent, width) : []),
  ];
}

/**
 * Wraps lines to the width of the terminal. Two or more spaces separate the cells of a table row. If one line of
 * a paragraph is too long, every row of that paragraph is wrapped, so that the rows stay aligned.
 */
export function fitLines(text: string, io: Io): string {
  const width = outputWidth(io);
  if (width === undefined) return text;
  return text
    .split("\n\n")
    .map((paragraph) => {
      const lines = paragraph.split("\n");
      if (lines.every((line) => line.length <= width)) return paragraph;
      return lines.flatMap((line) => wrapRow(line, width)).join("\n");
    })
    .join("\n\n");
}
