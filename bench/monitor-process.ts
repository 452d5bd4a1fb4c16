// Runs `v1watch up` as a separate process for the soak test.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "../lib/local/server/api.ts";

const program = join(import.meta.dirname, "../bin/v1watch.ts");
const token = "token-of-the-soak-test";

/** The dashboard itself, and everything that can be read without an id. */
const servedPaths = [
  ...Object.keys(routes).filter((path) => routes[path]?.method === "GET" && path !== "/api/events"),
  ...["/", "/metrics", "/healthz", "/badge.svg", "/report", "/api/observations?limit=500"],
];

export type MonitorProcess = {
  url: string;
  post(action: "inject" | "scenario" | "clear", body: object): Promise<void>;
  observationIds(limit: number): Promise<string[]>;
  heapBytes(): Promise<number>;
  /** The reasons why requests are deferred now. */
  readDeferred(): Promise<string[]>;
  waitForHealth(status: number, ms: number): Promise<boolean>;
  /** What it serves and what it has printed, by name. */
  readArtefacts(): Promise<Record<string, string>>;
  stop(): Promise<number | null>;
  kill(): Promise<number | null>;
};

/** Starts `v1watch up`, and waits until its dashboard is there. */
export async function spawnMonitor(input: {
  program: string;
  folder: string;
  args: readonly string[];
  env?: Record<string, string>;
}) {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [input.program, "up", ...input.args], {
    cwd: input.folder,
    env: { PATH: process.env.PATH, ...input.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  const collect = (part: Buffer) => {
    out = (out + part).slice(-1_000_000);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  const checkRunning = () => {
    if (child.exitCode !== null) throw new Error(`v1watch up exited with ${child.exitCode}:\n${out}`);
  };
  const readUrl = () => /^dashboard (\S+)\/$/m.exec(out)?.[1];
  for (; readUrl() === undefined; await sleep(10)) checkRunning();
  const end = (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    return ended;
  };
  return {
    url: readUrl()!,
    pid: child.pid!,
    listenMs: performance.now() - startedMs,
    output: () => out,
    checkRunning,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

export async function startMonitorProcess(
  folder: string,
  storePath: string,
  everySeconds = 2,
): Promise<MonitorProcess> {
  const args = ["--port", "0", "--every", String(everySeconds), "--store", storePath];
  const spawned = await spawnMonitor({ program, folder, args, env: { V1WATCH_TOKEN: token } });
  const { url, checkRunning, output, stop, kill } = spawned;
  return {
    url,
    async post(action, body) {
      checkRunning();
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
      await fetch(`${url}/api/simulation/${action}`, { method: "POST", headers, body: JSON.stringify(body) });
    },
    async observationIds(limit) {
      checkRunning();
      const rows = (await (await fetch(`${url}/api/observations?limit=${limit}`)).json()) as { id: string }[];
      return rows.map(({ id }) => id);
    },
    async heapBytes() {
      checkRunning();
      return Number(/^v1watch_heap_bytes (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
    },
    async readDeferred() {
      checkRunning();
      const summary = (await (await fetch(`${url}/api/summary`)).json()) as {
        budget: { deferred: string[] };
      };
      return summary.budget.deferred;
    },
    async waitForHealth(status, ms) {
      for (const untilMs = Date.now() + ms; Date.now() < untilMs; await sleep(250)) {
        checkRunning();
        if ((await fetch(`${url}/healthz`)).status === status) return true;
      }
      return false;
    },
    async readArtefacts() {
      checkRunning();
      const texts = servedPaths.map(async (path) => [path, await (await fetch(`${url}${path}`)).text()]);
      return { ...Object.fromEntries(await Promise.all(texts)), output: output() };
    },
    stop,
    kill,
  };
}
