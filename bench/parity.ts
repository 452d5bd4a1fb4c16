// A parity run over a cohort with the simulated V1 and V2, each in its own process: pairs per second compared
// with a bare undici loop that reads the same bodies, memory over the cohort, and a run that is killed and
// resumed. V1WATCH_BENCH_COHORT sets a smaller cohort.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readParityState, writeParityState } from "../lib/commands/parity/resume-state.ts";
import { createStarter } from "../lib/mapping/starter.ts";
import { countPositions, fingerprintCohort, fingerprintMapping } from "../lib/parity/cohort.ts";
import { runParity } from "../lib/parity/parity.ts";
import { planParity } from "../lib/parity/plan.ts";
import { createParityClient } from "../lib/parity/request.ts";
import { type ParityState, parityState } from "../lib/records/parity.ts";
import { createPopulation } from "../lib/simulator/population.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { startV2Simulator } from "../lib/simulator/v2/server.ts";

export type Row = { name: string; value: number; unit: string; goal: string; ok: boolean };

const passports = Number(process.env.V1WATCH_BENCH_COHORT ?? 100_000);
const concurrency = 8;
const rounds = 7;
const roundPairs = Math.min(400, passports);
const file = fileURLToPath(import.meta.url);
const population = createPopulation({ seed: 1, size: passports });
const ids = Array.from({ length: passports }, (_, index) => String(population.idOf(index)));

const mapping = createStarter(0);
const plan = planParity(mapping);
const key: Pick<ParityState, "mapping" | "cohort"> = {
  mapping: fingerprintMapping(mapping),
  cohort: fingerprintCohort(ids),
};

function openRun(v1: string, v2: string) {
  const { fetchBody, close } = createParityClient({
    ...{ v1: { baseUrl: v1 }, v2: { baseUrl: v2, apiKey: "bench" }, concurrency, allowLoopback: true },
    ...{ deadlineMs: 30_000, maxBodyBytes: 2 ** 21, maxWireBytes: 2 ** 21 },
  });
  const settings = {
    mapping,
    plan,
    fetchBody,
    secondReadDelayMs: 0,
    concurrentPassports: concurrency,
    batchSize: 100,
    concurrentBatches: 2,
  };
  return { settings, close };
}

async function serve(which: string): Promise<void> {
  const simulator = await (which === "v1" ? startSimulator({ passports }) : startV2Simulator({ passports }));
  process.on("message", () => process.send?.(simulator.requests()));
  process.send?.(simulator.url);
}

/**
 * A run that reports its heap size after 10 % and at the end. It resumes from the state file if there is one.
 */
