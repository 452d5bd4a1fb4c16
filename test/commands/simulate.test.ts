import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../lib/commands/index.ts";
import { scenarioNames } from "../../lib/simulator/scenarios.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { bodyOf, get } from "../simulator/client.ts";
import { run as runInTerminal, silentIo } from "./terminal.ts";

/** Starts the command. `ready` resolves at its first output; `stop` acts like Ctrl-C. */
function run(...args: string[]) {
  const stop = new AbortController();
  const printed = { text: "" };
  const firstOutput = Promise.withResolvers<void>();
  const exit = runCommand(["simulate", ...args], {
    ...silentIo,
    out(text) {
      printed.text += text;
      firstOutput.resolve();
    },
    err(text) {
      printed.text += text;
    },
    signal: stop.signal,
  });
  return {
    exit,
    printed,
    ready: () => Promise.race([firstOutput.promise, exit]),
    stop: () => {
      stop.abort();
      return exit;
    },
  };
}

const usageError = async (...args: string[]) => {
  const { exit, printed } = run(...args);
  expect(await exit).toBe(2);
  return printed.text;
};

const urls = (text: string) => [...text.matchAll(/curl -sS '([^']+)'/g)].map(([, url]) => url as string);

test("v1watch simulate prints three working curl commands, and exits 0 on Ctrl-C", async () => {
  const command = run("--port", "0");
  await command.ready();
  const [list, passport, credentials] = await Promise.all(urls(command.printed.text).map((url) => get(url)));
  expect(bodyOf(list!).passports.length).toBe(25);
  expect(bodyOf(passport!).passport.passport_socials.length).toBeGreaterThan(0);
  expect(bodyOf(credentials!).passport_credentials.length).toBeGreaterThan(0);
  expect(await command.stop()).toBe(0);
  expect((await get(urls(command.printed.text)[0] ?? "")).failure).toBe("ECONNREFUSED");
});

test("v1watch simulate starts a scenario when its fault begins", async () => {
  const command = run("--port", "0", "--scenario", "gone");
  await command.ready();
  expect((await get(urls(command.printed.text)[0] ?? "")).status).toBe(410);
  await command.stop();
  expect(command.printed.text).toContain("gone: 410 on every endpoint");
});

test("v1watch simulate --key answers another key with 401 on every endpoint, as V1's document says, and serves requests without a key", async () => {
  const command = run("--port", "0", "--key", "right");
  await command.ready();
  for (const url of urls(command.printed.text)) {
    const statusWith = async (key?: string) =>
      (await get(url, key === undefined ? {} : { headers: { "X-API-KEY": key } })).status;
    expect([await statusWith("right"), await statusWith(), await statusWith("wrong")]).toEqual([
      200, 200, 401,
    ]);
  }
  await command.stop();
  expect(command.printed.text).not.toContain("right");
});

test("v1watch simulate --passports and --seed choose how many people there are, and who", async () => {
  const listOf = async (...args: string[]) => {
    const command = run("--port", "0", ...args);
    await command.ready();
    const { passports, pagination } = bodyOf(await get(urls(command.printed.text)[0]!));
    await command.stop();
    return {
      people: passports.map(({ main_wallet }: { main_wallet: string }) => main_wallet),
      total: pagination.total,
    };
  };
  const [one, again, other] = [
    await listOf("--passports", "7", "--seed", "2"),
    await listOf("--passports", "7", "--seed", "2"),
    await listOf("--passports", "7", "--seed", "3"),
  ];
  expect(one.people).toHaveLength(7);
  expect(again).toEqual(one);
  expect(other.people).not.toEqual(one.people);
});

test("v1watch simulate --v2 serves V2 with the same data, so that parity finds no differences", async () => {
  const command = run("--port", "0", "--v2");
  await command.ready();
  const [v1 = "", v2 = ""] = [...command.printed.text.matchAll(/Simulated V\d at (\S+)/g)].map(
    ([, url]) => url,
  );
  const [profile = ""] = [...command.printed.text.matchAll(/'([^']+\/profile[^']+)'/g)].map(([, url]) => url);
  expect((await get(profile)).status).toBe(401);
  expect((await get(profile, { headers: { "X-API-KEY": "any" } })).status).toBe(200);
  const folder = mkdtempSync(join(tmpdir(), "v1watch-v2-"));
  const mapping = ["--mapping", join(folder, "map.json")];
  await runInTerminal(["migrate", "init", ...mapping]);
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
  const compared = await runInTerminal(["parity", ...mapping, ...flags], {
    env: { V1WATCH_V2_API_KEY: "any" },
  });
  expect(compared).toMatchObject({ code: 0, err: "" });
  expect(compared.out).toContain("PARITY: ");
  rmSync(folder, { recursive: true });
  expect(await command.stop()).toBe(0);
  for (const url of [v1, v2]) expect((await get(url)).failure).toBe("ECONNREFUSED");
});

/** A simulator on a port behind one that nobody uses. */
async function startBehindFreePort(): ReturnType<typeof startSimulator> {
  const before = await startSimulator({ passports: 1 });
  const other = await startSimulator({ passports: 1, port: before.port + 1 }).catch(() => undefined);
  await before.close();
  return other ?? startBehindFreePort();
}

test("v1watch simulate --v2 stops V1 and reports the port if the port of V2 is in use", async () => {
  const other = await startBehindFreePort();
  const message = await usageError("--port", String(other.port - 1), "--v2");
  expect(message).toContain(`port ${other.port} is in use`);
  expect((await get(`http://127.0.0.1:${other.port - 1}/`)).failure).toBe("ECONNREFUSED");
  await other.close();
});

test("v1watch simulate reports a port that is in use in one line", async () => {
  const other = await startSimulator({ passports: 1 });
  expect(await usageError("--port", String(other.port))).toBe(
    `v1watch: port ${other.port} is in use. Stop the process that uses it, or choose another port with --port.\n`,
  );
  await other.close();
});

test("v1watch simulate lists all scenarios if --scenario is unknown", async () => {
  const message = await usageError("--scenario", "nope");
  for (const name of scenarioNames) expect(message).toMatch(new RegExp(`[ ,]${name}[,.]`));
});

test.each([["--port", "70000"], ["--nonsense", "1"], ["stray"]])(
  "v1watch simulate rejects %s %s in one line",
  async (...args) => {
    expect(await usageError(...args)).toMatch(/^v1watch: [^\n]+\n$/);
  },
);

test("v1watch simulate as a process exits 0 on SIGTERM", async () => {
  const child = spawn(process.execPath, ["bin/v1watch.ts", "simulate", "--port", "0"], { stdio: "pipe" });
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
