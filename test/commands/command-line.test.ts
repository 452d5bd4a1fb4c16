// The program itself: node bin/v1watch.ts, as a person starts it.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startSimulator } from "../../lib/simulator/server.ts";
import { bodyOf } from "../probe/validate/bodies.ts";
import { isOneClearLine, run } from "./terminal.ts";

const program = fileURLToPath(new URL("../../bin/v1watch.ts", import.meta.url));

async function start(args: string[], stdin = "") {
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env.PATH } });
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code: number = child.exitCode ?? (await new Promise((resolve) => child.once("exit", resolve)));
  return { code, out, err };
}

test("probes a V1 on this machine and ends with 0", async () => {
  const simulator = await startSimulator({ passports: 40 });
  try {
    const { code, out, err } = await start(["probe", "--base-url", simulator.url, "--allow-loopback"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/As documented\. Nothing new\.\n$/);
  } finally {
    await simulator.close();
  }
});

test("checks what is piped into it, and ends with 1 on drift", async () => {
  const body = structuredClone(bodyOf("passport"));
  body.passport.score = "7";
  const { code, out } = await start(["check", "-", "--endpoint", "passport"], JSON.stringify(body));
  expect(code).toBe(1);
  expect(out).toMatch(/breaking +passport\.score +number → string +1 of 1/);
});

test("a wrong flag is one clear line and exit code 2", async () => {
  const answer = await start(["probe", "--nope"]);
  expect(answer.code).toBe(2);
  expect(answer).toSatisfy(isOneClearLine);
});

test.each(["simulate", "probe", "check", "config", "openapi"])(
  "%s --help tells the usage, with an example",
  async (name) => {
    const { code, out } = await run([name, "--help"]);
    expect(code).toBe(0);
    expect(out).toContain(`v1watch ${name}`);
    expect(out).toContain("Example");
  },
);

test("every command's help begins alike and ends with an example", async () => {
  const names = [...(await run(["--help"])).out.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name!);
  expect(names).toContain("probe");
  for (const name of names) {
    const { out } = await run([name, "--help"]);
    expect(out).toMatch(new RegExp(`^Usage: v1watch ${name}\\b`));
    expect(out).toContain("Example");
  }
});

test("a value with a dash is told how to be given, in one clear line", async () => {
  const { code, err } = await run(["probe", "--timeout", "-1"]);
  expect(code).toBe(2);
  expect(err).toBe(
    "v1watch: --timeout needs a value; one that begins with a dash is joined to it: --timeout=-1. Try: v1watch probe --help\n",
  );
  expect((await run(["probe", "--timeout"])).err).toMatch(/^v1watch: [^\n.]+\. Try: v1watch probe --help\n$/);
  expect((await run(["probe", "--nope"])).err).toMatch(/^v1watch: [^\n.]+\. Try: v1watch probe --help\n$/);
});

test("a command that does not exist is named, and no command at all shows them all", async () => {
  const wrong = await run(["prob"]);
  expect(wrong.code).toBe(2);
  expect(wrong).toSatisfy(isOneClearLine);
  const none = await run([]);
  expect(none.code).toBe(2);
  expect(none.out).toMatch(/ {2}probe +ask each endpoint/);
  expect((await run(["--help"])).code).toBe(0);
  expect(await run(["constructor"])).toSatisfy(isOneClearLine);
});
