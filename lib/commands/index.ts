// The commands by name. Each command's module is imported only when it is used.
import packageFile from "../../package.json" with { type: "json" };
import { type Command, exitCodes, findSimilar, type Io, parseArguments, UsageError } from "./command.ts";

const commands: Record<string, () => Promise<Command>> = {
  up: async () => (await import("./up/up.ts")).up,
  demo: async () => (await import("./demo.ts")).demo,
  simulate: async () => (await import("./simulate.ts")).simulate,
  replay: async () => (await import("./replay.ts")).replay,
  probe: async () => (await import("./probe/probe.ts")).probe,
  outlook: async () => (await import("./outlook.ts")).outlook,
  incidents: async () => (await import("./incidents.ts")).incidents,
  drift: async () => (await import("./drift.ts")).drift,
  gaps: async () => (await import("./gaps.ts")).gaps,
  alarms: async () => (await import("./alarms.ts")).alarms,
  notify: async () => (await import("./notify.ts")).notify,
  ack: async () => (await import("./ack-mute.ts")).ack,
  unmute: async () => (await import("./ack-mute.ts")).unmute,
  mute: async () => (await import("./ack-mute.ts")).mute,
  scan: async () => (await import("./scan/scan.ts")).scan,
  migrate: async () => (await import("./migrate.ts")).migrate,
  parity: async () => (await import("./parity/parity.ts")).parity,
  rehearse: async () => (await import("./rehearse.ts")).rehearse,
  ready: async () => (await import("./ready/ready.ts")).ready,
  report: async () => (await import("./report.ts")).report,
  synth: async () => (await import("./deploy.ts")).synth,
  deploy: async () => (await import("./deploy.ts")).deploy,
  destroy: async () => (await import("./deploy.ts")).destroy,
  drill: async () => (await import("./drill.ts")).drill,
  export: async () => (await import("./export.ts")).exportCommand,
  import: async () => (await import("./import.ts")).importCommand,
  backup: async () => (await import("./backup.ts")).backup,
  check: async () => (await import("./check.ts")).check,
  init: async () => (await import("./config.ts")).init,
  config: async () => (await import("./config.ts")).config,
  openapi: async () => (await import("./openapi.ts")).openapi,
  completion: async () => (await import("./completion.ts")).createCompletion(loadAll),
};

const loadAll = () => Promise.all(Object.values(commands).map((load) => load()));

async function renderOverview(): Promise<string> {
  const rows = await loadAll();
  const width = Math.max(...rows.map(({ name }) => name.length));
  return [
    "v1watch monitors a deprecated HTTP API (V1) until your migration to V2 is complete.",
    "",
    ...rows.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "v1watch help COMMAND shows the options of a command and an example.",
    "Exit codes: 0 success, 1 findings, 2 usage or configuration error, 3 internal error.",
    "",
  ].join("\n");
}

async function loadCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) return load();
  const similar = findSimilar(name, Object.keys(commands));
  const hint = similar ? ` Did you mean ${similar}?` : "";
  throw new UsageError(`unknown command "${name.slice(0, 60)}".${hint} Try: v1watch --help`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control codes are what it looks for
const controlCode = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = args;
  try {
    const bad = args.findIndex((arg) => controlCode.test(arg));
    if (bad >= 0)
      throw new UsageError(`argument ${bad + 1} contains a control character. Write it without, on one line`);
    if (name === "--version" || name === "-V") {
      io.out(`v1watch ${packageFile.version}\n`);
      return exitCodes.success;
    }
    if (name === undefined || name === "--help" || name === "-h" || (name === "help" && rest.length === 0)) {
      io.out(await renderOverview());
      return name === undefined ? exitCodes.usage : exitCodes.success;
    }
    const isHelp = name === "help";
    const command = await loadCommand(isHelp ? String(rest[0]) : name);
    const { values, positionals } = parseArguments(command, isHelp ? ["--help"] : rest);
    if (values.help) {
      io.out(`Usage: ${command.help}`);
      return exitCodes.success;
    }
    return await command.run(values, positionals, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.err(`v1watch: ${error.message}\n`);
      return exitCodes.usage;
    }
    io.err(`v1watch: internal error: ${(error as Error)?.message ?? error}\n`);
    if (io.env.V1WATCH_DEBUG) io.err(`${(error as Error)?.stack ?? ""}\n`);
    return exitCodes.internalError;
  }
}
