// The list of commands, and how the parser and the help are made of their definitions. The module of
// a command has its options, its help and its work; it is imported only where it is needed.
import { type Argument, Command, type CommanderError, InvalidArgumentError, Option } from "commander";
import packageFile from "../../package.json" with { type: "json" };
import { type CommandDefinition, type Io, type OptionSpec, type OptionTable, UsageError } from "./command.ts";
import { layOut, outputWidth } from "./layout.ts";

type Listed = { summary: string; load(): Promise<CommandDefinition> };

const groups: Readonly<Record<string, Readonly<Record<string, Listed>>>> = {
  "Start here:": {
    init: {
      summary: "ask four questions and write a configuration",
      load: async () => (await import("./config.ts")).init,
    },
    up: {
      summary: "monitor V1 on this machine and serve the dashboard",
      load: async () => (await import("./up/up.ts")).up,
    },
  },
  "What V1 does now:": {
    status: {
      summary: "show the risk, incidents, drift and undocumented behaviour",
      load: async () => (await import("./status/status.ts")).status,
    },
    incidents: {
      summary: "list the incidents; acknowledge and mute them",
      load: async () => (await import("./incidents.ts")).incidents,
    },
    probe: {
      summary: "send one request to each endpoint, or validate a saved body",
      load: async () => (await import("./probe/probe.ts")).probe,
    },
    notify: {
      summary: "list the notification channels, and test them",
      load: async () => (await import("./notify.ts")).notify,
    },
  },
  "Leaving V1:": {
    scan: {
      summary: "find the uses of V1 in source trees",
      load: async () => (await import("./scan/scan.ts")).scan,
    },
    migrate: {
      summary: "show where each field goes in V2, and what each line becomes",
      load: async () => (await import("./migrate.ts")).migrate,
    },
    parity: {
      summary: "compare V2's responses with V1's, beyond V1's own variance",
      load: async () => (await import("./parity/parity.ts")).parity,
    },
    rehearse: {
      summary: "rehearse V1's end on a test system",
      load: async () => (await import("./rehearse.ts")).rehearse,
    },
    ready: {
      summary: "say whether the migration is complete, and list the blockers",
      load: async () => (await import("./ready/ready.ts")).ready,
    },
    report: {
      summary: "write the readiness report as HTML, Markdown or JSON",
      load: async () => (await import("./report.ts")).report,
    },
  },
  "Trying it out:": {
    simulate: {
      summary: "serve a simulated V1, as documented or with a fault",
      load: async () => (await import("./simulate.ts")).simulate,
    },
    replay: {
      summary: "run the whole watch on a virtual clock",
      load: async () => (await import("./replay.ts")).replay,
    },
  },
  "Your AWS account:": {
    aws: {
      summary: "deploy the watch to your AWS account, or remove it",
      load: async () => (await import("./deploy.ts")).aws,
    },
  },
  "Settings and data:": {
    config: {
      summary: "show the settings, their origin, and the requests per month",
      load: async () => (await import("./config.ts")).config,
    },
    store: {
      summary: "export and back up the records of a watch",
      load: async () => (await import("./store.ts")).store,
    },
    openapi: {
      summary: "print V1's contract as OpenAPI 3.1",
      load: async () => (await import("./openapi.ts")).openapi,
    },
  },
};

type Context = { io: Io; onExit(code: number): void };

/** `onExit` gets the exit code of the command that ran. `only`: the other commands have a name and a summary. */
export async function createProgram(io: Io, onExit: (code: number) => void, only?: string): Promise<Command> {
  const width = outputWidth(io) ?? 80;
  const listChoices = ({ description, argChoices }: Option | Argument) =>
    argChoices && argChoices.length < 8 ? `${description}: ${argChoices.join(", ")}` : description;
  const program = new Command("v1watch")
    .helpOption("-h, --help", "print this help")
    .description("v1watch monitors a deprecated HTTP API (V1) until your migration to V2 is complete.")
    .version(`v1watch ${packageFile.version}`, "-V, --version", "print the version")
    .usage("COMMAND [options]")
    .enablePositionalOptions()
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      outputError: () => {},
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .configureHelp({
      optionDescription: listChoices,
      argumentDescription: listChoices,
      subcommandTerm: (command) => command.name(),
    });
  const notes = [
    "v1watch help COMMAND shows the options of a command and an example.\nExit codes: 0 success, 1 findings, 2 usage or configuration error, 3 internal error.",
  ];
  build(program, { notes }, { io, onExit });
  for (const [group, commands] of Object.entries(groups)) {
    program.commandsGroup(group);
    for (const [name, { summary, load }] of Object.entries(commands)) {
      const command = program.command(name).summary(summary);
      if (only === undefined || only === name) build(command, await load(), { io, onExit });
    }
  }
  return program;
}

function build(command: Command, definition: CommandDefinition, context: Context): void {
  const { description, notes, options = {}, run, commands = {} } = definition;
  const { io, onExit } = context;
  if (description !== undefined) command.description(description);
  for (const argument of definition.arguments ?? []) command.addArgument(argument);
  for (const [name, option] of Object.entries(options)) command.addOption(toOption(name, option));
  command.addHelpText("after", () => `\n${layOut(notes.join("\n\n"), outputWidth(io) ?? 80)}`);
  command.helpCommand(false).exitOverride((error) => {
    throw error.exitCode === 0 || error.code === "commander.help" ? error : explainError(error, command);
  });
  if (run) command.action(async () => onExit(await run(valuesOf(command, options), command.args, io)));
  for (const [name, inner] of Object.entries(commands))
    build(command.command(name).summary(inner.summary ?? ""), inner, context);
}

function toOption(name: string, spec: OptionSpec<unknown>): Option {
  const { placeholder, description, choices, isMandatory = false, conflictsWith, parse } = spec;
  const option = new Option(`--${name} ${placeholder}`.trimEnd(), description)
    .makeOptionMandatory(isMandatory)
    .argParser((given: string, before: unknown) => {
      // The next option is not taken for the value of this one.
      if (/^-./.test(given)) throw new InvalidArgumentError("A value does not start with a dash.");
      return parse ? parse(given, `--${name}`, before) : given;
    });
  if (conflictsWith !== undefined) option.conflicts(conflictsWith);
  return choices ? option.choices(choices) : option;
}

function valuesOf(command: Command, options: OptionTable) {
  const given = (name: string) =>
    command.getOptionValue(command.options.find((one) => one.name() === name)!.attributeName());
  return Object.fromEntries(
    Object.entries(options).map(([name, { fallback }]) => [name, given(name) ?? fallback]),
  );
}

/** One line: what is wrong, what was probably meant, and where the help is. The value of an option is not repeated. */
function explainError({ code, message }: CommanderError, command: Command): UsageError {
  const path = pathOf(command).join(" ");
  const names = command.commands.map((one) => one.name());
  if (code === "commander.excessArguments" && names.length > 0)
    return new UsageError(
      `unknown command '${command.args[0]}'; there are ${names.join(", ")}. Try: ${path} --help`,
    );
  const problem = message
    .replace(/^error: /, "")
    .replace(/(?<=unknown option '-[^=']*)=[^\n]*(?=')/, "")
    .replace(/\s*\(Did you mean (?:one of )?([^?]*)\?\)$/, "; did you mean $1?");
  return new UsageError(`${/[.?]$/.test(problem) ? problem : `${problem}.`} Try: ${path} --help`);
}

/** The names from the program's own to that of the command. */
const pathOf = (command: Command): string[] => [
  ...(command.parent ? pathOf(command.parent) : []),
  command.name(),
];
