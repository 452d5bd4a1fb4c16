// The proxy of a rehearsal under load, beside the same requests without it: the ratio of the medians, and the proxy's memory over the
// run. V1 is the simulator; it and the proxy have a process each.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { fileURLToPath } from "node:url";
import { endpoints, sampleSource } from "../lib/contract/endpoints.ts";
import { startRehearsalProxy } from "../lib/rehearse/proxy.ts";
import { rehearsalScenarios } from "../lib/rehearse/scenarios.ts";
import { startSimulator } from "../lib/simulator/server.ts";
import { median, type Row, row } from "./table.ts";

const file = fileURLToPath(import.meta.url);
/** Below the ten that the proxy forwards at once. */
const concurrency = 8;
const rounds = 20;
const requestsPerRound = 200;

async function serve([which = "", upstream = ""]: string[]): Promise<void> {
  if (which === "v1") {
    process.send?.((await startSimulator({ passports: 500 })).url);
    return;
  }
  const proxy = await startRehearsalProxy({
    url: upstream,
    allowLoopback: true,
    deadlineMs: 15_000,
    maxWireBytes: 2 ** 21,
    maxBodyBytes: 2 ** 23,
    maxRequests: 1e9,
  });
  // A scenario that changes the body, so that it is parsed and written again.
  proxy.play(rehearsalScenarios.find(({ name }) => name === "retyped")!);
  process.on("message", () => {
    globalThis.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
  });
  process.send?.(proxy.url);
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

function ask(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.on("end", () =>
        response.statusCode === 200
          ? resolve(performance.now() - startedAt)
          : reject(new Error(`status ${response.statusCode}`)),
      );
    });
    request.on("error", reject);
  });
}

/** Several at a time, each with its own duration. */
async function askMany(url: string): Promise<number[]> {
  const durations: number[] = [];
  let left = requestsPerRound;
  const work = async () => {
    while (left-- > 0) durations.push(await ask(url));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return durations;
}

async function heapOf(child: ChildProcess): Promise<number> {
  child.send("heap");
  return Number((await once(child, "message"))[0]);
}

const start = async (args: string[]) => {
  const child = fork(file, ["serve", ...args], { execArgv: ["--expose-gc"] });
  return { child, url: String((await once(child, "message"))[0]) };
};

export async function benchRehearse(): Promise<Row[]> {
  const v1 = await start(["v1"]);
  const proxy = await start(["proxy", v1.url]);
  try {
    const { path } = endpoints[sampleSource];
    const [direct, through]: [number[], number[]] = [[], []];
    let early = Number.NaN;
    // In turns, so that a busy machine slows both.
    for (let round = 0; round < rounds; round++) {
      const ofRound = [await askMany(v1.url + path), await askMany(proxy.url + path)] as const;
      // The first rounds warm up.
      if (round === 3) early = await heapOf(proxy.child);
      if (round < 3) continue;
      direct.push(...ofRound[0]);
      through.push(...ofRound[1]);
    }
    const late = await heapOf(proxy.child);
    return [
      row(
        `${concurrency} at a time: a request through the proxy, to one without it`,
        median(through) / median(direct),
        "×",
        5,
      ),
      row(
        `heap after ${rounds * requestsPerRound} requests, to the heap after ${4 * requestsPerRound}`,
        late / early,
        "×",
        1.15,
      ),
    ];
  } finally {
    agent.destroy();
    v1.child.kill();
    proxy.child.kill();
  }
}

if (process.argv[1] === file && process.argv[2] === "serve") await serve(process.argv.slice(3));
