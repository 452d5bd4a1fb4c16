// Runs a command line.
import { type Command, CommanderError } from "commander";
import { exitCodes, type Io, UsageError } from "./command.ts";
import { createProgram } from "./program.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control codes are what it looks for
const controlCode = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  let code: number = exitCodes.success;
  try {
    const bad = args.findIndex((arg) => controlCode.test(arg));
    if (bad >= 0)
      throw new UsageError(`argument ${bad + 1} contains a control character. Write it without, on one line`);
    const [first, ...path] = args;
    const named = args.find((arg) => arg !== "help" && !arg.startsWith("-"));
    const onExit = (exitCode: number) => {
      code = exitCode;
    };
    const program = await createProgram(io, onExit, named ?? "");
    const asked = first === undefined || first === "help" ? findCommand(program, path) : undefined;
    if (asked) {
      asked.outputHelp();
      return first === undefined ? exitCodes.usage : exitCodes.success;
    }
    // The help of a command that does not exist: the command line without `help` says so, with a suggestion.
    await program.parseAsync(first === "help" ? path : args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
    if (error instanceof UsageError) {
      io.err(`v1watch: ${error.message}\n`);
      return exitCodes.usage;
    }
    io.err(`v1watch: internal error: ${(error as Error)?.message ?? error}\n`);
    if (io.env.V1WATCH_DEBUG) io.err(`${(error as Error)?.stack ?? ""}\n`);
    return exitCodes.internalError;
  }
}

/** Undefined if a name of the path is not that of a command. */
const findCommand = (program: Command, path: readonly string[]): Command | undefined =>
  path.reduce<Command | undefined>(
    (found, name) => found?.commands.find((command) => command.name() === name),
    program,
  );
