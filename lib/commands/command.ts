// What every command is: arguments in, text and an exit code out.
import { type ParseArgsConfig, parseArgs } from "node:util";

export const exitCodes = { fine: 0, findings: 1, usage: 2, fault: 3 } as const;

/** The world a command may touch; tests pass their own. */
export type Io = {
  out(text: string): void;
  err(text: string): void;
  stdin(): Promise<Uint8Array>;
  env: Readonly<Record<string, string | undefined>>;
  /** Progress is drawn only where a person watches. */
  isTerminal: boolean;
  /** How wide the terminal is that the output goes to; absent where it goes elsewhere. */
  columns?: number | undefined;
  /** Aborted on SIGINT and SIGTERM. */
  signal: AbortSignal;
};

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export type Command = {
  name: string;
  summary: string;
  /** Shown by --help after "Usage: ": how it is called, options, one example. */
  help: string;
  options: NonNullable<ParseArgsConfig["options"]>;
  positionals?: { max: number };
  run(values: Values, positionals: readonly string[], io: Io): Promise<number>;
};

/** A mistake of the caller: one clear line, exit 2, never a stack trace. */
export class UsageError extends Error {
  override name = "UsageError";
}

export function parseArguments(command: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...command.options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
      strict: true,
    });
    const max = command.positionals?.max ?? 0;
    if (positionals.length > max) {
      throw new UsageError(`unexpected argument "${positionals[max]}"`);
    }
    return { values: values as Values, positionals };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { message } = error as Error;
    const [, option] = /^Option '(--[\w-]+)' argument is ambiguous/.exec(message) ?? [];
    // parseArgs explains at length; its first sentence is the cause.
    const cause = option
      ? `${option} needs a value; one that begins with a dash is joined to it: ${option}=-1`
      : message.split(/\.(?=\s|$)|\n/)[0];
    throw new UsageError(`${cause}. Try: v1watch ${command.name} --help`);
  }
}

/** A whole number from a flag, within bounds, or a usage error that names the flag. */
export function integerOption(
  values: Values,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = values[name];
  if (text === undefined) return fallback;
  const number = Number(text);
  if (typeof text !== "string" || !/^\d+$/.test(text) || number < min || number > max) {
    throw new UsageError(`--${name} takes a whole number from ${min} to ${max}, not "${text}"`);
  }
  return number;
}

/** One of a fixed list from a flag, or a usage error that lists them. */
export function choiceOption<T extends string>(
  values: Values,
  name: string,
  fallback: T,
  choices: readonly T[],
): T {
  const text = values[name];
  if (text === undefined) return fallback;
  const choice = choices.find((candidate) => candidate === text);
  if (!choice) throw new UsageError(`--${name} is one of ${choices.join(", ")}, not "${text}"`);
  return choice;
}

// Lines that fit the terminal: whoever is not at one gets them whole.
/** Narrower than this, nothing can be read anyway. */
const minWidth = 30;

/** What a person asks for in COLUMNS comes before what the terminal says; undefined is no limit. */
function widthOf({ env, columns }: Io): number | undefined {
  const asked = Number(env.COLUMNS) || columns;
  return asked ? Math.max(minWidth, asked) : undefined;
}

/** At spaces; a word that is too long for a line of its own stays whole. */
function breakWords(text: string, first: string, indent: string, width: number): string[] {
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

/** Two cells on the line, the rest below the second. */
function stack(line: string, width: number): string[] {
  const start = line.length - line.trimStart().length;
  const [, name = "", gap = "", rest = ""] = /^(\S.*?)( {2,})(.*)$/.exec(line.trimStart()) ?? [];
  if (name === "") return breakWords(line.trimStart(), " ".repeat(start), " ".repeat(start), width);
  const indent = " ".repeat(start + name.length + gap.length);
  const [cell = "", ...others] = rest.split(/ {2,}/);
  const below = others.join("  ");
  return [
    ...breakWords(cell, `${" ".repeat(start)}${name}${gap}`, indent, width),
    ...(below ? breakWords(below, indent, indent, width) : []),
  ];
}

/** Cells are two spaces apart. Where one line of a paragraph is too long, all its rows are laid out alike. */
export function fitLines(text: string, io: Io): string {
  const width = widthOf(io);
  if (width === undefined) return text;
  return text
    .split("\n\n")
    .map((paragraph) => {
      const lines = paragraph.split("\n");
      if (lines.every((line) => line.length <= width)) return paragraph;
      return lines.flatMap((line) => stack(line, width)).join("\n");
    })
    .join("\n\n");
}
