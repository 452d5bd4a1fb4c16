// A parity run and a watch that share one budget: real processes, one store, and the request counter of the simulator.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTeamInput } from "../../../lib/commands/ready/files.ts";
import { loadConfig } from "../../../lib/config/config.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import { monthOf } from "../../../lib/probe/schedule/budget.ts";
import { spend, updateProbeState } from "../../../lib/probe/schedule/probe-state.ts";
import { createSharedBudget } from "../../../lib/probe/schedule/shared-budget.ts";
import type { ProbeState } from "../../../lib/records/probe-state.ts";
import { type Simulator, startSimulator } from "../../../lib/simulator/server.ts";
import { startV2Simulator, type V2Simulator } from "../../../lib/simulator/v2/server.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { decidedMapping } from "../../mapping/v2-mapping.ts";
import { run } from "../terminal.ts";

const folder = makeFolder();
const program = join(import.meta.dirname, "../../../bin/v1watch.ts");
const env = { V1WATCH_V2_API_KEY: "any" };
const perPair = 4;
const month = () => monthOf(Date.now());

let v1: Simulator;
let v2: V2Simulator;
let store = "";
let tests = 0;
const started: ChildProcess[] = [];
beforeEach(async () => {
  v1 = await startSimulator({ passports: 200 });
  v2 = await startV2Simulator({ passports: 200 });
  store = join(folder, `watch-${tests++}.db`);
  writeFileSync(join(folder, "map.json"), JSON.stringify(decidedMapping(v2.url)));
  const ids = Array.from({ length: 200 }, (_, index) => v1.population.idOf(index));
  writeFileSync(join(folder, "ids.txt"), ids.join("\n"));
});
afterEach(() => Promise.all([v1.close(), v2.close()]));
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

const v1Flags = () => ["--base-url", v1.url, "--allow-loopback", "--store", store];
const flags = (...more: string[]) => [
  ...["parity", "--mapping", join(folder, "map.json"), "--apart", "0s", ...v1Flags()],
  ...more,
];

function spawnCommand(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  started.push(child);
  return child;
}

/** Resolves after the process has printed `text`. */
async function startUntil(args: readonly string[], text: string): Promise<ChildProcess> {
  const child = spawnCommand(args);
  let out = "";
  const printed = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part) => {
        out += part;
        if (out.includes(text)) resolve();
      });
    child.on("exit", () => reject(new Error(`the process exited without printing "${text}":\n${out}`)));
  });
  await printed;
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
}

const waitFor = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
};