async function work([v1 = "", v2 = "", state = ""]: string[]): Promise<void> {
  const { settings, close } = openRun(v1, v2);
  const before = await readParityState(state, key);
  const tenth = passports / 10;
  let hasReported = false;
  const heap = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const { aggregate, done } = await runParity({
    ...{ ...settings, ids },
    ...(before && { resumeFrom: before }),
    async onProgress(progress) {
      await writeParityState(state, { schema: "v1watch/parity-state/1", ...key, ...progress });
      const position = countPositions(progress.done);
      if (!before && position >= tenth && !hasReported) {
        hasReported = true;
        process.send?.({ tenthHeap: heap() });
      }
      if (!before && position >= passports * 0.3) process.send?.({ kill: true });
    },
  });
  close();
  process.send?.({ heap: heap(), pairs: aggregate.pairs, done: countPositions(done) });
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const requestFromChild = async <T>(child: ChildProcess, message: string): Promise<T> => {
  child.send(message);
  return ((await once(child, "message")) as [T])[0];
};

// Imported by a computed name, because undici is installed only in bench/ and the type checker cannot find
// it.
const peer: string = "undici";
type Undici = {
  Agent: new (options: { connections: number }) => { close(): Promise<void> };
  request(url: string, options: object): Promise<{ body: { arrayBuffer(): Promise<ArrayBuffer> } }>;
};

/**
 * Pairs per second of a client that sends the same requests in the same order without comparing the
 * responses.
 */
async function bareLoop(
  undici: Undici,
  dispatcher: object,
  v1: string,
  v2: string,
  from: number,
): Promise<number> {
  const get = async (url: string) => {
    const { body } = await undici.request(url, { dispatcher, headers: { "X-API-KEY": "bench" } });
    if ((await body.arrayBuffer()).byteLength < 10) throw new Error("a body is incomplete");
  };
  let next = from;
  const startedAt = performance.now();
  const worker = async () => {
    for (let index = next++; index < from + roundPairs; index = next++) {
      const passport = `${v1}/api/v1/passports/${ids[index]}`;
      const credentials = `${v1}/api/v1/passport_credentials?passport_id=${ids[index]}`;
      const query = `?id=${population.walletOf(index, 0)}&account_source=wallet`;
      await get(passport);
      await Promise.all([get(credentials), ...plan.v2Endpoints.map((name) => get(`${v2}/${name}${query}`))]);
      await Promise.all([get(passport), get(credentials)]);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return roundPairs / ((performance.now() - startedAt) / 1_000);
}

async function compareSpeeds(v1: string, v2: string) {
  const undici: Undici = await import(peer);
  const dispatcher = new undici.Agent({ connections: concurrency });
  const { settings, close } = openRun(v1, v2);
  const own = async (from: number) => {
    const startedAt = performance.now();
    const { aggregate } = await runParity({ ...settings, ids: ids.slice(from, from + roundPairs) });
    if (aggregate.pairs !== roundPairs) throw new Error("pairs are missing");
    return roundPairs / ((performance.now() - startedAt) / 1_000);
  };
  const speeds: { bare: number[]; own: number[] } = { bare: [], own: [] };
  for (let round = 0; round <= rounds; round++) {
    const from = (round * roundPairs) % Math.max(1, passports - roundPairs + 1);
    const [bare, ours] = [await bareLoop(undici, dispatcher, v1, v2, from), await own(from)];
    // The first round is a warm-up.
    if (round === 0) continue;
    speeds.bare.push(bare);
    speeds.own.push(ours);
  }
  close();
  await dispatcher.close();
  return speeds;
}

async function killAndResume(v1: string, v2: string, requests: () => Promise<number>) {
  const folder = await mkdtemp(join(tmpdir(), "v1watch-bench-parity-"));
  const state = join(folder, "state.json");
  const start = () => fork(file, ["work", v1, v2, state], { execArgv: ["--expose-gc"] });
  try {
    const first = start();
    let tenthHeap = Number.NaN;
    first.on("message", (message: { tenthHeap?: number; kill?: boolean }) => {
      if (message.tenthHeap !== undefined) tenthHeap = message.tenthHeap;
      if (message.kill) first.kill("SIGKILL");
    });
    await once(first, "exit");
    // Waits until the simulators have counted the requests that were still in progress.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = await requests();
    const kept = parityState.parse(JSON.parse(await readFile(state, "utf8")));
    const startedAt = performance.now();
    const second = start();
    const [end] = (await once(second, "message")) as [{ heap: number; pairs: number; done: number }];
    const seconds = (performance.now() - startedAt) / 1_000;
    second.kill();
    const left = passports - countPositions(kept.done);
    const sent = (await requests()) - before;
    return { tenthHeap, ...end, left, sent, pairsPerSecond: left / seconds };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function benchParity(): Promise<Row[]> {
  const children = ["v1", "v2"].map((name) => fork(file, ["serve", name]));
  try {
    const [v1 = "", v2 = ""] = (await Promise.all(children.map((child) => once(child, "message")))).map(
      ([url]) => String(url),
    );
    const requests = async () => {
      const counts = await Promise.all(children.map((child) => requestFromChild<number>(child, "requests")));
      return counts.reduce((sum, count) => sum + count, 0);
    };
    const speeds = await compareSpeeds(v1, v2);
    const share = median(speeds.own.map((speed, round) => speed / (speeds.bare[round] ?? Number.NaN)));
    const run = await killAndResume(v1, v2, requests);
    const growth = run.heap / run.tenthHeap;
    const repeated = run.sent / (plan.requestsPerPair.v1 + plan.requestsPerPair.v2) - run.left;
    const row = (name: string, value: number, unit: string, goal = "", ok = true): Row => ({
      ...{ name: `parity: ${name}`, value: Math.round(value * 100) / 100, unit, goal, ok },
    });
    return [
      row("bare undici loop", median(speeds.bare), "pairs/s"),
      row("v1watch", median(speeds.own), "pairs/s"),
      row("v1watch, ratio to the bare loop", share, "×", "≥ 0.50", share >= 0.5),
      row(`cohort of ${passports}, resumed run`, run.pairsPerSecond, "pairs/s"),
      row("heap, ratio of 100 % to 10 % of the cohort", growth, "×", "≤ 1.25", growth <= 1.25),
      row(
        "compared pairs after kill and resume",
        run.pairs,
        "pairs",
        `= ${passports}`,
        run.pairs === passports,
      ),
      row("finished pairs that were compared again", repeated, "pairs", "= 0", repeated === 0),
    ];
  } finally {
    for (const child of children) child.kill();
  }
}

if (process.argv[1] === file) {
  const [, , command, ...rest] = process.argv;
  if (command === "serve") await serve(rest[0] ?? "v1");
  else if (command === "work") await work(rest);
  else console.table(await benchParity());
}
