// A comparison and a watch that live from one key: real processes, one store, and V1's own count of requests.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { readFiles } from "../../../lib/commands/ready/files.ts";
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

function begin(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
  });
  started.push(child);
  return child;
}

/** Until it has printed this. */
async function launch(args: readonly string[], words: string): Promise<ChildProcess> {
  const child = begin(args);
  let out = "";
  const seen = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part) => {
        out += part;
        if (out.includes(words)) resolve();
      });
    child.on("exit", () => reject(new Error(`it ended without "${words}":\n${out}`)));
  });
  await seen;
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
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

const makeStore = () => {
  const made = openStore(store, { mode: "own" });
  if (made.kind === "open") made.store.close();
};

/** A watch that has spent so much that it can spare this and no more. */
async function leaveSpare(requests: number): Promise<number> {
  makeStore();
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

describe("beside a running watch", () => {
  test("every request of a comparison and of a probe is in the watch's books", async () => {
    // Its slots are eight hours apart, so that none begins meanwhile.
    const slow = join(folder, "slow.json");
    writeFileSync(slow, JSON.stringify({ baseUrl: v1.url, cadence: { calm: "1d" } }));
    const up = await launch(["up", "--port", "0", "--config", slow, ...v1Flags()], "s documented.");
    const own = await spent();
    expect(own).toBe(v1.requests());
    const { code, out, err } = await run(flags("--sample", "40"), { env });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(
      "This run may make up to 162 requests to V1, 2 of them to find ids, and 200 to V2: about 40 passports.\n",
    );
    expect(out).toMatch(/The watch can spare [\d,]+ and keeps [\d,]+ for itself until 1 \w+\.\n/);
    expect(await spent()).toBe(own + 162);
    const before = await readProbeState();
    const probed = await run(["probe", ...v1Flags()]);
    expect(probed.out).toContain("counted, not recorded: the running watch has the store");
    expect(await spent()).toBe(v1.requests());
    const after = await readProbeState();
    expect(after.recent).toHaveLength(before.recent.length + 3);
    // The watch has not seen the probe's answers: it asks when it would have asked.
    expect(after.endpoints).toEqual(before.endpoints);
    expect(up.exitCode).toBeNull();
    await stop(up, "SIGTERM");
    expect(await spent()).toBe(v1.requests());
  });
});

describe("without a running watch", () => {
  test("a killed run leaves what it had set aside in the books, and a stopped one gives it back", async () => {
    makeStore();
    const slow = flags(
      "--cohort",
      join(folder, "ids.txt"),
      "--apart",
      "10m",
      "--resume",
      join(folder, "s.json"),
    );
    const killed = await launch(slow, "This run may make");
    // Two batches of ten have been read once, and wait for their second read.
    await until(() => v1.requests() >= 40);
    await stop(killed, "SIGKILL");
    expect([await spent(), v1.requests()]).toEqual([20 * perPair, 40]);
    const stopped = await launch(slow, "This run may make");
    await until(() => v1.requests() >= 80);
    await stop(stopped, "SIGTERM");
    expect([await spent(), v1.requests()]).toEqual([20 * perPair + 40, 80]);
  });

  test("a killed probe leaves what it might have asked in the books", async () => {
    makeStore();
    v1.inject([{ kind: "hang" }]);
    const probing = begin(["probe", ...v1Flags()]);
    await until(() => v1.requests() > 0);
    await stop(probing, "SIGKILL");
    // Three endpoints, each with a retry.
    expect(await spent()).toBe(6);
  });

  test("a watch that needs all that is left gets no comparison, and nobody is asked", async () => {
    const kept = await leaveSpare(perPair - 1);
    const refused = await run(flags("--sample", "30"), { env });
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toMatch(
      /^v1watch: 30 passports need 122 requests to V1, the watch can spare 3 until 1 \w+ and keeps [\d,]+ for itself\. Wait for the new month, or raise budget\.monthlyRequests if V1's key allows more\.\n$/,
    );
    expect(refused.err).toContain(kept.toLocaleString("en"));
    const file = join(folder, "none.json");
    const resumable = await run(flags("--cohort", join(folder, "ids.txt"), "--resume", file), { env });
    expect(resumable.code).toBe(2);
    expect(resumable.out).toMatch(
      /Held: the watch needs what is left of this month's requests to V1\. Go on from 1 \w+ with the same --resume FILE/,
    );
    expect(v1.requests()).toBe(0);
  });

  test("two runs at once share what can be spared, and take no more", async () => {
    await leaveSpare(200);
    const before = await spent();
    const outputs = await Promise.all(
      ["one", "two"].map((name) => {
        const state = ["--resume", join(folder, `${name}.json`)];
        return text(begin(flags("--cohort", join(folder, "ids.txt"), ...state)).stdout);
      }),
    );
    for (const out of outputs) expect(out).toContain("Held: the watch needs what is left");
    expect((await spent()) - before).toBe(v1.requests());
    // The watch needs one check less when a slot passes meanwhile.
    expect(v1.requests()).toBeGreaterThan(200 - perPair);
    expect(v1.requests()).toBeLessThanOrEqual(200 + 2 * perPair);
  });

  test("--requests is a bound of its own, and a refusal tells what fits", async () => {
    await leaveSpare(60);
    const narrow = await run(flags("--sample", "30"), { env });
    expect(narrow.err).toContain("the watch can spare 60 until");
    expect(narrow.err).toContain("Use --sample 14, wait for the new month, or raise");
    const bound = await run(flags("--sample", "30", "--requests", "20"), { env });
    expect(bound.err).toContain("122 requests to V1, 20 are allowed. Use --sample 4, or raise --requests.");
    expect(v1.requests()).toBe(0);
  });

  test("where a rate is kept, the watch sees each request when it leaves", async () => {
    makeStore();
    await run(flags("--sample", "2", "--rate", "20"), { env });
    const { recent } = await readProbeState();
    expect(recent.map(({ requests }) => requests)).toEqual(Array(9).fill(1));
    expect(await spent()).toBe(9);
  });

  test("a store that is not there or not ours is no reason to ask without books", async () => {
    const absent = await run(flags("--sample", "30"), { env });
    expect(absent.err).toMatch(/^v1watch: the watch's books in .* cannot be kept: it is not there\./);
    writeFileSync(store, "this is not a database, and long enough to be looked at as one".repeat(20));
    const foreign = await run(flags("--sample", "30"), { env });
    expect(foreign.err).toContain("cannot be kept: it is damaged");
    expect(v1.requests()).toBe(0);
  });
});

describe("where no watch is", () => {
  const alone = () => flags("--sample", "30").filter((flag) => flag !== "--store" && flag !== store);

  test("a V1 on this machine has no limit, and the budget of another V1's watch is left alone", async () => {
    makeStore();
    const config = join(folder, "config.json");
    writeFileSync(config, JSON.stringify({ baseUrl: "https://api.example.com", store }));
    const { code, out } = await run([...alone(), "--config", config, "--sample", "40"], { env });
    expect(code).toBe(0);
    expect(out).not.toContain("This run may");
    expect(await readProbeState()).toBeUndefined();
  });

  test("any other V1 has a limit, and it is said that nobody keeps the books", async () => {
    const { out } = await run([...alone(), "--rate", "1000", "--requests", "130"], {
      env: { ...env, V1WATCH_STORE: join(folder, "nowhere.db") },
    });
    expect(out).toContain("This run may make up to 122 requests to V1");
    expect(out).toContain("nobody keeps the books");
    const many = await run([...alone(), "--rate", "1000", "--sample", "150"], { env });
    expect(many.err).toContain("150 passports need 606 requests to V1, 500 are allowed.");
  });
});

test("a state that cannot be kept is said before anything is asked", async () => {
  makeStore();
  const file = join(folder, "nowhere/state.json");
  const cohort = ["--cohort", join(folder, "ids.txt"), "--sample", "30"];
  const { code, err } = await run(flags(...cohort, "--resume", file), { env });
  expect({ code, err }).toEqual({
    code: 2,
    err: `v1watch: cannot write "${file}": its folder is not there. Make it first\n`,
  });
  expect(v1.requests() + v2.requests()).toBe(0);
});

test("a state and a report carry the day of their comparison", async () => {
  const file = join(folder, "dated.json");
  const cohort = flags("--cohort", join(folder, "ids.txt"), "--sample", "30", "--resume", file);
  makeStore();
  const startedAt = Date.now();
  const first = JSON.parse((await run([...cohort, "--json"], { env })).out);
  const { at } = JSON.parse(readFileSync(file, "utf8"));
  expect(Date.parse(at)).toBeGreaterThanOrEqual(startedAt);
  expect(first.at).toBe(at);
  // Nothing was compared anew, so it is as old as before.
  const again = await run([...cohort, "--json"], { env });
  expect(JSON.parse(again.out).at).toBe(at);

  // Readiness takes it from there, whatever a checkout has done to the file's time.
  const ageOf = async (text: string) => {
    const given = join(folder, "given.json");
    writeFileSync(given, text);
    utimesSync(given, 1_700_000_000, 1_700_000_000);
    return (await readFiles({ parity: given }, startedAt)).parity?.atMs;
  };
  expect(await ageOf(again.out)).toBe(Date.parse(at));
  const state = JSON.parse(readFileSync(file, "utf8"));
  expect(await ageOf(JSON.stringify(state))).toBe(Date.parse(at));
  const { at: _, ...undated } = state;
  expect(await ageOf(JSON.stringify(undated))).toBe(1_700_000_000_000);
  expect(await ageOf(JSON.stringify({ ...JSON.parse(again.out), at: "soon" }))).toBe(1_700_000_000_000);
});
