// One command as the command line runs it, with what it prints and its exit code.
import { type Command, parseArguments, UsageError } from "../../lib/commands/command.ts";

export type Ran = { code: number; out: string; err: string };

export async function run(
  command: Command,
  args: string[],
  env: Record<string, string> = {},
  isTerminal = false,
): Promise<Ran> {
  const ran: Ran = { code: -1, out: "", err: "" };
  const io = {
    out: (text: string) => {
      ran.out += text;
    },
    err: (text: string) => {
      ran.err += text;
    },
    stdin: async () => new Uint8Array(),
    ...{ env, isTerminal, signal: new AbortController().signal },
  };
  try {
    const { values, positionals } = parseArguments(command, args);
    ran.code = await command.run(values, positionals, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err(`v1watch: ${error.message}\n`);
    ran.code = 2;
  }
  return ran;
}
