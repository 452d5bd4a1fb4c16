// The tree of commands. Help, suggestions, shell completion and the parser are made of it; the module of a command is
// imported only where it runs.
import { Argument, Command, type CommanderError, InvalidArgumentError, Option } from "commander";
import packageFile from "../../package.json" with { type: "json" };
import { api, endpointIds, endpoints } from "../contract/endpoints.ts";
import { defaultDetectPercent, maxWorkers } from "../parity/estimate.ts";
import { diffyRule } from "../parity/judge.ts";
import { defaultDaysPerConsumer } from "../readiness/gates/usage.ts";
import { levels, variants } from "../records/observation.ts";
import { rehearsalFileName } from "../records/rehearsal.ts";
import { rehearsalScenarios, schedules } from "../rehearse/scenarios.ts";
import { profiles } from "../simulator/profile.ts";
import { scenarioNames, scenarios } from "../simulator/scenarios.ts";
import { type Io, type OptionName, type OptionValues, type Run, UsageError } from "./command.ts";
import {
  pagePort,
  parityRates,
  parityRequests,
  paritySample,
  rehearsalPort,
  replayDays,
  replayStart,
  reportDays,
  simulatorPort,
} from "./defaults.ts";
import { layOut, outputWidth } from "./layout.ts";

type Flags = OptionName | `${OptionName} ${`<${string}>` | `[${string}]`}`;

/** The next option is not taken for the value of this one. */
function checkValue(value: string): string {
  if (/^-./.test(value)) throw new InvalidArgumentError("A value does not start with a dash.");
  return value;
}

const option = (flags: Flags, description: string) =>
  new Option(`--${flags}`, description).argParser(checkValue);
const repeatable = (flags: Flags, description: string) =>
  option(flags, description).argParser((value: string, before: string[] = []) => [
    ...before,
    checkValue(value),
  ]);

const config = () =>
  option(
    "config <FILE>",
    "configuration file (default v1watch.config.yaml or .json; environment: V1WATCH_CONFIG)",
  );
const store = () =>
  option("store <FILE>", "store file (default .v1watch/watch.db; environment: V1WATCH_STORE)");
const table = () =>
  option(
    "table <NAME>",
    "table of a watch in AWS, the stack output TableName (environment: V1WATCH_TABLE)",
  ).conflicts("store");
const json = () => option("json", "print JSON");
const baseUrl = () =>
  option("base-url <URL>", "base URL of V1 (environment: V1WATCH_BASE_URL; the key: V1WATCH_API_KEY)");
const allowLoopback = () => option("allow-loopback", "allow a V1 on this machine");
const reason = () =>
  option(
    "reason <TEXT>",
    "the reason, shown with the incident (at most 200 characters)",
  ).makeOptionMandatory();
const mapping = () => option("mapping <FILE>", "mapping file (default v1watch.mapping.json)");
const inventory = () => option("inventory <FILE>", "inventory file (default v1watch.inventory.json)");
const sarif = (what: string) => option("sarif <FILE>", `also write SARIF 2.1, ${what}; - is standard output`);
const junit = () => option("junit <FILE>", "also write a JUnit test report; - is standard output");
const github = () => option("github", "also print GitHub workflow annotations");
const v2Schema = (what: string) =>
  option("v2-schema <FILE>", `V2's OpenAPI 3 document or JSON Schema, in JSON; ${what}`);
const endpoint = (what: string) => option("endpoint <ID>", what).choices(endpointIds);

const watch = () => [store(), table(), config()];
const teamFiles = () => [
  mapping(),
  inventory(),
  option(
    "parity <FILE>",
    "file of `v1watch parity --resume FILE`, or output of its --json (default parity.state.json)",
  ),
  option("rehearsal <FILE>", `result of rehearse (default ${rehearsalFileName})`),
  option(
    "days-per-consumer <N>",
    `days of work for each consumer that still calls V1 (default ${defaultDaysPerConsumer})`,
  ),
];
const stack = () => [
  config(),
  option("qualifier <TEXT>", "the qualifier that the account was bootstrapped with (default hnb659fds)"),
];

const scenarioList = () =>
  `Scenarios:\n${scenarios.map(({ name, summary }) => `  ${name}\t${summary}`).join("\n")}`;

type Context = { io: Io; width: number; onExit(code: number): void };

class WatchCommand extends Command {
  readonly #context: Context;

  constructor(name: string | undefined, context: Context) {
    super(name);
    this.#context = context;
    this.helpCommand(false);
  }

