// Runs bin/v1watch.ts as a process of its own.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startSimulator } from "../../lib/simulator/server.ts";
import { bodyOf } from "../probe/validate/bodies.ts";
import { isSingleErrorLine, run } from "./terminal.ts";

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

test("v1watch check reads a body from standard input and exits 1 on drift", async () => {
  const body = structuredClone(bodyOf("passport"));
  body.passport.score = "7";
  const { code, out } = await start(["check", "-", "--endpoint", "passport"], JSON.stringify(body));
  expect(code).toBe(1);
  expect(out).toMatch(/breaking +passport\.score +number → string +1 of 1/);
});

test("v1watch reports an unknown option in one line with exit code 2", async () => {
  const output = await start(["probe", "--nope"]);
  expect(output.code).toBe(2);
  expect(output).toSatisfy(isSingleErrorLine);
});

test.each(["simulate", "probe", "check", "config", "openapi"])(
  "v1watch %s --help prints the usage and an example",
  async (name) => {
    const { code, out } = await run([name, "--help"]);
    expect(code).toBe(0);
    expect(out).toContain(`v1watch ${name}`);
    expect(out).toContain("Example");
  },
);

test("the help of every command starts with the usage and contains an example", async () => {
  const names = [...(await run(["--help"])).out.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name!);
  expect(names).toContain("probe");
  for (const name of names) {
    const { out } = await run([name, "--help"]);
    expect(out).toMatch(new RegExp(`^Usage: v1watch ${name}\\b`));
    expect(out).toContain("Example");
  }
});

test("v1watch explains how to pass an option value that starts with a dash", async () => {
  const { code, err } = await run(["probe", "--timeout", "-1"]);
  expect(code).toBe(2);
  expect(err).toBe(
    'v1watch: --timeout needs a value; join a value that starts with a dash with "=": --timeout=-1. Try: v1watch probe --help\n',
  );
  expect((await run(["probe", "--timeout"])).err).toMatch(/^v1watch: [^\n.]+\. Try: v1watch probe --help\n$/);
  expect((await run(["probe", "--nope"])).err).toMatch(/^v1watch: [^\n.]+\. Try: v1watch probe --help\n$/);
});

test("v1watch reports an unknown command in one line, and lists all commands if none is given", async () => {
  const unknown = await run(["prob"]);
  expect(unknown.code).toBe(2);
  expect(unknown).toSatisfy(isSingleErrorLine);
  expect(unknown.err).toContain('unknown command "prob"');
  const none = await run([]);
  expect(none.code).toBe(2);
  expect(none.out).toMatch(/ {2}probe +send one request to each endpoint/);
  expect(none.out).toContain("3 internal error.");
  expect((await run(["--help"])).code).toBe(0);
  expect(await run(["constructor"])).toSatisfy(isSingleErrorLine);
});

test("v1watch prints its version, the help of a command, and what was probably meant", async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
  for (const flag of ["--version", "-V"])
    expect(await run([flag])).toEqual({ code: 0, out: `v1watch ${version}\n`, err: "" });
  expect((await run(["help", "mute"])).out).toBe((await run(["mute", "--help"])).out);
  expect((await run(["help"])).out).toBe((await run(["--help"])).out);
  expect((await run(["incidnets"])).err).toBe(
    'v1watch: unknown command "incidnets". Did you mean incidents? Try: v1watch --help\n',
  );
  expect((await run(["help", "unmut"])).err).toContain("Did you mean unmute?");
  expect((await run(["up", "--prot", "1"])).err).toBe(
    "v1watch: Unknown option '--prot'; did you mean --port? Try: v1watch up --help\n",
  );
});

test("a control code in an argument never reaches the terminal, whatever the command", async () => {
  for (const args of [
    ["\u001b[31m"],
    ["probe", "--base-url", "http://\u001b]0;x\u0007"],
    ["check", "a\u202eb"],
  ]) {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control codes are what it looks for
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});

test("completion knows every command and option, in bash, zsh and fish", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out } = await run(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["incidents", "unmute", "notify"]) expect(out).toContain(word);
    expect(out).toMatch(/(?:--|-l )ahead/);
  }
  const script = (await run(["completion", "bash"])).out;
  const complete = (...words: string[]) =>
    spawnSync("bash", [
      "-c",
      `${script}\nCOMP_WORDS=(v1watch ${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length}; _v1watch; printf '%s ' "\${COMPREPLY[@]}"`,
    ]).stdout.toString();
  expect(complete("inc")).toBe("incidents ");
  expect(complete("mute", "--ah")).toBe("--ahead ");
  expect(complete("help", "unm")).toBe("unmute ");
  expect(complete("completion", "fi")).toBe("fish ");
  expect((await run(["completion", "tcsh"])).code).toBe(2);
});

test("the key is not sent over http to another machine without a warning", async () => {
  const args = ["probe", "--base-url", "http://v1.invalid", "--endpoint", "passport-list"];
  const warning = "the key is sent unencrypted, because the base URL is http";
  expect((await run(args, { env: { V1WATCH_API_KEY: "a-key" } })).err).toContain(warning);
  expect((await run(args, { env: {} })).err).not.toContain(warning);
});
