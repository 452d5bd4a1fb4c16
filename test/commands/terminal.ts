// Runs a command in this process and captures its output.
import type { Io } from "../../lib/commands/command.ts";
import { runCommand } from "../../lib/commands/index.ts";

export type CommandOutput = { code: number; out: string; err: string };
export type RunOptions = {
  env?: Io["env"];
  stdin?: string | Uint8Array;
  isTerminal?: boolean;
  columns?: number | undefined;
  signal?: AbortSignal;
  ask?: Io["ask"];
  /** Called with everything that is printed, at once. */
  onOut?(text: string): void;
};

/** Prints nothing, reads nothing and is never stopped. */
export const silentIo: Io = {
  out: () => {},
  err: () => {},
  stdin: async () => new Uint8Array(),
  env: {},
  isTerminal: false,
  signal: new AbortController().signal,
};

export async function run(
  args: readonly string[],
  { env = {}, stdin = "", isTerminal = false, columns, signal, onOut, ask }: RunOptions = {},
): Promise<CommandOutput> {
  const output = { out: "", err: "" };
  const code = await runCommand(args, {
    out: (text) => {
      output.out += text;
      onOut?.(text);
    },
    err: (text) => {
      output.err += text;
    },
    stdin: async () => Buffer.from(stdin as string),
    env,
    isTerminal,
    columns,
    ask,
    signal: signal ?? new AbortController().signal,
  });
  return { code, ...output };
}

/** A usage error is a single line on standard error, without output and without a stack trace. */
export const isSingleErrorLine = ({ out, err }: CommandOutput) =>
  out === "" && /^v1watch: [^\n]+\n$/.test(err) && !/\bat .*\.ts:\d|Error:/.test(err);
