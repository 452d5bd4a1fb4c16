// Every command that a document, a message, the page or a script names is one that the program accepts.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command, CommanderError } from "commander";
import { expect, test } from "vitest";
import { createProgram } from "../../lib/commands/program.ts";
import manifest from "../../package.json" with { type: "json" };
import { silentIo } from "../commands/terminal.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

type Named = { file: string; line: string };

/** The words of a command line, as a shell reads them. What a message fills in is a word. */
function wordsOf(line: string): string[] {
  const text = line
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "x")
    .replace(/\\"/g, '"')
    .replace(/\\$/, "")
    .split(/ (?:&&?|\||>|#) ?|[,.;:)]? (?:>|#) |; |, with /)[0]!;
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

const withoutWork = (command: Command): void => {
  command.action(() => {});
  command.commands.forEach(withoutWork);
};

/** Parses with the real program and runs nothing. A name alone, such as `v1watch incidents ack`, needs no arguments. */
async function findMistake(words: readonly string[]): Promise<string | undefined> {
  const program = await createProgram(silentIo, () => {});
  const path = words[0] === "help" ? words.slice(1) : words;
  const found = path.reduce<Command | undefined>(
    (command, name) => command?.commands.find((one) => one.name() === name),
    program,
  );
  if (found) return undefined;
  for (const group of program.commands.flatMap((one) => [one, ...one.commands]))
    if (group.commands.length === 0 || group.options.length > 0) withoutWork(group);
  try {
    await program.parseAsync([...path], { from: "user" });
    return undefined;
  } catch (error) {
    // Help and version end the program, too.
    const { exitCode, message } = error as CommanderError;
    return exitCode === 0 ? undefined : message;
  }
}

const call = /(?:npm run -s v1watch --|npm start --|(?:\S*node )?\S*bin\/v1watch\.ts|(?<![\w/.@-])v1watch)/
  .source;

/** What may stand before a command: settings of the environment, and programs that run it. */
const before = "(?:[A-Z_0-9]+=\\S+ )*(?:npx |docker exec \\S+ )?";

/** Code spans, and the lines of code blocks. */
function inMarkdown(file: string): Named[] {
  const text = read(file).replace(/\\\n\s*/g, "");
  const spans = [...text.matchAll(new RegExp(`\`${before}(${call} [^\`]+)\``, "g"))];
  const blocks = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, block]) => block!.split("\n"));
  const indented = text.split("\n").filter((line) => /^ {4}\S/.test(line));
  const lines = [...blocks, ...indented].flatMap(
    (line) => new RegExp(`^\\s*${before}(${call} .+)$`).exec(line)?.[1] ?? [],
  );
  return [...spans.map(([, span]) => span!), ...lines].map((line) => ({ file, line }));
}

/** What messages, alerts, help texts and the page quote. */
function inSource(file: string): Named[] {
  const text = read(file);
  const before = /\\?`|<code>|"|(?:Example[^:"`\n]*|minutes|run|Install|bash|zsh|fish): "?|\\n {2,4}|^ {2}/
    .source;
  const line = /v1watch (?:[^`<\n"\\]|(?<= )\\?"[^"\\\n]*\\?")+/.source;
  return [...text.matchAll(new RegExp(`(?:${before})(${line})`, "gm"))]
    .map(([, found]) => ({ file, line: found! }))
    .filter((one) => !isSentence.test(one.line));
}

/** What is said about v1watch, and no command. */
const isSentence =
  /^v1watch (?:alarms$|alert|cannot|checks|could|failed|has|itself|monitors|never|on|reads|sends|tells|·|help COMMAND|\$)/;

const documents = globSync(["*.md", ".github/**/*.md", "docs/**/*.md", "examples/**/*.md"], {
  cwd: root,
  exclude: ["**/node_modules/**", "CHANGELOG.md", "docs/develop/decisions.md"],
});
const sources = globSync(["lib/**/*.ts", "functions/**/*.ts", "web/**/*.{ts,html,js}"], { cwd: root });
const scripts = Object.values(manifest.scripts).flatMap((line) =>
  line.startsWith("node bin/v1watch.ts ") ? [{ file: "package.json", line }] : [],
);
const [, unit = ""] = /^ExecStart=\S+ \S+\/(.*)$/m.exec(read("deploy/v1watch.service")) ?? [];
/** The words of ENTRYPOINT and CMD, which begins its line: a health check has one, too. */
const imageWords = [...read("deploy/Dockerfile").matchAll(/^(?:ENTRYPOINT|CMD) (\[.*\])$/gm)].flatMap(
  ([, list]) => JSON.parse(list!) as string[],
);
const deployed = [
  { file: "deploy/v1watch.service", line: unit },
  { file: "deploy/Dockerfile", line: imageWords.join(" ") },
];
const pipelines = globSync([".ci/run", "examples/*.yml", ".github/**/*.yml"], { cwd: root }).flatMap((file) =>
  [...read(file).matchAll(/\bnpx --no-install (v1watch .+)$|`(v1watch [^`]+)`/gm)].map(([, run, span]) => ({
    file,
    line: run ?? span!,
  })),
);
const named = [
  ...documents.flatMap(inMarkdown).filter(({ line }) => !line.endsWith("COMMAND")),
  ...sources.flatMap(inSource),
  ...scripts,
  ...deployed,
  ...pipelines,
];

test("Every command that a document, a message or a script names is accepted by the program", async () => {
  const mistakes: string[] = [];
  for (const { file, line } of named) {
    const start = new RegExp(`^(?:v1watch\\.ts|${call})`).exec(line)?.[0] ?? "";
    const isStart = start.startsWith("npm start");
    const words = wordsOf(line.slice(start.length).trim());
    const mistake = await findMistake(isStart ? ["up", ...words] : words);
    if (mistake) mistakes.push(`${file}: ${line}: ${mistake}`);
  }
  expect(mistakes).toEqual([]);
  expect(new Set(named.map(({ file }) => file)).size).toBeGreaterThan(25);
  expect(named.length).toBeGreaterThan(120);
});

test("The README's table of questions names commands that exist", async () => {
  const cells = [...read("README.md").matchAll(/^\| [^|]+\? \| (.*) \|$/gm)].map(([, cell]) => cell!);
  const commands = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, command]) => command!));
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) expect(await findMistake(wordsOf(command)), command).toBeUndefined();
});