async function withLedger<T>(
  work: (ledger: Parameters<typeof updateProbeState>[0]) => Promise<T>,
): Promise<T> {
  const opened = openStore(store, { mode: "read" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  try {
    return await work(opened.store.ledger);
  } finally {
    opened.store.close();
  }
}

const readProbeState = () =>
  withLedger(async (ledger) => (await ledger.readProbeState())?.value as ProbeState);
const spent = async () => (await readProbeState())?.spent[month()] ?? 0;

const createStore = () => {
  const opened = openStore(store, { mode: "own" });
  if (opened.kind === "open") opened.store.close();
};

/** Spends the budget of the watch except for `requests`. Returns the requests that are reserved for the watch. */
async function leaveAvailable(requests: number): Promise<number> {
  createStore();
  const loaded = loadConfig({ env: {}, flags: { "base-url": v1.url, store } });
  if (!loaded.ok) throw new Error("no configuration");
  return withLedger(async (ledger) => {
    const sharedBudget = createSharedBudget({
      ledger,
      config: loaded.config,
      nowMs: Date.now,
    });
    const { spare } = await sharedBudget.remaining();
    await updateProbeState(ledger, (probeState) => spend(probeState, month(), spare - requests));
    return (await sharedBudget.remaining()).kept;
  });
}

describe("with a running watch", () => {
  test("Every request of a parity run and of a probe is counted in the budget of the watch", async () => {
    const up = await startUntil(["up", "--port", "0", ...v1Flags()], "s documented.");
    const own = await spent();
    expect(own).toBe(v1.requests());
    const { code, out, err } = await run(flags("--sample", "40"), { env });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(
      "This run makes at most 162 requests to V1, 2 of them to look up ids, and 200 to V2, for about 40 passports.\n",
    );
    expect(out).toMatch(
      /The budget has [\d,]+ requests available until 1 \w+; [\d,]+ are reserved for the watch\.\n/,
    );
    expect(await spent()).toBe(own + 162);
    const before = await readProbeState();
    const probed = await run(["probe", ...v1Flags()]);
    expect(probed.out).toContain("counted but not recorded, because a running watch owns the store");
    expect(await spent()).toBe(v1.requests());
    const after = await readProbeState();
    expect(after.recent).toHaveLength(before.recent.length + 3);
    // The watch does not get the observations of the probe, so its next checks are due at the same time.
    expect(after.endpoints).toEqual(before.endpoints);
    expect(up.exitCode).toBeNull();
    await stop(up, "SIGTERM");
    expect(await spent()).toBe(v1.requests());
  });
});

describe("without a running watch", () => {
  test("A parity run releases its unused reservations on SIGTERM, but not on SIGKILL", async () => {
    createStore();
    const slow = flags(
      "--cohort",
      join(folder, "ids.txt"),
      "--apart",
      "10m",
      "--resume",
      join(folder, "s.json"),
    );
    const killed = await startUntil(slow, "This run makes at most");
    // Two batches of ten have been read once and wait for their second read.
    await waitFor(() => v1.requests() >= 40);
    await stop(killed, "SIGKILL");
    expect([await spent(), v1.requests()]).toEqual([20 * perPair, 40]);
    const stopped = await startUntil(slow, "This run makes at most");
    await waitFor(() => v1.requests() >= 80);
    await stop(stopped, "SIGTERM");
    expect([await spent(), v1.requests()]).toEqual([20 * perPair + 40, 80]);
  });

  test("A killed probe keeps its maximum number of requests reserved", async () => {
    createStore();
    v1.inject([{ kind: "hang" }]);
    const probing = spawnCommand(["probe", ...v1Flags()]);
    await waitFor(() => v1.requests() > 0);
    await stop(probing, "SIGKILL");
    // Three endpoints with one retry each.
    expect(await spent()).toBe(6);
  });

  test("v1watch parity sends no request if the remaining budget is reserved for the watch", async () => {
    const kept = await leaveAvailable(perPair - 1);
    const refused = await run(flags("--sample", "30"), { env });
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(
      /^v1watch: 30 passports need 122 requests to V1, but only 3 are available until 1 \w+; [\d,]+ are reserved for the watch\. Wait for the next month, or raise budget\.monthlyRequests if V1's key allows more\.\n$/,
    );
    expect(refused.err).toContain(kept.toLocaleString("en"));
    const file = join(folder, "none.json");
    const resumable = await run(flags("--cohort", join(folder, "ids.txt"), "--resume", file), { env });
    expect(resumable.code).toBe(2);
    expect(resumable.out).toMatch(
      /Deferred: the remaining requests to V1 of this month are reserved for the watch\. Continue from 1 \w+ with the same --resume FILE/,
    );
    expect(v1.requests()).toBe(0);
  });

  test("Two concurrent parity runs do not exceed the available budget together", async () => {
    await leaveAvailable(200);
    const before = await spent();
    const outputs = await Promise.all(
      ["one", "two"].map((name) => {
        const state = ["--resume", join(folder, `${name}.json`)];
        return text(spawnCommand(flags("--cohort", join(folder, "ids.txt"), ...state)).stdout);
      }),
    );
    for (const out of outputs) expect(out).toContain("Deferred: the remaining requests to V1");
    expect((await spent()) - before).toBe(v1.requests());
    // The watch needs one tick less if its half-hour cadence passes during the test.
    expect(v1.requests()).toBeGreaterThan(200 - perPair);
    expect(v1.requests()).toBeLessThanOrEqual(200 + 2 * perPair);
  });

  test("v1watch parity suggests a sample that fits if the budget or --requests is too small", async () => {
    await leaveAvailable(60);
    const byBudget = await run(flags("--sample", "30"), { env });
    expect(byBudget.err).toContain("but only 60 are available until");
    expect(byBudget.err).toContain("Use --sample 14, wait for the next month, or raise");
    const byOption = await run(flags("--sample", "30", "--requests", "20"), { env });
    expect(byOption.err).toContain(
      "122 requests to V1, but only 20 are allowed. Use --sample 4, or raise --requests.",
    );
    expect(v1.requests()).toBe(0);
  });

  test("With --rate, every request is recorded in the probe state when it is sent", async () => {
    createStore();
    await run(flags("--sample", "2", "--rate", "20"), { env });
    const { recent } = await readProbeState();
    expect(recent.map(({ requests }) => requests)).toEqual(Array(9).fill(1));
    expect(await spent()).toBe(9);
  });

  test("v1watch parity sends no request if the given store does not exist or is another file", async () => {
    const missing = await run(flags("--sample", "30"), { env });
    expect(missing.err).toMatch(
      /^v1watch: requests cannot be counted in the budget of .*: it does not exist\./,
    );
    writeFileSync(store, "this is not a database, but long enough to be opened as one".repeat(20));
    const foreign = await run(flags("--sample", "30"), { env });
    expect(foreign.err).toMatch(/cannot be counted in the budget of .*: it is not a v1watch store/);
    expect(v1.requests()).toBe(0);
  });
});

describe("without a store", () => {
  const flagsWithoutStore = () =>
    flags("--sample", "30").filter((flag) => flag !== "--store" && flag !== store);

  test("A V1 on this machine has no limit and does not use the budget of another V1", async () => {
    createStore();
    const config = join(folder, "config.json");
    writeFileSync(config, JSON.stringify({ baseUrl: "https://api.example.com", store }));
    const { code, out } = await run([...flagsWithoutStore(), "--config", config, "--sample", "40"], { env });
    expect(code).toBe(0);
    expect(out).not.toContain("This run makes");
    expect(await readProbeState()).toBeUndefined();
  });

  test("Any other V1 has a limit, and the output says that the requests are not counted in a budget", async () => {
    const { out } = await run([...flagsWithoutStore(), "--rate", "1000", "--requests", "130"], {
      env: { ...env, V1WATCH_STORE: join(folder, "nowhere.db") },
    });
    expect(out).toContain("This run makes at most 122 requests to V1");
    expect(out).toContain("these requests are not counted in any budget");
    const many = await run([...flagsWithoutStore(), "--rate", "1000", "--sample", "150"], { env });
    expect(many.err).toContain("150 passports need 606 requests to V1, but only 500 are allowed.");
  });
});

test("v1watch parity reports an unwritable --resume file before the first request", async () => {
  createStore();
  const file = join(folder, "nowhere/state.json");
  const cohort = ["--cohort", join(folder, "ids.txt"), "--sample", "30"];
  const { code, err } = await run(flags(...cohort, "--resume", file), { env });
  expect({ code, err }).toEqual({
    code: 2,
    err: `v1watch: cannot write "${file}": its folder does not exist. Create the folder first\n`,
  });
  expect(v1.requests() + v2.requests()).toBe(0);
});

test("The state file and the JSON report contain the time of the last comparison", async () => {
  const file = join(folder, "dated.json");
  const cohort = flags("--cohort", join(folder, "ids.txt"), "--sample", "30", "--resume", file);
  createStore();
  const startedAt = Date.now();
  const first = JSON.parse((await run([...cohort, "--json"], { env })).out);
  const { at } = JSON.parse(readFileSync(file, "utf8"));
  expect(Date.parse(at)).toBeGreaterThanOrEqual(startedAt);
  expect(first.at).toBe(at);
  // The second run compares nothing, so the time does not change.
  const again = await run([...cohort, "--json"], { env });
  expect(JSON.parse(again.out).at).toBe(at);

  // Readiness uses this time and not the modification time, which a checkout changes.
  const comparedAt = async (text: string) => {
    const parityFile = join(folder, "parity.json");
    writeFileSync(parityFile, text);
    utimesSync(parityFile, 1_700_000_000, 1_700_000_000);
    return (await readTeamInput({ parity: parityFile }, startedAt)).parity?.atMs;
  };
  expect(await comparedAt(again.out)).toBe(Date.parse(at));
  const state = JSON.parse(readFileSync(file, "utf8"));
  expect(await comparedAt(JSON.stringify(state))).toBe(Date.parse(at));
  const { at: _, ...undated } = state;
  for (const odd of [undated, { ...JSON.parse(again.out), at: "soon" }])
    await expect(comparedAt(JSON.stringify(odd))).rejects.toThrow("is not a parity result at at");
});
