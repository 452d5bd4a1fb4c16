// Runs the team's own smoke test under each scenario. Its output is searched and not kept: it may name persons.
import { spawn } from "node:child_process";
import type { Rehearsal, RehearsalResult } from "../records/rehearsal.ts";
import type { RehearsalProxy } from "./proxy.ts";
import { type RehearsalScenario, rehearsalScenarios } from "./scenarios.ts";

export type RunInput = {
  proxy: RehearsalProxy;
  /** As the team's shell runs it. */
  command: string;
  /** A text that the command prints where it has noticed that V1 is broken. */
  handled?: string | undefined;
  names?: readonly string[] | undefined;
  timeoutMs: number;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  upstream: Rehearsal["upstream"];
  nowMs(): number;
  signal?: AbortSignal | undefined;
  onRow?(row: Rehearsal["rows"][number]): void;
};

type Ended = { exitCode: number | null; hasTimedOut: boolean; isHandled: boolean };

export async function rehearse(input: RunInput): Promise<Rehearsal> {
  const { proxy, names } = input;
  const chosen = rehearsalScenarios.filter(
    ({ name }) => name === "healthy" || (names?.includes(name) ?? true),
  );
  const rows: Rehearsal["rows"] = [];
  for (const scenario of chosen) {
    if (input.signal?.aborted) break;
    proxy.play(scenario);
    const ended = await runCommand(input, scenario);
    const requests = proxy.callers().reduce((sum, caller) => sum + caller.requests, 0);
    const row = {
      scenario: scenario.name,
      does: scenario.does,
      requests,
      exitCode: ended.exitCode,
      result: judge(scenario, ended, requests),
    };
    rows.push(row);
    input.onRow?.(row);
    // Without a test that passes in health, the others prove nothing.
    if (scenario.name === "healthy" && row.result !== "handled") break;
  }
  return {
    schema: "v1watch/rehearsal/1",
    at: new Date(input.nowMs()).toISOString(),
    upstream: input.upstream,
    upstreamRequests: proxy.upstreamRequests(),
    rows,
  };
}

/** A command that fails is heard. One that passes has either said that it noticed, or has not noticed. */
function judge(scenario: RehearsalScenario, ended: Ended, requests: number): RehearsalResult {
  if (ended.hasTimedOut) return "hangs";
  if (requests === 0) return "not-called";
  if (ended.exitCode !== 0) return "loud";
  return !scenario.isBroken || ended.isHandled ? "handled" : "silent";
}

const maxSearched = 1 << 20;

function runCommand(
  { command, handled, timeoutMs, cwd, env, proxy, signal }: RunInput,
  scenario: RehearsalScenario,
): Promise<Ended> {
  return new Promise((resolve) => {
    // A group of its own, so that what the command started ends with it.
    const child = spawn(command, {
      shell: true,
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...env, V1_URL: proxy.url, V1WATCH_SCENARIO: scenario.name },
    });
    let text = "";
    let hasTimedOut = false;
    const read = (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-maxSearched);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    const end = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(() => {
      hasTimedOut = true;
      end();
    }, timeoutMs);
    signal?.addEventListener("abort", end);
    const settle = (exitCode: number | null) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      const isHandled = handled !== undefined && text.toLowerCase().includes(handled.toLowerCase());
      resolve({ exitCode, hasTimedOut, isHandled });
    };
    child.once("error", () => settle(127));
    child.once("close", (code) => settle(code));
  });
}
