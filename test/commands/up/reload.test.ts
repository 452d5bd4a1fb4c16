// SIGHUP: a running `v1watch up` takes over a valid configuration as a whole, and nothing of an invalid one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Summary } from "../../../lib/local/server/api-schemas.ts";
import { startSimulator } from "../../../lib/simulator/server.ts";
import { makeFolder } from "../../local/temporary-folder.ts";

const program = join(import.meta.dirname, "../../../bin/v1watch.ts");
const secretPath = "T000/B000/very-secret-path";

/** Sends a signal to its own process as soon as the first module of ours is loaded. */
const hangUpAtFirstImport = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  let isSent = false;
  registerHooks({
    load(url, context, next) {
      if (url.includes("/lib/") && !isSent) {
        isSent = true;
        process.kill(process.pid, "SIGHUP");
      }
      return next(url, context);
    },
  });`)}`;

async function startUp(nodeOptions: readonly string[] = []) {
  const simulator = await startSimulator({ passports: 20 });
  const folder = makeFolder();
  const file = join(folder, "v1watch.config.json");
  const settings = { baseUrl: simulator.url, key: "none", cadence: { calm: "1h" } };
  const write = (changes: object) => writeFileSync(file, JSON.stringify({ ...settings, ...changes }));
  write({});
  const child = spawn(
    process.execPath,
    [...nodeOptions, program, "up", "--allow-loopback", "--port", "0", "--log", "text", "--config", file],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOOK: `https://hooks.example.com/${secretPath}` },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += String(part)));
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    await simulator.close();
  });
  /** What is printed from now on, once it contains the text. */
  const printed = async (text: string, from = 0) => {
    await expect.poll(() => output.slice(from), { timeout: 60_000 }).toContain(text);
    return output.slice(from);
  };
  const url = /dashboard (\S+)\//.exec(await printed("No findings."))?.[1] ?? "";
  return {
    pid: child.pid,
    file,
    write,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Sends SIGHUP, and resolves with what is printed about it. */
    async hangUp() {
      const from = output.length;
      child.kill("SIGHUP");
      return (await printed("onfiguration ", from)).trim();
    },
    readHealth: async () => {
      const response = await fetch(`${url}/healthz`);
      return { status: response.status, text: await response.text() };
    },
    readSummary: async () => (await (await fetch(`${url}/api/summary`)).json()) as Summary,
  };
}

test("SIGHUP right after the start waits until the monitor runs, and is then obeyed", async () => {
  const { output, isRunning, hangUp } = await startUp(["--import", hangUpAtFirstImport]);
  await expect.poll(output, { timeout: 60_000 }).toContain("Configuration reloaded. No setting has changed.");
  expect(isRunning()).toBe(true);
  expect(await hangUp()).toBe("Configuration reloaded. No setting has changed.");
});

test.skipIf(process.platform !== "linux")(
  "A monitor makes files for its owner only, whatever starts it",
  async () => {
    const { pid, file } = await startUp();
    expect(readFileSync(`/proc/${pid}/status`, "utf8")).toMatch(/^Umask:\s+0077$/m);
    const folder = join(dirname(file), ".v1watch");
    for (const name of readdirSync(folder))
      expect([name, statSync(join(folder, name)).mode & 0o077]).toEqual([name, 0]);
  },
);

test("SIGHUP takes over a valid configuration and says what changed, without its values", async () => {
  const up = await startUp();
  expect(await up.hangUp()).toBe("Configuration reloaded. No setting has changed.");
  up.write({
    cadence: { calm: "2h" },
    channels: [{ type: "slack", name: "team", url: { env: "HOOK" } }],
    publicUrl: "https://watch.example.com",
  });
  expect(await up.hangUp()).toBe("Configuration reloaded. Changed: cadence.calm, channels, publicUrl.");
  const summary = await up.readSummary();
  expect(summary.every).toBe("2 h");
  expect(summary.health.channels.map(({ name }) => name)).toEqual(["console", "team"]);
  expect(summary.health).not.toHaveProperty("configuration");
  expect(up.output()).not.toContain(secretPath);
});

test("An invalid configuration is refused as a whole, and the dashboard and /healthz say so until a valid one was read", async () => {
  const up = await startUp();
  const takenOver = { cadence: { calm: "2h" } };
  const refusals = [
    [() => up.write({ ...takenOver, alerts: { hour: 99 } }), "alerts.hour: 99 is not a whole number"],
    [
      () => up.write({ ...takenOver, channels: [{ type: "slack", name: "team", url: { env: "UNSET" } }] }),
      "channels[0].url: the environment variable UNSET holds no secret.",
    ],
    [
      () => up.write({ ...takenOver, heartbeat: { url: { env: "UNSET" } } }),
      "heartbeat.url: the environment variable UNSET holds no secret.",
    ],
    [
      () => up.write({ ...takenOver, proxy: { env: "UNSET" } }),
      "proxy: no address of a proxy can be read there.",
    ],
    [() => writeFileSync(up.file, '{ "baseUrl": '), "v1watch.config.json"],
    [() => writeFileSync(up.file, ""), "v1watch.config.json"],
    [() => rmSync(up.file), "there is no such file."],
    // All of them by name.
    [
      () =>
        up.write({
          ...takenOver,
          store: "other.db",
          budget: { monthlyRequests: 6_000 },
          key: { env: "OTHER" },
          baseUrl: "https://v1.example.com",
        }),
      "budget.monthlyRequests: has changed, which needs a restart.",
      "store: has changed, which needs a restart.",
      "baseUrl: has changed, which needs a restart.",
      "key: has changed, which needs a restart.",
    ],
  ] as const;
  for (const [change, ...reasons] of refusals) {
    change();
    const printed = await up.hangUp();
    expect(printed).toMatch(/^Configuration not reloaded: the one before it stays in force\.$/m);
    for (const reason of reasons) expect(printed).toContain(reason);
    const { status, text } = await up.readHealth();
    expect(status).toBe(200);
    const first = printed.split("\n")[1]!.trim();
    expect(text).toMatch(/^The configuration read at \d{4}-\d\d-\d\d \d\d:\d\d UTC was refused/m);
    expect(text).toContain(`stays in force. ${first}`);
    const { every, health } = await up.readSummary();
    expect(every).toBe("1 h");
    expect(text).toContain(health.configuration);
  }
  up.write(takenOver);
  expect(await up.hangUp()).toBe("Configuration reloaded. Changed: cadence.calm.");
  expect((await up.readHealth()).text).toBe("ok\n");
  expect((await up.readSummary()).every).toBe("2 h");
  expect(up.isRunning()).toBe(true);
});
