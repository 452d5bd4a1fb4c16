// A command run in this process, with a terminal that remembers.
import type { Io } from "../../lib/commands/command.ts";
import { runCommand } from "../../lib/commands/index.ts";

export type Printed = { code: number; out: string; err: string };
export type World = {
  env?: Io["env"];
  stdin?: string | Uint8Array;
  isTerminal?: boolean;
  columns?: number | undefined;
};

export async function run(
  args: readonly string[],
  { env = {}, stdin = "", isTerminal = false, columns }: World = {},
): Promise<Printed> {
  const printed = { out: "", err: "" };
  const code = await runCommand(args, {
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    stdin: async () => Buffer.from(stdin as string),
    env,
    ...{ isTerminal, columns },
    signal: new AbortController().signal,
  });
  return { code, ...printed };
}

/** Usage and configuration: no more than these lines, on standard error, and no stack trace. */
export const isOneClearLine = ({ out, err }: Printed) =>
  out === "" && /^v1watch: [^\n]+\n$/.test(err) && !/\bat .*\.ts:\d|Error:/.test(err);
