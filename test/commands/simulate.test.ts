import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Io } from "../../lib/commands/command.ts";
import { parseArguments, UsageError } from "../../lib/commands/command.ts";
import { simulate } from "../../lib/commands/simulate.ts";
import { scenarioNames } from "../../lib/simulator/scenarios.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { bodyOf, get } from "../simulator/client.ts";
import { run as runCommand } from "./terminal.ts";

/** Runs the command until it has spoken; `stop` is Ctrl-C. */
function run(...args: string[]) {
  const stop = new AbortController();
  const printed = { text: "" };
  const spoken = Promise.withResolvers<void>();
  const io: Io = {
    out(text) {
      printed.text += text;
      spoken.resolve();
    },
    err: (text) => {
      printed.text += text;
    },
    stdin: async () => new Uint8Array(),
    env: {},
    isTerminal: false,
    signal: stop.signal,
  };
  const started = async () => {
    const { values, positionals } = parseArguments(simulate, args);
    return simulate.run(values, positionals, io);
  };
  const exit = started();
  return {
    exit,
    printed,
    ready: () => Promise.race([spoken.promise, exit]),
    stop: () => {
      stop.abort();
      return exit;
    },
  };
}

const complaint = async (...args: string[]) => {
  const error = await run(...args).exit.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message;
};

const urls = (text: string) => [...text.matchAll(/curl -sS '([^']+)'/g)].map(([, url]) => url as string);

test("it prints three lines to paste, each of them answers, and Ctrl-C ends it with 0", async () => {
  const command = run("--port", "0", "--passports", "60");
  await command.ready();
  const [list, passport, credentials] = await Promise.all(urls(command.printed.text).map((url) => get(url)));
  expect(bodyOf(list!).passports.length).toBe(25);
  expect(bodyOf(passport!).passport.passport_socials.length).toBeGreaterThan(0);
  expect(bodyOf(credentials!).passport_credentials.length).toBeGreaterThan(0);
  expect(await command.stop()).toBe(0);
  expect((await get(urls(command.printed.text)[0] ?? "")).failure).toBe("ECONNREFUSED");
});

test("a scenario starts where its fault is, and --at starts it elsewhere", async () => {
  const [broken, before] = [
    run("--port", "0", "--scenario", "gone"),
    run("--port", "0", "--scenario", "gone", "--at", "0"),
  ];
  const later = run("--port", "0", "--scenario", "gone", "--at", "9d");
  const statuses = [];
  for (const command of [broken, before, later]) {
    await command.ready();
    statuses.push((await get(urls(command.printed.text)[0] ?? "")).status);
    await command.stop();
  }
  expect(statuses).toEqual([410, 200, 404]);
  expect(broken.printed.text).toContain("gone: 410 on every endpoint");
});

test("--profile realistic serves the other face", async () => {
  const command = run("--port", "0", "--profile", "realistic");
  await command.ready();
  expect(bodyOf(await get(urls(command.printed.text)[0] ?? "")).passports[0]).not.toHaveProperty(
    "connections_count",
  );
  await command.stop();
});

test("--key is obeyed and never printed", async () => {
  const command = run("--port", "0", "--key", "sentinel-key-3f2a");
  await command.ready();
  const url = urls(command.printed.text)[0] ?? "";
  expect((await get(url, { headers: { "X-API-KEY": "other" } })).status).toBe(401);
  expect((await get(url, { headers: { "X-API-KEY": "sentinel-key-3f2a" } })).status).toBe(200);
  await command.stop();
  expect(command.printed.text).not.toMatch(/sentinel|3f2a/);
  expect(await complaint("--key", "sentinel\nkey")).not.toContain("sentinel");
});

test("--v2 serves V2 beside V1, for the same people, and a comparison of the two is parity", async () => {
  const command = run("--port", "0", "--passports", "60", "--v2");
  await command.ready();
  const [v1 = "", v2 = ""] = [...command.printed.text.matchAll(/simulated, at (\S+)/g)].map(([, url]) => url);
  const [profile = ""] = [...command.printed.text.matchAll(/'([^']+\/profile[^']+)'/g)].map(([, url]) => url);
  expect((await get(profile)).status).toBe(401);
  expect((await get(profile, { headers: { "X-API-KEY": "any" } })).status).toBe(200);
  const folder = mkdtempSync(join(tmpdir(), "v1watch-later-"));
  const mapping = ["--mapping", join(folder, "map.json")];
  await runCommand(["migrate", "init", ...mapping]);
  const flags = [
    "--base-url",
    v1,
    "--v2-base-url",
    v2,
    "--allow-loopback",
    "--apart",
    "0s",
    "--sample",
    "40",
  ];
  const compared = await runCommand(["parity", ...mapping, ...flags], { env: { V1WATCH_V2_API_KEY: "any" } });
  expect(compared).toMatchObject({ code: 0, err: "" });
  expect(compared.out).toContain("PARITY: ");
  rmSync(folder, { recursive: true });
  expect(await command.stop()).toBe(0);
  for (const url of [v1, v2]) expect((await get(url)).failure).toBe("ECONNREFUSED");
});

test("V2's port, when taken, is told like V1's, and V1 does not stay behind", async () => {
  const other = await startSimulator({ passports: 1 });
  const message = await complaint("--port", String(other.port - 1), "--v2");
  expect(message).toContain(`port ${other.port} is in use`);
  expect((await get(`http://127.0.0.1:${other.port - 1}/`)).failure).toBe("ECONNREFUSED");
  await other.close();
});

test("a taken port is one clear line", async () => {
  const other = await startSimulator({ passports: 1 });
  expect(await complaint("--port", String(other.port))).toMatch(
    new RegExp(`^port ${other.port} is in use( \\(pid \\d+, \\S+\\))?\\. Use --port, or stop it\\.$`),
  );
  await other.close();
});

test("a wrong scenario lists them all", async () => {
  const message = await complaint("--scenario", "nope");
  for (const name of scenarioNames) expect(message).toContain(`  ${name} `);
});

test.each([
  ["--port", "70000"],
  ["--profile", "odd"],
  ["--passports", "0"],
  ["--seed", "x"],
  ["--at", "soon"],
  ["--speed", "0"],
  ["--nonsense", "1"],
  ["stray"],
])("%s %s is refused in one line", async (...args) => {
  expect(await complaint(...args)).not.toContain("\n");
});

test("the program itself ends with 0 on SIGTERM", async () => {
  const child = spawn(process.execPath, ["bin/v1watch.ts", "simulate", "--port", "0"], { stdio: "pipe" });
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
