// Runs bin/v1watch.ts as a process of its own.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createProgram } from "../../lib/commands/program.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { bodyOf } from "../probe/validate/bodies.ts";
import { isSingleErrorLine, run, silentIo } from "./terminal.ts";

const program = fileURLToPath(new URL("../../bin/v1watch.ts", import.meta.url));

async function start(args: string[], stdin = "") {
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH } });
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code: number = child.exitCode ?? (await new Promise((resolve) => child.once("exit", resolve)));
  return { code, out, err };
}

test("v1watch probe exits 0 for a V1 on this machine that is as documented", async () => {
  const simulator = await startSimulator({ passports: 40 });
  try {
    const { code, out, err } = await start(["probe", "--base-url", simulator.url, "--allow-loopback"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/As documented\. No findings\.\n$/);
  } finally {
    await simulator.close();
  }
});

test("v1watch probe --file reads a body from standard input and exits 1 on drift", async () => {
  const body = structuredClone(bodyOf("passport"));
  body.passport.score = "7";
  const { code, out } = await start(["probe", "--file", "-", "--endpoint", "passport"], JSON.stringify(body));
  expect(code).toBe(1);
  expect(out).toMatch(/breaking +passport\.score +number → string +1 of 1/);
});

const tree = await createProgram(silentIo, () => {});

/** Every command of the tree, as it is called. */
const commandLines = (command = tree, path: string[] = []): string[][] => [
  path,
  ...command.commands.flatMap((one) => commandLines(one, [...path, one.name()])),
];

test("The help of every command begins with its usage, has an example, and fits 80 columns", async () => {
  expect(commandLines()).toContainEqual(["incidents", "mute"]);
  for (const path of commandLines()) {
    const { code, out } = await run([...path, "--help"], { columns: 80 });
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: ${["v1watch", ...path].join(" ")}\\b`));
    expect(out).toMatch(path.length === 0 ? /help COMMAND/ : /Example/);
    for (const line of out.split("\n")) expect.soft(line.length, line).toBeLessThanOrEqual(80);
    // A command that was wrapped could not be copied.
    const examples = (text: string) => text.split("\n\n").filter((paragraph) => /^Example/.test(paragraph));
    const wide = await run([...path, "--help"], { columns: 500 });
    expect(examples(out)).toEqual(examples(wide.out));
    expect((await run(["help", ...path], { columns: 80 })).out).toBe(out);
  }
});

test("The first command of the help is init, and each command is listed on one line", async () => {
  const { out } = await run(["--help"], { columns: 80 });
  const listed = [...out.matchAll(/^ {2}([a-z]+) +\S/gm)].map(([, name]) => name);
  expect(listed[0]).toBe("init");
  expect(listed).toEqual(commandLines().flatMap((path) => (path.length === 1 ? path : [])));
  expect(out).not.toMatch(/^ {10,}\S/m);
});

test("An option does not take the next option for its value", async () => {
  for (const args of [
    ["probe", "--timeout", "-1"],
    ["probe", "--store", "--json"],
    ["probe", "--timeout"],
  ])
    expect(await run(args)).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/^v1watch: option '--[^\n]+\. Try: v1watch probe --help\n$/),
    });
});

test("An unknown command is reported in one line, and all commands are listed if none is given", async () => {
  const unknown = await run(["prob"]);
  expect(unknown.code).toBe(2);
  expect(unknown).toSatisfy(isSingleErrorLine);
  expect(unknown.err).toContain("unknown command 'prob'");
  const none = await run([]);
  expect(none.code).toBe(2);
  expect(none.out).toMatch(/ {2}probe +send one request to each endpoint/);
  expect(none.out).toContain("3 internal");
  expect((await run(["--help"])).code).toBe(0);
  for (const group of ["aws", "store", "migrate"])
    expect(await run([group])).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^Usage: /) });
  expect(await run(["constructor"])).toSatisfy(isSingleErrorLine);
});

test("v1watch prints its version, and what was probably meant", async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  for (const flag of ["--version", "-V"])
    expect(await run([flag])).toEqual({ code: 0, out: `v1watch ${version}\n`, err: "" });
  const errorOf = async (...args: string[]) => (await run(args)).err;
  expect(await errorOf("incidnets")).toBe(
    "v1watch: unknown command 'incidnets'; did you mean incidents? Try: v1watch --help\n",
  );
  expect(await errorOf("help", "incidnets")).toContain("did you mean incidents?");
  expect(await errorOf("aws", "deplyo")).toContain("did you mean deploy? Try: v1watch aws --help");
  expect(await errorOf("incidents", "unmut")).toBe(
    "v1watch: unknown command 'unmut'; there are show, ack, mute, unmute. Try: v1watch incidents --help\n",
  );
  expect(await errorOf("up", "--prot", "1")).toBe(
    "v1watch: unknown option '--prot'; did you mean --port? Try: v1watch up --help\n",
  );
});

test("The value of an unknown option is not repeated, because it may be a secret", async () => {
  const { code, err } = await run(["up", "--webhok=https://hooks.example.com/secret-path"]);
  expect(code).toBe(2);
  expect(err).toBe("v1watch: unknown option '--webhok'. Try: v1watch up --help\n");
});

test("A control code in an argument never reaches the terminal, whatever the command", async () => {
  for (const args of [
    ["\u001b[31m"],
    ["probe", "--base-url", "http://\u001b]0;x\u0007"],
    ["probe", "--file", "a\u202eb"],
  ]) {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control codes are what it looks for
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});

test("The key is not sent over http to another machine without a warning", async () => {
  const args = ["probe", "--base-url", "http://v1.invalid", "--endpoint", "passport-list"];
  const warning = "the key is sent unencrypted, because the base URL is http";
  expect((await run(args, { env: { V1WATCH_API_KEY: "a-key" } })).err).toContain(warning);
  expect((await run(args, { env: {} })).err).not.toContain(warning);
});
