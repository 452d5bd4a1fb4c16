// Runs the team's own smoke test under each scenario. Its output is searched and not kept: it may name persons.
import { spawn } from "node:child_process";
import type { Rehearsal, RehearsalResult } from "../records/rehearsal.ts";
import type { EndpointTraffic, RehearsalProxy } from "./proxy.ts";
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

type Ended = { exitCode: number | null; hasTimedOut: boolean; isHandled: boolean; lastErrors: string[] };

export type Run = {
  rehearsal: Rehearsal;
  /** Of the run while V1 was healthy: for the terminal, where it failed. They are not part of the result. */
  lastErrors: readonly string[];
  /** What became of the requests of that run. */
  controlTraffic: readonly EndpointTraffic[];
};

export async function rehearse(input: RunInput): Promise<Run> {
  const { proxy, names } = input;
  const chosen = rehearsalScenarios.filter(
    ({ name }) => name === "healthy" || (names?.includes(name) ?? true),
  );
  const rows: Rehearsal["rows"] = [];
  let [lastErrors, controlTraffic]: [string[], EndpointTraffic[]] = [[], []];
  for (const scenario of chosen) {
    if (input.signal?.aborted) break;
    proxy.play(scenario);
    const ended = await runCommand(input, scenario);
    // A run that was interrupted by its user says nothing about the smoke test.
    if (input.signal?.aborted) break;
    const traffic = proxy.traffic();
    const row = {
      scenario: scenario.name,
      does: scenario.does,
      requests: traffic.reduce((sum, { requests }) => sum + requests, 0),
      played: traffic.reduce((sum, { played }) => sum + played, 0),
      exitCode: ended.exitCode,
      result: judge(scenario, ended, traffic),
    };
    rows.push(row);
    input.onRow?.(row);
    if (scenario.name !== "healthy") continue;
    [lastErrors, controlTraffic] = [ended.lastErrors, traffic];
    // Without a test that passes in health, the others prove nothing.
    if (row.result !== "passed") break;
  }
  const rehearsal: Rehearsal = {
    schema: "v1watch/rehearsal/2",
    at: new Date(input.nowMs()).toISOString(),
    upstream: input.upstream,
    upstreamRequests: proxy.upstreamRequests(),
    rows,
  };
  return { rehearsal, lastErrors, controlTraffic };
}

/** A command that fails is heard. One that passes has either said that it noticed, or has not noticed. */
function judge(
  { isBroken }: RehearsalScenario,
  { exitCode, hasTimedOut, isHandled }: Ended,
  traffic: readonly EndpointTraffic[],
): RehearsalResult {
  if (traffic.length === 0) return "not-called";
  if (!isBroken) {
    if (traffic.some(({ played }) => played === 0)) return "not-served";
    if (hasTimedOut) return "hangs";
    if (exitCode !== 0) return "failed";
    return isHandled ? "false-alarm" : "passed";
  }
  const isPlayed = traffic.some(({ played }) => played > 0) && traffic.every(({ refused }) => refused === 0);
  if (!isPlayed) return "not-played";
  if (hasTimedOut) return "hangs";
  if (exitCode !== 0) return "loud";
  return isHandled ? "handled" : "silent";
}

const maxSearched = 1 << 20;
const shownErrors = 20;

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
    let [text, errors] = ["", ""];
    let hasTimedOut = false;
    const append = (before: string, chunk: Buffer) => (before + chunk.toString()).slice(-maxSearched);
    child.stdout.on("data", (chunk: Buffer) => {
      text = append(text, chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      text = append(text, chunk);
      errors = append(errors, chunk);
    });
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
      // What it left running must not ask V1 in the name of the next scenario.
      end();
      const isHandled = handled !== undefined && text.toLowerCase().includes(handled.toLowerCase());
      const lastErrors = errors.trimEnd().split("\n").slice(-shownErrors);
      resolve({ exitCode, hasTimedOut, isHandled, lastErrors });
    };
    child.once("error", () => settle(127));
    child.once("close", (code) => settle(code));
  });
}
