// A real `v1watch up` as a process of its own, for the soak to break.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const program = join(import.meta.dirname, "../bin/v1watch.ts");
const token = "a-token-of-the-soak";

export type Station = {
  post(deed: "inject" | "scenario" | "clear", body: object): Promise<void>;
  observationIds(limit: number): Promise<string[]>;
  heapBytes(): Promise<number>;
  /** Why it asks nothing now. */
  readHeld(): Promise<string[]>;
  waitForHealth(status: number, ms: number): Promise<boolean>;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
};

export async function startStation(folder: string, storePath: string): Promise<Station> {
  const child = spawn(
    process.execPath,
    [program, "up", "--port", "0", "--every", "2", "--store", storePath],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, V1WATCH_TOKEN: token },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let out = "";
  const take = (part: Buffer) => {
    out = (out + part).slice(-10_000);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  while (!/page (\S+)\/#token/.test(out)) {
    if (child.exitCode !== null) throw new Error(`up ended with ${child.exitCode}:\n${out}`);
    await sleep(50);
  }
  const url = /page (\S+)\/#token/.exec(out)?.[1] ?? "";
  const alive = () => {
    if (child.exitCode !== null) throw new Error(`up died with ${child.exitCode}:\n${out}`);
  };
  return {
    async post(deed, body) {
      alive();
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
      await fetch(`${url}/api/simulation/${deed}`, { method: "POST", headers, body: JSON.stringify(body) });
    },
    async observationIds(limit) {
      alive();
      const rows = (await (await fetch(`${url}/api/observations?limit=${limit}`)).json()) as { id: string }[];
      return rows.map(({ id }) => id);
    },
    async heapBytes() {
      alive();
      return Number(/^v1watch_heap_bytes (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
    },
    async readHeld() {
      alive();
      const summary = (await (await fetch(`${url}/api/summary`)).json()) as {
        budget: { deferred: string[] };
      };
      return summary.budget.deferred;
    },
    async waitForHealth(status, ms) {
      for (const untilMs = Date.now() + ms; Date.now() < untilMs; await sleep(250)) {
        alive();
        if ((await fetch(`${url}/healthz`)).status === status) return true;
      }
      return false;
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