  /** Called for every command that is added to another one. */
  override copyInheritedSettings(parent: Command): this {
    return super.copyInheritedSettings(parent).explainsErrors();
  }

  explainsErrors(): this {
    return this.exitOverride((error) => {
      throw error.exitCode === 0 || error.code === "commander.help" ? error : explainError(error, this);
    });
  }

  override createCommand(name?: string) {
    return new WatchCommand(name, this.#context);
  }

  takes(...options: Option[]): this {
    for (const one of options) this.addOption(one);
    return this;
  }

  /** Paragraphs below the options. */
  notes(...paragraphs: string[]): this {
    const text = () => `\n${layOut(paragraphs.join("\n\n"), this.#context.width)}`;
    return this.addHelpText("after", text);
  }

  runs(load: () => Promise<Run>): this {
    const { io, onExit } = this.#context;
    return this.action(async () => {
      const run = await load();
      onExit(await run(valuesOf(this), this.args, io));
    });
  }
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

/** `onExit` gets the exit code of the command that ran. */
export function createProgram(io: Io, onExit: (code: number) => void): Command {
  const width = outputWidth(io) ?? 80;
  const listChoices = ({ description, argChoices }: Option | Argument) =>
    argChoices && argChoices.length < 8 ? `${description}: ${argChoices.join(", ")}` : description;
  const program = new WatchCommand("v1watch", { io, width, onExit })
    .explainsErrors()
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

  program.notes(
    "v1watch help COMMAND shows the options of a command and an example.\nExit codes: 0 success, 1 findings, 2 usage or configuration error, 3 internal error.",
  );

  program.commandsGroup("Start here:");
  program
    .command("init")
    .summary("ask four questions and write a configuration")
    .description(
      "Asks for the base URL, the source of the key, the retirement date and where alerts go, and writes FILE. What an option answers is not asked; without a terminal, nothing is. An existing file is not overwritten.",
    )
    .argument("[file]", "the file to write (default v1watch.config.yaml); - is standard output")
    .takes(
      option("base-url <URL>", "base URL of V1"),
      option("key-env <NAME>", "environment variable with the API key, or none"),
      option("retirement <DATE>", "the day on which V1 is removed"),
      option("slack-env <NAME>", "environment variable with a Slack webhook"),
    )
    .notes("Example: v1watch init --base-url https://api.example.com")
    .runs(async () => (await import("./config.ts")).init);

  program
    .command("up")
    .summary("monitor V1 on this machine and serve a page")
    .description(
      "Monitors V1 until it is stopped: probes V1, assesses the responses, sends notifications, stores the history and serves a page. Without a base URL of V1 it starts the built-in simulator and monitors that.",
    )
    .takes(
      baseUrl(),
      option("port <N>", `port of the page (default ${pagePort}; 0 chooses a free port)`),
      option(
        "host <ADDRESS>",
        "address to listen on (default 127.0.0.1); the page can be read without a token",
      ),
      repeatable("allow-host <NAME>", "additional host name under which the page is served (repeatable)"),
      option(
        "store <FILE>",
        "store file (default .v1watch/watch.db; with the simulator .v1watch/simulator.db; environment: V1WATCH_STORE)",
      ),
      option(
        "webhook <URL>",
        "also send alerts to a Slack-compatible webhook (environment: V1WATCH_WEBHOOK)",
      ),
      option("once", "run one full cycle and exit with 0, or with 1 on findings or incidents"),
      allowLoopback(),
      config(),
      option(
        "scenario <NAME>",
        "simulator only: fault scenario, after a few healthy checks (default healthy); `v1watch help simulate` lists them",
      ).choices(scenarioNames),
      option("every <SECONDS>", "simulator only: interval between checks (default 10)"),
    )
    .notes(
      "Requests that change state need a token, which is printed at the start; V1WATCH_TOKEN sets it.",
      "Example: v1watch up --base-url https://api.example.com",
    )
    .runs(async () => (await import("./up/up.ts")).up);

  program.commandsGroup("What V1 does now:");
  program
    .command("status")
    .summary("retirement risk, incidents, drift, undocumented behaviour")
    .description(
      "Prints the retirement risk of V1 with its reasons, the firing incidents, the differences from V1's document, and what was observed of its undocumented behaviour. With a PART, prints that part in full. risk: low, elevated, high, imminent, retired, or unknown until V1 has returned data or a retirement signal. drift: when each difference was first and last seen (UTC), its share of the responses, and its id. undocumented: each question that V1's document leaves open, as open, observed or CHANGED.",
    )
    .addArgument(new Argument("[part]", "only this part, in full").choices(["risk", "drift", "undocumented"]))
    .takes(...watch(), option("level <LEVEL>", "drift: only this level").choices(levels), json())
    .notes(
      "Exit codes: 0 nothing to do; 1 an incident is firing, the risk is high or worse, or there is a breaking change that is not muted; 2 no data yet, or usage error. A difference that was there at the first check is not a change.",
      "Example: v1watch status drift --level breaking",
    )
    .runs(async () => (await import("./status/status.ts")).status);

  const incidents = program
    .command("incidents")
    .summary("list the incidents; acknowledge and mute them")
    .description("Lists the firing incidents, the worst first, with their facts.")
    .enablePositionalOptions()
    .takes(...watch(), option("all", "include resolved incidents"), json())
    .notes("Exit codes: 0 none is firing, 1 at least one, 2 usage error.", "Example: v1watch incidents --all")
    .runs(async () => (await import("./incidents.ts")).incidents);
  const id = "the id of an incident (v1watch incidents) or of a difference (v1watch status drift)";
  incidents
    .command("ack")
    .summary("acknowledge an incident or a finding, with a reason")
    .description(
      "Records that the incident or finding is known, and tells the channels. Reminders of the incident stop.",
    )
    .argument("<id...>", id)
    .takes(reason(), ...watch(), json())
    .notes('Example: v1watch incidents ack sunset-20261102T0000Z --reason "planned"')
    .runs(async () => (await import("./ack-mute.ts")).ack);
  incidents
    .command("mute")
    .summary("send no notifications about it for a time")
    .description(
      "Sends no notifications about ID until TIME: an incident, every incident of a rule (such as slow), every incident of that endpoint alone, or a finding. It is still checked and recorded, and what is still firing at the end is announced then. The latest mute of an ID applies; `v1watch incidents unmute` ends it. What is not firing is muted only with --ahead.",
    )
    .argument("<id...>", `${id}, or the name of a rule or an endpoint`)
    .takes(
      option("until <TIME>", "8h, 3d, 2026-12-31 or 2026-12-31T06:00:00Z").makeOptionMandatory(),
      reason(),
      option("ahead", "mute what is not firing now: incidents that come later are silent too"),
      ...watch(),
      json(),
    )
    .notes('Example: v1watch incidents mute slow --until 7d --reason "planned work"')
    .runs(async () => (await import("./ack-mute.ts")).mute);
  incidents
    .command("unmute")
    .summary("end a mute before its time")
    .description("Notifications about ID are sent again from now on. ID is the one that was muted.")
    .argument("<id...>", "what was muted")
    .takes(reason(), ...watch(), json())
    .notes('Example: v1watch incidents unmute slow --reason "the maintenance is over"')
    .runs(async () => (await import("./ack-mute.ts")).unmute);

  program
    .command("probe")
    .summary("send one request to each endpoint, or validate a saved body")
    .description(
      "Sends one request to each endpoint of V1 and prints outcome, response time, drift, age of the data, access and retirement notices. With --file it sends nothing and validates the saved body of a 200 response against V1's document.",
    )
    .takes(
      baseUrl(),
      endpoint("only this endpoint; with --file the endpoint of the response"),
      option("variant <NAME>", "only this variant").choices(variants),
      option("file <FILE>", "validate this body; - is standard input"),
      option("id <ID>", `${api.sample.nouns.one} to request; without it one is taken from the list`),
      option(
        "other-id <ID>",
        `${api.sample.otherId?.nouns.one ?? "other id"} to look up, in an additional request`,
      ),
      allowLoopback(),
      option("timeout <MS>", "deadline of one request in milliseconds"),
      config(),
      option(
        "store <FILE>",
        "store of a watch; the requests are counted in its budget, and the observations are recorded unless the watch is running",
      ),
      option("json", "print only the observations, or the findings of --file, as JSON"),
      junit(),
      github(),
    )
    .notes(
      "Exit codes: 0 as documented, 1 findings or failures, 2 usage or configuration error.",
      "Example:\n  v1watch simulate &\n  v1watch probe --base-url http://127.0.0.1:4181 --allow-loopback",
      `Example of a saved response:\n  curl -s http://127.0.0.1:4181${endpoints[endpointIds[0]].path} \\\n    | v1watch probe --file - --endpoint ${endpointIds[0]}`,
    )
    .runs(async () => (await import("./probe/probe.ts")).probe);

  program
    .command("notify")
    .summary("list the notification channels, and test them")
    .description(
      "Lists the channels of the configuration and what became of their messages. --test sends a message that is marked as a drill through every channel, or through the one with that NAME, and says which accepted it. --drill puts such a message into the outbox of a watch, which delivers it like an alert. After either of them `v1watch ready` accepts the delivery path as tested for 30 days.",
    )
    .takes(
      option("test [NAME]", "send a test message through the channels of this configuration, at once"),
      option(
        "drill",
        "send a test alert through the watch of --store, running or not, or of --table",
      ).conflicts("test"),
      option(
        "topic <ARN>",
        "with --drill: publish to this SNS topic directly, without a watch; the stack output TopicArn",
      ),
      store(),
      table(),
      config(),
      json(),
    )
    .notes(
      "Exit codes: 0 every channel accepted or is not failing, 1 at least one failed, 2 usage error.",
      "Example: v1watch notify --test on-call",
      "Example of a watch in AWS: v1watch notify --drill --table v1watch-Table",
    )
    .runs(async () => (await import("./notify.ts")).notify);

  program.commandsGroup("Leaving V1:");
  program
    .command("scan")
    .summary("find the uses of V1 in source trees")
    .description(
      "Finds the uses of V1 in source trees: calls to its paths, fields that are read from its responses, error handling that would make a retired V1 look like \"score 0\", and numbers that V1 returns as strings. TypeScript, JavaScript, Python and Go are parsed, also in pages, components and notebooks; other languages are searched for V1's paths and for names that only V1 gives to fields. Each use is shown with the reason why it was found. Code that reads such fields while V1's address is outside the code is reported as a question and never as clean. Uses in tests are listed separately and not counted, because tests call a mock of V1. .gitignore is honoured, nothing is sent over the network, and no source text is printed. File names are relative to the current folder, or to the folder of the inventory if that is a parent folder.",
    )
    .argument("[dir...]", "the folders to scan")
    .takes(
      repeatable("host <HOST>", "a host at which your code reaches V1, such as a gateway (repeatable)"),
      repeatable(
        "base-path <PATH>",
        "a path before V1's resources other than /api/v1, such as /reputation (repeatable)",
      ),
      option(
        "mapping <FILE>",
        "show what each line becomes in V2 (default v1watch.mapping.json, if there is one)",
      ),
      option("json", "print only the scan, as JSON"),
      sarif("for code hosts and editors"),
      option(
        "inventory <FILE>",
        "store the uses in a file that your team edits: owner, status (v1, dual, v2), exception with expiry and reason. A new scan keeps these edits and marks uses that are gone from the scanned folders; uses in other folders are not changed.",
      ),
      option(
        "new",
        "compare with the inventory without writing it: exit with 1 only for uses that are not in it, and list the uses that are gone. --sarif then has only the new uses.",
      ),
      option("schema", "print the JSON Schema of the inventory, for editors, without scanning"),
    )
    .notes(
      "Exit codes: 0 V1 is not used (with --new: no new use), 1 V1 is used or the scan is not sure (with --new: a new use), 2 usage error, 3 interrupted.",
      "Example:\n  v1watch scan src --inventory v1watch.inventory.json --sarif v1watch.sarif",
    )
    .runs(async () => (await import("./scan/scan.ts")).scan);

  const migrate = program
    .command("migrate")
    .summary("where each field goes in V2, and what each line becomes")
    .description("The mapping from V1 to V2: write it, see what is undecided, and plan the changes.")
    .notes("Example: v1watch migrate init && v1watch migrate coverage");
  migrate
    .command("init")
    .summary("write a starter mapping; every row is unverified")
    .takes(
      option("mapping <FILE>", "the file to write (default v1watch.mapping.json); - is standard output"),
      option("force", "overwrite an existing mapping"),
    )
    .notes("Example: v1watch migrate init")
    .runs(async () => (await import("./migrate.ts")).init);
  migrate
    .command("coverage")
    .summary("show what is decided and undecided; what is used comes first")
    .takes(mapping(), inventory(), v2Schema("mapped paths must exist in it"), json())
    .notes(
      "Exit codes: 0 all rows are decided, 1 undecided rows remain, 2 usage error or invalid mapping.",
      "Example: v1watch migrate coverage",
    )
    .runs(async () => (await import("./migrate.ts")).coverage);
  migrate
    .command("plan")
    .summary("show what every line in the inventory becomes in V2")
    .description(
      "Shows what every line in the inventory becomes in V2. Without a mapping, the starter is used.",
    )
    .takes(
      mapping(),
      inventory(),
      option(
        "by <GROUP>",
        "group the lines (default file; an owner is that of the inventory or CODEOWNERS)",
      ).choices(["file", "owner", "package"]),
      option("checklist <FILE>", "also write a checklist in Markdown; - is standard output"),
      sarif("with the change of each line"),
      json(),
    )
    .notes(
      "Exit codes: 0 no line is left to change, 1 lines to change remain, 2 usage error or invalid mapping.",
      "Example: v1watch migrate plan --by owner",
    )
    .runs(async () => (await import("./migrate.ts")).plan);
  migrate
    .command("check")
    .summary("validate the mapping; undecided rows are not errors")
    .takes(
      mapping(),
      v2Schema("mapped paths must exist in it"),
      option("schema", "print the JSON Schema of the mapping file, for editors"),
    )
    .notes(
      "Exit codes: 0 the mapping is valid, 2 usage error or invalid mapping.",
      "Example: v1watch migrate check",
    )
    .runs(async () => (await import("./migrate.ts")).check);

  program
    .command("parity")
    .summary("compare V2's responses with V1's, beyond V1's own variance")
    .description(
      `Reads V1 twice and V2 once for each ${api.sample.nouns.one}, and reports the fields that differ more than V1 varies by itself. Values are compared in memory; only paths, kinds and counts are printed or stored. Requests to V1 use the key of the watch. They are counted in the budget of the watch, running or not, and are limited to what the watch does not need this month. V2 has its own key, so requests to V2 are printed but not limited. A V1 on this machine has no limit unless --store is given.`,
    )
    .takes(
      mapping(),
      option(
        "cohort <FILE>",
        `${api.sample.nouns.one} ids${api.sample.otherId ? ` or ${api.sample.otherId.nouns.many}` : ""}, one per line; without it they are taken from V1's list`,
      ),
      option("sample <N>", `number of passports (default ${paritySample} from the list, all of a cohort)`),
      option(
        "resume [FILE]",
        "store the progress in FILE, and continue from there; without FILE, resume the comparison in AWS",
      ),
      option("store <FILE>", "store of the watch whose budget is used (default: from the configuration)"),
      option("table <NAME>", "the same for a watch in AWS: the stack output TableName").conflicts("store"),
      option(
        "requests <N>",
        `maximum number of requests to V1, lookups included (default: what the watch does not need; ${parityRequests} without a watch)`,
      ),
      option(
        "rate <N>",
        `requests in any 10 s to each version (default ${parityRates.V1} to V1, ${parityRates.V2} to V2; with a watch at most ${parityRates.V1} to V1; on this machine no limit)`,
      ),
      option("concurrency <N>", "concurrent requests to each version (default 4)"),
      option("apart <TIME>", "delay between the two reads of V1, from 0s to 10m (default 30s)"),
      option(
        "min-pairs <N>",
        `with fewer pairs the result is "insufficient evidence" (default ${diffyRule.minPairs})`,
      ),
      option(
        "relative <P>",
        `report a field above P % relative difference (default ${diffyRule.relativePercent}) …`,
      ),
      option("absolute <P>", `… and above P % absolute difference (default ${diffyRule.absolutePercent})`),
      option(
        "min-differences <N>",
        `if V1 itself did not vary, fewer differences could be chance (default ${diffyRule.minDifferences})`,
      ),
      option("in-aws", "compare a cohort of millions in AWS (aws.comparison); see docs/aws/scale.md"),
      option("estimate", "with --in-aws: print requests, hours, dollars and the sample, and send nothing"),
      option("census", "with --in-aws: compare all passports of the cohort (default: a random sample)"),
      option(
        "detect <P>",
        `with --in-aws: the sample finds what differs in P % of the passports (default ${defaultDetectPercent})`,
      ),
      option("v2-requests <N>", "with --in-aws: maximum number of requests to V2 (default: no limit)"),
      option(
        "workers <N>",
        `with --in-aws: maximum number of functions at once (default from the rate, at most ${maxWorkers})`,
      ),
      option("status", "show the progress of the comparison in AWS; on a terminal, follow it"),
      option("pause", "pause the comparison in AWS"),
      option("cancel", "end the comparison in AWS and delete its ids"),
      option("v2-base-url <URL>", "base URL of V2 (default: from the mapping)"),
      v2Schema("V2's responses are validated against it"),
      baseUrl(),
      config(),
      option("timeout <MS>", "deadline of one request in milliseconds"),
      allowLoopback(),
      json(),
    )
    .notes(
      "Exit codes: 0 parity, 1 differences, 2 insufficient evidence, or usage or configuration error.",
      "Example:\n  v1watch parity --cohort ids.txt --resume parity.state.json --requests 400",
    )
    .runs(async () => (await import("./parity/parity.ts")).parity);

  program
    .command("rehearse")
    .summary("rehearse V1's end on a test system")
    .description(
      "A proxy for a test system: V1's real responses with a scenario laid over them. Without --upstream the responses are those of the simulator. With --run it runs your smoke test under every scenario instead, and names the scenarios that it passes although V1 is broken.",
    )
    .takes(
      option("run <COMMAND>", "your smoke test; it finds the proxy's address in V1_URL"),
      option("handled <TEXT>", "what it prints when it has noticed that V1 is broken"),
      option("timeout <SECONDS>", "the time that it has in each scenario (default 60)"),
      option(
        "out <FILE>",
        `the result of --run, for ready and report (default ${rehearsalFileName}); - is standard output`,
      ),
      option("upstream <URL>", "V1's address; forwarded requests count against its quota"),
      option("scenario <NAME>", "what V1 does (default healthy; with --run all)"),
      option("schedule <NAME>", "play a retirement that takes months").choices(schedules),
      option("minutes <N>", "the length of the schedule (default 60)"),
      option("port <N>", `port (default ${rehearsalPort}; 0 chooses a free port)`),
      option("listen <ADDRESS>", "address to listen on (default 127.0.0.1)"),
      option("max-requests <N>", "requests to V1 before the proxy stops (default 500)"),
      ...watch(),
    )
    .notes(
      `Scenarios:\n${rehearsalScenarios.map(({ name, does }) => `  ${name}\tV1 ${does}`).join("\n")}`,
      "Exit codes of --run: 0 nothing passed unnoticed, 1 something did, 2 usage error, or the smoke test fails while V1 is healthy.",
      'Example: v1watch rehearse --run "npm test" --handled "not available"\n',
    )
    .runs(async () => (await import("./rehearse.ts")).rehearse);

  program
    .command("ready")
    .summary("judge whether the migration is complete, list the blockers")
    .description(
      "Combines the time left until V1's retirement, V1 usage in your code, the mapping of each used field to V2, the parity result and the rehearsal. Prints ten gates, each pass, fail or unknown with its evidence, and every blocker with its owner and next step.",
    )
    .takes(
      ...teamFiles(),
      junit(),
      sarif("with the source line of the consumer or the mapping"),
      github(),
      ...watch(),
      json(),
    )
    .notes(
      "Exit codes: 0 ready, 1 not ready, 2 insufficient evidence or usage error, 3 the monitor is unhealthy (its store is missing, unreadable or has no recent observations, so its data may be outdated) or internal error.",
      "Example: v1watch ready --github --sarif ready.sarif",
    )
    .runs(async () => (await import("./ready/ready.ts")).ready);

  program
    .command("report")
    .summary("write the readiness report as HTML, Markdown or JSON")
    .description(
      "Writes a summary page, then charts and tables: blockers, time left, which parts of V1 your code uses, and where they go in V2. The report is deterministic: the same data gives the same bytes, so that reports can be compared.",
    )
    .takes(
      option("format <FORMAT>", "html (default) is one file that opens offline and prints to A4").choices([
        "html",
        "markdown",
        "json",
        "all",
      ]),
      option(
        "out <PATH>",
        "folder or file to write v1watch-report.html, .md, .json to (default: this folder); - is standard output",
      ),
      option(
        "since <DAY>",
        `first day of the period, such as 2026-09-01 (default: the first check, at most ${reportDays} days)`,
      ),
      option("previous <FILE>", "JSON of an earlier report; the changes since then are listed"),
      ...teamFiles(),
      ...watch(),
    )
    .notes(
      "Mapping, inventory and parity results are optional; the report lists what is missing.",
      "Exit codes: 0 report written, 2 usage error. For the verdict as an exit code, use `v1watch ready`.",
      "Example:\n  v1watch report --format all --out reports \\\n    --previous reports/v1watch-report.json",
    )
    .runs(async () => (await import("./report.ts")).report);

  program.commandsGroup("Trying it out:");
  program
    .command("simulate")
    .summary("serve a simulated V1, as documented or with a fault")
    .description(
      `Serves V1 as its document describes it on http://127.0.0.1:${simulatorPort} until it is stopped.`,
    )
    .takes(
      option("port <N>", `port (default ${simulatorPort}; 0 chooses a free port)`),
      option(
        "profile <P>",
        "realistic has nulls, retyped and extra fields, as observed in production (default: that of the scenario)",
      ).choices(profiles),
      option(
        "scenario <NAME>",
        "fault scenario (default healthy), see below; it starts when its fault begins",
      ).choices(scenarioNames),
      option("at <TIME>", "start time on the timeline of the scenario: 0, 90m, 36h, 3d"),
      option("speed <N>", "speed of the scenario's clock (default 1)"),
      option("passports <N>", "number of passports (default 500)"),
      option("seed <N>", "seed of the generated data (default 1)"),
      option("key <KEY>", "return 401 for any other X-API-KEY; anonymous requests are still served"),
      option(
        "v2",
        "serve V2 on the next port as well, with the same data and the fields of the starter mapping; V2 requires a key: any key, or that of --key",
      ),
    )
    .notes(
      scenarioList(),
      "Example: v1watch simulate --scenario gone --port 4190",
      `Example of a migration to V2 on one machine:\n  v1watch simulate --v2 &\n  v1watch migrate init\n  V1WATCH_V2_API_KEY=any v1watch parity --allow-loopback --apart 0s \\\n    --base-url http://127.0.0.1:${simulatorPort} \\\n    --v2-base-url http://127.0.0.1:${simulatorPort + 1} --json > parity.state.json\n  v1watch ready`,
    )
    .runs(async () => (await import("./simulate.ts")).simulate);

  program
    .command("replay")
    .summary("run the whole watch on a virtual clock")
    .description(
      "Runs the whole watch on a virtual clock, as fast as it can: the plan, the requests over HTTP, the validation, the assessment and every message. Use it to try out an alert policy, or to measure how soon a fault is reported. With --seconds it is a demonstration: what V1 does and every alert in full, at its virtual time.",
    )
    .addArgument(new Argument("[scenario]", "a scenario of the simulator, see below").choices(scenarioNames))
    .takes(
      option("seconds <N>", "show the scenario to people, in N seconds; 0 is as fast as possible"),
      option("all", "every scenario, one after another"),
      option(
        "base-url <URL>",
        "a server on this machine. Every request carries the virtual instant in X-V1watch-Clock; a response with X-V1watch-Latency counts as having taken that many milliseconds",
      ),
      option("days <N>", `how many days (default: what the scenario needs, ${replayDays} for a server)`),
      option("start <ISO>", `the first instant (default ${replayStart})`),
      option("seed <N>", "seed of the simulator's data (default 1)"),
      config(),
      option("json", "print one line of JSON for each message, then a summary"),
    )
    .notes(
      "For a scenario, the time from each fault to its report is printed with its limit. The key comes from the configuration; a scenario has a key of its own. Nothing is stored, and no message is sent.",
      "Exit codes: 0 every fault of the scenario was reported in time, 1 one was not, 2 usage or configuration error, 3 interrupted.",
      scenarioList(),
      "Example: v1watch replay key-revoked --days 3",
      "Example: three months of an API's retirement in two minutes\n  v1watch replay retirement --seconds 120",
    )
    .runs(async () => (await import("./replay.ts")).replay);

  program.commandsGroup("Your AWS account:");
  const aws = program
    .command("aws")
    .summary("deploy the watch to your AWS account, or remove it")
    .description("The same watch as scheduled Lambda functions in your AWS account.")
    .notes("Example: v1watch aws synth");
  aws
    .command("synth")
    .summary("print the cost and write the template, without an account")
    .description(
      "Checks the configuration, prints the requests and the cost per month, and writes the template to cdk.out. Without a configuration it does so for docs/aws/deploy.example.json.",
    )
    .takes(...stack())
    .notes("Example: v1watch aws synth --config prod.config.json")
    .runs(async () => (await import("./deploy.ts")).synth);
  aws
    .command("deploy")
    .summary("deploy the watch")
    .description(
      "Checks the configuration, the credentials, the CDK bootstrap of the account, the API key and the existing table, then runs cdk deploy. Prints the requests and the cost per month first, and asks for approval before permissions are broadened. Ends with the subscriptions that still have to be confirmed.",
    )
    .takes(
      option("yes", "do not ask for approval"),
      option("diff", "show the changes without deploying"),
      ...stack(),
    )
    .notes("Example: v1watch aws deploy")
    .runs(async () => (await import("./deploy.ts")).deploy);
  aws
    .command("destroy")
    .summary("remove the watch")
    .description(
      'Deletes the stack. With aws.removal "keep" (the default), the table, the reports and the logs are retained. With "destroy", which must be deployed first, nothing is retained.',
    )
    .takes(option("yes", "do not ask for confirmation"), ...stack())
    .notes("Example: v1watch aws destroy")
    .runs(async () => (await import("./deploy.ts")).destroy);

  program.commandsGroup("Settings and data:");
  program
    .command("config")
    .summary("show the settings, their origin, and the requests per month")
    .description(
      "Prints the effective configuration, the origin of each value, and the requests per month that it needs. Environment variables (V1WATCH_BASE_URL, V1WATCH_BUDGET, …) override the configuration file; options override both.",
    )
    .takes(
      config(),
      option("base-url <URL>", "base URL of V1"),
      option("cadence <TIME>", "interval between two checks of an endpoint"),
      option("budget <N>", "requests per month"),
      json(),
      option("schema", "print the JSON Schema of the configuration file, for editors"),
      option("docs", "print the description of every setting, as in docs/use/config.md"),
    )
    .notes("Example: v1watch config --base-url https://api.example.com --cadence 1h")
    .runs(async () => (await import("./config.ts")).config);

  const stores = program
    .command("store")
    .summary("export, import and back up the records of a watch")
    .description("The records of a watch: observations, decisions and alerts.")
    .notes("Example: v1watch store export history.jsonl");
  stores
    .command("export")
    .summary("write all records as JSON Lines")
    .description(
      "Writes every observation, decision and alert as one line of JSON, also while the watch is running. A table in AWS keeps no sent alerts. State derived from pruned observations is not exported; `v1watch store backup` includes it.",
    )
    .argument("[file]", "the file to write; - or none is standard output")
    .takes(...watch())
    .notes("Example: v1watch store export history.jsonl")
    .runs(async () => (await import("./export.ts")).exportRecords);
  stores
    .command("import")
    .summary("read the records that `store export` wrote")
    .description(
      "Reads records as JSON Lines. Records that already exist are skipped, so an import can be repeated. The imported records are assessed, but no notifications are sent for them. Stop the watch before an import; it delivers its own pending notifications after the restart.",
    )
    .argument("<file>", "the file to read; - is standard input")
    .takes(store(), config())
    .notes(
      "Exit codes: 0 all lines are valid records, 1 some lines are not, 2 usage error.",
      "Example: v1watch store import history.jsonl --store new.db",
    )
    .runs(async () => (await import("./import.ts")).importRecords);
  stores
    .command("backup")
    .summary("copy the store, also while the watch is running")
    .description(
      "Writes a consistent copy of the store, also while the watch is running. To restore it, stop the watch and replace the store file with the copy.",
    )
    .argument("<file>", "the file to write")
    .takes(store(), config())
    .notes("Example: v1watch store backup watch-2026-11-15.db")
    .runs(async () => (await import("./backup.ts")).backup);

  program
    .command("openapi")
    .summary("print V1's contract as OpenAPI 3.1")
    .description(
      "Prints V1's contract as an OpenAPI 3.1 document in JSON. Undocumented behaviour is omitted and listed under x-gaps.",
    )
    .takes(option("out <FILE>", "the file to write (default -, standard output)"))
    .notes("Example: v1watch openapi --out v1.openapi.json")
    .runs(async () => (await import("./openapi.ts")).openapi);

  program
    .command("completion")
    .summary("print the shell completion for bash, zsh or fish")
    .description(
      "Prints a script that completes commands and options. Its first line says how to install it.",
    )
    .addArgument(new Argument("<shell>", "your shell").choices(["bash", "zsh", "fish"]))
    .notes("Example:\n  v1watch completion bash > ~/.local/share/bash-completion/completions/v1watch")
    .runs(async () => {
      const { renderCompletion } = await import("./completion.ts");
      return async (_values, [shell = ""], { out }) => {
        out(renderCompletion(shell, program));
        return 0;
      };
    });
  return program;
}

/** The options that were given, by their names on the command line. */
function valuesOf(command: Command): OptionValues {
  const given = command.options.map(
    (one) => [one.name(), command.getOptionValue(one.attributeName())] as const,
  );
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
