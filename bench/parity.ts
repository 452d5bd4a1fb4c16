// A parity run over a cohort with the simulated V1 and V2, each in its own process, that is killed and resumed: its
// duration, and its memory over the cohort. V1WATCH_BENCH_COHORT sets another size of the cohort.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readParityState, writeParityState } from "../lib/commands/parity/progress-file.ts";
import { createStarter } from "../lib/mapping/starter.ts";
import { countPositions, describeVersions, fingerprintCohort } from "../lib/parity/cohort.ts";
import { runParity } from "../lib/parity/parity.ts";
import { planParity } from "../lib/parity/plan.ts";
import { createParityClient } from "../lib/parity/request.ts";
import { type ParityState, parityState } from "../lib/records/parity.ts";
import { createPopulation } from "../lib/simulator/population.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { startV2Simulator } from "../lib/simulator/v2/server.ts";
import { type Row, row } from "./table.ts";

const passports = Number(process.env.V1WATCH_BENCH_COHORT ?? 20_000);
const concurrency = 8;
const file = fileURLToPath(import.meta.url);
const population = createPopulation({ seed: 1, size: passports });
const ids = Array.from({ length: passports }, (_, index) => String(population.idOf(index)));

const mapping = createStarter(0);
const plan = planParity(mapping);
/** What a progress file belongs to; the ports of the simulated versions are others in every run. */
const key: Pick<ParityState, "compared" | "cohort"> = {
  compared: describeVersions("http://127.0.0.1", "http://127.0.0.1", mapping),
  cohort: fingerprintCohort(ids),
};

function openRun(v1: string, v2: string) {
  const { fetchBody, close } = createParityClient({
    v1: { baseUrl: v1 },
    v2: { baseUrl: v2, apiKey: "bench" },
    concurrency,
    allowLoopback: true,
    deadlineMs: 30_000,
    maxBodyBytes: 2 ** 21,
  });
  const settings = {
    mapping,
    plan,
    fetchBody,
    secondReadDelayMs: 0,
    concurrentRecords: concurrency,
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
    ...settings,
    ids,
    ...(before && { resumeFrom: before }),
    async onProgress(progress) {
      const at = new Date().toISOString();
      await writeParityState(state, {
        schema: "v1watch/parity-state/2",
        startedAt: at,
        at,
        ...key,
        ...progress,
      });
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

const requestFromChild = async <T>(child: ChildProcess, message: string): Promise<T> => {
  child.send(message);
  return ((await once(child, "message")) as [T])[0];
};

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
    const run = await killAndResume(v1, v2, requests);
    const repeated = run.sent / (plan.requestsPerPair.v1 + plan.requestsPerPair.v2) - run.left;
    if (run.pairs !== passports || repeated !== 0)
      throw new Error(`${run.pairs} of ${passports} pairs were compared, ${repeated} of them twice`);
    const what = passports.toLocaleString("en-US");
    return [
      row(
        `${what} passports, at the speed after a kill -9 and a resumed run`,
        passports / run.pairsPerSecond,
        "s",
        60,
      ),
      row("heap at the end, to the heap after a tenth of them", run.heap / run.tenthHeap, "×", 1.25),
    ];
  } finally {
    for (const child of children) child.kill();
  }
}

if (process.argv[1] === file) {
  const [, , command, ...rest] = process.argv;
  if (command === "serve") await serve(rest[0] ?? "v1");
  else if (command === "work") await work(rest);
}
