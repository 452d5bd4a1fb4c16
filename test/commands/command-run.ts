// One command object, run in this process, whatever the command line knows of it.
import { type Command, parseArguments, UsageError } from "../../lib/commands/command.ts";
import type { Printed } from "./terminal.ts";

export async function runOne(command: Command, args: readonly string[]): Promise<Printed> {
  const printed = { out: "", err: "" };
  const io = {
    out: (text: string) => {
      printed.out += text;
    },
    err: (text: string) => {
      printed.err += text;
    },
    stdin: async () => new Uint8Array(),
    env: {},
    isTerminal: false,
    signal: new AbortController().signal,
  };
  try {
    const { values, positionals } = parseArguments(command, args);
    return { code: await command.run(values, positionals, io), ...printed };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { code: 2, out: printed.out, err: error.message };
  }
}
