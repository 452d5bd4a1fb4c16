// Runs `v1watch up` as a separate process for the soak test.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "../lib/local/server/api.ts";

const program = join(import.meta.dirname, "../bin/v1watch.ts");
const token = "token-of-the-soak-test";

/** The page itself, and everything that can be read without an id. */
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
  kill(): Promise<void>;
};

export async function startMonitorProcess(
  folder: string,
  storePath: string,
  everySeconds = 2,
): Promise<MonitorProcess> {
  const child = spawn(
    process.execPath,
    [program, "up", "--port", "0", "--every", String(everySeconds), "--store", storePath],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, V1WATCH_TOKEN: token },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let out = "";
  const collect = (part: Buffer) => {
    out = (out + part).slice(-1_000_000);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  while (!/^page (\S+)\/$/m.test(out)) {
    if (child.exitCode !== null) throw new Error(`v1watch up exited with ${child.exitCode}:\n${out}`);
    await sleep(50);
  }
  const url = /^page (\S+)\/$/m.exec(out)?.[1] ?? "";
  const checkRunning = () => {
    if (child.exitCode !== null) throw new Error(`v1watch up exited with ${child.exitCode}:\n${out}`);
  };
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
      return { ...Object.fromEntries(await Promise.all(texts)), output: out };
    },
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
